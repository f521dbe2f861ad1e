package catalog

import (
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/rollup"
)

// Service is the service of this subject.
type Service struct {
	*ledger.Store

	Balances *balance.Service
	Rollups  *rollup.Service
}

// New gives the service on the books' database.
func New(store *ledger.Store, balances *balance.Service, rollups *rollup.Service) *Service {
	return &Service{Store: store, Balances: balances, Rollups: rollups}
}
