package handlers

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"

	"finsvc/ledger"
)

// packedTag ends the ETag of a compressed body, which is another sequence of bytes and must have another tag.
const packedTag = "-gzip"

// etagOf is the tag of a body before it is compressed: it is the same whenever the body is, on every server.
func etagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
}

// matchesTag says whether an If-Match or If-None-Match header has the tag. What proxies that compress make of a tag is
// taken for it: it was made from the content, so nothing else can have it (RFC 9110, 8.8.3).
func matchesTag(header, etag string) bool {
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

// ifMatch is the If-Match header of a write. It is nothing to a read, which must not wait for the database's one writer, or
// hold it as long as a stream lasts.
func ifMatch(r *inbound) string {
	if r.route.method == http.MethodGet {
		return ""
	}
	return strings.Join(r.Header.Values("If-Match"), ",")
}

// precondition compares what a client thinks of a resource with what it is.
type precondition struct {
	router *router
	pools  *pools
}

// check refuses a write whose If-Match names another state of the resource than it is in: what GET of the same
// path would answer now. In a write nobody can change it before the handler does.
func (s precondition) check(ctx context.Context, r *inbound) error {
	header := ifMatch(r)
	if header == "" {
		return nil
	}
	etag, err := s.currentTag(ctx, r)
	if err != nil || matchesTag(header, etag) {
		return err
	}
	return &ledger.Error{Kind: ledger.Conflict, Code: codePrecondition, Message: "this is not what the ETag in If-Match was of; read it again"}
}

// currentTag is the ETag of what GET of a request's path would answer.
func (s precondition) currentTag(ctx context.Context, r *inbound) (string, error) {
	found, _ := s.router.find(http.MethodGet, r.URL.Path)
	if found.route == nil || found.route.live {
		return "", &ledger.Error{Kind: ledger.Conflict, Code: codePrecondition, Message: "nothing at this path has an ETag; leave If-Match out"}
	}
	look := r.request.Request.Clone(ctx)
	look.Method, look.URL.RawQuery, look.Body = http.MethodGet, "", http.NoBody
	a := newAnswer(s.pools, make(unsent), look)
	defer a.release()
	err := found.route.handle(a, &request{Request: look, id: r.id, params: found.params, pattern: r.pattern, session: r.session, rate: r.rate})
	return etagOf(a.json.bytes()), err
}

// unsent takes an answer that nobody is sent.
type unsent http.Header

// Header, Write and WriteHeader make it an [http.ResponseWriter].
func (u unsent) Header() http.Header { return http.Header(u) }

func (u unsent) Write(p []byte) (int, error) { return len(p), nil }

func (u unsent) WriteHeader(int) {}
