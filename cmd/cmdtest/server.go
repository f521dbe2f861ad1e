package cmdtest

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"

	"finsvc/cmd"
	"finsvc/handlers/apitest"
)

// server is a running finsvc serve or finsvc demo.
type server struct {
	*CommandLine
	URL            string
	Stop           context.CancelFunc
	Ended          chan int // the exit status
	Stdout, Stderr *Buffer
}

// Serve starts a server on the file, at a free port, and waits until it listens.
func (s *CommandLine) Serve(flags ...string) *server {
	s.Helper()
	r := &server{CommandLine: s}
	r.start(append([]string{"serve", "--listen", "127.0.0.1:0", "--log", "json"}, flags...), func(line []byte) bool {
		var entry struct{ Msg, Addr string }
		if json.Unmarshal(line, &entry) == nil && entry.Msg == "listening" {
			r.URL = "http://" + entry.Addr
		}
		return r.URL != ""
	})
	return r
}

// start starts a server and waits for the line of standard error with which it has begun.
func (r *server) start(args []string, begun func(line []byte) bool) {
	r.Helper()
	ctx, stop := context.WithCancel(r.Context())
	read, write := io.Pipe()
	r.Stop, r.Ended, r.Stdout, r.Stderr = stop, make(chan int, 1), &Buffer{}, &Buffer{}
	go func() {
		status := cmd.Main(ctx, args, r.Environ(), strings.NewReader(""), r.Stdout,
			io.MultiWriter(r.Stderr, write))
		write.Close()
		r.Ended <- status
	}()
	lines := bufio.NewScanner(read)
	running := false
	for !running && lines.Scan() {
		running = begun(lines.Bytes())
	}
	go io.Copy(io.Discard, read)
	if !running {
		r.Fatalf("the server did not start: status %d: %s", <-r.Ended, r.Stderr)
	}
	r.Cleanup(stop)
}

// End stops the server, which must end well.
func (r *server) End() {
	r.Helper()
	r.Stop()
	if status := <-r.Ended; status != 0 {
		r.Errorf("the server ended with status %d: %s", status, r.Stderr)
	}
}

// Get asks with a key and gives the status and the body.
func (r *server) Get(path, key string) (int, string) {
	r.Helper()
	req, err := http.NewRequestWithContext(r.Context(), http.MethodGet, r.URL+path, nil)
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
