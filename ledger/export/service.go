// Package export writes the books out whole: as text for hledger and Beancount, as CSV and as NDJSON that an import
// reads back. Everything is of one state of the books, and sums that readers of a format would make are what reports
// say.
package export

import (
	"finsvc/ledger"
	"finsvc/ledger/balance"
)

// Service writes exports.
type Service struct {
	*ledger.Store

	Balances *balance.Service
}

// New gives the service of the books' database.
func New(store *ledger.Store, balances *balance.Service) *Service {
	return &Service{Store: store, Balances: balances}
}
