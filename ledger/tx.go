package ledger

import (
	"context"
	"time"

	"finsvc/db"
	"finsvc/queries"
)

// Tx is one transaction of the database, seen by one actor: what reads or changes the books takes it instead of
// queries, actor, references and clock one by one.
type Tx struct {
	*queries.Queries
	Actor
	Refs *Refs // of the household, as they are in this transaction; nil unless [Store.WithRefs] or [Tx.With] gave them

	store *Store
	op    *operation
	texts *searchTexts // nil where they are written at once, see [Tx.GatherSearchTexts]
}

// operation is what the changes of one Tx have in common in the history.
type operation struct {
	id     queries.PublicID  // zero before the first change
	undoes *queries.PublicID // the operation that this one takes back
}

// Tx gives a transaction as an actor sees it. What it changes is one operation of the history.
func (s *Store) Tx(q *queries.Queries, who Actor) *Tx {
	return &Tx{Queries: q, Actor: who, store: s, op: &operation{id: who.Operation}}
}

// Within gives the same transaction as a part of an operation that has several writes. It takes back the other one,
// which may be nil.
func (tx *Tx) Within(operationID queries.PublicID, undoes *queries.PublicID) *Tx {
	part := *tx
	part.op = &operation{operationID, undoes}
	return &part
}

// OperationID is by which id the history knows what this transaction changes.
func (tx *Tx) OperationID() (id queries.PublicID, err error) {
	if tx.op.id == (queries.PublicID{}) {
		tx.op.id, err = NewID()
	}
	return tx.op.id, err
}

// As gives the same transaction as another actor sees it; the references stay where the household is the same.
func (tx *Tx) As(who Actor) *Tx {
	other := *tx
	other.Actor = who
	if who.HouseholdID != tx.HouseholdID {
		other.Refs, other.op = nil, &operation{}
	}
	return &other
}

// Through gives the same transaction through another connection that reads beside this one, see [db.SecondReader].
func (tx *Tx) Through(q *queries.Queries) *Tx { return tx.store.Tx(q, tx.Actor) }

// With gives the same transaction with the household's references.
func (tx *Tx) With(refs *Refs) *Tx {
	other := *tx
	other.Refs = refs
	return &other
}

// Stamp is [Store.Stamp].
func (tx *Tx) Stamp() int64 { return tx.store.Stamp() }

// Today is the present day where the household lives.
func (tx *Tx) Today(ctx context.Context) (Date, error) {
	home, err := tx.GetHousehold(ctx, tx.HouseholdID)
	return tx.TodayOf(AsHousehold(home)), Missing(err, "Household")
}

// TodayOf is the present day in a household's time zone.
func (tx *Tx) TodayOf(home Household) Date { return tx.store.Today(home) }

// Zone is the place of a time zone; one that the tz database has dropped since counts as UTC.
func (tx *Tx) Zone(name string) *time.Location { return tx.store.Zone(name) }

// RefsNow gives the household's references as they are.
func (tx *Tx) RefsNow(ctx context.Context) (*Refs, error) {
	version, err := tx.GetLabelsVersion(ctx, tx.HouseholdID)
	if err != nil {
		return nil, err
	}
	return tx.RefsAt(ctx, version)
}

// RefsAt gives the household's references, which are at least as new as the version. What is read inside a write may yet
// be undone and does not reach the cache.
func (tx *Tx) RefsAt(ctx context.Context, version int64) (*Refs, error) {
	householdID := tx.HouseholdID
	if have := tx.store.refs.get(householdID); have != nil && have.version >= version {
		return have, nil
	}
	fresh, err := loadRefs(ctx, tx.Queries, householdID, version)
	switch {
	case err != nil:
	case db.InWrite(ctx):
		tx.store.refs.put(householdID, nil) // the next write warms it first
	default:
		tx.store.refs.put(householdID, fresh)
	}
	return fresh, err
}

// Work is what is done in a transaction.
type Work func(ctx context.Context, tx *Tx) error

// as gives work to the database in the name of an actor.
func (s *Store) as(who Actor, work Work) db.Work {
	return func(ctx context.Context, q *queries.Queries) error { return work(ctx, s.Tx(q, who)) }
}

// Read runs work that looks once, see [db.DB.Read].
func (s *Store) Read(ctx context.Context, who Actor, work Work) error {
	return s.DB.Read(ctx, s.as(who, work))
}

// ReadTx runs work whose looks are all at one state of the books, see [db.DB.ReadTx].
func (s *Store) ReadTx(ctx context.Context, who Actor, work Work) error {
	return s.DB.ReadTx(ctx, s.as(who, work))
}

// Write runs work that changes the books, wholly or not at all, see [db.DB.Write].
func (s *Store) Write(ctx context.Context, who Actor, work Work) error {
	return s.DB.Write(ctx, s.as(who, work))
}

// WithRefs runs work that needs the household's references by one of the ways into the database, such as [db.DB.Read].
func (s *Store) WithRefs(ctx context.Context, way func(context.Context, db.Work) error, who Actor, work Work) error {
	return way(ctx, func(ctx context.Context, q *queries.Queries) error {
		tx := s.Tx(q, who)
		refs, err := tx.RefsNow(ctx)
		if err != nil {
			return err
		}
		return work(ctx, tx.With(refs))
	})
}

// WriteWithRefs is a write that needs the household's references. It reads them into the cache first unless there are
// some, which are nearly always the right ones: what the write itself reads cannot be kept.
func (s *Store) WriteWithRefs(ctx context.Context, who Actor, work Work) error {
	if s.refs.get(who.HouseholdID) == nil {
		nothing := func(context.Context, *Tx) error { return nil }
		if err := s.WithRefs(ctx, s.DB.Read, who, nothing); err != nil {
			return err
		}
	}
	return s.WithRefs(ctx, s.DB.Write, who, work)
}
