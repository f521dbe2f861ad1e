package cmd_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

func TestHealthOfAServer(t *testing.T) {
	t.Parallel()
	r := cmdtest.NewCommandLine(t).Serve()
	addr := strings.TrimPrefix(r.URL, "http://")
	if got := r.OK("health", "--listen", addr); got != "ok\n" {
		t.Errorf("printed %q", got)
	}
	_, port, _ := net.SplitHostPort(addr)
	r.Env = append(r.Env, "FINSVC_LISTEN=0.0.0.0:"+port) // all interfaces: asked at the loopback address
	r.File = filepath.Join(t.TempDir(), "none", "finance.db")
	r.OK("health") // it looks at no file
	r.Stop()
	<-r.Ended
	r.Fails(1, []string{"health", "--listen", addr}, "no server answers at "+addr, "--listen")
}

// TestHealthOfOthers: whatever answers that is no finsvc that is well.
func TestHealthOfOthers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		body   string
		word   string
	}{
		"another program": {200, "<html>hello</html>", "is no finsvc"},
		"nothing":         {200, "", "is no finsvc"},
		"elsewhere":       {302, `{}`, "status 302"},
		"unwell":          {503, `{"error":"unavailable","message":"the database does not answer"}`, "status 503, the database does not answer"},
		"endless":         {200, strings.Repeat("x", 1<<20), "is no finsvc"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Location", "/up")
				w.WriteHeader(c.status)
				w.Write([]byte(c.body))
			}))
			defer server.Close()
			cmdtest.NewCommandLine(t).Fails(1, []string{"health", "--listen", server.Listener.Addr().String()}, c.word)
		})
	}
}

// TestHealthOverASocket: a server may listen at a file.
func TestHealthOverASocket(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "s")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Skip(err)
	}
	server := &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte(`{"status":"ok","version":"1"}`))
	})}}
	server.Start()
	defer server.Close()
	cmdtest.NewCommandLine(t).OK("health", "--listen", "unix:"+path)
}
