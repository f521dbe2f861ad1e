// Package closing is how an account leaves the books: it is deleted with all that is booked in it, or merged into another
// one, which gets all of it. Either is one operation of the history, which comes in short writes, and is taken back as one:
// see [Service.Restore]. It knows how entries leave or move by what their own packages do in a write, and no rules of
// theirs.
package closing

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/history"
	"finsvc/ledger/trade"
	"finsvc/queries"
)

// Service deletes and merges accounts.
type Service struct {
	*ledger.Store

	Entries *entry.Service
	Trades  *trade.Service
	History *history.Service
}

// New gives the service of the books' database.
func New(store *ledger.Store, entries *entry.Service, trades *trade.Service, operations *history.Service) *Service {
	return &Service{store, entries, trades, operations}
}

// Uses counts what goes with an account. Transfers are those that are none afterwards; imports are those that name the
// account or have rows in it, rules those that name it.
type Uses struct {
	Transactions, SplitLines, Trades, Valuations, Transfers, Imports, Rules int64
}

func usesOf(ctx context.Context, tx *ledger.Tx, account int64) (Uses, error) {
	row, err := tx.CountAccountUse(ctx, queries.CountAccountUseParams{AccountID: account, HouseholdID: tx.HouseholdID})
	return Uses(row), ledger.Missing(err, "Account")
}

// entries are what is booked in an account, in the order in which it leaves: transactions by their ids; trades so that
// what is held covers every sale when they come back in the opposite order.
type entries struct {
	transactions []uuid.UUID
	trades       []queries.Trade
}

// work is one step for each entry, and one at the end.
func (e *entries) work() int { return len(e.transactions) + len(e.trades) + 1 }

// cut gives what of the entries lies in a part of the work, and whether it is the last part.
func (e *entries) cut(first, last int) (transactions []uuid.UUID, trades []queries.Trade, ends bool) {
	n := len(e.transactions)
	transactions = e.transactions[min(first, n):min(last, n)]
	first, last = max(first-n, 0), max(last-n, 0)
	return transactions, e.trades[min(first, len(e.trades)):min(last, len(e.trades))], last > len(e.trades)
}

func entriesOf(ctx context.Context, tx *ledger.Tx, account int64) (e entries, err error) {
	ids, err := tx.ListAccountTransactionIDs(ctx, queries.ListAccountTransactionIDsParams{AccountID: account,
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return e, err
	}
	for _, id := range ids {
		e.transactions = append(e.transactions, uuid.UUID(id))
	}
	e.trades, err = tx.ListTradesOfAccount(ctx, queries.ListTradesOfAccountParams{AccountID: account, HouseholdID: tx.HouseholdID})
	trade.SortForRemoval(e.trades)
	return e, err
}

// checkIdle refuses while an import writes or removes rows: it may be on its way into the account.
func checkIdle(ctx context.Context, tx *ledger.Tx) error {
	n, err := tx.CountWorkingImports(ctx, tx.HouseholdID)
	if err == nil && n > 0 {
		err = ledger.NewConflict("an import is being published or taken back: wait until it has ended, and do this again")
	}
	return err
}

// checkEmpty refuses to close an account in which something was booked while its entries left.
func checkEmpty(ctx context.Context, tx *ledger.Tx, account queries.Account) error {
	uses, err := usesOf(ctx, tx, account.ID)
	if err == nil && uses.Transactions+uses.Trades > 0 {
		err = ledger.NewConflict("something was booked in the account %s meanwhile: nothing was changed, do this again",
			ledger.Quote(account.Name))
	}
	return err
}

func find(ctx context.Context, tx *ledger.Tx, id queries.PublicID) (queries.Account, error) {
	row, err := tx.GetAccount(ctx, queries.GetAccountParams{PublicID: id, HouseholdID: tx.HouseholdID})
	return row.Account, ledger.Missing(err, "Account")
}
