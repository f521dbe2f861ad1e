package handlers

import (
	"context"
	"errors"
	"strings"
	"testing"

	"finsvc/handlers/apitest"
	"finsvc/handlers/middleware"
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
		t.Run(r.Method+" "+r.Path, func(t *testing.T) {
			t.Parallel()
			path := apitest.Concrete(r.Path)
			odd := g.Do(t, "PROPFIND", path, "", "X-Api-Key: write")
			if odd.StatusCode != 405 || odd.Code() != "method_not_allowed" || !strings.Contains(odd.Header.Get("Allow"), r.Method) {
				t.Errorf("a strange method: %d %s, Allow %q", odd.StatusCode, odd.Text, odd.Header.Get("Allow"))
			}
			if r.Access == middleware.Public {
				return
			}
			if got := g.Do(t, r.Method, path, ""); got.StatusCode != 401 || got.Code() != "unauthorized" {
				t.Errorf("no key: %d %s", got.StatusCode, got.Text)
			}
			if r.Access == middleware.Write {
				g.checkWriteRoute(t, &r, path)
			}
		})
	}
}

func (g *rig) checkWriteRoute(t *testing.T, r *middleware.Route, path string) {
	t.Helper()
	if got := g.Do(t, r.Method, path, "{", "X-Api-Key: read"); got.StatusCode != 403 || got.Code() != "insufficient_scope" {
		t.Errorf("a key that may only read: %d %s", got.StatusCode, got.Text)
	}
	if got := g.Do(t, r.Method, path, `{"a":`, "X-Api-Key: write", "Content-Type: application/json"); got.StatusCode != 400 || got.Code() != "bad_request" {
		t.Errorf("malformed JSON: %d %s", got.StatusCode, got.Text)
	}
	long := `{"a":"` + strings.Repeat("x", int(g.limit(r))) + `"}`
	if got := g.Do(t, r.Method, path, long, "X-Api-Key: write", "Content-Type: application/json"); got.StatusCode != 422 || !strings.HasSuffix(got.Code(), "_too_large") {
		t.Errorf("too long: %d %s", got.StatusCode, got.Text)
	}
}

// TestHealth holds what was decided.
//
// Decision, Transport: GET /up and /healthz need no key and ask the database.
func TestHealth(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	g.Do(t, "GET", "/up", "").Is(t, 200, `{"status":"ok","version":"1.2.3"}`)
	g.Do(t, "GET", "/healthz", "").Is(t, 200, `{"status":"ok","version":"1.2.3"}`)
	g = newRig(t, func(o *Options) { o.Health = func(context.Context) error { return errors.New("secret detail") } })
	down := g.Do(t, "GET", "/up", "")
	down.Is(t, 503, `{"error":"unavailable","message":"the database does not answer","details":null}`)
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
	first := g.Do(t, "GET", "/api/v1/usage", "", "X-Api-Key: two")
	first.Is(t, 200, `{"api_key":{"name":"two","scopes":["read"],"last_used_at":"2026-08-22T12:00:00.000Z","created_at":"2026-08-22T12:00:00.000Z"},`+
		`"rate_limit":{"tier":"custom","limit":2,"current_count":1,"remaining":1,"reset_in_seconds":1800,"reset_at":"2026-08-22T12:30:00.000Z"}}`)
	apitest.CheckHeaders(t, first, map[string]string{"X-RateLimit-Limit": "2", "X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "1800"})
	g.Do(t, "GET", "/api/v1/usage", "", "Authorization: Bearer two").Is(t, 200, "")
	refused := g.Do(t, "GET", "/api/v1/usage", "", "X-Api-Key: two")
	refused.Is(t, 429, `{"error":"rate_limit_exceeded","message":"this key may make 2 requests an hour; try again in 1800 seconds",`+
		`"details":{"current":2,"limit":2,"reset_in_seconds":3600}}`)
	apitest.CheckHeaders(t, refused, map[string]string{"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "3600", "Retry-After": "1800"})
}
