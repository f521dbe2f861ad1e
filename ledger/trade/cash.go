package trade

import (
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// TradeCash gives what a purchase or sale moves in cash, into the account positive, and its fee, both in minor
// units: quantity times price, and the fee, rounded once half away from zero. Quantity, price and fee are not
// negative, and may have more decimals than the currency. The problems are those of qty, price and fee.
func TradeCash(kind string, quantity, price, fee decimal.Decimal, currency money.Currency) (cash, feeMinor int64,
	problems ledger.Problems) {
	problems.Note("qty", CheckUnits(quantity))
	problems.Note("price", CheckUnitPrice(price))
	problems.Note("fee", checkFee(fee))
	if len(problems) > 0 {
		return 0, 0, problems
	}
	places, gross := int32(currency.Exponent), quantity.Mul(price)
	total := gross.Add(fee)
	if kind == KindSell {
		total = gross.Sub(fee)
	}
	d := terms{kind: kind, quantity: quantity, price: price, fee: total.Round(places).Sub(gross.Round(places)).Abs(),
		currency: currency}
	var t queries.Trade
	d.cash(&t, &problems)
	return t.Amount, t.Fee, problems
}

// TradeName says in words what a trade is, such as "Buy 10 shares of AAPL"; the ticker may be empty.
func TradeName(kind string, quantity decimal.Decimal, ticker string) string {
	return defaultName(queries.Trade{Kind: kind, Quantity: quantity.String()}, ticker)
}
