package handlers

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"finsvc/ledger"
)

// TestEveryRoute walks the table: what holds for all routes is checked on each.

// TestEveryRoute holds what was decided.
//
// Decision, Errors: 401 unauthorized: no, unknown, revoked or expired key.
// Decision, Keys, scopes, limits: one scope, read or read_write; GET needs read, all else read_write.
// Contract, General: every operation needs a key.
// Contract, Authentication: the key travels in X-Api-Key.
func TestEveryRoute(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	for _, r := range g.routes() {
		t.Run(r.method+" "+r.path, func(t *testing.T) {
			t.Parallel()
			path := concrete(r.path)
			odd := g.do(t, "PROPFIND", path, "", "X-Api-Key: write")
			if odd.StatusCode != 405 || odd.code() != "method_not_allowed" || !strings.Contains(odd.Header.Get("Allow"), r.method) {
				t.Errorf("a strange method: %d %s, Allow %q", odd.StatusCode, odd.body, odd.Header.Get("Allow"))
			}
			if r.access == public {
				return
			}
			if got := g.do(t, r.method, path, ""); got.StatusCode != 401 || got.code() != "unauthorized" {
				t.Errorf("no key: %d %s", got.StatusCode, got.body)
			}
			if r.access == write {
				g.checkWriteRoute(t, &r, path)
			}
		})
	}
}

func (g *rig) checkWriteRoute(t *testing.T, r *route, path string) {
	t.Helper()
	if got := g.do(t, r.method, path, "{", "X-Api-Key: read"); got.StatusCode != 403 || got.code() != "insufficient_scope" {
		t.Errorf("a key that may only read: %d %s", got.StatusCode, got.body)
	}
	if got := g.do(t, r.method, path, `{"a":`, "X-Api-Key: write", "Content-Type: application/json"); got.StatusCode != 400 || got.code() != "bad_request" {
		t.Errorf("malformed JSON: %d %s", got.StatusCode, got.body)
	}
	long := `{"a":"` + strings.Repeat("x", int(g.limit(r))) + `"}`
	if got := g.do(t, r.method, path, long, "X-Api-Key: write", "Content-Type: application/json"); got.StatusCode != 422 || !strings.HasSuffix(got.code(), "_too_large") {
		t.Errorf("too long: %d %s", got.StatusCode, got.body)
	}
}

// TestHealth holds what was decided.
//
// Decision, Transport: GET /up and /healthz need no key and ask the database.
func TestHealth(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	g.do(t, "GET", "/up", "").is(t, 200, `{"status":"ok","version":"1.2.3"}`)
	g.do(t, "GET", "/healthz", "").is(t, 200, `{"status":"ok","version":"1.2.3"}`)
	g = newRig(t, func(o *Options) { o.Health = func(context.Context) error { return errors.New("secret detail") } })
	down := g.do(t, "GET", "/up", "")
	down.is(t, 503, `{"error":"unavailable","message":"the database does not answer","details":null}`)
	if down.Header.Get("Retry-After") != "5" {
		t.Errorf("Retry-After %q", down.Header.Get("Retry-After"))
	}
	if !strings.Contains(g.log.String(), "secret detail") {
		t.Error("the log does not say why")
	}
}

// TestUsageAddsUp holds what was decided.
//
// Decision, Errors: 429 rate_limit_exceeded with Retry-After and limit, current, reset_in_seconds.
// Decision, Keys, scopes, limits: X-Api-Key, or Authorization: Bearer; limit, current_count, remaining,
// reset_in_seconds, reset_at add up.
// Contract, GET /api/v1/usage: what the key is and how much of its rate is used.
// Contract, Authentication: a key has a name and scopes, which usage tells.
// Contract, Limits: each key has a rate limit, which usage reports.
func TestUsageAddsUp(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	first := g.do(t, "GET", "/api/v1/usage", "", "X-Api-Key: two")
	first.is(t, 200, `{"api_key":{"name":"two","scopes":["read"],"last_used_at":"2026-08-22T12:00:00.000Z","created_at":"2026-08-22T12:00:00.000Z"},`+
		`"rate_limit":{"tier":"custom","limit":2,"current_count":1,"remaining":1,"reset_in_seconds":1800,"reset_at":"2026-08-22T12:30:00.000Z"}}`)
	checkHeaders(t, first, map[string]string{"X-RateLimit-Limit": "2", "X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "1800"})
	g.do(t, "GET", "/api/v1/usage", "", "Authorization: Bearer two").is(t, 200, "")
	refused := g.do(t, "GET", "/api/v1/usage", "", "X-Api-Key: two")
	refused.is(t, 429, `{"error":"rate_limit_exceeded","message":"this key may make 2 requests an hour; try again in 1800 seconds",`+
		`"details":{"current":2,"limit":2,"reset_in_seconds":3600}}`)
	checkHeaders(t, refused, map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "3600", "Retry-After": "1800"})
}

func checkHeaders(t *testing.T, p reply, want map[string]string) {
	t.Helper()
	for name, value := range want {
		if got := p.Header.Get(name); got != value {
			t.Errorf("%s: got %q, want %q", name, got, value)
		}
	}
}

// TestOrderOfChecks holds what was decided.
//
// Decision, Errors: 403 insufficient_scope names the scope.
// Decision, Keys, scopes, limits: the scope is checked before the record is looked up; 401 and 429 are not counted.
func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	g := newServerRig(t, route{method: "POST", path: "/api/v1/things/:id", access: write, handle: func(a *answer, r *request) error {
		_, err := r.pathID("id", "Thing")
		return err
	}})
	g.do(t, "POST", "/api/v1/things/x", "{").is(t, 401, "")
	g.do(t, "POST", "/api/v1/things/x", "{", "X-Api-Key: unknown").is(t, 401, `{"error":"unauthorized","message":"the API key is missing, unknown, revoked or expired","details":null}`)
	forbidden := g.do(t, "POST", "/api/v1/things/x", "{", "X-Api-Key: two")
	forbidden.is(t, 403, `{"error":"insufficient_scope","message":"this needs a key of scope read_write; the key presented has scope read","details":null}`)
	checkHeaders(t, forbidden, map[string]string{"X-RateLimit-Remaining": "1"})
	g.do(t, "POST", "/api/v1/things/x", "{", "X-Api-Key: two").is(t, 403, "")
	g.do(t, "POST", "/api/v1/things/x", "{", "X-Api-Key: two").is(t, 429, "")
	g.do(t, "POST", "/api/v1/things/x", "{", "X-Api-Key: write").is(t, 400, "")
	g.do(t, "POST", "/api/v1/things/x", "", "X-Api-Key: write", "Content-Type: image/png").is(t, 404, `{"error":"not_found","message":"Thing not found","details":null}`)
}

// TestUnknownKeysAreSlowedDown holds what was decided.
//
// Decision, Keys, scopes, limits: failed authentications are limited for each address.
func TestUnknownKeysAreSlowedDown(t *testing.T) {
	t.Parallel()
	g := newServerRig(t)
	for i := range strangersPerMinute {
		g.do(t, "GET", "/api/v1/usage", "", "X-Api-Key: guess"+strconv.Itoa(i)).is(t, 401, "")
	}
	slowed := g.do(t, "GET", "/api/v1/usage", "", "X-Api-Key: guess")
	slowed.is(t, 429, `{"error":"rate_limit_exceeded","message":"too many unknown keys came from this address; try again in 2 seconds","details":{"current":30,"limit":30,"reset_in_seconds":60}}`)
	checkHeaders(t, slowed, map[string]string{"Retry-After": "2", "X-RateLimit-Limit": ""})
	g.do(t, "GET", "/api/v1/usage", "", "X-Api-Key: read").is(t, 200, "")
}

// TestPaths holds what was decided.
//
// Decision, Transport: PUT is PATCH; an unknown path is 404 in JSON; a wrong method is 405 in JSON, with Allow; a .json
// suffix is taken.
// Decision, Errors: 405 method_not_allowed, 415 unsupported_media_type.
// Contract, General: every path begins with /api/v1, but for health.
func TestPaths(t *testing.T) {
	t.Parallel()
	g := newServerRig(t,
		route{method: "GET", path: "/api/v1/users/:id", handle: echo("user")},
		route{method: "GET", path: "/api/v1/users/me", handle: echo("me")},
		route{method: "PATCH", path: "/api/v1/users/:id", handle: echo("changed")},
		route{method: "POST", path: "/api/v1/chats/:id/messages/retry", handle: echo("retry")},
		route{method: "GET", path: "/api/v1/chats/:id/messages/:message", handle: echo("message")},
		route{method: "GET", path: "/api/v1/openapi.json", handle: echo("openapi")},
	)
	for _, c := range []struct {
		method, path string
		status       int
		want         string
	}{
		{"GET", "/api/v1/users/1", 200, "user"},
		{"GET", "/api/v1/users/1.json", 200, "user"},
		{"GET", "/api/v1/users/1/", 200, "user"},
		{"GET", "/api/v1//users/1", 200, "user"},
		{"GET", "/api/v1/users/me", 200, "me"},
		{"PATCH", "/api/v1/users/1", 200, "changed"},
		{"PUT", "/api/v1/users/1", 200, "changed"},
		{"HEAD", "/api/v1/users/1", 200, ""},
		{"POST", "/api/v1/chats/1/messages/retry.json", 200, "retry"},
		{"GET", "/api/v1/chats/1/messages/2", 200, "message"},
		{"GET", "/api/v1/openapi.json", 200, "openapi"},
		{"PATCH", "/api/v1/users/me", 405, "GET, HEAD"},
		{"DELETE", "/api/v1/users/1", 405, "GET, HEAD, PUT, PATCH"},
		{"GET", "/api/v1/Users/1", 404, ""},
		{"GET", "/api/v1/users/a%2Fb", 404, ""},
		{"GET", "/api/v1/users", 404, ""},
		{"GET", "/", 404, ""},
	} {
		p := g.do(t, c.method, c.path, "")
		switch {
		case p.StatusCode != c.status:
			t.Errorf("%s %s: got %d %s, want %d", c.method, c.path, p.StatusCode, p.body, c.status)
		case c.status == 200 && c.want != "" && strings.TrimSpace(p.body) != `{"message":"`+c.want+`"}`:
			t.Errorf("%s %s: got %s, want %s", c.method, c.path, p.body, c.want)
		case c.status == 405 && p.Header.Get("Allow") != c.want:
			t.Errorf("%s %s: Allow %q, want %q", c.method, c.path, p.Header.Get("Allow"), c.want)
		case c.status == 404 && p.code() != "not_found":
			t.Errorf("%s %s: %s", c.method, c.path, p.body)
		}
	}
}

// TestCORS holds what was decided.
//
// Decision, Transport: /api answers any origin, any header, the listed methods.
func TestCORS(t *testing.T) {
	t.Parallel()
	g := newServerRig(t)
	pre := g.do(t, "OPTIONS", "/api/v1/anything", "", "Origin: http://a.example", "Access-Control-Request-Method: PATCH", "Access-Control-Request-Headers: x-api-key, authorization")
	pre.is(t, 204, "")
	checkHeaders(t, pre, map[string]string{
		"Access-Control-Allow-Origin":  "*",
		"Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
		"Access-Control-Allow-Headers": "x-api-key, authorization",
		"Access-Control-Max-Age":       "86400",
	})
	failed := g.do(t, "GET", "/api/v1/usage", "", "Origin: http://a.example")
	failed.is(t, 401, "")
	checkHeaders(t, failed, map[string]string{"Access-Control-Allow-Origin": "*"})
	if exposed := failed.Header.Get("Access-Control-Expose-Headers"); !strings.Contains(exposed, "X-RateLimit-Remaining") || !strings.Contains(exposed, "Retry-After") {
		t.Errorf("exposed: %q", exposed)
	}
	if p := g.do(t, "GET", "/up", ""); p.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("CORS outside of the API")
	}
}

func TestRequestID(t *testing.T) {
	t.Parallel()
	g := newServerRig(t)
	checkHeaders(t, g.do(t, "GET", "/up", "", "X-Request-Id: abc-1.2_3:4"), map[string]string{"X-Request-Id": "abc-1.2_3:4"})
	for _, bad := range []string{"", "a b", "ä", `"`, strings.Repeat("x", 129)} {
		if got := g.do(t, "GET", "/up", "", "X-Request-Id: "+bad).Header.Get("X-Request-Id"); len(got) != 36 {
			t.Errorf("%q: got %q, want a new id", bad, got)
		}
	}
}

func TestAccessLogIsDiscreet(t *testing.T) {
	t.Parallel()
	g := newServerRig(t, route{method: "PATCH", path: "/api/v1/tags/:id", access: write, handle: echo("hidden answer")})
	g.do(t, "PATCH", "/api/v1/tags/secretid?search=secretquery", `{"a":"secretbody"}`, "X-Api-Key: write", "X-Request-Id: r9")
	g.do(t, "SECRET", "/secretpath", "")
	log := g.log.String()
	for _, hidden := range []string{"secret", "SECRET", "hidden"} {
		if strings.Contains(log, hidden) {
			t.Errorf("the log has %q: %s", hidden, log)
		}
	}
	const want = `"msg":"request","method":"PATCH","route":"/api/v1/tags/:id","status":200,"took":0,"bytes":27,"request_id":"r9","key_id":1}`
	if !strings.Contains(log, want) {
		t.Errorf("got %s\nwant %s", log, want)
	}
}

func TestBodiesOverTheLimit(t *testing.T) {
	t.Parallel()
	g := newServerRig(t, route{method: "POST", path: "/", access: write, handle: echo("ok")},
		route{method: "POST", path: "/raw", access: write, bodyMax: 10, rawBody: true, handle: func(a *answer, r *request) error {
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				return bodyError(err)
			}
			a.created()
			return nil
		}})
	const tooLong = `{"error":"content_too_large","message":"the body is longer than 2.0 KiB (2,000 bytes)","details":null}`
	fits := `{"a":"` + strings.Repeat("x", 2000-8) + `"}`
	g.do(t, "POST", "/", fits, "X-Api-Key: write").is(t, 200, "")
	g.do(t, "POST", "/", fits+" ", "X-Api-Key: write").is(t, 422, tooLong)
	g.do(t, "POST", "/", strings.Repeat(fits, 5000), "X-Api-Key: write").is(t, 422, tooLong)
	g.do(t, "POST", "/raw", "0123456789", "X-Api-Key: write").is(t, 201, "")
	g.do(t, "POST", "/raw", "0123456789a", "X-Api-Key: write").is(t, 422, `{"error":"content_too_large","message":"the body is longer than 10 B (10 bytes)","details":null}`)
	chunked, err := http.NewRequestWithContext(t.Context(), "POST", g.url+"/", io.MultiReader(strings.NewReader(fits), strings.NewReader(" ")))
	if err != nil {
		t.Fatal(err)
	}
	chunked.Header.Set("X-Api-Key", "write")
	resp, err := http.DefaultClient.Do(chunked)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, _ := io.ReadAll(resp.Body)
	reply{resp, string(data)}.is(t, 422, tooLong)
}

func TestNewHTTPServerHasLimits(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s := NewHTTPServer(ctx, http.NotFoundHandler(), "127.0.0.1:0", slog.New(slog.DiscardHandler), nil)
	if s.ReadHeaderTimeout <= 0 || s.ReadTimeout < 10*time.Minute || s.IdleTimeout <= 0 || s.MaxHeaderBytes <= 0 || s.ErrorLog == nil || s.BaseContext(nil) != ctx {
		t.Errorf("%+v", s)
	}
}

// TestCutOffBody sends less than it announced.

func TestCutOffBody(t *testing.T) {
	t.Parallel()
	g := newServerRig(t, route{method: "POST", path: "/", access: write, handle: echo("ok")})
	conn, err := net.Dial("tcp", strings.TrimPrefix(g.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "POST / HTTP/1.1\r\nHost: a\r\nX-Api-Key: write\r\nContent-Length: 100\r\n\r\n{\"a\":1")
	if err := conn.(*net.TCPConn).CloseWrite(); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, _ := io.ReadAll(resp.Body)
	reply{resp, string(data)}.is(t, 400, `{"error":"bad_request","message":"the body is cut off: it ends before its announced length","details":null}`)
}

func TestBodyErrors(t *testing.T) {
	t.Parallel()
	if err := bodyError(fmt.Errorf("read: %w", os.ErrDeadlineExceeded)); ledger.AsError(err) == nil || ledger.AsError(err).Message != "the body did not arrive in time; nothing was written" {
		t.Errorf("got %v", err)
	}
	if err := bodyError(context.Canceled); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}
