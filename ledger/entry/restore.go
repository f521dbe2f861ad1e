package entry

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/rollup"
	"finsvc/ledger/transfer"
	"finsvc/queries"
)

// deleted is a transaction that was deleted as the history keeps it: all of it, with what imports know it by.
type deleted struct {
	image
	Key        int64   `json:"key"`
	CreatedAt  int64   `json:"created"`
	ExternalID *string `json:"external_id,omitempty"`
	Source     *string `json:"source,omitempty"`
	ImportKey  *int64  `json:"import_key,omitempty"`
	ImportRow  *int64  `json:"import_row,omitempty"`
	SourceHash *int64  `json:"source_hash,omitempty"`
	Occurrence *int64  `json:"occurrence,omitempty"`
	LikeKey    *int64  `json:"like_key,omitempty"`
	BankKey    *int64  `json:"bank_key,omitempty"`
	NameHash   *int64  `json:"name_hash,omitempty"`
	importMarks
}

func deletedImage(refs *ledger.Refs, s stored, marks importMarks) deleted {
	return deleted{imageOf(refs, s), s.ID, s.CreatedAt, s.ExternalID, s.Source, s.ImportID, s.ImportRow, s.SourceHash,
		s.Occurrence, s.LikeKey, s.BankKey, s.NameHash, marks}
}

// Restore takes back what a change did to a transaction: one that was created goes, one that was deleted comes back with
// its id, and of one that was changed the fields that were changed are what they were. Where these have been changed
// since, it is a conflict that says so. Nothing is matched with anything: what the operation did to transfers is taken
// back by itself, so that pairs which a person has parted stay apart.
func (s *Service) Restore(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	if change.Action == ledger.ActionDelete {
		return insertAgain(ctx, tx, change)
	}
	t, err := ledger.GetTransaction(ctx, tx, uuid.UUID(change.EntityID))
	if ledger.IsKind(err, ledger.NotFound) {
		return ledger.ChangedSince("the transaction "+uuid.UUID(change.EntityID).String(), "it is gone")
	}
	if err != nil {
		return err
	}
	if change.Action == ledger.ActionCreate {
		changed, err := ledger.ChangedLater(ctx, tx, change)
		if err != nil {
			return err
		}
		if changed {
			return ledger.ChangedSince(inWords(t), "see its history")
		}
		now, err := readStored(ctx, tx, t)
		if err != nil {
			return err
		}
		return s.remove(ctx, tx, []stored{now})
	}
	now, err := readStored(ctx, tx, t)
	if err != nil {
		return err
	}
	target, err := takenBack(tx.Refs, now, change)
	if err != nil {
		return err
	}
	if now.AccountID != target.AccountID {
		// A transfer that the move has left as it was stays so, unless it would be one within the account.
		if _, err := transfer.PartOf(ctx, tx, []queries.Transaction{t}, func(_, other queries.Transaction) bool {
			return other.AccountID == target.AccountID
		}); err != nil {
			return err
		}
	} else if t.TransferID != nil { // which began since
		_, err = s.storeChange(ctx, tx, now, target)
		return err
	}
	entry, err := writeChange(ctx, tx, now, &target)
	if err != nil || entry == nil {
		return err
	}
	return tx.InsertChange(ctx, *entry)
}

func inWords(t queries.Transaction) string {
	return "the transaction " + ledger.Quote(t.Name) + " of " + ledger.Date(t.Date).String()
}

// takenBack is a transaction without a change of it.
func takenBack(refs *ledger.Refs, now stored, change ledger.Change) (stored, error) {
	var was, is map[string]json.RawMessage
	if change.Before == nil || change.After == nil {
		return now, ledger.ChangedSince(inWords(now.Transaction), "what it was is not known")
	}
	if err := json.Unmarshal([]byte(*change.Before), &was); err != nil {
		return now, err
	}
	if err := json.Unmarshal([]byte(*change.After), &is); err != nil {
		return now, err
	}
	members := imageOf(refs, now).members()
	var differ []string
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if string(members[name]) != string(is[name]) {
			differ = append(differ, name)
		}
	}
	if len(differ) > 0 {
		return now, ledger.ChangedSince(inWords(now.Transaction), strings.Join(differ, ", "))
	}
	maps.Copy(members, was)
	return now.as(refs, members)
}

// as is the transaction with the members of an image.
func (s stored) as(refs *ledger.Refs, members map[string]json.RawMessage) (stored, error) {
	text, err := json.Marshal(members)
	if err != nil {
		return s, err
	}
	var m image
	if err := json.Unmarshal(text, &m); err != nil {
		return s, err
	}
	return s.from(refs, m)
}

// from is the transaction as an image has it. A label that is gone is a conflict.
func (s stored) from(refs *ledger.Refs, m image) (stored, error) {
	day, err := ledger.ParseDate(m.Date)
	if err != nil {
		return s, err
	}
	find := labelFinder{refs: refs, of: inWords(s.Transaction)}
	account, there := refs.Accounts.Keys[m.AccountID]
	if !there {
		return s, ledger.ChangedSince("the account of "+find.of, "it is gone")
	}
	s.AccountID = account
	s.Date, s.Amount, s.Currency, s.Name, s.Notes, s.UserFields = int64(day), m.Amount, m.Currency, m.Name, m.Notes,
		m.UserFields
	s.CategoryID = find.one("category", m.CategoryID, refs.Categories.Keys)
	s.MerchantID = find.one("merchant", m.MerchantID, refs.Merchants.Keys)
	s.tags = find.tags(m.TagIDs)
	s.notes = m.Rules
	s.lines = nil
	for i, line := range m.Lines {
		s.lines = append(s.lines, queries.SplitLine{PublicID: queries.PublicID(line.ID), Position: int64(i + 1),
			Amount: line.Amount, Name: line.Name, Notes: line.Notes,
			CategoryID: find.one("category", line.CategoryID, refs.Categories.Keys),
			MerchantID: find.one("merchant", line.MerchantID, refs.Merchants.Keys), TagIDs: find.tags(line.TagIDs)})
	}
	return s, find.err
}

// labelFinder finds the keys of labels by their ids, and keeps the first that is gone.
type labelFinder struct {
	refs *ledger.Refs
	of   string
	err  error
}

func (f *labelFinder) one(what string, id *uuid.UUID, keys map[uuid.UUID]int64) *int64 {
	if id == nil {
		return nil
	}
	key, there := keys[*id]
	if !there && f.err == nil {
		f.err = ledger.ChangedSince("a "+what+" that "+f.of+" had", "it is gone")
	}
	return &key
}

func (f *labelFinder) tags(ids []uuid.UUID) (keys []int64) {
	for _, id := range ids {
		if key := f.one("tag", &id, f.refs.Tags.Keys); key != nil {
			keys = append(keys, *key)
		}
	}
	slices.Sort(keys)
	return keys
}

// insertAgain writes a transaction that was deleted, as it was.
func insertAgain(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	var was deleted
	if change.Before == nil {
		return ledger.ChangedSince("the transaction", "what it was is not known")
	}
	if err := json.Unmarshal([]byte(*change.Before), &was); err != nil {
		return err
	}
	base := stored{Transaction: queries.Transaction{ID: was.Key, PublicID: change.EntityID, HouseholdID: tx.HouseholdID,
		Name: was.Name, ExternalID: was.ExternalID, Source: was.Source, ImportRow: was.ImportRow,
		SourceHash: was.SourceHash, Occurrence: was.Occurrence, LikeKey: was.LikeKey, BankKey: was.BankKey,
		NameHash: was.NameHash, CreatedAt: was.CreatedAt, UpdatedAt: tx.Stamp()}}
	var err error
	base.ImportID, err = ledger.ImportStillThere(ctx, tx, was.ImportKey, was.CreatedAt)
	if err != nil {
		return err
	}
	t, err := base.from(tx.Refs, was.image)
	if err != nil {
		return err
	}
	if err := insertStored(ctx, tx, t); err != nil {
		return err
	}
	return was.restore(ctx, tx, t.ID)
}

// insertStored writes a transaction with what hangs on it.
func insertStored(ctx context.Context, tx *ledger.Tx, t stored) error {
	if err := tx.InsertTransaction(ctx, insertParams(t.Transaction)); db.IsTaken(err) {
		return ledger.ChangedSince(inWords(t.Transaction), "another one has its place or its external id")
	} else if err != nil {
		return err
	}
	var beside attachments
	beside.tag(t.ID, t.tags)
	if err := beside.split(t.ID, tx.HouseholdID, t.lines); err != nil {
		return err
	}
	if err := beside.store(ctx, tx.Queries); err != nil {
		return err
	}
	if err := storeNotes(ctx, tx, t.ID, nil, t.notes); err != nil {
		return err
	}
	if err := tx.PutSearchText(ctx, t.ID, searchTextOf(tx.Refs, t.Transaction, t.lines).SearchText); err != nil {
		return err
	}
	sums := rollup.NewRollups()
	sums.Add(rollup.PostingOf(t.Transaction, t.lines))
	if err := sums.Apply(ctx, tx); err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntityTransaction, t.PublicID, nil, t.PublicID)
}
