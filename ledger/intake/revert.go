package intake

import (
	"context"
	"errors"
	"slices"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
	"finsvc/ledger/rollup"
	"finsvc/ledger/trade"
	"finsvc/ledger/transfer"
	"finsvc/queries"
)

// addTradeEdits adds the import's trades that were changed after it to those that are listed.
func (t *RevertPlan) addTradeEdits(ctx context.Context, tx *ledger.Tx) error {
	count, err := tx.CountImportTradeEdits(ctx, queries.CountImportTradeEditsParams{ImportID: &t.importID,
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	t.EditCount += count
	rows, err := tx.ListImportTradeEdits(ctx, queries.ListImportTradeEditsParams{ImportID: &t.importID,
		HouseholdID: tx.HouseholdID,
		Count:       maxEdits - int64(len(t.Edits))})
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
func PlanRevert(ctx context.Context, tx *ledger.Tx, importID int64) (*RevertPlan, error) {
	t := &RevertPlan{importID: importID, rollups: rollup.NewRollups()}
	for _, look := range []func(context.Context, *ledger.Tx) error{t.lookAtHistory, t.lookAtDays, t.lookAtBands,
		t.lookAtParts, t.lookAtTransfers, t.lookAtEdits} {
		if err := look(ctx, tx); err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (t *RevertPlan) lookAtHistory(ctx context.Context, tx *ledger.Tx) (err error) {
	t.since, err = tx.GetLastChange(ctx, tx.HouseholdID)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return err
	}
	t.FirstSequence, err = tx.GetImportSequence(ctx, queries.GetImportSequenceParams{ImportID: &t.importID,
		HouseholdID: tx.HouseholdID})
	if errors.Is(err, db.ErrNotFound) {
		t.FirstSequence, err = ledger.MaxSequence+1, nil // no row is left: a range that nothing is in
	}
	return err
}

func (t *RevertPlan) lookAtDays(ctx context.Context, tx *ledger.Tx) error {
	days, err := tx.SumImportDays(ctx, queries.SumImportDaysParams{ImportID: &t.importID, HouseholdID: tx.HouseholdID})
	for _, d := range days {
		at := rollup.DayKey{Account: d.AccountID, Date: ledger.Date(d.Date), Currency: d.Currency}
		t.rollups.Days[at] = rollup.DayTotals{Amount: money.Sum{}.Minus(money.SumOfHalves(d.Upper, d.Lower)),
			Transactions: -d.Transactions, Incomes: -d.Incomes, Trades: 0}
		t.rollups.Removed[at] = true
		t.rollups.Counts[d.AccountID] -= d.Transactions
	}
	return err
}

func (t *RevertPlan) lookAtBands(ctx context.Context, tx *ledger.Tx) error {
	bands, err := tx.CountImportBands(ctx, queries.CountImportBandsParams{ImportID: &t.importID,
		HouseholdID: tx.HouseholdID})
	for _, b := range bands {
		t.rollups.Bands[rollup.BandKey{Currency: b.Currency, Band: b.Band}] = -b.Transactions
	}
	return err
}

// lookAtParts takes out the parts of split transactions, each of which was taken for one row.
func (t *RevertPlan) lookAtParts(ctx context.Context, tx *ledger.Tx) error {
	rows, err := tx.ListCountedParts(ctx, queries.ListCountedPartsParams{HouseholdID: tx.HouseholdID,
		ImportID: &t.importID, HiddenFrom: 1, HiddenTo: 0,
		FirstKey: int64(ledger.FirstKey(tx.HouseholdID, ledger.MinDate)),
		LastKey:  int64(ledger.LastKey(tx.HouseholdID, ledger.MaxDate))})
	t.rollups.CountParts(rows, -1)
	return err
}

func (t *RevertPlan) lookAtTransfers(ctx context.Context, tx *ledger.Tx) error {
	transfers, err := tx.ListImportTransfers(ctx, queries.ListImportTransfersParams{ImportID: &t.importID,
		HouseholdID: tx.HouseholdID})
	for _, f := range transfers {
		if f.Sides == 1 {
			t.half = append(t.half, f.TransferID)
		} else {
			t.own = append(t.own, f.TransferID)
		}
	}
	return err
}

func (t *RevertPlan) lookAtEdits(ctx context.Context, tx *ledger.Tx) (err error) {
	t.EditCount, err = tx.CountImportEdits(ctx, queries.CountImportEditsParams{ImportID: &t.importID,
		HouseholdID: tx.HouseholdID})
	if err != nil {
		return err
	}
	rows, err := tx.ListImportEdits(ctx, queries.ListImportEditsParams{ImportID: &t.importID,
		HouseholdID: tx.HouseholdID, Count: maxEdits})
	for _, r := range rows {
		t.Edits = append(t.Edits, LaterEdit{uuid.UUID(r.PublicID), ledger.Date(r.Date), r.Name})
	}
	if err != nil {
		return err
	}
	return t.addTradeEdits(ctx, tx)
}

// IsStale reports whether anything in the household was changed since the look.
func IsStale(ctx context.Context, tx *ledger.Tx, t *RevertPlan) (bool, error) {
	changed, err := tx.HasChangesSince(ctx, queries.HasChangesSinceParams{Since: t.since, HouseholdID: tx.HouseholdID})
	return changed != 0, err
}

// Revert takes an import's rows, which the caller has hidden in the same write, out of every sum and
// every transfer. The other sides of the transfers may be matched anew. The transactions are for
// [entry.RemoveDrafts]; the trades go at once, see [trade.Service.RemoveImportTrades], and so do splits and
// market prices.
func (s *Service) Revert(ctx context.Context, tx *ledger.Tx, t *RevertPlan) error {
	if err := t.rollups.Apply(ctx, tx); err != nil {
		return err
	}
	if err := tx.DeleteImportRejections(ctx, queries.DeleteImportRejectionsParams{HouseholdID: tx.HouseholdID,
		ImportID: &t.importID}); err != nil {
		return err
	}
	if err := tx.DeleteTransfers(ctx, queries.DeleteTransfersParams{HouseholdID: tx.HouseholdID,
		Ids: ledger.JSONArray(append([]int64{}, t.own...))}); err != nil {
		return err
	}
	if err := trade.RemoveImportTrades(ctx, tx, t.importID); err != nil {
		return err
	}
	if err := market.Revert(ctx, tx, t.importID); err != nil {
		return err
	}
	return s.matchWithout(ctx, tx, t)
}

// matchWithout brings the transfers to what they would be had the import never been: it parts those with one side in
// it and matches the other sides anew. Between two currencies a row that is in no transfer itself kept others apart,
// so that all of them count as gone.
func (s *Service) matchWithout(ctx context.Context, tx *ledger.Tx, t *RevertPlan) error {
	refs, err := tx.RefsNow(ctx)
	if err != nil {
		return err
	}
	var left, gone []transfer.CandidateLeg
	for part := range slices.Chunk(t.half, transfer.SidesAtOnce) {
		rows, err := tx.ListTransfersByKey(ctx, queries.ListTransfersByKeyParams{Ids: ledger.JSONArray(part),
			HouseholdID: tx.HouseholdID})
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
		if err := transfer.PartTransfers(ctx, tx, part); err != nil {
			return err
		}
	}
	if t.rows() <= transfer.FewForeign && refs.SeveralCurrencies() {
		m := s.Transfers.NewMatcher(tx.With(refs))
		m.ImportID = t.importID
		gone, err = m.ImportedSides(ctx)
		if err != nil {
			return err
		}
	}
	if len(left) == 0 && len(gone) == 0 {
		return nil
	}
	return s.Transfers.Rematch(ctx, tx.With(refs), left, gone)
}

// rows is how many transactions of the import there are.
func (t *RevertPlan) rows() (n int64) {
	for _, count := range t.rollups.Counts {
		n -= count
	}
	return n
}
