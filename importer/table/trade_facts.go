package table

import (
	"errors"
	"io"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// tradeFacts are what has to be known of all of a broker's file before its first row can be read.
type tradeFacts struct {
	// the column of sides says of some row that it is a purchase or a sale, so it says of each row what it is
	speaks  bool
	book    securityBook
	incomes []tradeIncome
	scales  TradeScales
	parts   TradeSections
}

// tradeIncome is a row that says that a security paid.
type tradeIncome struct {
	row int // its number
	day ledger.Date
	ids []securityID
	// without its sign; 0 when the settings have no amounts read, or the row has none: then it is left out
	amount decimal.Decimal
	plain  bool // it does not say that it is reinvested
}

// readFacts reads a file to its end. Content that cannot be read ends it without an error: reading the rows says what
// is wrong.
func (t *Trades) readFacts(file *source.File, s record.Settings, d record.Defaults) error {
	rows, err := openRows(file, s, d, t)
	if err != nil {
		return nil //nolint:nilerr // the same error comes when the rows are read
	}
	t.facts = tradeFacts{book: newSecurityBook(rows.Columns), scales: NewTradeScales(rows.Columns, rows.Rules.Numbers),
		parts: NewTradeSections(rows.Columns.Header)}
	defer t.facts.book.close()
	defer t.facts.parts.Again()
	for {
		record, err := rows.record()
		if _, broken := errors.AsType[*text.FileError](err); broken || errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		t.facts.parts.See(record.Cells)
		if rows.leftOut(record.Cells) == "" && t.facts.parts.LeftOut(record.Cells) == "" {
			t.note(rows, record)
		}
	}
}

// note takes in a record.
func (t *Trades) note(r *Rows, rec text.Row) {
	ids := t.facts.book.add(rec.Cells)
	units, price := notation.IsSome(r.Columns.cell(rec.Cells, record.FieldQty)),
		notation.IsSome(r.Columns.cell(rec.Cells, record.FieldPrice))
	if units && price {
		figure := func(f record.Field) decimal.Decimal { return t.facts.scales.Figure(rec.Cells, r.Columns.At[f]) }
		t.facts.scales.note(rec.Cells, figure(record.FieldQty), figure(record.FieldPrice), t.facts.book.key(ids))
	}
	if r.Columns.At[record.FieldSide] < 0 {
		return
	}
	s := t.sideOf(r, rec.Cells)
	switch {
	case s == SideBuy || s == SideSell:
		t.facts.speaks = true
	case s == SideDividend, s == SideInterest, s == sideReinvest && !units && !price:
		row := record.Record{Raw: rec.Cells}
		readDay(r, &row)
		t.facts.incomes = append(t.facts.incomes, tradeIncome{rec.Number, row.Date, ids,
			t.facts.scales.Figure(rec.Cells, r.Columns.At[record.FieldAmount]), s != sideReinvest})
	}
}

// paidFor finds the income of a security about a day: what was reinvested then was paid by it.
func (t *Trades) paidFor(r *Rows, row *record.Record) []tradeIncome {
	const nearby = 10 // days
	var day record.Record
	day.Raw = row.Raw
	if readDay(r, &day); len(day.Issues) > 0 {
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

// readReinvestment decides what a row is that speaks of reinvestment. With quantity and price it is the purchase; it
// is booked when the income that paid for it is, or when the file does not have that, and left out else: both or
// neither. Without both it is that income. One that has only one of the two cannot be read.
func (t *Trades) readReinvestment(r *Rows, row *record.Record, phrase string) bool {
	units, price := notation.IsSome(r.Columns.cell(row.Raw, record.FieldQty)),
		notation.IsSome(r.Columns.cell(row.Raw, record.FieldPrice))
	paid := t.paidFor(r, row)
	if !units && !price {
		amount := t.facts.scales.Figure(row.Raw, r.Columns.At[record.FieldAmount])
		twice := slices.ContainsFunc(paid, func(i tradeIncome) bool {
			return i.plain && !amount.IsZero() &&
				i.amount.Equal(amount)
		})
		if !twice {
			return t.income(r, row, SideDividend, phrase)
		}
	}
	row.Trade().Kind, row.Trade().Label = string(SideBuy), "Reinvestment"
	booked := slices.ContainsFunc(paid, func(i tradeIncome) bool { return !i.amount.IsZero() })
	switch {
	case len(paid) == 0:
		row.Remarks = append(row.Remarks, "what was reinvested is not in the file as income, so the purchase alone is booked")
	case !booked:
		row.Warning = record.WarnReinvested
		row.Skipped = "bought with income that is left out, too: give amount_col_label to have both booked: " +
			text.CutName(phrase)
		return false
	}
	return true
}
