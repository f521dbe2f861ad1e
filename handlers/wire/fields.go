package wire

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
)

// Limits of one member of a body. What is stored has lower ones of its own, in characters; these are for everything,
// before anything is made of it.
const (
	maxText  = 64 << 10 // bytes of a text: more than the longest notes have
	maxItems = entry.MaxBulk
)

// Fields reads the members of an object in a body and collects what is wrong with them. Each member is
// absent, null or a value; members that nobody reads are ignored. A blank text in place of a number, a
// date, an id or a boolean is null: forms cannot say it otherwise.
type Fields struct {
	members  map[string]value
	prefix   string // of names in problems
	Problems *ledger.Problems
}

// Wrapped gives the object that the body must hold under a name, such as {"tag": {...}}.
func (r *Request) Wrapped(name string) (*Fields, error) {
	v, given := r.Tree.Members()[name]
	switch {
	case r.Tree.Shape == Nothing:
		return nil, ledger.NewMalformed(`the body is missing: expected {%q: {...}}`, name)
	case r.Tree.Shape != Object:
		return nil, ledger.NewMalformed(`the body must be an object, {%q: {...}}, got %s`, name, r.Tree.Shape)
	case !given:
		return nil, ledger.NewMalformed(`the body lacks the object that holds the fields: expected {%q: {...}}`, name)
	case v.Shape != Object:
		return nil, ledger.NewMalformed(`%s must be an object, got %s`, name, v.Shape)
	}
	return &Fields{members: v.Members(), Problems: new(ledger.Problems)}, nil
}

// Fields gives the members of the body itself; none when there is no body.
func (r *Request) Fields() (*Fields, error) {
	if r.Tree.Shape != Object && r.Tree.Shape != Nothing {
		return nil, ledger.NewMalformed("the body must be an object, got %s", r.Tree.Shape)
	}
	return &Fields{members: r.Tree.Members(), Problems: new(ledger.Problems)}, nil
}

// Err is everything that was wrong so far, at once.
func (f *Fields) Err() error { return f.Problems.Err() }

// Has reports whether the member is there, be it null.
func (f *Fields) Has(name string) bool {
	_, given := f.members[name]
	return given
}

// Objects gives the objects of a list; problems in them name the list and the index.
func (f *Fields) Objects(name string) []*Fields {
	var all []*Fields
	items := readField(f, name, func(v value) ([]value, error) {
		return v.Items(),
			expect(v, List, "a list of objects")
	})
	for i, v := range items.Value {
		at := fmt.Sprintf("%s%s[%d]", f.prefix, name, i)
		if err := expect(v, Object, "an object"); err != nil {
			f.Problems.Add(at, "%s", err)
			continue
		}
		all = append(all, &Fields{members: v.Members(), prefix: at + ".", Problems: f.Problems})
	}
	return all
}

// Text reads a text exactly as given.
func (f *Fields) Text(name string) ledger.Opt[string] {
	return readField(f, name, func(v value) (string, error) { return string(v.Bytes), expect(v, Text, "text") })
}

// Token reads a text that clients also write as a number, such as an external id.
func (f *Fields) Token(name string) ledger.Opt[string] {
	return readField(f, name, func(v value) (string, error) {
		if v.Shape == Number {
			return string(v.Bytes), nil
		}
		return string(v.Bytes), expect(v, Text, "text")
	})
}

// Message reads a text that may be longer than others, in characters.
func (f *Fields) Message(name string, longest int) ledger.Opt[string] {
	return readWithin(f, name, utf8.UTFMax*longest, func(v value) (string, error) {
		return string(v.Bytes),
			expect(v, Text, "text")
	})
}

// Content reads a long text or a file without copying it. The bytes belong to the request.
func (f *Fields) Content(name string) ledger.Opt[[]byte] {
	return readWithin(f, name, math.MaxInt, func(v value) ([]byte, error) {
		if v.Shape == File {
			return v.Bytes, nil
		}
		return v.Bytes, expect(v, Text, "text or a file")
	})
}

// Decimal reads an exact number, written as a number or as a text.
func (f *Fields) Decimal(name string) ledger.Opt[decimal.Decimal] {
	return readWord(f, name, "a number", money.ParseDecimal)
}

// IsNumber reports whether a member is a JSON number, which programs often compute in binary floating point.
func (f *Fields) IsNumber(name string) bool { return f.members[name].Shape == Number }

// Integer reads a whole number.
func (f *Fields) Integer(name string) ledger.Opt[int64] {
	return readWord(f, name, "a whole number", parseInteger)
}

// Date reads a day, or the day of an instant; no blanks stand around it.
func (f *Fields) Date(name string) ledger.Opt[ledger.Date] {
	return readExactly(f, name, "a calendar date such as 2026-01-31", ledger.ParseDay)
}

// Id reads an id.
func (f *Fields) Id(name string) ledger.Opt[uuid.UUID] {
	return readWord(f, name, "an id (a UUID)", parseID)
}

// Boolean reads true or false, also as a text or as 1 and 0.
func (f *Fields) Boolean(name string) ledger.Opt[bool] {
	return readWord(f, name, "true or false", parseFlag)
}

// OneOf reads one of some words.
func (f *Fields) OneOf(name string, words ...string) ledger.Opt[string] {
	return readWord(f, name, "text", func(s string) (string, error) { return s, checkWord(s, words) })
}

// Ids reads a list of ids. Blank items are left out, so that a form can say the empty list: x[]=
func (f *Fields) Ids(name string) ledger.Opt[[]uuid.UUID] {
	return readField(f, name, func(v value) ([]uuid.UUID, error) {
		if v.Shape == Text && isBlank(v) {
			return nil, nil
		}
		if err := expect(v, List, "a list of ids (UUIDs)"); err != nil {
			return nil, err
		}
		return parseIDs(v.Items())
	})
}

func parseIDs(items []value) ([]uuid.UUID, error) {
	ids := make([]uuid.UUID, 0, len(items))
	for i, v := range items {
		if isBlank(v) {
			continue
		}
		if v.Shape != Text {
			return nil, fmt.Errorf("must be a list of ids (UUIDs), has %s at index %d", v.Shape, i)
		}
		id, err := parseID(string(v.Bytes))
		if err != nil {
			return nil, &ledger.NoID{Text: string(v.Bytes),
				Message: fmt.Sprintf("must be a list of ids (UUIDs), has %s at index %d", ledger.Quote(string(v.Bytes)), i)}
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// readField reads a member by parse, whose error continues the sentence that name begins.
func readField[T any](f *Fields, name string, parse func(value) (T, error)) ledger.Opt[T] {
	return readWithin(f, name, maxText, parse)
}

// readWithin is readField with a limit of its own, in bytes of the text.
func readWithin[T any](f *Fields, name string, most int, parse func(value) (T, error)) ledger.Opt[T] {
	v, given := f.members[name]
	if !given {
		return ledger.Opt[T]{}
	}
	if v.Shape == Null {
		return ledger.Opt[T]{Set: true, Null: true}
	}
	if len(v.Bytes) > most {
		f.Problems.Add(f.prefix+name, "must have at most %d bytes, has %d", most, len(v.Bytes))
		return ledger.Opt[T]{}
	}
	if n := len(v.Items()); n > maxItems {
		f.Problems.Add(f.prefix+name, "must have at most %d members, has %d", maxItems, n)
		return ledger.Opt[T]{}
	}
	parsed, err := parse(v)
	if err != nil {
		f.Problems.Note(f.prefix+name, err)
		return ledger.Opt[T]{}
	}
	return ledger.Some(parsed)
}

// readWord reads a member that is a single word: text, number or boolean, as the client likes to
// write it.
func readWord[T any](f *Fields, name, want string, parse func(string) (T, error)) ledger.Opt[T] {
	return readExactly(f, name, want, func(text string) (T, error) { return parse(strings.TrimSpace(text)) })
}

// readExactly is readWord with the white space around the word.
func readExactly[T any](f *Fields, name, want string, parse func(string) (T, error)) ledger.Opt[T] {
	if v, given := f.members[name]; given && v.Shape == Text && isBlank(v) {
		return ledger.Opt[T]{Set: true, Null: true}
	}
	return readField(f, name, func(v value) (T, error) {
		if v.Shape == Text || v.Shape == Number || v.Shape == Boolean {
			return parse(string(v.Bytes))
		}
		var none T
		return none, expect(v, Text, want)
	})
}

func expect(v value, want shape, sentence string) error {
	if v.Shape == want {
		return nil
	}
	return fmt.Errorf("must be %s, got %s", sentence, v.Shape)
}

// isBlank reports whether there is nothing but white space, or null.
func isBlank(v value) bool {
	return v.Shape == Null || v.Shape == Text && strings.TrimSpace(string(v.Bytes)) == ""
}

func parseInteger(s string) (int64, error) {
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("must be a whole number within 64 bits, got %s", ledger.Quote(s))
	case err != nil:
		return 0, fmt.Errorf("must be a whole number such as 12, got %s", ledger.Quote(s))
	}
	return n, nil
}

// Setting reads a setting, which clients also write as a number or as true and false.
func (f *Fields) Setting(name string) *string {
	v := readField(f, name, func(v value) (string, error) {
		if v.Shape == Text || v.Shape == Number || v.Shape == Boolean {
			return string(v.Bytes), nil
		}
		return "", expect(v, Text, "text")
	})
	text := strings.Trim(v.Value, " ") // a tab is a separator
	if !v.Has() || text == "" {
		return nil
	}
	return &text
}

// IsNull reports whether the member is null.
func (f *Fields) IsNull(name string) bool { return f.members[name].Shape == Null }

// OfBody are the members of the whole body, for what clients say inside or beside the object; problems go where f's go.
func (f *Fields) OfBody(r *Request) *Fields {
	return &Fields{members: r.Tree.Members(), Problems: f.Problems}
}

// Holds reports whether the body is an object that has the member.
func (r *Request) Holds(name string) bool {
	_, given := r.Tree.Members()[name]
	return given
}

// IsBlank reports whether the member is null or a blank text.
func (f *Fields) IsBlank(name string) bool { return isBlank(f.members[name]) }

// FileName is what the client calls the file in a member; blank of anything else.
func (f *Fields) FileName(name string) string { return f.members[name].fileName() }

// Apart is the same object with problems of its own, named without what it is in.
func (f *Fields) Apart() *Fields {
	return &Fields{members: f.members, Problems: new(ledger.Problems)}
}

// Agreed is what a client says under one of two names. Under both it must say the same.
func Agreed[T comparable](f *Fields, name string, one ledger.Opt[T], otherName string,
	other ledger.Opt[T]) ledger.Opt[T] {
	switch {
	case !other.Has():
		return one
	case one.Has() && one.Value != other.Value:
		f.Problems.Add(f.prefix+otherName, "must be absent or the same as %s", name)
	}
	return other
}
