// Package entry is transactions and the lines they are split into: one by one, by the thousand, and by runs of rules.
// What is written leaves sums, searchable texts and transfers right in the same write. An import writes hidden rows in
// many writes and makes them visible by its last. It knows no balance and no trade.
package entry

import (
	"finsvc/ledger"
	"finsvc/ledger/history"
	"finsvc/ledger/rule"
	"finsvc/ledger/transfer"
)

// Service reads and writes transactions, and runs rules on those that are there.
type Service struct {
	*ledger.Store

	Rules     *rule.Service
	Transfers *transfer.Service
	History   *history.Service
}

// New gives the service of the books' database.
func New(store *ledger.Store, rules *rule.Service, transfers *transfer.Service,
	operations *history.Service) *Service {
	return &Service{Store: store, Rules: rules, Transfers: transfers, History: operations}
}
