package table

import (
	"slices"
	"strings"
	"unicode"

	"finsvc/importer/lexicon"
	"finsvc/importer/record"
	"finsvc/importer/text"
)

// StateOf is what a cell of a column of states says. A text that only begins or ends with a mark counts as well.
func StateOf(cell string) record.State {
	switch {
	case cell == "":
		return record.StateBooked
	case lexicon.Has(lexicon.Pending, cell) || lexicon.Has(lexicon.PendingLessSure, cell) || Marked(cell):
		return record.StatePending
	case lexicon.Has(lexicon.NeverBooked, cell):
		return record.StateNever
	}
	return record.StateBooked
}

// Marked reports whether a text says outright that the payment is pending: all of it does, or what is set off from the
// rest of it by a colon, a dash between blanks, stars or brackets. A merchant whose name begins with such a word is
// none.
func Marked(text string) bool {
	const longest = 24 // characters of a mark, more or less
	if lexicon.Has(lexicon.PendingMark, text) {
		return true
	}
	text = strings.TrimLeft(text, " ")
	if plain, _ := lexicon.PlainHeader(text[:min(len(text), 2*longest)]); lexicon.Begins(lexicon.PendingBeginning,
		plain) {
		return true
	}
	for _, open := range []string{"(", "[", "*"} {
		closed := map[string]string{"(": ")", "[": "]", "*": "*"}[open]
		if rest, found := strings.CutPrefix(text, open); found {
			if word, _, ends := strings.Cut(rest, closed); ends && isMark(word) {
				return true
			}
		}
		if rest, found := strings.CutSuffix(strings.TrimRight(text, " "), closed); found {
			if at := strings.LastIndex(rest, open); at >= 0 && isMark(rest[at+len(open):]) {
				return true
			}
		}
	}
	for _, mark := range []string{":", " - ", " – ", " — ", " | ", " / "} {
		if before, after, found := strings.Cut(text, mark); found &&
			(isMark(before) || mark != ":" && isMark(after[strings.LastIndex(after, mark)+1:])) {
			return true
		}
	}
	return false
}

func isMark(word string) bool {
	const longest = 40 // bytes
	word = strings.Trim(word, " *")
	return word != "" && len(word) <= longest && lexicon.Has(lexicon.PendingMark, word)
}

// PartOf reads the only cell of a record that begins a part of the file.
func PartOf(cells []string) (begins, pending bool) {
	const longest = 80 // bytes
	only := ""
	for _, cell := range cells {
		if cell == "" {
			continue
		}
		if only != "" {
			return false, false
		}
		only = cell
	}
	if only == "" || len(only) > longest || !strings.ContainsFunc(only, unicode.IsLetter) {
		return false, false
	}
	only = strings.TrimRight(strings.TrimLeft(only, "*-=# "), "*-=#: ")
	switch {
	case lexicon.Has(lexicon.PendingSection, only):
		return true, true
	case lexicon.Has(lexicon.BookedSection, only):
		return true, false
	}
	return false, false
}

// otherDays are the columns with days besides that of the date, of a file in which a blank day of booking is that of a
// pending payment; nil when it is not, because the day is that of the purchase.
func otherDays(r *Rows) []int {
	at := r.Columns.At[record.FieldDate]
	if at < 0 || at >= len(r.Columns.Header) || lexicon.Has(lexicon.PurchaseDay, r.Columns.Header[at]) {
		return nil
	}
	var list []int
	for i, header := range r.Columns.Header {
		roles := lexicon.ReadHeader(header).Roles
		if i != at && (max(roles[lexicon.RoleDate], roles[lexicon.RoleOtherDate],
			roles[lexicon.RoleTradeDate]) >= 900 || lexicon.Has(lexicon.PurchaseDay, header)) {
			list = append(list, i)
		}
	}
	return list
}

// otherDay is the cell with the first of these days that a row has; blank when it has none.
func otherDay(r *Rows, cells []string) string {
	for _, at := range r.days {
		if cell := text.CellAt(cells, at); cell != "" {
			if _, err := r.Rules.Dates.Parse(cell); err == nil {
				return cell
			}
		}
	}
	return ""
}

// readState says what the bank says of a row, and takes a line that begins a part of the file for what it is.
func readState(r *Rows, cells []string) (s record.State, section bool) {
	if !hasStates(r) {
		return record.StateBooked, false
	}
	if begins, pending := PartOf(cells); begins && len(r.Columns.Header) != 1 {
		r.pendingPart = pending
		return record.StateBooked, true
	}
	if len(r.Columns.Header) > 1 && slices.Equal(cells, r.Columns.Header) {
		return record.StateBooked, true // each part has the header anew
	}
	if r.pendingPart {
		return record.StatePending, false
	}
	if cell := r.Columns.cell(cells, record.FieldStatus); cell != "" {
		if cell != r.stated.cell {
			r.stated = statedCell{strings.Clone(cell), StateOf(cell)}
		}
		if r.stated.state != record.StateBooked {
			return r.stated.state, false
		}
	} else if postedBy(r) && r.Columns.cell(cells, record.FieldDate) != "" {
		return record.StatePending, false
	}
	if len(r.days) > 0 && r.Columns.cell(cells, record.FieldDate) == "" && otherDay(r, cells) != "" {
		return record.StatePending, false
	}
	return record.StateBooked, false
}

// postedBy reports whether the column of states has the days on which payments were booked.
func postedBy(r *Rows) bool {
	at := r.Columns.At[record.FieldStatus]
	return at >= 0 && at < len(r.Columns.Header) && lexicon.Has(lexicon.BookingDay, r.Columns.Header[at])
}

// hasStates reports whether the rows are payments of a bank, which may be pending. What becomes of orders of a broker is
// asked.
func hasStates(r *Rows) bool {
	switch r.kind.(type) {
	case Transactions, Mint:
		return true
	}
	return false
}

// statedCell is a cell and the state in it.
type statedCell struct {
	cell  string
	state record.State
}

// leftOutFor is why a row in a state is left out; blank when it is not.
func leftOutFor(r *Rows, s record.State) string {
	switch {
	case r.AllStates || s == record.StateBooked:
	case s == record.StateNever:
		return record.SkippedNever
	case !r.Rules.BookPending:
		return record.SkippedPending
	}
	return ""
}
