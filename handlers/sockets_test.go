package handlers

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"
)

// listening is a rig behind a listener of its own, with the limits that a test wants.
type listening struct {
	*serverRig
	dialer
	connections *Connections
}

// listen serves the rig as the program does.
func (g *serverRig) listen(t *testing.T, limits ConnectionLimits, pace pace) *listening {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	connections := NewConnections(limits, nil, quiet)
	server := newHTTPServer(context.WithoutCancel(t.Context()), g.Server, "", quiet, connections, pace)
	go func() { _ = server.Serve(connections.Limit(listener)) }()
	t.Cleanup(func() { _ = server.Close() })
	return &listening{g, dialer{address: listener.Addr().String()}, connections}
}

// dialer connects to a server without what a client does by itself.
type dialer struct {
	address string
	keys    map[string]string // by their short names; may be nil
}

// socket is a connection to a server; whatever does not happen on it within half a minute has failed.
type socket struct {
	net.Conn
	in   *bufio.Reader
	keys map[string]string
}

// dial opens a connection, until the test ends.
func (w dialer) dial(t *testing.T) *socket {
	t.Helper()
	conn, err := net.Dial("tcp", w.address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return &socket{conn, bufio.NewReader(conn), w.keys}
}

// ask sends a request, or the beginning of one.
func (s *socket) ask(t *testing.T, head, key, rest string) *socket {
	t.Helper()
	if key != "" {
		head += "\r\nX-Api-Key: " + cmp.Or(s.keys[key], key)
	}
	if _, err := io.WriteString(s, head+"\r\n"+rest); err != nil {
		t.Fatal(err)
	}
	return s
}

// head reads the head of an answer.
func (s *socket) head() (*http.Response, error) { return http.ReadResponse(s.in, nil) }

// answer reads an answer to its end.
func (s *socket) answer(t *testing.T) reply {
	t.Helper()
	resp, err := s.head()
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{resp, string(data)}
}

// ended reports whether the server has closed the connection, and waits until it does.
func (s *socket) ended() bool {
	_, err := s.in.ReadByte()
	return err != nil && !isTimeout(err)
}

func isTimeout(err error) bool {
	late, ok := err.(net.Error)
	return ok && late.Timeout()
}

func get(path string) string { return "GET " + path + " HTTP/1.1\r\nHost: a" }

func post(path string, length int) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d", path, length)
}

// until waits for what happens in the server after its answer was sent.
func until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for late := time.Now().Add(30 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(late) {
			t.Fatal("never happens: " + what)
		}
	}
}

// blocking answers when it is let go.
func blocking(began chan<- bool, release <-chan struct{}) handler {
	return func(a *answer, _ *request) error {
		began <- true
		<-release
		a.message("done")
		return nil
	}
}
