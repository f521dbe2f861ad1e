package middleware

import (
	"log/slog"
	"net/http"
	"strings"
	"time"

	"finsvc/handlers/wire"
)

// patternPages stands in the place of a route's pattern for the pages, which know their own.
const patternPages = "pages"

// isPage reports whether a request is for the pages: no route has its path, and it is not one of the API, whose clients
// are told in JSON what is not there.
func (s *Server) isPage(hr *http.Request) bool {
	path := tidyPath(hr.URL.Path)
	if strings.HasPrefix(path, "/api/") || path == "/api" || path == "/mcp" || path == nowhere {
		return false
	}
	found, allowed := s.router.find(hr.Method, path)
	return found.route == nil && len(allowed) == 0
}

// servePage has the pages answer, within what every request has: an id, a count, a line in the log, and a panic that
// ends nothing but itself.
func (s *Server) servePage(w http.ResponseWriter, hr *http.Request, started time.Time) {
	r := &inbound{Request: &wire.Request{Request: hr, ID: requestID(hr.Header.Get("X-Request-Id")), Pattern: patternPages}}
	seen := &seenAnswer{ResponseWriter: w}
	s.traffic.running.Add(1)
	defer func() {
		took := s.now().Sub(started)
		s.traffic.running.Add(-1)
		s.traffic.pages.answers[min(max(0, seen.status/100), len(s.traffic.pages.answers)-1)].Add(1)
		if seen.Header().Get("Content-Type") != wire.EventStream { // how long one took says nothing
			s.traffic.pages.add(took)
		}
		s.Log.LogAttrs(hr.Context(), slog.LevelInfo, "request", slog.String("method", wire.MethodName(hr.Method)),
			slog.String("route", r.Pattern), slog.Int("status", seen.status), slog.Duration("took", took),
			slog.Int64("bytes", seen.sent), slog.String("request_id", r.ID))
	}()
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		s.logPanic(r, v)
		if seen.status != 0 {
			panic(http.ErrAbortHandler) // cuts the connection: the browser must not take half for whole
		}
		http.Error(seen, "Something went wrong here. The log says more under "+r.ID+".", http.StatusInternalServerError)
	}()
	seen.Header().Set("X-Request-Id", r.ID)
	s.Origins.warnOfProxy(hr)
	s.pages.ServeHTTP(seen, hr)
}

// seenAnswer is an answer of which is known what was sent.
type seenAnswer struct {
	http.ResponseWriter
	status int
	sent   int64
}

// WriteHeader notes the status.
func (a *seenAnswer) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write counts what is sent.
func (a *seenAnswer) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	n, err := a.ResponseWriter.Write(p)
	a.sent += int64(n)
	return n, err
}

// Unwrap gives what sends, for [http.ResponseController].
func (a *seenAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }
