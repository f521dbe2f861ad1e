package ledger

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/db"
)

// Kind is the class of an [Error]; the caller decides from it what to answer.
type Kind int

// The kinds of errors. The zero value is Internal: whatever nobody classified is a bug or a broken
// machine, and its text is never shown to a client.
const (
	Internal     Kind = iota
	Malformed         // the request cannot be read at all
	Invalid           // readable, but breaks a rule; Fields says which
	Unauthorized      // who is asking is not known
	Forbidden         // known, but not allowed
	NotFound          // does not exist, or belongs to another household: the two are never told apart
	Conflict          // the present state does not allow it
	RateLimited       // too much in too short a time
	Unavailable       // nothing was written; the same request may succeed later
)

// Error is what every room returns for anything a client may be told about. Code is stable and for
// programs, Message is a sentence for people, Err is for the log only.
type Error struct {
	Kind    Kind
	Code    string
	Message string
	Fields  Problems
	Details map[string]any
	Err     error
}

// Error is the text for the log.
func (e *Error) Error() string {
	text := e.Code
	if e.Message != "" {
		text += ": " + e.Message
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.Err }

// AsError finds the [Error] in a chain; nil when there is none.
func AsError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return nil
}

// IsKind reports whether err is an [Error] of that kind.
func IsKind(err error, kind Kind) bool {
	e := AsError(err)
	return e != nil && e.Kind == kind
}

// IsUnavailable reports whether the database could not do its work at present, as when the disk is full or
// the service stops: nothing was written.
func IsUnavailable(err error) bool { return errors.Is(err, db.ErrUnavailable) }

// IsDisplaced reports whether the database is unavailable because its file was removed, moved or replaced.
func IsDisplaced(err error) bool { return errors.Is(err, db.ErrDisplaced) }

// IsOverBudget reports whether a write was undone because others had waited too long for it, see [db.ErrOverBudget].
func IsOverBudget(err error) bool { return errors.Is(err, db.ErrOverBudget) }

// FieldError says what is wrong with one field. Message continues the sentence that the field's name
// begins: "must be a date such as 2026-01-31".
type FieldError struct {
	Field   string
	Message string
	NoID    string // the text that was given where an id is wanted, which may be the name of what was meant; else empty
}

// String is the sentence: field, then message.
func (f FieldError) String() string { return f.Field + " " + f.Message }

// Problems collects the failing fields of one input, so that all of them are reported at once.
type Problems []FieldError

// Add notes a failing field; the message is formatted as by Sprintf.
func (p *Problems) Add(field, format string, args ...any) {
	*p = append(*p, FieldError{Field: field, Message: fmt.Sprintf(format, args...)})
}

// NoID is the error of a text that was given where an id is wanted. Message is that of a [FieldError].
type NoID struct{ Text, Message string }

// Error is the message.
func (e *NoID) Error() string { return e.Message }

// Note notes an error, whose text is such a message, unless it is nil.
func (p *Problems) Note(field string, err error) {
	if err == nil {
		return
	}
	f := FieldError{Field: field, Message: err.Error()}
	if no, is := errors.AsType[*NoID](err); is {
		f.NoID = no.Text
	}
	*p = append(*p, f)
}

// Has reports whether the field is among the failing ones.
func (p Problems) Has(field string) bool {
	for _, f := range p {
		if f.Field == field {
			return true
		}
	}
	return false
}

// Err is nil when nothing failed, else one validation error with all of them.
func (p Problems) Err() error {
	if len(p) == 0 {
		return nil
	}
	return &Error{Kind: Invalid, Code: "validation_failed", Message: strings.Join(p.Sentences(), "; "), Fields: p}
}

// Sentences are the problems as text, in the order found.
func (p Problems) Sentences() []string {
	out := make([]string, len(p))
	for i, f := range p {
		out[i] = f.String()
	}
	return out
}

// NewMalformed is for a request that cannot be read: 400 in HTTP.
func NewMalformed(format string, args ...any) *Error {
	return &Error{Kind: Malformed, Code: "bad_request", Message: fmt.Sprintf(format, args...)}
}

// NewInvalid is a validation error of a single field.
func NewInvalid(field, format string, args ...any) error {
	var p Problems
	p.Add(field, format, args...)
	return p.Err()
}

// NewNotFound is for a thing that is not there for this household; what is its name, such as "Account".
func NewNotFound(what string) *Error {
	return &Error{Kind: NotFound, Code: "not_found", Message: what + " not found"}
}

// NewConflict is for a state that does not allow what was asked.
func NewConflict(format string, args ...any) *Error {
	return &Error{Kind: Conflict, Code: "conflict", Message: fmt.Sprintf(format, args...)}
}

// CheckWebsite takes an address with or without http:// or https://, as it was written.
func (p *Problems) CheckWebsite(field, text string) string {
	text = p.CheckLine(field, text)
	if text == "" {
		return text
	}
	_, rest, schemed := strings.Cut(text, "://")
	if !schemed {
		rest = text
	}
	address, err := url.Parse("https://" + rest)
	lower := strings.ToLower(text)
	known := !schemed || strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://")
	if err != nil || !known || !strings.Contains(address.Hostname(), ".") || strings.ContainsAny(text, " \t") {
		p.Add(field, "must be an address such as https://example.org, got %s", Quote(text))
	}
	return text
}

// OptionalLine is nil when the text is null or blank.
func (p *Problems) OptionalLine(field string, text Opt[string]) *string {
	line := p.CheckLine(field, text.Or(""))
	if line == "" {
		return nil
	}
	return &line
}

// OfAmounts reports whether a problem is one of those from which a wrong sum of lines would only follow.
func (f FieldError) OfAmounts() bool {
	return f.Field == "amount" || f.Field == "nature" || f.Field == "currency" ||
		strings.HasPrefix(f.Field, "split_lines")
}

// Take takes a figure when it is given, and notes what is wrong with it.
func (p *Problems) Take(field string, given Opt[decimal.Decimal], into *decimal.Decimal,
	check func(decimal.Decimal) error) {
	if given.Has() {
		*into = given.Value
		p.Note(field, check(given.Value))
	}
}

// Gather takes the problems of a part of the input into those of the whole. A part that does not exist
// is a problem of the field that names it; other errors pass.
func (p *Problems) Gather(prefix string, err error) error {
	switch e := AsError(err); {
	case err == nil:
		return nil
	case e != nil && e.Kind == Invalid:
		for _, f := range e.Fields {
			f.Field = prefix + f.Field
			*p = append(*p, f)
		}
		return nil
	case e != nil && e.Kind == NotFound:
		p.Add(prefix+"account_id", "is not the id of one of the household's own accounts")
		return nil
	}
	return err
}

// Reference is the key of one of the household's own; nil when none is named.
func (p *Problems) Reference(field string, id Opt[uuid.UUID], keys map[uuid.UUID]int64) *int64 {
	if !id.Has() {
		return nil
	}
	key, ok := keys[id.Value]
	if !ok {
		p.Add(field, "is not the id of one of the household's own: %s", id.Value)
		return nil
	}
	return &key
}
