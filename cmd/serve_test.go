package cmd_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"finsvc/cmd"
	"finsvc/handlers/apitest"
)

// server is a running finsvc serve or finsvc demo.
type server struct {
	*commandLine
	url            string
	stop           context.CancelFunc
	ended          chan int // the exit status
	stdout, stderr *buffer
}

// serve starts a server on the shell's file, at a free port, and waits until it listens.
func (s *commandLine) serve(flags ...string) *server {
	s.Helper()
	r := &server{commandLine: s}
	r.start(append([]string{"serve", "--listen", "127.0.0.1:0", "--log", "json"}, flags...), func(line []byte) bool {
		var entry struct{ Msg, Addr string }
		if json.Unmarshal(line, &entry) == nil && entry.Msg == "listening" {
			r.url = "http://" + entry.Addr
		}
		return r.url != ""
	})
	return r
}

// start starts a server and waits for the line of standard error with which it has begun.
func (r *server) start(args []string, begun func(line []byte) bool) {
	r.Helper()
	ctx, stop := context.WithCancel(r.Context())
	read, write := io.Pipe()
	r.stop, r.ended, r.stdout, r.stderr = stop, make(chan int, 1), &buffer{}, &buffer{}
	go func() {
		status := cmd.Main(ctx, args, append(within(r.file), r.env...), strings.NewReader(""), r.stdout, io.MultiWriter(r.stderr, write))
		write.Close()
		r.ended <- status
	}()
	lines := bufio.NewScanner(read)
	running := false
	for !running && lines.Scan() {
		running = begun(lines.Bytes())
	}
	go io.Copy(io.Discard, read)
	if !running {
		r.Fatalf("the server did not start: status %d: %s", <-r.ended, r.stderr)
	}
	r.Cleanup(stop)
}

// end stops the server, which must end well.
func (r *server) end() {
	r.Helper()
	r.stop()
	if status := <-r.ended; status != 0 {
		r.Errorf("the server ended with status %d: %s", status, r.stderr)
	}
}

// get asks with a key and gives the status and the body.
func (r *server) get(path, key string) (int, string) {
	r.Helper()
	req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, r.url+path, nil)
	if err != nil {
		r.Fatal(err)
	}
	req.Header.Set("X-Api-Key", strings.TrimSpace(key))
	resp, err := apitest.Transport(r, http.DefaultTransport).RoundTrip(req)
	if err != nil {
		r.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		r.Fatal(err)
	}
	return resp.StatusCode, string(body)
}

// TestServe holds what was decided.
//
// Decision, Keys, scopes, limits: what the command line does to keys and users counts in a running server within two
// seconds.
func TestServe(t *testing.T) {
	t.Parallel()
	r := newCommandLine(t).serve()
	if status, body := r.get("/up", ""); status != 200 {
		t.Errorf("/up: %d %s", status, body)
	}
	if !strings.Contains(r.stderr.String(), "finsvc apikey create --data '"+r.file+"'") {
		t.Errorf("does not say what to type next: %s", r.stderr)
	}
	if status, _ := r.get("/api/v1/usage", ""); status != 401 {
		t.Errorf("without a key: %d", status)
	}

	key := r.ok("apikey", "create", "phone", "--rate-limit", "1000000")
	status, body := r.get("/api/v1/usage", key)
	if status != 200 || !strings.Contains(body, `"name":"phone"`) {
		t.Fatalf("with a key: %d %s", status, body)
	}
	r.ok("apikey", "revoke", "phone")
	// Within two seconds, says the specification; the time is the server's own.
	deadline := time.Now().Add(2 * time.Second)
	for status == 200 && time.Now().Before(deadline) {
		status, _ = r.get("/api/v1/usage", key)
	}
	if status != 401 {
		t.Errorf("with a revoked key: %d", status)
	}
	r.end()
	if keys := r.list("apikey", "list", "--all"); len(keys) != 1 || keys[0]["last_used_at"] == nil || keys[0]["state"] != "revoked" {
		t.Errorf("keys after the stop: %v", keys)
	}
	if _, err := os.Stat(r.file + "-wal"); err == nil {
		t.Error("the log of the database was left behind")
	}
	for _, secret := range []string{strings.TrimSpace(key), "phone"} {
		if strings.Contains(r.stderr.String(), secret) {
			t.Errorf("the log names %s", secret)
		}
	}
}

func TestServeAgain(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	key := s.ok("apikey", "create")
	for range 2 {
		r := s.serve()
		if status, _ := r.get("/api/v1/usage", key); status != 200 {
			t.Errorf("got %d", status)
		}
		if strings.Contains(r.stderr.String(), "no household") {
			t.Errorf("greets a file with a household as an empty one: %s", r.stderr)
		}
		r.end()
	}
}

func TestServeOnlyOnce(t *testing.T) {
	t.Parallel()
	r := newCommandLine(t).serve()
	r.fails(6, []string{"serve", "--listen", "127.0.0.1:0"}, "a server is running on "+r.file)
	other := newCommandLine(t)
	addr := strings.TrimPrefix(r.url, "http://")
	other.fails(6, []string{"serve", "--listen", addr}, addr+" is in use", "--listen")
	r.end()
}

// A request that is being answered when the signal comes gets its answer.
func TestServeLetsRequestsEnd(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	key := s.ok("apikey", "create")
	r := s.serve()
	conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
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
	r.stop()
	send(`{"transaction":{}}`)
	if _, err := answers.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if line, err := answers.ReadString('\n'); err != nil || !strings.HasPrefix(line, "HTTP/1.1 422") {
		t.Errorf("got %q, %v", line, err)
	}
	if status := <-r.ended; status != 0 {
		t.Errorf("status %d: %s", status, r.stderr)
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
			s := newCommandLine(t)
			key := strings.TrimSpace(s.ok("apikey", "create"))
			r := s.serve()
			conn, err := net.Dial("tcp", strings.TrimPrefix(r.url, "http://"))
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
			up, err := http.Get(r.url + "/up")
			if err != nil {
				t.Fatal(err)
			}
			up.Body.Close()
			r.end()
			rest, _ := io.ReadAll(answers) // an end without an answer is one
			if !strings.Contains(string(rest), try.after) {
				t.Errorf("answered %q, want %q", rest, try.after)
			}
			if strings.Contains(r.stderr.String(), "cut off") {
				t.Errorf("the stop was held: %s", r.stderr)
			}
		})
	}
}
