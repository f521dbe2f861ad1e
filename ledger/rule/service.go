// Package rule is the rule engine: what a rule's conditions ask, which transactions they select, and what its actions
// make of one. A rule is compiled once for many transactions, and the first rule that sets a field wins. It decides
// and writes rules; what they change is written by package entry.
package rule

import (
	"finsvc/ledger"
)

// Service reads and writes rules, and keeps them compiled.
type Service struct {
	*ledger.Store

	books engineCache
}

// New gives the service of the books' database.
func New(store *ledger.Store) *Service {
	return &Service{Store: store}
}
