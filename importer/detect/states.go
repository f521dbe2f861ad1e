package detect

import (
	"errors"
	"io"
	"maps"
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/importer/text"
)

// edge is how many records at the end of a file are looked at for payments that are pending: they are among the newest, which stand at its
// beginning or at its end.
const edge = 200

// keepEdge remembers the last payments.
func (f *detector) keepEdge(cells []string) {
	if len(f.latest) < edge {
		f.latest = append(f.latest, cells)
		return
	}
	f.latest[f.rows%edge] = cells
}

// looksPending says whether a record is that of a pending payment, as far as its own cells say.
func (f *detector) looksPending(cells []string) bool {
	days, blank := false, false
	for i := range f.columns {
		cell := text.CellAt(cells, i)
		switch c := &f.columns[i]; {
		case c.isDate:
			days, blank = days || cell != "", blank || cell == ""
		case c.isNumber:
		case table.StateOf(cell) == record.StatePending:
			return true
		}
	}
	return days && blank
}

// findStates decides which column says whether a payment is booked, is pending, or never happened. Pending payments, and those that never
// happened, are left out.
func (f *detector) findStates() {
	if f.ofTrades() {
		f.askStatus(func(word string) bool {
			return lexicon.Has(lexicon.NeverBooked, word) || lexicon.Has(lexicon.Reversed, word) || lexicon.Has(lexicon.Pending, word) && !f.sayAll(word) || lexicon.Has(lexicon.OrderOpen, word)
		})
		return
	}
	if !f.open("status_col_label") {
		return
	}
	filtered := f.givenFilter()
	for _, at := range f.stateColumns() {
		if at == filtered {
			return // somebody has said what is to become of each state
		}
		words := f.stateWords(at)
		if len(words) == 0 {
			continue
		}
		f.set("status_col_label", f.label(at), "%s says %s of payments that are pending or never happened: they are left out", f.title(at), text.Quoted(words))
		break
	}
	f.findPosted()
	if !f.allInBalances() {
		f.askStatus(func(word string) bool { return lexicon.Has(lexicon.Reversed, word) }) // it may have been booked, and booked back by another row
	}
}

// allInBalances reports whether a column of balances adds up through every row, whatever is said of its state: then all are booked.
func (f *detector) allInBalances() bool {
	p := f.chain.proof()
	return p.sided() && p.hits() == p.all && p.all == f.dataRows()-1
}

// findPosted takes a column with the days of booking, besides that of the date, for one of states: where such a day is blank the payment is
// not booked yet. Most rows must have one, or it would say nothing.
func (f *detector) findPosted() {
	if record.Given(f.out.StatusColLabel) != "" || f.date < 0 || f.sheet.header == nil {
		return
	}
	for i := range f.columns {
		c := &f.columns[i]
		if i != f.date && i < len(f.sheet.header) && c.isDate && lexicon.Has(lexicon.BookingDay, f.sheet.header[i]) && c.seen < f.columns[f.date].seen && 2*c.seen > f.dataRows() {
			f.set("status_col_label", f.label(i), "%s is the day of booking and blank in %d of %d rows: these are not booked yet, and left out", f.title(i), f.dataRows()-c.seen, f.dataRows())
			return
		}
	}
}

// givenFilter is the column of the filter that was given; -1 without one.
func (f *detector) givenFilter() int {
	if f.open("row_filter") {
		return -1
	}
	label := record.FilterLabel(f.given)
	if label == nil || *label == "" {
		return -1
	}
	at, err := table.Columns{Header: f.sheet.header}.Named(*label, "row_filter")
	if err != nil {
		return -1
	}
	return at
}

// stateColumns are the columns that may say it, the likeliest first: those that are called so or have nothing but words of states, then those
// with texts.
func (f *detector) stateColumns() []int {
	called := f.where((*column).saysState)
	texts := f.where(func(c *column) bool { return !c.isDate && !c.isNumber && c.filled > 0 })
	return append(called, slices.DeleteFunc(texts, func(at int) bool { return slices.Contains(called, at) })...)
}

// stateWords are the cells of a column that say of their payments that they are pending or never happened. Of a column of texts these are
// the marks of pending ones.
func (f *detector) stateWords(at int) []string {
	c := &f.columns[at]
	var list []string
	if c.saysState() {
		for _, word := range slices.Sorted(maps.Keys(c.words)) {
			if table.StateOf(word) != record.StateBooked {
				list = append(list, word)
			}
		}
		return list
	}
	const most = 3
	for _, cells := range f.edgeRows() {
		if cell := text.CellAt(cells, at); table.Marked(cell) && !slices.Contains(list, cell) && len(list) < most {
			list = append(list, cell)
		}
	}
	return list
}

// edgeRows are payments of the beginning and of the end of the file.
func (f *detector) edgeRows() [][]string {
	var list [][]string
	for _, r := range f.headRows() {
		list = append(list, r.Cells)
	}
	return append(list, f.latest...)
}

func (f *detector) sayAll(word string) bool {
	return slices.ContainsFunc(f.columns, func(c column) bool { return c.words[word] >= f.dataRows() })
}

// askStatus asks about payments of which nobody can tell whether they were booked: rows that a column of states calls so.
func (f *detector) askStatus(unclear func(word string) bool) {
	if !f.open("row_filter") || !f.open("amount_col_label") && !f.open("date_col_label") && !f.open("date_format") {
		return
	}
	for _, at := range f.where((*column).saysState) {
		var done, not []string
		for _, word := range slices.Sorted(maps.Keys(f.columns[at].words)) {
			if unclear(word) {
				not = append(not, word)
			} else {
				done = append(done, word)
			}
		}
		if len(not) == 0 {
			continue
		}
		var candidates []string
		if len(done) == 1 {
			candidates = append(candidates, f.label(at)+"="+done[0])
		}
		for _, word := range not {
			candidates = append(candidates, f.label(at)+"!="+word)
		}
		f.ask("row_filter", candidates, "%s holds %s, so some of the rows may never have been booked; %s keeps the others", f.title(at), text.Quoted(not), strings.Join(candidates, " or "))
		return
	}
}

// saysState says whether a column tells how far its payments have come.
func (c *column) saysState() bool {
	return c.isWord && len(c.words) > 0 && (c.Roles[lexicon.RoleStatus] >= 900 || saysStatus(c.words))
}

// saysStatus says whether all words of a column are those of states of payments, whatever its header.
func saysStatus(words map[string]int) bool {
	for word := range words {
		if !lexicon.Has(lexicon.NeverBooked, word) && !lexicon.Has(lexicon.Reversed, word) && !lexicon.Has(lexicon.Booked, word) && !lexicon.Has(lexicon.Pending, word) {
			return false
		}
	}
	return true
}

// findBalance decides which column has the balance after each row.
func (f *detector) findBalance() {
	if !f.open("balance_col_label") {
		return
	}
	if p := f.chain.proof(); p.hits() > 0 {
		f.set("balance_col_label", f.label(p.balance), "%s", f.stepsOf(p))
		return
	}
	states := record.Given(f.out.StatusColLabel) != "" || f.headings > 0 || f.date >= 0 && f.columns[f.date].seen < f.dataRows()
	if list := f.byRole(lexicon.RoleBalance, func(c *column) bool { return c.isNumber && c.filled > 0 && c.Roles[lexicon.RoleBalance] >= 900 }); states && len(list) == 1 {
		f.set("balance_col_label", f.label(list[0]), "%s is called so, and may add up without the rows that are left out", f.title(list[0]))
	}
}

// blankIsPending says whether payments without a day in the column of days, of which another column has one, are pending: the column is
// that of the booking, and most rows have it.
func (f *detector) blankIsPending() bool {
	return f.date >= 0 && f.sheet.header != nil && f.date < len(f.sheet.header) && !lexicon.Has(lexicon.PurchaseDay, f.sheet.header[f.date]) && f.columns[f.date].Roles[lexicon.RoleDate] >= 900 &&
		2*f.columns[f.date].seen > f.dataRows()
}

// weighStates asks the balances what they say of payments that are pending or never happened: what they include is booked. The file is
// read once more, and only if it has such rows and a column of balances.
func (f *detector) weighStates() error {
	_, plain := f.kind.(table.Transactions)
	blank := f.date >= 0 && f.columns[f.date].seen < f.dataRows()
	if !plain || len(f.found.Questions) > 0 || record.Given(f.out.BalanceColLabel) == "" || !f.open("pending_rows") || record.Given(f.out.StatusColLabel) == "" && !blank && f.headings == 0 {
		return nil
	}
	settings := f.out
	settings.PendingRows = new(record.BookAll)
	d := f.defaults
	d.AccountCurrency = nil // rows of whatever account: only balances are looked at
	rows, err := table.NewRows(f.file, settings, d)
	if err != nil {
		return nil // reading the file says what is wrong
	}
	rows.AllStates = true
	without, pending, all := record.NewStatement(0, "", d.Currency, d.Liability), record.NewStatement(0, "", d.Currency, d.Liability), record.NewStatement(0, "", d.Currency, d.Liability)
	states := 0
	for {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil
		}
		if !row.Planned() {
			continue
		}
		states += one(row.State != record.StateBooked)
		all.Add(row)
		if row.State != record.StateNever {
			pending.Add(row)
		}
		if row.State == record.StateBooked {
			without.Add(row)
		}
	}
	if states == 0 {
		return nil
	}
	switch {
	case all.Includes(pending) && all.Includes(without):
		f.set("pending_rows", record.BookAll, "the balances include all rows, whatever is said of their state, so all are booked")
		f.out.StatusColLabel = new(record.NoColumn)
		f.found.Reasons["status_col_label"] = "the balances include all rows, whatever is said of their state"
	case pending.Includes(without):
		f.set("pending_rows", record.BookAll, "the balances include the pending rows, so they are booked")
	}
	return nil
}
