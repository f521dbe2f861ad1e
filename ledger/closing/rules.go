package closing

import (
	"context"
	"encoding/hex"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// redirect makes what rules say of an account that is merged be of the one that it goes into.
func (c *closed) redirect(ctx context.Context, tx *ledger.Tx) error {
	target, err := tx.GetAccountID(ctx, queries.GetAccountIDParams{ID: c.Into.Account, HouseholdID: tx.HouseholdID})
	if err != nil {
		return ledger.Missing(err, "Account")
	}
	rules, err := tx.ListRulesNaming(ctx, queries.ListRulesNamingParams{HouseholdID: tx.HouseholdID,
		Digits: hex.EncodeToString(c.Account.PublicID[:])})
	if err != nil {
		return err
	}
	from, to := uuid.UUID(c.Account.PublicID).String(), uuid.UUID(target).String()
	c.Into.RulesBefore, c.Into.RulesAfter = rules, nil
	for _, r := range rules {
		r.Conditions, r.Actions = strings.ReplaceAll(r.Conditions, from, to), strings.ReplaceAll(r.Actions, from, to)
		c.Into.RulesAfter = append(c.Into.RulesAfter, r)
	}
	return setRules(ctx, tx, c.Into.RulesAfter)
}

// redirectBack makes rules say again what they said of the account. Those that were deleted since stay so.
func (c *closed) redirectBack(ctx context.Context, tx *ledger.Tx) error {
	var back []queries.Rule
	for i, after := range c.Into.RulesAfter {
		now, err := tx.GetRule(ctx, queries.GetRuleParams{PublicID: after.PublicID, HouseholdID: tx.HouseholdID})
		switch err = ledger.Missing(err, "Rule"); {
		case ledger.IsKind(err, ledger.NotFound):
			continue
		case err != nil:
			return err
		case now.Conditions != after.Conditions || now.Actions != after.Actions:
			return ledger.ChangedSince("a rule that named the account "+ledger.Quote(c.Account.Name), "see its history")
		}
		back = append(back, c.Into.RulesBefore[i])
	}
	return setRules(ctx, tx, back)
}

func setRules(ctx context.Context, tx *ledger.Tx, rules []queries.Rule) error {
	for _, r := range rules {
		if err := tx.SetRuleTexts(ctx, queries.SetRuleTextsParams{Conditions: r.Conditions, Actions: r.Actions, Stamp: tx.Stamp(),
			ID: r.ID, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
	}
	return nil
}
