// Package detect finds the settings with which a table is to be read, by its own content: each with the reason, or the
// question that must be answered because nothing in the file proves one of two readings. It never guesses figures.
package detect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/table"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// Find reads a file twice, its beginning for its shape and then all of it for the proof, and fills in what the
// settings leave open. What is given is obeyed. A *[text.FileError] is content that cannot be read at all.
//
// There is no code for one bank. Its words for headers go into the lexicon, a file in its manner into the table
// of detect_cases_test.go; what the file does not prove must be asked.
func Find(file *source.File, s record.Settings, defaults record.Defaults) (Result, error) {
	p, err := readProfile(file, s, defaults)
	if err != nil {
		return Result{Reasons: map[string]string{}}, err
	}
	d := newDecisions(p, s)
	decideSheet(d)
	// Take what the form of the file fixes.
	for setting, value := range d.form {
		d.set(setting, value, "the file is one that was exported from here")
	}
	d.out = d.kind.Settings(d.out)
	if d.short {
		d.out.DateFormat = new(shortYear)
		d.reasons["date_format"] = "Mint writes the month first, and these years have two digits"
	}
	if err := p.readRows(); err != nil {
		return d.result(), err
	}
	d.running = p.counted
	decideEncoding(d)
	if p.rows == 0 || namesUnknownColumn(p) {
		d.out = d.out.WithDefaults() // reading the file says what is wrong
		return d.result(), nil
	}
	_, isTransactions := p.kind.(table.Transactions)
	switch {
	case isTransactions:
		decideTransactions(d)
	case p.ofTrades():
		decideTrades(d)
	default:
		decideFormats(d)
	}
	if !record.HasAccount(cmp.Or(p.defaults.Type, record.TransactionImport)) {
		return d.result(), nil
	}
	decideID(d)
	err = decidePendingRows(d)
	return d.result(), err
}

// decideTransactions settles everything about a file of transactions, from the columns to the signs.
func decideTransactions(d *decisions) {
	decideDate(d)
	// Say of the running balance in which order the rows are, as far as their dates tell.
	up, down := dateSteps(d)
	ordered := *d.counted
	ordered.known, ordered.likely, ordered.newestFirst = up > 0 != (down > 0), up != down, down > up
	d.running = &ordered
	decideAmounts(d)
	decideNumberFormat(d)
	decideFooter(d)
	decideCurrency(d)
	decideTexts(d)
	decideStates(d)
	decideBalance(d)
	askGaps(d)
	// Ask for the format of the days where more than a slip of the rows with an amount have one that is no
	// date, such as one without a year: these rows would be lost. A day that is written like the others, such
	// as February 30th, is a mistake of its row.
	day := func(r text.Row) string {
		cell, _, _ := strings.Cut(text.CellAt(r.Cells, d.date), " as of ")
		return cell
	}
	written := map[string]bool{}
	for _, r := range d.headRows() {
		if cell := day(r); len(notation.PatternsOf(cell)) > 0 {
			written[outline(cell)] = true
		}
	}
	days, odd := oddCell(d, func(r text.Row) (string, bool) {
		cell := day(r)
		return cell, strings.ContainsFunc(cell, notation.IsDigit) && len(notation.PatternsOf(cell)) == 0 &&
			!written[outline(cell)]
	})
	if d.date >= 0 && odd != "" {
		d.ask("date_format", nil, "of %d days more than one in 10 is no date, such as %s", days, ledger.Quote(odd))
	}
	askDecimals(d)
	// Leave rows that tell a balance out, or ask about them.
	a := d.balanceRows
	var filters []string
	for _, word := range slices.Concat(a.words, a.opening) {
		filters = append(filters, d.label(a.column)+"!="+word)
	}
	several := len(a.words) > 1 || a.closing && len(a.opening) > 0
	switch filter := separatingFilter(d.profile); {
	case several && filter != "":
		d.set("row_filter", filter, "rows such as %s tell a balance and are no payments, and all others have it",
			text.Quoted(slices.Concat(a.words, a.opening)))
	case several:
		d.ask("row_filter", filters, "rows such as %s tell a balance and are no payments, and one filter cannot leave out all", text.Quoted(slices.Concat(a.words, a.opening)))
	case len(a.words) == 1:
		d.set("row_filter", filters[0], "such rows tell a balance and are no payments")
	}
	if d.sheet.header == nil && d.date >= 0 && len(d.tail) == 0 && a.previous < a.width {
		d.ask("footer", []string{"0", "1"}, "the last record has %d cells and all others %d or more, as if it were a balance and no payment; its date is %s", a.previous, a.width, ledger.Quote(d.columns[d.date].last))
	}
	// Hold what was given against the running balance, where there is one and it adds up throughout: an answer
	// is not to book what the file disproves.
	refuseFormat(d)
	refuseFee(d)
	switch {
	case d.debit >= 0 && d.credit >= 0:
		refusePair(d)
	case d.amount < 0:
	case refuseAmount(d):
	case record.Given(d.out.AmountTypeStrategy) == record.CustomColumn:
		refuseWords(d)
	default:
		refuseSign(d)
	}
	decideTotal(d)
	d.fillIn()
}

// decideTrades settles everything about a broker's file that was not given.
func decideTrades(d *decisions) {
	decideDate(d)
	// Decide which columns have the security, the quantity and the price.
	ticker := decideTradeColumn(d, "ticker_col_label", record.FieldTicker,
		func(c *column) bool { return !c.isDate && c.filled > 0 })
	d.quantity = decideTradeColumn(d, "qty_col_label", record.FieldQty, isNumberColumn)
	d.amount = decideTradeColumn(d, "price_col_label", record.FieldPrice, func(c *column) bool {
		return isNumberColumn(c) && (d.quantity < 0 || c != &d.columns[d.quantity]) &&
			!isTotal(d.profile, c, ticker, d.quantity)
	})
	decideTradeNumbers(d)
	decideTradeSide(d)
	// Find what trades cost besides quantity times price, by the header. Of several columns of costs one alone
	// would be too little, so they are asked; an amount that is given has all of them in it.
	list := d.where(func(c *column) bool {
		return c.isNumber && c.numbers.count > c.numbers.zero &&
			(lexicon.Has(lexicon.FeeHeader, c.header) || lexicon.Has(lexicon.TradeFeeHeader, c.header))
	})
	switch {
	case !d.open("fee_col_label"):
	case len(list) == 1:
		d.set("fee_col_label", d.label(list[0]), "%s is called so", d.title(list[0]))
	case len(list) > 1 && d.open("amount_col_label"):
		d.ask("fee_col_label", d.labels(list), "several columns hold costs: %s; where a column has what a trade came to with all of them, give amount_col_label instead", d.titles(list))
	}
	decideTradeCurrency(d)
	askTradeAmounts(d)
	decideStates(d)
	d.fillIn()
}

// Fingerprint tells files of the same make by the beginning of one, see [Result.Fingerprint].
func Fingerprint(file *source.File, s record.Settings, defaults record.Defaults) ([]byte, error) {
	p, err := readProfile(file, s, defaults)
	if err != nil {
		return nil, err
	}
	return Result{print: fingerprint(p.sheet, p.columns)}.Fingerprint(), nil
}

// Result is how a file is to be read as far as its content says: the settings that were given and those that were
// found, why they were found, and what must be asked because nothing in the file proves one of two readings.
type Result struct {
	Settings  record.Settings
	Reasons   map[string]string // by the name of the setting
	Questions []record.Question
	Rows      int64    // records after the header and before the footer
	Header    []string // nil without a header line
	Unused    []string // columns that nothing is made of
	print     [32]byte // tells files of the same make, see fingerprint
}

// Obstacle is what an import that waits for answers says.
func (d Result) Obstacle() *string {
	if len(d.Questions) == 0 {
		return nil
	}
	sentences := make([]string, 0, len(d.Questions))
	for _, q := range d.Questions {
		sentences = append(sentences, fmt.Sprintf("%s must be given: %s", q.Setting, q.Text))
	}
	return new(strings.Join(sentences, "; "))
}

// NoteMembers says of every setting that was remembered, and not given, what became of it; a reason that there is
// already is kept behind it.
func (d *Result) NoteMembers(given, old record.Settings, what string) {
	mine := given.Members()
	for name, member := range old.Members() {
		if *member == nil || *mine[name] != nil {
			continue
		}
		if before := d.Reasons[name]; before != "" {
			d.Reasons[name] = what + ": " + before
			continue
		}
		d.Reasons[name] = what
	}
}

// Fingerprint is nil for files that have no columns.
func (d Result) Fingerprint() []byte {
	if d.print == [32]byte{} {
		return nil
	}
	return d.print[:]
}

// result is what was decided.
func (d *decisions) result() Result {
	r := Result{Settings: d.out, Reasons: d.reasons, Questions: d.questions, Rows: d.rows,
		Header: d.sheet.header[:d.sheet.named], print: fingerprint(d.sheet, d.columns)}
	if len(d.questions) == 0 {
		r.Unused = unusedColumns(d)
	}
	return r
}

// unusedColumns are the columns with something in them that nothing is made of. The balance is used where it proves
// the reading.
func unusedColumns(d *decisions) []string {
	c, err := table.FindColumns(d.out, d.kind, d.sheet.header, 1)
	if err != nil {
		return nil // reading the file says what is wrong
	}
	used := slices.Clone(c.At[:])
	if d.running != nil {
		if p := d.running.proof(); p.hits() > 0 {
			used = append(used, p.balance)
		}
	}
	list := []string{}
	for at := range d.columns {
		if d.columns[at].filled > 0 && !slices.Contains(used, at) {
			list = append(list, table.Columns{Header: d.sheet.header}.TitleAt(at))
		}
	}
	return list
}
