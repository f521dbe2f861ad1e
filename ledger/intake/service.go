// Package intake is what an import may do to the books, and how that is taken back: it makes or finds what its rows
// name, recognises rows that are booked already, states opening balances, and plans and carries out a revert, which
// leaves everything as if the import had never been, but for what people have changed since. It reads no file.
package intake

import (
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/transfer"
)

// Service does what an import asks for that takes more than one transaction, or what the services below keep.
type Service struct {
	*ledger.Store

	Transfers *transfer.Service
	Labels    *catalog.Labels
}

// New gives the service of the books' database.
func New(store *ledger.Store, transfers *transfer.Service, labels *catalog.Labels) *Service {
	return &Service{Store: store, Transfers: transfers, Labels: labels}
}
