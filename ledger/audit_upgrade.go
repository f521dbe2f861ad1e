package ledger

import (
	"context"
	"maps"
	"time"

	"finsvc/db"
	"finsvc/queries"
)

// UpgradeProof is how an upgrade of a file is proved, for [db.WithProof]; now is the clock.
func UpgradeProof(now func() time.Time) db.Proof {
	return db.Proof{Decimals: decimalsOf, Now: now, Answers: func(ctx context.Context, database *db.DB, counted db.Figures) (db.Figures, error) {
		return New(database, now).allAnswers(ctx, counted)
	}}
}

// allAnswers are the figures that were counted, of all households, as the ledger answers them.
func (l *Ledger) allAnswers(ctx context.Context, counted db.Figures) (db.Figures, error) {
	all := make(db.Figures, len(counted))
	err := l.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		homes, err := q.ListHouseholds(ctx)
		if err != nil {
			return err
		}
		for _, home := range homes {
			answers, err := l.answers(ctx, q, home, counted)
			if err != nil {
				return err
			}
			maps.Copy(all, answers)
		}
		return nil
	})
	return all, err
}
