package intake

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/rollup"
	"finsvc/ledger/transfer"
	"finsvc/queries"
)

// addTradeEdits adds the import's trades that were changed after it to those that are listed.
func (t *RevertPlan) addTradeEdits(ctx context.Context, q *queries.Queries, who ledger.Actor) error {
	count, err := q.CountImportTradeEdits(ctx, queries.CountImportTradeEditsParams{ImportID: &t.importID, HouseholdID: who.HouseholdID})
	if err != nil {
		return err
	}
	t.EditCount += count
	rows, err := q.ListImportTradeEdits(ctx, queries.ListImportTradeEditsParams{ImportID: &t.importID, HouseholdID: who.HouseholdID,
		Count: maxEdits - int64(len(t.Edits))})
	for _, r := range rows {
		t.Edits = append(t.Edits, LaterEdit{uuid.UUID(r.PublicID), ledger.Date(r.Date), r.Name})
	}
	return err
}

// maxEdits is how many of the rows that were changed after their import are listed.
const maxEdits = 20

// LaterEdit is a transaction or trade that was changed after it was imported.
type LaterEdit struct {
	ID   uuid.UUID
	Date ledger.Date
	Name string
}

// RevertPlan is what an import has left in the books, as it was when it was looked at: sums, not rows.
// FirstSequence is the creation number of its row 1; Edits are the first of EditCount.
type RevertPlan struct {
	FirstSequence int64
	EditCount     int64
	Edits         []LaterEdit
	importID      int64
	since         int64           // the newest entry of the history then
	rollups       *rollup.Rollups // its rows, taken out
	own           []int64         // transfers with both sides in the import
	half          []int64         // transfers with one side in it
}

// PlanRevert looks at what an import has left in the books. q must see one state of the data throughout.
func (l *Service) PlanRevert(ctx context.Context, q *queries.Queries, who ledger.Actor, importID int64) (*RevertPlan, error) {
	t := &RevertPlan{importID: importID, rollups: rollup.NewRollups()}
	for _, look := range []func(context.Context, *queries.Queries, ledger.Actor) error{t.lookAtHistory, t.lookAtDays, t.lookAtBands, t.lookAtParts, t.lookAtTransfers, t.lookAtEdits} {
		if err := look(ctx, q, who); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *RevertPlan) lookAtHistory(ctx context.Context, q *queries.Queries, who ledger.Actor) (err error) {
	if t.since, err = q.GetLastChange(ctx, who.HouseholdID); err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	t.FirstSequence, err = q.GetImportSequence(ctx, queries.GetImportSequenceParams{ImportID: &t.importID, HouseholdID: who.HouseholdID})
	if errors.Is(err, db.ErrNotFound) {
		t.FirstSequence, err = ledger.MaxSequence+1, nil // no row is left: a range that nothing is in
	}
	return err
}

func (t *RevertPlan) lookAtDays(ctx context.Context, q *queries.Queries, who ledger.Actor) error {
	days, err := q.SumImportDays(ctx, queries.SumImportDaysParams{ImportID: &t.importID, HouseholdID: who.HouseholdID})
	for _, d := range days {
		at := rollup.DayKey{Account: d.AccountID, Date: ledger.Date(d.Date), Currency: d.Currency}
		t.rollups.Days[at] = rollup.DayTotals{Amount: money.Sum{}.Minus(money.SumOfHalves(d.Upper, d.Lower)), Transactions: -d.Transactions, Incomes: -d.Incomes, Trades: 0}
		t.rollups.Removed[at] = true
		t.rollups.Counts[d.AccountID] -= d.Transactions
	}
	return err
}

func (t *RevertPlan) lookAtBands(ctx context.Context, q *queries.Queries, who ledger.Actor) error {
	bands, err := q.CountImportBands(ctx, queries.CountImportBandsParams{ImportID: &t.importID, HouseholdID: who.HouseholdID})
	for _, b := range bands {
		t.rollups.Bands[rollup.BandKey{Currency: b.Currency, Band: b.Band}] = -b.Transactions
	}
	return err
}

// lookAtParts takes out the parts of split transactions, each of which was taken for one row.
func (t *RevertPlan) lookAtParts(ctx context.Context, q *queries.Queries, who ledger.Actor) error {
	rows, err := q.ListCountedParts(ctx, queries.ListCountedPartsParams{HouseholdID: who.HouseholdID, ImportID: &t.importID, HiddenFrom: 1, HiddenTo: 0,
		FirstKey: int64(ledger.FirstKey(who.HouseholdID, ledger.MinDate)), LastKey: int64(ledger.LastKey(who.HouseholdID, ledger.MaxDate))})
	t.rollups.CountParts(rows, -1)
	return err
}

func (t *RevertPlan) lookAtTransfers(ctx context.Context, q *queries.Queries, who ledger.Actor) error {
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

func (t *RevertPlan) lookAtEdits(ctx context.Context, q *queries.Queries, who ledger.Actor) (err error) {
	if t.EditCount, err = q.CountImportEdits(ctx, queries.CountImportEditsParams{ImportID: &t.importID, HouseholdID: who.HouseholdID}); err != nil {
		return err
	}
	rows, err := q.ListImportEdits(ctx, queries.ListImportEditsParams{ImportID: &t.importID, HouseholdID: who.HouseholdID, Count: maxEdits})
	for _, r := range rows {
		t.Edits = append(t.Edits, LaterEdit{uuid.UUID(r.PublicID), ledger.Date(r.Date), r.Name})
	}
	if err != nil {
		return err
	}
	return t.addTradeEdits(ctx, q, who)
}

// IsStale says whether anything in the household was changed since the look.
func (l *Service) IsStale(ctx context.Context, q *queries.Queries, who ledger.Actor, t *RevertPlan) (bool, error) {
	changed, err := q.HasChangesSince(ctx, queries.HasChangesSinceParams{Since: t.since, HouseholdID: who.HouseholdID})
	return changed != 0, err
}

// Revert takes an import's rows, which the caller has hidden in the same write, out of every sum and
// every transfer. The other sides of the transfers may be matched anew. The transactions are for [entry.Service.RemoveDrafts];
// the trades go at once, see [trade.Service.RemoveImportTrades], and so do splits and market prices.
func (l *Service) Revert(ctx context.Context, q *queries.Queries, who ledger.Actor, t *RevertPlan) error {
	if err := t.rollups.Apply(ctx, q, who); err != nil {
		return err
	}
	if err := q.DeleteImportRejections(ctx, queries.DeleteImportRejectionsParams{HouseholdID: who.HouseholdID, ImportID: &t.importID}); err != nil {
		return err
	}
	if err := q.DeleteTransfers(ctx, queries.DeleteTransfersParams{HouseholdID: who.HouseholdID, Ids: ledger.JSONArray(append([]int64{}, t.own...))}); err != nil {
		return err
	}
	if err := l.Trades.RemoveImportTrades(ctx, q, who, t.importID); err != nil {
		return err
	}
	if err := l.Market.TakeBackMarket(ctx, q, who, t.importID); err != nil {
		return err
	}
	return l.matchWithout(ctx, q, who, t)
}

// matchWithout brings the transfers to what they would be had the import never been: it parts those with one side in it and
// matches the other sides anew. Between two currencies a row that is in no transfer itself kept others apart, so that
// all of them count as gone.
func (l *Service) matchWithout(ctx context.Context, q *queries.Queries, who ledger.Actor, t *RevertPlan) error {
	names, err := l.RefsNow(ctx, q, who.HouseholdID)
	if err != nil {
		return err
	}
	var left, gone []transfer.CandidateLeg
	for part := range slices.Chunk(t.half, transfer.SidesAtOnce) {
		rows, err := q.ListTransfersByKey(ctx, queries.ListTransfersByKeyParams{Ids: ledger.JSONArray(part), HouseholdID: who.HouseholdID})
		if err != nil {
			return err
		}
		for _, row := range rows {
			other := row.Transaction
			if ledger.Same(other.ImportID, &t.importID) {
				other = row.Transaction_2
			}
			side := transfer.SideOf(other)
			side.TransferID = 0
			left = append(left, side)
		}
		if err := l.Transfers.PartTransfers(ctx, q, who, part); err != nil {
			return err
		}
	}
	if t.rows() <= transfer.FewForeign && names.SeveralCurrencies() {
		m := l.Transfers.NewMatcher(q, who, names)
		m.ImportID = t.importID
		if gone, err = m.ImportedSides(ctx); err != nil {
			return err
		}
	}
	if len(left) == 0 && len(gone) == 0 {
		return nil
	}
	return l.Transfers.Rematch(ctx, q, who, names, left, gone)
}

// rows is how many transactions of the import there are.
func (t *RevertPlan) rows() (n int64) {
	for _, count := range t.rollups.Counts {
		n -= count
	}
	return n
}
