package ledger

import (
	"errors"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// Bounds of what a trade can be written with: the most units, the highest price, and decimals.
const (
	maxUnits      = 1_000_000_000_000_000
	maxUnitPlaces = 18
)

// deal is what a trade is made of, in major units of its currency. The quantity of a sale is positive as well.
// The amount is that of a kind without a quantity; that of a purchase or sale follows from the rest.
type deal struct {
	kind                         string
	quantity, price, fee, amount decimal.Decimal
	currency                     Currency
}

// newDeal reads that of a new trade. Of one without a kind nothing is known.
func (in *TradeInput) newDeal(kind string, currency Currency) deal {
	d := deal{kind: kind, currency: currency}
	switch {
	case kind == "":
	case movesUnits(kind):
		in.Problems.require(in.Quantity.Has(), "qty", "is required, such as 10, or -10 for a sale")
		in.Problems.require(in.Price.Has(), "price", "is required, such as 12.50")
		in.takeUnits(&d)
	default:
		in.Problems.require(in.Amount.Has(), "amount", "is required for a "+kind+", such as 12.50")
		in.takeCash(&d)
	}
	return d
}

// dealOf reads that of a stored trade.
func dealOf(t queries.Trade) (deal, error) {
	currency, _ := LookupCurrency(t.Currency) // what is stored was looked up
	d := deal{kind: t.Kind, currency: currency, fee: currency.Decimal(t.Fee), amount: currency.Decimal(t.Amount).Abs()}
	var err error
	d.quantity, d.price, err = twoDecimals(strings.TrimPrefix(t.Quantity, "-"), t.Price)
	return d, err
}

// changedDeal applies what is given. A change of the currency alone keeps the figures.
func (in *TradeInput) changedDeal(d deal) deal {
	d.kind = in.changedKind(d.kind)
	if given(in.Currency) != "" {
		d.currency = in.currency(nil)
	}
	if movesUnits(d.kind) {
		if in.Amount.Has() {
			in.Problems.Add("amount", "must not be given for a purchase or sale: it follows from qty, price and fee")
		}
		in.takeUnits(&d)
		return d
	}
	in.refuse("qty", in.Quantity, d.kind)
	in.refuse("price", in.Price, d.kind)
	in.takeCash(&d)
	return d
}

// changedKind is the kind after a change. A purchase turns into a sale and back by the type, else by the nature
// (inflow is a sale), else by a negative quantity; other kinds stay what they are.
func (in *TradeInput) changedKind(before string) string {
	word, way := strings.ToLower(given(in.Type)), in.Problems.direction(in.Nature)
	switch {
	case !movesUnits(before):
		in.keepKind(before, word, way)
	case movesUnits(word):
		return word
	case word != "":
		in.Problems.Add("type", "must be buy or sell, as the trade is one of them, got %s", Quote(in.Type.Value))
	case way == inflow, way == unsaid && in.Quantity.Value.IsNegative():
		return kindSell
	case way == outflow:
		return kindBuy
	}
	return before
}

// keepKind notes when a type or nature is another than that of a kind without a quantity.
func (in *TradeInput) keepKind(kind, word string, way direction) {
	if word != "" && word != kind {
		in.Problems.Add("type", "must stay %s, got %s", kind, Quote(in.Type.Value))
	}
	if kind == kindFee && way == inflow {
		in.Problems.Add("nature", "must be outflow for a fee, got %s", Quote(in.Nature.Value))
	}
	if kind != kindFee && way == outflow {
		in.Problems.Add("nature", "must be inflow for a trade of type %s, got %s", kind, Quote(in.Nature.Value))
	}
}

func (in *TradeInput) takeUnits(d *deal) {
	if d.kind == kindBuy && in.Quantity.Value.IsNegative() {
		in.Problems.Add("qty", "must be greater than 0 for a purchase, got %s", in.Quantity.Value)
	} else {
		in.Problems.take("qty", in.Quantity, &d.quantity, checkUnits)
	}
	in.Problems.take("price", in.Price, &d.price, checkUnitPrice)
	in.Fee.Value = d.currency.meant(in.Fee.Value, in.FeeIsNumber)
	in.Problems.take("fee", in.Fee, &d.fee, checkFee)
	d.quantity = d.quantity.Abs()
}

func (in *TradeInput) takeCash(d *deal) {
	in.Amount.Value = d.currency.meant(in.Amount.Value, in.AmountIsNumber)
	in.Problems.take("amount", in.Amount, &d.amount, checkAmount)
	in.refuse("fee", in.Fee, d.kind)
}

// refuse notes a figure that the kind has no use for.
func (in *TradeInput) refuse(field string, figure Opt[decimal.Decimal], kind string) {
	if !figure.Value.IsZero() {
		in.Problems.Add(field, "must be absent or 0 for a trade of type %s, which has an amount only, got %s", kind, figure.Value)
	}
}

// take takes a figure when it is given, and notes what is wrong with it.
func (p *Problems) take(field string, given Opt[decimal.Decimal], into *decimal.Decimal, check func(decimal.Decimal) error) {
	if given.Has() {
		*into = given.Value
		p.note(field, check(given.Value))
	}
}

// The checks say what is wrong with a figure in a sentence that begins with the field's name.

func checkUnits(quantity decimal.Decimal) error {
	switch {
	case quantity.IsZero():
		return errors.New("must not be 0")
	case !quantity.Equal(quantity.Truncate(maxUnitPlaces)):
		return fmt.Errorf("must have at most %d decimals, got %s", maxUnitPlaces, quantity)
	case quantity.Abs().GreaterThan(decimal.New(maxUnits, 0)):
		return fmt.Errorf("must be at most %d, got %s", int64(maxUnits), quantity.Abs())
	}
	return nil
}

func checkUnitPrice(price decimal.Decimal) error {
	if price.GreaterThan(decimal.New(maxUnits, 0)) {
		return fmt.Errorf("must be at most %d, got %s", int64(maxUnits), price)
	}
	return checkPrice(price)
}

func checkFee(fee decimal.Decimal) error {
	if fee.IsNegative() {
		return fmt.Errorf("must be 0 or greater, got %s", fee)
	}
	return nil
}

func checkAmount(amount decimal.Decimal) error {
	if !amount.IsPositive() {
		return fmt.Errorf("must be greater than 0, got %s", amount)
	}
	return nil
}

// settle writes the deal to a row, with the cash that it moves. That of a purchase or sale is quantity times
// price, rounded half up (away from zero) to the minor unit, less the fee. Where something is wrong already
// the row is not used.
func (d deal) settle(t *queries.Trade, p *Problems) {
	t.Kind, t.Currency, t.Quantity, t.Price, t.Fee = d.kind, d.currency.Code, "0", "0", 0
	for _, field := range []string{"type", "currency", "qty", "price", "fee", "amount"} {
		if p.Has(field) {
			return
		}
	}
	if d.currency.Code == "" {
		return
	}
	if !movesUnits(d.kind) {
		t.Amount = d.minor(p, "amount", "", d.amount)
		if d.kind == kindFee {
			t.Amount = -t.Amount
		}
		return
	}
	quantity := d.quantity
	if d.kind == kindSell {
		quantity = quantity.Neg()
	}
	t.Quantity, t.Price, t.Fee = quantity.String(), d.price.String(), d.minor(p, "fee", "", d.fee)
	cash := quantity.Mul(d.price).Neg().Round(int32(d.currency.Exponent)).Sub(d.fee)
	if !p.Has("fee") {
		t.Amount = d.minor(p, "qty", "times price, fee included, ", cash)
	}
}

func (d deal) minor(p *Problems, field, what string, amount decimal.Decimal) int64 {
	minor, err := d.currency.Minor(amount)
	if err != nil {
		p.Add(field, "%s%s", what, err)
	}
	return minor
}
