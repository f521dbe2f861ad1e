package handlers

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	tables "github.com/yuin/goldmark/extension/ast"
	markdown "github.com/yuin/goldmark/parser"
	xhtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"

	"finsvc/embed"
)

// handbook makes of the pages that are written in Markdown what the program shows, when the project is built.
type handbook struct {
	markdown goldmark.Markdown
	pages    []*handbookPage
	links    []string // that lead nowhere
}

// handbookPage is a page as it is written.
type handbookPage struct {
	embed.Topic
	source   []byte
	document ast.Node
	ids      map[string]bool // of its headings
	sections []handbookSection
}

// handbookSection is what the search knows of a page from one heading to the next.
type handbookSection struct {
	Page    string `json:"page"`
	Title   string `json:"title"`
	ID      string `json:"id"`
	Heading string `json:"heading"`
	Text    string `json:"text"`
}

func readHandbook(t *testing.T) *handbook {
	t.Helper()
	h := &handbook{markdown: goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(markdown.WithAutoHeadingID()),
		goldmark.WithRendererOptions(xhtml.WithXHTML()))}
	for _, topic := range embed.HandbookTopics() {
		source, err := os.ReadFile("../embed/handbook/" + topic.Name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		h.pages = append(h.pages, h.read(topic, source))
	}
	if files, err := os.ReadDir("../embed/handbook"); err != nil || len(files) != len(h.pages) {
		t.Fatalf("the handbook has %d pages, and %d files in its folder (%v)", len(h.pages), len(files), err)
	}
	return h
}

func (h *handbook) read(topic embed.Topic, source []byte) *handbookPage {
	p := &handbookPage{Topic: topic, source: source, document: h.markdown.Parser().Parse(text.NewReader(source)), ids: map[string]bool{}}
	for node := p.document.FirstChild(); node != nil; node = node.NextSibling() {
		heading, isHeading := node.(*ast.Heading)
		switch {
		case isHeading && heading.Level == 1:
			p.sections = append(p.sections, handbookSection{Page: topic.Name, Title: topic.Title, Heading: p.words(node)})
		case isHeading:
			id := headingID(heading)
			p.ids[id] = true
			p.sections = append(p.sections, handbookSection{Page: topic.Name, Title: topic.Title, ID: id, Heading: p.words(node)})
		case len(p.sections) > 0:
			last := &p.sections[len(p.sections)-1]
			last.Text = strings.TrimSpace(last.Text + " " + p.words(node))
		}
	}
	return p
}

func headingID(heading *ast.Heading) string {
	id, _ := heading.AttributeString("id")
	raw, _ := id.([]byte)
	return string(raw)
}

// words are the text of a part of a page, with a blank wherever another part begins.
func (p *handbookPage) words(node ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // it cannot fail
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(p.source))
				if n.SoftLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		case *ast.FencedCodeBlock:
			if entering {
				b.Write(n.Lines().Value(p.source))
			}
		default:
			if n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}

// target is where a link of a page leads: to another page or section of the handbook, or out of it. One that leads nowhere is noted.
func (h *handbook) target(from *handbookPage, destination string) (page *handbookPage, id string, inside bool) {
	if strings.Contains(destination, "://") {
		return nil, "", false
	}
	file, id, _ := strings.Cut(destination, "#")
	page = from
	if file != "" {
		page = nil
		for _, p := range h.pages {
			if p.Name+".md" == file {
				page = p
			}
		}
	}
	if page == nil || id != "" && !page.ids[id] {
		h.links = append(h.links, from.Name+": "+destination)
		return from, "", true
	}
	return page, id, true
}

// html is a page for browsers.
func (h *handbook) html(p *handbookPage) ([]byte, error) {
	_ = ast.Walk(p.document, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // it cannot fail
		if link, is := n.(*ast.Link); is && entering {
			if to, id, inside := h.target(p, string(link.Destination)); inside {
				link.Destination = []byte(handbookAddress(to.Name, id))
			}
		}
		return ast.WalkContinue, nil
	})
	var body bytes.Buffer
	err := h.markdown.Renderer().Render(&body, p.source, p.document)
	return h.frame(p.Title, p.Name, body.String()), err
}

func handbookAddress(name, id string) string {
	if id != "" {
		id = "#" + id
	}
	return "/handbook/" + name + id
}

// index is the list of all pages, with what each is about.
func (h *handbook) index() []byte {
	var b strings.Builder
	b.WriteString("<h1>Handbook</h1>\n<p>How to use finsvc. In a terminal: <code>finsvc help TOPIC</code>. What programs ask is under <a href=\"/api/docs\">API</a>.</p>\n<dl>\n")
	for _, p := range h.pages {
		about := p.document.FirstChild().NextSibling()
		fmt.Fprintf(&b, "<dt><a href=\"/handbook/%s\">%s</a></dt>\n<dd>%s</dd>\n", p.Name, html.EscapeString(p.Title), html.EscapeString(p.words(about)))
	}
	return h.frame("Handbook", "", b.String()+"</dl>\n")
}

// frame puts the list of pages, with the sections of the one that is shown, beside a page.
func (h *handbook) frame(title, name, body string) []byte {
	var b strings.Builder
	b.WriteString(pageHead(title + " · finsvc"))
	b.WriteString("<nav aria-label=\"Contents\">\n<p><a href=\"/handbook\">Handbook</a> · <a href=\"/api/docs\">API</a></p>\n<ul>\n")
	for _, p := range h.pages {
		fmt.Fprintf(&b, "<li><a href=\"/handbook/%s\">%s</a>", p.Name, html.EscapeString(p.Title))
		if p.Name == name && len(p.sections) > 1 {
			b.WriteString("\n<ul>\n")
			for _, s := range p.sections[1:] {
				fmt.Fprintf(&b, "<li><a href=\"%s\">%s</a></li>\n", handbookAddress(name, s.ID), html.EscapeString(s.Heading))
			}
			b.WriteString("</ul>\n")
		}
		b.WriteString("</li>\n")
	}
	b.WriteString("</ul>\n</nav>\n<main>\n" + body + "</main>\n<script src=\"/handbook/search.js\"></script>\n</body>\n</html>\n")
	return []byte(b.String())
}

// terminal is a page for terminals, see [embed.Handbook].
func (h *handbook) terminal(p *handbookPage) []byte {
	w := terminalPage{handbook: h, page: p}
	for node := p.document.FirstChild(); node != nil; node = node.NextSibling() {
		w.block(node, "")
	}
	return []byte(strings.TrimSpace(w.String()) + "\n")
}

type terminalPage struct {
	strings.Builder
	handbook *handbook
	page     *handbookPage
}

func (w *terminalPage) block(node ast.Node, indent string) {
	switch n := node.(type) {
	case *ast.Heading:
		line := w.inline(n)
		fmt.Fprintf(w, "%s\n%s\n\n", line, strings.Repeat(map[int]string{1: "="}[n.Level]+map[int]string{2: "-"}[n.Level], len([]rune(line))))
	case *ast.FencedCodeBlock:
		for _, line := range bytes.Split(bytes.TrimSuffix(n.Lines().Value(w.page.source), []byte("\n")), []byte("\n")) {
			fmt.Fprintf(w, "\t%s%s\n", indent, line)
		}
		w.WriteByte('\n')
	case *ast.List:
		for item, number := n.FirstChild(), n.Start; item != nil; item, number = item.NextSibling(), number+1 {
			mark := "- "
			if n.IsOrdered() {
				mark = fmt.Sprintf("%d. ", number)
			}
			for part := item.FirstChild(); part != nil; part = part.NextSibling() {
				fmt.Fprintf(w, "%s%s%s\n", indent, mark, w.inline(part))
				mark = strings.Repeat(" ", len(mark))
			}
		}
		w.WriteByte('\n')
	case *tables.Table:
		w.table(n, indent)
	default:
		fmt.Fprintf(w, "%s%s\n\n", indent, w.inline(node))
	}
}

// table writes a row as its first cell and, below that, the others; where there are more than two columns with their names.
func (w *terminalPage) table(table *tables.Table, indent string) {
	var names []string
	for row := table.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, w.inline(cell))
		}
		if row.Kind() == tables.KindTableHeader {
			names = cells
			continue
		}
		fmt.Fprintf(w, "%s  %s\n", indent, cells[0])
		for i, cell := range cells[1:] {
			if len(names) > 2 && cell != "" {
				cell = names[i+1] + ": " + cell
			}
			if cell != "" {
				fmt.Fprintf(w, "%s      %s\n", indent, cell)
			}
		}
	}
	w.WriteByte('\n')
}

// inline is a paragraph in one line: code in backquotes, and behind a link where it leads.
func (w *terminalPage) inline(node ast.Node) string {
	var b strings.Builder
	_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // it cannot fail
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(n.Segment.Value(w.page.source))
				if n.SoftLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(n.Value)
			}
		case *ast.CodeSpan:
			b.WriteByte('`')
		case *ast.Link:
			if to, _, inside := w.handbook.target(w.page, string(n.Destination)); !entering && inside && to != w.page {
				b.WriteString(" (finsvc help " + to.Name + ")")
			} else if !entering && !inside {
				b.WriteString(" <" + string(n.Destination) + ">")
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// make makes all files of the handbook.
func (h *handbook) make(t *testing.T) (names []string, files map[string][]byte) {
	t.Helper()
	files = map[string][]byte{}
	add := func(name string, content []byte) {
		names, files[name] = append(names, name), content
	}
	add("index.html", h.index())
	var all []handbookSection
	for _, p := range h.pages {
		if len(p.sections) == 0 || p.sections[0].Heading != p.Title {
			t.Errorf("the page %s is not called %s", p.Name, p.Title)
		}
		all = append(all, p.sections...)
		add(p.Name+".txt", h.terminal(p)) // before links are turned to those of browsers
		page, err := h.html(p)
		if err != nil {
			t.Fatal(err)
		}
		add(p.Name+".html", page)
	}
	text, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	add("search.json", append(text, '\n'))
	for _, link := range h.links {
		t.Errorf("a link that leads nowhere: %s", link)
	}
	return names, files
}

// TestHandbookIsPacked: what is packed is what is made of the pages that are written; with -update it is packed anew.
func TestHandbookIsPacked(t *testing.T) {
	t.Parallel()
	names, files := readHandbook(t).make(t)
	if t.Failed() {
		return
	}
	fresh := true
	for _, name := range names {
		now, err := embed.Handbook(name)
		fresh = fresh && err == nil && bytes.Equal(now, files[name])
	}
	if fresh {
		return
	}
	if !*update {
		t.Fatal("embed/handbook, or what its pages are made with, was changed since it was packed: go test ./handlers -run Packed -update")
	}
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for _, name := range names {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(files[name]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("../embed/handbook.zip", packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
