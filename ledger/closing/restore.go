package closing

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/history"
	"finsvc/ledger/position"
	"finsvc/queries"
)

// mergeNote is how the history of an account says that another one was merged into it, or is about to leave it again.
type mergeNote struct {
	Merged *queries.PublicID `json:"merged_account_id"`
}

// Restore takes back that an account was opened, deleted or merged, and that this was taken back. What else is done to
// accounts is taken back by others.
func (s *Service) Restore(others history.Restore) history.Restore {
	return func(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
		switch {
		case change.Action == ledger.ActionDelete:
			c, is, err := readClosed(change.Before)
			if err != nil {
				return err
			}
			if !is {
				return ledger.ChangedSince("the account", "what it was is not known")
			}
			return c.reopen(ctx, tx)
		case change.Action == ledger.ActionCreate:
			c, is, err := readClosed(change.After)
			if err != nil {
				return err
			}
			if !is {
				return closeOpened(ctx, tx, change)
			}
			if err := c.checkAsReopened(ctx, tx, change); err != nil {
				return err
			}
			return closeAccount(ctx, tx, c.Account.PublicID, c.Into)
		case change.Before != nil && change.After != nil:
			var was, now mergeNote
			if json.Unmarshal([]byte(*change.Before), &was) == nil && json.Unmarshal([]byte(*change.After), &now) == nil &&
				(was.Merged != nil || now.Merged != nil) {
				return restoreNote(ctx, tx, change.EntityID, now, was)
			}
		}
		return others(ctx, tx, change)
	}
}

// closeOpened takes back that an account was opened: it goes with its opening balance, unless it was changed since or
// anything refers to it.
func closeOpened(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	account, err := find(ctx, tx, change.EntityID)
	if ledger.IsKind(err, ledger.NotFound) {
		return ledger.ChangedSince("the account "+uuid.UUID(change.EntityID).String(), "it is gone")
	}
	if err != nil {
		return err
	}
	if err := checkUnchanged(ctx, tx, account, change); err != nil {
		return err
	}
	uses, err := usesOf(ctx, tx, account.ID)
	if err != nil {
		return err
	}
	for _, use := range []struct {
		count int64
		of    string
	}{{uses.Transactions, "transactions"}, {uses.Trades, "trades"}, {uses.Valuations - 1, "balances that were set"},
		{uses.Imports, "imports that name it"}, {uses.Rules, "rules that name it"}} {
		if use.count > 0 {
			return ledger.ChangedSince(inWords(account), fmt.Sprintf("it has %s (%d)", use.of, use.count))
		}
	}
	return closeAccount(ctx, tx, account.PublicID, nil)
}

// checkAsReopened refuses to close an account again that is not as it came back.
func (c *closed) checkAsReopened(ctx context.Context, tx *ledger.Tx, change ledger.Change) error {
	account, err := find(ctx, tx, change.EntityID)
	if err != nil {
		return err
	}
	if err := checkUnchanged(ctx, tx, account, change); err != nil {
		return err
	}
	now, err := tx.ListAccountValuations(ctx, queries.ListAccountValuationsParams{AccountID: account.ID, HouseholdID: tx.HouseholdID})
	if err == nil && !slices.EqualFunc(now, c.Valuations, sameValuation) {
		return ledger.ChangedSince(inWords(account), "balances of it were set")
	}
	return err
}

func checkUnchanged(ctx context.Context, tx *ledger.Tx, account queries.Account, change ledger.Change) error {
	changed, err := ledger.ChangedLater(ctx, tx, change)
	if err == nil && changed {
		err = ledger.ChangedSince(inWords(account), "it was changed")
	}
	return err
}

func inWords(account queries.Account) string { return "the account " + ledger.Quote(account.Name) }

// readClosed reads what the history keeps of an account that has left, and reports whether it is that.
func readClosed(text *string) (c closed, is bool, err error) {
	if text == nil {
		return c, false, nil
	}
	err = json.Unmarshal([]byte(*text), &c)
	return c, c.Account.ID != 0, err
}

// restoreNote is the last step of taking back a merge: all entries are where they were before it, and what they sell is
// covered there.
func restoreNote(ctx context.Context, tx *ledger.Tx, target queries.PublicID, before, after mergeNote) error {
	for _, id := range []*queries.PublicID{&target, before.Merged, after.Merged} {
		if id == nil {
			continue
		}
		account, err := find(ctx, tx, *id)
		if ledger.IsKind(err, ledger.NotFound) {
			continue
		}
		if err != nil {
			return err
		}
		if err := position.CheckCovered(ctx, tx, account.ID); err != nil {
			return ledger.ChangedSince("what is held in the account "+ledger.Quote(account.Name), err.Error())
		}
		if err := balance.Check(ctx, tx, []int64{account.ID}); err != nil {
			return err
		}
	}
	return tx.Record(ctx, ledger.EntityAccount, target, before, after)
}

// reopen brings an account back that has left.
func (c *closed) reopen(ctx context.Context, tx *ledger.Tx) error {
	a := c.Account
	err := tx.InsertAccountAgain(ctx, queries.InsertAccountAgainParams{ID: a.ID, PublicID: a.PublicID, HouseholdID: tx.HouseholdID,
		Name: a.Name, NameKey: a.NameKey, AccountType: a.AccountType, Subtype: a.Subtype, Currency: a.Currency, Status: a.Status,
		InstitutionName: a.InstitutionName, InstitutionDomain: a.InstitutionDomain, Notes: a.Notes, CreatedAt: a.CreatedAt,
		UpdatedAt: max(tx.Stamp(), a.UpdatedAt+1)})
	if db.IsTaken(err) {
		return ledger.ChangedSince("the account "+ledger.Quote(a.Name), "it is there")
	}
	if err != nil {
		return err
	}
	if c.Into != nil {
		err = c.takeBack(ctx, tx)
	} else {
		err = putValuations(ctx, tx, c.Valuations)
	}
	if err != nil {
		return err
	}
	if err := c.putKnown(ctx, tx); err != nil {
		return err
	}
	former := int64(0)
	if c.Into != nil {
		former = c.Into.Account
	}
	if err := c.nameImports(ctx, tx, former, a.ID); err != nil {
		return err
	}
	if err := balance.Check(ctx, tx, []int64{a.ID}); err != nil {
		return err
	}
	return c.recordReopened(ctx, tx)
}

// recordReopened notes that an account is back, with what it was closed with: so it is closed again likewise.
func (c *closed) recordReopened(ctx context.Context, tx *ledger.Tx) error {
	change, err := tx.ChangeOf(ledger.EntityAccount, c.Account.PublicID, nil, nil)
	if err != nil {
		return err
	}
	text, err := json.Marshal(c)
	if err != nil {
		return err
	}
	change.After = new(string(text))
	return tx.InsertChange(ctx, change)
}

// takeBack takes from the other account what the merge has given it beside entries.
func (c *closed) takeBack(ctx context.Context, tx *ledger.Tx) error {
	if err := c.exchange(ctx, tx, c.Into.After, c.valuations()); err != nil {
		return err
	}
	to := c.Into.Account
	for _, r := range c.Settings {
		if err := tx.DropImportSettings(ctx, queries.DropImportSettingsParams{AccountID: &to, Fingerprint: r.Fingerprint,
			LearnedAt: r.LearnedAt, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
	}
	for _, r := range c.Decisions {
		if err := tx.DropDecision(ctx, queries.DropDecisionParams{AccountID: to, SourceHash: r.SourceHash, Occurrence: r.Occurrence,
			CreatedAt: r.CreatedAt, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
	}
	for _, r := range c.Moved {
		if err := tx.DropMovedEntry(ctx, queries.DropMovedEntryParams{AccountID: to, SourceHash: r.SourceHash, Occurrence: r.Occurrence,
			Trade: r.Trade, EntryID: r.EntryID, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
	}
	return c.redirectBack(ctx, tx)
}

// putKnown notes again what imports knew of the account.
func (c *closed) putKnown(ctx context.Context, tx *ledger.Tx) error {
	key := c.Account.ID
	for _, r := range c.Settings {
		if err := tx.PutImportSettings(ctx, queries.PutImportSettingsParams{HouseholdID: tx.HouseholdID, AccountID: &key,
			Fingerprint: r.Fingerprint, Settings: r.Settings, LearnedAt: r.LearnedAt}); err != nil {
			return err
		}
	}
	for _, r := range c.Decisions {
		if err := tx.PutDecision(ctx, queries.PutDecisionParams{AccountID: key, SourceHash: r.SourceHash, Occurrence: r.Occurrence,
			HouseholdID: tx.HouseholdID, Decision: r.Decision, CreatedAt: r.CreatedAt}); err != nil {
			return err
		}
	}
	for _, r := range c.Moved {
		if err := tx.PutMovedEntry(ctx, queries.PutMovedEntryParams{AccountID: key, SourceHash: r.SourceHash, Occurrence: r.Occurrence,
			Trade: r.Trade, HouseholdID: tx.HouseholdID, EntryID: r.EntryID}); err != nil {
			return err
		}
	}
	return nil
}
