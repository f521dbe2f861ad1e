package middleware

import (
	"bytes"
	"context"
	"crypto/sha256"
	"hash"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"sync"
	"time"

	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/tenant"
)

const (
	headerIdempotency = "Idempotency-Key"
	maxIdempotencyKey = 255
	// saveTimeout bounds the saving of an answer, which goes on when the client has left.
	saveTimeout = 5 * time.Second
)

// runningRequests are the requests with an Idempotency-Key that are being answered. One process serves
// a database, so they are known here.
//
// The answer itself is stored by the write that did the work, of an upload by its last, so that a crash cannot part
// them. Only a run of rules, which is many writes and does nothing twice, is followed by its answer. If-Match is
// checked in that write, too.
type runningRequests struct {
	mu   sync.Mutex
	keys map[runningKey]bool
}

type runningKey struct {
	apiKey int64 // the first of those that were rotated into one another
	key    string
}

// claim marks a request as running; ok is false when the same one already is.
func (s *runningRequests) claim(k runningKey) (release func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys[k] {
		return nil, false
	}
	if s.keys == nil {
		s.keys = map[runningKey]bool{}
	}
	s.keys[k] = true
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.keys, k)
	}, true
}

// writes takes requests that write through their checks.
type writes struct {
	answers   *tenant.Answers
	running   runningRequests
	unchanged precondition
	bodyMax   int64 // longest ordinary body in bytes
	log       *slog.Logger
}

// idempotent reads the body and runs the handler, or answers as it did the first time when the request is a
// repeat. Only successes are kept: what failed left nothing behind and can be done again.
func (s *writes) idempotent(a *wire.Answer, r *inbound) error {
	keys := r.Header.Values(headerIdempotency)
	if r.Session == nil || len(keys) == 0 {
		return s.handle(a, r)
	}
	if err := checkIdempotencyKey(keys); err != nil {
		return err
	}
	release, ok := s.running.claim(runningKey{r.Session.FirstKeyID, keys[0]})
	if !ok {
		return ledger.NewConflict("a request with this %s is still running", headerIdempotency)
	}
	defer release()
	old, err := s.answers.FindAnswer(r.Context(), r.Session, keys[0])
	if err != nil {
		return err
	}
	digest := digestBody(r.Request)
	if old != nil {
		return s.replay(a, r, digest, old)
	}
	if r.route.RawBody {
		return s.handleStream(a, r, digest, keys[0])
	}
	// Do the work and keep its answer in one write, so that no crash can part them.
	key := keys[0]
	if err := s.receive(a, r); err != nil {
		return err
	}
	return s.answers.Together(r.Context(), func(ctx context.Context) error {
		r.Request.Request = r.WithContext(ctx)
		if err := s.work(ctx, a, r); err != nil {
			return err
		}
		return s.keep(ctx, a, r, digest, key)
	})
}

// handle is what happens to a request without a key.
func (s *writes) handle(a *wire.Answer, r *inbound) error {
	body := r.Body
	if err := s.receive(a, r); err != nil {
		return err
	}
	if r.route.RawBody {
		err := s.work(r.Context(), a, r)
		wire.ReadAway(r.Request, body, err)
		return err
	}
	if ifMatch(r) == "" {
		return s.work(r.Context(), a, r)
	}
	return s.answers.Together(r.Context(), func(ctx context.Context) error {
		r.Request.Request = r.WithContext(ctx)
		return s.work(ctx, a, r)
	})
}

// work does what the request asks for, if what it is about is still what the client thinks.
func (s *writes) work(ctx context.Context, a *wire.Answer, r *inbound) error {
	if err := s.unchanged.check(ctx, r); err != nil {
		return err
	}
	return r.route.Handle(a, r.Request)
}

// handleStream is for what must not happen within one write: a body that is stored while it arrives, a file that is
// read. The handler keeps the answer by its last write, so that no crash can part them. Where there is none, as after
// a run of rules, it is kept afterwards; then to do the work again does no harm.
func (s *writes) handleStream(a *wire.Answer, r *inbound, digest *bodyDigest, key string) error {
	kept := false
	r.Keep = func(ctx context.Context) error {
		kept = true
		return s.keep(ctx, a, r, digest, key)
	}
	if err := s.handle(a, r); err != nil || kept {
		return err
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), saveTimeout)
	defer cancel()
	if err := s.keep(ctx, a, r, digest, key); err != nil {
		s.log.LogAttrs(ctx, slog.LevelError, "answer not kept for repeats", slog.String("request_id", r.ID),
			slog.String("error", err.Error()))
	}
	return nil
}

func checkIdempotencyKey(keys []string) error {
	valid := len(keys) == 1 && keys[0] != "" && len(keys[0]) <= maxIdempotencyKey
	for i := 0; valid && i < len(keys[0]); i++ {
		valid = '!' <= keys[0][i] && keys[0][i] <= '~'
	}
	if !valid {
		return ledger.NewMalformed("the header %s must be given once, with 1 to %d visible ASCII characters",
			headerIdempotency, maxIdempotencyKey)
	}
	return nil
}

// replay gives the stored answer again, provided that the request is the same.
func (s *writes) replay(a *wire.Answer, r *inbound, digest *bodyDigest, old *tenant.Answer) error {
	if err := s.announced(r); err != nil {
		return err
	}
	r.Body = http.MaxBytesReader(a.W, r.Body, s.limit(r.route))
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return wire.BodyError(err)
	}
	if sum := digest.sum(); !bytes.Equal(sum[:], old.Digest) {
		return ledger.NewConflict("this %s was used for another request; use a new one for each request",
			headerIdempotency)
	}
	a.Header().Set("Idempotency-Replayed", "true")
	a.Status, a.ContentType = old.Status, old.ContentType
	a.Json.Reset()
	_, _ = a.Json.Write(old.Body)
	return nil
}

// keep stores a success.
func (s *writes) keep(ctx context.Context, a *wire.Answer, r *inbound, digest *bodyDigest, key string) error {
	if a.Streaming || a.Status >= http.StatusMultipleChoices {
		return nil
	}
	if _, err := io.Copy(io.Discard, r.Body); err != nil { // the digest is that of the whole body
		return wire.BodyError(err)
	}
	sum := digest.sum()
	body := append([]byte{}, a.Json.Bytes()...) // empty, not nil, where there is none
	return s.answers.SaveAnswer(ctx, r.Session, key, tenant.Answer{Digest: sum[:], Status: a.Status,
		ContentType: a.ContentType, Body: body})
}

// bodyDigest hashes a request as its body is read: method, path, query and body. The boundary of a
// multipart body is left out, as clients make up a new one each time.
type bodyDigest struct {
	io.ReadCloser
	hash     hash.Hash
	boundary []byte
	held     []byte // the end of what was read, which may be the beginning of a boundary
}

// digestBody begins hashing: it takes the place of r's body.
func digestBody(r *wire.Request) *bodyDigest {
	d := &bodyDigest{ReadCloser: r.Body, hash: sha256.New()}
	if _, params, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil {
		d.boundary = []byte(params["boundary"])
	}
	io.WriteString(d.hash, r.Method+" "+tidyPath(r.URL.Path)+"?"+r.URL.RawQuery+"\n")
	r.Body = d
	return d
}

// Read reads the body and hashes what was read.
func (d *bodyDigest) Read(p []byte) (int, error) {
	n, err := d.ReadCloser.Read(p)
	d.write(p[:n])
	return n, err
}

func (d *bodyDigest) write(p []byte) {
	if len(d.boundary) == 0 {
		d.hash.Write(p)
		return
	}
	rest := append(d.held, p...)
	for i := bytes.Index(rest, d.boundary); i >= 0; i = bytes.Index(rest, d.boundary) {
		d.hash.Write(rest[:i])
		rest = rest[i+len(d.boundary):]
	}
	sure := max(0, len(rest)-len(d.boundary)+1)
	d.hash.Write(rest[:sure])
	d.held = append([]byte(nil), rest[sure:]...)
}

// writeSum is the digest of what was read. It ends the hashing.
func (d *bodyDigest) sum() (digest [sha256.Size]byte) {
	d.hash.Write(d.held)
	d.held = nil
	d.hash.Sum(digest[:0])
	return digest
}

// receive limits the body and decodes it, unless the handler does that itself.
func (s *writes) receive(a *wire.Answer, r *inbound) error {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return nil
	}
	unlimited := r.Body
	r.Body = http.MaxBytesReader(a.W, unlimited, s.limit(r.route))
	err := s.announced(r)
	if err == nil && !r.route.RawBody {
		err = r.DecodeBody()
	}
	wire.ReadAway(r.Request, unlimited, err)
	return err
}

// announced refuses a body by the length that its head says it has, before anything of it is read.
func (s *writes) announced(r *inbound) error {
	if limit := s.limit(r.route); r.ContentLength > limit {
		return wire.ErrTooLong(limit)
	}
	return nil
}

func (s *writes) limit(rt *Route) int64 {
	if rt.BodyMax > 0 {
		return rt.BodyMax
	}
	return s.bodyMax
}
