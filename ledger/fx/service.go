// Package fx is exchange rates: read from published tables and files, written by people, and applied. A rate holds
// until the next one; an amount without a rate is not converted, and never at 1. It knows no entry.
package fx

import (
	"finsvc/ledger"
)

// Service reads and writes exchange rates, which belong to all households.
type Service struct{ *ledger.Store }

// New gives the service of the books' database.
func New(store *ledger.Store) *Service {
	return &Service{Store: store}
}
