package trade

import (
	"cmp"
	"context"
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/position"
	"finsvc/ledger/rollup"
	"finsvc/queries"
)

// SortForRemoval puts the trades of an account in the order in which they leave: newest days first, on a day sales before
// purchases. In the opposite order they come back one by one, and what is held covers every sale.
func SortForRemoval(list []queries.Trade) {
	slices.SortFunc(list, func(a, b queries.Trade) int {
		return cmp.Or(cmp.Compare(b.Date, a.Date), cmp.Compare(kindOrder(a.Kind), kindOrder(b.Kind)), cmp.Compare(b.ID, a.ID))
	})
}

func kindOrder(kind string) int64 { return ledger.AsInteger(kind != KindSell) }

// RemoveTrades takes trades out of the books in a write, with others of their account before and after.
func (s *Service) RemoveTrades(ctx context.Context, tx *ledger.Tx, list []queries.Trade) error {
	return leave(ctx, tx, list, func(t queries.Trade, sums *rollup.Rollups) (any, error) {
		sums.RemoveTrade(tradePosting(t))
		return nil, tx.DeleteTrade(ctx, queries.DeleteTradeParams{ID: t.ID, HouseholdID: tx.HouseholdID})
	})
}

// MoveTrades gives trades to another account in a write, with others of their account before and after. Whether it covers
// what they sell is seen at the end, see [position.CheckCovered].
func (s *Service) MoveTrades(ctx context.Context, tx *ledger.Tx, list []queries.Trade, account int64) error {
	return leave(ctx, tx, list, func(t queries.Trade, sums *rollup.Rollups) (any, error) {
		after := t
		after.AccountID, after.UpdatedAt = account, max(tx.Stamp(), t.UpdatedAt+1)
		sums.RemoveTrade(tradePosting(t))
		sums.AddTrade(tradePosting(after))
		return after, tx.MoveTrade(ctx, queries.MoveTradeParams{AccountID: account, UpdatedAt: after.UpdatedAt, ID: t.ID,
			HouseholdID: tx.HouseholdID})
	})
}

// leave does something to each of several trades, and what follows from all of it once. Change gives what the trade is
// afterwards; nil where it is gone. One that is not as it was read is a conflict.
func leave(ctx context.Context, tx *ledger.Tx, list []queries.Trade, change func(queries.Trade, *rollup.Rollups) (any, error)) error {
	if len(list) == 0 {
		return nil
	}
	touched := map[int64]ledger.Date{}
	for _, t := range list {
		if !MovesUnits(t.Kind) {
			continue
		}
		day, seen := touched[*t.SecurityID]
		if !seen || ledger.Date(t.Date) < day {
			touched[*t.SecurityID] = ledger.Date(t.Date)
		}
	}
	return position.RecomputeMoved(ctx, tx, touched, func() error {
		sums, changes := rollup.NewRollups(), make([]queries.InsertChangeParams, len(list))
		for i, t := range list {
			now, err := tx.GetTrade(ctx, queries.GetTradeParams{PublicID: t.PublicID, HouseholdID: tx.HouseholdID})
			if err != nil || now.UpdatedAt != t.UpdatedAt {
				return ledger.NewConflict("the trade %s of %s was changed meanwhile: do this again", ledger.Quote(t.Name), ledger.Date(t.Date))
			}
			after, err := change(t, sums)
			if err != nil {
				return err
			}
			changes[i], err = tx.ChangeOf(ledger.EntityTrade, t.PublicID, t, after)
			if err != nil {
				return err
			}
		}
		if err := sums.Apply(ctx, tx); err != nil {
			return err
		}
		return tx.InsertChanges(ctx, changes)
	})
}
