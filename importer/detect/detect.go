// Package detect finds the settings with which a table is to be read, by its own content: each with the reason, or the
// question that must be answered because nothing in the file proves one of two readings. It never guesses figures.
package detect

import (
	"fmt"
	"slices"
	"strings"

	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/table"
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
	decideForm(d)
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
	if !p.hasBookings() {
		return d.result(), nil
	}
	decideID(d)
	err = decidePendingRows(d)
	return d.result(), err
}

// decideTransactions settles everything about a file of transactions, from the columns to the signs.
func decideTransactions(d *decisions) {
	decideDate(d)
	decideOrder(d)
	decideAmounts(d)
	decideNumberFormat(d)
	decideFooter(d)
	decideCurrency(d)
	decideTexts(d)
	decideStates(d)
	decideBalance(d)
	askGaps(d)
	askDays(d)
	askDecimals(d)
	decideBalanceRows(d)
	refuseContradictions(d)
	decideTotal(d)
	d.fillIn()
}

// decideTrades settles everything about a broker's file that was not given.
func decideTrades(d *decisions) {
	decideDate(d)
	decideTradeColumns(d)
	decideTradeNumbers(d)
	decideTradeSide(d)
	decideTradeFee(d)
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
