package handlers

import (
	"fmt"
	"html"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	xhtml "github.com/yuin/goldmark/renderer/html"

	"finsvc/embed"
)

// docs writes the page about the API from its description, when the project is built.
type docs struct {
	strings.Builder
	document tree
	markdown goldmark.Markdown
}

// makeDocs makes the page of a description in JSON.
func makeDocs(description []byte) ([]byte, error) {
	document, err := plantTree(description)
	if err != nil {
		return nil, err
	}
	d := docs{document: document, markdown: goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithRendererOptions(xhtml.WithXHTML()))}
	d.page()
	return []byte(d.String()), nil
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
func (d *docs) about(t tree) {
	// Writing to memory does not fail.
	_ = d.markdown.Convert([]byte(t.at("description").text()), d)
}

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
	d.put(`<nav aria-label="Contents">` + "\n" + `<p><a href="#top">About</a> · <a href="/handbook">Handbook</a> · <a href="/api/v1/openapi.yaml">openapi.yaml</a> · <a href="/api/v1/openapi.json">openapi.json</a></p>`)
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
