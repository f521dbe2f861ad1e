package demo

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/rule"
)

// namedRule says what becomes of transactions that have a text in their name.
type namedRule struct {
	name, text string
	account    string // of the transactions; blank: any
	actions    []rule.Action
}

// makeRules makes rules for what comes every month: transfers between own accounts, and what the London bank's files
// say.
func (d *household) makeRules(ctx context.Context) error {
	for _, r := range d.rules() {
		in := rule.Input{Name: ledger.Some(r.name), ResourceType: ledger.Some("transaction"),
			Actions: ledger.Some(r.actions)}
		conditions := []rule.Condition{{Type: "transaction_name", Operator: "like", Value: r.text}}
		if r.account != "" {
			conditions = append(conditions, rule.Condition{Type: "transaction_account", Operator: "=",
				Value: d.accounts[r.account].String()})
		}
		in.Conditions = ledger.Some(conditions)
		if _, err := d.ledger.Rules.CreateRule(ctx, d.who, in); err != nil {
			return err
		}
	}
	return nil
}

func (d *household) rules() []namedRule {
	to := func(account string) []rule.Action {
		return ruleAction("set_as_transfer_or_payment", d.accounts[account])
	}
	return []namedRule{
		{"Saving", "monthly saving", giro, to(savings)},
		{"Card payment", "card payment", giro, to(card)},
		{"Mortgage", "mortgage payment", giro, to(mortgage)},
		{"Savings plan", "savings plan", giro, to(broker)},
		{"Retainer", "retainer", "", append(ruleAction("set_transaction_category", d.categories["Income"]),
			ruleAction("set_transaction_tags", d.tags["work"])...)},
		{"Web site", "cloud hosting", "", ruleAction("set_transaction_category", d.categories["Subscriptions"])},
		{"Bank fees", "account fee", "", ruleAction("set_transaction_category", d.categories["Fees"])},
	}
}

func ruleAction(kind string, id uuid.UUID) []rule.Action {
	return []rule.Action{{Type: kind, Value: id.String()}}
}
