//go:build unix

package cmd_test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"finsvc/cmd/listen/listentest"
)

// tlsServer is a server with a certificate, as another process.
type tlsServer struct {
	*exec.Cmd
	lines *bufio.Scanner
	addr  string
}

func startTLS(t *testing.T, p listentest.PairFiles) *tlsServer {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &tlsServer{Cmd: exec.CommandContext(t.Context(), program, "serve", "--listen", "127.0.0.1:0", "--log", "json", "--tls-cert", p.Cert, "--tls-key", p.Key)}
	s.Env = []string{"CMD_TEST_AS_PROGRAM=1", "FINSVC_DATA=" + filepath.Join(t.TempDir(), "finance.db")}
	said, err := s.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	s.lines = bufio.NewScanner(said)
	s.addr = s.await(t, "listening").Addr
	return s
}

type logLine struct{ Msg, Addr string }

// await reads the log up to a message.
func (s *tlsServer) await(t *testing.T, msg string) logLine {
	t.Helper()
	for s.lines.Scan() {
		var line logLine
		if json.Unmarshal(s.lines.Bytes(), &line) == nil && line.Msg == msg {
			return line
		}
	}
	t.Fatalf("the server never said %q", msg)
	return logLine{}
}

// TestServeTLS: HTTP/2 over TLS with the certificate of the files, a new one after SIGHUP, and a plain answer to plain HTTP.
func TestServeTLS(t *testing.T) {
	t.Parallel()
	p := listentest.NewPairFiles(t)
	first := p.Write(t, 1, time.Now().AddDate(0, 1, 0))
	s := startTLS(t, p)
	get := func(trusted *x509.Certificate) *http.Response {
		t.Helper()
		roots := x509.NewCertPool()
		roots.AddCert(trusted)
		client := http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: roots}}}
		defer client.CloseIdleConnections()
		resp, err := client.Get("https://" + s.addr + "/up")
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp
	}
	if resp := get(first); resp.StatusCode != 200 || resp.Proto != "HTTP/2.0" {
		t.Errorf("%s %s", resp.Proto, resp.Status)
	}
	second := p.Write(t, 2, time.Now().AddDate(0, 1, 0))
	if err := s.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	s.await(t, "certificate read anew")
	if resp := get(second); resp.StatusCode != 200 {
		t.Errorf("%s", resp.Status)
	}
	if text := plainAnswer(t, s.addr); !strings.HasPrefix(text, "HTTP/1.0 400 Bad Request\r\n") || !strings.Contains(text, "Client sent an HTTP request to an HTTPS server.") {
		t.Errorf("to plain HTTP: %q", text)
	}
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	for s.lines.Scan() {
	}
	if err := s.Wait(); err != nil {
		t.Error(err)
	}
}

func plainAnswer(t *testing.T, addr string) string {
	t.Helper()
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET /up HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(conn) // it is cut off in the end
	return string(text)
}
