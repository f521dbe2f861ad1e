package entry

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/rollup"
	"finsvc/ledger/transfer"
	"finsvc/queries"
)

// NewKey gives the key and the id of a new entry of a day.
func NewKey(ctx context.Context, tx *ledger.Tx, day ledger.Date) (key int64, id queries.PublicID, err error) {
	sequence, err := ReserveSequences(ctx, tx, 1)
	if err != nil {
		return 0, id, err
	}
	id, err = ledger.NewID()
	return int64(ledger.NewKey(tx.HouseholdID, day, sequence)), id, err
}

// ReserveSequences takes count creation numbers of the household and gives the first.
func ReserveSequences(ctx context.Context, tx *ledger.Tx, count int64) (int64, error) {
	last, err := tx.NextSequences(ctx, queries.NextSequencesParams{Count: count, HouseholdID: tx.HouseholdID})
	if err != nil {
		return 0, err
	}
	if last > ledger.MaxSequence {
		return 0, ledger.NewConflict("the household has had %d entries, more than can be kept",
			int64(ledger.MaxSequence))
	}
	return last - count + 1, nil
}

func insertParams(t queries.Transaction) queries.InsertTransactionParams {
	return queries.InsertTransactionParams{
		ID: t.ID, PublicID: t.PublicID, HouseholdID: t.HouseholdID, AccountID: t.AccountID, Date: t.Date,
		Amount: t.Amount, Currency: t.Currency,
		Name: t.Name, Notes: t.Notes, CategoryID: t.CategoryID, MerchantID: t.MerchantID, ExternalID: t.ExternalID,
		Source:   t.Source,
		ImportID: t.ImportID, ImportRow: t.ImportRow, SourceHash: t.SourceHash, Occurrence: t.Occurrence,
		NameHash: t.NameHash, CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt, UserFields: t.UserFields,
		BankKey: t.BankKey, LikeKey: t.LikeKey,
	}
}

// retagTransaction gives a transaction other tags.
func retagTransaction(ctx context.Context, q *queries.Queries, id int64, tags []int64) error {
	if err := q.DeleteTransactionTags(ctx, id); err != nil {
		return err
	}
	var a attachments
	a.tag(id, tags)
	return a.store(ctx, q)
}

// searchTextOf is what makes the transaction findable: its name, its notes and its merchant's name, and those of its
// lines.
func searchTextOf(refs *ledger.Refs, t queries.Transaction, lines []queries.SplitLine) searchText {
	return searchText{t.ID, ledger.SearchText{Name: t.Name, Notes: searchNotes(t.Notes, lines),
		Merchant: refs.SearchMerchants(merchantKeys(t.MerchantID, lines))}}
}

// UpdateTransaction changes what is given of a transaction, or of a part of one, and leaves the rest.
func (s *Service) UpdateTransaction(ctx context.Context, who ledger.Actor, id uuid.UUID,
	in TransactionInput) (Transaction, error) {
	var out Transaction
	err := s.WriteWithRefs(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		before, err := ledger.GetTransaction(ctx, tx, id)
		if ledger.IsKind(err, ledger.NotFound) {
			part, found, failed := ledger.FindPart(ctx, tx, id)
			if failed != nil || !found {
				return cmp.Or(failed, err)
			}
			out, err = s.updatePart(ctx, tx, part, &in)
		}
		if err != nil || out.ID != 0 {
			return err
		}
		was, err := readStored(ctx, tx, before)
		if err != nil {
			return err
		}
		is, err := in.applyTo(tx, was)
		if err != nil {
			return err
		}
		key, err := s.storeChange(ctx, tx, was, is)
		if err != nil {
			return err
		}
		out, err = readTransaction(ctx, tx, key)
		return err
	})
	return out, err
}

// applyTo is what the input makes of a transaction: what was given is changed, and then the person's, whatever rule has
// set it before.
func (in *TransactionInput) applyTo(tx *ledger.Tx, was stored) (stored, error) {
	c := checker{tx.Refs, in}
	is := was
	is.Transaction = c.change(was.Transaction)
	if tags := c.tags(); in.TagIDs.Set {
		is.tags = tags
		slices.Sort(is.tags)
	}
	is.lines = c.changedParts(was.Transaction, &is.Transaction, was.lines).after
	is.claim(in.saidFields(tx.Actor))
	return is, in.Problems.Err()
}

// storeChange writes a changed transaction and what hangs on it; a change of nothing writes nothing. It gives the key, which a new
// date changes.
func (s *Service) storeChange(ctx context.Context, tx *ledger.Tx, before, after stored) (int64, error) {
	err := s.storeChanges(ctx, tx, []change{{before, &after}})
	return after.ID, err
}

// change is a transaction before and after a change. After gets the key by which it is stored.
type change struct {
	before stored
	after  *stored
}

// storeChanges writes what has changed of transactions, each of which is there once, and matches them anew.
func (s *Service) storeChanges(ctx context.Context, tx *ledger.Tx, list []change) error {
	var recorded []queries.InsertChangeParams
	var here, gone []transfer.CandidateLeg
	gathering, writeTexts := tx.GatherSearchTexts()
	for _, c := range list {
		entry, err := writeChange(ctx, gathering, c.before, c.after)
		if err != nil {
			return err
		}
		if entry != nil {
			recorded = append(recorded, *entry)
		}
	}
	if err := writeTexts(ctx); err != nil {
		return err
	}
	if err := tx.InsertChanges(ctx, recorded); err != nil {
		return err
	}
	for _, c := range list {
		is, was, err := transfer.Unmatch(ctx, tx, c.before.Transaction, c.after.Transaction)
		if err != nil {
			return err
		}
		here, gone = append(here, is...), append(gone, was...)
	}
	if here == nil {
		return nil
	}
	return s.Transfers.Rematch(ctx, tx, here, gone)
}

// writeChange writes a changed transaction without a look for the other side of a transfer, and gives what belongs into
// the history; nil where nothing has changed.
func writeChange(ctx context.Context, tx *ledger.Tx, before stored, after *stored) (*queries.InsertChangeParams, error) {
	retag, parts := !slices.Equal(before.tags, after.tags), splitChange{before.lines, after.lines}
	after.ID = int64(ledger.Key(before.ID).MovedTo(ledger.Date(after.Date)))
	if !retag && !parts.changed() && sameTransaction(before.Transaction, after.Transaction) &&
		slices.EqualFunc(before.notes, after.notes, ruleNote.equal) {
		after.ID = before.ID
		return nil, nil
	}
	if err := after.nameLines(); err != nil {
		return nil, err
	}
	parts.after = after.lines
	after.UpdatedAt = max(tx.Stamp(), before.UpdatedAt+1)
	if err := rewrite(ctx, tx, before.Transaction, after.Transaction, parts); err != nil {
		return nil, err
	}
	if err := parts.store(ctx, tx.Queries, after.Transaction); err != nil {
		return nil, err
	}
	if retag {
		if err := retagTransaction(ctx, tx.Queries, after.ID, after.tags); err != nil {
			return nil, err
		}
	}
	if err := storeNotes(ctx, tx, after.ID, before.notes, after.notes); err != nil {
		return nil, err
	}
	was, is := difference(imageOf(tx.Refs, before), imageOf(tx.Refs, *after))
	entry, err := tx.ChangeOf(ledger.EntityTransaction, before.PublicID, was, is)
	return &entry, err
}

func sameTransaction(a, b queries.Transaction) bool {
	return sameToPeople(a, b) && a.UserFields == b.UserFields && a.AccountID == b.AccountID
}

// sameToPeople leaves out who has set the fields, and the account, which no change of fields touches.
func sameToPeople(a, b queries.Transaction) bool {
	return a.Date == b.Date && a.Amount == b.Amount && a.Currency == b.Currency && a.Name == b.Name &&
		ledger.Same(a.Notes, b.Notes) &&
		ledger.Same(a.CategoryID, b.CategoryID) && ledger.Same(a.MerchantID, b.MerchantID)
}

// rewrite writes the row, its place in the text index and its share of the rollups.
func rewrite(ctx context.Context, tx *ledger.Tx, before, after queries.Transaction, parts splitChange) error {
	if err := tx.UpdateTransaction(ctx, queries.UpdateTransactionParams{
		NewID: after.ID, AccountID: after.AccountID, Date: after.Date, Amount: after.Amount, Currency: after.Currency, Name: after.Name,
		Notes:      after.Notes,
		CategoryID: after.CategoryID, MerchantID: after.MerchantID, UpdatedAt: after.UpdatedAt,
		UserFields: after.UserFields, ID: before.ID, HouseholdID: tx.HouseholdID,
	}); err != nil {
		return err
	}
	if was, is := searchTextOf(tx.Refs, before, parts.before), searchTextOf(tx.Refs, after, parts.after); was != is {
		if before.ID != after.ID {
			if err := tx.DropSearchTexts(ctx, []int64{before.ID}); err != nil {
				return err
			}
		}
		if err := tx.PutSearchText(ctx, after.ID, is.SearchText); err != nil {
			return err
		}
	}
	had, has := rollup.PostingOf(before, parts.before), rollup.PostingOf(after, parts.after)
	if had.Equal(has) {
		return nil
	}
	return rollup.Change(had, has).Apply(ctx, tx)
}
