package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/queries"
)

// CreateTransaction stores a new transaction. When the client's own id (external_id and source) is known
// on that account, the transaction that has it is given back unchanged and created is false.
func (l *Ledger) CreateTransaction(ctx context.Context, who Actor, in TransactionInput) (t Transaction, created bool, err error) {
	err = l.writeWithLabels(ctx, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		t, created, err = l.createTransaction(ctx, q, who, names, in)
		return err
	})
	return t, created, err
}

// MaxBulk is how many transactions one batch may have.
const MaxBulk = 10_000

// CreateTransactions stores a batch: all of it or, when one fails, nothing. Problems name the failing
// one by its place, counted from 0.
func (l *Ledger) CreateTransactions(ctx context.Context, who Actor, inputs []TransactionInput) ([]Transaction, error) {
	if len(inputs) > MaxBulk {
		return nil, NewInvalid("transactions", "must have at most %d members, has %d", MaxBulk, len(inputs))
	}
	out := make([]Transaction, len(inputs))
	err := l.writeWithLabels(ctx, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		var problems Problems
		var err error
		for i, in := range inputs {
			out[i], _, err = l.createTransaction(ctx, q, who, names, in)
			if err = problems.gather(fmt.Sprintf("transactions[%d].", i), err); err != nil {
				return err
			}
		}
		return problems.Err()
	})
	return out, err
}

// gather takes the problems of a part of the input into those of the whole. A part that does not exist
// is a problem of the field that names it; other errors pass.
func (p *Problems) gather(prefix string, err error) error {
	switch e := AsError(err); {
	case err == nil:
		return nil
	case e != nil && e.Kind == Invalid:
		for _, f := range e.Fields {
			p.Add(prefix+f.Field, "%s", f.Message)
		}
		return nil
	case e != nil && e.Kind == NotFound:
		p.Add(prefix+"account_id", "is not the id of one of the household's own accounts")
		return nil
	}
	return err
}

func (l *Ledger) createTransaction(ctx context.Context, q *queries.Queries, who Actor, names *labels, in TransactionInput) (Transaction, bool, error) {
	accountKey, known := names.accounts.keys[in.AccountID.Value]
	switch {
	case in.AccountID.Has() && !known:
		return Transaction{}, false, NewNotFound("Account")
	case !in.AccountID.Has() && !in.Problems.Has("account_id"):
		in.Problems.Add("account_id", "is required")
	}
	c := checker{names, &in}
	fresh, tags := c.newTransaction(who, accountKey), c.tags()
	parts := c.newParts(&fresh)
	if err := in.Problems.Err(); err != nil {
		return Transaction{}, false, err
	}
	if known, err := l.knownTransaction(ctx, q, fresh); err != nil || known != nil {
		if err != nil {
			return Transaction{}, false, err
		}
		t, err := l.readTransaction(ctx, q, names, known.ID)
		return t, false, err
	}
	fresh.SetByPerson, fresh.TextKey = in.saidFields(who), textKey(fresh.Name)
	if err := l.insertByRules(ctx, q, who, names, &fresh, tags, parts); err != nil {
		return Transaction{}, false, err
	}
	t, err := l.readTransaction(ctx, q, names, fresh.ID)
	return t, true, err
}

// knownTransaction finds the transaction that already has the client's own id; nil when none has.
func (l *Ledger) knownTransaction(ctx context.Context, q *queries.Queries, t queries.Transaction) (*queries.Transaction, error) {
	if t.ExternalID == nil {
		return nil, nil
	}
	known, err := q.GetTransactionByExternalID(ctx, queries.GetTransactionByExternalIDParams{
		AccountID: t.AccountID, Source: t.Source, ExternalID: t.ExternalID, HouseholdID: t.HouseholdID})
	if errors.Is(err, db.ErrNotFound) {
		return nil, nil
	}
	return &known, err
}

// newEntry gives the key and the id of a new entry of a day.
func (l *Ledger) newEntry(ctx context.Context, q *queries.Queries, who Actor, day Date) (key int64, id queries.PublicID, err error) {
	sequence, err := l.ReserveSequences(ctx, q, who, 1)
	if err != nil {
		return 0, id, err
	}
	id, err = newID()
	return int64(NewKey(who.HouseholdID, day, sequence)), id, err
}

// insertTransaction gives the row its key and ids and writes it with all that hangs on it.
func (l *Ledger) insertTransaction(ctx context.Context, q *queries.Queries, who Actor, names *labels, t *queries.Transaction, tags []int64, parts splitChange) error {
	var err error
	if t.ID, t.PublicID, err = l.newEntry(ctx, q, who, Date(t.Date)); err != nil {
		return err
	}
	t.CreatedAt = l.stamp()
	t.UpdatedAt = t.CreatedAt
	if err := q.InsertTransaction(ctx, insertParams(*t)); err != nil {
		return err
	}
	if err := tagTransaction(ctx, q, t.ID, tags); err != nil {
		return err
	}
	if err := parts.store(ctx, q, *t); err != nil {
		return err
	}
	if err := indexText(ctx, q, names, *t, parts.after); err != nil {
		return err
	}
	if err := rollupsOf(postingOf(*t)).add(ctx, q, who.HouseholdID); err != nil {
		return err
	}
	if err := l.record(ctx, q, who, entityTransaction, t.PublicID, nil, tagged{*t, tags, parts.after}); err != nil {
		return err
	}
	return l.matchNew(ctx, q, who, names, *t)
}

// ReserveSequences takes count creation numbers of the household and gives the first.
func (l *Ledger) ReserveSequences(ctx context.Context, q *queries.Queries, who Actor, count int64) (int64, error) {
	last, err := q.NextSequences(ctx, queries.NextSequencesParams{Count: count, HouseholdID: who.HouseholdID})
	if err != nil {
		return 0, err
	}
	if last > MaxSequence {
		return 0, NewConflict("the household has had %d entries, more than can be kept", int64(MaxSequence))
	}
	return last - count + 1, nil
}

func insertParams(t queries.Transaction) queries.InsertTransactionParams {
	return queries.InsertTransactionParams{
		ID: t.ID, PublicID: t.PublicID, HouseholdID: t.HouseholdID, AccountID: t.AccountID, Date: t.Date, Amount: t.Amount, Currency: t.Currency,
		Name: t.Name, Notes: t.Notes, CategoryID: t.CategoryID, MerchantID: t.MerchantID, ExternalID: t.ExternalID, Source: t.Source,
		ImportID: t.ImportID, ImportRow: t.ImportRow, RawKey: t.RawKey, Occurrence: t.Occurrence, TextKey: t.TextKey, CreatedAt: t.CreatedAt, UpdatedAt: t.UpdatedAt, SetByPerson: t.SetByPerson,
	}
}

func tagTransaction(ctx context.Context, q *queries.Queries, id int64, tags []int64) error {
	for _, tag := range tags {
		if err := q.InsertTransactionTag(ctx, queries.InsertTransactionTagParams{TransactionID: id, TagID: tag}); err != nil {
			return err
		}
	}
	return nil
}

// retagTransaction gives a transaction other tags.
func retagTransaction(ctx context.Context, q *queries.Queries, id int64, tags []int64) error {
	if err := q.DeleteTransactionTags(ctx, id); err != nil {
		return err
	}
	return tagTransaction(ctx, q, id, tags)
}

// indexText makes the transaction findable by its name, its notes and its merchant's name, and those of its lines.
func indexText(ctx context.Context, q *queries.Queries, names *labels, t queries.Transaction, lines []queries.SplitLine) error {
	return q.InsertSearchText(ctx, t.ID, t.Name, searchNotes(t.Notes, lines), names.searchMerchants(merchantKeys(t.MerchantID, lines)))
}

// UpdateTransaction changes what is given and leaves the rest.
func (l *Ledger) UpdateTransaction(ctx context.Context, who Actor, id uuid.UUID, in TransactionInput) (Transaction, error) {
	var out Transaction
	err := l.writeWithLabels(ctx, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		before, err := getTransaction(ctx, q, who, id)
		if err != nil {
			return err
		}
		lines, err := q.GetSplitLines(ctx, before.ID)
		if err != nil {
			return err
		}
		c := checker{names, &in}
		after, tags := c.change(before), c.tags()
		parts := c.changedParts(before, &after, lines)
		if err := in.Problems.Err(); err != nil {
			return err
		}
		if err := in.claim(ctx, q, who, names, &after); err != nil {
			return err
		}
		if after.ID, err = l.storeChange(ctx, q, who, names, before, after, tags, in.TagIDs.Set, parts); err != nil {
			return err
		}
		out, err = l.readTransaction(ctx, q, names, after.ID)
		return err
	})
	return out, err
}

func getTransaction(ctx context.Context, q *queries.Queries, who Actor, id uuid.UUID) (queries.Transaction, error) {
	t, err := q.GetTransaction(ctx, queries.GetTransactionParams{PublicID: queries.PublicID(id), HouseholdID: who.HouseholdID})
	return t, Missing(err, "Transaction")
}

// storeChange writes a changed transaction and what hangs on it; a change of nothing writes nothing. It
// gives the key, which a new date changes.
func (l *Ledger) storeChange(ctx context.Context, q *queries.Queries, who Actor, names *labels, before, after queries.Transaction, tags []int64, retag bool, parts splitChange) (int64, error) {
	had, err := q.ListTransactionTagIDs(ctx, before.ID)
	if err != nil {
		return 0, err
	}
	slices.Sort(tags)
	retag = retag && !slices.Equal(tags, had)
	after.ID = int64(Key(before.ID).MovedTo(Date(after.Date)))
	if !retag && !parts.changed() && sameTransaction(before, after) {
		return before.ID, nil
	}
	after.UpdatedAt = max(l.stamp(), before.UpdatedAt+1)
	if err := l.rewrite(ctx, q, who, names, before, after, parts.after); err != nil {
		return 0, err
	}
	if err := parts.store(ctx, q, after); err != nil {
		return 0, err
	}
	if !retag {
		tags = had
	} else if err := retagTransaction(ctx, q, after.ID, tags); err != nil {
		return 0, err
	}
	if err := l.record(ctx, q, who, entityTransaction, before.PublicID, tagged{before, had, parts.before}, tagged{after, tags, parts.after}); err != nil {
		return 0, err
	}
	return after.ID, l.matchChanged(ctx, q, who, names, before, after)
}

// tagged is how the history keeps a transaction.
type tagged struct {
	queries.Transaction
	TagIDs []int64
	Lines  []queries.SplitLine `json:",omitempty"`
}

func sameTransaction(a, b queries.Transaction) bool {
	return a.Date == b.Date && a.Amount == b.Amount && a.Currency == b.Currency && a.Name == b.Name && same(a.Notes, b.Notes) &&
		same(a.CategoryID, b.CategoryID) && same(a.MerchantID, b.MerchantID) && a.SetByPerson == b.SetByPerson
}

func same[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// rewrite writes the row, its place in the text index and its share of the rollups.
func (l *Ledger) rewrite(ctx context.Context, q *queries.Queries, who Actor, names *labels, before, after queries.Transaction, lines []queries.SplitLine) error {
	if err := q.UpdateTransaction(ctx, queries.UpdateTransactionParams{
		NewID: after.ID, Date: after.Date, Amount: after.Amount, Currency: after.Currency, Name: after.Name, Notes: after.Notes,
		CategoryID: after.CategoryID, MerchantID: after.MerchantID, UpdatedAt: after.UpdatedAt, SetByPerson: after.SetByPerson, ID: before.ID, HouseholdID: who.HouseholdID,
	}); err != nil {
		return err
	}
	if err := q.DeleteSearchText(ctx, before.ID); err != nil {
		return err
	}
	if err := indexText(ctx, q, names, after, lines); err != nil {
		return err
	}
	if postingOf(before) == postingOf(after) {
		return nil
	}
	if err := rollupsOf(postingOf(before)).subtract(ctx, q, who.HouseholdID); err != nil {
		return err
	}
	return rollupsOf(postingOf(after)).add(ctx, q, who.HouseholdID)
}

// DeleteTransaction removes a transaction and its share of every sum. The other side of a transfer is an
// ordinary transaction again.
func (l *Ledger) DeleteTransaction(ctx context.Context, who Actor, id uuid.UUID) error {
	return l.writeWithLabels(ctx, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		t, err := getTransaction(ctx, q, who, id)
		if err != nil {
			return err
		}
		tags, err := q.ListTransactionTagIDs(ctx, t.ID)
		if err != nil {
			return err
		}
		lines, err := q.GetSplitLines(ctx, t.ID)
		if err != nil {
			return err
		}
		freed, err := l.freeTransfer(ctx, q, who, t)
		if err != nil {
			return err
		}
		if err := removeTransaction(ctx, q, t); err != nil {
			return err
		}
		if err := l.record(ctx, q, who, entityTransaction, t.PublicID, tagged{t, tags, lines}, nil); err != nil {
			return err
		}
		return l.rematch(ctx, q, who, names, freed, []matchSide{sideOf(t)})
	})
}

// removeTransaction removes a row that is in no transfer, its share of the rollups and its place in the text
// index.
func removeTransaction(ctx context.Context, q *queries.Queries, t queries.Transaction) error {
	if err := rollupsOf(postingOf(t)).subtract(ctx, q, t.HouseholdID); err != nil {
		return err
	}
	if err := q.DeleteSearchText(ctx, t.ID); err != nil {
		return err
	}
	return q.DeleteTransaction(ctx, queries.DeleteTransactionParams{ID: t.ID, HouseholdID: t.HouseholdID})
}
