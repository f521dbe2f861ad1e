// Package trade is purchases, sales and income of securities: an entry of cash with a quantity and a price, exact to
// the last decimal. What is held and what the account is worth are right in the same write. It knows no report.
package trade

import (
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/transfer"
)

// Service reads and writes trades.
type Service struct {
	*ledger.Store

	Transfers *transfer.Service
	Entries   *entry.Service
}

// New gives the service of the books' database.
func New(store *ledger.Store, transfers *transfer.Service, entries *entry.Service) *Service {
	return &Service{Store: store, Transfers: transfers, Entries: entries}
}
