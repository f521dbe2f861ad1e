package middleware

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"finsvc/ledger"
)

// TestStopWithHalfRequests: on one connection of HTTP/2 a body does not end, and another request is being answered. The
// first is given up when the server stops, the second is finished.
func TestStopWithHalfRequests(t *testing.T) {
	t.Parallel()
	entered, release, given := make(chan string, 2), make(chan struct{}), make(chan error, 1)
	h := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			t.Errorf("the connection speaks %s", r.Proto)
		}
		entered <- r.URL.Path
		if r.URL.Path == "/answered" {
			<-release
			return
		}
		_, err := io.Copy(io.Discard, r.Body)
		given <- err
	})
	ts := httptest.NewUnstartedServer(nil)
	ts.Config = NewHTTPServer(t.Context(), h, "", slog.New(slog.DiscardHandler), nil)
	ts.EnableHTTP2 = true
	ts.StartTLS()
	defer ts.Close()
	client := ts.Client()
	half, rest := io.Pipe()
	defer rest.Close()
	go func() {
		_, _ = rest.Write([]byte(`{"transact`))
	}()
	go func() {
		resp, err := client.Post(ts.URL+"/half", "application/json", half)
		if err == nil {
			_ = resp.Body.Close()
		}
	}()
	if path := <-entered; path != "/half" {
		t.Errorf("entered %s", path)
	}
	answered := make(chan error, 1)
	go func() {
		resp, err := client.Get(ts.URL + "/answered")
		if err == nil {
			err = resp.Body.Close()
		}
		answered <- err
	}()
	if path := <-entered; path != "/answered" {
		t.Errorf("entered %s", path)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- ts.Config.Shutdown(t.Context()) }()
	if err := <-given; !ledger.IsKind(err, ledger.Unavailable) {
		t.Errorf("the half body ended with %v", err)
	}
	close(release)
	if err := <-answered; err != nil {
		t.Errorf("what was being answered: %v", err)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}
