package ledgertest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/rule"
)

// Rule makes a rule of conditions and actions, each "type operator value" and "type value".
func (b *Fixture) Rule(name string, conditions, actions []string) rule.Rule {
	b.tb.Helper()
	r, err := b.Rules.CreateRule(b.Ctx(), b.Who, RuleInput(name, conditions, actions))
	if err != nil {
		b.tb.Fatal(err)
	}
	return r
}

func RuleInput(name string, conditions, actions []string) rule.Input {
	in := rule.Input{Name: ledger.Some(name), Conditions: ledger.Some([]rule.Condition{}),
		Actions: ledger.Some([]rule.Action{})}
	for _, text := range conditions {
		kind, rest, _ := strings.Cut(text, " ")
		operator, value, _ := strings.Cut(rest, " ")
		in.Conditions.Value = append(in.Conditions.Value, rule.Condition{Type: kind, Operator: operator, Value: value})
	}
	for _, text := range actions {
		kind, value, _ := strings.Cut(text, " ")
		in.Actions.Value = append(in.Actions.Value, rule.Action{Type: kind, Value: value})
	}
	return in
}

// Imported writes transactions as an import does: name and amount, on days from 2026-03-01 on.
func (b *Fixture) Imported(account uuid.UUID, rows ...string) {
	b.tb.Helper()
	for i, row := range rows {
		name, minor, _ := strings.Cut(row, "=")
		b.Exec(`INSERT INTO transactions (id, public_id, household_id, account_id, date, amount, currency, name, source_hash, occurrence, created_at, updated_at)
			SELECT (h.id << 43) | ((20513 + ?2 + 25567) << 26) | (h.entry_sequence + 1), ?1, h.id, a.id, 20513 + ?2, CAST(?3 AS INTEGER), 'EUR', ?4, 7, 0, 0, 0
			FROM accounts a JOIN households h ON h.id = a.household_id WHERE a.public_id = ?5`, newPublicID(), i, minor, name, account[:])
		b.Exec(`UPDATE households SET entry_sequence = entry_sequence + 1 WHERE id = ?`, b.Who.HouseholdID)
	}
}

func newPublicID() []byte {
	id := uuid.Must(uuid.NewV7())
	return id[:]
}

// Told is name, category, merchant, tags and the rules of all transactions, oldest first.
func (b *Fixture) Told() string {
	b.tb.Helper()
	list, _, err := b.Entries.ListTransactions(b.Ctx(), b.Who, entry.TransactionFilter{},
		ledger.Page{Number: 1, Size: 100})
	if err != nil {
		b.tb.Fatal(err)
	}
	slices.Reverse(list)
	var out []string
	for _, t := range list {
		out = append(out, Tell(t))
	}
	return strings.Join(out, "\n")
}

func Tell(t entry.Transaction) string {
	out := t.Name
	if t.Category != nil {
		out += " " + t.Category.Name
	}
	if t.Merchant != nil {
		out += " " + t.Merchant.Name
	}
	for _, tag := range t.Tags {
		out += " #" + tag.Name
	}
	for _, r := range t.AppliedRules {
		out += fmt.Sprintf(" [%s by %s", r.Field, *r.Name)
		if r.Before != nil {
			out += " was " + *r.Before
		}
		out += "]"
	}
	return out
}

func (b *Fixture) Tells(when, want string) {
	b.tb.Helper()
	if got := b.Told(); got != want {
		b.tb.Errorf("%s:\n%s\nwant\n%s", when, got, want)
	}
}

func (b *Fixture) Run(only ledger.Opt[uuid.UUID], preview bool) entry.RuleOutcome {
	b.tb.Helper()
	out, err := b.Entries.RunRules(b.Ctx(), b.Who, only, preview)
	if err != nil {
		b.tb.Fatal(err)
	}
	return out
}
