package trade

import (
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/market"
	"finsvc/ledger/position"
	"finsvc/ledger/transfer"
)

// Service is the service of this subject.
type Service struct {
	*ledger.Store

	Positions *position.Service
	Transfers *transfer.Service
	Market    *market.Service
	Entries   *entry.Service
}

// New gives the service on the books' database.
func New(store *ledger.Store, positions *position.Service, transfers *transfer.Service, market *market.Service, entries *entry.Service) *Service {
	return &Service{Store: store, Positions: positions, Transfers: transfers, Market: market, Entries: entries}
}
