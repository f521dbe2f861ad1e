package trade

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/position"
	"finsvc/ledger/rollup"
	"finsvc/queries"
)

// UpdateTrade changes what is given and leaves the rest. A change after which a sale takes more than is held
// is refused.
func (s *Service) UpdateTrade(ctx context.Context, who ledger.Actor, id uuid.UUID, in Input) (t Trade, err error) {
	err = s.WriteWithRefs(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		before, security, err := readTrade(ctx, tx, id)
		if err != nil {
			return err
		}
		// Apply what is given to a trade of a security with this ticker.
		refs := tx.Refs
		ticker := security.TickerName()
		after := before
		d, err := termsOf(before)
		if err != nil {
			return err
		}
		in.changedTerms(d).cash(&after, &in.Problems)
		after.Date = int64(in.Date.Or(ledger.Date(before.Date)))
		after.AllowShort = ledger.AsInteger(in.AllowShort.Or(before.AllowShort == 1))
		if in.CategoryID.Set {
			after.CategoryID = in.category(refs)
		}
		if in.Notes.Set {
			after.Notes = in.Problems.Notes(in.Notes)
		}
		if in.Label.Set || after.ActivityLabel != nil && *after.ActivityLabel == defaultLabel(before.Kind) {
			after.ActivityLabel = new(in.label(after.Kind))
		}
		if in.Name.Set || before.Name == defaultName(before, ticker) {
			after.Name, after.Notes = in.Problems.FitName("name", in.name(), after.Notes)
		}
		if after.Name == "" {
			after.Name = defaultName(after, ticker)
		}
		if err := in.Problems.Err(); err != nil {
			return err
		}
		after, err = changeTrade(ctx, tx, before, after, security.TickerName())
		if err != nil {
			return err
		}
		t, err = tradeOf(tx.Refs, after, security)
		return err
	})
	return t, err
}

// readTrade reads a row and what its security, if it has one, is called.
func readTrade(ctx context.Context, tx *ledger.Tx, id uuid.UUID) (queries.Trade, *ledger.SecurityRef, error) {
	row, err := tx.GetTrade(ctx, queries.GetTradeParams{PublicID: queries.PublicID(id), HouseholdID: tx.HouseholdID})
	if err != nil || row.SecurityID == nil {
		return row, nil, ledger.Missing(err, "Trade")
	}
	securities, err := ledger.SecurityRefs(ctx, tx)
	return row, securities.ByKey[*row.SecurityID], err
}

// changeTrade writes a changed trade; a change of nothing writes nothing.
func changeTrade(ctx context.Context, tx *ledger.Tx, before, after queries.Trade, ticker string) (queries.Trade,
	error) {
	if sameTrade(before, after) {
		return before, nil
	}
	after, err := writeTrade(ctx, tx, before, after)
	return after, uncovered(err, ticker)
}

// writeTrade writes a changed trade and all that follows from it, see [moveTrades].
func writeTrade(ctx context.Context, tx *ledger.Tx, before, after queries.Trade) (queries.Trade, error) {
	after.ID = int64(ledger.Key(before.ID).MovedTo(ledger.Date(after.Date)))
	after.UpdatedAt = max(tx.Stamp(), before.UpdatedAt+1)
	change := func() error {
		// Write the row and its share of the rollups.
		if err := tx.UpdateTrade(ctx, queries.UpdateTradeParams{
			NewID: after.ID, Date: after.Date, Kind: after.Kind, Quantity: after.Quantity, Price: after.Price,
			Fee: after.Fee, Amount: after.Amount,
			Currency: after.Currency, AllowShort: after.AllowShort, Name: after.Name, Notes: after.Notes,
			ActivityLabel: after.ActivityLabel,
			CategoryID:    after.CategoryID, UpdatedAt: after.UpdatedAt, ID: before.ID, HouseholdID: tx.HouseholdID,
		}); err != nil {
			return err
		}
		if !tradePosting(before).Equal(tradePosting(after)) {
			sums := rollupsOfTrade(after)
			sums.RemoveTrade(tradePosting(before))
			if err := sums.Apply(ctx, tx); err != nil {
				return err
			}
		}
		return tx.Record(ctx, ledger.EntityTrade, after.PublicID, before, after)
	}
	if before.Date == after.Date && before.Kind == after.Kind && before.Quantity == after.Quantity &&
		before.Price == after.Price && before.Amount == after.Amount && before.Currency == after.Currency &&
		before.AllowShort == after.AllowShort {
		return after, change() // nothing follows from the rest
	}
	return after, moveTrades(ctx, tx, change, before, after)
}

func sameTrade(a, b queries.Trade) bool {
	return a.Date == b.Date && a.Kind == b.Kind && a.Quantity == b.Quantity && a.Price == b.Price && a.Fee == b.Fee &&
		a.Amount == b.Amount &&
		a.Currency == b.Currency && a.AllowShort == b.AllowShort && a.Name == b.Name && ledger.Same(a.Notes, b.Notes) &&
		ledger.Same(a.ActivityLabel, b.ActivityLabel) && ledger.Same(a.CategoryID, b.CategoryID)
}

// DeleteTrade removes a trade and its share of every figure. One without which a sale takes more than is held
// is a conflict.
func (s *Service) DeleteTrade(ctx context.Context, who ledger.Actor, id uuid.UUID) error {
	return s.Write(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		t, security, err := readTrade(ctx, tx, id)
		if err != nil {
			return err
		}
		return removeTrade(ctx, tx, t, security)
	})
}

func removeTrade(ctx context.Context, tx *ledger.Tx, t queries.Trade, security *ledger.SecurityRef) error {
	err := moveTrades(ctx, tx, func() error {
		sums := rollup.NewRollups()
		sums.RemoveTrade(tradePosting(t))
		if err := sums.Apply(ctx, tx); err != nil {
			return err
		}
		if err := tx.DeleteTrade(ctx, queries.DeleteTradeParams{ID: t.ID, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
		return tx.Record(ctx, ledger.EntityTrade, t.PublicID, t, nil)
	}, t)
	if short, ok := errors.AsType[*position.ShortSale](err); ok {
		return ledger.NewConflict("without this trade %s of %s are missing for the sale on %s: change or delete that first",
			short.Missing, security.TickerName(), short.Day)
	}
	return err
}
