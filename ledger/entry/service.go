package entry

import (
	"finsvc/ledger"
	"finsvc/ledger/rule"
	"finsvc/ledger/transfer"
)

// Service is the service of this subject.
type Service struct {
	*ledger.Store

	Rules     *rule.Service
	Transfers *transfer.Service
}

// New gives the service on the books' database.
func New(store *ledger.Store, rules *rule.Service, transfers *transfer.Service) *Service {
	return &Service{Store: store, Rules: rules, Transfers: transfers}
}
