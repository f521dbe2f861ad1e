package trade

import (
	"errors"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// Bounds of what a trade can be written with: the most units, the highest price, and decimals.
const (
	maxUnits      = 1_000_000_000_000_000
	maxUnitPlaces = 18
)

// terms is what a trade is made of, in major units of its currency. The quantity of a sale is positive as well.
// The amount is that of a kind without a quantity; that of a purchase or sale follows from the rest.
type terms struct {
	kind                         string
	quantity, price, fee, amount decimal.Decimal
	currency                     money.Currency
}

// newTerms reads that of a new trade. Of one without a kind nothing is known.
func (in *Input) newTerms(kind string, currency money.Currency) terms {
	d := terms{kind: kind, currency: currency}
	switch {
	case kind == "":
	case MovesUnits(kind):
		in.Problems.Require(in.Quantity.Has(), "qty", "is required, such as 10, or -10 for a sale")
		in.Problems.Require(in.Price.Has(), "price", "is required, such as 12.50")
		in.takeUnits(&d)
	default:
		in.Problems.Require(in.Amount.Has(), "amount", "is required for a "+kind+", such as 12.50")
		in.takeCash(&d)
	}
	return d
}

// termsOf reads that of a stored trade.
func termsOf(t queries.Trade) (terms, error) {
	currency, _ := money.LookupCurrency(t.Currency) // what is stored was looked up
	d := terms{kind: t.Kind, currency: currency, fee: currency.Decimal(t.Fee), amount: currency.Decimal(t.Amount).Abs()}
	var err error
	d.quantity, d.price, err = money.TwoDecimals(strings.TrimPrefix(t.Quantity, "-"), t.Price)
	return d, err
}

// changedTerms applies what is given. A change of the currency alone keeps the figures.
func (in *Input) changedTerms(d terms) terms {
	d.kind = in.changedKind(d.kind)
	if given(in.Currency) != "" {
		d.currency = in.currency(nil)
	}
	if MovesUnits(d.kind) {
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
func (in *Input) changedKind(before string) string {
	word, way := strings.ToLower(given(in.Type)), entry.DirectionOf(&in.Problems, in.Nature)
	switch {
	case !MovesUnits(before):
		in.keepKind(before, word, way)
	case MovesUnits(word):
		return word
	case word != "":
		in.Problems.Add("type", "must be buy or sell, as the trade is one of them, got %s", ledger.Quote(in.Type.Value))
	case way == entry.Inflow, way == entry.Unsaid && in.Quantity.Value.IsNegative():
		return KindSell
	case way == entry.Outflow:
		return KindBuy
	}
	return before
}

// keepKind notes when a type or nature is another than that of a kind without a quantity.
func (in *Input) keepKind(kind, word string, way entry.Direction) {
	if word != "" && word != kind {
		in.Problems.Add("type", "must stay %s, got %s", kind, ledger.Quote(in.Type.Value))
	}
	if kind == kindFee && way == entry.Inflow {
		in.Problems.Add("nature", "must be outflow for a fee, got %s", ledger.Quote(in.Nature.Value))
	}
	if kind != kindFee && way == entry.Outflow {
		in.Problems.Add("nature", "must be inflow for a trade of type %s, got %s", kind, ledger.Quote(in.Nature.Value))
	}
}

func (in *Input) takeUnits(d *terms) {
	if d.kind == KindBuy && in.Quantity.Value.IsNegative() {
		in.Problems.Add("qty", "must be greater than 0 for a purchase, got %s", in.Quantity.Value)
	} else {
		in.Problems.Take("qty", in.Quantity, &d.quantity, CheckUnits)
	}
	in.Problems.Take("price", in.Price, &d.price, CheckUnitPrice)
	in.Fee.Value = d.currency.Meant(in.Fee.Value, in.FeeIsNumber)
	in.Problems.Take("fee", in.Fee, &d.fee, checkFee)
	d.quantity = d.quantity.Abs()
}

func (in *Input) takeCash(d *terms) {
	in.Amount.Value = d.currency.Meant(in.Amount.Value, in.AmountIsNumber)
	in.Problems.Take("amount", in.Amount, &d.amount, checkAmount)
	in.refuse("fee", in.Fee, d.kind)
}

// refuse notes a figure that the kind has no use for.
func (in *Input) refuse(field string, figure ledger.Opt[decimal.Decimal], kind string) {
	if !figure.Value.IsZero() {
		in.Problems.Add(field, "must be absent or 0 for a trade of type %s, which has an amount only, got %s", kind,
			figure.Value)
	}
}

// The checks say what is wrong with a figure in a sentence that begins with the field's name.

func CheckUnits(quantity decimal.Decimal) error {
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

func CheckUnitPrice(price decimal.Decimal) error {
	if price.GreaterThan(decimal.New(maxUnits, 0)) {
		return fmt.Errorf("must be at most %d, got %s", int64(maxUnits), price)
	}
	return market.CheckPrice(price)
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

// cash writes the deal to a row, with the cash that it moves. That of a purchase or sale is quantity times
// price, rounded half up (away from zero) to the minor unit, less the fee. Where something is wrong already
// the row is not used.
func (d terms) cash(t *queries.Trade, p *ledger.Problems) {
	t.Kind, t.Currency, t.Quantity, t.Price, t.Fee = d.kind, d.currency.Code, "0", "0", 0
	for _, field := range []string{"type", "currency", "qty", "price", "fee", "amount"} {
		if p.Has(field) {
			return
		}
	}
	if d.currency.Code == "" {
		return
	}
	if !MovesUnits(d.kind) {
		t.Amount = d.minor(p, "amount", "", d.amount)
		if d.kind == kindFee {
			t.Amount = -t.Amount
		}
		return
	}
	quantity := d.quantity
	if d.kind == KindSell {
		quantity = quantity.Neg()
	}
	t.Quantity, t.Price, t.Fee = quantity.String(), d.price.String(), d.minor(p, "fee", "", d.fee)
	cash := quantity.Mul(d.price).Neg().Round(int32(d.currency.Exponent)).Sub(d.fee)
	if !p.Has("fee") {
		t.Amount = d.minor(p, "qty", "times price, fee included, ", cash)
	}
}

func (d terms) minor(p *ledger.Problems, field, what string, amount decimal.Decimal) int64 {
	minor, err := d.currency.Minor(amount)
	if err != nil {
		p.Add(field, "%s%s", what, err)
	}
	return minor
}
