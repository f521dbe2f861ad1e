package handlers

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"strings"

	"finsvc/embed"
)

// docs writes the page about the API from its description. It does without html/template, by which the program would be four
// megabytes longer: calling methods by name keeps the linker from leaving out any.
type docs struct {
	strings.Builder
	document tree
	inline   inline
}

// docsPage makes the page.
func docsPage() ([]byte, error) {
	document, err := plantDescription()
	if err != nil {
		return nil, err
	}
	d := docs{document: document, inline: newInline()}
	d.page()
	return []byte(d.String()), nil
}

// pagePolicy lets a page show itself and nothing else: of styles ours alone, and of scripts none but the one that is named.
func pagePolicy(script string) string {
	policy := "default-src 'none'; style-src '" + contentHash(embed.DocsStyle) + "'"
	if script != "" {
		policy += "; script-src '" + contentHash(script) + "'"
	}
	return policy + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

func contentHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// showDocs answers GET /api/docs: the description as a page for people.
func (s *Server) showDocs(a *answer, r *request) error {
	page, err := s.docs()
	if err != nil {
		return err
	}
	a.contentType = typeHTML
	a.header().Set("Content-Security-Policy", pagePolicy(embed.DocsSearch))
	a.json.buf = append(a.json.buf, s.origin(r.Request).link(page)...)
	return nil
}

// link makes the links and commands of the page lead to where its reader has it from.
func (o origin) link(page []byte) []byte {
	page = bytes.ReplaceAll(page, []byte(docsHost), []byte(o.scheme+"://"+o.host+o.root))
	return bytes.ReplaceAll(page, []byte(`href="/api/`), []byte(`href="`+o.root+`/api/`))
}

// pageHead is a page up to its body.
func pageHead(title string) string {
	return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\" />\n<title>" +
		html.EscapeString(title) + "</title>\n<style>" + embed.DocsStyle + "</style>\n</head>\n<body>\n"
}

// put writes HTML with texts in the places of %s.
func (d *docs) put(format string, texts ...string) {
	escaped := make([]any, len(texts))
	for i, text := range texts {
		escaped[i] = html.EscapeString(text)
	}
	fmt.Fprintf(d, format, escaped...)
}

// about writes the description of anything.
func (d *docs) about(t tree) { d.WriteString(d.inline.markdown(t.at("description").text())) }

func (d *docs) page() {
	info := d.document.at("info")
	title := info.at("title").text() + " API"
	d.WriteString(pageHead(title))
	d.contents()
	d.put("<main id=\"top\">\n<h1>%s</h1>\n<p>%s</p>\n", title, info.at("summary").text())
	d.about(info)
	for _, tag := range d.document.at("tags").items() {
		d.group(tag)
	}
	d.shared("answers", "Shared answers", "answer-", d.document.at("components", "responses"), d.answer)
	d.shared("schemas", "Schemas", "schema-", d.document.at("components", "schemas"), d.schema)
	d.WriteString("</main>\n<script>" + embed.DocsSearch + "</script>\n</body>\n</html>\n")
}

// contents writes the table of contents.
func (d *docs) contents() {
	d.put(`<nav aria-label="Contents">` + "\n" + `<p><a href="#top">About</a> · <a href="/api/v1/openapi.yaml">openapi.yaml</a> · <a href="/api/v1/openapi.json">openapi.json</a></p>`)
	for _, tag := range d.document.at("tags").items() {
		name := tag.at("name").text()
		d.put("\n<details><summary><a href=\"#group-%s\">%s</a></summary>\n<ul>", name, name)
		for _, o := range d.operations(name) {
			d.put("\n<li><a href=\"#%s\">", o.at("operationId").text())
			d.method(o.method)
			d.put(" %s</a></li>", o.at("summary").text())
		}
		d.put("\n</ul></details>")
	}
	d.sharedContents("answers", "Shared answers", "answer-", d.document.at("components", "responses"))
	d.sharedContents("schemas", "Schemas", "schema-", d.document.at("components", "schemas"))
	d.put("\n</nav>\n")
}

func (d *docs) sharedContents(id, title, prefix string, all tree) {
	d.put("\n<details><summary><a href=\"#%s\">%s</a></summary>\n<ul>", id, title)
	for name := range all.members() {
		d.put("\n<li><a href=\"#%s\">%s</a></li>", prefix+name, name)
	}
	d.put("\n</ul></details>")
}

// shared writes what operations refer to.
func (d *docs) shared(id, title, prefix string, all tree, write func(tree)) {
	d.put("<section>\n<h2 id=\"%s\">%s</h2>\n", id, title)
	for name, t := range all.members() {
		d.put("<article>\n<h3 id=\"%s\">%s</h3>\n", prefix+name, name)
		write(t)
		d.put("\n</article>\n")
	}
	d.put("</section>\n")
}

// group writes a tag with its operations.
func (d *docs) group(tag tree) {
	name := tag.at("name").text()
	d.put("<section>\n<h2 id=\"group-%s\">%s</h2>\n", name, name)
	d.about(tag)
	for _, o := range d.operations(name) {
		d.operation(o)
	}
	d.put("</section>\n")
}
