package cmd_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

// over asks through a socket that is a file and gives the status and the body.
func over(t *testing.T, socket, path string) (int, string) {
	t.Helper()
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", socket)
	}}
	req, err := http.NewRequestWithContext(t.Context(), "GET", "http://finsvc"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// socketDir is a folder whose path is short enough for a socket.
func socketDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "finsvc")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

func TestServeOnASocketFile(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(socketDir(t), "f.sock")
	r := cmdtest.NewCommandLine(t).Serve("--listen", "unix:"+socket)
	if status, body := over(t, socket, "/up"); status != 200 {
		t.Errorf("%d %s", status, body)
	}
	info, err := os.Stat(socket)
	if err != nil || info.Mode().Perm() != 0o660 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if !strings.Contains(r.Stderr.String(), socket) {
		t.Errorf("does not say where it listens: %s", r.Stderr)
	}
	cmdtest.NewCommandLine(t).Fails(6, []string{"serve", "--listen", "unix:" + socket}, "another program listens at "+socket)
	if status, _ := over(t, socket, "/up"); status != 200 {
		t.Error("the second server has taken the socket away")
	}
	r.End()
	if _, err := os.Stat(socket); err == nil {
		t.Error("the socket was left behind")
	}
}

func TestSocketFiles(t *testing.T) {
	t.Parallel()
	dir := socketDir(t)
	stale := filepath.Join(dir, "stale.sock")
	left, err := net.ListenUnix("unix", &net.UnixAddr{Net: "unix", Name: stale})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	if err := left.Close(); err != nil {
		t.Fatal(err)
	}
	r := cmdtest.NewCommandLine(t).Serve("--listen", "unix:"+stale)
	if status, _ := over(t, stale, "/up"); status != 200 {
		t.Errorf("on a socket that a crash has left: %d", status)
	}
	r.End()

	plain := filepath.Join(dir, "letter.txt")
	if err := os.WriteFile(plain, []byte("dear"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := cmdtest.NewCommandLine(t)
	s.Fails(6, []string{"serve", "--listen", "unix:" + plain}, plain+" is there already and is no socket")
	if text, err := os.ReadFile(plain); err != nil || string(text) != "dear" {
		t.Errorf("the file was changed: %q, %v", text, err)
	}
	s.Fails(5, []string{"serve", "--listen", "unix:" + filepath.Join(dir, "nowhere", "f.sock")}, "nowhere")
	s.Fails(2, []string{"serve", "--listen", "unix:" + filepath.Join(dir, strings.Repeat("x", 120))}, "cannot listen at unix:")
	s.Fails(2, []string{"serve", "--listen", "unix:"}, "unix:/run/finsvc.sock")
	s.Fails(2, []string{"serve", "--listen", "unix:@finsvc"}, "unix:/run/finsvc.sock", `got "@finsvc"`)
}

func TestServeBelowABasePath(t *testing.T) {
	t.Parallel()
	r := cmdtest.NewCommandLine(t).Serve("--base-path", "/finance/")
	for path, want := range map[string]int{"/finance/up": 200, "/up": 200, "/finance/api/v1/usage": 401, "/api/v1/usage": 404} {
		resp, err := http.Get(r.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, resp.StatusCode, want)
		}
	}
	if !strings.Contains(r.Stderr.String(), "listening") {
		t.Error(r.Stderr)
	}
	r.End()
}

// TestNetworkSettings that cannot be are refused before anything is made.
func TestNetworkSettings(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	for _, c := range []struct {
		flags []string
		word  string
	}{
		{[]string{"--base-path", "finance"}, "must be a path such as /finance"},
		{[]string{"--base-path", "/a/../b"}, "must be a path such as /finance"},
		{[]string{"--trusted-proxies", "everybody"}, `got "everybody"`},
	} {
		s.Fails(2, append([]string{"serve"}, c.flags...), c.word)
	}
	if _, err := os.Stat(s.File); err == nil {
		t.Error("a file was made")
	}
	s.Env = append(s.Env, "FINSVC_TRUSTED_PROXIES=10.0.0.0/40")
	s.Fails(2, []string{"serve"}, "FINSVC_TRUSTED_PROXIES", "10.0.0.0/40")
}
