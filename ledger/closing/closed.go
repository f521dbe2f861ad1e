package closing

import (
	"context"
	"encoding/hex"
	"encoding/json"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/queries"
)

// closed is an account that has left the books as the history keeps it: its row, its valuations, and what imports know of
// it. Entries have a history of their own. Into is where it went when it was merged.
type closed struct {
	Account    queries.Account
	Valuations []queries.Valuation
	Settings   []queries.ImportSetting  `json:",omitempty"`
	Decisions  []queries.ImportDecision `json:",omitempty"`
	Moved      []queries.MovedEntry     `json:",omitempty"`
	Imports    []string                 `json:",omitempty"` // that name it, ids in hexadecimal digits
	Into       *into                    `json:",omitempty"`
}

// into is the account that another one was merged into, with what the merge has changed there beside entries: valuations
// of it as they were, and those that it has instead; and rules that named the other account.
type into struct {
	Account     int64
	Before      []queries.Valuation
	After       []queries.Valuation
	RulesBefore []queries.Rule `json:",omitempty"`
	RulesAfter  []queries.Rule `json:",omitempty"`
}

// readClosing reads what the history is to keep of an account.
func readClosing(ctx context.Context, tx *ledger.Tx, id queries.PublicID) (c closed, err error) {
	c.Account, err = find(ctx, tx, id)
	if err != nil {
		return c, err
	}
	key, home := c.Account.ID, tx.HouseholdID
	c.Valuations, err = tx.ListAccountValuations(ctx, queries.ListAccountValuationsParams{AccountID: key, HouseholdID: home})
	if err != nil {
		return c, err
	}
	c.Settings, err = tx.ListAccountImportSettings(ctx, queries.ListAccountImportSettingsParams{AccountID: &key, HouseholdID: home})
	if err != nil {
		return c, err
	}
	c.Decisions, err = tx.ListAccountDecisions(ctx, queries.ListAccountDecisionsParams{AccountID: key, HouseholdID: home})
	if err != nil {
		return c, err
	}
	c.Moved, err = tx.ListAccountMovedEntries(ctx, queries.ListAccountMovedEntriesParams{AccountID: key, HouseholdID: home})
	if err != nil {
		return c, err
	}
	imports, err := tx.ListAccountImports(ctx, queries.ListAccountImportsParams{AccountID: &key, HouseholdID: home})
	for _, named := range imports {
		c.Imports = append(c.Imports, hex.EncodeToString(named[:]))
	}
	return c, err
}

// closeAccount removes an account whose entries have left, and gives what else it has to the one that it is merged into;
// into is nil where it is deleted. It is noted in the history.
func closeAccount(ctx context.Context, tx *ledger.Tx, id queries.PublicID, merge *into) error {
	if err := checkIdle(ctx, tx); err != nil {
		return err
	}
	c, err := readClosing(ctx, tx, id)
	if err != nil {
		return err
	}
	if err := checkEmpty(ctx, tx, c.Account); err != nil {
		return err
	}
	if merge != nil {
		c.Into = merge
		if err := c.give(ctx, tx); err != nil {
			return err
		}
	}
	if err := tx.DeleteAccount(ctx, queries.DeleteAccountParams{ID: c.Account.ID, HouseholdID: tx.HouseholdID}); err != nil {
		return err
	}
	return tx.Record(ctx, ledger.EntityAccount, id, c, nil)
}

// give hands what an account has beside entries to the one that it is merged into. What that one has already stays there.
func (c *closed) give(ctx context.Context, tx *ledger.Tx) error {
	from, to := c.Account.ID, c.Into.Account
	if err := c.exchange(ctx, tx, c.valuations(), c.Into.After); err != nil {
		return err
	}
	if err := c.nameImports(ctx, tx, from, to); err != nil {
		return err
	}
	if err := tx.MoveImportSettings(ctx, queries.MoveImportSettingsParams{TargetID: &to, AccountID: &from,
		HouseholdID: tx.HouseholdID}); err != nil {
		return err
	}
	if err := tx.MoveDecisions(ctx, queries.MoveDecisionsParams{TargetID: to, AccountID: from, HouseholdID: tx.HouseholdID}); err != nil {
		return err
	}
	if err := tx.MoveMovedEntries(ctx, queries.MoveMovedEntriesParams{TargetID: to, AccountID: from,
		HouseholdID: tx.HouseholdID}); err != nil {
		return err
	}
	if err := c.redirect(ctx, tx); err != nil {
		return err
	}
	return balance.Check(ctx, tx, []int64{to})
}

// valuations are those that a merge takes away from both accounts: all of the one, and what changes of the other.
func (c *closed) valuations() []queries.Valuation {
	return append(append([]queries.Valuation{}, c.Valuations...), c.Into.Before...)
}

// exchange writes valuations in the place of others, which must be as they are known.
func (c *closed) exchange(ctx context.Context, tx *ledger.Tx, before, after []queries.Valuation) error {
	present := map[int64]queries.Valuation{}
	for _, account := range []int64{c.Account.ID, c.Into.Account} {
		rows, err := tx.ListAccountValuations(ctx, queries.ListAccountValuationsParams{AccountID: account, HouseholdID: tx.HouseholdID})
		if err != nil {
			return err
		}
		for _, v := range rows {
			present[v.ID] = v
		}
	}
	keys := make([]int64, len(before))
	for i, v := range before {
		if keys[i] = v.ID; !sameValuation(present[v.ID], v) {
			return ledger.ChangedSince("a valuation of the account "+ledger.Quote(c.Account.Name), "see its history")
		}
	}
	if err := tx.RemoveValuations(ctx, queries.RemoveValuationsParams{Ids: ledger.JSONArray(keys), HouseholdID: tx.HouseholdID}); err != nil {
		return err
	}
	return putValuations(ctx, tx, after)
}

func sameValuation(a, b queries.Valuation) bool {
	return a.ID == b.ID && a.AccountID == b.AccountID && ledger.Same(a.Date, b.Date) && a.Amount == b.Amount && a.Kind == b.Kind &&
		a.Stated == b.Stated && ledger.Same(a.Notes, b.Notes)
}

// putValuations writes valuations that come back or move. One that would lie on the day of another one is a conflict.
func putValuations(ctx context.Context, tx *ledger.Tx, list []queries.Valuation) error {
	for _, v := range list {
		if v.ImportID != nil {
			found, err := tx.IsImportOf(ctx, queries.IsImportOfParams{ID: *v.ImportID, HouseholdID: tx.HouseholdID, CreatedAt: v.CreatedAt})
			if err != nil {
				return err
			}
			if found == 0 {
				v.ImportID = nil
			}
		}
		v.UpdatedAt = max(tx.Stamp(), v.UpdatedAt+1)
		err := tx.PutValuation(ctx, queries.PutValuationParams(v))
		if db.IsTaken(err) {
			return ledger.ChangedSince("a valuation", "another one has its day")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// nameImports has the imports that named the account when it left name one account instead of another.
func (c *closed) nameImports(ctx context.Context, tx *ledger.Tx, from, to int64) error {
	if len(c.Imports) == 0 {
		return nil
	}
	ids, err := json.Marshal(c.Imports)
	if err != nil {
		return err
	}
	return tx.NameImportAccount(ctx, queries.NameImportAccountParams{AccountID: &to, HouseholdID: tx.HouseholdID, FormerID: from,
		Ids: string(ids)})
}
