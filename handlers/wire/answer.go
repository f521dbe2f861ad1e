package wire

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/klauspost/compress/gzip"
)

const (
	TypeJSON = "application/json; charset=utf-8"

	// compressFrom is the length in bytes from which compression pays.
	compressFrom = 1024
	// keepBuffers is the longest buffer that is kept for the next request.
	keepBuffers = 1 << 20
	// sendTimeout bounds how long a client may take to read an answer.
	SendTimeout = 2 * time.Minute
	// statusClientGone stands in the log for a request whose client did not wait.
	StatusClientGone = 499
)

// Answer is what a handler fills: a status, 200 unless changed, and a body. It is sent whole after the
// handler has returned, so an error can still replace it, and its length is always known.
type Answer struct {
	Status      int
	Json        *Writer
	ContentType string // of the body; JSON unless changed

	W         http.ResponseWriter
	Request   *http.Request
	pools     *Pools
	packed    *Writer         // of the compressed body, if it was compressed
	Ready     *Representation // what is sent instead of json
	Tagged    bool            // it gets an ETag if it is a 200
	Streaming bool            // the handler writes itself, see stream
	Sent      int64           // bytes of body sent
	Streams   *atomic.Int64   // counts the streams that are open, unless nil
}

// Representation is an answer as it is sent. Nobody changes it.
type Representation struct {
	Body              []byte
	packed            bool // by gzip
	Etag, ContentType string
}

// Pools keep what answers are made with for the next ones.
type Pools struct{ writers, packers sync.Pool }

func NewPools() *Pools {
	return &Pools{
		writers: sync.Pool{New: func() any { return new(Writer) }},
		packers: sync.Pool{New: func() any {
			z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level exists
			return z
		}},
	}
}

// writer gives an empty writer, to be given back to drop.
func (p *Pools) writer() *Writer {
	j := p.writers.Get().(*Writer)
	j.Reset()
	return j
}

func (p *Pools) drop(j *Writer) {
	if cap(j.Buf) <= keepBuffers {
		p.writers.Put(j)
	}
}

// compress packs body into dst. Writing to memory does not fail.
func (p *Pools) compress(dst *Writer, body []byte) {
	z := p.packers.Get().(*gzip.Writer)
	defer p.packers.Put(z)
	z.Reset(dst)
	_, _ = z.Write(body)
	_ = z.Close()
}

func NewAnswer(p *Pools, w http.ResponseWriter, r *http.Request) *Answer {
	return &Answer{Status: http.StatusOK, Json: p.writer(), ContentType: TypeJSON, W: w, Request: r, pools: p}
}

func (a *Answer) Release() {
	a.pools.drop(a.Json)
	a.Json = nil
	if a.packed != nil {
		a.pools.drop(a.packed)
		a.packed = nil
	}
}

// Header gives the headers to be sent.
func (a *Answer) Header() http.Header { return a.W.Header() }

// Created makes it a 201.
func (a *Answer) Created() { a.Status = http.StatusCreated }

// NoContent makes it a 204, which has no body.
func (a *Answer) NoContent() { a.Status = http.StatusNoContent }

// Encode makes the body of any value by encoding/json, for answers that are not hot.
func (a *Answer) Encode(v any) error {
	a.Json.Reset()
	enc := json.NewEncoder(a.Json)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// Message makes the body {"message": text}.
func (a *Answer) Message(text string) {
	a.Json.Reset()
	a.Json.Open("")
	a.Json.Text("message", text)
	a.Json.Close()
}

// Stream begins an answer that the handler writes piece by piece, such as server-sent events. It has
// neither length nor compression nor time limit. The controller flushes.
func (a *Answer) Stream(contentType string) (http.ResponseWriter, *http.ResponseController) {
	a.Streaming = true
	if a.Streams != nil {
		a.Streams.Add(1)
	}
	control := http.NewResponseController(a.W)
	// Both are unsupported by some test recorders only; a limit that stays ends the stream early, no more.
	_ = control.SetReadDeadline(time.Time{})
	_ = control.SetWriteDeadline(time.Time{})
	a.Header().Set("Content-Type", contentType)
	a.Header().Set("Cache-Control", "no-store, no-transform") // a proxy that packs answers would hold them back
	a.W.WriteHeader(a.Status)
	return a.W, control
}

// Send sends what the handler has filled.
func (a *Answer) Send() {
	if a.Streaming || a.Status == StatusClientGone {
		return
	}
	_ = http.NewResponseController(a.W).SetWriteDeadline(time.Now().Add(SendTimeout)) // unsupported by recorders only
	h := a.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if a.Status == http.StatusNoContent {
		a.W.WriteHeader(a.Status)
		return
	}
	rep := a.Ready
	if rep == nil {
		made := a.Represent()
		rep = &made
	}
	if a.unchanged(rep) {
		return
	}
	h.Set("Content-Type", rep.ContentType)
	if rep.packed {
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(rep.Body)))
	a.W.WriteHeader(a.Status)
	n, _ := a.W.Write(rep.Body) // a client that is gone cannot be told
	a.Sent = int64(n)
}

// Represent makes what is sent of what the handler wrote.
func (a *Answer) Represent() Representation {
	rep := Representation{Body: a.Json.Buf, ContentType: a.ContentType}
	if a.Tagged && a.Status == http.StatusOK {
		rep.Etag = EtagOf(rep.Body)
	}
	if len(rep.Body) < compressFrom || !AcceptsGzip(a.Request.Header.Get("Accept-Encoding")) {
		return rep
	}
	a.packed = a.pools.writer()
	a.pools.compress(a.packed, rep.Body)
	rep.Body, rep.packed = a.packed.Buf, true
	if rep.Etag != "" {
		rep.Etag = strings.TrimSuffix(rep.Etag, `"`) + packedTag + `"`
	}
	return rep
}

// unchanged sets the headers that let a client keep the answer, and sends 304 if it has it already.
func (a *Answer) unchanged(rep *Representation) bool {
	h := a.Header()
	h.Add("Vary", "Accept-Encoding")
	if rep.Etag == "" {
		return false
	}
	h.Add("Vary", "Accept-Language, Authorization, X-Api-Key")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("ETag", rep.Etag)
	if !MatchesTag(strings.Join(a.Request.Header.Values("If-None-Match"), ","), rep.Etag) {
		return false
	}
	a.Status = http.StatusNotModified
	a.W.WriteHeader(a.Status)
	return true
}

// AcceptsGzip reads an Accept-Encoding header: gzip is named, and not with a weight of zero.
func AcceptsGzip(header string) bool {
	for part := range strings.SplitSeq(header, ",") {
		name, weight, _ := strings.Cut(part, ";")
		if !strings.EqualFold(strings.TrimSpace(name), "gzip") {
			continue
		}
		_, q, given := strings.Cut(weight, "=")
		value, err := strconv.ParseFloat(strings.TrimSpace(q), 64)
		return !given || err == nil && value > 0
	}
	return false
}

// packedTag ends the ETag of a compressed body, which is another sequence of bytes and must have another tag.
const packedTag = "-gzip"

// EtagOf is the tag of a body before it is compressed: it is the same whenever the body is, on every server.
func EtagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
}

// MatchesTag reports whether an If-Match or If-None-Match header has the tag. What proxies that compress make of a tag is
// taken for it: it was made from the content, so nothing else can have it (RFC 9110, 8.8.3).
func MatchesTag(header, etag string) bool {
	for given := range strings.SplitSeq(header, ",") {
		given = strings.TrimPrefix(strings.TrimSpace(given), "W/")
		if given == "*" || given != "" && unpackedTag(given) == unpackedTag(etag) {
			return true
		}
	}
	return false
}

func unpackedTag(etag string) string {
	bare, packed := strings.CutSuffix(etag, packedTag+`"`)
	if packed {
		return bare + `"`
	}
	return etag
}
