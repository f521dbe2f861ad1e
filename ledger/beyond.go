package ledger

import "finsvc/ledger/money"

// ErrBeyond is for what no amount holds, though each balance is one: as what moved an account between two of them.
func ErrBeyond(sum money.Sum, code string) error {
	currency, _ := money.LookupCurrency(code) // what is stored was looked up
	return NewInvalid("date", "must be a day whose figure can be told by its parts; one of them would be %s %s, and none can be beyond %s",
		currency.PlainSum(sum), code, currency.Plain(money.MaxBalance))
}
