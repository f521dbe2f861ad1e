// Package market is securities, what they cost on a day, and their splits. A price of an exchange or of a person goes
// before the price of a trade. What is held is worth what the prices say in the same write. It knows no account.
package market

import (
	"finsvc/ledger"
)

// Service reads and writes securities, prices and splits.
type Service struct{ *ledger.Store }

// New gives the service of the books' database.
func New(store *ledger.Store) *Service {
	return &Service{Store: store}
}
