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
	"finsvc/handlers/middleware"
	"finsvc/handlers/wire"
)

// pages answers for what needs no key: the pages for people, the description of the API, and whether the server is well.
type pages struct {
	version string
	health  func(context.Context) error // nil when the database answers
	origins *middleware.Origins
	openAPI func() ([]byte, error) // unpacked on the first request, as the page is
	docs    func() ([]byte, error)
}

// The pages for people are made when the project is built, by the tests TestDocsArePacked and TestHandbookIsPacked: what is written
// in Markdown and YAML is neither read nor made into HTML by the program.

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

// pageHead is a page up to its body.
func pageHead(title string) string {
	return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n<title>" +
		html.EscapeString(title) + "</title>\n<style>" + embed.DocsStyle + "</style>\n</head>\n<body>\n"
}
