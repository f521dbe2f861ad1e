package table

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/importer/lexicon"
	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
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
