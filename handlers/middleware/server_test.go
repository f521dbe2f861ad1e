package middleware

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"finsvc/handlers/apitest"
	"finsvc/handlers/wire"
)

// TestOrderOfChecks holds what was decided.
//
// Decision, Errors: 403 insufficient_scope names the scope.
// Decision, Keys, scopes, limits: the scope is checked before the record is looked up; 401 and 429 are not counted.
func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	g := newRig(t, Route{Method: "POST", Path: "/api/v1/things/:id", Access: Write, Handle: func(a *wire.Answer, r *wire.Request) error {
		_, err := r.PathID("id", "Thing")
		return err
	}})
	g.Do(t, "POST", "/api/v1/things/x", "{").Is(t, 401, "")
	g.Do(t, "POST", "/api/v1/things/x", "{", "X-Api-Key: unknown").Is(t, 401, `{"error":"unauthorized","message":"the API key is missing, unknown, revoked or expired","details":null}`)
	forbidden := g.Do(t, "POST", "/api/v1/things/x", "{", "X-Api-Key: two")
	forbidden.Is(t, 403, `{"error":"insufficient_scope","message":"this needs a key of scope read_write; the key presented has scope read","details":null}`)
	apitest.CheckHeaders(t, forbidden, map[string]string{"X-RateLimit-Remaining": "1"})
	g.Do(t, "POST", "/api/v1/things/x", "{", "X-Api-Key: two").Is(t, 403, "")
	g.Do(t, "POST", "/api/v1/things/x", "{", "X-Api-Key: two").Is(t, 429, "")
	g.Do(t, "POST", "/api/v1/things/x", "{", "X-Api-Key: write").Is(t, 400, "")
	g.Do(t, "POST", "/api/v1/things/x", "", "X-Api-Key: write", "Content-Type: image/png").Is(t, 404, `{"error":"not_found","message":"Thing not found","details":null}`)
}

// TestUnknownKeysAreSlowedDown holds what was decided.
//
// Decision, Keys, scopes, limits: failed authentications are limited for each address.
func TestUnknownKeysAreSlowedDown(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	for i := range strangersPerMinute {
		g.Do(t, "GET", "/api/v1/usage", "", "X-Api-Key: guess"+strconv.Itoa(i)).Is(t, 401, "")
	}
	slowed := g.Do(t, "GET", "/api/v1/usage", "", "X-Api-Key: guess")
	slowed.Is(t, 429, `{"error":"rate_limit_exceeded","message":"too many unknown keys came from this address; try again in 2 seconds","details":{"current":30,"limit":30,"reset_in_seconds":60}}`)
	apitest.CheckHeaders(t, slowed, map[string]string{"Retry-After": "2", "X-RateLimit-Limit": ""})
	g.Do(t, "GET", "/api/v1/usage", "", "X-Api-Key: read").Is(t, 200, "")
}

// TestPaths holds what was decided.
//
// Decision, Transport: PUT is PATCH; an unknown path is 404 in JSON; a wrong method is 405 in JSON, with Allow; a .json
// suffix is taken.
// Decision, Errors: 405 method_not_allowed, 415 unsupported_media_type.
// Contract, General: every path begins with /api/v1, but for health.
func TestPaths(t *testing.T) {
	t.Parallel()
	g := newRig(t,
		Route{Method: "GET", Path: "/api/v1/users/:id", Handle: echo("user")},
		Route{Method: "GET", Path: "/api/v1/users/me", Handle: echo("me")},
		Route{Method: "PATCH", Path: "/api/v1/users/:id", Handle: echo("changed")},
		Route{Method: "POST", Path: "/api/v1/chats/:id/messages/retry", Handle: echo("retry")},
		Route{Method: "GET", Path: "/api/v1/chats/:id/messages/:message", Handle: echo("message")},
		Route{Method: "GET", Path: "/api/v1/openapi.json", Handle: echo("openapi")},
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
		p := g.Do(t, c.method, c.path, "")
		switch {
		case p.StatusCode != c.status:
			t.Errorf("%s %s: got %d %s, want %d", c.method, c.path, p.StatusCode, p.Text, c.status)
		case c.status == 200 && c.want != "" && strings.TrimSpace(p.Text) != `{"message":"`+c.want+`"}`:
			t.Errorf("%s %s: got %s, want %s", c.method, c.path, p.Text, c.want)
		case c.status == 405 && p.Header.Get("Allow") != c.want:
			t.Errorf("%s %s: Allow %q, want %q", c.method, c.path, p.Header.Get("Allow"), c.want)
		case c.status == 404 && p.Code() != "not_found":
			t.Errorf("%s %s: %s", c.method, c.path, p.Text)
		}
	}
}

// TestCORS holds what was decided.
//
// Decision, Transport: /api answers any origin, any header, the listed methods.
func TestCORS(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	pre := g.Do(t, "OPTIONS", "/api/v1/anything", "", "Origin: http://a.example", "Access-Control-Request-Method: PATCH", "Access-Control-Request-Headers: x-api-key, authorization")
	pre.Is(t, 204, "")
	apitest.CheckHeaders(t, pre, map[string]string{
		"Access-Control-Allow-Origin":  "*",
		"Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
		"Access-Control-Allow-Headers": "x-api-key, authorization",
		"Access-Control-Max-Age":       "86400",
	})
	failed := g.Do(t, "GET", "/api/v1/usage", "", "Origin: http://a.example")
	failed.Is(t, 401, "")
	apitest.CheckHeaders(t, failed, map[string]string{"Access-Control-Allow-Origin": "*"})
	if exposed := failed.Header.Get("Access-Control-Expose-Headers"); !strings.Contains(exposed, "X-RateLimit-Remaining") || !strings.Contains(exposed, "Retry-After") {
		t.Errorf("exposed: %q", exposed)
	}
	if p := g.Do(t, "GET", "/up", ""); p.Header.Get("Access-Control-Allow-Origin") != "" {
		t.Error("CORS outside of the API")
	}
}

func TestRequestID(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	apitest.CheckHeaders(t, g.Do(t, "GET", "/up", "", "X-Request-Id: abc-1.2_3:4"), map[string]string{"X-Request-Id": "abc-1.2_3:4"})
	for _, bad := range []string{"", "a b", "ä", `"`, strings.Repeat("x", 129)} {
		if got := g.Do(t, "GET", "/up", "", "X-Request-Id: "+bad).Header.Get("X-Request-Id"); len(got) != 36 {
			t.Errorf("%q: got %q, want a new id", bad, got)
		}
	}
}

func TestAccessLogIsDiscreet(t *testing.T) {
	t.Parallel()
	g := newRig(t, Route{Method: "PATCH", Path: "/api/v1/tags/:id", Access: Write, Handle: echo("hidden answer")})
	g.Do(t, "PATCH", "/api/v1/tags/secretid?search=secretquery", `{"a":"secretbody"}`, "X-Api-Key: write", "X-Request-Id: r9")
	g.Do(t, "SECRET", "/secretpath", "")
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
	g := newRig(t, Route{Method: "POST", Path: "/", Access: Write, Handle: echo("ok")},
		Route{Method: "POST", Path: "/raw", Access: Write, BodyMax: 10, RawBody: true, Handle: func(a *wire.Answer, r *wire.Request) error {
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				return wire.BodyError(err)
			}
			a.Created()
			return nil
		}})
	const tooLong = `{"error":"content_too_large","message":"the body is longer than 2.0 KiB (2,000 bytes)","details":null}`
	fits := `{"a":"` + strings.Repeat("x", 2000-8) + `"}`
	g.Do(t, "POST", "/", fits, "X-Api-Key: write").Is(t, 200, "")
	g.Do(t, "POST", "/", fits+" ", "X-Api-Key: write").Is(t, 422, tooLong)
	g.Do(t, "POST", "/", strings.Repeat(fits, 5000), "X-Api-Key: write").Is(t, 422, tooLong)
	g.Do(t, "POST", "/raw", "0123456789", "X-Api-Key: write").Is(t, 201, "")
	g.Do(t, "POST", "/raw", "0123456789a", "X-Api-Key: write").Is(t, 422, `{"error":"content_too_large","message":"the body is longer than 10 B (10 bytes)","details":null}`)
	chunked, err := http.NewRequestWithContext(t.Context(), "POST", g.URL+"/", io.MultiReader(strings.NewReader(fits), strings.NewReader(" ")))
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
	apitest.Reply{Response: resp, Text: string(data)}.Is(t, 422, tooLong)
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
	g := newRig(t, Route{Method: "POST", Path: "/", Access: Write, Handle: echo("ok")})
	conn, err := net.Dial("tcp", strings.TrimPrefix(g.URL, "http://"))
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
	apitest.Reply{Response: resp, Text: string(data)}.Is(t, 400, `{"error":"bad_request","message":"the body is cut off: it ends before its announced length","details":null}`)
}
