package transfer

import (
	"context"
	"encoding/json"

	"finsvc/ledger"
	"finsvc/ledger/rollup"
	"finsvc/queries"
)

const (
	// fewImported is up to how many rows an import is matched row by row. Beyond, the incomes of its days are
	// looked at, which are fewer.
	fewImported = 1_000
	// FewForeign is up to how many rows an import is searched for transfers between two currencies: that takes
	// a look at all that was booked around each row.
	FewForeign = 10_000
)

// MatchImport joins what an import has written with what is there and within itself, when its rows count and
// can be seen. written is what was gathered of them for the rollups.
func (s *Service) MatchImport(ctx context.Context, tx *ledger.Tx, importID int64, written *rollup.Rollups) error {
	refs, err := tx.RefsNow(ctx)
	if err != nil || len(refs.Accounts.ByKey) < 2 {
		return err
	}
	m := s.NewMatcher(tx.With(refs))
	m.ImportID = importID
	first, last, rows := written.Span()
	if rows > fewImported {
		if err := m.matchIncomes(ctx, first, last); err != nil {
			return err
		}
	}
	foreign := rows <= FewForeign && refs.SeveralCurrencies()
	if rows > fewImported && !foreign {
		return nil
	}
	sides, err := m.ImportedSides(ctx)
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
func (s *Service) MatchImportRows(ctx context.Context, tx *ledger.Tx, importID int64, rows []int) error {
	refs, err := tx.RefsNow(ctx)
	if err != nil {
		return err
	}
	numbers, err := json.Marshal(append([]int{}, rows...))
	if err != nil {
		return err
	}
	keys, err := tx.ListImportRowKeys(ctx, queries.ListImportRowKeysParams{Rows: string(numbers), ImportID: &importID,
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	m := s.NewMatcher(tx.With(refs))
	var sides []CandidateLeg
	for _, key := range keys {
		side, err := m.Side(ctx, key.ID)
		if err != nil {
			return err
		}
		if side.ID != 0 {
			sides = append(sides, side)
		}
	}
	return s.Rematch(ctx, tx.With(refs), sides, nil)
}

// ImportedSides are the transactions of the import that take part. It has few enough of them.
func (m *matcher) ImportedSides(ctx context.Context) (sides []CandidateLeg, err error) {
	rows, err := m.tx.ListImportSides(ctx, queries.ListImportSidesParams{ImportID: &m.ImportID,
		HouseholdID: m.tx.HouseholdID})
	for _, r := range rows {
		sides = append(sides, CandidateLeg(r))
	}
	return sides, err
}

// matchIncomes matches anew around all incomes of some days that can have come from another account.
func (m *matcher) matchIncomes(ctx context.Context, first, last ledger.Date) error {
	from, to := keysOfDays(m.tx.HouseholdID, first-matchDays, last+matchDays)
	rows, err := m.tx.ListOppositeDays(ctx, queries.ListOppositeDaysParams{HouseholdID: m.tx.HouseholdID,
		FirstKey: from, LastKey: to})
	for len(rows) > 0 && err == nil {
		key := classKey{rows[0].Amount, rows[0].Currency}
		var days []ledger.Date
		for len(rows) > 0 && key == (classKey{rows[0].Amount, rows[0].Currency}) {
			day := ledger.Key(rows[0].ID).Day()
			days = append(days, day-matchDays, day+matchDays) // what has changed may be what left
			rows = rows[1:]
		}
		err = m.recompute(ctx, key, days)
	}
	return err
}
