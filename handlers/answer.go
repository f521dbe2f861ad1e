package handlers

import (
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
	typeJSON = "application/json; charset=utf-8"

	// compressFrom is the length in bytes from which compression pays.
	compressFrom = 1024
	// keepBuffers is the longest buffer that is kept for the next request.
	keepBuffers = 1 << 20
	// sendTimeout bounds how long a client may take to read an answer.
	sendTimeout = 2 * time.Minute
	// statusClientGone stands in the log for a request whose client did not wait.
	statusClientGone = 499
)

// answer is what a handler fills: a status, 200 unless changed, and a body. It is sent whole after the
// handler has returned, so an error can still replace it, and its length is always known.
type answer struct {
	status      int
	json        *jsonWriter
	contentType string // of the body; JSON unless changed

	w         http.ResponseWriter
	request   *http.Request
	pools     *pools
	packed    *jsonWriter     // of the compressed body, if it was compressed
	ready     *representation // what is sent instead of json
	tagged    bool            // it gets an ETag if it is a 200
	streaming bool            // the handler writes itself, see stream
	sent      int64           // bytes of body sent
	streams   *atomic.Int64   // counts the streams that are open, unless nil
}

// representation is an answer as it is sent. Nobody changes it.
type representation struct {
	body              []byte
	packed            bool // by gzip
	etag, contentType string
}

// pools keep what answers are made with for the next ones.
type pools struct{ writers, packers sync.Pool }

func newPools() *pools {
	return &pools{
		writers: sync.Pool{New: func() any { return new(jsonWriter) }},
		packers: sync.Pool{New: func() any {
			z, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // the level exists
			return z
		}},
	}
}

// writer gives an empty writer, to be given back to drop.
func (p *pools) writer() *jsonWriter {
	j := p.writers.Get().(*jsonWriter)
	j.reset()
	return j
}

func (p *pools) drop(j *jsonWriter) {
	if cap(j.buf) <= keepBuffers {
		p.writers.Put(j)
	}
}

// compress packs body into dst. Writing to memory does not fail.
func (p *pools) compress(dst *jsonWriter, body []byte) {
	z := p.packers.Get().(*gzip.Writer)
	defer p.packers.Put(z)
	z.Reset(dst)
	_, _ = z.Write(body)
	_ = z.Close()
}

func newAnswer(p *pools, w http.ResponseWriter, r *http.Request) *answer {
	return &answer{status: http.StatusOK, json: p.writer(), contentType: typeJSON, w: w, request: r, pools: p}
}

func (a *answer) release() {
	a.pools.drop(a.json)
	a.json = nil
	if a.packed != nil {
		a.pools.drop(a.packed)
		a.packed = nil
	}
}

// header gives the headers to be sent.
func (a *answer) header() http.Header { return a.w.Header() }

// created makes it a 201.
func (a *answer) created() { a.status = http.StatusCreated }

// noContent makes it a 204, which has no body.
func (a *answer) noContent() { a.status = http.StatusNoContent }

// encode makes the body of any value by encoding/json, for answers that are not hot.
func (a *answer) encode(v any) error {
	a.json.reset()
	enc := json.NewEncoder(a.json)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// message makes the body {"message": text}.
func (a *answer) message(text string) {
	a.json.reset()
	a.json.open("")
	a.json.text("message", text)
	a.json.close()
}

// stream begins an answer that the handler writes piece by piece, such as server-sent events. It has
// neither length nor compression nor time limit. The controller flushes.
func (a *answer) stream(contentType string) (http.ResponseWriter, *http.ResponseController) {
	a.streaming = true
	if a.streams != nil {
		a.streams.Add(1)
	}
	control := http.NewResponseController(a.w)
	// Both are unsupported by some test recorders only; a limit that stays ends the stream early, no more.
	_ = control.SetReadDeadline(time.Time{})
	_ = control.SetWriteDeadline(time.Time{})
	a.header().Set("Content-Type", contentType)
	a.header().Set("Cache-Control", "no-store, no-transform") // a proxy that packs answers would hold them back
	a.w.WriteHeader(a.status)
	return a.w, control
}

// send sends what the handler has filled.
func (a *answer) send() {
	if a.streaming || a.status == statusClientGone {
		return
	}
	_ = http.NewResponseController(a.w).SetWriteDeadline(time.Now().Add(sendTimeout)) // unsupported by recorders only
	h := a.header()
	h.Set("Cache-Control", "no-store")
	h.Set("X-Content-Type-Options", "nosniff")
	if a.status == http.StatusNoContent {
		a.w.WriteHeader(a.status)
		return
	}
	rep := a.ready
	if rep == nil {
		made := a.represent()
		rep = &made
	}
	if a.unchanged(rep) {
		return
	}
	h.Set("Content-Type", rep.contentType)
	if rep.packed {
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(rep.body)))
	a.w.WriteHeader(a.status)
	n, _ := a.w.Write(rep.body) // a client that is gone cannot be told
	a.sent = int64(n)
}

// represent makes what is sent of what the handler wrote.
func (a *answer) represent() representation {
	rep := representation{body: a.json.buf, contentType: a.contentType}
	if a.tagged && a.status == http.StatusOK {
		rep.etag = etagOf(rep.body)
	}
	if len(rep.body) < compressFrom || !acceptsGzip(a.request.Header.Get("Accept-Encoding")) {
		return rep
	}
	a.packed = a.pools.writer()
	a.pools.compress(a.packed, rep.body)
	rep.body, rep.packed = a.packed.buf, true
	if rep.etag != "" {
		rep.etag = strings.TrimSuffix(rep.etag, `"`) + packedTag + `"`
	}
	return rep
}

// unchanged sets the headers that let a client keep the answer, and sends 304 if it has it already.
func (a *answer) unchanged(rep *representation) bool {
	h := a.header()
	h.Add("Vary", "Accept-Encoding")
	if rep.etag == "" {
		return false
	}
	h.Add("Vary", "Accept-Language, Authorization, X-Api-Key")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("ETag", rep.etag)
	if !matchesTag(strings.Join(a.request.Header.Values("If-None-Match"), ","), rep.etag) {
		return false
	}
	a.status = http.StatusNotModified
	a.w.WriteHeader(a.status)
	return true
}

// acceptsGzip reads an Accept-Encoding header: gzip is named, and not with a weight of zero.
func acceptsGzip(header string) bool {
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
