package importer

import (
	"fmt"

	"github.com/shopspring/decimal"

	"finsvc/importer/lexicon"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/market"
	"finsvc/ledger/trade"
)

// readDeal reads quantity, price and fee of a purchase or sale and works out the cash that it moves. The sign of
// the quantity says which of the two it is where nothing else does; a sale may be written either way. How a file
// signs amounts (signage_convention) says nothing about quantities. A fee is a cost however it is signed. Without a
// currency the figures cannot be settled, but what is wrong with them is noted.
func (t *trades) readDeal(r *Rows, row *Row, known bool) {
	quantity, okQuantity := r.decimal(row, fieldQty)
	price, okPrice := t.readPrice(r, row, quantity)
	row.Trade().Quantity, row.Trade().Price = quantity, price
	fee, okFee := t.readFee(r, row, quantity.Mul(price))
	if !okQuantity {
		return
	}
	trade := row.Trade()
	switch {
	case trade.Kind == string(sideBuy) && quantity.IsNegative():
		r.issue(row, fieldQty, "must not be negative for a purchase, got "+ledger.Quote(r.columns.cell(row.Raw, fieldQty)))
		return
	case trade.Kind == "" && quantity.IsNegative():
		trade.Kind = string(sideSell)
	case trade.Kind == "":
		trade.Kind = string(sideBuy)
	}
	trade.Quantity, trade.Price = quantity.Abs(), price
	if okPrice && okFee && known && t.readTotal(r, row, fee.Abs(), &fee) {
		t.settle(r, row, fee)
	}
}

// readPrice reads the price of one, which may be written in hundredths: the cell, the header or the currency of the row says so, or
// the totals prove it.
func (t *trades) readPrice(r *Rows, row *Row, quantity decimal.Decimal) (decimal.Decimal, bool) {
	price, ok := r.decimal(row, fieldPrice)
	if !ok {
		return price, false
	}
	if n, _ := r.rules.numbers.parse(r.columns.cell(row.Raw, fieldPrice)); n.cent {
		return price, true
	}
	code, hundredths := lexicon.Hundredth(r.columns.cell(row.Raw, fieldCurrency))
	if !hundredths {
		code, hundredths = hundredthsHeader(r.columns.title(fieldPrice))
	}
	switch {
	case !hundredths:
		return t.scaled(row, quantity.Abs(), price), true
	case code != row.Currency.Code:
		r.issue(row, fieldPrice, fmt.Sprintf("must be in %s, the currency of the row, and is in hundredths of %s", row.Currency.Code, code))
		return price, false
	}
	return price.Shift(-2), true
}

// hundredthsHeader finds in a header that what stands below is in hundredths of a currency: "Unit cost (p)", "Price GBX".
func hundredthsHeader(header string) (code string, ok bool) {
	for _, word := range text.Words(header) {
		if code, ok = lexicon.Hundredth(word); ok {
			return code, true
		}
	}
	return "", false
}

// scaled is the price of one where the price of the row is a hundredth of that, as the totals of the file prove.
func (t *trades) scaled(row *Row, quantity, price decimal.Decimal) decimal.Decimal {
	scales := &t.facts.scales
	scale := scales.of(row.Raw, quantity, price)
	if scale == scaleUnknown && scales.hundredths[t.facts.book.key(t.facts.book.of(row.Raw))] && scales.near(row.Raw, quantity.Mul(price)) {
		scale = scaleHundredth
	}
	if scale != scaleHundredth {
		return price
	}
	row.Warning = warnHundredths
	row.Remarks = append(row.Remarks, hundredthsRemark(price))
	return price.Shift(-2)
}

func hundredthsRemark(price decimal.Decimal) string {
	return fmt.Sprintf("price %s is in hundredths, per cent or pence, as the amount proves: one is at %s", price, price.Shift(-2))
}

// roundPrice takes from the price of a row the decimals that cannot be stored, as long as the cash stays within half a minor unit.
func roundPrice(row *Row) {
	exact := row.Trade().Price
	price := market.RoundPrice(exact)
	off := exact.Sub(price).Mul(row.Trade().Quantity).Abs()
	if price.Equal(exact) || !price.IsPositive() || off.GreaterThanOrEqual(row.Currency.Decimal(1).Div(decimal.New(2, 0))) {
		return // what is wrong with it is said
	}
	row.Trade().Price, row.Warning = price, warnRounded
	row.Remarks = append(row.Remarks, fmt.Sprintf("price %s has more decimals than can be stored: it is rounded to %s", exact, price))
}

func (t *trades) settle(r *Rows, row *Row, fee decimal.Decimal) {
	roundPrice(row)
	tr := row.Trade()
	cash, minor, problems := trade.TradeCash(tr.Kind, tr.Quantity, tr.Price, fee, row.Currency)
	row.Minor, tr.Fee = cash, minor
	for _, p := range problems {
		f := map[string]field{"qty": fieldQty, "price": fieldPrice, "fee": fieldFee}[p.Field]
		r.issue(row, f, p.Message)
	}
}

// readTotal compares the amount of a purchase or sale, if the file has one, with quantity times price. It is
// that, or with the costs: what it goes beyond is the fee, also where the fee column says less. Where it does
// not fit otherwise, one of the figures is not what it is taken for. A price is rounded, so quantity times half
// its last decimal is no difference.
func (t *trades) readTotal(r *Rows, row *Row, fee decimal.Decimal, costs *decimal.Decimal) bool {
	*costs = fee
	if r.columns.cell(row.Raw, fieldAmount) == "" {
		return true
	}
	amount, ok := r.decimal(row, fieldAmount)
	if !ok {
		return false
	}
	trade := row.Trade()
	gross := trade.Quantity.Mul(trade.Price)
	beyond := amount.Abs().Sub(gross)
	if trade.Kind == string(sideSell) {
		beyond = beyond.Neg()
	}
	rounding := rounded(trade.Price).Mul(trade.Quantity).Add(row.Currency.Decimal(1))
	switch {
	case beyond.GreaterThanOrEqual(fee) && beyond.LessThanOrEqual(gross):
		*costs = beyond
	case beyond.Abs().GreaterThan(rounding) && beyond.Sub(fee).Abs().GreaterThan(rounding):
		r.issue(row, fieldAmount, fmt.Sprintf("must be quantity times price, which is %s, or that with the fee, got %s",
			gross.Round(int32(row.Currency.Exponent)), ledger.Quote(r.columns.cell(row.Raw, fieldAmount))))
		return false
	}
	return true
}

// readCash reads the amount of a dividend, of interest or of a fee. Interest that is paid is a fee.
func (t *trades) readCash(r *Rows, row *Row, known bool) {
	if !known {
		return
	}
	amount, ok := r.money(row, fieldAmount)
	if !ok {
		return
	}
	switch unit, code := r.unitOf(row, fieldAmount); {
	case unit == unitHundredth && code == row.Currency.Code && amount%100 == 0:
		amount /= 100
	case unit == unitHundredth:
		r.issue(row, fieldAmount, fmt.Sprintf("must be a whole number of hundredths of %s, the currency of the row, got %s", row.Currency.Code, ledger.Quote(r.columns.cell(row.Raw, fieldAmount))))
		return
	case unit == unitUnsaid && !t.facts.scales.wholeTotals:
		r.issue(row, fieldAmount, fmt.Sprintf("may be in %s or in hundredths of it, and no purchase or sale of the file proves which: write the currency beside it or into its header, got %s",
			row.Currency.Code, ledger.Quote(r.columns.cell(row.Raw, fieldAmount))))
		return
	}
	trade := row.Trade()
	row.Minor = amount * r.rules.sign
	if trade.Kind == string(sideInterest) && row.Minor < 0 {
		trade.Kind, trade.Label = string(sideFee), "Interest"
	}
	if trade.Kind == string(sideFee) {
		row.Minor = -abs(row.Minor)
	}
	switch {
	case row.Minor == 0:
		r.issue(row, fieldAmount, "must not be 0")
	case trade.Kind == string(sideDividend) && row.Minor < 0:
		r.issue(row, fieldAmount, "must be money in for a dividend, got "+ledger.Quote(r.columns.cell(row.Raw, fieldAmount)))
	}
}
