package handlers

import (
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/entry"
)

// oneByte gives a byte, and then an error.
type oneByte struct{ given bool }

func (r *oneByte) Read(p []byte) (int, error) {
	if r.given {
		return 0, io.ErrUnexpectedEOF
	}
	r.given = true
	return copy(p, "{"), nil
}

// TestAnnouncedLengthReservesNothing: not parallel, as all that is allocated meanwhile is counted.
func TestAnnouncedLengthReservesNothing(t *testing.T) {
	const announced = 75 << 20
	var before, after runtime.MemStats
	all := newMemory(bodyMemory)
	one := &share{of: all}
	runtime.ReadMemStats(&before)
	if _, err := readAll(new(oneByte), announced, one); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
		t.Errorf("%d bytes were allocated for a byte of %d that were announced", got, announced)
	}
	if one.held != firstPiece {
		t.Errorf("%d bytes are held", one.held)
	}
	one.release()
	if all.free != bodyMemory || len(all.byKey) != 0 {
		t.Errorf("%d bytes are free, held %v", all.free, all.byKey)
	}
	for _, length := range []int{0, 1, firstPiece - 1, firstPiece, 100_000} {
		for _, announced := range []int64{int64(length), -1} {
			s := &share{of: all}
			data, err := readAll(strings.NewReader(strings.Repeat("x", length)), announced, s)
			if err != nil || len(data) != length || s.held != int64(cap(data)) || announced >= 0 && s.held > announced+1 {
				t.Errorf("%d of %d: got %d, %d held, %v", length, announced, len(data), s.held, err)
			}
			s.release()
		}
	}
}

// TestMemoryIsShared: one key takes what there is but for the reserve, which is for those who hold little.
func TestMemoryIsShared(t *testing.T) {
	t.Parallel()
	all := newMemory(bodyMemory)
	greedy := make([]*share, 6)
	var refused int
	for i := range greedy {
		greedy[i] = &share{of: all, key: 1}
		if err := greedy[i].take(10 << 20); err != nil {
			refused++
			if !ledger.IsKind(err, ledger.Unavailable) {
				t.Errorf("refused as %v", err)
			}
		}
	}
	if refused != 1 || all.free != bodyMemory-50<<20 {
		t.Errorf("%d were refused, %d bytes are free", refused, all.free)
	}
	other := &share{of: all, key: 2}
	if err := other.take(littleMemory); err != nil {
		t.Errorf("another key: %v", err)
	}
	if err := greedy[0].take(6<<20 + 1); !ledger.IsKind(err, ledger.Unavailable) {
		t.Errorf("more of a key that holds much: %v", err)
	}
	if err := (&share{of: all, key: 3}).take(bodyMemory); ledger.AsError(err) == nil || ledger.AsError(err).Code != codeTooLarge {
		t.Errorf("what never fits is to be tried again: %v", err)
	}
	for _, s := range append(greedy, other) {
		s.release()
		s.release() // counts once
	}
	if all.free != bodyMemory || len(all.byKey) != 0 {
		t.Errorf("%d bytes are free, held %v", all.free, all.byKey)
	}
}

// TestBodiesInFlight share their memory over all connections: the one too many is answered 503, another key's body comes
// through, and at the end everything is given back.
func TestBodiesInFlight(t *testing.T) {
	t.Parallel()
	const length, sent = 16 << 20, 12 << 20
	g := newServerRig(t, route{method: "POST", path: "/", access: read, bodyMax: length, handle: echo("ok")})
	w := g.listen(t, DefaultConnectionLimits(), usualPace())
	answers := make(chan reply, 8)
	var open []*socket
	for range 5 { // 3 have room
		s := w.dial(t)
		open = append(open, s)
		go func() {
			_, _ = io.WriteString(s, `POST / HTTP/1.1`+"\r\nHost: a\r\nX-Api-Key: write\r\nContent-Length: "+strconv.Itoa(length)+"\r\n\r\n\""+strings.Repeat("x", sent))
		}()
		go func() {
			if resp, err := s.head(); err == nil {
				data, _ := io.ReadAll(resp.Body)
				_ = resp.Body.Close()
				answers <- reply{resp, string(data)}
			}
		}()
	}
	for range 2 {
		got := <-answers
		got.is(t, 503, `{"error":"unavailable","message":"too many bodies are being received at once; nothing was written, send it again in a moment","details":null}`)
		checkHeaders(t, got, map[string]string{"Retry-After": "5"})
	}
	w.dial(t).ask(t, post("/", 1<<20), "read", "\r\n\""+strings.Repeat("x", 1<<20-2)+"\"").answer(t).is(t, 200, "")
	for _, s := range open {
		_ = s.Close()
	}
	until(t, "all memory is given back", func() bool {
		return g.bodies.left() == bodyMemory
	})
}

// TestTreesTakeMemory: what a small body becomes is counted, too.
func TestTreesTakeMemory(t *testing.T) {
	t.Parallel()
	body := "[" + strings.Repeat("{},", 100_000) + "{}]"
	s := &share{of: newMemory(bodyMemory)}
	if _, err := parseJSON([]byte(body), s); err != nil || s.held < 100_000*objectMemory {
		t.Errorf("%d bytes are held, %v", s.held, err)
	}
	if _, err := parseJSON([]byte(body), s); ledger.AsError(err) == nil || ledger.AsError(err).Code != codeTooLarge {
		t.Errorf("twice as much: %v", err)
	}
	// The largest batch fits: as many transactions as may be with all members that there are.
	one := "{" + strings.Repeat(`"0123456789abcdef0123456789":1,`, 37) + `"z":1}`
	for i := 0; strings.Contains(one, "0123456789abcdef0123456789"); i++ {
		one = strings.Replace(one, "0123456789abcdef0123456789", "m"+strconv.Itoa(i)+"_with_a_long_name_of_its_own"[:25], 1)
	}
	largest := "[" + strings.Repeat(one+",", entry.MaxBulk-1) + one + "]"
	all := &share{of: newMemory(bodyMemory)}
	if err := all.take(bulkBodyMax); err != nil {
		t.Fatal(err)
	}
	if _, err := parseJSON([]byte(largest), all); err != nil {
		t.Errorf("the largest batch: %v", err)
	}
}

// quick is a pace of which a test need not wait for the end.
func quick() pace {
	return pace{floor: 1 << 10, begin: 50 * time.Millisecond, most: 100 * time.Millisecond, rest: 50 * time.Millisecond}
}

// TestSlowBodies are ended, and never read where nobody may send one.
func TestSlowBodies(t *testing.T) {
	t.Parallel()
	g := newServerRig(t, route{method: "POST", path: "/", access: write, handle: echo("ok")},
		route{method: "POST", path: "/imports", access: write, rawBody: true, handle: func(a *answer, r *request) error {
			_, err := receiveImport(r, io.Discard)
			return err
		}})
	w := g.listen(t, DefaultConnectionLimits(), quick())
	const late = `{"error":"request_timeout","message":"the body did not arrive in time; nothing was written","details":null}`
	for name, c := range map[string]struct{ head, begin string }{
		"JSON":       {post("/", 1000), `{"a":`},
		"nothing":    {post("/", 1000), ``},
		"chunked":    {"POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked", "1\r\n{\r\n"},
		"an import":  {post("/imports", 1000), `{"a":`},
		"multipart":  {"POST /imports HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\nContent-Type: " + mimePart, "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\nd"},
		"too long":   {post("/", 3000), `{"a":`},
		"not wanted": {post("/nowhere", 1000), `{"a":`},
		"no key":     {post("/", 1000), `{"a":`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key, status, want := "write", 408, late
			switch name {
			case "too long":
				status, want = 422, ""
			case "not wanted":
				status, want = 404, ""
			case "no key":
				key, status, want = "", 401, ""
			}
			s := w.dial(t).ask(t, c.head, key, "\r\n"+c.begin)
			s.answer(t).is(t, status, want)
			if !s.ended() {
				t.Error("the connection stays open")
			}
		})
	}
	s := w.dial(t)
	for range 3 { // the pace of a body says nothing of the next one
		s.ask(t, post("/", 7), "write", "\r\n{\"a\":1}").answer(t).is(t, 200, "")
		s.ask(t, post("/", 7), "read", "\r\n{\"a\":1}").answer(t).is(t, 403, "")
	}
}

// deadlines notes until when a body may take.
type deadlines []time.Time

func (d *deadlines) SetReadDeadline(at time.Time) error {
	*d = append(*d, at)
	return nil
}

// TestPace: every byte gives time, up to a bound, and the end of the body all that a request may have.
func TestPace(t *testing.T) {
	t.Parallel()
	const little, much = 2 << 10, 1 << 20
	var given deadlines
	began := time.Now()
	p := usualPace()
	b := &arrivingBody{ReadCloser: io.NopCloser(strings.NewReader(strings.Repeat("x", little+much))), arrivals: &arrivals{pace: p}, from: &given,
		credit: p.begin, until: began.Add(time.Hour)}
	for _, n := range []int{little, much, 1} {
		if _, err := b.Read(make([]byte, n)); err != nil && err != io.EOF {
			t.Fatal(err)
		}
	}
	took := time.Since(began)
	want := []time.Duration{p.begin, p.begin + 2*time.Second, p.most, time.Hour}
	for i, at := range given {
		if from := at.Sub(began); from > want[i]+took || from < want[i]-took {
			t.Errorf("%d: until %s, want %s", i, from, want[i])
		}
	}
	if len(given) != len(want) {
		t.Errorf("%d deadlines", len(given))
	}
}

// TestExpectations: a client that asks first is told at once, and sends nothing.
func TestExpectations(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	w := g.listen(t)
	for _, c := range []struct {
		path, key string
		length    int
		status    int
	}{
		{"/api/v1/imports", "write", 1 << 30, 422},
		{"/api/v1/imports/preflight", "read", 1 << 30, 422},
		{"/api/v1/tags", "write", 1 << 30, 422},
		{"/api/v1/tags", "read", 10, 403},
		{"/api/v1/tags", "", 1 << 30, 401},
		{"/api/v1/tags", "guess", 10, 401},
		{"/api/v1/nothing", "write", 1 << 30, 404},
	} {
		for _, more := range []string{"", "\r\nIdempotency-Key: x"} {
			s := w.dial(t).ask(t, post(c.path, c.length)+"\r\nExpect: 100-continue"+more, c.key, "\r\n")
			s.answer(t).is(t, c.status, "")
		}
	}
	s := w.dial(t).ask(t, post("/api/v1/tags", 22)+"\r\nExpect: 100-continue", "write", "\r\n")
	if go100, err := s.head(); err != nil || go100.StatusCode != http.StatusContinue {
		t.Fatalf("got %v, %v", go100, err)
	}
	if _, err := io.WriteString(s, `{"tag":{"name":"good"}}`); err != nil {
		t.Fatal(err)
	}
	s.answer(t).is(t, 400, "") // the body is one byte longer
}

// TestTooLongIsSaid: a client that sends all before it listens is told what was too long, and not cut off.
func TestTooLongIsSaid(t *testing.T) {
	t.Parallel()
	g := newRig(t)
	w := g.listen(t)
	for body, want := range map[string]string{
		`{"name_col_label":"` + strings.Repeat("x", 8<<20) + `"}`:   "the body is longer than 4.0 MiB beside raw_file_content",
		`{"raw_file_content":"` + strings.Repeat("x", 8<<20) + `"}`: "the file is longer than 2.9 KiB (3,000 bytes)",
		`{"name_col_label":"` + strings.Repeat("x", 9<<20) + `"}`:   "the body is longer than 8.0 MiB (8,391,608 bytes)",
	} {
		got := w.dial(t).ask(t, post("/api/v1/imports", len(body)), "write", "\r\n"+body).answer(t)
		if got.StatusCode != 422 || got.code() != codeTooLarge || !strings.Contains(got.body, want) {
			t.Errorf("got %d %s, want %s", got.StatusCode, got.body, want)
		}
	}
}

// TestPreflightsTakeMemory: a file that is only looked at is kept in memory, packed, and counts as what it takes there.
func TestPreflightsTakeMemory(t *testing.T) {
	t.Parallel()
	s := &countedSpool{Buffer: importer.New(importer.Options{Max: 1 << 30}).NewSpool(), share: newMemory(bodyMemory).newShare()}
	random := rand.NewChaCha8([32]byte{1})
	if _, err := io.CopyN(s, random, 10<<20); err != nil || s.share.holds() < 10<<20 || s.share.holds() != s.Held() {
		t.Errorf("%d bytes are held, %v", s.share.holds(), err)
	}
	if _, err := io.CopyN(s, random, 60<<20); ledger.AsError(err) == nil || ledger.AsError(err).Code != codeTooLarge {
		t.Errorf("more than fits: %v", err)
	}
}
