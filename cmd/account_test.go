package cmd_test

import (
	"encoding/json"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

func TestAccounts(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--currency", "EUR", "--owner", "ana@example.org")
	id := strings.TrimSpace(s.OK("account", "create", "Checking", "--type", "depository", "--balance", "1234.50", "--date", "2026-01-01", "--institution", "Bank"))
	if len(id) != 36 {
		t.Errorf("printed %q, want an id", id)
	}
	visa := strings.TrimSpace(s.OK("account", "create", "Visa", "--type", "credit_card", "--currency", "USD", "--balance", "-12.50"))
	want := "NAME      TYPE            BALANCE  LEFT OUT  STATUS  ID\n" +
		"Checking  depository   1.234,50\u00a0€  -         active  " + id + "\n" +
		"Visa      credit_card    -12,50\u00a0$  -         active  " + visa + "\n"
	if got := s.OK("account", "list"); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	s.OK("account", "update", "visa", "--name", "Card", "--status", "disabled", "--balance", "20")
	s.OK("account", "update", id, "--notes", "main", "--date", "")
	var all []struct {
		ID, Name, Status string
		Type             string  `json:"account_type"`
		Balance          int64   `json:"balance_cents"`
		Opening          int64   `json:"opening_balance_cents"`
		Date             *string `json:"opening_date"`
		Unconverted      []any
	}
	if err := json.Unmarshal([]byte(s.OK("account", "list", "--all", "--json")), &all); err != nil {
		t.Fatal(err)
	}
	if len(all) != 2 || all[0].Name != "Card" || all[0].Status != "disabled" || all[0].Balance != 2000 || all[1].ID != id || all[1].Opening != 123450 || all[1].Date != nil || all[1].Unconverted == nil {
		t.Errorf("got %+v", all)
	}
	if got := s.OK("account", "list", "--json"); strings.Contains(got, "Card") {
		t.Errorf("a disabled account is listed: %s", got)
	}
	s.Fails(2, []string{"account", "create", "X"}, "--type TYPE is needed")
	s.Fails(2, []string{"account", "create", "X", "--type", "piggy", "--balance", "1.005", "--date", "2026-02-30"},
		"account_type must be", "date must be a calendar date")
	s.Fails(2, []string{"account", "create", "X", "--type", "loan", "--balance", "abc"}, "balance must be a number")
	s.Fails(5, []string{"account", "update", "Nothing", "--name", "X"}, `Account "Nothing" not found`)
	s.OK("account", "create", "card", "--type", "loan", "--yes")
	s.Fails(2, []string{"account", "update", "Card", "--name", "X"}, "ambiguous")
}
