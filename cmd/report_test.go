package cmd_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestBalanceAndIncome: 2,400 came in, 904.80 went out in euros; what is in dollars has no rate, and is left out and said.
func TestBalanceAndIncome(t *testing.T) {
	t.Parallel()
	s, _ := newShelf(t)
	got := s.Do("balance", "2026-03-31")
	if got.Status != 0 || got.Stderr != "Left out: -$120.50 (no rate).\n" ||
		squeezed(got.Stdout) != "AT THE END OF 2026-03-31 AMOUNT assets €1,495.20 liabilities €0.00 net worth €1,495.20" {
		t.Errorf("%+v", got)
	}
	if sheet := s.Object(0, "balance", "2026-03-02"); fmt.Sprint(sheet["net_worth_cents"]) != "-90480" || sheet["date"] != "2026-03-02" {
		t.Errorf("%v", sheet)
	}
	got = s.Do("income", "2026-03")
	if got.Status != 0 || got.Stderr != "Left out: -$120.50 (no rate).\n1 transfer left out.\n" || squeezed(got.Stdout) !=
		"2026-03-01 TO 2026-03-31 INCOME EXPENSES NET COUNT without a category €2,400.00 €900.00 €1,500.00 2 Groceries €0.00 €4.80 -€4.80 1 "+
			"Travel €0.00 €0.00 €0.00 1 together €2,400.00 €904.80 €1,495.20" {
		t.Errorf("%+v", got)
	}
	one := s.Object(0, "income", "since:2026-03-01", "until:2026-03-01", "--account", "everyday")
	if fmt.Sprint(one["expenses_cents"], one["net_cents"]) != "480 -480" || one["by_category"].([]any)[0].(map[string]any)["category"] != "Groceries" {
		t.Errorf("%v", one)
	}
	if list := s.OK("balance", "list", "2026-03-31"); !strings.Contains(list, "net worth") {
		t.Errorf("the list is %s", list)
	}
	s.Fails(2, []string{"balance", "2026"}, `must be a day such as 2026-11-24, today or yesterday, got "2026"`)
	s.Fails(2, []string{"income", "rewe"}, `"rewe" are no days`)
	s.Fails(5, []string{"income", "--account", "Nothing"}, `Account "Nothing" not found`)
}

// TestTradesAndHoldings: ten shares for 12.50 and a fee of 1 cost 12.60 each.
func TestTradesAndHoldings(t *testing.T) {
	t.Parallel()
	s, _ := newShelf(t)
	s.OK("account", "create", "Broker", "--type", "investment")
	id := strings.TrimSpace(s.OK("trade", "add", "buy", "ACME", "--account", "Broker", "--quantity", "10", "--price", "12.50", "--fee", "1", "--date", "2026-03-02"))
	s.OK("trade", "add", "dividend", "ACME", "--account", "Broker", "--amount", "8.40", "--date", "2026-03-03")
	if got := squeezed(withoutIDs(s.OK("trade", "list", "--account", "broker"))); got != "DATE ACCOUNT TYPE TICKER QUANTITY PRICE AMOUNT ID "+
		"2026-03-03 Broker dividend ACME 0 0 €8.40 ID 2026-03-02 Broker buy ACME 10 12.5 -€126.00 ID" {
		t.Error(got)
	}
	if list := s.List("trade", "list", "--limit", "1"); len(list) != 1 || fmt.Sprint(list[0]["signed_amount_cents"]) != "840" {
		t.Errorf("%v", list)
	}
	if got := squeezed(s.OK("holding", "list", "--date", "2026-03-05")); got != "ACCOUNT TICKER NAME QUANTITY PRICE OF WORTH COST EACH "+
		"Broker ACME - 10 12.5 EUR 2026-03-02 €125.00 12.6 EUR" {
		t.Error(got)
	}
	if list := s.List("holding", "list", "--account", "Broker"); len(list) != 1 || list[0]["quantity"] != "10" || list[0]["average_cost"] != "12.6" {
		t.Errorf("%v", list)
	}
	s.OK("trade", "update", id, "--quantity", "5", "--fee", "2", "--date", "2026-03-01")
	if list := s.List("trade", "list"); len(list) != 2 || list[1]["quantity"] != "5" || fmt.Sprintf("%v %v", list[1]["signed_amount_cents"], list[1]["date"]) != "-6450 2026-03-01" {
		t.Errorf("changed: %v", list)
	}
	s.OK("trade", "delete", id)
	if list := s.List("holding", "list"); len(list) != 0 {
		t.Errorf("deleted, there are %v", list)
	}
	for _, c := range []struct {
		status int
		args   string
		says   string
	}{
		{2, "trade add buy ACME --quantity 1 --price 1", "--account ACCOUNT is needed"},
		{2, "trade add buy ACME --account Everyday --quantity 1 --price 1", "investment or crypto"},
		{2, "trade add sell ACME --account Broker --quantity 1 --price 1", "held"},
		{2, "trade add give ACME --account Broker --amount 1", "type must be"},
		{2, "trade add buy ACME --account Broker --quantity x --price 1", "quantity must be"},
		{2, "trade update " + id, "nothing to change: give --date"}, {2, "trade update " + id + " --price x", "price must be"},
		{5, "trade update " + id + " --price 1", "not found"}, {2, "trade delete ACME", "is no id of a trade"}, {2, "trade list --limit -1", "--limit must be 0 or more"},
		{5, "trade list --account Nothing", "not found"},
	} {
		s.Fails(c.status, strings.Fields(c.args), c.says)
	}
}

func TestValuations(t *testing.T) {
	t.Parallel()
	s, _ := newShelf(t)
	s.OK("account", "create", "House", "--type", "property")
	got := s.Do("valuation", "add", "house", "310000", "--date", "2026-01-01")
	if got.Status != 0 || got.Stderr != "Noted: House is worth €310,000.00 at the end of 2026-01-01.\n" {
		t.Errorf("%+v", got)
	}
	if again := s.Do("valuation", "add", "House", "320000", "--date", "2026-01-01", "--notes", "survey"); !strings.HasPrefix(again.Stderr, "Replaced: House is worth €320,000.00") {
		t.Errorf("%+v", again)
	}
	if list := s.OK("valuation", "list", "--account", "House"); !strings.Contains(squeezed(list), "2026-01-01 House €320,000.00") {
		t.Error(list)
	}
	if list := s.List("valuation", "list", "--account", "House"); fmt.Sprintf("%.0f", list[0]["amount_cents"]) != "32000000" || list[0]["notes"] != "survey" {
		t.Errorf("%v", list)
	}
	changed := s.Do("valuation", "update", strings.TrimSpace(got.Stdout), "--amount", "315000", "--date", "2026-01-02")
	if changed.Status != 0 || changed.Stderr != "Changed: House is worth €315,000.00 at the end of 2026-01-02.\n" {
		t.Errorf("%+v", changed)
	}
	s.Fails(2, []string{"valuation", "update", strings.TrimSpace(got.Stdout)}, "nothing to change: give --amount")
	s.OK("valuation", "delete", strings.TrimSpace(got.Stdout))
	s.Fails(5, []string{"valuation", "delete", strings.TrimSpace(got.Stdout)}, "not found")
	s.Fails(2, []string{"valuation", "delete", "House"}, "is no id of a valuation")
	s.Fails(2, []string{"valuation", "add", "House", "much"}, "AMOUNT must be")
	s.Fails(2, []string{"valuation", "add", "House", "1", "--date", "2026"}, "must be a day")
	s.Fails(5, []string{"valuation", "add", "Barn", "1"}, `Account "Barn" not found`)
}

func TestTransferCommands(t *testing.T) {
	t.Parallel()
	s, ids := newShelf(t)
	list := s.List("transfer", "list", "--status", "pending")
	if len(list) != 1 || list[0]["from_account"] != "Everyday" || list[0]["to_account"] != "Savings" || fmt.Sprint(list[0]["to_amount_cents"]) != "30000" ||
		list[0]["inflow_transaction_id"] != ids["=Saved"] {
		t.Fatalf("%v", list)
	}
	id := list[0]["id"].(string)
	got := s.Do("transfer", "confirm", id)
	if got.Status != 0 || !strings.HasPrefix(got.Stderr, "Confirmed: €300.00 from Everyday to Savings on 2026-03-05.") {
		t.Errorf("%+v", got)
	}
	if text := squeezed(s.OK("transfer", "list", "--account", "savings", "--status", "confirmed")); !strings.Contains(text, "2026-03-05 Everyday Savings €300.00 confirmed") {
		t.Error(text)
	}
	s.OK("transfer", "reject", id)
	if text := s.OK("transfer", "list"); strings.Contains(text, "Savings") {
		t.Errorf("rejected, there is\n%s", text)
	}
	linked := s.Do("transfer", "link", list[0]["outflow_transaction_id"].(string), ids["=Saved"])
	if linked.Status != 0 || linked.Stderr != "€300.00 went from Everyday to Savings.\n" {
		t.Errorf("%+v", linked)
	}
	s.OK("transfer", "delete", strings.TrimSpace(linked.Stdout))
	s.Fails(5, []string{"transfer", "confirm", id}, "not found")
	s.Fails(2, []string{"transfer", "confirm", "Savings"}, "is no id of a transfer")
	s.Fails(2, []string{"transfer", "link", ids["Rent"], ids["Salary"]}, "transaction_id")
	s.Fails(2, []string{"transfer", "list", "--status", "open"}, "--status must be pending or confirmed")
	s.Fails(2, []string{"transfer", "list", "--limit", "-1"}, "--limit must be 0 or more")
}
