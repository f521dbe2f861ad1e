package apitest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/tenant"
)

const (
	MimeJSON = "application/json"
	MimeForm = "application/x-www-form-urlencoded"
	MimePart = "multipart/form-data; boundary=XX"
)

// Multi writes a multipart body with boundary XX; a part is its headers after "form-data; ", and content.
func Multi(parts ...[2]string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString("--XX\r\nContent-Disposition: form-data; " + p[0] + "\r\n\r\n" + p[1] + "\r\n")
	}
	return b.String() + "--XX--\r\n"
}

// Plain is a value as JSON, by which two can be compared.
func Plain(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func (p Reply) Has(t *testing.T, want string) {
	t.Helper()
	if p.StatusCode != 200 || !strings.Contains(p.Text, want) {
		t.Errorf("got %d %s, want %s in it", p.StatusCode, p.Text, want)
	}
}

type Log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Noon is when all requests of a rig happen.
func Noon() time.Time { return time.Date(2026, 8, 22, 12, 0, 0, 0, time.UTC) }

// MakeKeys makes a household with the keys of a rig, and gives them by name.
func MakeKeys(t testing.TB, books *books.Books) map[string]string {
	t.Helper()
	who := ledger.Actor{Origin: ledger.OriginCLI}
	home, _, err := books.Tenants.CreateHousehold(t.Context(), who, tenant.HouseholdInput{
		Name: "Home", Currency: "EUR", Locale: "de-DE", Timezone: "Europe/Berlin", OwnerEmail: "a@example.org",
		NoCategories: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	who.HouseholdID = home.ID
	keys := map[string]string{}
	for _, in := range []tenant.KeyInput{
		{Name: "write", Scope: "read_write"},
		{Name: "read", Scope: "read", RateLimit: 1_000_000},
		{Name: "two", Scope: "read", RateLimit: 2},
	} {
		keys[in.Name], _, err = books.Keys.CreateAPIKey(t.Context(), who, in)
		if err != nil {
			t.Fatal(err)
		}
	}
	return keys
}

// Reply is an answer read to its end.
type Reply struct {
	*http.Response
	Text string
}

// Client asks a server. It may write keys by short names.
type Client struct {
	URL  string
	Keys map[string]string // by their short names; may be nil
}

// Do sends a request; headers are "Name: value".
func (c Client) Do(t testing.TB, method, path, body string, headers ...string) Reply {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, c.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range headers {
		name, val, _ := strings.Cut(h, ": ")
		scheme, key, _ := strings.Cut(val, " ")
		switch {
		case name == "X-Api-Key" && c.Keys[val] != "":
			val = c.Keys[val]
		case name == "Authorization" && c.Keys[key] != "":
			val = scheme + " " + c.Keys[key]
		}
		req.Header.Add(name, val)
	}
	transport := &http.Transport{DisableCompression: true, DisableKeepAlives: true}
	resp, err := transport.RoundTrip(req)
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

// Is checks the status and, unless want is empty, the whole body.
func (p Reply) Is(t *testing.T, status int, want string) {
	t.Helper()
	if p.StatusCode != status || want != "" && strings.TrimSpace(p.Text) != want {
		t.Errorf("got %d %s\nwant %d %s", p.StatusCode, p.Text, status, want)
	}
}

// Code is the error code of the body.
func (p Reply) Code() string {
	var e struct{ Error string }
	_ = json.Unmarshal([]byte(p.Text), &e)
	return e.Error
}

// Concrete replaces the parameters of a route by ids.
func Concrete(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if strings.HasPrefix(part, ":") {
			parts[i] = "0198f2a0-1234-7abc-8def-0123456789ab"
		}
	}
	return strings.Join(parts, "/")
}

func CheckHeaders(t *testing.T, p Reply, want map[string]string) {
	t.Helper()
	for name, value := range want {
		if got := p.Header.Get(name); got != value {
			t.Errorf("%s: got %q, want %q", name, got, value)
		}
	}
}

// Until waits for what happens in the server after its answer was sent.
func Until(t *testing.T, what string, is func() bool) {
	t.Helper()
	for late := time.Now().Add(30 * time.Second); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(late) {
			t.Fatal("never happens: " + what)
		}
	}
}

// Repeated is a text over and over, without holding it.
type Repeated struct {
	Text     string
	at, Left int
}

// Read gives the following bytes.
func (r *Repeated) Read(p []byte) (int, error) {
	if r.Left == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), r.Left)], r.Text[r.at:])
	r.at, r.Left = (r.at+n)%len(r.Text), r.Left-n
	return n, nil
}
