// Package web is the pages on which a household looks at its money and changes it: HTML that is made here, of the
// templates in embed/web, and works without JavaScript; small modules make it pleasant. It calls the ledger's services
// as the API does, and never the API: a cookie opens pages only, a key the API only.
//
// What a page shows is in its URL: filters, period, page. A change is a form that is posted and answered with a redirect
// to what is to be seen next; where it changed the books, that page offers to take it back. What was wrong with a form is
// said beside its fields, on the same page, with what was typed.
//
// A file of this package is a subject: its handlers, the values that its templates are given, and how these are made.
// To add a page, write its handler, a row in routes.go and a template of the same name; tests render every page for
// empty, small and nasty households, and fail until it is one of them.
//
// The charts are in package chart. How a browser is let in is the business of ledger/signin.
package web

import (
	"log/slog"
	"net/http"
	"time"

	"finsvc/assistant"
	"finsvc/handlers/machine"
	"finsvc/handlers/middleware"
	"finsvc/importer"
	"finsvc/ledger/books"
)

// Options are what the pages are made of. Ledger, Imports, Assistant, Origins and Logger are required.
type Options struct {
	Ledger    *books.Books
	Imports   *importer.Importer
	Assistant *assistant.Assistant
	Origins   *middleware.Origins
	Logger    *slog.Logger
	Version   string

	Now        func() time.Time // the clock; time.Now when nil
	ReadLimit  time.Duration    // longest time of a read; middleware.DefaultReadLimit when 0
	AuthHeader string           // in which a trusted proxy names the person; may be empty
	Timezone   string           // of a new household, as far as can be guessed
	PublicURL  string           // where people find the server, when a proxy hides it; may be empty
	Instance   string           // a few letters that tell this server from others on the same host

	Machine machine.Machine // the program around the server; what needs it is not there when nil
}

// Site answers for the pages. It is safe for concurrent use.
type Site struct {
	Options
	views   *views
	files   *staticFiles
	formats formatCache
	handler http.Handler

	overviews kept[overviewKey, overviewView]
	rails     kept[railKey, keptRail]
}

// New makes the pages. Templates and routes must be free of mistakes: New panics otherwise, at start and in every test.
func New(o Options) *Site {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.ReadLimit == 0 {
		o.ReadLimit = middleware.DefaultReadLimit
	}
	s := &Site{Options: o, files: newStaticFiles()}
	s.views = newViews(s.files)
	mux := http.NewServeMux()
	for _, r := range s.routes() {
		mux.Handle(r.pattern, s.answer(r))
	}
	mux.Handle("GET /web/{hash}/{name}", s.files)
	mux.Handle("/", s.answer(route{access: open, handle: showNothing}))
	own := http.NewCrossOriginProtection()
	if o.PublicURL != "" {
		if err := own.AddTrustedOrigin(o.PublicURL); err != nil {
			panic(err) // settings were checked where they were read
		}
	}
	own.SetDenyHandler(s.answer(route{access: open, handle: showForged}))
	s.handler = own.Handler(mux)
	return s
}

// ServeHTTP answers a request for a page.
func (s *Site) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	setHeaders(w.Header())
	s.handler.ServeHTTP(w, r)
}

// policy is what a page may do: nothing but show itself and ask this server. It is one constant, as no page has a script
// or a style of its own within it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
	"connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; " +
	"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types finsvc"

func setHeaders(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=()")
	h.Set("Cache-Control", "no-store")
}
