package web

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/google/uuid"

	"finsvc/embed"
	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/queries"
)

// views are the templates, one set a page: the frame around it and the parts that several pages have in common are in
// each of them.
type views struct {
	byName map[string]*template.Template
	packs  sync.Pool // of *gzip.Writer
}

// packLevel is how hard pages are packed: on the way to 6 it takes twice as long for a hundredth of the bytes.
const packLevel = 5

// leastPacked is from how many bytes on packing is worth it.
const leastPacked = 1000

func newViews(files *staticFiles) *views {
	v := &views{byName: map[string]*template.Template{}}
	v.packs.New = func() any {
		z, err := gzip.NewWriterLevel(nil, packLevel)
		if err != nil {
			panic(err) // a wrong level
		}
		return z
	}
	base := template.New("").Funcs(template.FuncMap{
		"file": files.path,
		"icon": func(name string) template.HTML {
			return template.HTML(`<svg class="icon" aria-hidden="true"><use href="#icon-` + template.HTMLEscapeString(name) + `"/></svg>`)
		},
		"list":  func(items ...any) []any { return items },
		"plain": plainDate,
		"day":   func(days int64) ledger.Date { return ledger.Date(days) },
		"id":    func(id queries.PublicID) string { return uuid.UUID(id).String() },
		"count": count,
		"next":  func(n int) int { return n + 1 },
		"words": func(name string) string { return strings.ReplaceAll(name, "_", " ") },
	})
	template.Must(base.ParseFS(embed.Web, "web/templates/frame.html", "web/templates/parts.html"))
	names, err := fs.Glob(embed.Web, "web/templates/*.html")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		page := strings.TrimSuffix(path.Base(name), ".html")
		if page != "frame" && page != "parts" {
			v.byName[page] = template.Must(template.Must(base.Clone()).ParseFS(embed.Web, name))
		}
	}
	return v
}

// plainDate is a day as forms have it.
func plainDate(d ledger.Date) string { return d.String() }

// count is a number of things in words: 1 row, 2 rows, 3 entries. The number is an int or an int64, as templates have it.
func count(n any, one string) string {
	number := fmt.Sprint(n)
	switch {
	case number == "1":
		return number + " " + one
	case strings.HasSuffix(one, "y") && !strings.HasSuffix(one, "ay") && !strings.HasSuffix(one, "ey"):
		return number + " " + strings.TrimSuffix(one, "y") + "ies"
	}
	return number + " " + one + "s"
}

// page is what the frame is given: what is around a page, and what the page itself shows.
type page struct {
	*frame
	Title string
	Body  any
}

// Path is a path of these pages as a link has it.
func (p page) Path(path string) string { return p.visit.path(path) }

// Origin is where the reader finds the server, for calls of the API.
func (p page) Origin() string {
	at := p.visit.site.Origins.Of(p.visit.Request)
	return at.Scheme + "://" + at.Host + at.Root
}

// Show writes amounts and days.
func (p page) Show() *display { return p.visit.show }

// With gives a part of a page what it shows, and all that the page has.
func (p page) With(body any) page {
	p.Body = body
	return p
}

// render answers with a page.
func (v *visit) render(name, title string, body any) error {
	return v.renderStatus(http.StatusOK, name, title, body)
}

// renderStatus is [visit.render] with a status of its own, as that of a form in which something is wrong.
func (v *visit) renderStatus(status int, name, title string, body any) error {
	f, err := v.frame()
	if err != nil {
		return err
	}
	var html bytes.Buffer
	views := v.site.views
	if err := views.byName[name].ExecuteTemplate(&html, "frame", page{f, title, body}); err != nil {
		return err
	}
	h := v.w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Vary", "Accept-Encoding")
	text := html.Bytes()
	if len(text) >= leastPacked && wire.AcceptsGzip(v.Header.Get("Accept-Encoding")) {
		var packed bytes.Buffer
		z := views.packs.Get().(*gzip.Writer)
		defer views.packs.Put(z)
		z.Reset(&packed)
		_, _ = z.Write(text) // a buffer takes everything
		_ = z.Close()
		h.Set("Content-Encoding", "gzip")
		text = packed.Bytes()
	}
	h.Set("Content-Length", strconv.Itoa(len(text)))
	v.w.WriteHeader(status)
	if v.Method != http.MethodHead {
		_, _ = v.w.Write(text) // who does not read it is gone
	}
	return nil
}
