package handlers

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"unicode/utf8"

	"finsvc/ledger"

	"github.com/dustin/go-humanize"
)

// drainMax is how much of a body that is too long is read away before the answer: many clients only
// listen once they have sent everything.
const drainMax = 128 << 20

// receive limits the body and decodes it, unless the handler does that itself.
func (s *Server) receive(a *answer, r *request) error {
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		return nil
	}
	unlimited := r.Body
	r.Body = http.MaxBytesReader(a.w, unlimited, s.limit(r.route))
	err := errTooLong(s.limit(r.route))
	if r.ContentLength <= s.limit(r.route) {
		err = r.decode()
	}
	if e := ledger.AsError(err); e != nil && e.Code == codeTooLarge && r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, unlimited, drainMax) // the answer is the same whether this works or not
	}
	return err
}

func (s *Server) limit(rt *route) int64 {
	if rt.bodyMax > 0 {
		return rt.bodyMax
	}
	return s.bodyMax
}

func (r *request) decode() error {
	if r.route.rawBody {
		return nil
	}
	return r.decodeBody()
}

// decodeBody reads the whole body into r.tree. Only handlers of routes with rawBody call it.
func (r *request) decodeBody() error {
	data, err := readAll(r.Body, r.ContentLength)
	if err != nil {
		return bodyError(err)
	}
	r.tree, err = parseBody(r.Header, data)
	return err
}

// readAll is io.ReadAll with one allocation when the length is known.
func readAll(body io.Reader, length int64) ([]byte, error) {
	var buf bytes.Buffer
	if length > 0 {
		buf.Grow(int(length) + bytes.MinRead)
	}
	_, err := buf.ReadFrom(body)
	return buf.Bytes(), err
}

// bodyError says what went wrong while a body was read.
func bodyError(err error) error {
	if tooLong, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return errTooLong(tooLong.Limit)
	}
	switch {
	case errors.Is(err, context.Canceled), ledger.IsKind(err, ledger.Unavailable):
		return err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return ledger.NewMalformed("the body did not arrive in time")
	}
	return ledger.NewMalformed("the body is cut off: it ends before its announced length")
}

func errTooLong(limit int64) error {
	return &ledger.Error{Kind: ledger.Invalid, Code: codeTooLarge,
		Message: "the body is longer than " + humanize.IBytes(uint64(limit)) + " (" + humanize.Comma(limit) + " bytes)"}
}

// parseBody decodes a body by what its headers call it. No body at all is fine whatever they say, and
// what looks like JSON is read as JSON unless it is called multipart: many clients send no content
// type, or that of a form.
func parseBody(h http.Header, data []byte) (value, error) {
	if encoding := h.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return value{}, errMediaType("send the body without Content-Encoding, got " + ledger.Quote(encoding))
	}
	trimmed := bytes.TrimLeft(data, " \t\r\n")
	if len(trimmed) == 0 {
		return value{}, nil
	}
	header := h.Get("Content-Type")
	media, params, _ := mime.ParseMediaType(header)
	switch {
	case media == "multipart/form-data" && params["boundary"] != "":
		return parseMultipart(data, params["boundary"])
	case media == "application/json" || strings.HasSuffix(media, "+json") || trimmed[0] == '{' || trimmed[0] == '[':
		return parseJSON(data)
	case media == "application/x-www-form-urlencoded":
		return parseForm(data)
	}
	return value{}, errMediaType("send the body as application/json, application/x-www-form-urlencoded or multipart/form-data, got " + ledger.Quote(header))
}

func errMediaType(message string) error {
	return &ledger.Error{Kind: ledger.Malformed, Code: codeMediaType, Message: message}
}

// firstInvalid is the offset of the first byte that is not UTF-8; -1 when all is.
func firstInvalid(data []byte) int {
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}
