package cmd_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"
)

// TestServe holds what was decided.
//
// Decision, Keys, scopes, limits: what the command line does to keys and users counts in a running server within two
// seconds.
func TestServe(t *testing.T) {
	t.Parallel()
	r := cmdtest.NewCommandLine(t).Serve()
	if status, body := r.Get("/up", ""); status != 200 {
		t.Errorf("/up: %d %s", status, body)
	}
	if !strings.Contains(r.Stderr.String(), "finsvc apikey create --data '"+r.File+"'") {
		t.Errorf("does not say what to type next: %s", r.Stderr)
	}
	if status, _ := r.Get("/api/v1/usage", ""); status != 401 {
		t.Errorf("without a key: %d", status)
	}

	key := r.OK("apikey", "create", "phone", "--rate-limit", "1000000")
	status, body := r.Get("/api/v1/usage", key)
	if status != 200 || !strings.Contains(body, `"name":"phone"`) {
		t.Fatalf("with a key: %d %s", status, body)
	}
	r.OK("apikey", "revoke", "phone")
	// Within two seconds, says the specification; the time is the server's own.
	deadline := time.Now().Add(2 * time.Second)
	for status == 200 && time.Now().Before(deadline) {
		status, _ = r.Get("/api/v1/usage", key)
	}
	if status != 401 {
		t.Errorf("with a revoked key: %d", status)
	}
	r.End()
	if keys := r.List("apikey", "list", "--all"); len(keys) != 1 || keys[0]["last_used_at"] == nil || keys[0]["state"] != "revoked" {
		t.Errorf("keys after the stop: %v", keys)
	}
	if _, err := os.Stat(r.File + "-wal"); err == nil {
		t.Error("the log of the database was left behind")
	}
	for _, secret := range []string{strings.TrimSpace(key), "phone"} {
		if strings.Contains(r.Stderr.String(), secret) {
			t.Errorf("the log names %s", secret)
		}
	}
}

func TestServeAgain(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	key := s.OK("apikey", "create")
	for range 2 {
		r := s.Serve()
		if status, _ := r.Get("/api/v1/usage", key); status != 200 {
			t.Errorf("got %d", status)
		}
		if strings.Contains(r.Stderr.String(), "no household") {
			t.Errorf("greets a file with a household as an empty one: %s", r.Stderr)
		}
		r.End()
	}
}

func TestServeOnlyOnce(t *testing.T) {
	t.Parallel()
	r := cmdtest.NewCommandLine(t).Serve()
	r.Fails(6, []string{"serve", "--listen", "127.0.0.1:0"}, "a server is running on "+r.File)
	other := cmdtest.NewCommandLine(t)
	addr := strings.TrimPrefix(r.URL, "http://")
	other.Fails(6, []string{"serve", "--listen", addr}, addr+" is in use", "--listen")
	r.End()
}

// A request that is being answered when the signal comes gets its answer.
func TestServeLetsRequestsEnd(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	key := s.OK("apikey", "create")
	r := s.Serve()
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	send := func(text string) {
		if _, err := io.WriteString(conn, text); err != nil {
			t.Fatal(err)
		}
	}
	answers := bufio.NewReader(conn)
	send("POST /api/v1/transactions HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nX-Api-Key: " + strings.TrimSpace(key) +
		"\r\nContent-Type: application/json\r\nContent-Length: 18\r\n\r\n")
	// The server asks for the body: the request has begun.
	if line, err := answers.ReadString('\n'); err != nil || !strings.Contains(line, "100") {
		t.Fatalf("got %q, %v", line, err)
	}
	r.Stop()
	send(`{"transaction":{}}`)
	if _, err := answers.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if line, err := answers.ReadString('\n'); err != nil || !strings.HasPrefix(line, "HTTP/1.1 422") {
		t.Errorf("got %q, %v", line, err)
	}
	if status := <-r.Ended; status != 0 {
		t.Errorf("status %d: %s", status, r.Stderr)
	}
}

// TestServeStopsWithoutHalfRequests: what clients have sent by half holds no stop. The log would say so if it had: then
// requests are cut off at the end of all patience.
func TestServeStopsWithoutHalfRequests(t *testing.T) {
	t.Parallel()
	const (
		head  = "POST /api/v1/transactions HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 18\r\nX-Api-Key: KEY\r\n\r\n"
		file  = "POST /api/v1/imports HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 9999\r\nX-Api-Key: KEY\r\n\r\n"
		going = "HTTP/1.1 100 Continue"
		gone  = "HTTP/1.1 503 Service Unavailable"
	)
	for name, try := range map[string]struct{ sent, before, after string }{
		"nothing":                {"", "", ""},
		"half a head":            {"GET /api/v1/usage HTTP/1.1\r\nHo", "", ""},
		"half a body":            {head + "{\"transact", going, gone},
		"half a file":            {file + "--b\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\ndate,am", going, gone},
		"half of a chunked body": {strings.Replace(head, "Content-Length: 18", "Transfer-Encoding: chunked", 1) + "5\r\n{\"", going, gone},
		"a body nobody reads":    {strings.NewReplacer("KEY", "wrong", "Expect: 100-continue\r\n", "").Replace(head) + "{\"transact", "", ""},
		"half of a second head":  {"GET /up HTTP/1.1\r\nHost: x\r\n\r\nGET /u", "HTTP/1.1 200 OK", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := cmdtest.NewCommandLine(t)
			key := strings.TrimSpace(s.OK("apikey", "create"))
			r := s.Serve()
			conn, err := net.Dial("tcp", strings.TrimPrefix(r.URL, "http://"))
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			if _, err := io.WriteString(conn, strings.ReplaceAll(try.sent, "KEY", key)); err != nil {
				t.Fatal(err)
			}
			answers := bufio.NewReader(conn)
			if try.before != "" {
				if line, _ := answers.ReadString('\n'); strings.TrimSpace(line) != try.before {
					t.Fatalf("before the stop: %q, want %q", line, try.before)
				}
			}
			// The server takes one connection after the other: when a later one is answered, it knows this one.
			up, err := http.Get(r.URL + "/up")
			if err != nil {
				t.Fatal(err)
			}
			up.Body.Close()
			r.End()
			rest, _ := io.ReadAll(answers) // an end without an answer is one
			if !strings.Contains(string(rest), try.after) {
				t.Errorf("answered %q, want %q", rest, try.after)
			}
			if strings.Contains(r.Stderr.String(), "cut off") {
				t.Errorf("the stop was held: %s", r.Stderr)
			}
		})
	}
}
