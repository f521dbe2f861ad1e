package cmd_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestLabels: categories, tags and merchants are made, listed, changed, merged and deleted by their names.
func TestLabels(t *testing.T) {
	t.Parallel()
	s, _ := newShelf(t)
	for _, kind := range []string{"category", "tag", "merchant"} {
		id := strings.TrimSpace(s.OK(kind, "create", "Bread"))
		s.OK(kind, "create", "Cake")
		s.OK("transaction", "add", "Roll", "--account", "Savings", "--expense", "1", "--"+kind, id)
		if got := s.OK(kind, "list", "--count"); !strings.Contains(squeezed(got), "1 "+id) {
			t.Errorf("%s list prints\n%s", kind, got)
		}
		list := s.List(kind, "list")
		if len(list) < 2 || list[len(list)-1]["id"] == "" || list[0]["transactions"] != nil {
			t.Errorf("%s list --json prints %v", kind, list)
		}
		s.OK(kind, "update", "bread", "--name", "Bread and rolls")
		s.Fails(2, []string{kind, "update", "Cake"}, "nothing to change")
		s.Fails(2, []string{kind, "create", "Cake"}, "Cake")
		s.Fails(2, []string{kind, "merge", "Bread and rolls", "Cake"}, "Say --yes")
		s.Fails(5, []string{kind, "merge", "Bread", "Cake", "--yes"}, `"Bread" not found; nearest: Bread and rolls`)
		s.Fails(2, []string{kind, "merge", "Cake", "cake", "--yes"}, "must be another")
		got := s.Do(kind, "merge", "Bread and rolls", "Cake", "--yes")
		if got.Status != 0 || got.Stderr != "1 transaction of \"Bread and rolls\" are those of \"Cake\" now.\n" {
			t.Errorf("%+v", got)
		}
		s.Fails(2, []string{kind, "delete", "Cake"}, "Say --yes")
		got = s.Do(kind, "delete", "Cake", "--yes")
		if got.Status != 0 || !strings.Contains(got.Stderr, "1 transaction had it.") {
			t.Errorf("%+v", got)
		}
	}
	s.OK("category", "create", "Bakery", "--parent", "groceries", "--color", "#f97316")
	s.OK("category", "create", "Gifts received", "--income")
	for _, row := range s.List("category", "list") {
		switch row["name"] {
		case "Bakery":
			if row["parent"] != "Groceries" || row["classification"] != "expense" {
				t.Errorf("%v", row)
			}
		case "Gifts received":
			if row["classification"] != "income" {
				t.Errorf("%v", row)
			}
		}
	}
	s.OK("category", "update", "Groceries:Bakery", "--parent", "")
	s.Fails(5, []string{"category", "create", "Rolls", "--parent", "Bread"}, `Category "Bread" not found`)
}

// TestRuleAdd: a rule is written in words, looked at, made and run.
func TestRuleAdd(t *testing.T) {
	t.Parallel()
	s, ids := newShelf(t)
	s.OK("tag", "create", "home")
	const text = `name contains rent -> category Travel, tag home`
	dry := s.Do("rule", "add", text, "--dry-run")
	if dry.Status != 0 || dry.Stderr != "1 transaction matched, 1 transaction would change.\n" ||
		squeezed(dry.Stdout) != "DATE ACCOUNT NAME AMOUNT FIELD BEFORE AFTER 2026-03-02 Everyday Rent -€900.00 category - Travel 2026-03-02 Everyday Rent -€900.00 tags - home" {
		t.Errorf("%+v", dry)
	}
	out := s.Object(0, "rule", "add", text, "--dry-run")
	if row := out["changes"].([]any)[0].(map[string]any); row["transaction_id"] != ids["Rent"] || row["date"] != "2026-03-02" || row["after"] != "Travel" {
		t.Errorf("%v", row)
	}
	if list := s.List("rule", "list"); len(list) != 0 {
		t.Fatalf("a dry run made %v", list)
	}
	made := s.Do("rule", "add", text, "--run", "--name", "Home", "--from", "2026-01-01")
	if made.Status != 0 || !strings.HasPrefix(made.Stderr, "1 transaction matched, 1 transaction changed.\nTake it back: finsvc history undo ") {
		t.Errorf("%+v", made)
	}
	if list := s.OK("transaction", "list", "#home"); !strings.Contains(list, "Rent") {
		t.Errorf("run, it left\n%s", list)
	}
	file := s.Write("rule.json", `{"rule": {"name": "Pay", "conditions": [{"condition_type": "transaction_amount", "operator": ">", "value": 2000}],
		"actions": [{"action_type": "set_transaction_name", "value": "Pay"}]}}`)
	later := s.Do("rule", "add", "--file", file, "--inactive")
	if later.Status != 0 || !strings.HasPrefix(later.Stderr, "The rule is for what comes. Apply it to what is there: finsvc rule run ") {
		t.Errorf("%+v", later)
	}
	id := strings.TrimSpace(later.Stdout)
	s.OK("rule", "update", id, "name is Pay -> category Travel", "--active", "--from", "2026-02-01")
	s.OK("rule", "update", id, "--inactive")
	s.Fails(2, []string{"rule", "update", id}, "nothing to change: give --name")
	s.Fails(2, []string{"rule", "update", id, "name is Pay -> category Drinks"}, `names no category of the household: "Drinks"`)
	s.Fails(2, []string{"rule", "update", id, "--active", "--inactive"}, "not both")
	list := s.List("rule", "list")
	if fmt.Sprintf("%v %v %v", list[1]["name"], list[1]["active"], list[1]["effective_date"]) != "Pay false 2026-02-01" || !strings.Contains(fmt.Sprint(list[1]["actions"]), "set_transaction_category") {
		t.Errorf("changed: %v", list[1])
	}
	if len(list) != 2 || list[0]["name"] != "Home" || list[0]["effective_date"] != "2026-01-01" || list[1]["active"] != false {
		t.Errorf("%v", list)
	}
	if got := s.Do("rule", "delete", strings.TrimSpace(later.Stdout)); got.Status != 0 || got.Stderr != "Deleted the rule \"Pay\".\n" {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{nil, "write the rule"}, {[]string{text, "--file", file}, "write the rule"}, {[]string{text, "--dry-run", "--run"}, "not both"},
		{[]string{"name contains rent"}, "needs an arrow"}, {[]string{"everything -> category Drinks"}, `no category of the household: "Drinks"`},
		{[]string{text, "--from", "soon"}, "from"}, {[]string{"--file", s.Write("bad.json", "[]")}, "must be JSON as the API has it"},
	} {
		s.Fails(2, append([]string{"rule", "add"}, c.args...), c.says)
	}
}
