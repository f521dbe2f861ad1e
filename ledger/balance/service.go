// Package balance is what an account has at the end of a day: the sum of its entries from its last valuation on, and
// what it holds. A balance is one of 64 bits: a write that would make one that is not is refused. Foreign amounts
// count at the rate of their day, and without one are named beside the balance. It knows neither transactions nor
// trades by their names.
package balance

import (
	"finsvc/ledger"
)

// Service reads balances, on a day and day by day.
type Service struct{ *ledger.Store }

// New gives the service of the books' database.
func New(store *ledger.Store) *Service {
	return &Service{Store: store}
}
