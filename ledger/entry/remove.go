package entry

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/rollup"
	"finsvc/ledger/transfer"
	"finsvc/queries"
)

// DeleteTransaction removes a transaction and its share of every sum. The other side of a transfer is an
// ordinary transaction again. A part is not deleted by itself: the others would not add up to what was paid.
func (s *Service) DeleteTransaction(ctx context.Context, who ledger.Actor, id uuid.UUID) error {
	_, err := s.DeleteTransactions(ctx, who, []uuid.UUID{id})
	return err
}

// DeleteTransactions is [Service.DeleteTransaction] for several, wholly or not at all, as one operation of the history,
// which it gives.
func (s *Service) DeleteTransactions(ctx context.Context, who ledger.Actor, ids []uuid.UUID) (uuid.UUID, error) {
	ids = distinct(ids)
	operation, err := s.History.Run(ctx, who, len(ids), func(ctx context.Context, tx *ledger.Tx, first, last int) error {
		return s.RemoveTransactions(ctx, tx, ids[first:last])
	})
	return uuid.UUID(operation), err
}

// RemoveTransactions takes transactions, given by their ids, each once, out of the books in a write.
func (s *Service) RemoveTransactions(ctx context.Context, tx *ledger.Tx, ids []uuid.UUID) error {
	list, err := readAll(ctx, tx, ids)
	if err != nil || len(list) == 0 {
		return err
	}
	return s.remove(ctx, tx, list)
}

// readAll reads transactions with what hangs on them, in the order of their ids. One that is not there is an error.
func readAll(ctx context.Context, tx *ledger.Tx, ids []uuid.UUID) ([]stored, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	rows, err := readByIDs(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	list := make([]stored, len(ids))
	for i, id := range ids {
		row, there := rows[id]
		if !there {
			return nil, ledger.NotPart(ctx, tx, id, ledger.NewNotFound("Transaction"), "id",
				"delete that one as a whole, or give it split_lines without this part")
		}
		list[i] = row
	}
	return list, nil
}

// remove takes transactions out of the books with what hangs on them; the other sides of their transfers are matched anew.
func (s *Service) remove(ctx context.Context, tx *ledger.Tx, list []stored) error {
	rows, keys := make([]queries.Transaction, len(list)), make([]int64, len(list))
	for i, t := range list {
		rows[i], keys[i] = t.Transaction, t.ID
	}
	if err := transfer.RecordRejections(ctx, tx, keys); err != nil {
		return err
	}
	freed, err := transfer.PartOf(ctx, tx, rows, func(_, _ queries.Transaction) bool { return true })
	if err != nil {
		return err
	}
	marks, err := readMarks(ctx, tx, keys)
	if err != nil {
		return err
	}
	sums, changes, gone := rollup.NewRollups(), make([]queries.InsertChangeParams, len(list)), make([]transfer.CandidateLeg, len(list))
	for i, t := range list {
		sums.Remove(rollup.PostingOf(t.Transaction, t.lines))
		gone[i] = transfer.SideOf(t.Transaction)
		changes[i], err = tx.ChangeOf(ledger.EntityTransaction, t.PublicID, deletedImage(tx.Refs, t, marks[t.ID]), nil)
		if err != nil {
			return err
		}
	}
	if err := sums.Apply(ctx, tx); err != nil {
		return err
	}
	ids := ledger.JSONArray(keys)
	if err := tx.DropSearchTexts(ctx, keys); err != nil {
		return err
	}
	if err := tx.DeleteTransactions(ctx, queries.DeleteTransactionsParams{HouseholdID: tx.HouseholdID, Ids: ids}); err != nil {
		return err
	}
	if err := tx.InsertChanges(ctx, changes); err != nil {
		return err
	}
	return s.Transfers.Rematch(ctx, tx, freed, gone) // also of none: what is gone may have been one candidate too many
}

// MoveTransactions gives transactions, by their ids, each once, to another account in a write. A transfer with that
// account is none any more, and its sides are matched anew. No others are: where all of an account goes, nothing can be
// the other side of one that could not be before.
func (s *Service) MoveTransactions(ctx context.Context, tx *ledger.Tx, ids []uuid.UUID, account int64) error {
	list, err := readAll(ctx, tx, ids)
	if err != nil || len(list) == 0 {
		return err
	}
	return s.move(ctx, tx, list, account)
}

func (s *Service) move(ctx context.Context, tx *ledger.Tx, list []stored, account int64) error {
	rows := make([]queries.Transaction, len(list))
	for i, t := range list {
		rows[i] = t.Transaction
	}
	var here, gone []transfer.CandidateLeg
	freed, err := transfer.PartOf(ctx, tx, rows, func(own, other queries.Transaction) bool {
		within := other.AccountID == account
		if within {
			gone = append(gone, transfer.SideOf(own))
			own.AccountID = account
			here = append(here, transfer.SideOf(own))
		}
		return within
	})
	if err != nil {
		return err
	}
	keys, changes := make([]int64, len(list)), make([]queries.InsertChangeParams, len(list))
	sums := rollup.NewRollups()
	for i, t := range list {
		after := t
		after.AccountID = account
		sums.Remove(rollup.PostingOf(t.Transaction, t.lines))
		sums.Add(rollup.PostingOf(after.Transaction, t.lines))
		keys[i] = t.ID
		was, is := difference(imageOf(tx.Refs, t), imageOf(tx.Refs, after))
		changes[i], err = tx.ChangeOf(ledger.EntityTransaction, t.PublicID, was, is)
		if err != nil {
			return err
		}
	}
	err = tx.MoveTransactions(ctx, queries.MoveTransactionsParams{AccountID: account, Stamp: tx.Stamp(), Ids: ledger.JSONArray(keys),
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	if err := sums.Apply(ctx, tx); err != nil {
		return err
	}
	if err := tx.InsertChanges(ctx, changes); err != nil {
		return err
	}
	if len(here) == 0 {
		return nil
	}
	return s.Transfers.Rematch(ctx, tx, append(here, freed...), gone)
}
