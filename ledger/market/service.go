package market

import (
	"finsvc/ledger"
	"finsvc/ledger/position"
)

// Service is the service of this subject.
type Service struct {
	*ledger.Store

	Positions *position.Service
}

// New gives the service on the books' database.
func New(store *ledger.Store, positions *position.Service) *Service {
	return &Service{Store: store, Positions: positions}
}
