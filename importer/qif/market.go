package qif

import (
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/intake"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
)

// qifSplitBase is how many old units the quantity of StkSplit is counted for: 20 means two for one.
const qifSplitBase = 10

// stockSplit is the row of a StkSplit.
func (r *rowReader) stockSplit(d qifDeal) record.Record {
	d.row.Name = text.CutName("Split: " + d.security)
	quantity := figure(r, &d, 'Q')
	row := plan(r, d, "")
	body := &record.Split{Instrument: row.Trade().Instrument}
	row.Body = body
	if d.security == "" {
		qifIssue(&row, 'Y', "", "is required and must not be blank")
	}
	split, ok := splitOf(quantity)
	if !ok {
		qifIssue(&row, 'Q', d.record.get('Q'), "must be the number of new units for ten old ones, such as 20 for a split of 2:1")
		return row
	}
	body.Numerator, body.Denominator = split.Numerator, split.Denominator
	row.Remarks = append(row.Remarks, fmt.Sprintf("quantity %s is how many units ten old ones became: a split of %d:%d",
		quantity, split.Numerator, split.Denominator))
	return row
}

// splitOf is the ratio in lowest terms; false when it is none.
func splitOf(quantity decimal.Decimal) (s record.Split, ok bool) {
	const most = 1 << 40 // far beyond what a split may have, and far from overflowing
	n, d := quantity, decimal.NewFromInt(qifSplitBase)
	for places := 0; places < 6 && !n.IsInteger(); places++ {
		n, d = n.Shift(1), d.Shift(1)
	}
	if !n.IsPositive() || !n.IsInteger() || n.GreaterThan(decimal.NewFromInt(most)) ||
		d.GreaterThan(decimal.NewFromInt(most)) {
		return s, false
	}
	a, b := n.IntPart(), d.IntPart()
	for b != 0 {
		a, b = b, a%b
	}
	s = record.Split{Numerator: n.IntPart() / a, Denominator: d.IntPart() / a}
	return s, intake.CheckSplit(s.Numerator, s.Denominator) == nil
}

// qifPrice is one line of a list of prices: "IBM",15 3/4,"12/4'98".
type qifPrice struct{ symbol, price, day string }

// cutPrice parts a line of a list of prices; false when it is none. A decimal comma may part the price itself.
func cutPrice(line string) (p qifPrice, ok bool) {
	r := csv.NewReader(strings.NewReader(line))
	r.LazyQuotes, r.TrimLeadingSpace = true, true
	cells, err := r.Read()
	if err != nil || len(cells) < 3 {
		return p, false
	}
	last := len(cells) - 1
	p = qifPrice{strings.TrimSpace(cells[0]), strings.TrimSpace(strings.Join(cells[1:last], ",")),
		strings.TrimSpace(cells[last])}
	return p, p.symbol != "" && p.price != "" && p.day != ""
}

// line is a field as it stands in the file.
func (f qifField) line() string { return string(rune(f.letter)) + f.text }

// addPrices notes how a list of prices writes days and numbers.
func (f *qifFacts) addPrices(record qifRecord) {
	for _, field := range record.fields {
		if p, ok := cutPrice(field.line()); ok {
			f.dates.add(p.day, record.line)
			if !strings.Contains(p.price, "/") {
				f.numbers.add(p.price, record.line, false)
			}
		}
	}
}

// prices are the rows of a list of prices, one for each line.
func (r *rowReader) prices(record qifRecord) (items []qifItem) {
	for i, field := range record.fields {
		row := r.price(field.line())
		row.Line = record.line + i
		for j := range row.Issues {
			row.Issues[j].Line = row.Line
		}
		items = append(items, qifItem{row: row})
	}
	return items
}

func (r *rowReader) price(line string) record.Record {
	body := &record.Price{Source: market.SourceQIF}
	row := record.Record{Body: body, Currency: r.facts.home, Raw: []string{line}, Notes: market.SourceQIF}
	row.Key, _ = record.SourceHash(nil, row.Raw)
	p, ok := cutPrice(line)
	if !ok {
		row.AddIssue("price", line, `must be a symbol, a price and a day such as "IBM",15.75,"12/31/25"`)
		return row
	}
	row.Name = text.CutName(p.symbol)
	symbol, mic, err := market.ParseTicker(p.symbol)
	if err != nil {
		row.AddIssue("symbol", p.symbol, err.Error())
	}
	body.Ticker, body.MIC = symbol, mic
	r.readDate(&row, p.day)
	body.Price, err = r.fraction(p.price)
	if err == nil {
		err = intake.CheckPrice(body.Price)
	}
	if err != nil {
		row.AddIssue("price", p.price, err.Error())
	}
	return row
}

// fraction reads a price that may have a fraction, such as 15 3/4, as markets quoted until 2001.
func (r *rowReader) fraction(text string) (decimal.Decimal, error) {
	whole, part, has := strings.Cut(text, "/")
	if !has {
		n, err := r.numbers.Parse(text)
		if err != nil {
			return decimal.Decimal{}, err
		}
		return money.ParseDecimal(n.Text)
	}
	front := strings.Fields(whole)
	if len(front) == 1 {
		front = []string{"0", front[0]}
	}
	var figures [3]decimal.Decimal
	bad := fmt.Errorf("must be a number such as 15.75 or 15 3/4, got %s", ledger.Quote(text))
	if len(front) != 2 {
		return decimal.Decimal{}, bad
	}
	for i, figure := range []string{front[0], front[1], strings.TrimSpace(part)} {
		n, err := money.ParseDecimal(figure)
		if err != nil || !n.IsInteger() || n.IsNegative() {
			return decimal.Decimal{}, bad
		}
		figures[i] = n
	}
	if figures[2].IsZero() {
		return decimal.Decimal{}, bad
	}
	return figures[0].Add(figures[1].DivRound(figures[2], 12)), nil
}
