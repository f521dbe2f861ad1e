package export

import (
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/position"
	"finsvc/ledger/rule"
)

// Service is the service of this subject.
type Service struct {
	*ledger.Store

	Balances  *balance.Service
	Rules     *rule.Service
	Positions *position.Service
}

// New gives the service on the books' database.
func New(store *ledger.Store, balances *balance.Service, rules *rule.Service, positions *position.Service) *Service {
	return &Service{Store: store, Balances: balances, Rules: rules, Positions: positions}
}
