// Package middleware is what happens around a handler, in this order: origins and browsers' preflights, the route, the
// key (401), its rate (429), its scope (403), what runs already (429, 503), for writes repeats by Idempotency-Key,
// If-Match and the body (400, 415, 422), for reads kept answers and a limit of time. A [Server] runs the handler
// within all that, sends its answer whole, counts and logs it. Below are the limits of connections and of bodies that
// arrive slowly. It knows no resource: the table of routes is its caller's.
package middleware

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/tenant"
)

// DefaultBodyMax is the longest ordinary body in bytes, when [Options] do not say otherwise.
const DefaultBodyMax = 1 << 20

// Options are what a [Server] is made of. Keys, Answers and Logger are required.
type Options struct {
	Keys    *tenant.Keys    // who asks
	Answers *tenant.Answers // kept for repeats
	Logger  *slog.Logger

	Now       func() time.Time // the clock; time.Now when nil
	BodyMax   int64            // longest ordinary body in bytes; DefaultBodyMax when 0
	ReadLimit time.Duration    // longest time of a read; DefaultReadLimit when 0

	// whose headers say where a request comes from; 127.0.0.1 stands for Unix sockets, too
	TrustedProxies []netip.Prefix
	BasePath       string // below which everything is served, as of [CleanBasePath]
}

// Server answers the requests of the API. It is safe for concurrent use.
type Server struct {
	authentication
	Log       *slog.Logger
	now       func() time.Time
	readLimit time.Duration
	Origins   *Origins
	Streams   *Streams
	router    *router
	pages     http.Handler // nil: there are none
	writes    *writes
	cache     responseCache
	traffic   traffic
	bodies    *wire.Memory
	pools     *wire.Pools
}

// New makes a server without routes.
func New(o Options) *Server {
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
		authentication: authentication{session: o.Keys.Authenticate, keys: newLimiters[int64](time.Hour),
			strangers: newLimiters[netip.Prefix](time.Minute),
			proxies:   o.TrustedProxies, inFlight: inFlight, now: o.Now},
		Log: o.Logger, now: o.Now, readLimit: o.ReadLimit,
		Origins: &Origins{proxies: o.TrustedProxies, base: o.BasePath, log: o.Logger},
		Streams: &Streams{inFlight, o.Keys.CheckSession},
		writes:  &writes{answers: o.Answers, bodyMax: o.BodyMax, log: o.Logger},
		bodies:  wire.NewMemory(wire.BodyMemory),
		pools:   wire.NewPools(),
	}
	s.strangers.most = maxStrangers
	return s
}

// Serve has the routes of a table answered, which must be free of contradictions: it panics otherwise.
func (s *Server) Serve(table []Route) {
	s.router = newRouter(table)
	s.writes.unchanged = precondition{s.router, s.pools}
}

// ServePages has pages answer what no route of the table is for, outside of the API.
func (s *Server) ServePages(pages http.Handler) { s.pages = pages }

// ServeHTTP answers one request: it is run with panics contained, sent whole, and logged.
func (s *Server) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	started := s.now()
	hr = s.Origins.within(hr)
	if s.pages != nil && s.isPage(hr) {
		s.servePage(w, hr, started)
		return
	}
	r := &inbound{Request: &wire.Request{Request: hr, ID: requestID(hr.Header.Get("X-Request-Id")),
		Pattern: patternUnmatched, Share: s.bodies.NewShare()}}
	defer r.Share.Release()
	defer s.inFlight.leave(r)
	a := wire.NewAnswer(s.pools, w, hr)
	a.Streams = &s.traffic.streams
	defer a.Release()
	s.traffic.begin()
	defer func() { // a stream that is cut off is logged, too
		took := s.now().Sub(started)
		s.traffic.end(a, r, took)
		// Write the one line of a request. It names the route, not the path, and nothing that a household would
		// mind seeing in a log.
		level := slog.LevelInfo
		if r.route != nil && r.route.Quiet {
			level = slog.LevelDebug
		}
		attrs := []slog.Attr{
			slog.String("method", wire.MethodName(r.Method)), slog.String("route", r.Pattern),
			slog.Int("status", a.Status),
			slog.Duration("took", took), slog.Int64("bytes", a.Sent), slog.String("request_id", r.ID),
		}
		if r.Session != nil {
			attrs = append(attrs, slog.Int64("key_id", r.Session.KeyID))
		}
		s.Log.LogAttrs(r.Context(), level, "request", attrs...)
	}()
	a.Header().Set("X-Request-Id", r.ID)
	s.Origins.warnOfProxy(hr)
	s.contain(a, r)
	// Let what nobody has read of a body come for a moment only: it is read and thrown away before the answer
	// is sent, so that the connection can be used again.
	if b, ok := hr.Body.(*arrivingBody); ok && !b.ended {
		b.arrivals.allow(b.from, time.Now().Add(b.arrivals.pace.rest))
	}
	a.Send()
}

// contain runs the request and turns errors and panics into answers.
func (s *Server) contain(a *wire.Answer, r *inbound) {
	defer func() {
		switch v := recover(); {
		case v == nil:
		case v == http.ErrAbortHandler || a.Streaming:
			s.logPanic(r, v)
			panic(http.ErrAbortHandler) // cuts the connection: the client must not take half for whole
		default:
			s.logPanic(r, v)
			a.Fail(r.Request, &ledger.Error{Kind: ledger.Internal})
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
	s.Log.LogAttrs(r.Context(), slog.LevelError, "panic", slog.String("request_id", r.ID),
		slog.String("route", r.Pattern), slog.Any("panic", v), slog.String("stack", string(debug.Stack())))
}

// fail writes the answer of an error, and the log line of one that only the operator can mend.
func (s *Server) fail(a *wire.Answer, r *inbound, err error) {
	err = wire.Interrupted(r.Context(), err)
	if errors.Is(err, wire.ErrClientGone) {
		a.Status = wire.StatusClientGone
		return
	}
	e := wire.Classified(wire.TooLong(r.Request, err))
	if e.Kind == ledger.Internal || e.Kind == ledger.Unavailable {
		s.Log.LogAttrs(r.Context(), slog.LevelError, "request failed", slog.String("request_id", r.ID),
			slog.String("route", r.Pattern), slog.String("error", err.Error()))
	}
	if a.Streaming {
		panic(http.ErrAbortHandler)
	}
	a.Fail(r.Request, e)
}

// dispatch finds the route and takes the request through its checks.
func (s *Server) dispatch(a *wire.Answer, r *inbound) error {
	if strings.HasPrefix(tidyPath(r.URL.Path), "/api/") && allowOrigins(a, r.Request) {
		return nil
	}
	found, allowed := s.router.find(r.Method, r.URL.Path)
	switch {
	case found.route != nil:
		r.route, r.Params, r.Pattern = found.route, found.params, found.route.Path
		return s.run(a, r)
	case len(allowed) > 0:
		a.Header().Set("Allow", strings.Join(allowed, ", "))
		return wire.ErrMethod(r.Method, allowed)
	default:
		return ErrNoPath()
	}
}

func ErrNoPath() error {
	return &ledger.Error{Kind: ledger.NotFound, Code: "not_found", Message: "there is nothing at this path"}
}

// run is the order of the checks: key (401), rate (429), scope (403), body (400, 415, 422), and then
// the handler.
func (s *Server) run(a *wire.Answer, r *inbound) error {
	if r.route.Access != Public {
		if err := s.authenticate(a, r); err != nil {
			return err
		}
	} else if onReserve(r.Request.Request) {
		a.Header().Set("Connection", "close") // the place is for the next one
		if !r.route.Quiet {                   // which is what asks for health
			return errTooManyConnections()
		}
	}
	reads := r.route.Method == http.MethodGet
	a.Tagged = reads && !r.route.Live
	switch {
	case !reads:
		return s.writes.idempotent(a, r)
	case r.Session == nil || r.route.Live:
		return s.timely(a, r)
	}
	return s.cache.cached(a, r, s.now(), s.timely)
}

// timely answers reads: after a while they are given up, their queries interrupted. A stream has no limit; each of
// its pieces is read by itself. What is written has limits of its own.
func (s *Server) timely(a *wire.Answer, r *inbound) error {
	limit := s.readLimit
	switch r.route.Lasts {
	case AsStream:
		return r.route.Handle(a, r.Request)
	case AsFile:
		limit *= fileReadLimit
	}
	whole := r.Request.Request
	ctx, cancel := context.WithTimeoutCause(r.Context(), limit, errOverdue)
	defer cancel()
	r.Request.Request = whole.WithContext(ctx)
	err := r.route.Handle(a, r.Request)
	r.Request.Request = whole
	if err == nil {
		a.Warn(r.Request)
	}
	if err != nil && errors.Is(context.Cause(ctx), errOverdue) && errors.Is(err, context.DeadlineExceeded) {
		return overdue(r.Request, limit)
	}
	return err
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

// WriteMetrics writes what was asked since the start, by route and not by path: nothing of a household is in it.
func (s *Server) WriteMetrics(e *Exposition) {
	e.Family("finsvc_http_requests_in_flight", Gauge, "Requests that are being answered, streams included.")
	e.Int(s.traffic.running.Load())
	e.Family("finsvc_http_streams", Gauge, "Streams of server-sent events that are open.")
	e.Int(s.traffic.streams.Load())
	e.Family("finsvc_http_requests_total", Counter, "Requests answered, by route, method and class of status.")
	s.eachCount(func(t *routeCounts, labels []string) {
		for class := range t.answers {
			if n := t.answers[class].Load(); n > 0 {
				e.Int(n, append(labels[:len(labels):len(labels)], "status", strconv.Itoa(class)+"xx")...)
			}
		}
	})
	e.Family("finsvc_http_request_duration_seconds", Histogram, "How long requests took, streams left out.")
	s.eachCount(func(t *routeCounts, labels []string) {
		// Leave out routes that were never asked: there are many.
		total := time.Duration(t.total.Load())
		var counts [len(t.took)]int64
		count := int64(0)
		for i := range t.took {
			count += t.took[i].Load()
			counts[i] = count
		}
		if count == 0 {
			return
		}
		bounds := tookUpTo()
		e.buckets(bounds[:], counts[:], total, labels)
	})
}

// eachCount gives every tally with its labels.
func (s *Server) eachCount(do func(t *routeCounts, labels []string)) {
	for _, r := range s.router.routes {
		do(r.counts, []string{"route", r.Path, "method", r.Method})
	}
	do(&s.traffic.preflights, []string{"route", patternPreflight, "method", "OPTIONS"})
	do(&s.traffic.pages, []string{"route", patternPages, "method", "any"})
	do(&s.traffic.unmatched, []string{"route", patternUnmatched, "method", "any"})
}
