// Package handlers speaks HTTP: one table of routes, the checks before a handler, the decoding of
// requests and the wire shapes of answers. It knows no rules: those are asked of package ledger.
//
// A handler reads from a [request], writes its JSON into an [answer] and returns an error when it
// cannot; everything else (keys, limits, bodies, errors, compression, logs) happens around it.
//
// To add an endpoint, write a handler, a row in routes.go, and an operation in embed/openapi.yaml with examples and
// every error, and pack that: go test ./handlers -run Packed -update. Tests fail until all of them agree. A test's
// server is wrapped in apitest.Handler, so that every answer is held against the description and may have no member
// that it does not name. Rules go into package ledger.
//
// The pages for people (the API's at /api/docs, the handbook's) are made when the project is built, of
// embed/openapi.yaml and embed/handbook, by the same tests.
package handlers

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/uuid"

	"finsvc/assistant"
	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/books"
)

// DefaultBodyMax is the longest ordinary body in bytes, when [Options] do not say otherwise.
const DefaultBodyMax = 1 << 20

// Options are what a [Server] is made of. Ledger, Imports, Assistant, Logger and Health are required.
type Options struct {
	Ledger    *books.Books
	Imports   *importer.Importer
	Assistant *assistant.Assistant
	Logger    *slog.Logger
	Health    func(context.Context) error // nil when the database answers
	Version   string

	Now     func() time.Time // the clock; time.Now when nil
	BodyMax int64            // longest ordinary body in bytes; DefaultBodyMax when 0

	ReadLimit time.Duration // longest time of a read; DefaultReadLimit when 0

	TrustedProxies []netip.Prefix // whose headers say where a request comes from; 127.0.0.1 stands for Unix sockets, too
	BasePath       string         // below which everything is served, as of [CleanBasePath]
}

// Server answers the requests of the API. It is safe for concurrent use.
type Server struct {
	authentication
	log       *slog.Logger
	now       func() time.Time
	readLimit time.Duration
	origins   *origins
	streams   *streams
	router    *router
	writes    *writes
	cache     responseCache
	traffic   traffic
	bodies    *memory
	pools     *pools
}

// New makes a server. The table of routes must be free of contradictions: New panics otherwise, at
// start and in every test.
func New(o Options) *Server {
	s := newServer(o)
	s.serve(routes(o, s.origins, s.streams))
	return s
}

// newServer makes a server without routes.
func newServer(o Options) *Server {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.ReadLimit == 0 {
		o.ReadLimit = DefaultReadLimit
	}
	if o.BodyMax == 0 {
		o.BodyMax = DefaultBodyMax
	}
	inFlight := new(inFlight)
	s := &Server{
		authentication: authentication{session: o.Ledger.Tenants.Authenticate, keys: newLimiters[int64](time.Hour), strangers: newLimiters[netip.Prefix](time.Minute),
			proxies: o.TrustedProxies, inFlight: inFlight, now: o.Now},
		log: o.Logger, now: o.Now, readLimit: o.ReadLimit,
		origins: &origins{proxies: o.TrustedProxies, base: o.BasePath, log: o.Logger},
		streams: &streams{inFlight, o.Ledger.Tenants.CheckSession},
		writes:  &writes{ledger: o.Ledger, bodyMax: o.BodyMax, log: o.Logger},
		bodies:  newMemory(bodyMemory),
		pools:   newPools(),
	}
	s.strangers.most = maxStrangers
	return s
}

// serve has the routes of a table answered.
func (s *Server) serve(table []route) {
	s.router = newRouter(table)
	s.writes.unchanged = precondition{s.router, s.pools}
}

// ServeHTTP answers one request: it is run with panics contained, sent whole, and logged.
func (s *Server) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	started := s.now()
	hr = s.origins.within(hr)
	r := &request{Request: hr, id: requestID(hr.Header.Get("X-Request-Id")), pattern: patternUnmatched, share: &share{of: s.bodies}}
	defer r.share.release()
	defer s.inFlight.leave(r)
	a := newAnswer(s.pools, w, hr)
	a.streams = &s.traffic.streams
	defer a.release()
	s.traffic.begin()
	defer func() { // a stream that is cut off is logged, too
		took := s.now().Sub(started)
		s.traffic.end(a, r, took)
		s.logAccess(a, r, took)
	}()
	a.header().Set("X-Request-Id", r.id)
	s.origins.warnOfProxy(hr)
	s.contain(a, r)
	giveUpBody(hr)
	a.send()
}

// contain runs the request and turns errors and panics into answers.
func (s *Server) contain(a *answer, r *request) {
	defer func() {
		switch v := recover(); {
		case v == nil:
		case v == http.ErrAbortHandler || a.streaming:
			s.logPanic(r, v)
			panic(http.ErrAbortHandler) // cuts the connection: the client must not take half for whole
		default:
			s.logPanic(r, v)
			a.fail(r, &ledger.Error{Kind: ledger.Internal})
		}
	}()
	if err := s.dispatch(a, r); err != nil {
		s.fail(a, r, err)
	}
}

func (s *Server) logPanic(r *request, v any) {
	if v == http.ErrAbortHandler {
		return
	}
	s.log.LogAttrs(r.Context(), slog.LevelError, "panic", slog.String("request_id", r.id),
		slog.String("route", r.pattern), slog.Any("panic", v), slog.String("stack", string(debug.Stack())))
}

// fail writes the answer of an error, and the log line of one that only the operator can mend.
func (s *Server) fail(a *answer, r *request, err error) {
	err = interrupted(r.Context(), err)
	if errors.Is(err, errClientGone) {
		a.status = statusClientGone
		return
	}
	e := classified(tooLong(r, err))
	if e.Kind == ledger.Internal || e.Kind == ledger.Unavailable {
		s.log.LogAttrs(r.Context(), slog.LevelError, "request failed", slog.String("request_id", r.id),
			slog.String("route", r.pattern), slog.String("error", err.Error()))
	}
	if a.streaming {
		panic(http.ErrAbortHandler)
	}
	a.fail(r, e)
}

// dispatch finds the route and takes the request through its checks.
func (s *Server) dispatch(a *answer, r *request) error {
	if strings.HasPrefix(tidyPath(r.URL.Path), "/api/") && allowOrigins(a, r) {
		return nil
	}
	found, allowed := s.router.find(r.Method, r.URL.Path)
	switch {
	case found.route != nil:
		r.route, r.params, r.pattern = found.route, found.params, found.route.path
		return s.run(a, r)
	case len(allowed) > 0:
		a.header().Set("Allow", strings.Join(allowed, ", "))
		return errMethod(r.Method, allowed)
	default:
		return errNoPath()
	}
}

func errNoPath() error {
	return &ledger.Error{Kind: ledger.NotFound, Code: "not_found", Message: "there is nothing at this path"}
}

// run is the order of the checks: key (401), rate (429), scope (403), body (400, 415, 422), and then
// the handler.
func (s *Server) run(a *answer, r *request) error {
	if r.route.access != public {
		if err := s.authenticate(a, r); err != nil {
			return err
		}
	} else if onReserve(r.Request) {
		a.header().Set("Connection", "close") // the place is for the next one
		if !r.route.quiet {                   // which is what asks for health
			return errTooManyConnections()
		}
	}
	reads := r.route.method == http.MethodGet
	a.tagged = reads && !r.route.live
	switch {
	case !reads:
		return s.writes.idempotent(a, r)
	case r.session == nil || r.route.live:
		return s.timely(a, r)
	}
	return s.cache.cached(a, r, s.now(), s.timely)
}

// logAccess writes the one line of a request. It names the route, not the path, and nothing that a
// household would mind seeing in a log.
func (s *Server) logAccess(a *answer, r *request, took time.Duration) {
	level := slog.LevelInfo
	if r.route != nil && r.route.quiet {
		level = slog.LevelDebug
	}
	attrs := []slog.Attr{
		slog.String("method", methodName(r.Method)), slog.String("route", r.pattern), slog.Int("status", a.status),
		slog.Duration("took", took), slog.Int64("bytes", a.sent), slog.String("request_id", r.id),
	}
	if r.session != nil {
		attrs = append(attrs, slog.Int64("key_id", r.session.KeyID))
	}
	s.log.LogAttrs(r.Context(), level, "request", attrs...)
}

// methodName keeps words that a client made up out of the log.
func methodName(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return method
	}
	return "other"
}

const maxRequestID = 128

// requestID is the client's own id of the request where it is a plain word, else a new one.
func requestID(given string) string {
	if given == "" || len(given) > maxRequestID || strings.ContainsFunc(given, notIDRune) {
		return uuid.Must(uuid.NewV7()).String()
	}
	return given
}

func notIDRune(c rune) bool {
	letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
	return !letter && (c < '0' || c > '9') && !strings.ContainsRune("-_.:", c)
}
