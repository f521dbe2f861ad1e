package ledger_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
)

// rule makes a rule of conditions and actions, each "type operator value" and "type value".
func (b *books) rule(name string, conditions, actions []string) ledger.Rule {
	b.tb.Helper()
	r, err := b.CreateRule(b.ctx(), b.who, ruleInput(name, conditions, actions))
	if err != nil {
		b.tb.Fatal(err)
	}
	return r
}

func ruleInput(name string, conditions, actions []string) ledger.RuleInput {
	in := ledger.RuleInput{Name: ledger.Some(name), Conditions: ledger.Some([]ledger.RuleCondition{}), Actions: ledger.Some([]ledger.RuleAction{})}
	for _, text := range conditions {
		kind, rest, _ := strings.Cut(text, " ")
		operator, value, _ := strings.Cut(rest, " ")
		in.Conditions.Value = append(in.Conditions.Value, ledger.RuleCondition{Type: kind, Operator: operator, Value: value})
	}
	for _, text := range actions {
		kind, value, _ := strings.Cut(text, " ")
		in.Actions.Value = append(in.Actions.Value, ledger.RuleAction{Type: kind, Value: value})
	}
	return in
}

// imported writes transactions as an import does: name and amount, on days from 2026-03-01 on.
func (b *books) imported(account uuid.UUID, rows ...string) {
	b.tb.Helper()
	for i, row := range rows {
		name, minor, _ := strings.Cut(row, "=")
		b.exec(`INSERT INTO transactions (id, public_id, household_id, account_id, date, amount, currency, name, source_hash, occurrence, created_at, updated_at)
			SELECT (h.id << 43) | ((20513 + ?2 + 25567) << 26) | (h.entry_sequence + 1), ?1, h.id, a.id, 20513 + ?2, CAST(?3 AS INTEGER), 'EUR', ?4, 7, 0, 0, 0
			FROM accounts a JOIN households h ON h.id = a.household_id WHERE a.public_id = ?5`, newPublicID(), i, minor, name, account[:])
		b.exec(`UPDATE households SET entry_sequence = entry_sequence + 1 WHERE id = ?`, b.who.HouseholdID)
	}
}

func newPublicID() []byte {
	id := uuid.Must(uuid.NewV7())
	return id[:]
}

// told is name, category, merchant, tags and the rules of all transactions, oldest first.
func (b *books) told() string {
	b.tb.Helper()
	list, _, err := b.ListTransactions(b.ctx(), b.who, ledger.TransactionFilter{}, ledger.Page{Number: 1, Size: 100})
	if err != nil {
		b.tb.Fatal(err)
	}
	slices.Reverse(list)
	var out []string
	for _, t := range list {
		out = append(out, tell(t))
	}
	return strings.Join(out, "\n")
}

func tell(t ledger.Transaction) string {
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

func (b *books) tells(when, want string) {
	b.tb.Helper()
	if got := b.told(); got != want {
		b.tb.Errorf("%s:\n%s\nwant\n%s", when, got, want)
	}
}

func TestRulesOnNewTransactions(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	account, food, fun, kiosk := b.account(b.who, "Checking", "EUR"), b.category(b.who, "Food"), b.tag(b.who, "fun"), b.merchant(b.who, "Kiosk")
	b.rule("Bread", []string{"transaction_name like bread"}, []string{"set_transaction_category " + food.String(), "set_transaction_tags " + fun.String(),
		"set_transaction_merchant " + kiosk.String(), "set_transaction_name Loaf"})
	b.create(entry(account, "2026-03-01", "3", "Bread"))
	said := entry(account, "2026-03-02", "3", "Bread and butter")
	said.CategoryID, said.TagIDs, said.MerchantID = ledger.Opt[uuid.UUID]{Set: true, Null: true}, ledger.Some([]uuid.UUID{}), ledger.Some(b.merchant(b.who, "Baker"))
	b.create(said)
	b.create(entry(account, "2026-03-03", "3", "Rent"))
	b.tells("created", "Bread Food Kiosk #fun [category by Bread] [merchant by Bread] [tags by Bread]\nBread and butter Baker\nRent")
	if list, _, err := b.ListTransactions(b.ctx(), b.who, ledger.TransactionFilter{Search: "kiosk"}, ledger.Page{Number: 1, Size: 9}); err != nil || len(list) != 1 {
		t.Errorf("found %d by the merchant that a rule has set, %v", len(list), err)
	}
}

func TestRulesNeverWinOverPeople(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	account, food, fun := b.account(b.who, "Checking", "EUR"), b.category(b.who, "Food"), b.category(b.who, "Fun")
	r := b.rule("Food", nil, []string{"set_transaction_category " + food.String()})
	first := b.create(entry(account, "2026-03-01", "3", "A"))
	second := b.create(entry(account, "2026-03-02", "3", "B"))
	third := b.create(entry(account, "2026-03-03", "3", "C"))
	b.update(uuid.UUID(first.PublicID), ledger.TransactionInput{CategoryID: ledger.Some(fun)})
	b.update(uuid.UUID(second.PublicID), ledger.TransactionInput{CategoryID: ledger.Opt[uuid.UUID]{Set: true, Null: true}})
	b.update(uuid.UUID(third.PublicID), ledger.TransactionInput{CategoryID: ledger.Some(food)})
	b.tells("changed by hand", "A Fun\nB\nC Food")
	if out := b.run(ledger.Some(uuid.UUID(r.PublicID)), false); out.Matched != 3 || out.Changed != 0 {
		t.Errorf("the rule matched %d and changed %d", out.Matched, out.Changed)
	}
	b.tells("the rule was run", "A Fun\nB\nC Food")
}

func (b *books) run(only ledger.Opt[uuid.UUID], preview bool) ledger.RuleOutcome {
	b.tb.Helper()
	out, err := b.RunRules(b.ctx(), b.who, only, preview)
	if err != nil {
		b.tb.Fatal(err)
	}
	return out
}

func TestRunOfRules(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	account, food := b.account(b.who, "Checking", "EUR"), b.category(b.who, "Food")
	b.imported(account, "BREAD 1=-300", "RENT=-90000", "BREAD 2=-400")
	typed := b.create(entry(account, "2026-03-09", "3", "bread by hand"))
	in := ruleInput("Bread", []string{"transaction_name like bread"}, []string{"set_transaction_name Loaf", "set_transaction_category " + food.String()})
	in.Active, in.EffectiveDate = ledger.Some(false), ledger.Some(ledger.NewDate(2026, 3, 2))
	r, err := b.CreateRule(b.ctx(), b.who, in)
	if err != nil {
		t.Fatal(err)
	}
	id := ledger.Some(uuid.UUID(r.PublicID))
	before := b.told()
	out := b.run(id, true)
	var shown []string
	for _, c := range out.Changes {
		shown = append(shown, fmt.Sprintf("%s %s>%s", c.Field, orNull(c.Before), orNull(c.After)))
	}
	if got, want := strings.Join(shown, " "), "name BREAD 2>Loaf category ->Food category ->Food"; got != want || out.Matched != 2 || out.Changed != 2 {
		t.Errorf("preview: %d %d %s, want %s", out.Matched, out.Changed, got, want)
	}
	b.tells("previewed", before)
	if out := b.run(ledger.Opt[uuid.UUID]{}, false); out.Matched != 0 {
		t.Errorf("an inactive rule was run with the others: %+v", out)
	}
	if out := b.run(id, false); out.Matched != 2 || out.Changed != 2 || out.Changes != nil {
		t.Errorf("run: %+v", out)
	}
	b.tells("run", "BREAD 1\nRENT\nLoaf Food [category by Bread] [name by Bread was BREAD 2]\nbread by hand Food [category by Bread]")
	if out := b.run(id, false); out.Matched != 1 || out.Changed != 0 {
		t.Errorf("run again: %+v", out)
	}
	if n := b.changes(uuid.UUID(typed.PublicID)); n != 2 {
		t.Errorf("the history has %d entries of a transaction that was made and changed by a rule", n)
	}
	runs, total, err := b.ListRuleRuns(b.ctx(), b.who, ledger.RuleRunFilter{RuleID: id, Status: ledger.RuleRunSuccess}, ledger.Page{Number: 1, Size: 10})
	if err != nil || total != 2 || runs[0].Matched != 1 || runs[1].Changed != 2 || *runs[1].RuleLabel.Name != "Bread" {
		t.Errorf("%d runs, %+v, %v", total, runs, err)
	}
	if err := b.DeleteRule(b.ctx(), b.who, id.Value); err != nil {
		t.Fatal(err)
	}
	b.tells("the rule is gone", "BREAD 1\nRENT\nLoaf Food\nbread by hand Food")
}

func orNull(text *string) string {
	if text == nil {
		return "-"
	}
	return *text
}

// TestRunOfManyRows crosses the borders of the parts in which rows are read and written.
func TestRunOfManyRows(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	account, food := b.account(b.who, "Checking", "EUR"), b.category(b.who, "Food")
	b.exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4500)
		INSERT INTO transactions (id, public_id, household_id, account_id, date, amount, currency, name, source_hash, occurrence, created_at, updated_at)
		SELECT (a.household_id << 43) | ((20513 + 25567) << 26) | i, randomblob(16), a.household_id, a.id, 20513, -100, 'EUR', iif(i % 9 = 0, 'Bread', 'Rent'), 7, i, 0, 0
		FROM n, accounts a WHERE a.public_id = ?`, account[:])
	b.rule("Bread", []string{"transaction_name = Bread"}, []string{"set_transaction_category " + food.String()})
	for want, preview := range map[int64]bool{500: true} {
		if out := b.run(ledger.Opt[uuid.UUID]{}, preview); out.Matched != want || out.Changed != want || len(out.Changes) != 100 {
			t.Errorf("preview: %d matched, %d changed, %d shown", out.Matched, out.Changed, len(out.Changes))
		}
	}
	if out := b.run(ledger.Opt[uuid.UUID]{}, false); out.Matched != 500 || out.Changed != 500 {
		t.Errorf("run: %d matched, %d changed", out.Matched, out.Changed)
	}
	if out := b.run(ledger.Opt[uuid.UUID]{}, false); out.Matched != 500 || out.Changed != 0 {
		t.Errorf("run again: %d matched, %d changed", out.Matched, out.Changed)
	}
}

// TestRunsAreSettled: whatever the rules, running them all a second time changes nothing.
func TestRunsAreSettled(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	account := b.account(b.who, "Checking", "EUR")
	ids := []uuid.UUID{b.category(b.who, "x"), b.category(b.who, "y"), b.tag(b.who, "x"), b.tag(b.who, "y")}
	rapid.Check(t, func(r *rapid.T) {
		b.exec("DELETE FROM rules")
		b.exec("DELETE FROM transactions")
		b.imported(account, "a=-100", "b=200", "ab=0")
		typed := entry(account, "2026-03-09", "3", "a")
		if rapid.Bool().Draw(r, "said") {
			typed.CategoryID = ledger.Some(ids[rapid.IntRange(0, 1).Draw(r, "category")])
		}
		b.create(typed)
		for range rapid.IntRange(1, 4).Draw(r, "rules") {
			name := rapid.SampledFrom([]string{"a", "b", "ab", "c"})
			condition := rapid.SampledFrom([]string{"transaction_name like " + name.Draw(r, "like"), "transaction_name = " + name.Draw(r, "equal"),
				"transaction_category = " + ids[0].String(), "transaction_tag is_null", "transaction_type = income"})
			actions := rapid.SampledFrom([][]string{{"set_transaction_name " + name.Draw(r, "name")}, {"set_transaction_category " + ids[0].String()},
				{"set_transaction_category " + ids[1].String(), "set_transaction_tags " + ids[2].String()}, {"set_transaction_tags " + ids[3].String()}})
			b.rule("r", rapid.SliceOfN(condition, 0, 2).Draw(r, "conditions"), actions.Draw(r, "actions"))
		}
		preview, done := b.run(ledger.Opt[uuid.UUID]{}, true), b.run(ledger.Opt[uuid.UUID]{}, false)
		if preview.Changed != done.Changed || preview.Matched != done.Matched {
			r.Fatalf("the preview said %d of %d, the run changed %d of %d", preview.Changed, preview.Matched, done.Changed, done.Matched)
		}
		was := b.told()
		if again := b.run(ledger.Opt[uuid.UUID]{}, false); again.Changed != 0 || b.told() != was {
			r.Fatalf("a second run changed %d: %s, was %s", again.Changed, b.told(), was)
		}
	})
}

func TestTransfersByRules(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	checking, card, other := b.account(b.who, "Checking", "EUR"), b.account(b.who, "Card", "EUR"), b.account(b.who, "Other", "EUR")
	b.create(entry(card, "2026-03-01", "-50", "Payment received"))
	b.create(entry(other, "2026-03-02", "-50", "Something else"))
	b.rule("Card", []string{"transaction_name like card"}, []string{"set_as_transfer_or_payment " + card.String()})
	paid := b.create(entry(checking, "2026-03-02", "50", "Card bill"))
	tr := b.only()
	if tr.Status != ledger.TransferConfirmed || tr.Inflow.Name != "Payment received" || tr.Outflow.Name != "Card bill" || tr.Reason != `the rule "Card" says so` {
		t.Errorf("got %s %q of %s and %s", tr.Status, tr.Reason, tr.Outflow.Name, tr.Inflow.Name)
	}
	if got := tell(b.get(paid)); got != "Card bill [transfer by Card]" {
		t.Error(got)
	}
	b.create(entry(checking, "2026-03-09", "70", "card bill with no other side"))
	for range 2 {
		b.create(entry(card, "2026-03-20", "-80", "one of two"))
	}
	b.create(entry(checking, "2026-03-22", "80", "card bill with two other sides"))
	for _, x := range b.transfers() {
		if x.Status == ledger.TransferConfirmed && x.ID != tr.ID {
			t.Errorf("%s was joined with %s", x.Outflow.Name, x.Inflow.Name)
		}
	}
	if got := b.told(); strings.Count(got, "[transfer") != 1 {
		t.Error(got)
	}
	if out := b.run(ledger.Opt[uuid.UUID]{}, true); out.Changed != 0 || out.Matched != 3 {
		t.Errorf("preview: %+v", out)
	}
	b.create(entry(card, "2026-03-10", "-70", "Late")) // is matched without a rule
	if out := b.run(ledger.Opt[uuid.UUID]{}, false); out.Changed != 0 {
		t.Errorf("run: %+v", out)
	}
}

func TestRulesOfOthers(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	r := b.rule("Mine", nil, []string{"set_transaction_name x"})
	them, id := b.household("Them"), uuid.UUID(r.PublicID)
	_, err := b.GetRule(b.ctx(), them, id)
	_, changed := b.UpdateRule(b.ctx(), them, id, ledger.RuleInput{Name: ledger.Some("Theirs")})
	_, ran := b.RunRules(b.ctx(), them, ledger.Some(id), false)
	for what, err := range map[string]error{"get": err, "update": changed, "run": ran, "delete": b.DeleteRule(b.ctx(), them, id)} {
		if !ledger.IsKind(err, ledger.NotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, total, err := b.ListRules(b.ctx(), them, ledger.RuleFilter{}, ledger.Page{Number: 1, Size: 9}); err != nil || total != 0 {
		t.Errorf("they have %d rules, %v", total, err)
	}
	if _, total, err := b.ListRuleRuns(b.ctx(), them, ledger.RuleRunFilter{RuleID: ledger.Some(id)}, ledger.Page{Number: 1, Size: 9}); err != nil || total != 0 {
		t.Errorf("they have %d runs, %v", total, err)
	}
	theirs := b.category(them, "Food")
	if _, err := b.CreateRule(b.ctx(), b.who, ruleInput("x", nil, []string{"set_transaction_category " + theirs.String()})); !ledger.IsKind(err, ledger.Invalid) {
		t.Errorf("their category was taken: %v", err)
	}
}
