package wire

import (
	"strconv"
	"time"
	"unicode/utf8"

	"finsvc/ledger"
)

// Writer appends JSON to a buffer: the members of the object that is open, or with an empty name
// the elements of the list that is open. Commas come by themselves. Names are constants of ours and
// are not escaped. It does not check that what is opened is closed; tests of every shape do.
type Writer struct{ Buf []byte }

// stampLayout is RFC 3339 in UTC with milliseconds.
const stampLayout = "2006-01-02T15:04:05.000Z"

func (j *Writer) Reset() { j.Buf = j.Buf[:0] }

// Bytes is what was written, until the next change.
func (j *Writer) Bytes() []byte { return j.Buf }

// Write appends bytes as they are; it makes the writer an io.Writer.
func (j *Writer) Write(p []byte) (int, error) {
	j.Buf = append(j.Buf, p...)
	return len(p), nil
}

// name puts a comma where one is due, and the name of the member unless it is empty.
func (j *Writer) name(name string) {
	if n := len(j.Buf); n > 0 && j.Buf[n-1] != '{' && j.Buf[n-1] != '[' {
		j.Buf = append(j.Buf, ',')
	}
	if name != "" {
		j.Buf = append(j.Buf, '"')
		j.Buf = append(j.Buf, name...)
		j.Buf = append(j.Buf, '"', ':')
	}
}

// Open begins an object.
func (j *Writer) Open(name string) {
	j.name(name)
	j.Buf = append(j.Buf, '{')
}

// Close ends the object.
func (j *Writer) Close() { j.Buf = append(j.Buf, '}') }

// List begins a list.
func (j *Writer) List(name string) {
	j.name(name)
	j.Buf = append(j.Buf, '[')
}

// EndList ends the list.
func (j *Writer) EndList() { j.Buf = append(j.Buf, ']') }

// Null writes null.
func (j *Writer) Null(name string) { j.Raw(name, "null") }

// Raw writes a text that is JSON already, such as an exact number in plain notation.
func (j *Writer) Raw(name, text string) {
	j.name(name)
	j.Buf = append(j.Buf, text...)
}

// Text writes a string.
func (j *Writer) Text(name, text string) {
	j.name(name)
	j.Buf = AppendString(j.Buf, text)
}

// Texts writes a list of strings.
func (j *Writer) Texts(name string, list []string) {
	j.List(name)
	for _, text := range list {
		j.Text("", text)
	}
	j.EndList()
}

// TextOrNull writes a string, or null where there is none.
func (j *Writer) TextOrNull(name string, text *string) {
	if text == nil {
		j.Null(name)
		return
	}
	j.Text(name, *text)
}

// Filled writes a string, or null for the empty one.
func (j *Writer) Filled(name, text string) {
	if text == "" {
		j.Null(name)
		return
	}
	j.Text(name, text)
}

// Int writes a whole number.
func (j *Writer) Int(name string, n int64) {
	j.name(name)
	j.Buf = strconv.AppendInt(j.Buf, n, 10)
}

// IntOrNull writes a whole number, or null where there is none.
func (j *Writer) IntOrNull(name string, n *int64) {
	if n == nil {
		j.Null(name)
		return
	}
	j.Int(name, *n)
}

// Bool writes true or false.
func (j *Writer) Bool(name string, b bool) {
	j.name(name)
	j.Buf = strconv.AppendBool(j.Buf, b)
}

// Id writes a UUID in its 36 characters, lower case.
func (j *Writer) Id(name string, id [16]byte) {
	const digits = "0123456789abcdef"
	j.name(name)
	j.Buf = append(j.Buf, '"')
	for i, b := range id {
		if i == 4 || i == 6 || i == 8 || i == 10 {
			j.Buf = append(j.Buf, '-')
		}
		j.Buf = append(j.Buf, digits[b>>4], digits[b&15])
	}
	j.Buf = append(j.Buf, '"')
}

// IdOrNull writes an id, or null for the zero id.
func (j *Writer) IdOrNull(name string, id [16]byte) {
	if id == [16]byte{} {
		j.Null(name)
		return
	}
	j.Id(name, id)
}

// Date writes a day as YYYY-MM-DD.
func (j *Writer) Date(name string, d ledger.Date) {
	j.name(name)
	j.Buf = append(j.Buf, '"')
	j.Buf = d.Time().AppendFormat(j.Buf, time.DateOnly)
	j.Buf = append(j.Buf, '"')
}

// Time writes an instant: UTC, with milliseconds and Z.
func (j *Writer) Time(name string, t time.Time) {
	j.name(name)
	j.Buf = append(j.Buf, '"')
	j.Buf = t.UTC().AppendFormat(j.Buf, stampLayout)
	j.Buf = append(j.Buf, '"')
}

// TimeOrNull writes an instant, or null for the zero time.
func (j *Writer) TimeOrNull(name string, t time.Time) {
	if t.IsZero() {
		j.Null(name)
		return
	}
	j.Time(name, t)
}

// Stamp writes an instant given as the database keeps it, in milliseconds since 1970.
func (j *Writer) Stamp(name string, millis int64) { j.Time(name, time.UnixMilli(millis)) }

// AppendString writes a string as encoding/json does without HTML escaping.
func AppendString(dst []byte, s string) []byte {
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
