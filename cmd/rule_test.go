package cmd_test

import (
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
	"finsvc/ledger/rule"
)

func TestRules(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org")
	s.OK("account", "create", "Checking", "--type", "depository", "--currency", "EUR")
	id := ""
	s.Ledger(func(l *books.Books, home ledger.Actor) {
		list, _, err := l.Accounts.ListAccounts(t.Context(), home, false, ledger.Page{Number: 1, Size: 9})
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		account := list[0]
		for _, name := range []string{"Bread", "Rent"} {
			_, _, err := l.Entries.CreateTransaction(t.Context(), home, entry.TransactionInput{AccountID: ledger.Some(uuid.UUID(account.Account.PublicID)),
				Date: ledger.Some(ledger.NewDate(2026, 3, 1)), Amount: ledger.Some(money.Currency{Code: "EUR", Exponent: 2}.Decimal(300)), Name: ledger.Some(name)})
			if err != nil {
				t.Fatal(err)
			}
		}
		tag, err := l.Labels.CreateTag(t.Context(), home, catalog.TagInput{Name: ledger.Some("food")})
		if err != nil {
			t.Fatal(err)
		}
		in := rule.Input{Name: ledger.Some("Bread"), Conditions: ledger.Some([]rule.Condition{{Type: "transaction_name", Operator: "like", Value: "bread"}}),
			Actions: ledger.Some([]rule.Action{{Type: "set_transaction_tags", Value: uuid.UUID(tag.PublicID).String()}})}
		rule, err := l.Rules.CreateRule(t.Context(), home, in)
		if err != nil {
			t.Fatal(err)
		}
		id = uuid.UUID(rule.PublicID).String()
	})
	if got, want := s.OK("rule", "list"), "NAME   ACTIVE  FROM  CONDITIONS  ACTIONS  ID\nBread  yes     -              1        1  "+id+"\n"; got != want {
		t.Errorf("list:\n%s\nwant\n%s", got, want)
	}
	if got := s.OK("rule", "list", "--json"); !strings.Contains(got, `"condition_type": "transaction_name"`) || !strings.Contains(got, `"effective_date": null`) {
		t.Error(got)
	}
	if got := s.OK("rule", "run", "--dry-run"); squeezed(got) != "DATE ACCOUNT NAME AMOUNT FIELD BEFORE AFTER 2026-03-01 Checking Bread -3,00 € tags - food" {
		t.Errorf("dry run:\n%s", got)
	}
	if got, want := withoutIDs(s.OK("rule", "run", id, "--json")), "{\n  \"preview\": false,\n  \"matched\": 1,\n  \"changed\": 1,\n  \"change_id\": \"ID\"\n}\n"; got != want {
		t.Errorf("run: %s", got)
	}
	if got := s.OK("rule", "run"); got != "" {
		t.Errorf("run again: %s", got)
	}
	for args, want := range map[string]int{"rule run 7": 2, "rule run 00000000-0000-7000-8000-000000000000": 5, "rule run a b": 2} {
		s.Fails(want, strings.Fields(args))
	}
}
