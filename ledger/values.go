package ledger

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"
)

// OptionalText is nil for an empty text.
func OptionalText(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func OrBlank(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func AsInteger(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// JSONArray is how lists of keys and days, and of pairs and threes of them, travel into a query.
func JSONArray[T int64 | Date | [2]int64 | [3]int64](list []T) string {
	text, _ := json.Marshal(list) // integers always have a JSON form
	return string(text)
}

func Same[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// Opt is a field of a change: absent (leave as it is), null (clear) or a value.
type Opt[T any] struct {
	Set   bool // the field was given, be it null
	Null  bool
	Value T
}

// Some is a field that was given a value.
func Some[T any](v T) Opt[T] { return Opt[T]{Set: true, Value: v} }

// OptOf is the value that a pointer points to; absent where it points to none.
func OptOf[T any](v *T) (o Opt[T]) {
	if v != nil {
		o = Some(*v)
	}
	return o
}

// Has reports whether a value was given.
func (o Opt[T]) Has() bool { return o.Set && !o.Null }

// Pointer is the value, or nil when none was given.
func (o Opt[T]) Pointer() *T {
	if o.Has() {
		return &o.Value
	}
	return nil
}

// Or is the value, or other when none was given.
func (o Opt[T]) Or(other T) T {
	if o.Has() {
		return o.Value
	}
	return other
}

// Longest texts, in characters.
const (
	MaxName  = 255
	MaxNotes = 10_000
)

// CheckName checks a required text of one line: not blank, at most [MaxName] characters, no control
// characters. It notes the problem and gives the text without surrounding white space.
func (p *Problems) CheckName(field, text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		p.Add(field, "is required and must not be blank")
	}
	p.checkText(field, text, MaxName, false)
	return text
}

// FitName gives the name of an entry in the length that a name may have, and its notes. A longer name is cut at a
// word, and the whole of it put in front of the notes, unless they begin with it already.
func FitName(name, notes string) (string, string) {
	if len(name) <= MaxName {
		return name, notes
	}
	runes := []rune(name)
	if len(runes) <= MaxName {
		return name, notes
	}
	cut := MaxName
	for at := MaxName; at > MaxName/2; at-- {
		if unicode.IsSpace(runes[at]) {
			cut = at
			break
		}
	}
	short := strings.TrimSpace(string(runes[:cut]))
	switch {
	case strings.HasPrefix(notes, name):
		return short, notes
	case notes == "":
		return short, name
	}
	return short, name + "\n" + notes
}

// EntryName checks the name of an entry, which may be as long as notes: see [FitName].
func (p *Problems) EntryName(field, text string) string {
	text = strings.TrimSpace(text)
	p.checkText(field, text, MaxNotes, false)
	return text
}

// FitName is [FitName] with notes that may be absent. Together they must not be longer than notes may be.
func (p *Problems) FitName(field, name string, notes *string) (string, *string) {
	short, all := FitName(name, OrBlank(notes))
	if short == name {
		return name, notes
	}
	n := utf8.RuneCountInString(all)
	if n > MaxNotes && utf8.RuneCountInString(name) <= MaxNotes { // else that was noted already
		p.Add(field, "is kept whole in front of the notes where it has more than %d characters, and must have at most %d together with them, has %d", MaxName, MaxNotes, n)
	}
	return short, &all
}

// CheckLine checks an optional text of one line.
func (p *Problems) CheckLine(field, text string) string {
	text = strings.TrimSpace(text)
	p.checkText(field, text, MaxName, false)
	return text
}

// CheckNotes checks a text of several lines, which is kept exactly as written.
func (p *Problems) CheckNotes(field, text string) string { return p.CheckText(field, text, MaxNotes) }

// CheckText is the same of a text that has a bound of its own, in characters.
func (p *Problems) CheckText(field, text string, most int) string {
	p.checkText(field, text, most, true)
	return text
}

// Notes are the given ones, nil when there are none.
func (p *Problems) Notes(given Opt[string]) *string {
	if !given.Has() {
		return nil
	}
	return new(p.CheckNotes("notes", given.Value))
}

// Require notes the sentence when a field was not given, unless decoding has found fault with it already.
func (p *Problems) Require(given bool, field, sentence string) {
	if !given && !p.Has(field) {
		p.Add(field, "%s", sentence)
	}
}

func (p *Problems) checkText(field, text string, most int, lines bool) {
	if n := utf8.RuneCountInString(text); n > most {
		p.Add(field, "must have at most %d characters, has %d", most, n)
	}
	if !utf8.ValidString(text) {
		p.Add(field, "must be valid UTF-8")
	}
	for _, r := range text {
		if unicode.IsControl(r) && (!lines || !strings.ContainsRune("\n\r\t", r)) {
			p.Add(field, "must not contain control characters, has U+%04X", r)
			return
		}
	}
}

// NormalText is a text in the one form of Unicode in which texts are compared and searched (NFC): a letter with an
// accent is one character, whether it was written as one or as a letter and a mark, as file names of macOS are. What is
// stored stays as it was written; this is for keys, hashes and searches. Most texts are in that form and are not
// copied.
func NormalText(text string) string { return norm.NFC.String(text) }

// Fold is the form of a name that decides whether two names are the same and how they sort: without regard to case,
// to surrounding or repeated white space and to the form of Unicode, see [NormalText].
func Fold(name string) string {
	folded := strings.ToLower(strings.ToUpper(strings.Join(strings.Fields(NormalText(name)), " ")))
	// a small letter can have a form with its mark where the capital has none: T and t with two dots
	return NormalText(folded)
}

// Distance counts the letters to insert, delete or replace to make one text of the other (Levenshtein).
func Distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range to {
			replaced := diagonal
			if r != s {
				replaced++
			}
			diagonal, row[j+1] = row[j+1], min(replaced, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(to)]
}

// ClipText cuts a text that people wrote to so many characters.
func ClipText(text string, most int) string {
	for i := range text {
		if most--; most < 0 {
			return text[:i] + "…"
		}
	}
	return text
}

// Quote shows a value in a message, cut to a readable length.
func Quote(text string) string {
	return strconv.Quote(ClipText(text, 60))
}

// ParseID reads the 36 characters of a UUID; the case of its letters does not matter. The other
// spellings that the uuid package knows (braces, urn:, bare digits) are not ids here.
func ParseID(text string) (uuid.UUID, bool) {
	if len(text) != 36 {
		return uuid.Nil, false
	}
	id, err := uuid.Parse(text)
	return id, err == nil
}
