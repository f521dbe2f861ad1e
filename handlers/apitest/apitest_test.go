package apitest_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"finsvc/handlers/apitest"
)

const (
	well     = `{"status":"ok","version":"1"}`
	notFound = `{"error":"not_found","message":null,"details":null}`
)

// answer is one of the kind that the service gives, as JSON.
func answer(method, path string, status int, body string) apitest.Answer {
	return apitest.Answer{Method: method, Path: path, Status: status, Body: []byte(body), Header: http.Header{
		"X-Request-Id": {"a"}, "Content-Type": {"application/json; charset=utf-8"}, "Content-Length": {"1"}}}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		method, path string
		status       int
		body, want   string
	}{
		{"GET", "/up", 200, well, ""},
		{"GET", "//up.json/", 200, well, ""},
		{"GET", "/up//x", 200, well, "no such operation"},
		{"HEAD", "/up", 200, "", ""},
		{"HEAD", "/up", 200, well, ""},
		{"GET", "/up", 503, `{"error":"unavailable","message":"x","details":null}`, ""},
		{"GET", "/up", 200, `{"status":"ok"}`, "missing property 'version'"},
		{"GET", "/up", 200, `{"status":"ok","version":"1","more":1}`, "'more' not allowed"},
		{"GET", "/up", 200, `{"status":"ok","version":1}`, "'/version': got number, want string"},
		{"GET", "/up", 200, `{"status":"ill","version":"1"}`, "'/status'"},
		{"GET", "/up", 200, "[]", "got array, want object"},
		{"GET", "/up", 200, "", "EOF"},
		{"GET", "/up", 200, well + "x", "invalid character"},
		{"GET", "/up", 418, well, "getUp has no such status"},
		{"GET", "/up", 503, well, "missing properties 'error', 'message', 'details'"},
		{"POST", "/up", 200, well, "no such operation"},
		{"GET", "/nowhere", 404, notFound, ""},
		{"GET", "/nowhere", 404, well, "missing properties"},
		{"GET", "/nowhere", 200, well, "no such operation"},
	} {
		err := answer(c.method, c.path, c.status, c.body).Check()
		if got := fmt.Sprint(err); c.want == "" && err != nil || !strings.Contains(got, c.want) {
			t.Errorf("%s %s %d %s: got %s, want %s", c.method, c.path, c.status, c.body, got, c.want)
		}
	}
}

func TestCheckHeaders(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]string{
		"Content-Type: application/json":         `the type is "application/json"`,
		"Content-Type: text/html; charset=utf-8": `no answer of type "text/html"`,
		"Content-Type: ":                         `no answer of type ""`,
		"Content-Length: ":                       "no Content-Length",
		"X-Request-Id: ":                         "no X-Request-Id",
	} {
		a := answer("GET", "/up", 200, well)
		name, value, _ := strings.Cut(header, ": ")
		a.Header.Set(name, value)
		if err := a.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", header, err)
		}
	}
	a := answer("GET", "/up", 503, `{"error":"unavailable","message":"x","details":null}`)
	a.Header.Set("Retry-After", "soon")
	if err := a.Check(); err == nil || !strings.Contains(err.Error(), `Retry-After is "soon"`) {
		t.Errorf("got %v", err)
	}
	a = answer("POST", "/up", 405, `{"error":"method_not_allowed","message":"x","details":null}`)
	if err := a.Check(); err == nil {
		t.Error("a 405 without Allow is let through")
	}
	a.Header.Set("Allow", "GET, HEAD")
	if err := a.Check(); err != nil {
		t.Error(err)
	}
}

// complaints stands in for a test.
type complaints []string

func (c *complaints) Errorf(format string, args ...any) {
	*c = append(*c, fmt.Sprintf(format, args...))
}

// TestWatchingWhatBreaksOff: an answer that is cut off is not looked at, and reaches the client as it was.
func TestWatchingWhatBreaksOff(t *testing.T) {
	t.Parallel()
	var told complaints
	server := httptest.NewServer(apitest.Handler(&told, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "{")
		if err := http.NewResponseController(w).Flush(); err != nil {
			t.Error(err)
		}
		panic(http.ErrAbortHandler)
	})))
	defer server.Close()
	req, _ := http.NewRequestWithContext(t.Context(), "GET", server.URL+"/up", nil)
	resp, err := apitest.Transport(&told, http.DefaultTransport).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(resp.Body); string(got) != "{" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("got %q, %v", got, err)
	}
	if len(told) > 0 {
		t.Errorf("said %q", told)
	}
}

// TestWatching: handler and transport give on what they see, packed or not, and complain of each thing once.
func TestWatching(t *testing.T) {
	t.Parallel()
	var told complaints
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = io.WriteString(z, well)
	_ = z.Close()
	server := httptest.NewServer(apitest.Handler(&told, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Request-Id", "a")
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		body := r.Header.Get("X-Body")
		if body == "" {
			w.Header().Set("Content-Encoding", "gzip")
			body = packed.String()
		}
		w.Header().Set("Content-Length", fmt.Sprint(len(body)))
		_, _ = io.WriteString(w, body)
	})))
	defer server.Close()
	var heard complaints
	client := http.Client{Transport: apitest.Transport(&heard, http.DefaultTransport)}
	for _, body := range []string{"", "", well, "{}", "{}", "[]"} {
		req, _ := http.NewRequestWithContext(t.Context(), "GET", server.URL+"/up", nil)
		req.Header.Set("X-Body", body)
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(resp.Body)
		if err != nil || string(got) != cmp.Or(body, well) {
			t.Errorf("%q: got %q, %v", body, got, err)
		}
	}
	for _, list := range []complaints{told, heard} {
		if len(list) != 2 || !strings.HasPrefix(list[0], "GET /up: 200 is not as described") || !strings.HasSuffix(list[1], "[]") {
			t.Errorf("said %q", list)
		}
	}
}
