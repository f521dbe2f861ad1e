package handlers

import (
	"strconv"
	"time"
	"unicode/utf8"

	"finsvc/ledger"
)

// jsonWriter appends JSON to a buffer: the members of the object that is open, or with an empty name
// the elements of the list that is open. Commas come by themselves. Names are constants of ours and
// are not escaped. It does not check that what is opened is closed; tests of every shape do.
type jsonWriter struct{ buf []byte }

// stampLayout is RFC 3339 in UTC with milliseconds.
const stampLayout = "2006-01-02T15:04:05.000Z"

func (j *jsonWriter) reset() { j.buf = j.buf[:0] }

// bytes is what was written, until the next change.
func (j *jsonWriter) bytes() []byte { return j.buf }

// Write appends bytes as they are; it makes the writer an io.Writer.
func (j *jsonWriter) Write(p []byte) (int, error) {
	j.buf = append(j.buf, p...)
	return len(p), nil
}

// name puts a comma where one is due, and the name of the member unless it is empty.
func (j *jsonWriter) name(name string) {
	if n := len(j.buf); n > 0 && j.buf[n-1] != '{' && j.buf[n-1] != '[' {
		j.buf = append(j.buf, ',')
	}
	if name != "" {
		j.buf = append(j.buf, '"')
		j.buf = append(j.buf, name...)
		j.buf = append(j.buf, '"', ':')
	}
}

// open begins an object.
func (j *jsonWriter) open(name string) {
	j.name(name)
	j.buf = append(j.buf, '{')
}

// close ends the object.
func (j *jsonWriter) close() { j.buf = append(j.buf, '}') }

// list begins a list.
func (j *jsonWriter) list(name string) {
	j.name(name)
	j.buf = append(j.buf, '[')
}

// endList ends the list.
func (j *jsonWriter) endList() { j.buf = append(j.buf, ']') }

// null writes null.
func (j *jsonWriter) null(name string) { j.raw(name, "null") }

// raw writes a text that is JSON already, such as an exact number in plain notation.
func (j *jsonWriter) raw(name, text string) {
	j.name(name)
	j.buf = append(j.buf, text...)
}

// text writes a string.
func (j *jsonWriter) text(name, text string) {
	j.name(name)
	j.buf = appendString(j.buf, text)
}

// texts writes a list of strings.
func (j *jsonWriter) texts(name string, list []string) {
	j.list(name)
	for _, text := range list {
		j.text("", text)
	}
	j.endList()
}

// textOrNull writes a string, or null where there is none.
func (j *jsonWriter) textOrNull(name string, text *string) {
	if text == nil {
		j.null(name)
		return
	}
	j.text(name, *text)
}

// filled writes a string, or null for the empty one.
func (j *jsonWriter) filled(name, text string) {
	if text == "" {
		j.null(name)
		return
	}
	j.text(name, text)
}

// int writes a whole number.
func (j *jsonWriter) int(name string, n int64) {
	j.name(name)
	j.buf = strconv.AppendInt(j.buf, n, 10)
}

// intOrNull writes a whole number, or null where there is none.
func (j *jsonWriter) intOrNull(name string, n *int64) {
	if n == nil {
		j.null(name)
		return
	}
	j.int(name, *n)
}

// bool writes true or false.
func (j *jsonWriter) bool(name string, b bool) {
	j.name(name)
	j.buf = strconv.AppendBool(j.buf, b)
}

// id writes a UUID in its 36 characters, lower case.
func (j *jsonWriter) id(name string, id [16]byte) {
	const digits = "0123456789abcdef"
	j.name(name)
	j.buf = append(j.buf, '"')
	for i, b := range id {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			j.buf = append(j.buf, '-')
		}
		j.buf = append(j.buf, digits[b>>4], digits[b&15])
	}
	j.buf = append(j.buf, '"')
}

// idOrNull writes an id, or null for the zero id.
func (j *jsonWriter) idOrNull(name string, id [16]byte) {
	if id == [16]byte{} {
		j.null(name)
		return
	}
	j.id(name, id)
}

// date writes a day as YYYY-MM-DD.
func (j *jsonWriter) date(name string, d ledger.Date) {
	j.name(name)
	j.buf = append(j.buf, '"')
	j.buf = d.Time().AppendFormat(j.buf, time.DateOnly)
	j.buf = append(j.buf, '"')
}

// time writes an instant: UTC, with milliseconds and Z.
func (j *jsonWriter) time(name string, t time.Time) {
	j.name(name)
	j.buf = append(j.buf, '"')
	j.buf = t.UTC().AppendFormat(j.buf, stampLayout)
	j.buf = append(j.buf, '"')
}

// timeOrNull writes an instant, or null for the zero time.
func (j *jsonWriter) timeOrNull(name string, t time.Time) {
	if t.IsZero() {
		j.null(name)
		return
	}
	j.time(name, t)
}

// stamp writes an instant given as the database keeps it, in milliseconds since 1970.
func (j *jsonWriter) stamp(name string, millis int64) { j.time(name, time.UnixMilli(millis)) }

// appendString writes a string as encoding/json does without HTML escaping.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	start := 0
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf {
			if c < ' ' || c == '"' || c == '\\' {
				dst = appendEscape(append(dst, s[start:i]...), rune(c))
				start = i + 1
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		// The two separators end a line in JavaScript, though not in JSON.
		if r == utf8.RuneError && size == 1 || r == '\u2028' || r == '\u2029' {
			dst = appendEscape(append(dst, s[start:i]...), r)
			start = i + size
		}
		i += size
	}
	dst = append(dst, s[start:]...)
	return append(dst, '"')
}

func appendEscape(dst []byte, r rune) []byte {
	const digits = "0123456789abcdef"
	switch r {
	case '"', '\\':
		return append(dst, '\\', byte(r))
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
}
