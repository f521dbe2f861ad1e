package report

import (
	"finsvc/ledger"
	"finsvc/ledger/balance"
)

// Service is the service of this subject.
type Service struct {
	*ledger.Store

	Balances *balance.Service
}

// New gives the service on the books' database.
func New(store *ledger.Store, balances *balance.Service) *Service {
	return &Service{Store: store, Balances: balances}
}
