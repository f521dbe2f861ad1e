package ledger

import (
	"context"

	"finsvc/db"
	"finsvc/queries"
)

// Tx is one transaction of the database, seen by one actor: what reads or changes the books takes it instead of queries,
// actor and references one by one. Its clock is that of the [Store].
type Tx struct {
	*queries.Queries
	Actor
	Refs *Refs // of the household, as they are in this transaction; nil unless [Store.WithRefs] or [Tx.With] gave them
}

// NewTx gives the transaction of an actor.
func NewTx(q *queries.Queries, who Actor) *Tx { return &Tx{Queries: q, Actor: who} }

// As gives the same transaction as another actor sees it; the references stay where the household is the same.
func (tx *Tx) As(who Actor) *Tx {
	if who.HouseholdID != tx.HouseholdID {
		return NewTx(tx.Queries, who)
	}
	return NewTx(tx.Queries, who).With(tx.Refs)
}

// With gives the same transaction with the household's references.
func (tx *Tx) With(refs *Refs) *Tx { return &Tx{Queries: tx.Queries, Actor: tx.Actor, Refs: refs} }

// Work is what is done in a transaction.
type Work func(ctx context.Context, tx *Tx) error

// as gives it to the database in the name of an actor.
func (w Work) as(who Actor) db.Work {
	return func(ctx context.Context, q *queries.Queries) error { return w(ctx, NewTx(q, who)) }
}

// Read runs work that looks once, see [db.DB.Read].
func (s *Store) Read(ctx context.Context, who Actor, work Work) error {
	return s.DB.Read(ctx, work.as(who))
}

// ReadTx runs work whose looks are all at one state of the books, see [db.DB.ReadTx].
func (s *Store) ReadTx(ctx context.Context, who Actor, work Work) error {
	return s.DB.ReadTx(ctx, work.as(who))
}

// Write runs work that changes the books, wholly or not at all, see [db.DB.Write].
func (s *Store) Write(ctx context.Context, who Actor, work Work) error {
	return s.DB.Write(ctx, work.as(who))
}

// WithRefs runs work that needs the household's references by one of the ways into the database, such as [db.DB.Read].
func (s *Store) WithRefs(ctx context.Context, way func(context.Context, db.Work) error, who Actor, work Work) error {
	return way(ctx, func(ctx context.Context, q *queries.Queries) error {
		refs, err := s.RefsNow(ctx, q, who.HouseholdID)
		if err != nil {
			return err
		}
		return work(ctx, NewTx(q, who).With(refs))
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
