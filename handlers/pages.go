package handlers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"html"
	"io/fs"
	"strings"

	"finsvc/embed"
)

// pages answers for what needs no key: the pages for people, the description of the API, and whether the server is well.
type pages struct {
	version string
	health  func(context.Context) error // nil when the database answers
	origins *origins
	openAPI func() ([]byte, error) // unpacked on the first request, as the page is
	docs    func() ([]byte, error)
}

// The pages for people are made when the project is built, by the tests TestDocsArePacked and TestHandbookIsPacked: what is written
// in Markdown and YAML is neither read nor made into HTML by the program.

// showDocs answers GET /api/docs: the description of the API as a page for people.
func (s *pages) showDocs(a *answer, r *request) error {
	page, err := s.docs()
	if err != nil {
		return err
	}
	a.contentType = typeHTML
	a.header().Set("Content-Security-Policy", pagePolicy(embed.DocsSearch))
	at := s.origins.of(r.Request)
	page = bytes.ReplaceAll(page, []byte(defaultOrigin), []byte(at.scheme+"://"+at.host+at.root))
	_, _ = a.json.Write(at.link(page))
	return nil
}

// showHandbook answers GET /handbook: the list of its pages.
func (s *pages) showHandbook(a *answer, r *request) error {
	return s.showHandbookFile(a, r, "index.html")
}

// showHandbookPage answers GET /handbook/{page}: a page, or what its search consists of.
func (s *pages) showHandbookPage(a *answer, r *request) error {
	switch name := r.params.ByName("page"); name {
	case "search.js": // a name that ends in .json is asked for without that
		a.contentType = "text/javascript; charset=utf-8"
		_, _ = a.json.Write(embed.HandbookSearch)
		return nil
	case "sections":
		return s.showHandbookFile(a, r, "search.json")
	default:
		return s.showHandbookFile(a, r, name+".html")
	}
}

func (s *pages) showHandbookFile(a *answer, r *request, name string) error {
	file, err := embed.Handbook(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return errNoPath()
	}
	if err != nil {
		return err
	}
	if strings.HasSuffix(name, ".html") {
		a.contentType = typeHTML
		a.header().Set("Content-Security-Policy", handbookPolicy())
		file = s.origins.of(r.Request).link(file)
	}
	_, _ = a.json.Write(file)
	return nil
}

// pagePolicy lets a page show itself and nothing else: of styles ours alone, and of scripts none but the one that is named.
func pagePolicy(script string) string {
	policy := "default-src 'none'; style-src '" + contentHash(embed.DocsStyle) + "'"
	if script != "" {
		policy += "; script-src '" + contentHash(script) + "'"
	}
	return policy + policyEnd
}

// handbookPolicy lets a page of the handbook besides have the script of the search and what it searches from this server.
func handbookPolicy() string {
	return "default-src 'none'; style-src '" + contentHash(embed.DocsStyle) + "'; script-src 'self'; connect-src 'self'" + policyEnd
}

const policyEnd = "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func contentHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// link makes the links of a page lead to where its reader has it from.
func (o origin) link(page []byte) []byte {
	for _, start := range []string{`href="/api/`, `href="/handbook`, `src="/handbook`} {
		page = bytes.ReplaceAll(page, []byte(start), []byte(strings.Replace(start, `"/`, `"`+o.root+"/", 1)))
	}
	return page
}

// pageHead is a page up to its body.
func pageHead(title string) string {
	return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n<title>" +
		html.EscapeString(title) + "</title>\n<style>" + embed.DocsStyle + "</style>\n</head>\n<body>\n"
}
