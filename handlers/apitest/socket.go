package apitest

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"
)

// Dialer connects to a server without what a client does by itself.
type Dialer struct {
	Address string
	Keys    map[string]string // by their short names; may be nil
}

// Socket is a connection to a server; whatever does not happen on it within half a minute has failed.
type Socket struct {
	net.Conn
	In   *bufio.Reader
	keys map[string]string
}

// Dial opens a connection, until the test ends.
func (w Dialer) Dial(t *testing.T) *Socket {
	t.Helper()
	conn, err := net.Dial("tcp", w.Address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return &Socket{conn, bufio.NewReader(conn), w.Keys}
}

// Ask sends a request, or the beginning of one.
func (s *Socket) Ask(t *testing.T, head, key, rest string) *Socket {
	t.Helper()
	if key != "" {
		head += "\r\nX-Api-Key: " + cmp.Or(s.keys[key], key)
	}
	if _, err := io.WriteString(s, head+"\r\n"+rest); err != nil {
		t.Fatal(err)
	}
	return s
}

// Head reads the head of an answer.
func (s *Socket) Head() (*http.Response, error) { return http.ReadResponse(s.In, nil) }

// Answer reads an answer to its end.
func (s *Socket) Answer(t *testing.T) Reply {
	t.Helper()
	resp, err := s.Head()
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return Reply{resp, string(data)}
}

// Ended reports whether the server has closed the connection, and waits until it does.
func (s *Socket) Ended() bool {
	_, err := s.In.ReadByte()
	return err != nil && !isTimeout(err)
}

func isTimeout(err error) bool {
	late, ok := err.(net.Error)
	return ok && late.Timeout()
}

func Get(path string) string { return "GET " + path + " HTTP/1.1\r\nHost: a" }

func Post(path string, length int) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d", path,
		length)
}
