// Package catalog is what entries are hung on: the accounts with what people say they are worth on a day, and the
// labels of transactions: categories, tags and merchants. Names are unique within a household without regard to case
// or spelling of letters; what is deleted leaves the entries that it was on in the same write. It knows no entry but
// by its key.
package catalog

import (
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/history"
)

// Accounts are the accounts of a household and their valuations.
type Accounts struct {
	*ledger.Store

	Balances *balance.Service
}

// NewAccounts gives the accounts of the books' database.
func NewAccounts(store *ledger.Store, balances *balance.Service) *Accounts {
	return &Accounts{Store: store, Balances: balances}
}

// Labels are the categories, tags and merchants of a household.
type Labels struct {
	*ledger.Store

	History *history.Service
}

// NewLabels gives the labels of the books' database.
func NewLabels(store *ledger.Store, log *history.Service) *Labels {
	return &Labels{Store: store, History: log}
}
