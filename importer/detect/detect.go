// Package detect finds the settings with which a table is to be read, by its own content: each with the reason, or the question that must
// be answered because nothing in the file proves one of two readings. It never guesses figures.
package detect

import (
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
