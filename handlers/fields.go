package handlers

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/assistant"
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
)

// Limits of one member of a body. What is stored has lower ones of its own, in characters; these are for everything, before
// anything is made of it.
const (
	maxText  = 64 << 10 // bytes of a text: more than the longest notes have
	maxItems = entry.MaxBulk
)

// fields reads the members of an object in a body and collects what is wrong with them. Each member is
// absent, null or a value; members that nobody reads are ignored. A blank text in place of a number, a
// date, an id or a boolean is null: forms cannot say it otherwise.
type fields struct {
	members  map[string]value
	prefix   string // of names in problems
	problems *ledger.Problems
}

// wrapped gives the object that the body must hold under a name, such as {"tag": {...}}.
func (r *request) wrapped(name string) (*fields, error) {
	v, given := r.tree.members()[name]
	switch {
	case r.tree.shape == isNothing:
		return nil, ledger.NewMalformed(`the body is missing: expected {%q: {...}}`, name)
	case r.tree.shape != isObject:
		return nil, ledger.NewMalformed(`the body must be an object, {%q: {...}}, got %s`, name, r.tree.shape)
	case !given:
		return nil, ledger.NewMalformed(`the body lacks the object that holds the fields: expected {%q: {...}}`, name)
	case v.shape != isObject:
		return nil, ledger.NewMalformed(`%s must be an object, got %s`, name, v.shape)
	}
	return &fields{members: v.members(), problems: new(ledger.Problems)}, nil
}

// fields gives the members of the body itself; none when there is no body.
func (r *request) fields() (*fields, error) {
	if r.tree.shape != isObject && r.tree.shape != isNothing {
		return nil, ledger.NewMalformed("the body must be an object, got %s", r.tree.shape)
	}
	return &fields{members: r.tree.members(), problems: new(ledger.Problems)}, nil
}

// err is everything that was wrong so far, at once.
func (f *fields) err() error { return f.problems.Err() }

// has says whether the member is there, be it null.
func (f *fields) has(name string) bool {
	_, given := f.members[name]
	return given
}

// objects gives the objects of a list; problems in them name the list and the index.
func (f *fields) objects(name string) []*fields {
	var all []*fields
	items := readField(f, name, func(v value) ([]value, error) { return v.items(), expect(v, isList, "a list of objects") })
	for i, v := range items.Value {
		at := fmt.Sprintf("%s%s[%d]", f.prefix, name, i)
		if err := expect(v, isObject, "an object"); err != nil {
			f.problems.Add(at, "%s", err)
			continue
		}
		all = append(all, &fields{members: v.members(), prefix: at + ".", problems: f.problems})
	}
	return all
}

// text reads a text exactly as given.
func (f *fields) text(name string) ledger.Opt[string] {
	return readField(f, name, func(v value) (string, error) { return string(v.bytes), expect(v, isText, "text") })
}

// token reads a text that clients also write as a number, such as an external id.
func (f *fields) token(name string) ledger.Opt[string] {
	return readField(f, name, func(v value) (string, error) {
		if v.shape == isNumber {
			return string(v.bytes), nil
		}
		return string(v.bytes), expect(v, isText, "text")
	})
}

// message reads a text that may be longer than others.
func (f *fields) message(name string) ledger.Opt[string] {
	return readWithin(f, name, utf8.UTFMax*assistant.MaxMessage, func(v value) (string, error) { return string(v.bytes), expect(v, isText, "text") })
}

// content reads a long text or a file without copying it. The bytes belong to the request.
func (f *fields) content(name string) ledger.Opt[[]byte] {
	return readWithin(f, name, math.MaxInt, func(v value) ([]byte, error) {
		if v.shape == isFile {
			return v.bytes, nil
		}
		return v.bytes, expect(v, isText, "text or a file")
	})
}

// decimal reads an exact number, written as a number or as a text.
func (f *fields) decimal(name string) ledger.Opt[decimal.Decimal] {
	return readWord(f, name, "a number", money.ParseDecimal)
}

// isNumber says whether a member is a JSON number, which programs often compute in binary floating point.
func (f *fields) isNumber(name string) bool { return f.members[name].shape == isNumber }

// integer reads a whole number.
func (f *fields) integer(name string) ledger.Opt[int64] {
	return readWord(f, name, "a whole number", parseInteger)
}

// date reads a day, or the day of an instant; no blanks stand around it.
func (f *fields) date(name string) ledger.Opt[ledger.Date] {
	return readExactly(f, name, "a calendar date such as 2026-01-31", ledger.ParseDay)
}

// id reads an id.
func (f *fields) id(name string) ledger.Opt[uuid.UUID] {
	return readWord(f, name, "an id (a UUID)", parseID)
}

// boolean reads true or false, also as a text or as 1 and 0.
func (f *fields) boolean(name string) ledger.Opt[bool] {
	return readWord(f, name, "true or false", parseFlag)
}

// oneOf reads one of some words.
func (f *fields) oneOf(name string, words ...string) ledger.Opt[string] {
	return readWord(f, name, "text", func(s string) (string, error) { return s, checkWord(s, words) })
}

// ids reads a list of ids. Blank items are left out, so that a form can say the empty list: x[]=
func (f *fields) ids(name string) ledger.Opt[[]uuid.UUID] {
	return readField(f, name, func(v value) ([]uuid.UUID, error) {
		if v.shape == isText && isBlank(v) {
			return nil, nil
		}
		if err := expect(v, isList, "a list of ids (UUIDs)"); err != nil {
			return nil, err
		}
		return parseIDs(v.items())
	})
}

func parseIDs(items []value) ([]uuid.UUID, error) {
	ids := make([]uuid.UUID, 0, len(items))
	for i, v := range items {
		if isBlank(v) {
			continue
		}
		if v.shape != isText {
			return nil, fmt.Errorf("must be a list of ids (UUIDs), has %s at index %d", v.shape, i)
		}
		id, err := parseID(string(v.bytes))
		if err != nil {
			return nil, fmt.Errorf("must be a list of ids (UUIDs), has %s at index %d", ledger.Quote(string(v.bytes)), i)
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// readField reads a member by parse, whose error continues the sentence that name begins.
func readField[T any](f *fields, name string, parse func(value) (T, error)) ledger.Opt[T] {
	return readWithin(f, name, maxText, parse)
}

// readWithin is readField with a limit of its own, in bytes of the text.
func readWithin[T any](f *fields, name string, most int, parse func(value) (T, error)) ledger.Opt[T] {
	v, given := f.members[name]
	if !given {
		return ledger.Opt[T]{}
	}
	if v.shape == isNull {
		return ledger.Opt[T]{Set: true, Null: true}
	}
	if len(v.bytes) > most {
		f.problems.Add(f.prefix+name, "must have at most %d bytes, has %d", most, len(v.bytes))
		return ledger.Opt[T]{}
	}
	if n := len(v.items()); n > maxItems {
		f.problems.Add(f.prefix+name, "must have at most %d members, has %d", maxItems, n)
		return ledger.Opt[T]{}
	}
	parsed, err := parse(v)
	if err != nil {
		f.problems.Add(f.prefix+name, "%s", err)
		return ledger.Opt[T]{}
	}
	return ledger.Some(parsed)
}

// readWord reads a member that is a single word: text, number or boolean, as the client likes to
// write it.
func readWord[T any](f *fields, name, want string, parse func(string) (T, error)) ledger.Opt[T] {
	return readExactly(f, name, want, func(text string) (T, error) { return parse(strings.TrimSpace(text)) })
}

// readExactly is readWord with the white space around the word.
func readExactly[T any](f *fields, name, want string, parse func(string) (T, error)) ledger.Opt[T] {
	if v, given := f.members[name]; given && v.shape == isText && isBlank(v) {
		return ledger.Opt[T]{Set: true, Null: true}
	}
	return readField(f, name, func(v value) (T, error) {
		if v.shape == isText || v.shape == isNumber || v.shape == isBoolean {
			return parse(string(v.bytes))
		}
		var none T
		return none, expect(v, isText, want)
	})
}

func expect(v value, want shape, sentence string) error {
	if v.shape == want {
		return nil
	}
	return fmt.Errorf("must be %s, got %s", sentence, v.shape)
}

// isBlank says whether there is nothing but white space, or null.
func isBlank(v value) bool {
	return v.shape == isNull || v.shape == isText && strings.TrimSpace(string(v.bytes)) == ""
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

// setting reads a setting, which clients also write as a number or as true and false.
func (f *fields) setting(name string) *string {
	v := readField(f, name, func(v value) (string, error) {
		if v.shape == isText || v.shape == isNumber || v.shape == isBoolean {
			return string(v.bytes), nil
		}
		return "", expect(v, isText, "text")
	})
	text := strings.Trim(v.Value, " ") // a tab is a separator
	if !v.Has() || text == "" {
		return nil
	}
	return &text
}

// isNull reports whether the member is null.
func (f *fields) isNull(name string) bool { return f.members[name].shape == isNull }

// beside are the members of the whole body, for what clients say inside or beside the object; problems go where f's go.
func (f *fields) beside(r *request) *fields {
	return &fields{members: r.tree.members(), problems: f.problems}
}

// holds reports whether the body is an object that has the member.
func (r *request) holds(name string) bool {
	_, given := r.tree.members()[name]
	return given
}

// isBlank reports whether the member is null or a blank text.
func (f *fields) isBlank(name string) bool { return isBlank(f.members[name]) }

// fileName is what the client calls the file in a member; blank of anything else.
func (f *fields) fileName(name string) string { return f.members[name].fileName() }

// apart is the same object with problems of its own, named without what it is in.
func (f *fields) apart() *fields {
	return &fields{members: f.members, problems: new(ledger.Problems)}
}

// agreed is what a client says under one of two names. Under both it must say the same.
func agreed[T comparable](f *fields, name string, one ledger.Opt[T], otherName string, other ledger.Opt[T]) ledger.Opt[T] {
	switch {
	case !other.Has():
		return one
	case one.Has() && one.Value != other.Value:
		f.problems.Add(f.prefix+otherName, "must be absent or the same as %s", name)
	}
	return other
}
