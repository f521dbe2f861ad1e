// Package transfer is two entries of a household that are one movement: found by amount and days, confirmed or
// rejected by people, named by imports and rules. An entry is part of one transfer at most; what a person decided is
// never decided again by the program. It knows no category: that a transfer is neither income nor spending is for
// reports.
package transfer

import (
	"finsvc/ledger"
)

// Service reads and changes transfers, and finds candidates.
type Service struct{ *ledger.Store }

// New gives the service of the books' database.
func New(store *ledger.Store) *Service {
	return &Service{Store: store}
}
