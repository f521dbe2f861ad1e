package handlers

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

	"finsvc/ledger"
)

const (
	headerIdempotency = "Idempotency-Key"
	maxIdempotencyKey = 255
	// saveTimeout bounds the saving of an answer, which goes on when the client has left.
	saveTimeout = 5 * time.Second
)

// storedAnswer is a successful answer to a POST, and the digest of the request it answered.
type storedAnswer struct {
	digest      [sha256.Size]byte
	status      int
	contentType string
	body        []byte
}

// answerStore keeps answers for a day under the key that asked and its Idempotency-Key. Without find
// and save nothing is kept. One process serves a database, so what is running is known here.
type answerStore struct {
	find func(ctx context.Context, who ledger.Actor, key string) (*storedAnswer, error) // nil when there is none
	save func(ctx context.Context, who ledger.Actor, key string, a storedAnswer) error

	mu      sync.Mutex
	running map[runningKey]bool
}

type runningKey struct {
	apiKey int64
	key    string
}

// claim marks a request as running; ok is false when the same one already is.
func (s *answerStore) claim(k runningKey) (release func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running[k] {
		return nil, false
	}
	if s.running == nil {
		s.running = map[runningKey]bool{}
	}
	s.running[k] = true
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.running, k)
	}, true
}

// withIdempotency runs next, or answers as it did the first time when the request is a repeat. Only
// successes are kept: what failed left nothing behind and can be done again.
func (s *Server) withIdempotency(a *answer, r *request, next func() error) error {
	keys := r.Header.Values(headerIdempotency)
	if r.Method != http.MethodPost || r.session == nil || len(keys) == 0 {
		return next()
	}
	if err := checkIdempotencyKey(keys); err != nil {
		return err
	}
	if s.answers.find == nil {
		return next()
	}
	release, ok := s.answers.claim(runningKey{r.session.KeyID, keys[0]})
	if !ok {
		return ledger.NewConflict("a request with this %s is still running", headerIdempotency)
	}
	defer release()
	old, err := s.answers.find(r.Context(), r.who(), keys[0])
	if err != nil {
		return err
	}
	digest := digestBody(r)
	if old != nil {
		return s.replay(a, r, digest, old)
	}
	if err := next(); err != nil {
		return err
	}
	s.keep(a, r, digest, keys[0])
	return nil
}

func checkIdempotencyKey(keys []string) error {
	valid := len(keys) == 1 && keys[0] != "" && len(keys[0]) <= maxIdempotencyKey
	for i := 0; valid && i < len(keys[0]); i++ {
		valid = '!' <= keys[0][i] && keys[0][i] <= '~'
	}
	if !valid {
		return ledger.NewMalformed("the header %s must be given once, with 1 to %d visible ASCII characters", headerIdempotency, maxIdempotencyKey)
	}
	return nil
}

// replay gives the stored answer again, provided that the request is the same.
func (s *Server) replay(a *answer, r *request, digest *bodyDigest, old *storedAnswer) error {
	r.Body = http.MaxBytesReader(a.w, r.Body, s.limit(r.route))
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return bodyError(err)
	}
	if digest.sum() != old.digest {
		return ledger.NewConflict("this %s was used for another request; use a new one for each request", headerIdempotency)
	}
	a.header().Set("Idempotency-Replayed", "true")
	a.status, a.contentType = old.status, old.contentType
	a.json.reset()
	_, _ = a.json.Write(old.body)
	return nil
}

// keep stores a success. The work is done by now, so a failure here is for the log only.
func (s *Server) keep(a *answer, r *request, digest *bodyDigest, key string) {
	if a.streaming || a.status >= http.StatusMultipleChoices {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), saveTimeout)
	defer cancel()
	_, err := io.Copy(io.Discard, r.Body) // the digest is that of the whole body
	if err == nil {
		err = s.answers.save(ctx, r.who(), key, storedAnswer{digest.sum(), a.status, a.contentType, bytes.Clone(a.json.buf)})
	}
	if err != nil {
		s.log.LogAttrs(ctx, slog.LevelError, "answer not kept for repeats", slog.String("request_id", r.id), slog.String("error", err.Error()))
	}
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
func digestBody(r *request) *bodyDigest {
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

// sum is the digest of what was read. It ends the hashing.
func (d *bodyDigest) sum() (digest [sha256.Size]byte) {
	d.hash.Write(d.held)
	d.held = nil
	d.hash.Sum(digest[:0])
	return digest
}
