package importer

import (
	"errors"
	"io"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
)

// tradeFacts are what has to be known of all of a broker's file before its first row can be read.
type tradeFacts struct {
	speaks  bool // the column of sides says of some row that it is a purchase or a sale, so it says of each row what it is
	book    securityBook
	incomes []tradeIncome
	scales  tradeScales
	parts   tradeSections
}

// tradeIncome is a row that says that a security paid.
type tradeIncome struct {
	row    int // its number
	day    ledger.Date
	ids    []securityID
	amount decimal.Decimal // without its sign; 0 when the settings have no amounts read, or the row has none: then it is left out
	plain  bool            // it does not say that it is reinvested
}

// survey reads a file to its end. Content that cannot be read ends it without an error: reading the rows says what is wrong.
func (t *trades) survey(file io.Reader, s Settings, d Defaults) error {
	rows, err := openRows(file, s, d, t)
	if err != nil {
		return nil //nolint:nilerr // the same error comes when the rows are read
	}
	t.facts = tradeFacts{book: newSecurityBook(rows.columns), scales: newTradeScales(rows.columns, rows.rules.numbers), parts: newTradeSections(rows.columns.header)}
	defer t.facts.book.close()
	defer t.facts.parts.again()
	for {
		record, err := rows.record()
		if _, broken := errors.AsType[*FileError](err); broken || errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		t.facts.parts.see(record.Cells)
		if rows.leftOut(record.Cells) == "" && t.facts.parts.leftOut(record.Cells) == "" {
			t.note(rows, record)
		}
	}
}

// note takes in a record.
func (t *trades) note(r *Rows, record Record) {
	ids := t.facts.book.add(record.Cells)
	units, price := isSome(r.columns.cell(record.Cells, fieldQty)), isSome(r.columns.cell(record.Cells, fieldPrice))
	if units && price {
		figure := func(f field) decimal.Decimal { return t.facts.scales.figure(record.Cells, r.columns.at[f]) }
		t.facts.scales.note(record.Cells, figure(fieldQty), figure(fieldPrice), t.facts.book.key(ids))
	}
	if r.columns.at[fieldSide] < 0 {
		return
	}
	s := t.sideOf(r, record.Cells)
	switch {
	case s == sideBuy || s == sideSell:
		t.facts.speaks = true
	case s == sideDividend, s == sideInterest, s == sideReinvest && !units && !price:
		row := Row{Raw: record.Cells}
		r.readDay(&row)
		t.facts.incomes = append(t.facts.incomes, tradeIncome{record.Number, row.Date, ids, t.facts.scales.figure(record.Cells, r.columns.at[fieldAmount]), s != sideReinvest})
	}
}

// paidFor finds the income of a security about a day: what was reinvested then was paid by it.
func (t *trades) paidFor(r *Rows, row *Row) []tradeIncome {
	const nearby = 10 // days
	var day Row
	day.Raw = row.Raw
	if r.readDay(&day); len(day.Issues) > 0 {
		return nil
	}
	key := t.facts.book.key(t.facts.book.of(row.Raw))
	var list []tradeIncome
	for _, income := range t.facts.incomes {
		if income.row == row.Number || max(income.day-day.Date, day.Date-income.day) > nearby {
			continue
		}
		if len(income.ids) == 0 || key == t.facts.book.key(income.ids) {
			list = append(list, income)
		}
	}
	return list
}

// readReinvestment decides what a row is that speaks of reinvestment. With quantity and price it is the purchase; it is booked
// when the income that paid for it is, or when the file does not have that, and left out else: both or neither. Without both it
// is that income. One that has only one of the two cannot be read.
func (t *trades) readReinvestment(r *Rows, row *Row, phrase string) bool {
	units, price := isSome(r.columns.cell(row.Raw, fieldQty)), isSome(r.columns.cell(row.Raw, fieldPrice))
	paid := t.paidFor(r, row)
	if !units && !price {
		amount := t.facts.scales.figure(row.Raw, r.columns.at[fieldAmount])
		twice := slices.ContainsFunc(paid, func(i tradeIncome) bool { return i.plain && !amount.IsZero() && i.amount.Equal(amount) })
		if !twice {
			return t.income(r, row, sideDividend, phrase)
		}
	}
	row.Trade().Kind, row.Trade().Label = string(sideBuy), "Reinvestment"
	booked := slices.ContainsFunc(paid, func(i tradeIncome) bool { return !i.amount.IsZero() })
	switch {
	case len(paid) == 0:
		row.Remarks = append(row.Remarks, "what was reinvested is not in the file as income, so the purchase alone is booked")
	case !booked:
		row.Warning = warnReinvested
		row.Skipped = "bought with income that is left out, too: give amount_col_label to have both booked: " + cutName(phrase)
		return false
	}
	return true
}
