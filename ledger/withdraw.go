package ledger

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/queries"
)

// maxEdits is how many of the rows that were changed after their import are listed.
const maxEdits = 20

// LaterEdit is a transaction or trade that was changed after it was imported.
type LaterEdit struct {
	ID   uuid.UUID
	Date Date
	Name string
}

// ImportTrace is what an import has left in the books, as it was when it was looked at: sums, not rows.
// FirstSequence is the creation number of its row 1; Edits are the first of EditCount.
type ImportTrace struct {
	FirstSequence int64
	EditCount     int64
	Edits         []LaterEdit
	importID      int64
	since         int64    // the newest entry of the history then
	rollups       *Rollups // its rows, taken out
	own           []int64  // transfers with both sides in the import
	half          []int64  // transfers with one side in it
}

// TraceImport looks at what an import has left in the books. q must see one state of the data throughout.
func (l *Ledger) TraceImport(ctx context.Context, q *queries.Queries, who Actor, importID int64) (*ImportTrace, error) {
	t := &ImportTrace{importID: importID, rollups: NewRollups()}
	for _, look := range []func(context.Context, *queries.Queries, Actor) error{t.lookAtHistory, t.lookAtDays, t.lookAtBands, t.lookAtParts, t.lookAtTransfers, t.lookAtEdits} {
		if err := look(ctx, q, who); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *ImportTrace) lookAtHistory(ctx context.Context, q *queries.Queries, who Actor) (err error) {
	if t.since, err = q.GetLastChange(ctx, who.HouseholdID); err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	t.FirstSequence, err = q.GetImportSequence(ctx, queries.GetImportSequenceParams{ImportID: &t.importID, HouseholdID: who.HouseholdID})
	if errors.Is(err, db.ErrNotFound) {
		t.FirstSequence, err = MaxSequence+1, nil // no row is left: a range that nothing is in
	}
	return err
}

func (t *ImportTrace) lookAtDays(ctx context.Context, q *queries.Queries, who Actor) error {
	days, err := q.SumImportDays(ctx, queries.SumImportDaysParams{ImportID: &t.importID, HouseholdID: who.HouseholdID})
	for _, d := range days {
		at := dayKey{d.AccountID, Date(d.Date), d.Currency}
		t.rollups.days[at] = dayTotals{Sum{}.Minus(sumOfHalves(d.Upper, d.Lower)), -d.Transactions, -d.Incomes, 0}
		t.rollups.removed[at] = true
		t.rollups.counts[d.AccountID] -= d.Transactions
	}
	return err
}

func (t *ImportTrace) lookAtBands(ctx context.Context, q *queries.Queries, who Actor) error {
	bands, err := q.CountImportBands(ctx, queries.CountImportBandsParams{ImportID: &t.importID, HouseholdID: who.HouseholdID})
	for _, b := range bands {
		t.rollups.bands[bandKey{b.Currency, b.Band}] = -b.Transactions
	}
	return err
}

// lookAtParts takes out the parts of split transactions, each of which was taken for one row.
func (t *ImportTrace) lookAtParts(ctx context.Context, q *queries.Queries, who Actor) error {
	rows, err := q.ListCountedParts(ctx, queries.ListCountedPartsParams{HouseholdID: who.HouseholdID, ImportID: &t.importID, HiddenFrom: 1, HiddenTo: 0,
		FirstKey: int64(FirstKey(who.HouseholdID, MinDate)), LastKey: int64(LastKey(who.HouseholdID, MaxDate))})
	t.rollups.countParts(rows, -1)
	return err
}

func (t *ImportTrace) lookAtTransfers(ctx context.Context, q *queries.Queries, who Actor) error {
	transfers, err := q.ListImportTransfers(ctx, queries.ListImportTransfersParams{ImportID: &t.importID, HouseholdID: who.HouseholdID})
	for _, f := range transfers {
		if f.Sides == 1 {
			t.half = append(t.half, f.TransferID)
		} else {
			t.own = append(t.own, f.TransferID)
		}
	}
	return err
}

func (t *ImportTrace) lookAtEdits(ctx context.Context, q *queries.Queries, who Actor) (err error) {
	if t.EditCount, err = q.CountImportEdits(ctx, queries.CountImportEditsParams{ImportID: &t.importID, HouseholdID: who.HouseholdID}); err != nil {
		return err
	}
	rows, err := q.ListImportEdits(ctx, queries.ListImportEditsParams{ImportID: &t.importID, HouseholdID: who.HouseholdID, Count: maxEdits})
	for _, r := range rows {
		t.Edits = append(t.Edits, LaterEdit{uuid.UUID(r.PublicID), Date(r.Date), r.Name})
	}
	if err != nil {
		return err
	}
	return t.addTradeEdits(ctx, q, who)
}

// IsStale says whether anything in the household was changed since the look.
func (l *Ledger) IsStale(ctx context.Context, q *queries.Queries, who Actor, t *ImportTrace) (bool, error) {
	changed, err := q.HasChangesSince(ctx, queries.HasChangesSinceParams{Since: t.since, HouseholdID: who.HouseholdID})
	return changed != 0, err
}

// WithdrawImport takes an import's rows, which the caller has hidden in the same write, out of every sum and
// every transfer. The other sides of the transfers may be matched anew. The transactions are for [Ledger.RemoveDrafts];
// the trades go at once, see [Ledger.RemoveImportTrades], and so do splits and market prices.
func (l *Ledger) WithdrawImport(ctx context.Context, q *queries.Queries, who Actor, t *ImportTrace) error {
	if err := t.rollups.apply(ctx, q, who); err != nil {
		return err
	}
	if err := q.DeleteImportRejections(ctx, queries.DeleteImportRejectionsParams{HouseholdID: who.HouseholdID, ImportID: &t.importID}); err != nil {
		return err
	}
	if err := q.DeleteTransfers(ctx, queries.DeleteTransfersParams{HouseholdID: who.HouseholdID, Ids: jsonArray(append([]int64{}, t.own...))}); err != nil {
		return err
	}
	if err := l.RemoveImportTrades(ctx, q, who, t.importID); err != nil {
		return err
	}
	if err := l.takeBackMarket(ctx, q, who, t.importID); err != nil {
		return err
	}
	return l.matchWithout(ctx, q, who, t)
}

// matchWithout brings the transfers to what they would be had the import never been: it parts those with one side in it and
// matches the other sides anew. Between two currencies a row that is in no transfer itself kept others apart, so that
// all of them count as gone.
func (l *Ledger) matchWithout(ctx context.Context, q *queries.Queries, who Actor, t *ImportTrace) error {
	names, err := l.labelsNow(ctx, q, who.HouseholdID)
	if err != nil {
		return err
	}
	var left, gone []matchSide
	for part := range slices.Chunk(t.half, sidesAtOnce) {
		rows, err := q.ListTransfersByKey(ctx, queries.ListTransfersByKeyParams{Ids: jsonArray(part), HouseholdID: who.HouseholdID})
		if err != nil {
			return err
		}
		for _, row := range rows {
			other := row.Transaction
			if same(other.ImportID, &t.importID) {
				other = row.Transaction_2
			}
			side := sideOf(other)
			side.TransferID = 0
			left = append(left, side)
		}
		if err := l.partTransfers(ctx, q, who, part); err != nil {
			return err
		}
	}
	if t.rows() <= fewForeign && names.severalCurrencies() {
		m := l.newMatcher(q, who, names)
		m.importID = t.importID
		if gone, err = m.importedSides(ctx); err != nil {
			return err
		}
	}
	if len(left) == 0 && len(gone) == 0 {
		return nil
	}
	return l.rematch(ctx, q, who, names, left, gone)
}

// rows is how many transactions of the import there are.
func (t *ImportTrace) rows() (n int64) {
	for _, count := range t.rollups.counts {
		n -= count
	}
	return n
}
