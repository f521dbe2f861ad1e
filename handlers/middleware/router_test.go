package middleware

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"finsvc/handlers/wire"
)

// FuzzFind: no path breaks the router, and what it finds was asked for.
func FuzzFind(f *testing.F) {
	rt := newRouter([]Route{
		{Method: "GET", Path: "/up"},
		{Method: "GET", Path: "/api/v1/users/:id"},
		{Method: "GET", Path: "/api/v1/users/me"},
		{Method: "POST", Path: "/api/v1/chats/:id/messages/retry"},
		{Method: "GET", Path: "/api/v1/chats/:id/messages/:message"},
	})
	for _, path := range []string{"", "/", "*", "//", "/up/", "/api/v1/users/me.json", "/api/v1/chats/1/messages/2", ".json"} {
		f.Add("GET", path)
	}
	f.Fuzz(func(t *testing.T, method, path string) {
		m, allowed := rt.find(method, path)
		switch {
		case m.route == nil:
		case len(allowed) > 0:
			t.Errorf("%q %q: found, and not allowed", method, path)
		case method != m.route.Method && !(method == http.MethodHead && m.route.Method == http.MethodGet):
			t.Errorf("%q %q: found a route of %s", method, path, m.route.Method)
		case strings.Count(m.route.Path, "/:") != len(m.params):
			t.Errorf("%q %q: %d parameters for %s", method, path, len(m.params), m.route.Path)
		}
	})
}

// BenchmarkServer measures what surrounds a handler: the whole stack with an answer of 20 kB, beside a
// bare handler that gives the same bytes.
func BenchmarkServer(b *testing.B) {
	body := `{"message":"` + strings.Repeat("x", 20_000) + `"}`
	g := newRig(b, Route{Method: "GET", Path: "/api/v1/x", Access: Read, Handle: func(a *wire.Answer, _ *wire.Request) error {
		a.Json.Raw("", body)
		return nil
	}})
	bare := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
	b.Run("bare", func(b *testing.B) { benchmarkHTTP(b, bare) })
	b.Run("server", func(b *testing.B) { benchmarkHTTP(b, g.Server) })
}

func benchmarkHTTP(b *testing.B, h http.Handler) {
	server := httptest.NewServer(h)
	defer server.Close()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 8, DisableCompression: true}}
	b.SetParallelism(4)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			req, _ := http.NewRequest(http.MethodGet, server.URL+"/api/v1/x", nil)
			req.Header.Set("X-Api-Key", "read")
			resp, err := client.Do(req)
			if err != nil {
				b.Error(err)
				return
			}
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				b.Errorf("status %d", resp.StatusCode)
			}
		}
	})
}
