package wire

import (
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"finsvc/ledger"
)

// parser reads one JSON text. It differs from encoding/json where a ledger must: numbers stay exact, the
// same key twice in one object is an error, and so are invalid UTF-8 and half a surrogate pair, which
// would otherwise be replaced silently. Texts are unescaped in place, so data is overwritten and kept.
type parser struct {
	data   []byte
	pos    int
	depth  int
	values int
	share  *Share // takes the memory of the values
	cuts   cuts   // what was taken out of the text before
}

// ParseJSON reads data as exactly one JSON value. Errors tell the offset of the first byte that is
// wrong, counted from 0.
func ParseJSON(data []byte, share *Share) (value, error) {
	return (&parser{data: data, share: share}).whole()
}

func (p *parser) whole() (value, error) {
	v, err := p.value()
	if err != nil {
		return value{}, err
	}
	p.space()
	if p.pos < len(p.data) {
		return value{}, p.fail("the end of the body, after its one value")
	}
	return v, nil
}

// fail is the error at the present byte, where something else was expected.
func (p *parser) fail(expected string) error {
	if p.pos >= len(p.data) {
		return ledger.NewMalformed("the body is malformed JSON: it ends at byte %d, expected %s",
			p.cuts.origin(len(p.data)), expected)
	}
	r, _ := utf8.DecodeRune(p.data[p.pos:])
	if r == utf8.RuneError {
		return ledger.NewMalformed("the body has invalid UTF-8 at byte %d", p.cuts.origin(p.pos))
	}
	return ledger.NewMalformed("the body is malformed JSON: at byte %d expected %s, got %q", p.cuts.origin(p.pos),
		expected, r)
}

func (p *parser) space() {
	for p.pos < len(p.data) {
		switch p.data[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

// peek is the present byte; 0 at the end.
func (p *parser) peek() byte {
	if p.pos < len(p.data) {
		return p.data[p.pos]
	}
	return 0
}

// take moves over c if it comes next, white space aside.
func (p *parser) take(c byte) bool {
	p.space()
	if p.pos < len(p.data) && p.data[p.pos] == c {
		p.pos++
		return true
	}
	return false
}

func (p *parser) value() (value, error) {
	if p.values++; p.values > maxValues {
		return value{}, ledger.NewMalformed("the body has more than %d values", maxValues)
	}
	if err := p.share.Take(valueMemory); err != nil {
		return value{}, err
	}
	p.space()
	switch c := p.peek(); {
	case c == '{':
		return p.nested(p.object)
	case c == '[':
		return p.nested(p.list)
	case c == '"':
		content, err := p.text()
		return value{Shape: Text, Bytes: content}, err
	case c == '-' || '0' <= c && c <= '9':
		return p.number()
	}
	for _, w := range [...]struct {
		word  string
		shape shape
	}{{"true", Boolean}, {"false", Boolean}, {"null", Null}} {
		end := p.pos + len(w.word)
		if end <= len(p.data) && string(p.data[p.pos:end]) == w.word {
			v := value{Shape: w.shape, Bytes: p.data[p.pos:end]}
			p.pos = end
			return v, nil
		}
	}
	return value{}, p.fail("a JSON value")
}

func (p *parser) nested(read func() (value, error)) (value, error) {
	if p.depth++; p.depth > maxDepth {
		return value{}, ledger.NewMalformed("the body is nested deeper than %d levels at byte %d", maxDepth,
			p.cuts.origin(p.pos))
	}
	p.pos++
	v, err := read()
	p.depth--
	return v, err
}

func (p *parser) object() (value, error) {
	v := newObject()
	if err := p.share.Take(objectMemory); err != nil {
		return v, err
	}
	if p.take('}') {
		return v, nil
	}
	for {
		if err := p.member(v.Members()); err != nil {
			return v, err
		}
		switch {
		case p.take('}'):
			return v, nil
		case !p.take(','):
			return v, p.fail("',' or '}'")
		}
	}
}

func (p *parser) member(members map[string]value) error {
	p.space()
	at := p.pos
	if p.peek() != '"' {
		return p.fail("a member's name in double quotes")
	}
	name, err := p.text()
	if err != nil {
		return err
	}
	if _, twice := members[string(name)]; twice {
		return ledger.NewMalformed("the member %s is given twice in one object, the second time at byte %d",
			ledger.Quote(string(name)), p.cuts.origin(at))
	}
	if !p.take(':') {
		return p.fail("':'")
	}
	v, err := p.value()
	members[string(name)] = v
	return err
}

func (p *parser) list() (value, error) {
	v := value{Shape: List, nested: new(nested)}
	if p.take(']') {
		return v, nil
	}
	for {
		item, err := p.value()
		if err != nil {
			return v, err
		}
		v.nested.items = append(v.nested.items, item)
		switch {
		case p.take(']'):
			return v, nil
		case !p.take(','):
			return v, p.fail("',' or ']'")
		}
	}
}

// number reads the literal by JSON's grammar; what it is worth is decided by who asks for it.
func (p *parser) number() (value, error) {
	start := p.pos
	if p.peek() == '-' {
		p.pos++
	}
	if p.peek() == '0' {
		p.pos++
	} else if !p.digits() {
		return value{}, p.fail("a digit")
	}
	if p.peek() == '.' {
		p.pos++
		if !p.digits() {
			return value{}, p.fail("a digit")
		}
	}
	if c := p.peek(); c == 'e' || c == 'E' {
		p.pos++
		if c := p.peek(); c == '+' || c == '-' {
			p.pos++
		}
		if !p.digits() {
			return value{}, p.fail("a digit")
		}
	}
	return value{Shape: Number, Bytes: p.data[start:p.pos]}, nil
}

func (p *parser) digits() bool {
	start := p.pos
	for c := p.peek(); '0' <= c && c <= '9'; c = p.peek() {
		p.pos++
	}
	return p.pos > start
}

// text reads a string, beginning at its quote, and writes what it means over what was read.
func (p *parser) text() ([]byte, error) {
	p.pos++
	start, end := p.pos, p.pos
	for p.pos < len(p.data) {
		c := p.data[p.pos]
		switch {
		case c == '"':
			p.pos++
			return p.data[start:end:end], nil
		case c == '\\':
			r, err := p.escape()
			if err != nil {
				return nil, err
			}
			end += utf8.EncodeRune(p.data[end:p.pos], r)
		case c < ' ':
			return nil, p.fail("a text without bare control characters")
		case c < utf8.RuneSelf:
			p.data[end] = c
			end++
			p.pos++
		default:
			r, size := utf8.DecodeRune(p.data[p.pos:])
			if r == utf8.RuneError && size == 1 {
				return nil, ledger.NewMalformed("the body has invalid UTF-8 at byte %d", p.cuts.origin(p.pos))
			}
			end += copy(p.data[end:], p.data[p.pos:p.pos+size])
			p.pos += size
		}
	}
	return nil, p.fail("the closing quote of the text that begins at byte " + fmt.Sprint(p.cuts.origin(start-1)))
}

// escape reads an escape beginning at its backslash.
func (p *parser) escape() (rune, error) {
	const short, meaning = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	p.pos++
	c := p.peek()
	if c == 'u' {
		return p.unicodeEscape()
	}
	for i := range len(short) {
		if short[i] == c && c != 0 {
			p.pos++
			return rune(meaning[i]), nil
		}
	}
	return 0, p.fail(`one of "\/bfnrtu after the backslash`)
}

func (p *parser) unicodeEscape() (rune, error) {
	at := p.pos - 1
	r, err := p.hex()
	if err != nil || !utf16.IsSurrogate(r) {
		return r, err
	}
	if p.peek() == '\\' && p.pos+1 < len(p.data) && p.data[p.pos+1] == 'u' {
		p.pos++
		low, err := p.hex()
		if err != nil {
			return 0, err
		}
		if whole := utf16.DecodeRune(r, low); whole != utf8.RuneError {
			return whole, nil
		}
	}
	return 0, ledger.NewMalformed("the body has half a surrogate pair at byte %d", p.cuts.origin(at))
}

// hex reads u and four hexadecimal digits.
func (p *parser) hex() (rune, error) {
	p.pos++
	var r rune
	for range 4 {
		c := p.peek()
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, p.fail("four hexadecimal digits")
		}
		p.pos++
	}
	return r, nil
}
