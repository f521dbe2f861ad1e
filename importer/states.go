package importer

import (
	"slices"
	"strings"
	"unicode"

	"finsvc/importer/lexicon"
)

// state is what a bank says of a payment that is not simply booked.
type state int

const (
	stateBooked  state = iota // or it says nothing
	statePending              // it is to be booked, perhaps with another day or amount
	stateNever                // it was declined, reverted or given up, and is never booked
)

// Why rows are left out: values of Row.Skipped.
const (
	skippedPending = "pending"
	skippedNever   = "never_booked"
	skippedSection = "section"
)

// stateOf is what a cell of a column of states says. A text that only begins or ends with a mark counts as well.
func stateOf(cell string) state {
	switch {
	case cell == "":
		return stateBooked
	case lexicon.Has(lexicon.Pending, cell) || lexicon.Has(lexicon.PendingLessSure, cell) || marked(cell):
		return statePending
	case lexicon.Has(lexicon.NeverBooked, cell):
		return stateNever
	}
	return stateBooked
}

// marked says whether a text says outright that the payment is pending: all of it does, or what is set off from the rest of it by a colon, a
// dash between blanks, stars or brackets. A merchant whose name begins with such a word is none.
func marked(text string) bool {
	const longest = 24 // characters of a mark, more or less
	if lexicon.Has(lexicon.PendingMark, text) {
		return true
	}
	text = strings.TrimLeft(text, " ")
	if plain, _ := lexicon.PlainHeader(text[:min(len(text), 2*longest)]); lexicon.Begins(lexicon.PendingBeginning, plain) {
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
		if before, after, found := strings.Cut(text, mark); found && (isMark(before) || mark != ":" && isMark(after[strings.LastIndex(after, mark)+1:])) {
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

// partOf reads the only cell of a record that begins a part of the file.
func partOf(cells []string) (begins, pending bool) {
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

// otherDays are the columns with days besides that of the date, of a file in which a blank day of booking is that of a pending payment;
// nil when it is not, because the day is that of the purchase.
func (r *Rows) otherDays() []int {
	at := r.columns.at[fieldDate]
	if at < 0 || at >= len(r.columns.header) || lexicon.Has(lexicon.PurchaseDay, r.columns.header[at]) {
		return nil
	}
	var list []int
	for i, header := range r.columns.header {
		roles := lexicon.ReadHeader(header).Roles
		if i != at && (max(roles[lexicon.RoleDate], roles[lexicon.RoleOtherDate], roles[lexicon.RoleTradeDate]) >= 900 || lexicon.Has(lexicon.PurchaseDay, header)) {
			list = append(list, i)
		}
	}
	return list
}

// otherDay is the cell with the first of these days that a row has; blank when it has none.
func (r *Rows) otherDay(cells []string) string {
	for _, at := range r.days {
		if cell := cellAt(cells, at); cell != "" {
			if _, err := r.rules.dates.parse(cell); err == nil {
				return cell
			}
		}
	}
	return ""
}

// readState says what the bank says of a row, and takes a line that begins a part of the file for what it is.
func (r *Rows) readState(cells []string) (s state, section bool) {
	if !r.hasStates() {
		return stateBooked, false
	}
	if begins, pending := partOf(cells); begins && len(r.columns.header) != 1 {
		r.pendingPart = pending
		return stateBooked, true
	}
	if len(r.columns.header) > 1 && slices.Equal(cells, r.columns.header) {
		return stateBooked, true // each part has the header anew
	}
	if r.pendingPart {
		return statePending, false
	}
	if cell := r.columns.cell(cells, fieldStatus); cell != "" {
		if cell != r.stated.cell {
			r.stated = statedCell{strings.Clone(cell), stateOf(cell)}
		}
		if r.stated.state != stateBooked {
			return r.stated.state, false
		}
	} else if r.postedBy() && r.columns.cell(cells, fieldDate) != "" {
		return statePending, false
	}
	if len(r.days) > 0 && r.columns.cell(cells, fieldDate) == "" && r.otherDay(cells) != "" {
		return statePending, false
	}
	return stateBooked, false
}

// postedBy reports whether the column of states has the days on which payments were booked.
func (r *Rows) postedBy() bool {
	at := r.columns.at[fieldStatus]
	return at >= 0 && at < len(r.columns.header) && lexicon.Has(lexicon.BookingDay, r.columns.header[at])
}

// hasStates says whether the rows are payments of a bank, which may be pending. What becomes of orders of a broker is asked.
func (r *Rows) hasStates() bool {
	switch r.kind.(type) {
	case transactions, mint:
		return true
	}
	return false
}

// statedCell is a cell and the state in it.
type statedCell struct {
	cell  string
	state state
}

// leftOutFor is why a row in a state is left out; blank when it is not.
func (r *Rows) leftOutFor(s state) string {
	switch {
	case r.allStates || s == stateBooked:
	case s == stateNever:
		return skippedNever
	case !r.rules.bookPending:
		return skippedPending
	}
	return ""
}
