package entry

import (
	"cmp"
	"context"
	"encoding/hex"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// Transaction is a transaction with its labels, or a part of one that is split, which SplitOf is the id of. Category,
// Merchant and Transfer may be nil.
type Transaction struct {
	queries.TransactionRow
	Account  *ledger.AccountRef
	Category *ledger.CategoryRef
	Merchant *ledger.MerchantRef
	Tags     []*ledger.TagRef
	Transfer *TransferSide
	Split    []SplitLine // what its parts were for; none when it is not split
	// AppliedRules are the rules that have given it fields.
	AppliedRules []AppliedRule
}

// TransferSide is the transfer that a transaction belongs to, seen from it. Minor is the absolute amount
// of the inflow, in Currency.
type TransferSide struct {
	ID       uuid.UUID
	Minor    int64
	Currency string
	Other    *ledger.AccountRef
}

// GetTransaction gives one transaction, or a part of one. A change of its date changes its key, so both reads must see
// the same state.
func (s *Service) GetTransaction(ctx context.Context, who ledger.Actor, id uuid.UUID) (t Transaction, err error) {
	err = s.WithRefs(ctx, s.DB.ReadTx, who, func(ctx context.Context, tx *ledger.Tx) error {
		row, err := ledger.GetTransaction(ctx, tx, id)
		if err == nil {
			t, err = readTransaction(ctx, tx, row.ID)
			return err
		}
		if !ledger.IsKind(err, ledger.NotFound) {
			return err
		}
		part, found, failed := ledger.FindPart(ctx, tx, id)
		if failed != nil || !found {
			return cmp.Or(failed, err)
		}
		t, err = readPartRow(ctx, tx, part)
		return err
	})
	return t, err
}

// IDsEndingIn are the ids of transactions and parts that end in eight hexadecimal digits.
func (s *Service) IDsEndingIn(ctx context.Context, who ledger.Actor, digits string) (ids []uuid.UUID, err error) {
	tail, err := hex.DecodeString(digits)
	if err != nil {
		return nil, err
	}
	err = s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		found, err := tx.ListIDsEndingIn(ctx, queries.ListIDsEndingInParams{Tail: tail, HouseholdID: who.HouseholdID})
		for _, id := range found {
			ids = append(ids, uuid.UUID(id))
		}
		return err
	})
	return ids, err
}

func readTransaction(ctx context.Context, tx *ledger.Tx, key int64) (Transaction, error) {
	row, err := tx.GetTransactionRow(ctx, key)
	if err != nil {
		return Transaction{}, err
	}
	return labelledOne(ctx, tx, row)
}

func labelledOne(ctx context.Context, tx *ledger.Tx, row queries.TransactionRow) (Transaction, error) {
	all, err := labelled(ctx, tx, ledger.Key(row.ID).Household(), []queries.TransactionRow{row})
	if err != nil {
		return Transaction{}, err
	}
	return all[0], nil
}

// ListTransactions gives a page of the transactions that the filter selects, newest day first, and how many it selects
// in all. Split ones are there by their parts, in their place and each if the filter selects it: so sums are right
// once.
func (s *Service) ListTransactions(ctx context.Context, who ledger.Actor, f TransactionFilter,
	page ledger.Page) (list []Transaction, total int64, err error) {
	return s.listTransactions(ctx, who, f, page, (*Selection).page, (*Selection).count)
}

// pageOf reads the rows of a page, of so many in all.
type pageOf func(s *Selection, ctx context.Context, q *queries.Queries, page ledger.Page,
	total int64) ([]queries.TransactionRow, error)

func (s *Service) listTransactions(ctx context.Context, who ledger.Actor, f TransactionFilter, page ledger.Page, read pageOf,
	count func(s *Selection, ctx context.Context, q *queries.Queries) (int64, error)) (list []Transaction, total int64, err error) {
	if f.isHeavy() {
		ctx = ledger.Heavy(ctx, who)
	}
	err = s.Read(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		// To watch for a client that leaves costs a fifth of a query that is over at once.
		quick := context.WithoutCancel(ctx)
		state, err := tx.GetListState(quick, tx.HouseholdID)
		if err != nil {
			return err
		}
		refs, err := tx.RefsAt(ctx, state.RefsVersion)
		if err != nil {
			return err
		}
		selection, err := f.Resolve(ctx, tx.With(refs))
		if err != nil || selection.Nothing {
			return err
		}
		if err := selection.see(quick, tx.Queries, state); err != nil {
			return err
		}
		if selection.onlyDays() && !f.isHeavy() {
			ctx = quick
		}
		total, err = count(selection, ctx, tx.Queries)
		if err != nil || page.Offset() >= total {
			return err
		}
		rows, err := read(selection, ctx, tx.Queries, page, total)
		if err != nil {
			return err
		}
		list, err = labelled(ctx, tx.With(refs), tx.HouseholdID, rows)
		return err
	})
	return list, total, err
}

// labelled puts the labels to the rows of a page.
func labelled(ctx context.Context, tx *ledger.Tx, householdID int64, rows []queries.TransactionRow) ([]Transaction,
	error) {
	refs := tx.Refs
	if !knowRefs(refs, rows) {
		// Something was named after the references were read.
		var err error
		refs, err = tx.RefsNow(ctx)
		if err != nil {
			return nil, err
		}
	}
	list := make([]Transaction, len(rows))
	var transfers []int64
	for i, row := range rows {
		list[i] = transactionOf(refs, row)
		if row.TransferID != nil {
			transfers = append(transfers, row.ID)
		}
	}
	if err := addRules(ctx, tx.With(refs), householdID, list); err != nil {
		return nil, err
	}
	if transfers == nil {
		return list, nil
	}
	return list, addTransfers(ctx, tx.With(refs), householdID, list, transfers)
}

// knowRefs reports whether every label of the rows is among these.
func knowRefs(refs *ledger.Refs, rows []queries.TransactionRow) bool {
	for _, r := range rows {
		if refs.Accounts.ByKey[r.AccountID] == nil || r.CategoryID != nil &&
			refs.Categories.ByKey[*r.CategoryID] == nil ||
			r.MerchantID != nil && refs.Merchants.ByKey[*r.MerchantID] == nil || !refs.KnowLines(r.Lines) {
			return false
		}
		for _, tag := range tagKeys(r.TagIDs) {
			if refs.Tags.ByKey[tag] == nil {
				return false
			}
		}
	}
	return true
}

// transactionOf leaves out what was deleted since the row was read.
func transactionOf(refs *ledger.Refs, row queries.TransactionRow) Transaction {
	t := Transaction{TransactionRow: row, Account: refs.Accounts.ByKey[row.AccountID],
		Tags: refs.TagsOf(tagKeys(row.TagIDs)), Split: linesOf(refs, row.Lines)}
	if row.CategoryID != nil {
		t.Category = refs.Categories.ByKey[*row.CategoryID]
	}
	if row.MerchantID != nil {
		t.Merchant = refs.Merchants.ByKey[*row.MerchantID]
	}
	return t
}

func tagKeys(joined *string) []int64 {
	if joined == nil {
		return nil
	}
	keys, _ := queries.Numbers(*joined, ",") // group_concat makes nothing else of integers
	return keys
}

func addTransfers(ctx context.Context, tx *ledger.Tx, householdID int64, list []Transaction, keys []int64) error {
	sides, err := tx.ListTransfersOfTransactions(ctx, queries.ListTransfersOfTransactionsParams{Ids: ledger.JSONArray(keys), HouseholdID: householdID})
	if err != nil {
		return err
	}
	for _, row := range sides {
		side := &TransferSide{
			ID: uuid.UUID(row.PublicID), Minor: row.Amount, Currency: row.Currency,
			Other: tx.Refs.Accounts.ByKey[row.OtherAccountID],
		}
		if row.Amount < 0 {
			side.Minor, side.Currency = row.OtherAmount, row.OtherCurrency
		}
		for i := range list {
			if list[i].ID == row.TransactionID {
				list[i].Transfer = side
			}
		}
	}
	return nil
}
