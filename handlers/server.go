package handlers

import (
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strings"
	"time"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/tenant"
)

// DefaultBodyMax is the longest ordinary body in bytes, when [Options] do not say otherwise.
const DefaultBodyMax = 1 << 20

// serverOptions are what a [Server] is made of. Tenants and Logger are required.
type serverOptions struct {
	Tenants *tenant.Service // knows the keys, and keeps answers for repeats
	Logger  *slog.Logger

	Now       func() time.Time // the clock; time.Now when nil
	BodyMax   int64            // longest ordinary body in bytes; DefaultBodyMax when 0
	ReadLimit time.Duration    // longest time of a read; DefaultReadLimit when 0

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

// newServer makes a server without routes.
func newServer(o serverOptions) *Server {
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
		authentication: authentication{session: o.Tenants.Authenticate, keys: newLimiters[int64](time.Hour), strangers: newLimiters[netip.Prefix](time.Minute),
			proxies: o.TrustedProxies, inFlight: inFlight, now: o.Now},
		log: o.Logger, now: o.Now, readLimit: o.ReadLimit,
		origins: &origins{proxies: o.TrustedProxies, base: o.BasePath, log: o.Logger},
		streams: &streams{inFlight, o.Tenants.CheckSession},
		writes:  &writes{tenants: o.Tenants, bodyMax: o.BodyMax, log: o.Logger},
		bodies:  newMemory(bodyMemory),
		pools:   newPools(),
	}
	s.strangers.most = maxStrangers
	return s
}

// serve has the routes of a table answered, which must be free of contradictions: it panics otherwise.
func (s *Server) serve(table []route) {
	s.router = newRouter(table)
	s.writes.unchanged = precondition{s.router, s.pools}
}

// inbound is a request on its way through the checks.
type inbound struct {
	*request
	route *route // nil until it is found
	load  *load  // what its key has running, this one included; nil where it was not counted
}

// ServeHTTP answers one request: it is run with panics contained, sent whole, and logged.
func (s *Server) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	started := s.now()
	hr = s.origins.within(hr)
	r := &inbound{request: &request{Request: hr, id: requestID(hr.Header.Get("X-Request-Id")), pattern: patternUnmatched, share: s.bodies.newShare()}}
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
func (s *Server) contain(a *answer, r *inbound) {
	defer func() {
		switch v := recover(); {
		case v == nil:
		case v == http.ErrAbortHandler || a.streaming:
			s.logPanic(r, v)
			panic(http.ErrAbortHandler) // cuts the connection: the client must not take half for whole
		default:
			s.logPanic(r, v)
			a.fail(r.request, &ledger.Error{Kind: ledger.Internal})
		}
	}()
	if err := s.dispatch(a, r); err != nil {
		s.fail(a, r, err)
	}
}

func (s *Server) logPanic(r *inbound, v any) {
	if v == http.ErrAbortHandler {
		return
	}
	s.log.LogAttrs(r.Context(), slog.LevelError, "panic", slog.String("request_id", r.id),
		slog.String("route", r.pattern), slog.Any("panic", v), slog.String("stack", string(debug.Stack())))
}

// fail writes the answer of an error, and the log line of one that only the operator can mend.
func (s *Server) fail(a *answer, r *inbound, err error) {
	err = interrupted(r.Context(), err)
	if errors.Is(err, errClientGone) {
		a.status = statusClientGone
		return
	}
	e := classified(tooLong(r.request, err))
	if e.Kind == ledger.Internal || e.Kind == ledger.Unavailable {
		s.log.LogAttrs(r.Context(), slog.LevelError, "request failed", slog.String("request_id", r.id),
			slog.String("route", r.pattern), slog.String("error", err.Error()))
	}
	if a.streaming {
		panic(http.ErrAbortHandler)
	}
	a.fail(r.request, e)
}

// dispatch finds the route and takes the request through its checks.
func (s *Server) dispatch(a *answer, r *inbound) error {
	if strings.HasPrefix(tidyPath(r.URL.Path), "/api/") && allowOrigins(a, r.request) {
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
func (s *Server) run(a *answer, r *inbound) error {
	if r.route.access != public {
		if err := s.authenticate(a, r); err != nil {
			return err
		}
	} else if onReserve(r.request.Request) {
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
func (s *Server) logAccess(a *answer, r *inbound, took time.Duration) {
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
