package provider_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"finsvc/assistant/aitest"
	"finsvc/assistant/model"
	"finsvc/assistant/provider"
)

// failure asks and gives the failure that must come of it.
func failure(t *testing.T, r *provider.Client) *model.Failure {
	t.Helper()
	reply, _, err := heard(t, r, promptOf("x"))
	f, ok := errors.AsType[*model.Failure](err)
	if !ok {
		t.Fatalf("reply %+v, %v, want a failure", reply, err)
	}
	if strings.Contains(fmt.Sprintf("%+v %v %s", f, f.Err, f.Error()), testKey) {
		t.Errorf("the key is in %v", f)
	}
	return f
}

// Every status and every error within an answer.
//
// Contract, Chat: which failure of a provider is which.
func TestRemoteFailures(t *testing.T) {
	t.Parallel()
	const (
		other, limited, away, wrong = model.FailureOther, model.FailureRateLimited, model.FailureUnavailable, model.FailureMisconfigured
		again                       = true
	)
	page := "<html><body>429 rate limit, unauthorized, 503</body></html>"
	inStream := func(e string) aitest.Step { return aitest.Write(`data: {"error":` + e + "}\n\n") }
	for name, c := range map[string]struct {
		step  aitest.Step
		kind  model.FailureKind
		again bool
		after time.Duration
	}{
		"400":                              {aitest.Fail(400, `{"error":{"message":"rate limit 429"}}`), other, false, 0},
		"401":                              {aitest.Fail(401, `{"error":{"message":"no such key `+testKey+`","code":"`+testKey+`"}}`), wrong, false, 0},
		"402":                              {aitest.Fail(402, ""), wrong, false, 0},
		"403":                              {aitest.Fail(403, page), wrong, false, 0},
		"404, unknown model":               {aitest.Fail(404, `{"error":{"message":"model 'small' not found","type":"not_found_error","param":null,"code":null}}`), wrong, false, 0},
		"405":                              {aitest.Fail(405, ""), wrong, false, 0},
		"408":                              {aitest.Fail(408, ""), away, again, 0},
		"413":                              {aitest.Fail(413, ""), other, false, 0},
		"418":                              {aitest.Fail(418, page), other, false, 0},
		"422":                              {aitest.Fail(422, `{"error":"no"}`), other, false, 0},
		"429":                              {aitest.Fail(429, "[]"), limited, again, 0},
		"429 for seconds":                  {aitest.Fail(429, "", "Retry-After", "17"), limited, again, 17 * time.Second},
		"429 until":                        {aitest.Fail(429, "", "Retry-After", "Mon, 04 May 2026 10:00:30 GMT", "Date", "Mon, 04 May 2026 10:00:00 GMT"), limited, again, 30 * time.Second},
		"429 for good":                     {aitest.Fail(429, `{"error":{"message":"pay","type":"insufficient_quota","code":"insufficient_quota"}}`), limited, false, 0},
		"500":                              {aitest.Fail(500, page), away, again, 0},
		"501":                              {aitest.Fail(501, ""), away, false, 0},
		"502":                              {aitest.Fail(502, page), away, again, 0},
		"503":                              {aitest.Fail(503, "", "Retry-After", "120"), away, again, 2 * time.Minute},
		"504":                              {aitest.Fail(504, ""), away, again, 0},
		"529":                              {aitest.Fail(529, `{"error":{"type":"overloaded_error"}}`), away, again, 0},
		"204":                              {aitest.Fail(204, ""), other, false, 0},
		"302 elsewhere":                    {aitest.Fail(302, "", "Location", "http://192.0.2.1/v1"), wrong, false, 0},
		"cut off before anything was said": {aitest.Cut(), away, again, 0},
		"cut off":                          {aitest.Cut("A", "B"), away, false, 0},
		"cut off cleanly":                  {aitest.Write("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"A\"}}]}\n\ndata: {\"cho"), away, false, 0},
		"an empty body":                    {aitest.Write(""), away, again, 0},
		"a page":                           {aitest.Write(page), other, false, 0},
		"a text":                           {aitest.Write("All fine: nothing to see"), other, false, 0},
		"garbage in the stream":            {aitest.Write("data: \x00\xff garbage\n\n"), other, false, 0},
		"half an object":                   {aitest.Write(`{"choices": [`), other, false, 0},
		"wrong types":                      {aitest.Write(`{"choices": "none"}`), other, false, 0},
		"no choices":                       {aitest.Write("data: {\"choices\":[]}\n\ndata: [DONE]\n\n"), other, false, 0},
		"no choices at once":               {aitest.Write(`{"id":"1","choices":[]}`), other, false, 0},
		"nothing but the mark":             {aitest.Write("data: [DONE]\n\n"), other, false, 0},
		"a line without an end":            {aitest.Write("data: " + strings.Repeat("x", 2<<20)), other, false, 0},
		"an endless answer":                {aitest.Flood(strings.Repeat("x", 64<<10)), other, false, 0},
		"an error: 429":                    {inStream(`{"code":429,"message":"x"}`), limited, again, 0},
		"an error: 429 as text":            {inStream(`{"code":"429"}`), limited, again, 0},
		"an error: rate limited":           {inStream(`{"code":null,"type":"rate_limit_error","message":"x"}`), limited, again, 0},
		"an error: 503 behind others":      {aitest.Write(": hello\n\ndata: {\"id\":\"1\",\"error\":{\"code\":503},\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\"},\"finish_reason\":\"error\"}]}\n\n"), away, again, 0},
		"an error: 401":                    {aitest.Write(`{"error":{"code":401,"message":"` + testKey + `"}}`), wrong, false, 0},
		"an error: server":                 {inStream(`{"type":"server_error","message":"429"}`), away, again, 0},
		"an error: words":                  {inStream(`"429 rate limit"`), other, false, 0},
		"an error: unknown":                {inStream(`{"code":"odd","message":["401"]}`), other, false, 0},
		"an error of the choice":           {aitest.Write(`data: {"choices":[{"index":0,"delta":{},"error":{"code":502},"finish_reason":"error"}]}` + "\n\n"), away, again, 0},
		"an error behind text":             {aitest.Write("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"A\"}}]}\n\ndata: {\"error\":{\"code\":503}}\n\n"), away, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := aitest.New(t, c.step)
			f := failure(t, remote(t, s.URL))
			if f.Kind != c.kind || f.Again != c.again || f.RetryAfter != c.after {
				t.Errorf("%v: kind %d, again %t, after %s; want %d, %t, %s", f, f.Kind, f.Again, f.RetryAfter, c.kind, c.again, c.after)
			}
			for _, word := range []string{"rate limit", "not found", "pay", "unauthorized"} {
				if strings.Contains(f.Error(), word) {
					t.Errorf("the provider's words are in %v", f)
				}
			}
		})
	}
}

func TestRemoteShowsTheProvidersWords(t *testing.T) {
	t.Parallel()
	s := aitest.New(t, aitest.Fail(404, `{"error":{"message":"model \"small\" not found, `+testKey+`","type":"not_found_error"}}`))
	e, ok := errors.AsType[*provider.Error](failure(t, remote(t, s.URL)))
	if !ok || e.Status != 404 || e.Message != `model "small" not found, KEY` || e.Error() != `the provider answered with status 404, type "not_found_error"` {
		t.Errorf("got %+v", e)
	}
}

// A provider that says nothing, at whatever moment, is not waited for longer than the timeout.
func TestRemoteSilence(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		step    aitest.Step
		timeout time.Duration
		again   bool
	}{
		"before the answer": {aitest.Hang(), 50 * time.Millisecond, true},
		"within it":         {aitest.Hang("A"), 2 * time.Second, false}, // long enough for the piece to come on a busy machine
		"within an error": {func(w http.ResponseWriter, r *http.Request, _ aitest.Request) {
			w.WriteHeader(http.StatusBadGateway)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}, 50 * time.Millisecond, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := failure(t, remote(t, aitest.New(t, c.step).URL, func(o *provider.Options) { o.Timeout = c.timeout }))
			if f.Kind != model.FailureUnavailable || f.Again != c.again {
				t.Errorf("kind %d, again %t: %v", f.Kind, f.Again, f)
			}
		})
	}
}

// A provider that never ends, but is never silent either, is left at last.
func TestRemoteEndlessAnswer(t *testing.T) {
	t.Parallel()
	s := aitest.New(t, aitest.Flood(""))
	f := failure(t, remote(t, s.URL, func(o *provider.Options) { o.Timeout = 5 * time.Millisecond }))
	if f.Kind != model.FailureUnavailable && f.Kind != model.FailureOther { // by its time or by its size, whichever is first
		t.Errorf("kind %d: %v", f.Kind, f)
	}
}

func TestRemoteTransport(t *testing.T) {
	t.Parallel()
	const other, away, wrong = model.FailureOther, model.FailureUnavailable, model.FailureMisconfigured
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	t.Cleanup(secure.Close)
	plain := aitest.New(t, aitest.Say("A"))
	names := nameServer(t)
	local := func(o *provider.Options) { o.LocalOnly = true }
	for name, c := range map[string]struct {
		url    string
		change func(*provider.Options)
		kind   model.FailureKind
		again  bool
	}{
		"refused":                    {"http://" + closedPort(t), nil, away, true},
		"closed":                     {"http://" + rawServer(t, func(c *net.TCPConn) {}), nil, away, true},
		"reset":                      {"http://" + rawServer(t, func(c *net.TCPConn) { _ = c.SetLinger(0) }), nil, away, true},
		"no HTTP":                    {"http://" + rawServer(t, func(c *net.TCPConn) { _, _ = io.WriteString(c, "220 mail ready\r\n\r\n") }), nil, other, false},
		"cut in the head":            {"http://" + rawServer(t, func(c *net.TCPConn) { _, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\nConte") }), nil, other, false},
		"unknown certificate":        {secure.URL, nil, wrong, false},
		"no TLS":                     {strings.Replace(plain.URL, "http:", "https:", 1), nil, wrong, false},
		"cut in the handshake":       {"https://" + rawServer(t, func(c *net.TCPConn) {}), nil, away, true},
		"TLS expected":               {strings.Replace(secure.URL, "https:", "http:", 1), nil, other, false},
		"name not found":             {"http://nowhere.test", nil, wrong, false},
		"names not served":           {"http://broken.test", nil, away, true},
		"public, only local":         {"http://192.0.2.1", local, wrong, false},
		"public by name, only local": {"http://public.test", local, wrong, false},
		"public IPv6, only local":    {"http://[2001:db8::1]", local, wrong, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if c.change == nil {
				c.change = func(*provider.Options) {}
			}
			r := remote(t, c.url, c.change)
			r.ResolveAt(names)
			if f := failure(t, r); f.Kind != c.kind || f.Again != c.again {
				t.Errorf("kind %d, again %t: %v", f.Kind, f.Again, f)
			}
		})
	}
	for _, url := range []string{plain.URL, strings.Replace(plain.URL, "127.0.0.1", "home.test", 1)} {
		r := remote(t, url, local)
		r.ResolveAt(names)
		if reply, _, err := heard(t, r, promptOf("x")); err != nil || reply.Text != "A" {
			t.Errorf("only local at %s: %q, %v", url, reply.Text, err)
		}
	}
}

// A key never goes to another place than it was given for.
func TestRemoteFollowsNoRedirects(t *testing.T) {
	t.Parallel()
	thief := aitest.New(t, aitest.Say("A"))
	for _, status := range []int{301, 302, 303, 307, 308} {
		s := aitest.New(t, aitest.Fail(status, "", "Location", thief.URL+"/chat/completions"))
		if f := failure(t, remote(t, s.URL)); f.Kind != model.FailureMisconfigured {
			t.Errorf("%d: kind %d", status, f.Kind)
		}
	}
	if n := len(thief.Requests()); n > 0 {
		t.Errorf("%d requests went elsewhere", n)
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	const date = "Mon, 04 May 2026 10:00:00 GMT"
	for text, want := range map[string]time.Duration{
		"": 0, "0": 0, " 5 ": 5 * time.Second, "-5": 0, "1.5": 0, "soon": 0, "999999999999999999999": 0, "2000000000": 24 * time.Hour,
		"Mon, 04 May 2026 09:59:00 GMT": 0, "Mon, 04 May 2026 10:01:40 GMT": 100 * time.Second, "Tue, 04 May 2027 10:00:00 GMT": 24 * time.Hour,
	} {
		if got := provider.RetryAfter(http.Header{"Retry-After": {text}, "Date": {date}}); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// closedPort is an address at which nobody listens any more.
func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// rawServer reads the beginning of what is sent and answers by do, and hangs up.
func rawServer(t *testing.T, do func(*net.TCPConn)) string {
	t.Helper()
	l, err := net.ListenTCP("tcp", &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.AcceptTCP()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 64<<10))
			do(c)
			c.Close()
		}
	}()
	return l.Addr().String()
}

// nameServer knows home.test (127.0.0.1) and public.test (192.0.2.1), is broken for broken.test, and knows no other name.
func nameServer(t *testing.T) string {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go func() {
		query := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(query)
			if err != nil {
				return
			}
			_, _ = conn.WriteTo(nameAnswer(query[:n]), from)
		}
	}()
	return conn.LocalAddr().String()
}

// nameAnswer answers a query of the domain name system: a head of 12 bytes, the name, type and class.
func nameAnswer(query []byte) []byte {
	end := 12 + bytes.IndexByte(query[12:], 0) + 5
	ofIPv4 := query[end-3] == 1
	rcode, address := byte(3), []byte(nil) // no such name
	switch name := string(query[13 : 13+query[12]]); {
	case name == "broken":
		rcode = 2
	case name == "home" || name == "public":
		rcode = 0
		address = map[string][]byte{"home": {127, 0, 0, 1}, "public": {192, 0, 2, 1}}[name]
	}
	head := []byte{query[0], query[1], 0x81, 0x80 | rcode, 0, 1, 0, 0, 0, 0, 0, 0}
	if address == nil || !ofIPv4 {
		return append(head, query[12:end]...)
	}
	head[7] = 1
	return append(append(head, query[12:end]...), append([]byte{0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4}, address...)...)
}
