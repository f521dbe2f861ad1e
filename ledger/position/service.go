// Package position is what accounts hold of securities, since when, at what cost and value: followed from trades and
// splits day by day, and kept by the write that changed one of them. Quantities, prices and costs are decimals; a cost
// in several currencies is converted at the day of each purchase, or not known. It knows no report.
package position

import (
	"finsvc/ledger"
)

// Service reads what is held.
type Service struct{ *ledger.Store }

// New gives the service of the books' database.
func New(store *ledger.Store) *Service {
	return &Service{Store: store}
}
