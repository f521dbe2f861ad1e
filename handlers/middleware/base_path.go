package middleware

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// CleanBasePath is a path below which everything is served, such as /finance: it begins with a slash and does not end
// in one. Blank and / mean none, which is blank.
func CleanBasePath(text string) (string, error) {
	path := strings.TrimSuffix(text, "/")
	below, rooted := strings.CutPrefix(path, "/")
	if path == "" {
		return "", nil
	}
	for name := range strings.SplitSeq(below, "/") {
		if !rooted || name == "" || name == "." || name == ".." || strings.ContainsFunc(name, notNameRune) {
			return "", fmt.Errorf("must be a path such as /finance, of letters, digits and -._~, got %q", text)
		}
	}
	return path, nil
}

// notNameRune is true of what would have to be escaped in a path or a host.
func notNameRune(c rune) bool {
	letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	return !letter && (c < '0' || c > '9') && !strings.ContainsRune("-._~", c)
}

// nowhere is a path that no route has.
const nowhere = "/-"

// within is a request as it is below the base path. One from outside finds nothing, unless it asks how the
// service is: who watches the process need not know what proxies make of it. Nor need who comes to / with a browser.
func (s *Origins) within(hr *http.Request) *http.Request {
	if s.base == "" {
		return hr
	}
	path := singleSlashes(hr.URL.Path)
	rest, inside := strings.CutPrefix(path, s.base)
	switch {
	case inside && strings.HasPrefix(rest, "/"):
		path = rest
	case inside && rest == "":
		path = "/"
	case path != "/" && path != "/up" && path != "/healthz":
		path = nowhere
	}
	moved := *hr
	moved.URL = new(url.URL)
	*moved.URL = *hr.URL
	moved.URL.Path, moved.URL.RawPath = path, ""
	return &moved
}
