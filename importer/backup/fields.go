package backup

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// line is a record on its way to a row. Its readers note what is wrong with a member as an issue of the row.
type line struct {
	*jsonRecord
	row   *record.Record
	index *index
	home  money.Currency
}

// issue notes what is wrong with a member.
func (b *line) issue(name, message string) {
	b.row.AddIssue(strings.TrimSpace(b.kind+" "+name), string(b.value(name)), message)
}

// note notes what is made of a record other than what it says.
func (b *line) note(format string, args ...any) {
	b.row.Changes = append(b.row.Changes, fmt.Sprintf("line %d: ", b.line)+fmt.Sprintf(format, args...))
}

// value is a member as it is written; nil when it is absent or null.
func (r *jsonRecord) value(name string) []byte {
	value := member(r.members, name)
	if string(value) == "null" {
		return nil
	}
	return value
}

// plainText is a member that is a text, or a number or truth value as it is written.
func (r *jsonRecord) plainText(name string) (text string, ok bool) {
	value := r.value(name)
	switch {
	case len(value) == 0:
		return "", true
	case value[0] == '"':
		return unquote(value), true
	case value[0] == '{' || value[0] == '[':
		return "", false
	}
	return string(value), true
}

// text is a member without surrounding white space; blank when it is absent.
func (b *line) text(name string) string {
	text, ok := b.plainText(name)
	if !ok {
		b.issue(name, "must be a text")
	}
	return strings.TrimSpace(text)
}

// required is a text that must be there.
func (b *line) required(name string) string {
	text, ok := b.plainText(name)
	text = strings.TrimSpace(text)
	if text == "" && ok {
		b.issue(name, "is required and must not be blank")
	}
	if !ok {
		b.issue(name, "must be a text")
	}
	return text
}

// name is a text of one line. What is too long for a name is cut, which is told.
func (b *line) name(name, cell string) string {
	cell = text.AsName(cell)
	short := text.CutName(cell)
	if short != cell {
		b.note("%s has more than %d characters and was cut", name, ledger.MaxName)
	}
	return short
}

// notes is a text of several lines; nil when it is blank.
func (b *line) notes(name string) *string {
	cell, ok := b.plainText(name)
	if !ok {
		b.issue(name, "must be a text")
	}
	cell = strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r >= 0x7F && r < 0xA0 {
			return ' '
		}
		return r
	}, cell)
	if text.Longer(cell, ledger.MaxNotes) {
		b.issue(name, text.TooLong(cell, ledger.MaxNotes))
	}
	if cell == "" {
		return nil
	}
	return &cell
}

// date is a day that must be there; of an instant its day.
func (b *line) date(name string) ledger.Date {
	text := b.required(name)
	if text == "" {
		return 0
	}
	return b.day(name, text)
}

func (b *line) day(name, text string) ledger.Date {
	day, err := ledger.ParseDate(text[:min(len(text), len("2006-01-02"))])
	if err == nil {
		err = day.Check()
	}
	if err != nil || len(text) > 10 && text[10] != 'T' && text[10] != ' ' {
		b.issue(name, "must be a date such as 2026-01-31, got "+ledger.Quote(text))
		return 0
	}
	return day
}

// optionalDate is nil when the member is absent.
func (b *line) optionalDate(name string) *ledger.Date {
	text := b.text(name)
	if text == "" {
		return nil
	}
	return new(b.day(name, text))
}

// number is a figure that must be there, as text or as number.
func (b *line) number(name string) (n decimal.Decimal, ok bool) {
	text := b.required(name)
	if text == "" {
		return n, false
	}
	n, err := money.ParseDecimal(text)
	if err != nil {
		b.issue(name, err.Error())
	}
	return n, err == nil
}

// minor is an amount that must be there, in minor units of the row's currency. One with more decimals than the
// currency has is rounded half up, away from zero, where round is set: derived figures are written so.
func (b *line) minor(name string, round bool) int64 {
	n, ok := b.number(name)
	if !ok || b.row.Currency.Code == "" {
		return 0
	}
	if round {
		n = n.Round(int32(b.row.Currency.Exponent))
	}
	minor, err := b.row.Currency.Minor(n)
	if err != nil {
		b.issue(name, err.Error())
	}
	return minor
}

// has reports whether a member is there and not blank.
func (b *line) has(name string) bool {
	text, ok := b.plainText(name)
	return !ok || strings.TrimSpace(text) != ""
}

// flag is a truth value, otherwise when it is absent.
func (b *line) flag(name string, otherwise bool) bool {
	text := b.text(name)
	if text == "" {
		return otherwise
	}
	is, err := strconv.ParseBool(text)
	if err != nil {
		b.issue(name, "must be true or false, got "+ledger.Quote(text))
	}
	return is
}

// whole is a whole number that must be there.
func (b *line) whole(name string) int64 {
	text := b.required(name)
	n, err := strconv.ParseInt(text, 10, 64)
	if text != "" && err != nil {
		b.issue(name, "must be a whole number, got "+ledger.Quote(text))
	}
	return n
}

// currency sets the row's: the record's own, else the other.
func (b *line) currency(otherwise money.Currency) {
	code := b.text("currency")
	if code == "" {
		b.row.Currency = otherwise
		return
	}
	currency, known := money.LookupCurrency(strings.ToUpper(code))
	if !known {
		b.issue("currency", "must be an ISO 4217 code such as EUR, got "+ledger.Quote(code))
	}
	b.row.Currency = currency
}

// ids is a list of ids.
func (b *line) ids(name string) (list []string) {
	value := b.value(name)
	if value == nil {
		return nil
	}
	if value[0] != '[' {
		b.issue(name, "must be a list of ids")
		return nil
	}
	seen := map[string]bool{}
	for _, element := range elements(value) {
		if element[0] != '"' {
			b.issue(name, "must be a list of ids")
			return nil
		}
		id := unquote(element)
		if !seen[id] {
			list = append(list, id)
		}
		seen[id] = true
	}
	return list
}

// list is a member that is a list; nil when it is absent.
func (b *line) list(name string) [][]byte {
	value := b.value(name)
	if value == nil {
		return nil
	}
	if value[0] != '[' {
		b.issue(name, "must be a list")
		return nil
	}
	return elements(value)
}

// report makes problems that the ledger found issues of the row, unless fault was found with the member before.
func (b *line) report(problems ledger.Problems) {
	for _, p := range problems {
		if !slices.ContainsFunc(b.row.Issues, func(i record.Issue) bool { return i.Column == b.kind+" "+p.Field }) {
			b.issue(p.Field, p.Message)
		}
	}
}

// recordKey is the identity of a record: the first eight bytes, big-endian, of the SHA-256 of what is given, joined by
// U+001F: the type and the source id, for an export keeps the ids whatever else was changed since the one before.
// A record without an id is what its members say. It is stored, so it must never change.
func (r *jsonRecord) recordKey() int64 {
	parts := []string{r.kind}
	if id, _ := r.plainText("id"); id != "" {
		parts = append(parts, id)
	} else {
		for _, m := range r.members {
			parts = append(parts, string(m.name), string(m.value))
		}
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x1f")))
	return int64(binary.BigEndian.Uint64(sum[:8]))
}
