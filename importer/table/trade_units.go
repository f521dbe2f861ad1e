package table

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// amountUnit is in what an amount of a broker is, beside a price that may be in hundredths of the currency, such as
// pence.
type amountUnit int

const (
	unitWhole     amountUnit = iota // the currency of the row
	unitHundredth                   // hundredths of it: the header says so
	// the row has the code of hundredths for its currency, and nothing says what that is of
	unitUnsaid
)

// unitOf is that of a cell. What stands beside the number is taken off when it is read, and is not for this to say.
func unitOf(r *Rows, row *record.Record, f record.Field) (unit amountUnit, code string) {
	if n, err := r.Rules.Numbers.Parse(r.Columns.cell(row.Raw, f)); err == nil &&
		(n.Cent || n.Code != "" || n.Sign != "") {
		return unitWhole, ""
	}
	header := r.Columns.title(f)
	if code, hundredths := hundredthsHeader(header); hundredths {
		return unitHundredth, code
	}
	if _, hundredths := lexicon.Hundredth(r.Columns.cell(row.Raw, record.FieldCurrency)); hundredths &&
		!slices.Contains(text.Words(header), row.Currency.Code) {
		return unitUnsaid, ""
	}
	return unitWhole, ""
}

// readFee reads the costs of a purchase or sale, in the currency of the row. Where only the row's currency says that
// something in it is in hundredths, what the row came to has to prove of what the costs are.
func (t *Trades) readFee(r *Rows, row *record.Record, gross decimal.Decimal) (decimal.Decimal, bool) {
	fee, ok := readOptional(r, row, record.FieldFee)
	if !ok || fee.IsZero() {
		return fee, ok
	}
	unit, code := unitOf(r, row, record.FieldFee)
	if unit == unitHundredth && code != row.Currency.Code {
		r.issue(row, record.FieldFee, fmt.Sprintf("must be in %s, the currency of the row, and is in hundredths of %s",
			row.Currency.Code, code))
		return fee, false
	}
	if unit == unitUnsaid {
		unit, ok = t.facts.scales.unitOfFee(row, gross.Abs(), fee.Abs())
		if !ok {
			r.issue(row, record.FieldFee, fmt.Sprintf("may be in %s or in hundredths of it, and no total of the row proves which: write the currency beside it or into its header, got %s",
				row.Currency.Code, ledger.Quote(r.Columns.cell(row.Raw, record.FieldFee))))
			return fee, false
		}
	}
	if unit == unitHundredth {
		fee = fee.Shift(-2)
	}
	return fee, true
}

// unitOfFee finds a total that is what was traded with the costs in one unit and not in the other.
func (s *TradeScales) unitOfFee(row *record.Record, gross, fee decimal.Decimal) (amountUnit, bool) {
	off := Rounded(row.Trade().Price).Mul(row.Trade().Quantity.Abs()).Add(row.Currency.Decimal(1))
	comesTo := func(costs decimal.Decimal) bool {
		return slices.ContainsFunc(s.Totals, func(at int) bool {
			beyond := s.Figure(row.Raw, at).Sub(gross).Abs()
			return beyond.Sub(costs).Abs().LessThanOrEqual(off)
		})
	}
	whole, hundredth := comesTo(fee), comesTo(fee.Shift(-2))
	if hundredth {
		return unitHundredth, !whole
	}
	return unitWhole, whole
}

// tradeScale is what a price is multiplied with, besides the quantity, to come to what a trade came to.
type tradeScale int

const (
	ScaleUnknown   tradeScale = iota // no total says it, or none agrees
	scaleOne                         // the price is that of one
	ScaleHundredth                   // it is per cent of what a bond is for, or in pence
	ScaleHundred                     // it is of one of the hundred units of a contract
)

// TradeScales knows the columns that say what trades came to, and whether one of them has proved that prices are in
// hundredths.
type TradeScales struct {
	Numbers    notation.NumberFormat
	Fee        int // the column of costs, -1 when there is none
	Totals     []int
	accrued    []int           // interest that was paid with a bond
	hundredths map[string]bool // securities, by their keys in the book
	// wholeTotals says that a trade with a price in hundredths came to a total that is not: so is the column.
	wholeTotals bool
	feeScale    tradeScale // that of the costs, by their header
}

func NewTradeScales(c Columns, numbers notation.NumberFormat) TradeScales {
	s := TradeScales{Numbers: numbers, Fee: c.At[record.FieldFee], hundredths: map[string]bool{}, feeScale: scaleOne}
	if _, hundredths := hundredthsHeader(c.title(record.FieldFee)); hundredths && s.Fee >= 0 {
		s.feeScale = ScaleHundredth
	}
	told := c.At[record.FieldAmount]
	for i, header := range c.Header {
		switch {
		case i == c.At[record.FieldQty] || i == c.At[record.FieldPrice] || i == c.At[record.FieldFee]:
		case lexicon.Has(lexicon.AccruedHeader, header):
			s.accrued = append(s.accrued, i)
		case i == told || told < 0 && (lexicon.ReadHeader(header).Roles[lexicon.RoleAmount] >= 900 ||
			lexicon.Has(lexicon.TradeTotalHeader, header)):
			s.Totals = append(s.Totals, i)
		}
	}
	return s
}

// note takes in a record with a quantity and a price, of the security with a key.
func (s *TradeScales) note(cells []string, quantity, price decimal.Decimal, key string) {
	if s.Of(cells, quantity, price) == ScaleHundredth {
		s.hundredths[key] = true
		s.wholeTotals = true
	}
}

// Of is the scale by which quantity and price come to a total of the row to the last decimal, as it is or with the
// costs. Where a hundred units were traded a total that is the price may be just that, so it proves nothing.
func (s *TradeScales) Of(cells []string, quantity, price decimal.Decimal) tradeScale {
	gross, fee, accrued := quantity.Mul(price), s.feeScale.Times(s.Figure(cells, s.Fee)), decimal.Zero
	for _, at := range s.accrued {
		accrued = accrued.Add(s.Figure(cells, at))
	}
	for _, scale := range []tradeScale{scaleOne, ScaleHundredth, ScaleHundred} {
		value, off := scale.Times(gross), scale.Times(quantity.Mul(Rounded(price)))
		if scale == ScaleHundredth && value.Equal(price) {
			continue
		}
		for _, at := range s.Totals {
			total := s.Figure(cells, at)
			if !total.IsZero() && (Agrees(total, value, fee, off) || Agrees(total, value.Add(accrued), fee, off)) {
				return scale
			}
		}
	}
	return ScaleUnknown
}

// Near reports whether a total of the row is about a hundredth of quantity times price, which costs and accrued interest
// may make of it.
func (s *TradeScales) Near(cells []string, gross decimal.Decimal) bool {
	value := ScaleHundredth.Times(gross)
	return slices.ContainsFunc(s.Totals, func(at int) bool {
		total := s.Figure(cells, at)
		return !total.IsZero() && total.Sub(value).Abs().LessThan(value.Mul(decimal.New(5, -2)))
	})
}

// Times is a price, or what it comes to, by a scale.
func (s tradeScale) Times(d decimal.Decimal) decimal.Decimal {
	switch s {
	case ScaleHundredth:
		return d.Shift(-2)
	case ScaleHundred:
		return d.Shift(2)
	}
	return d
}

// Agrees reports whether a total is a value, or that with the fee added or taken away. Off is what the rounding of the
// price may make of it, which proves nothing beyond a hundredth of the value.
func Agrees(total, value, fee, off decimal.Decimal) bool {
	most := decimal.Min(off, value.Shift(-2)).Add(decimal.New(1, -2))
	for _, with := range []decimal.Decimal{value, value.Add(fee), value.Sub(fee)} {
		if total.Sub(with).Abs().LessThanOrEqual(most) && most.LessThan(value.Shift(-1)) {
			return true
		}
	}
	return false
}

// Rounded is how far a price may be from what was rounded to it: half of its last decimal.
func Rounded(price decimal.Decimal) decimal.Decimal {
	return decimal.New(5, min(price.Exponent(), 0)-1)
}

// Figure is the number in a cell without its sign and currency; 0 when it has none.
func (s *TradeScales) Figure(cells []string, at int) decimal.Decimal {
	cell := strings.TrimSpace(text.CellAt(cells, at))
	if notation.Empty(cell) {
		return decimal.Zero
	}
	n, err := s.Numbers.Parse(cell)
	if err != nil {
		return decimal.Zero
	}
	d, err := money.ParseDecimal(n.Text)
	if err != nil {
		return decimal.Zero
	}
	return d.Abs()
}
