package table

import (
	"fmt"

	"github.com/shopspring/decimal"

	"finsvc/importer/lexicon"
	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/market"
	"finsvc/ledger/trade"
)

// readDeal reads quantity, price and fee of a purchase or sale and works out the cash that it moves. The sign of
// the quantity says which of the two it is where nothing else does; a sale may be written either way. How a file
// signs amounts (signage_convention) says nothing about quantities. A fee is a cost however it is signed. Without a
// currency the figures cannot be settled, but what is wrong with them is noted.
func (t *Trades) readDeal(r *Rows, row *record.Record, known bool) {
	quantity, okQuantity := readDecimal(r, row, record.FieldQty)
	price, okPrice := t.readPrice(r, row, quantity)
	row.Trade().Quantity, row.Trade().Price = quantity, price
	fee, okFee := t.readFee(r, row, quantity.Mul(price))
	if !okQuantity {
		return
	}
	trade := row.Trade()
	switch {
	case trade.Kind == string(SideBuy) && quantity.IsNegative():
		r.issue(row, record.FieldQty, "must not be negative for a purchase, got "+
			ledger.Quote(r.Columns.cell(row.Raw, record.FieldQty)))
		return
	case trade.Kind == "" && quantity.IsNegative():
		trade.Kind = string(SideSell)
	case trade.Kind == "":
		trade.Kind = string(SideBuy)
	}
	trade.Quantity, trade.Price = quantity.Abs(), price
	if okPrice && okFee && known && t.readTotal(r, row, fee.Abs(), &fee) {
		t.settle(r, row, fee)
	}
}

// readPrice reads the price of one, which may be written in hundredths: the cell, the header or the currency of the
// row says so, or the totals prove it.
func (t *Trades) readPrice(r *Rows, row *record.Record, quantity decimal.Decimal) (decimal.Decimal, bool) {
	price, ok := readDecimal(r, row, record.FieldPrice)
	if !ok {
		return price, false
	}
	if n, _ := r.Rules.Numbers.Parse(r.Columns.cell(row.Raw, record.FieldPrice)); n.Cent {
		return price, true
	}
	code, hundredths := lexicon.Hundredth(r.Columns.cell(row.Raw, record.FieldCurrency))
	if !hundredths {
		code, hundredths = hundredthsHeader(r.Columns.title(record.FieldPrice))
	}
	switch {
	case !hundredths:
		return t.scaled(row, quantity.Abs(), price), true
	case code != row.Currency.Code:
		r.issue(row, record.FieldPrice, fmt.Sprintf("must be in %s, the currency of the row, and is in hundredths of %s", row.Currency.Code, code))
		return price, false
	}
	return price.Shift(-2), true
}

// hundredthsHeader finds in a header that what stands below is in hundredths of a currency: "Unit cost (p)", "Price
// GBX".
func hundredthsHeader(header string) (code string, ok bool) {
	for _, word := range text.Words(header) {
		code, ok = lexicon.Hundredth(word)
		if ok {
			return code, true
		}
	}
	return "", false
}

// scaled is the price of one where the price of the row is a hundredth of that, as the totals of the file prove.
func (t *Trades) scaled(row *record.Record, quantity, price decimal.Decimal) decimal.Decimal {
	scales := &t.facts.scales
	scale := scales.Of(row.Raw, quantity, price)
	if scale == ScaleUnknown && scales.hundredths[t.facts.book.key(t.facts.book.of(row.Raw))] &&
		scales.Near(row.Raw, quantity.Mul(price)) {
		scale = ScaleHundredth
	}
	if scale != ScaleHundredth {
		return price
	}
	row.Warning = record.WarnHundredths
	row.Remarks = append(row.Remarks, HundredthsRemark(price))
	return price.Shift(-2)
}

func HundredthsRemark(price decimal.Decimal) string {
	return fmt.Sprintf("price %s is in hundredths, per cent or pence, as the amount proves: one is at %s", price,
		price.Shift(-2))
}

// RoundPrice takes from the price of a row the decimals that cannot be stored, as long as the cash stays within half a
// minor unit.
func RoundPrice(row *record.Record) {
	exact := row.Trade().Price
	price := market.RoundPrice(exact)
	off := exact.Sub(price).Mul(row.Trade().Quantity).Abs()
	if price.Equal(exact) || !price.IsPositive() || off.GreaterThanOrEqual(row.Currency.Decimal(1).Div(decimal.New(2,
		0))) {
		return // what is wrong with it is said
	}
	row.Trade().Price, row.Warning = price, record.WarnRounded
	row.Remarks = append(row.Remarks, fmt.Sprintf("price %s has more decimals than can be stored: it is rounded to %s",
		exact, price))
}

func (t *Trades) settle(r *Rows, row *record.Record, fee decimal.Decimal) {
	RoundPrice(row)
	tr := row.Trade()
	cash, minor, problems := trade.TradeCash(tr.Kind, tr.Quantity, tr.Price, fee, row.Currency)
	row.Minor, tr.Fee = cash, minor
	for _, p := range problems {
		f := map[string]record.Field{"qty": record.FieldQty, "price": record.FieldPrice,
			"fee": record.FieldFee}[p.Field]
		r.issue(row, f, p.Message)
	}
}

// readTotal compares the amount of a purchase or sale, if the file has one, with quantity times price. It is
// that, or with the costs: what it goes beyond is the fee, also where the fee column says less. Where it does
// not fit otherwise, one of the figures is not what it is taken for. A price is rounded, so quantity times half
// its last decimal is no difference.
func (t *Trades) readTotal(r *Rows, row *record.Record, fee decimal.Decimal, costs *decimal.Decimal) bool {
	*costs = fee
	if r.Columns.cell(row.Raw, record.FieldAmount) == "" {
		return true
	}
	amount, ok := readDecimal(r, row, record.FieldAmount)
	if !ok {
		return false
	}
	trade := row.Trade()
	gross := trade.Quantity.Mul(trade.Price)
	beyond := amount.Abs().Sub(gross)
	if trade.Kind == string(SideSell) {
		beyond = beyond.Neg()
	}
	rounding := Rounded(trade.Price).Mul(trade.Quantity).Add(row.Currency.Decimal(1))
	switch {
	case beyond.GreaterThanOrEqual(fee) && beyond.LessThanOrEqual(gross):
		*costs = beyond
	case beyond.Abs().GreaterThan(rounding) && beyond.Sub(fee).Abs().GreaterThan(rounding):
		r.issue(row, record.FieldAmount, fmt.Sprintf("must be quantity times price, which is %s, or that with the fee, got %s",
			gross.Round(int32(row.Currency.Exponent)), ledger.Quote(r.Columns.cell(row.Raw, record.FieldAmount))))
		return false
	}
	return true
}

// readCash reads the amount of a dividend, of interest or of a fee. Interest that is paid is a fee.
func (t *Trades) readCash(r *Rows, row *record.Record, known bool) {
	if !known {
		return
	}
	amount, ok := r.money(row, record.FieldAmount)
	if !ok {
		return
	}
	switch unit, code := unitOf(r, row, record.FieldAmount); {
	case unit == unitHundredth && code == row.Currency.Code && amount%100 == 0:
		amount /= 100
	case unit == unitHundredth:
		r.issue(row, record.FieldAmount, fmt.Sprintf("must be a whole number of hundredths of %s, the currency of the row, got %s", row.Currency.Code, ledger.Quote(r.Columns.cell(row.Raw, record.FieldAmount))))
		return
	case unit == unitUnsaid && !t.facts.scales.wholeTotals:
		r.issue(row, record.FieldAmount, fmt.Sprintf("may be in %s or in hundredths of it, and no purchase or sale of the file proves which: write the currency beside it or into its header, got %s",
			row.Currency.Code, ledger.Quote(r.Columns.cell(row.Raw, record.FieldAmount))))
		return
	}
	trade := row.Trade()
	row.Minor = amount * r.Rules.Sign
	if trade.Kind == string(SideInterest) && row.Minor < 0 {
		trade.Kind, trade.Label = string(sideFee), "Interest"
	}
	if trade.Kind == string(sideFee) {
		row.Minor = -max(row.Minor, -row.Minor)
	}
	switch {
	case row.Minor == 0:
		r.issue(row, record.FieldAmount, "must not be 0")
	case trade.Kind == string(SideDividend) && row.Minor < 0:
		r.issue(row, record.FieldAmount, "must be money in for a dividend, got "+
			ledger.Quote(r.Columns.cell(row.Raw, record.FieldAmount)))
	}
}
