package apitest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// shownBody is how much of a wrong body is shown, in bytes.
const shownBody = 1000

// Test is told what is wrong; every [testing.TB] is one.
type Test interface {
	Errorf(format string, args ...any)
}

// report tells a test what is wrong with answers, each thing once.
type report struct {
	test Test
	mu   sync.Mutex
	told map[string]bool
}

func newReport(t Test) *report {
	return &report{test: t, told: map[string]bool{}}
}

// see checks an answer.
func (r *report) see(a Answer) {
	if a.Method == http.MethodOptions || a.Path == "/mcp" { // answered whatever the path; described by a protocol of its own
		return
	}
	if !strings.HasPrefix(a.Path, "/api/") && strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") { // a page for people
		return
	}
	err := a.unpack()
	if err == nil {
		err = a.Check()
	}
	if err == nil {
		return
	}
	kind := fmt.Sprint(a.Method, a.Status, err)
	if errors.Is(err, errDescription) {
		kind = "" // all answers are alike
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.told[kind] {
		r.told[kind] = true
		r.test.Errorf("%s %s: %d is not as described: %v\n%.*s", a.Method, a.Path, a.Status, err, shownBody, a.Body)
	}
}

func (a *Answer) unpack() error {
	if a.Header.Get("Content-Encoding") != "gzip" || len(a.Body) == 0 {
		return nil
	}
	z, err := gzip.NewReader(bytes.NewReader(a.Body))
	if err != nil {
		return err
	}
	a.Body, err = io.ReadAll(z)
	return err
}

// Handler gives a handler that answers as h does, and fails the test for each answer that is not as described. An
// answer that is cut off, or that nobody waits for, is not looked at.
func Handler(t Test, h http.Handler) http.Handler {
	r := newReport(t)
	return http.HandlerFunc(func(w http.ResponseWriter, asked *http.Request) {
		seen := &recorder{ResponseWriter: w}
		h.ServeHTTP(seen, asked)
		if seen.status == 0 && asked.Context().Err() != nil {
			return
		}
		r.see(Answer{Method: asked.Method, Path: asked.URL.Path, Status: seen.status, Header: w.Header(),
			Body: seen.body.Bytes()})
	})
}

// recorder remembers what goes through it.
type recorder struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

// Unwrap lets an [http.ResponseController] reach what is below.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// WriteHeader notes the status.
func (r *recorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}

// Write notes the body, but for a stream's.
func (r *recorder) Write(p []byte) (int, error) {
	r.status = cmp.Or(r.status, http.StatusOK)
	if !isStream(r.Header()) {
		r.body.Write(p)
	}
	return r.ResponseWriter.Write(p)
}

func isStream(h http.Header) bool { return strings.HasPrefix(h.Get("Content-Type"), typeStream) }

// Transport asks as base does, and fails the test for each answer that is not as described.
func Transport(t Test, base http.RoundTripper) http.RoundTripper {
	return &transport{base, newReport(t)}
}

type transport struct {
	base   http.RoundTripper
	report *report
}

// RoundTrip reads the answer to its end, unless it is a stream; one that breaks off is given on as it is.
func (t *transport) RoundTrip(asked *http.Request) (*http.Response, error) {
	resp, err := t.base.RoundTrip(asked)
	if err != nil {
		return nil, err
	}
	a := Answer{Method: asked.Method, Path: asked.URL.Path, Status: resp.StatusCode, Header: resp.Header}
	if isStream(resp.Header) {
		t.report.see(a)
		return resp, nil
	}
	if resp.Uncompressed { // and the header of the length was taken away
		a.Header = a.Header.Clone()
		a.Header.Set("Content-Length", "-1")
	}
	a.Body, err = io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	if err != nil {
		resp.Body = io.NopCloser(io.MultiReader(bytes.NewReader(a.Body), broken{err}))
		return resp, nil
	}
	resp.Body = io.NopCloser(bytes.NewReader(a.Body))
	t.report.see(a)
	return resp, nil
}

// broken fails to be read as the answer did.
type broken struct{ err error }

func (b broken) Read([]byte) (int, error) { return 0, b.err }
