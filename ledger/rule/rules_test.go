package rule_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/rule"
	"finsvc/ledger/transfer"
)

func TestRulesOnNewTransactions(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account, food, fun, kiosk := b.Account(b.Who, "Checking", "EUR"), b.Category(b.Who, "Food"), b.Tag(b.Who, "fun"), b.Merchant(b.Who, "Kiosk")
	b.Rule("Bread", []string{"transaction_name like bread"}, []string{"set_transaction_category " + food.String(), "set_transaction_tags " + fun.String(),
		"set_transaction_merchant " + kiosk.String(), "set_transaction_name Loaf"})
	b.Create(ledgertest.Entry(account, "2026-03-01", "3", "Bread"))
	said := ledgertest.Entry(account, "2026-03-02", "3", "Bread and butter")
	said.CategoryID, said.TagIDs, said.MerchantID = ledger.Opt[uuid.UUID]{Set: true, Null: true}, ledger.Some([]uuid.UUID{}), ledger.Some(b.Merchant(b.Who, "Baker"))
	b.Create(said)
	b.Create(ledgertest.Entry(account, "2026-03-03", "3", "Rent"))
	b.Tells("created", "Bread Food Kiosk #fun [category by Bread] [merchant by Bread] [tags by Bread]\nBread and butter Baker\nRent")
	if list, _, err := b.Entries.ListTransactions(b.Ctx(), b.Who, entry.TransactionFilter{Search: "kiosk"}, ledger.Page{Number: 1, Size: 9}); err != nil || len(list) != 1 {
		t.Errorf("found %d by the merchant that a rule has set, %v", len(list), err)
	}
}

func TestRulesNeverWinOverPeople(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account, food, fun := b.Account(b.Who, "Checking", "EUR"), b.Category(b.Who, "Food"), b.Category(b.Who, "Fun")
	r := b.Rule("Food", nil, []string{"set_transaction_category " + food.String()})
	first := b.Create(ledgertest.Entry(account, "2026-03-01", "3", "A"))
	second := b.Create(ledgertest.Entry(account, "2026-03-02", "3", "B"))
	third := b.Create(ledgertest.Entry(account, "2026-03-03", "3", "C"))
	b.Update(uuid.UUID(first.PublicID), entry.TransactionInput{CategoryID: ledger.Some(fun)})
	b.Update(uuid.UUID(second.PublicID), entry.TransactionInput{CategoryID: ledger.Opt[uuid.UUID]{Set: true, Null: true}})
	b.Update(uuid.UUID(third.PublicID), entry.TransactionInput{CategoryID: ledger.Some(food)})
	b.Tells("changed by hand", "A Fun\nB\nC Food")
	if out := b.Run(ledger.Some(uuid.UUID(r.PublicID)), false); out.Matched != 3 || out.Changed != 0 {
		t.Errorf("the rule matched %d and changed %d", out.Matched, out.Changed)
	}
	b.Tells("the rule was run", "A Fun\nB\nC Food")
}

func TestRunOfRules(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account, food := b.Account(b.Who, "Checking", "EUR"), b.Category(b.Who, "Food")
	b.Imported(account, "BREAD 1=-300", "RENT=-90000", "BREAD 2=-400")
	typed := b.Create(ledgertest.Entry(account, "2026-03-09", "3", "bread by hand"))
	in := ledgertest.RuleInput("Bread", []string{"transaction_name like bread"}, []string{"set_transaction_name Loaf", "set_transaction_category " + food.String()})
	in.Active, in.EffectiveDate = ledger.Some(false), ledger.Some(ledger.NewDate(2026, 3, 2))
	r, err := b.Rules.CreateRule(b.Ctx(), b.Who, in)
	if err != nil {
		t.Fatal(err)
	}
	id := ledger.Some(uuid.UUID(r.PublicID))
	before := b.Told()
	out := b.Run(id, true)
	var shown []string
	for _, c := range out.Changes {
		shown = append(shown, fmt.Sprintf("%s %s>%s", c.Field, orNull(c.Before), orNull(c.After)))
	}
	if got, want := strings.Join(shown, " "), "name BREAD 2>Loaf category ->Food category ->Food"; got != want || out.Matched != 2 || out.Changed != 2 {
		t.Errorf("preview: %d %d %s, want %s", out.Matched, out.Changed, got, want)
	}
	b.Tells("previewed", before)
	if out := b.Run(ledger.Opt[uuid.UUID]{}, false); out.Matched != 0 {
		t.Errorf("an inactive rule was run with the others: %+v", out)
	}
	if out := b.Run(id, false); out.Matched != 2 || out.Changed != 2 || out.Changes != nil {
		t.Errorf("run: %+v", out)
	}
	b.Tells("run", "BREAD 1\nRENT\nLoaf Food [category by Bread] [name by Bread was BREAD 2]\nbread by hand Food [category by Bread]")
	if out := b.Run(id, false); out.Matched != 1 || out.Changed != 0 {
		t.Errorf("run again: %+v", out)
	}
	if n := b.Changes(uuid.UUID(typed.PublicID)); n != 2 {
		t.Errorf("the history has %d entries of a transaction that was made and changed by a rule", n)
	}
	runs, total, err := b.Entries.ListRuleRuns(b.Ctx(), b.Who, entry.RuleRunFilter{RuleID: id, Status: entry.RuleRunSuccess}, ledger.Page{Number: 1, Size: 10})
	if err != nil || total != 2 || runs[0].Matched != 1 || runs[1].Changed != 2 || *runs[1].RuleLabel.Name != "Bread" {
		t.Errorf("%d runs, %+v, %v", total, runs, err)
	}
	if err := b.Entries.DeleteRule(b.Ctx(), b.Who, id.Value); err != nil {
		t.Fatal(err)
	}
	b.Tells("the rule is gone", "BREAD 1\nRENT\nLoaf Food\nbread by hand Food")
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
	b := ledgertest.New(t)
	account, food := b.Account(b.Who, "Checking", "EUR"), b.Category(b.Who, "Food")
	b.Exec(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4500)
		INSERT INTO transactions (id, public_id, household_id, account_id, date, amount, currency, name, source_hash, occurrence, created_at, updated_at)
		SELECT (a.household_id << 43) | ((20513 + 25567) << 26) | i, randomblob(16), a.household_id, a.id, 20513, -100, 'EUR', iif(i % 9 = 0, 'Bread', 'Rent'), 7, i, 0, 0
		FROM n, accounts a WHERE a.public_id = ?`, account[:])
	b.Rule("Bread", []string{"transaction_name = Bread"}, []string{"set_transaction_category " + food.String()})
	for want, preview := range map[int64]bool{500: true} {
		if out := b.Run(ledger.Opt[uuid.UUID]{}, preview); out.Matched != want || out.Changed != want || len(out.Changes) != 100 {
			t.Errorf("preview: %d matched, %d changed, %d shown", out.Matched, out.Changed, len(out.Changes))
		}
	}
	if out := b.Run(ledger.Opt[uuid.UUID]{}, false); out.Matched != 500 || out.Changed != 500 {
		t.Errorf("run: %d matched, %d changed", out.Matched, out.Changed)
	}
	if out := b.Run(ledger.Opt[uuid.UUID]{}, false); out.Matched != 500 || out.Changed != 0 {
		t.Errorf("run again: %d matched, %d changed", out.Matched, out.Changed)
	}
}

// TestRunsAreSettled: whatever the rules, running them all a second time changes nothing.
func TestRunsAreSettled(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account := b.Account(b.Who, "Checking", "EUR")
	ids := []uuid.UUID{b.Category(b.Who, "x"), b.Category(b.Who, "y"), b.Tag(b.Who, "x"), b.Tag(b.Who, "y")}
	rapid.Check(t, func(r *rapid.T) {
		b.Exec("DELETE FROM rules")
		b.Exec("DELETE FROM transactions")
		b.Imported(account, "a=-100", "b=200", "ab=0")
		typed := ledgertest.Entry(account, "2026-03-09", "3", "a")
		if rapid.Bool().Draw(r, "said") {
			typed.CategoryID = ledger.Some(ids[rapid.IntRange(0, 1).Draw(r, "category")])
		}
		b.Create(typed)
		for range rapid.IntRange(1, 4).Draw(r, "rules") {
			name := rapid.SampledFrom([]string{"a", "b", "ab", "c"})
			condition := rapid.SampledFrom([]string{"transaction_name like " + name.Draw(r, "like"), "transaction_name = " + name.Draw(r, "equal"),
				"transaction_category = " + ids[0].String(), "transaction_tag is_null", "transaction_type = income"})
			actions := rapid.SampledFrom([][]string{{"set_transaction_name " + name.Draw(r, "name")}, {"set_transaction_category " + ids[0].String()},
				{"set_transaction_category " + ids[1].String(), "set_transaction_tags " + ids[2].String()}, {"set_transaction_tags " + ids[3].String()}})
			b.Rule("r", rapid.SliceOfN(condition, 0, 2).Draw(r, "conditions"), actions.Draw(r, "actions"))
		}
		preview, done := b.Run(ledger.Opt[uuid.UUID]{}, true), b.Run(ledger.Opt[uuid.UUID]{}, false)
		if preview.Changed != done.Changed || preview.Matched != done.Matched {
			r.Fatalf("the preview said %d of %d, the run changed %d of %d", preview.Changed, preview.Matched, done.Changed, done.Matched)
		}
		was := b.Told()
		if again := b.Run(ledger.Opt[uuid.UUID]{}, false); again.Changed != 0 || b.Told() != was {
			r.Fatalf("a second run changed %d: %s, was %s", again.Changed, b.Told(), was)
		}
	})
}

func TestTransfersByRules(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	checking, card, other := b.Account(b.Who, "Checking", "EUR"), b.Account(b.Who, "Card", "EUR"), b.Account(b.Who, "Other", "EUR")
	b.Create(ledgertest.Entry(card, "2026-03-01", "-50", "Payment received"))
	b.Create(ledgertest.Entry(other, "2026-03-02", "-50", "Something else"))
	b.Rule("Card", []string{"transaction_name like card"}, []string{"set_as_transfer_or_payment " + card.String()})
	paid := b.Create(ledgertest.Entry(checking, "2026-03-02", "50", "Card bill"))
	tr := b.Only()
	if tr.Status != transfer.TransferConfirmed || tr.Inflow.Name != "Payment received" || tr.Outflow.Name != "Card bill" || tr.Reason != `the rule "Card" says so` {
		t.Errorf("got %s %q of %s and %s", tr.Status, tr.Reason, tr.Outflow.Name, tr.Inflow.Name)
	}
	if got := ledgertest.Tell(b.Get(paid)); got != "Card bill [transfer by Card]" {
		t.Error(got)
	}
	b.Create(ledgertest.Entry(checking, "2026-03-09", "70", "card bill with no other side"))
	for range 2 {
		b.Create(ledgertest.Entry(card, "2026-03-20", "-80", "one of two"))
	}
	b.Create(ledgertest.Entry(checking, "2026-03-22", "80", "card bill with two other sides"))
	for _, x := range b.ListedTransfers() {
		if x.Status == transfer.TransferConfirmed && x.ID != tr.ID {
			t.Errorf("%s was joined with %s", x.Outflow.Name, x.Inflow.Name)
		}
	}
	if got := b.Told(); strings.Count(got, "[transfer") != 1 {
		t.Error(got)
	}
	if out := b.Run(ledger.Opt[uuid.UUID]{}, true); out.Changed != 0 || out.Matched != 3 {
		t.Errorf("preview: %+v", out)
	}
	b.Create(ledgertest.Entry(card, "2026-03-10", "-70", "Late")) // is matched without a rule
	if out := b.Run(ledger.Opt[uuid.UUID]{}, false); out.Changed != 0 {
		t.Errorf("run: %+v", out)
	}
}

func TestRulesOfOthers(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	r := b.Rule("Mine", nil, []string{"set_transaction_name x"})
	them, id := b.Household("Them"), uuid.UUID(r.PublicID)
	_, err := b.Rules.GetRule(b.Ctx(), them, id)
	_, changed := b.Rules.UpdateRule(b.Ctx(), them, id, rule.Input{Name: ledger.Some("Theirs")})
	_, ran := b.Entries.RunRules(b.Ctx(), them, ledger.Some(id), false)
	for what, err := range map[string]error{"get": err, "update": changed, "run": ran, "delete": b.Entries.DeleteRule(b.Ctx(), them, id)} {
		if !ledger.IsKind(err, ledger.NotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, total, err := b.Rules.ListRules(b.Ctx(), them, rule.Filter{}, ledger.Page{Number: 1, Size: 9}); err != nil || total != 0 {
		t.Errorf("they have %d rules, %v", total, err)
	}
	if _, total, err := b.Entries.ListRuleRuns(b.Ctx(), them, entry.RuleRunFilter{RuleID: ledger.Some(id)}, ledger.Page{Number: 1, Size: 9}); err != nil || total != 0 {
		t.Errorf("they have %d runs, %v", total, err)
	}
	theirs := b.Category(them, "Food")
	if _, err := b.Rules.CreateRule(b.Ctx(), b.Who, ledgertest.RuleInput("x", nil, []string{"set_transaction_category " + theirs.String()})); !ledger.IsKind(err, ledger.Invalid) {
		t.Errorf("their category was taken: %v", err)
	}
}
