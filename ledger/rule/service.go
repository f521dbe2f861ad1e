package rule

import (
	"finsvc/ledger"
)

// Service is the service of this subject.
type Service struct {
	*ledger.Store

	books engineCache
}

// New gives the service on the books' database.
func New(store *ledger.Store) *Service {
	return &Service{Store: store}
}
