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

// decideStates decides which column says whether a payment is booked, is pending, or never happened. Pending payments,
// and those that never happened, are left out.
func decideStates(d *decisions) {
	if d.ofTrades() {
		askStatus(d, func(word string) bool {
			return lexicon.Has(lexicon.NeverBooked, word) || lexicon.Has(lexicon.Reversed, word) ||
				lexicon.Has(lexicon.Pending, word) && !allSay(d.profile, word) || lexicon.Has(lexicon.OrderOpen, word)
		})
		return
	}
	if !d.open("status_col_label") {
		return
	}
	filtered := givenFilter(d.profile)
	for _, at := range stateColumns(d.profile) {
		if at == filtered {
			return // somebody has said what is to become of each state
		}
		words := stateWords(d.profile, at)
		if len(words) == 0 {
			continue
		}
		d.set("status_col_label", d.label(at), "%s says %s of payments that are pending or never happened: they are left out", d.title(at), text.Quoted(words))
		break
	}
	decidePosted(d)
	if !allInBalances(d) {
		// it may have been booked, and booked back by another row
		askStatus(d, func(word string) bool { return lexicon.Has(lexicon.Reversed, word) })
	}
}

// allInBalances reports whether a column of balances adds up through every row, whatever is said of its state: then
// all are booked.
func allInBalances(d *decisions) bool {
	p := d.running.proof()
	return p.sided() && p.hits() == p.all && p.all == d.dataRows()-1
}

// decidePosted takes a column with the days of booking, besides that of the date, for one of states: where such a day
// is blank the payment is not booked yet. Most rows must have one, or it would say nothing.
func decidePosted(d *decisions) {
	if record.Given(d.out.StatusColLabel) != "" || d.date < 0 || d.sheet.header == nil {
		return
	}
	for i := range d.columns {
		c := &d.columns[i]
		if i != d.date && i < len(d.sheet.header) && c.isDate && lexicon.Has(lexicon.BookingDay, d.sheet.header[i]) &&
			c.seen < d.columns[d.date].seen && 2*c.seen > d.dataRows() {
			d.set("status_col_label", d.label(i), "%s is the day of booking and blank in %d of %d rows: these are not booked yet, and left out", d.title(i), d.dataRows()-c.seen, d.dataRows())
			return
		}
	}
}

// givenFilter is the column of the filter that was given; -1 without one.
func givenFilter(p *profile) int {
	if p.open("row_filter") {
		return -1
	}
	label := record.FilterLabel(p.given)
	if label == nil || *label == "" {
		return -1
	}
	at, err := table.Columns{Header: p.sheet.header}.Named(*label, "row_filter")
	if err != nil {
		return -1
	}
	return at
}

// stateColumns are the columns that may say it, the likeliest first: those that are called so or have nothing but
// words of states, then those with texts.
func stateColumns(p *profile) []int {
	called := p.where((*column).saysState)
	texts := p.where(func(c *column) bool { return !c.isDate && !c.isNumber && c.filled > 0 })
	return append(called, slices.DeleteFunc(texts, func(at int) bool { return slices.Contains(called, at) })...)
}

// stateWords are the cells of a column that say of their payments that they are pending or never happened. Of a column
// of texts these are the marks of pending ones.
func stateWords(p *profile, at int) []string {
	c := &p.columns[at]
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
	for _, cells := range edgeRows(p) {
		if cell := text.CellAt(cells, at); table.Marked(cell) && !slices.Contains(list, cell) && len(list) < most {
			list = append(list, cell)
		}
	}
	return list
}

// edgeRows are payments of the beginning and of the end of the file.
func edgeRows(p *profile) [][]string {
	var list [][]string
	for _, r := range p.headRows() {
		list = append(list, r.Cells)
	}
	return append(list, p.latest...)
}

func allSay(p *profile, word string) bool {
	return slices.ContainsFunc(p.columns, func(c column) bool { return c.words[word] >= p.dataRows() })
}

// askStatus asks about payments of which nobody can tell whether they were booked: rows that a column of states calls
// so.
func askStatus(d *decisions, unclear func(word string) bool) {
	if !d.open("row_filter") || !d.open("amount_col_label") && !d.open("date_col_label") && !d.open("date_format") {
		return
	}
	for _, at := range d.where((*column).saysState) {
		var done, not []string
		for _, word := range slices.Sorted(maps.Keys(d.columns[at].words)) {
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
			candidates = append(candidates, d.label(at)+"="+done[0])
		}
		for _, word := range not {
			candidates = append(candidates, d.label(at)+"!="+word)
		}
		d.ask("row_filter", candidates, "%s holds %s, so some of the rows may never have been booked; %s keeps the others", d.title(at), text.Quoted(not), strings.Join(candidates, " or "))
		return
	}
}

// decideBalance decides which column has the balance after each row.
func decideBalance(d *decisions) {
	if !d.open("balance_col_label") {
		return
	}
	if p := d.running.proof(); p.hits() > 0 {
		d.set("balance_col_label", d.label(p.balance), "%s", d.stepsOf(p))
		return
	}
	states := record.Given(d.out.StatusColLabel) != "" || d.headings > 0 ||
		d.date >= 0 && d.columns[d.date].seen < d.dataRows()
	if list := d.byRole(lexicon.RoleBalance, func(c *column) bool {
		return c.isNumber && c.filled > 0 &&
			c.Roles[lexicon.RoleBalance] >= 900
	}); states && len(list) == 1 {
		d.set("balance_col_label", d.label(list[0]), "%s is called so, and may add up without the rows that are left out", d.title(list[0]))
	}
}

// decidePendingRows asks the balances what they say of payments that are pending or never happened: what they include
// is booked. The file is read once more, and only if it has such rows and a column of balances.
func decidePendingRows(d *decisions) error {
	_, plain := d.kind.(table.Transactions)
	blank := d.date >= 0 && d.columns[d.date].seen < d.dataRows()
	if !plain || len(d.questions) > 0 || record.Given(d.out.BalanceColLabel) == "" || !d.open("pending_rows") ||
		record.Given(d.out.StatusColLabel) == "" && !blank && d.headings == 0 {
		return nil
	}
	settings := d.out
	settings.PendingRows = new(record.BookAll)
	defaults := d.defaults
	defaults.AccountCurrency = nil // rows of whatever account: only balances are looked at
	rows, err := table.NewRows(d.file, settings, defaults)
	if err != nil {
		return nil // reading the file says what is wrong
	}
	rows.AllStates = true
	without, pending, all := record.NewStatement(0, "", defaults.Currency, defaults.Liability),
		record.NewStatement(0, "", defaults.Currency, defaults.Liability),
		record.NewStatement(0, "", defaults.Currency, defaults.Liability)
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
		d.set("pending_rows", record.BookAll, "the balances include all rows, whatever is said of their state, so all are booked")
		d.out.StatusColLabel = new(record.NoColumn)
		d.reasons["status_col_label"] = "the balances include all rows, whatever is said of their state"
	case pending.Includes(without):
		d.set("pending_rows", record.BookAll, "the balances include the pending rows, so they are booked")
	}
	return nil
}
