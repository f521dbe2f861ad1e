package importer

import (
	"context"
	"errors"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// importSide is the transaction that a row became, or was already; the zero value when there is none.
func importSide(ctx context.Context, q *queries.Queries, who ledger.Actor, importID int64, number int32) (queries.Transaction, error) {
	row := int64(number)
	t, err := q.GetImportSide(ctx, queries.GetImportSideParams{HouseholdID: who.HouseholdID, ImportID: &importID, ImportRow: &row})
	if errors.Is(err, db.ErrNotFound) {
		return queries.Transaction{}, nil
	}
	return t, err
}

// finish makes what depends on all entries: opening balances that lead to a balance, and then the statements of
// balances, before which no opening balance would show.
func (b *backup) finish(ctx context.Context, q *queries.Queries, m *making) (all []ledger.Created, err error) {
	if err := b.made.market.write(ctx, q, m); err != nil {
		return nil, err
	}
	today, err := m.ledger.TodayOf(ctx, q, m.who)
	if err != nil {
		return nil, err
	}
	for _, a := range b.made.openings {
		day := a.target.day
		if a.target.current {
			day = max(day, today)
		}
		if err := m.ledger.SettleOpening(ctx, q, m.who, m.names.refs[a.id], a.target.minor, a.target.cash, day); err != nil {
			return nil, err
		}
	}
	for _, row := range b.made.valuations {
		created, err := b.makeValuation(ctx, q, m, row)
		if err != nil {
			return nil, err
		}
		all = append(all, created...)
	}
	return all, nil
}

// makeValuation states a balance. The opening balance of an account that was opened is there already; one that was
// there before keeps its own.
func (b *backup) makeValuation(ctx context.Context, q *queries.Queries, m *making, row Row) ([]ledger.Created, error) {
	thing := row.Thing.(backupValuation)
	if thing.opening {
		return nil, nil
	}
	created, kept, err := m.ledger.RestoreValuation(ctx, q, m.who, m.names.refs[row.AccountRef], row.Date, thing.sign*row.Minor, thing.notes)
	if kept {
		b.tell(row, "the account has another valuation on %s, which was kept", row.Date)
	}
	return created, err
}
