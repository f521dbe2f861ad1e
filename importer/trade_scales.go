package importer

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/importer/lexicon"
	"finsvc/ledger/money"
)

// tradeScale is what a price is multiplied with, besides the quantity, to come to what a trade came to.
type tradeScale int

const (
	scaleUnknown   tradeScale = iota // no total says it, or none agrees
	scaleOne                         // the price is that of one
	scaleHundredth                   // it is per cent of what a bond is for, or in pence
	scaleHundred                     // it is of one of the hundred units of a contract
)

// tradeScales knows the columns that say what trades came to, and whether one of them has proved that prices are in hundredths.
type tradeScales struct {
	numbers    numberFormat
	fee        int // the column of costs, -1 when there is none
	totals     []int
	accrued    []int           // interest that was paid with a bond
	hundredths map[string]bool // securities, by their keys in the book
	// wholeTotals says that a trade with a price in hundredths came to a total that is not: so is the column.
	wholeTotals bool
	feeScale    tradeScale // that of the costs, by their header
}

func newTradeScales(c columns, numbers numberFormat) tradeScales {
	s := tradeScales{numbers: numbers, fee: c.at[fieldFee], hundredths: map[string]bool{}, feeScale: scaleOne}
	if _, hundredths := hundredthsHeader(c.title(fieldFee)); hundredths && s.fee >= 0 {
		s.feeScale = scaleHundredth
	}
	told := c.at[fieldAmount]
	for i, header := range c.header {
		switch {
		case i == c.at[fieldQty] || i == c.at[fieldPrice] || i == c.at[fieldFee]:
		case lexicon.Has(lexicon.AccruedHeader, header):
			s.accrued = append(s.accrued, i)
		case i == told || told < 0 && (lexicon.ReadHeader(header).Roles[lexicon.RoleAmount] >= 900 || lexicon.Has(lexicon.TradeTotalHeader, header)):
			s.totals = append(s.totals, i)
		}
	}
	return s
}

// note takes in a record with a quantity and a price, of the security with a key.
func (s *tradeScales) note(cells []string, quantity, price decimal.Decimal, key string) {
	if s.of(cells, quantity, price) == scaleHundredth {
		s.hundredths[key] = true
		s.wholeTotals = true
	}
}

// of is the scale by which quantity and price come to a total of the row to the last decimal, as it is or with the costs. Where a
// hundred units were traded a total that is the price may be just that, so it proves nothing.
func (s *tradeScales) of(cells []string, quantity, price decimal.Decimal) tradeScale {
	gross, fee, accrued := quantity.Mul(price), s.feeScale.times(s.figure(cells, s.fee)), decimal.Zero
	for _, at := range s.accrued {
		accrued = accrued.Add(s.figure(cells, at))
	}
	for _, scale := range []tradeScale{scaleOne, scaleHundredth, scaleHundred} {
		value, off := scale.times(gross), scale.times(quantity.Mul(rounded(price)))
		if scale == scaleHundredth && value.Equal(price) {
			continue
		}
		for _, at := range s.totals {
			total := s.figure(cells, at)
			if !total.IsZero() && (agrees(total, value, fee, off) || agrees(total, value.Add(accrued), fee, off)) {
				return scale
			}
		}
	}
	return scaleUnknown
}

// near says whether a total of the row is about a hundredth of quantity times price, which costs and accrued interest may make of it.
func (s *tradeScales) near(cells []string, gross decimal.Decimal) bool {
	value := scaleHundredth.times(gross)
	return slices.ContainsFunc(s.totals, func(at int) bool {
		total := s.figure(cells, at)
		return !total.IsZero() && total.Sub(value).Abs().LessThan(value.Mul(decimal.New(5, -2)))
	})
}

// times is a price, or what it comes to, by a scale.
func (s tradeScale) times(d decimal.Decimal) decimal.Decimal {
	switch s {
	case scaleHundredth:
		return d.Shift(-2)
	case scaleHundred:
		return d.Shift(2)
	}
	return d
}

// agrees says whether a total is a value, or that with the fee added or taken away. Off is what the rounding of the price may make
// of it, which proves nothing beyond a hundredth of the value.
func agrees(total, value, fee, off decimal.Decimal) bool {
	most := decimal.Min(off, value.Shift(-2)).Add(decimal.New(1, -2))
	for _, with := range []decimal.Decimal{value, value.Add(fee), value.Sub(fee)} {
		if total.Sub(with).Abs().LessThanOrEqual(most) && most.LessThan(value.Shift(-1)) {
			return true
		}
	}
	return false
}

// rounded is how far a price may be from what was rounded to it: half of its last decimal.
func rounded(price decimal.Decimal) decimal.Decimal {
	return decimal.New(5, min(price.Exponent(), 0)-1)
}

// figure is the number in a cell without its sign and currency; 0 when it has none.
func (s *tradeScales) figure(cells []string, at int) decimal.Decimal {
	cell := strings.TrimSpace(cellAt(cells, at))
	if empty(cell) {
		return decimal.Zero
	}
	n, err := s.numbers.parse(cell)
	if err != nil {
		return decimal.Zero
	}
	d, err := money.ParseDecimal(n.text)
	if err != nil {
		return decimal.Zero
	}
	return d.Abs()
}
