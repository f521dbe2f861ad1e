package ledger

import (
	"context"
	"encoding/json"
	"slices"

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
	first, last, rows := written.span()
	foreign := rows <= fewForeign && names.severalCurrencies()
	if rows > fewImported {
		if err := m.matchIncomes(ctx, importID, first, last); err != nil || !foreign {
			return err
		}
	}
	return m.matchRows(ctx, importID, rows <= fewImported, foreign)
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

// matchRows matches row by row, in one currency or between two or both.
func (m *matcher) matchRows(ctx context.Context, importID int64, domestic, foreign bool) error {
	keys, err := m.q.ListImportKeys(ctx, queries.ListImportKeysParams{ImportID: &importID, HouseholdID: m.who.HouseholdID})
	if err != nil {
		return err
	}
	var sides []matchSide
	for _, key := range keys {
		side, err := m.side(ctx, key)
		if err != nil {
			return err
		}
		if side.ID == 0 {
			continue
		}
		sides = append(sides, side)
		if !domestic {
			continue
		}
		if err := m.settle(ctx, side); err != nil {
			return err
		}
	}
	if !foreign {
		return nil
	}
	return m.settleForeign(ctx, sides, nil)
}

// matchIncomes takes all pairs at once.
func (m *matcher) matchIncomes(ctx context.Context, importID int64, first, last Date) error {
	rows, err := m.q.ListImportPairs(ctx, queries.ListImportPairsParams{HouseholdID: m.who.HouseholdID, ImportID: &importID,
		FirstKey: int64(FirstKey(m.who.HouseholdID, max(first-matchDays, MinDate))), LastKey: int64(LastKey(m.who.HouseholdID, min(last+matchDays, MaxDate)))})
	if err != nil {
		return err
	}
	pairs := make([]importPair, len(rows))
	for i, r := range rows {
		pairs[i].own = r.Own != 0
		pairs[i].in = matchSide{r.InflowID, r.InflowAccountID, r.Amount, r.Currency, r.InflowName, r.InflowTransferID}
		pairs[i].out = matchSide{r.OutflowID, r.OutflowAccountID, -r.Amount, r.Currency, r.OutflowName, r.OutflowTransferID}
	}
	return m.settlePairs(ctx, pairs)
}

// settlePairs takes all pairs of some transactions at once, in their order. Those with a side that an automatic transfer
// has already are worked in afterwards.
func (m *matcher) settlePairs(ctx context.Context, pairs []importPair) error {
	slices.SortFunc(pairs, func(a, b importPair) int { return comparePairs(a.matchPair, b.matchPair) })
	contested, err := m.joinFree(ctx, pairs)
	if err != nil {
		return err
	}
	return m.settleEach(ctx, contested)
}

// importPair is a pair of which an import has written a side, or both: those are its own.
type importPair struct {
	matchPair
	own bool
}

// joinFree joins the pairs whose sides are free, and gives the free sides of the others. The history has what an
// import has done as a whole; it gets those pairs that it has no other sign of.
func (m *matcher) joinFree(ctx context.Context, pairs []importPair) (contested []matchSide, err error) {
	sides := map[int64]int64{}
	var unheard []int64
	for _, p := range pairs {
		switch {
		case p.in.TransferID != 0:
			contested = append(contested, p.out)
		case p.out.TransferID != 0:
			contested = append(contested, p.in)
		case sides[p.in.ID] == 0 && sides[p.out.ID] == 0:
			t := queries.Transfer{Status: TransferPending, Reason: p.reason()}
			if err := m.l.insertTransfer(ctx, m.q, m.who, &t); err != nil {
				return nil, err
			}
			sides[p.in.ID], sides[p.out.ID] = t.ID, t.ID
			if !p.own {
				unheard = append(unheard, t.ID)
			}
		}
	}
	if err := m.l.setTransfers(ctx, m.q, m.who, sides); err != nil {
		return nil, err
	}
	if len(unheard) == 0 {
		return contested, nil
	}
	return contested, m.l.recordTransfers(ctx, m.q, m.who, unheard...)
}
