package trade

import (
	"context"
	"errors"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/position"
	"finsvc/queries"
)

// Restore takes back what a change did to a trade, and with it cash, positions and the values of holdings: one that was
// created goes, one that was deleted comes back with its id and all that imports know it by, and of one that was changed
// the fields that were changed are what they were. It is a conflict where these have been changed since, where what the
// trade refers to is gone, or where a sale would take more than is held.
func (s *Service) Restore(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	if change.Action == ledger.ActionDelete {
		return insertAgain(ctx, tx, change)
	}
	now, security, err := readTrade(ctx, tx, uuid.UUID(change.EntityID))
	if ledger.IsKind(err, ledger.NotFound) {
		return ledger.ChangedSince("the trade "+uuid.UUID(change.EntityID).String(), "it is gone")
	}
	if err != nil {
		return err
	}
	if change.Action == ledger.ActionCreate {
		changed, err := ledger.ChangedLater(ctx, tx, change)
		if err != nil {
			return err
		}
		if changed {
			return ledger.ChangedSince(inWords(now), "it was changed")
		}
		return removeTrade(ctx, tx, now, security)
	}
	then, err := ledger.WithoutChange(now, change, inWords(now), "ID")
	if err != nil {
		return err
	}
	if now.AccountID != then.AccountID { // all trades of an account were moved, see [Service.MoveTrades]
		if tx.Refs.Accounts.ByKey[then.AccountID] == nil {
			return ledger.ChangedSince("the account of "+inWords(now), "it is gone")
		}
		return s.MoveTrades(ctx, tx, []queries.Trade{now}, then.AccountID)
	}
	if sameTrade(now, then) {
		return nil
	}
	if err := checkCategory(tx.Refs, then); err != nil {
		return err
	}
	_, err = writeTrade(ctx, tx, now, then)
	return shortSince(err, then, security)
}

// insertAgain writes a trade that was deleted, as it was.
func insertAgain(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	t, err := ledger.ReadDeleted[queries.Trade](change, "the trade")
	if err != nil {
		return err
	}
	if tx.Refs.Accounts.ByKey[t.AccountID] == nil {
		return ledger.ChangedSince("the account of "+inWords(t), "it is gone")
	}
	if err := checkCategory(tx.Refs, t); err != nil {
		return err
	}
	var security *ledger.SecurityRef
	if t.SecurityID != nil {
		securities, err := ledger.SecurityRefs(ctx, tx)
		if err != nil {
			return err
		}
		security = securities.ByKey[*t.SecurityID]
		if security == nil {
			return ledger.ChangedSince("the security of "+inWords(t), "it is gone")
		}
	}
	t.ImportID, err = ledger.ImportStillThere(ctx, tx, t.ImportID, t.CreatedAt)
	if err != nil {
		return err
	}
	t.UpdatedAt = max(tx.Stamp(), t.UpdatedAt+1)
	err = moveTrades(ctx, tx, func() error { return insertTrade(ctx, tx, t) }, t)
	return shortSince(err, t, security)
}

func checkCategory(refs *ledger.Refs, t queries.Trade) error {
	if t.CategoryID != nil && refs.Categories.ByKey[*t.CategoryID] == nil {
		return ledger.ChangedSince("the category that "+inWords(t)+" had", "it is gone")
	}
	return nil
}

// shortSince explains that with a trade as it was a sale would take more than is held; other errors pass.
func shortSince(err error, t queries.Trade, security *ledger.SecurityRef) error {
	if short, ok := errors.AsType[*position.ShortSale](err); ok {
		return ledger.ChangedSince("what is held beside "+inWords(t), short.Missing.String()+" of "+security.TickerName()+
			" would be missing for the sale on "+short.Day.String())
	}
	return err
}

func inWords(t queries.Trade) string {
	return "the trade " + ledger.Quote(t.Name) + " of " + ledger.Date(t.Date).String()
}
