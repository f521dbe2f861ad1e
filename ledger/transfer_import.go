package ledger

import (
	"context"
	"encoding/json"

	"finsvc/queries"
)

const (
	// fewImported is up to how many rows an import is matched row by row. Beyond, the incomes of its days are
	// looked at, which are fewer.
	fewImported = 1_000
	// fewForeign is up to how many rows an import is searched for transfers between two currencies: that takes
	// a look at all that was booked around each row.
	fewForeign = 10_000
)

// MatchImport joins what an import has written with what is there and within itself, when its rows count and
// can be seen. written is what was gathered of them for the rollups.
func (l *Ledger) MatchImport(ctx context.Context, q *queries.Queries, who Actor, importID int64, written *Rollups) error {
	names, err := l.labelsNow(ctx, q, who.HouseholdID)
	if err != nil || len(names.accounts.byKey) < 2 {
		return err
	}
	m := l.newMatcher(q, who, names)
	m.importID = importID
	first, last, rows := written.span()
	if rows > fewImported {
		if err := m.matchIncomes(ctx, first, last); err != nil {
			return err
		}
	}
	foreign := rows <= fewForeign && names.severalCurrencies()
	if rows > fewImported && !foreign {
		return nil
	}
	sides, err := m.importedSides(ctx)
	if err != nil {
		return err
	}
	if rows <= fewImported {
		if err := m.settleAll(ctx, sides); err != nil {
			return err
		}
	}
	if !foreign {
		return nil
	}
	return m.settleForeign(ctx, sides, nil)
}

// MatchImportRows does so for some rows of an import, given by their numbers, that were written after the others.
func (l *Ledger) MatchImportRows(ctx context.Context, q *queries.Queries, who Actor, importID int64, rows []int) error {
	names, err := l.labelsNow(ctx, q, who.HouseholdID)
	if err != nil {
		return err
	}
	numbers, err := json.Marshal(append([]int{}, rows...))
	if err != nil {
		return err
	}
	keys, err := q.ListImportRowKeys(ctx, queries.ListImportRowKeysParams{Rows: string(numbers), ImportID: &importID, HouseholdID: who.HouseholdID})
	if err != nil {
		return err
	}
	m := l.newMatcher(q, who, names)
	var sides []matchSide
	for _, key := range keys {
		side, err := m.side(ctx, key.ID)
		if err != nil {
			return err
		}
		if side.ID != 0 {
			sides = append(sides, side)
		}
	}
	return l.rematch(ctx, q, who, names, sides, nil)
}

// span is the range of days of what was gathered, and how many transactions it is.
func (r *Rollups) span() (first, last Date, rows int64) {
	first, last = MaxDate, MinDate
	for key, day := range r.days {
		first, last, rows = min(first, key.date), max(last, key.date), rows+day.transactions
	}
	return first, last, rows
}

// importedSides are the transactions of the import that take part. It has few enough of them.
func (m *matcher) importedSides(ctx context.Context) (sides []matchSide, err error) {
	rows, err := m.q.ListImportSides(ctx, queries.ListImportSidesParams{ImportID: &m.importID, HouseholdID: m.who.HouseholdID})
	for _, r := range rows {
		sides = append(sides, matchSide(r))
	}
	return sides, err
}

// matchIncomes matches anew around all incomes of some days that can have come from another account.
func (m *matcher) matchIncomes(ctx context.Context, first, last Date) error {
	from, to := keysOfDays(m.who.HouseholdID, first-matchDays, last+matchDays)
	rows, err := m.q.ListOppositeDays(ctx, queries.ListOppositeDaysParams{HouseholdID: m.who.HouseholdID, FirstKey: from, LastKey: to})
	for len(rows) > 0 && err == nil {
		key := classKey{rows[0].Amount, rows[0].Currency}
		var days []Date
		for len(rows) > 0 && key == (classKey{rows[0].Amount, rows[0].Currency}) {
			day := Key(rows[0].ID).Day()
			days = append(days, day-matchDays, day+matchDays) // what has changed may be what left
			rows = rows[1:]
		}
		err = m.recompute(ctx, key, days)
	}
	return err
}
