package ledger

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"finsvc/queries"
)

// UpdateTrade changes what is given and leaves the rest. A change after which a sale takes more than is held
// is refused.
func (l *Ledger) UpdateTrade(ctx context.Context, who Actor, id uuid.UUID, in TradeInput) (t Trade, err error) {
	err = l.writeWithLabels(ctx, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		before, security, err := readTrade(ctx, q, who, id)
		if err != nil {
			return err
		}
		after, err := in.change(before, names, security.ticker())
		if err != nil {
			return err
		}
		if err := in.Problems.Err(); err != nil {
			return err
		}
		if after, err = l.changeTrade(ctx, q, who, before, after, security.ticker()); err != nil {
			return err
		}
		t, err = names.trade(after, security)
		return err
	})
	return t, err
}

// readTrade reads a row and what its security, if it has one, is called.
func readTrade(ctx context.Context, q *queries.Queries, who Actor, id uuid.UUID) (queries.Trade, *SecurityLabel, error) {
	row, err := q.GetTrade(ctx, queries.GetTradeParams{PublicID: queries.PublicID(id), HouseholdID: who.HouseholdID})
	if err != nil || row.SecurityID == nil {
		return row, nil, Missing(err, "Trade")
	}
	securities, err := securityLabels(ctx, q, who)
	return row, securities.byKey[*row.SecurityID], err
}

// ticker is "" where there is no security.
func (s *SecurityLabel) ticker() string {
	if s == nil {
		return ""
	}
	return s.Ticker
}

// changeTrade writes a changed trade; a change of nothing writes nothing.
func (l *Ledger) changeTrade(ctx context.Context, q *queries.Queries, who Actor, before, after queries.Trade, ticker string) (queries.Trade, error) {
	if sameTrade(before, after) {
		return before, nil
	}
	after.ID = int64(Key(before.ID).MovedTo(Date(after.Date)))
	after.UpdatedAt = max(l.stamp(), before.UpdatedAt+1)
	err := l.moveTrades(ctx, q, who, func() error { return l.rewriteTrade(ctx, q, who, before, after) }, before, after)
	return after, uncovered(err, ticker)
}

func sameTrade(a, b queries.Trade) bool {
	return a.Date == b.Date && a.Kind == b.Kind && a.Quantity == b.Quantity && a.Price == b.Price && a.Fee == b.Fee && a.Amount == b.Amount &&
		a.Currency == b.Currency && a.AllowShort == b.AllowShort && a.Name == b.Name && same(a.Notes, b.Notes) &&
		same(a.ActivityLabel, b.ActivityLabel) && same(a.CategoryID, b.CategoryID)
}

// rewriteTrade writes the row and its share of the rollups.
func (l *Ledger) rewriteTrade(ctx context.Context, q *queries.Queries, who Actor, before, after queries.Trade) error {
	if err := q.UpdateTrade(ctx, queries.UpdateTradeParams{
		NewID: after.ID, Date: after.Date, Kind: after.Kind, Quantity: after.Quantity, Price: after.Price, Fee: after.Fee, Amount: after.Amount,
		Currency: after.Currency, AllowShort: after.AllowShort, Name: after.Name, Notes: after.Notes, ActivityLabel: after.ActivityLabel,
		CategoryID: after.CategoryID, UpdatedAt: after.UpdatedAt, ID: before.ID, HouseholdID: who.HouseholdID,
	}); err != nil {
		return err
	}
	if !tradePosting(before).equal(tradePosting(after)) {
		sums := rollupsOfTrade(after)
		sums.RemoveTrade(tradePosting(before))
		if err := sums.apply(ctx, q, who); err != nil {
			return err
		}
	}
	return l.record(ctx, q, who, entityTrade, after.PublicID, before, after)
}

// DeleteTrade removes a trade and its share of every figure. One without which a sale takes more than is held
// is a conflict.
func (l *Ledger) DeleteTrade(ctx context.Context, who Actor, id uuid.UUID) error {
	return l.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		t, security, err := readTrade(ctx, q, who, id)
		if err != nil {
			return err
		}
		err = l.moveTrades(ctx, q, who, func() error { return l.removeTrade(ctx, q, who, t) }, t)
		if short, ok := errors.AsType[*shortSale](err); ok {
			return NewConflict("without this trade %s of %s are missing for the sale on %s: change or delete that first", short.missing, security.ticker(), short.day)
		}
		return err
	})
}

func (l *Ledger) removeTrade(ctx context.Context, q *queries.Queries, who Actor, t queries.Trade) error {
	sums := NewRollups()
	sums.RemoveTrade(tradePosting(t))
	if err := sums.apply(ctx, q, who); err != nil {
		return err
	}
	if err := q.DeleteTrade(ctx, queries.DeleteTradeParams{ID: t.ID, HouseholdID: who.HouseholdID}); err != nil {
		return err
	}
	return l.record(ctx, q, who, entityTrade, t.PublicID, t, nil)
}
