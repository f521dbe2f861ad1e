package wire

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

	"github.com/dustin/go-humanize"

	"finsvc/ledger"
)

// drainMax is how much of a body that is too long is read away before the answer: many clients only
// listen once they have sent everything.
const drainMax = 128 << 20

// ReadAway reads the rest of a body away that was refused as too long.
func ReadAway(r *Request, body io.Reader, err error) {
	if e := ledger.AsError(err); e != nil && e.Code == CodeTooLarge && r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, body, drainMax) // the answer is the same whether this works or not
	}
}

// DecodeBody reads the whole body into r.tree. Handlers of routes with rawBody call it themselves.
func (r *Request) DecodeBody() error {
	data, err := readAll(r.Body, r.ContentLength, r.Share)
	if err != nil {
		return BodyError(err)
	}
	r.Tree, err = parseBody(r.Header, data, r.Share)
	return err
}

// firstPiece is how much room a body gets before anything of it has come, in bytes.
const firstPiece = 4 << 10

// readAll reads a body to its end. It gets room for twice what has come, and never for more than was announced: a
// client that announces much and sends little takes little. The length is -1 where none was announced.
func readAll(body io.Reader, announced int64, share *Share) ([]byte, error) {
	var data []byte
	for {
		if len(data) == cap(data) {
			room := max(firstPiece, 2*int64(cap(data)))
			if left := announced + 1; int64(len(data)) < left { // one more: the end is found by asking for it
				room = min(room, left)
			}
			if err := share.Take(room - int64(cap(data))); err != nil {
				return nil, err
			}
			data = append(make([]byte, 0, room), data...)
		}
		n, err := body.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

// BodyError says what went wrong while a body was read.
func BodyError(err error) error {
	if tooLong, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return ErrTooLong(tooLong.Limit)
	}
	switch {
	case errors.Is(err, context.Canceled), ledger.AsError(err) != nil:
		return err
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &ledger.Error{Kind: ledger.Malformed, Code: codeTimeout,
			Message: "the body did not arrive in time; nothing was written"}
	}
	return ledger.NewMalformed("the body is cut off: it ends before its announced length")
}

func ErrTooLong(limit int64) error {
	return &ledger.Error{Kind: ledger.Invalid, Code: CodeTooLarge,
		Message: "the body is longer than " + humanize.IBytes(uint64(limit)) + " (" + humanize.Comma(limit) + " bytes)"}
}

// parseBody decodes a body by what its headers call it. No body at all is fine whatever they say, and
// what looks like JSON is read as JSON unless it is called multipart: many clients send no content
// type, or that of a form.
func parseBody(h http.Header, data []byte, share *Share) (value, error) {
	trimmed := bytes.TrimLeft(data, " \t\r\n")
	first := byte(0)
	if len(trimmed) > 0 {
		first = trimmed[0]
	}
	media, err := mediaOf(h, first)
	switch {
	case err != nil || len(trimmed) == 0:
		return value{}, err
	case media == mediaMultipart:
		_, params, _ := mime.ParseMediaType(h.Get("Content-Type")) // it was read before
		return parseMultipart(data, params["boundary"], share)
	case media == mediaForm:
		return parseForm(data, nil, share)
	}
	return ParseJSON(data, share)
}

// The ways in which a body may be written.
const (
	mediaJSON      = "application/json"
	mediaForm      = "application/x-www-form-urlencoded"
	mediaMultipart = "multipart/form-data"
)

// mediaOf is how a body is written that begins with a byte, which is 0 for no body at all.
func mediaOf(h http.Header, first byte) (string, error) {
	if encoding := h.Get("Content-Encoding"); encoding != "" && !strings.EqualFold(encoding, "identity") {
		return "", errMediaType("send the body without Content-Encoding, got " + ledger.Quote(encoding))
	}
	media, params, _ := mime.ParseMediaType(h.Get("Content-Type"))
	switch {
	case media == mediaMultipart && params["boundary"] != "":
		return mediaMultipart, nil
	case media == mediaJSON || strings.HasSuffix(media, "+json") || first == '{' || first == '[' || first == 0:
		return mediaJSON, nil
	case media == mediaForm:
		return mediaForm, nil
	}
	return "", errMedia(h)
}

func errMedia(h http.Header) error {
	return errMediaType("send the body as application/json, application/x-www-form-urlencoded or multipart/form-data, got " + ledger.Quote(h.Get("Content-Type")))
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
