package handlers

import (
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"finsvc/handlers/apitest"
	"finsvc/handlers/wire"
	"finsvc/importer"
	"finsvc/ledger"
)

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
			s := w.Dial(t).Ask(t, apitest.Post(c.path, c.length)+"\r\nExpect: 100-continue"+more, c.key, "\r\n")
			s.Answer(t).Is(t, c.status, "")
		}
	}
	s := w.Dial(t).Ask(t, apitest.Post("/api/v1/tags", 22)+"\r\nExpect: 100-continue", "write", "\r\n")
	if go100, err := s.Head(); err != nil || go100.StatusCode != http.StatusContinue {
		t.Fatalf("got %v, %v", go100, err)
	}
	if _, err := io.WriteString(s, `{"tag":{"name":"good"}}`); err != nil {
		t.Fatal(err)
	}
	s.Answer(t).Is(t, 400, "") // the body is one byte longer
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
		got := w.Dial(t).Ask(t, apitest.Post("/api/v1/imports", len(body)), "write", "\r\n"+body).Answer(t)
		if got.StatusCode != 422 || got.Code() != wire.CodeTooLarge || !strings.Contains(got.Text, want) {
			t.Errorf("got %d %s, want %s", got.StatusCode, got.Text, want)
		}
	}
}

// TestPreflightsTakeMemory: a file that is only looked at is kept in memory, packed, and counts as what it takes there.
func TestPreflightsTakeMemory(t *testing.T) {
	t.Parallel()
	s := &countedBuffer{Buffer: importer.New(importer.Options{Max: 1 << 30}).NewBuffer(), share: wire.NewMemory(wire.BodyMemory).NewShare()}
	random := rand.NewChaCha8([32]byte{1})
	if _, err := io.CopyN(s, random, 10<<20); err != nil || s.share.Holds() < 10<<20 || s.share.Holds() != s.Held() {
		t.Errorf("%d bytes are held, %v", s.share.Holds(), err)
	}
	if _, err := io.CopyN(s, random, 60<<20); ledger.AsError(err) == nil || ledger.AsError(err).Code != wire.CodeTooLarge {
		t.Errorf("more than fits: %v", err)
	}
}
