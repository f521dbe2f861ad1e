package wire

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"finsvc/ledger"
)

const (
	nameOfContent = "raw_file_content"
	// maxBeside is how long a body may be beside the file in it, in bytes.
	maxBeside = 4 << 20
	// contentPiece is how much of a file in a body is decoded at a time, in bytes.
	contentPiece = 64 << 10
)

// cut is a part of a body that was taken out, so that what follows stands so many bytes too early.
type cut struct{ at, bytes int }

// cuts are those of one body in their order.
type cuts []cut

// origin is where a byte stood before the cuts.
func (c cuts) origin(pos int) int {
	all := pos
	for _, one := range c {
		if one.at < pos {
			all += one.bytes
		}
	}
	return all
}

// bodyWithFile takes a body of JSON, or a form, apart while it arrives: the file in it goes to the upload, and the
// rest is kept. However long the file is, it takes no more memory than a piece of it.
type bodyWithFile struct {
	in     *bufio.Reader
	upload io.Writer
	share  *Share
	read   int    // bytes of the body
	rest   []byte // the body with no more of the file than its quotes
	cuts   cuts
	piece  []byte
}

// receiveContent reads a body that is no multipart form.
func receiveContent(r *Request, upload io.Writer) (value, error) {
	b := &bodyWithFile{in: bufio.NewReaderSize(r.Body, contentPiece/2), upload: upload, share: r.Share}
	form, err := b.kind(r.Header)
	switch {
	case err == io.EOF:
		return value{}, nil // there is no body
	case err != nil:
		return value{}, err
	case form:
		err = b.form()
	default:
		err = b.json()
	}
	if err != nil {
		return value{}, err
	}
	if form {
		return parseForm(b.rest, b.cuts, r.Share)
	}
	return (&parser{data: b.rest, share: r.Share, cuts: b.cuts}).whole()
}

// kind finds out by the headers and the first bytes how a body is written; the error is io.EOF where there is none.
func (b *bodyWithFile) kind(h http.Header) (form bool, err error) {
	for {
		c, err := b.next()
		if err == io.EOF {
			if _, bad := mediaOf(h, 0); bad != nil {
				return false, bad
			}
		}
		if err != nil {
			return false, err
		}
		if !isSpace(c) {
			break
		}
	}
	_ = b.in.UnreadByte() // it was just read
	b.read--
	b.rest = b.rest[:len(b.rest)-1]
	first, err := b.in.Peek(1)
	if err != nil {
		return false, BodyError(err)
	}
	media, err := mediaOf(h, first[0])
	if err == nil && media == mediaMultipart {
		err = errMedia(h) // it has no boundary
	}
	return media == mediaForm, err
}

// next gives the next byte of the body, and keeps it. The error is io.EOF at the end, else one for the client.
func (b *bodyWithFile) next() (byte, error) {
	c, err := b.skip()
	if err != nil {
		return 0, err
	}
	if len(b.rest) == maxBeside {
		return 0, &ledger.Error{Kind: ledger.Invalid, Code: CodeTooLarge,
			Message: "the body is longer than " + humanize.IBytes(maxBeside) + " beside " + nameOfContent}
	}
	if len(b.rest) == cap(b.rest) {
		room := max(firstPiece, 2*cap(b.rest))
		if err := b.share.Take(int64(room - cap(b.rest))); err != nil {
			return 0, err
		}
		b.rest = append(make([]byte, 0, room), b.rest...)
	}
	b.rest = append(b.rest, c)
	return c, nil
}

// skip gives the next byte of the body.
func (b *bodyWithFile) skip() (byte, error) {
	c, err := b.in.ReadByte()
	if err == io.EOF {
		return 0, err
	}
	if err != nil {
		return 0, BodyError(err)
	}
	b.read++
	return c, nil
}

// json reads a body of JSON to its end. It follows strings and brackets only: whatever else is wrong is found when the
// rest is parsed.
func (b *bodyWithFile) json() error {
	depth, object, isKey, isContent := 0, false, false, false
	name := ""
	for {
		c, err := b.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		switch {
		case c == '{' || c == '[':
			if depth++; depth == 1 {
				object, isKey = c == '{', true
			}
			isContent = false
		case c == '}' || c == ']':
			depth--
		case c == ',':
			isKey = depth == 1
		case c == ':':
			isContent = depth == 1 && object && name == nameOfContent
		case c == '"' && isContent:
			err = b.content()
			isContent = false
		case c == '"':
			at := len(b.rest) - 1
			if err = b.text(); err == nil && isKey && depth == 1 {
				name, isKey = plainText(b.rest[at:]), false
			}
		case !isSpace(c):
			isContent = false
		}
		if err != nil && err != io.EOF {
			return err
		}
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// text reads what follows the opening quote of a text up to its closing one.
func (b *bodyWithFile) text() error {
	for escaped := false; ; {
		c, err := b.next()
		if err != nil || c == '"' && !escaped {
			return err
		}
		escaped = c == '\\' && !escaped
	}
}

// plainText is what a text in quotes says; blank if it is none.
func plainText(quoted []byte) string {
	text, err := (&parser{data: bytes.Clone(quoted)}).text()
	if err != nil {
		return ""
	}
	return string(text)
}

// content writes the text that follows its opening quote to the upload, up to its closing quote, which is kept.
func (b *bodyWithFile) content() error {
	const pair = 12 // bytes of two escapes, which may be one character
	at, from, escaped, lastUnicode := len(b.rest), b.read, false, -pair
	defer func() { b.cuts = append(b.cuts, cut{at - 1, b.read - from - (len(b.rest) - at)}) }()
	begin := from
	b.piece = append(b.piece[:0], '"')
	for {
		if len(b.piece) > contentPiece && !escaped && len(b.piece)-lastUnicode > pair && b.atCharacter() {
			if err := b.decode(begin); err != nil {
				return err
			}
			begin, lastUnicode = b.read, -pair
			b.piece = b.piece[:1]
			b.piece[0] = '"'
		}
		c, err := b.skip()
		if err == io.EOF {
			// Find what is wrong within the last piece of a text that the body ends in, but for the quote that is
			// missing: that is found in the rest.
			text := parser{data: append(bytes.Clone(b.piece), '"')}
			if _, err := text.text(); err == nil {
				return nil
			}
			_, err := (&parser{data: b.piece, cuts: cuts{{-1, begin - 1}}}).text()
			return err
		}
		if err != nil {
			return err
		}
		b.piece = append(b.piece, c)
		switch {
		case c == '"' && !escaped:
			b.rest = append(b.rest, c)
			b.piece = b.piece[:len(b.piece)-1]
			return b.decode(begin)
		case c == 'u' && escaped:
			lastUnicode = len(b.piece) - 2
		}
		escaped = c == '\\' && !escaped
	}
}

// atCharacter reports whether the next byte begins a character.
func (b *bodyWithFile) atCharacter() bool {
	next, err := b.in.Peek(1)
	return err != nil || utf8.RuneStart(next[0])
}

// decode writes what a piece of text says, which began at a byte of the body and is without its closing quote.
func (b *bodyWithFile) decode(begin int) error {
	b.piece = append(b.piece, '"')
	text, err := (&parser{data: b.piece, cuts: cuts{{-1, begin - 1}}}).text()
	if err != nil {
		return err
	}
	_, err = b.upload.Write(text)
	return err
}

// form reads a form to its end.
func (b *bodyWithFile) form() error {
	for {
		at, part := len(b.rest), b.read
		for {
			c, err := b.next()
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			if c == '&' {
				break
			}
			if c != '=' {
				continue
			}
			name, err := url.QueryUnescape(string(b.rest[at : len(b.rest)-1]))
			if err == nil && name == nameOfContent {
				err = b.formContent(part)
			} else {
				err = b.formValue()
			}
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			break
		}
	}
}

// formValue reads a value up to the & behind it.
func (b *bodyWithFile) formValue() error {
	for {
		if c, err := b.next(); err != nil || c == '&' {
			return err
		}
	}
}

// formContent writes a value to the upload, up to the & behind it, which is kept. The part of the form that it is in
// begins at a byte of the body.
func (b *bodyWithFile) formContent(part int) error {
	at, from := len(b.rest), b.read
	defer func() { b.cuts = append(b.cuts, cut{at - 1, b.read - from - (len(b.rest) - at)}) }()
	b.piece = b.piece[:0]
	for escape := 0; ; {
		c, err := b.skip()
		end := err != nil || c == '&'
		if err != nil && err != io.EOF {
			return err
		}
		if !end {
			b.piece = append(b.piece, c)
			escape = max(0, escape-1)
			if c == '%' {
				escape = 2
			}
		}
		if !end && (len(b.piece) < contentPiece || escape > 0) {
			continue
		}
		if err := b.decodeForm(part, end); err != nil {
			return err
		}
		if err != nil {
			return err
		}
		if end {
			b.rest = append(b.rest, c)
			return nil
		}
	}
}

// decodeForm writes what a piece of a value says, but for the beginning of a character at its end, which is left for
// the next.
func (b *bodyWithFile) decodeForm(part int, end bool) error {
	plain, err := url.QueryUnescape(string(b.piece))
	if err != nil {
		return ledger.NewMalformed("the form has a broken %%-escape in the part that begins at byte %d", part)
	}
	whole := len(plain)
	for !end && whole > 0 && whole > len(plain)-utf8.UTFMax && !utf8.ValidString(plain[:whole]) {
		whole--
	}
	if !utf8.ValidString(plain[:whole]) {
		return ledger.NewMalformed("the form has invalid UTF-8 in the part that begins at byte %d", part)
	}
	b.piece = append(b.piece[:0], strings.NewReplacer("%", "%25", "+", "%2B").Replace(plain[whole:])...)
	_, err = io.WriteString(b.upload, plain[:whole])
	return err
}
