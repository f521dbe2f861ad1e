package handlers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"html"
	"io/fs"
	"mime"
	"strings"
	"time"

	"finsvc/embed"
	"finsvc/handlers/middleware"
	"finsvc/handlers/wire"
	"finsvc/ledger"
)

// pages answers for what needs no key: the pages for people, the description of the API, and whether the server is
// well.
type pages struct {
	version string
	health  func(context.Context) error // nil when the database answers
	origins *middleware.Origins
	openAPI func() ([]byte, error) // unpacked on the first request, as the page is
	docs    func() ([]byte, error)
}

// The pages for people are made when the project is built, by the tests TestDocsArePacked and TestHandbookIsPacked:
// what is written in Markdown and YAML is neither read nor made into HTML by the program.

// showDocs answers GET /api/docs: the description of the API as a page for people.
func (s *pages) showDocs(a *wire.Answer, r *wire.Request) error {
	page, err := s.docs()
	if err != nil {
		return err
	}
	a.ContentType = typeHTML
	a.Header().Set("Content-Security-Policy", pagePolicy(embed.DocsSearch))
	at := s.origins.Of(r.Request)
	page = bytes.ReplaceAll(page, []byte(middleware.DefaultOrigin), []byte(at.Scheme+"://"+at.Host+at.Root))
	_, _ = a.Json.Write(at.Link(page))
	return nil
}

// showHandbook answers GET /handbook: the list of its pages.
func (s *pages) showHandbook(a *wire.Answer, r *wire.Request) error {
	return s.showHandbookFile(a, r, "index.html")
}

// showHandbookPage answers GET /handbook/{page}: a page, or what its search consists of.
func (s *pages) showHandbookPage(a *wire.Answer, r *wire.Request) error {
	switch name := r.Params.ByName("page"); name {
	case "search.js": // a name that ends in .json is asked for without that
		a.ContentType = "text/javascript; charset=utf-8"
		_, _ = a.Json.Write(embed.HandbookSearch)
		return nil
	case "sections":
		return s.showHandbookFile(a, r, "search.json")
	default:
		return s.showHandbookFile(a, r, name+".html")
	}
}

func (s *pages) showHandbookFile(a *wire.Answer, r *wire.Request, name string) error {
	file, err := embed.Handbook(name)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return middleware.ErrNoPath()
	}
	if err != nil {
		return err
	}
	if strings.HasSuffix(name, ".html") {
		a.ContentType = typeHTML
		a.Header().Set("Content-Security-Policy", handbookPolicy())
		file = s.origins.Of(r.Request).Link(file)
	}
	_, _ = a.Json.Write(file)
	return nil
}

// pagePolicy lets a page show itself and nothing else: of styles ours alone, and of scripts none but the one that is
// named.
func pagePolicy(script string) string {
	policy := "default-src 'none'; style-src '" + contentHash(embed.DocsStyle) + "'"
	if script != "" {
		policy += "; script-src '" + contentHash(script) + "'"
	}
	return policy + policyEnd
}

// handbookPolicy lets a page of the handbook besides have the script of the search and what it searches from this
// server.
func handbookPolicy() string {
	return "default-src 'none'; style-src '" + contentHash(embed.DocsStyle) +
		"'; script-src 'self'; connect-src 'self'" + policyEnd
}

const policyEnd = "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

func contentHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// pageHead is a page up to its body.
func pageHead(title string) string {
	return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n<title>" +
		html.EscapeString(title) + "</title>\n<style>" + embed.DocsStyle + "</style>\n</head>\n<body>\n"
}

const typeHTML = "text/html; charset=utf-8"

// showHome answers GET /: to a browser with a page that says what this is and what to do next, to programs with the
// same in JSON.
func (s *pages) showHome(a *wire.Answer, r *wire.Request) error {
	at := s.origins.Of(r.Request)
	a.Header().Add("Vary", "Accept")
	if acceptsHTML(r.Header.Get("Accept")) {
		a.ContentType = typeHTML
		a.Header().Set("Content-Security-Policy", pagePolicy(""))
		_, _ = a.Json.Write([]byte(s.homePage(at)))
		return nil
	}
	root := at.Scheme + "://" + at.Host + at.Root
	a.Json.Open("")
	a.Json.Text("name", "finsvc")
	a.Json.Text("version", s.version)
	a.Json.Text("docs", root+"/api/docs")
	a.Json.Text("openapi", root+"/api/v1/openapi.json")
	a.Json.Close()
	return nil
}

// acceptsHTML reports whether a page is asked for by name, as browsers do; programs that take anything get JSON.
func acceptsHTML(header string) bool {
	for item := range strings.SplitSeq(header, ",") {
		media, _, _ := mime.ParseMediaType(item)
		if media == "text/html" || media == "application/xhtml+xml" {
			return true
		}
	}
	return false
}

func (s *pages) homePage(at middleware.Origin) string {
	root, base := html.EscapeString(at.Scheme+"://"+at.Host+at.Root), html.EscapeString(at.Root)
	return pageHead("finsvc") + `<main>
<h1>finsvc</h1>
<p>A household's finances in one file and one program. This is its server, version ` + html.EscapeString(s.version) + `. It answers programs;
the books are looked at with those, or with the commands below.</p>
<p><a href="` + base + `/handbook"><strong>The handbook</strong></a> · <a href="` + base + `/api/docs"><strong>The API, to read and to search</strong></a> ·
<a href="` + base + `/api/v1/openapi.yaml">openapi.yaml</a> · <a href="` + base + `/api/v1/openapi.json">openapi.json</a></p>
<h2>What to type next</h2>
<p>On the machine of the server, for a key, which is shown once:</p>
<pre>finsvc apikey create phone</pre>
<p>From anywhere that reaches the server, with that key:</p>
<pre>curl -H 'X-Api-Key: KEY' ` + root + `/api/v1/balance_sheet
curl -H 'X-Api-Key: KEY' '` + root + `/api/v1/transactions?search=coffee'</pre>
<p>To bring in what a bank exports, to ask, and for all else that there is:</p>
<pre>finsvc import october.csv --account Giro
finsvc chat 'What did I spend on groceries last month?'
finsvc help</pre>
</main>
</body>
</html>
`
}

const healthTimeout = 2 * time.Second

// showHealth answers GET /up, /healthz and /sessions/new: 200 when the database answers and
// can be written, else 503.
func (s *pages) showHealth(a *wire.Answer, r *wire.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), healthTimeout)
	defer cancel()
	err := s.health(ctx)
	if ledger.IsDisplaced(err) {
		return wire.ErrDisplaced(err)
	}
	if err != nil {
		return &ledger.Error{Kind: ledger.Unavailable, Code: "unavailable", Message: "the database does not answer",
			Err: err}
	}
	a.Json.Open("")
	a.Json.Text("status", "ok")
	a.Json.Text("version", s.version)
	a.Json.Close()
	return nil
}

// showOpenAPI answers GET /api/v1/openapi.json.
func (s *pages) showOpenAPI(a *wire.Answer, r *wire.Request) error {
	text, err := s.openAPI()
	_, _ = a.Json.Write(s.origins.Of(r.Request).Describe(text, openAPIServerJSON))
	return err
}

// showOpenAPIYAML answers GET /api/v1/openapi.yaml.
func (s *pages) showOpenAPIYAML(a *wire.Answer, r *wire.Request) error {
	a.ContentType = "application/yaml"
	text, err := embed.OpenAPI()
	_, _ = a.Json.Write(s.origins.Of(r.Request).Describe(text, openAPIServerYAML))
	return err
}

// How the descriptions name the server that they come from; the path is as good as in quotes.
const (
	openAPIServerJSON = `"servers":[{"url":"/`
	openAPIServerYAML = "servers:\n  - url: /"
)
