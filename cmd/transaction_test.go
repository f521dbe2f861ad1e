package cmd_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

// newShelf is a household with accounts, labels and some transactions, whose ids it gives by their names.
func newShelf(t *testing.T) (*cmdtest.CommandLine, map[string]string) {
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org", "--currency", "EUR", "--locale", "en", "--timezone", "UTC")
	s.OK("account", "create", "Everyday", "--type", "depository")
	s.OK("account", "create", "Savings", "--type", "depository")
	s.OK("account", "create", "Dollars", "--type", "depository", "--currency", "USD")
	ids := map[string]string{}
	for _, row := range [][]string{
		{"Bakery", "--account", "Everyday", "--expense", "4.80", "--date", "2026-03-01", "--category", "Groceries"},
		{"Rent", "--account", "everyday", "--expense", "900", "--date", "2026-03-02", "--notes", "March\nflat"},
		{"Salary", "--account", "Everyday", "--income", "2400", "--date", "2026-03-03"},
		{"Hotel", "--account", "Dollars", "--expense", "120.50", "--date", "2026-03-04", "--category", "Travel"},
		{"=Saved", "--account", "Everyday", "--expense", "300", "--date", "2026-03-05"},
		{"=Saved", "--account", "Savings", "--income", "300", "--date", "2026-03-05"},
	} {
		ids[row[0]] = strings.TrimSpace(s.OK(append([]string{"transaction", "add"}, row...)...))
	}
	return s, ids
}

// withoutIDs has a word in the place of each id.
func withoutIDs(text string) string {
	return regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`).ReplaceAllString(text, "ID")
}

func TestTransactionList(t *testing.T) {
	t.Parallel()
	s, _ := newShelf(t)
	const all = `DATE        ACCOUNT   NAME    CATEGORY       TAGS    AMOUNT  ID
2026-03-05  Savings   =Saved  from Everyday  -      €300.00  ID
2026-03-05  Everyday  =Saved  to Savings     -     -€300.00  ID
2026-03-04  Dollars   Hotel   Travel         -     -$120.50  ID
2026-03-03  Everyday  Salary  -              -    €2,400.00  ID
2026-03-02  Everyday  Rent    -              -     -€900.00  ID
2026-03-01  Everyday  Bakery  Groceries      -       -€4.80  ID
6 transactions: €2,700.00 in, €1,204.80 out, €1,495.20 together
                $0.00 in, $120.50 out, -$120.50 together
`
	for search, want := range map[string]string{
		"": all,
		"@everyday >50 no:category -is:transfer": `DATE        ACCOUNT   NAME    CATEGORY  TAGS     AMOUNT  ID
2026-03-03  Everyday  Salary  -         -     €2,400.00  ID
2026-03-02  Everyday  Rent    -         -      -€900.00  ID
2 transactions: €2,400.00 in, €900.00 out, €1,500.00 together
`,
		"cat:groceries 2026-03": `DATE        ACCOUNT   NAME    CATEGORY   TAGS  AMOUNT  ID
2026-03-01  Everyday  Bakery  Groceries  -     -€4.80  ID
1 transaction: €0.00 in, €4.80 out, -€4.80 together
`,
		"nothing": "",
	} {
		if got := withoutIDs(strings.ReplaceAll(s.OK("transaction", "list", search), "US$", "$")); squeezed(got) != squeezed(want) {
			t.Errorf("%q lists\n%s", search, got)
		}
	}
	got := s.Do("transaction", "list", "--largest", "--limit", "1")
	if !strings.Contains(got.Stdout, "Salary") || !strings.Contains(got.Stdout, "6 transactions: ") || got.Stderr != "These are 1 of 6. All: --limit 0\n" {
		t.Errorf("the largest: %+v", got)
	}
	const csv = `date,account,name,amount,currency,category,merchant,tags,notes,transfer_account,id
2026-03-05,Everyday,'=Saved,-300.00,EUR,,,,,Savings,ID
2026-03-02,Everyday,Rent,-900.00,EUR,,,,"March
flat",,ID
`
	if got := withoutIDs(s.OK("transaction", "list", "--csv", "@everyday", ">=300", "<=900")); got != csv {
		t.Errorf("CSV is\n%s", got)
	}
	if got := withoutIDs(s.OK("transaction", "list", "--json", "hotel")); squeezed(got) != `[ { "id": "ID", "date": "2026-03-04", "account": "Dollars", "account_id": "ID", "name": "Hotel", "notes": null, "signed_amount_cents": -12050, "currency": "USD", "category": "Travel", "merchant": null, "tags": [], "split_of": null, "transfer_account": null } ]` {
		t.Errorf("JSON is %s", got)
	}
	s.Fails(2, []string{"transaction", "list", "cat:drinks"}, `has "cat:drinks", which names no category; nearest: `)
	s.Fails(2, []string{"transaction", "list", "--json", "--csv"}, "not both")
	s.Fails(2, []string{"transaction", "list", "--limit", "-1"}, "--limit must be 0 or more")
}

// squeezed has one blank for each run of them.
func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

func TestTransactionAdd(t *testing.T) {
	t.Parallel()
	s, _ := newShelf(t)
	s.Fails(6, []string{"account", "create", "everyday", "--type", "depository"}, `there is an account "Everyday" already (depository, EUR, `)
	s.OK("account", "create", "everyday", "--type", "depository", "--currency", "USD", "--yes")
	for _, c := range []struct {
		status int
		args   string
		says   string
	}{
		{2, "X --expense 1", "--account ACCOUNT is needed"},
		{2, "X --account Savings", "--expense AMOUNT or --income AMOUNT is needed"},
		{2, "X --account Savings --expense 1 --income 1", "not both"},
		{2, "X --account Savings --expense -3", "expense must be more than 0, got -3"},
		{2, "X --account Savings --expense 1,50", "expense must be"},
		{2, "X --account Savings --expense 1.505", "amount has more decimals than EUR allows"},
		{2, "X --account Savings --expense 1 --date oct", "date must be a day such as 2026-11-24, today or yesterday"},
		{2, "X --account Everyday --expense 1", `account named "Everyday" is ambiguous: 2 have that name; give the id instead: `},
		{5, "X --account Wallet --expense 1", `Account "Wallet" not found; nearest: `},
		{5, "X --account Savings --expense 1 --category Grocries", `Category "Grocries" not found; nearest: Groceries`},
		{5, "X --account Savings --expense 1 --tag fun", `Tag "fun" not found, there are none at all`},
		{5, "X --account Savings --expense 1 --merchant Rewe", `Merchant "Rewe" not found`},
	} {
		s.Fails(c.status, append([]string{"transaction", "add"}, strings.Fields(c.args)...), c.says)
	}
	got := s.Do("transaction", "add", "Tea", "--account", "Savings", "--expense", "2", "--category", "Groceries", "--date", "yesterday")
	if got.Status != 0 || !regexp.MustCompile(`^Booked -€2\.00 on \d{4}-\d\d-\d\d in Savings: "Tea", Groceries\.\n$`).MatchString(got.Stderr) {
		t.Errorf("%+v", got)
	}
	if tea := s.Object(0, "transaction", "add", "Tea", "--account", "Savings", "--income", "2"); fmt.Sprint(tea["signed_amount_cents"]) != "200" || tea["account"] != "Savings" {
		t.Errorf("as JSON: %v", tea)
	}
}

// TestTransactionEdit: one, several and what a search finds are changed, looked at before, and taken back.
func TestTransactionEdit(t *testing.T) {
	t.Parallel()
	s, ids := newShelf(t)
	find := func(search string) string { return squeezed(withoutIDs(s.OK("transaction", "list", search))) }
	rent := ids["Rent"]
	got := s.Do("transaction", "edit", rent, "--category", "Groceries", "--name", "Rent of March", "--expense", "910", "--notes", "")
	if got.Status != 0 || !strings.HasPrefix(got.Stderr, "Changed 1 of 1 transaction.\nTake it back: finsvc history undo ") {
		t.Fatalf("%+v", got)
	}
	if text := s.OK("transaction", "show", rent[28:]); squeezed(text) != "date 2026-03-02 account Everyday name Rent of March amount -€910.00 category Groceries tags - id "+rent {
		t.Errorf("it is\n%s", text)
	}
	undo := strings.Fields(strings.TrimSpace(got.Stderr[strings.Index(got.Stderr, "finsvc history"):]))
	s.OK(undo[1:4]...)
	if text := s.OK("transaction", "show", rent); squeezed(text) != "date 2026-03-02 account Everyday name Rent amount -€900.00 category - tags - notes March flat id "+rent {
		t.Errorf("taken back it is\n%s", text)
	}

	dry := s.Do("transaction", "edit", "--where", "@everyday >=300", "--category", "Travel", "--dry-run")
	if dry.Status != 0 || dry.Stderr != "3 transactions found, 3 would change.\n" || squeezed(dry.Stdout) != "DATE ACCOUNT NAME AMOUNT FIELD BEFORE AFTER 2026-03-05 Everyday =Saved -€300.00 category - Travel "+
		"2026-03-03 Everyday Salary €2,400.00 category - Travel 2026-03-02 Everyday Rent -€900.00 category - Travel" {
		t.Errorf("%+v", dry)
	}
	if list := find("cat:travel"); !strings.Contains(list, "1 transaction:") {
		t.Errorf("after a dry run: %s", list)
	}
	out := s.Object(0, "transaction", "edit", "--where", "@everyday >=300", "--category", "Travel", "--dry-run")
	if out["dry_run"] != true || fmt.Sprint(out["changed"]) != "3" || out["change_id"] != nil || len(out["changes"].([]any)) != 3 {
		t.Errorf("as JSON: %v", out)
	}
	out = s.Object(0, "transaction", "edit", "--where", "@everyday >=300", "--category", "Travel", "--yes")
	if out["dry_run"] != false || fmt.Sprint(out["changed"]) != "3" {
		t.Errorf("as JSON: %v", out)
	}
	if list := find("cat:travel"); !strings.Contains(list, "4 transactions:") {
		t.Errorf("changed: %s", list)
	}
	s.OK("history", "undo", out["change_id"].(string))
	if list := find("cat:travel"); !strings.Contains(list, "1 transaction:") {
		t.Errorf("taken back: %s", list)
	}
	for _, c := range []struct {
		status int
		args   []string
		says   string
	}{
		{2, []string{"--name", "x"}, "by their ids, or give --where"},
		{2, []string{rent, "--where", "rent", "--name", "x"}, "not both"},
		{2, []string{"--where", "", "--name", "x", "--yes"}, "--where must not be empty"},
		{2, []string{"--where", "cat:x", "--name", "x", "--yes"}, "--where has \"cat:x\""},
		{2, []string{"--where", "rent", "--name", "x"}, "say --yes"},
		{2, []string{rent, ids["Salary"], "--name", "x"}, "say --yes"},
		{2, []string{rent}, "nothing to change: give --name"},
		{2, []string{"Rent", "--name", "x"}, `"Rent" is no id of a transaction`},
		{5, []string{"01a1fd73-afc3-7c1a-8792-e3cffcbe3078", "--name", "x"}, "not found"},
		{5, []string{"00000000", "--name", "x"}, "Transaction 00000000 not found"},
	} {
		s.Fails(c.status, append([]string{"transaction", "edit"}, c.args...), c.says)
	}
}

func TestTransactionSplit(t *testing.T) {
	t.Parallel()
	s, ids := newShelf(t)
	rent := ids["Rent"]
	want := "date 2026-03-02 account Everyday name Rent amount -€900.00 category - tags - notes March flat id ID " +
		"PART CATEGORY AMOUNT ID - Groceries -€30.50 ID the flat Travel -€869.50 ID"
	if got := withoutIDs(s.OK("transaction", "split", rent, "30.50 Groceries", "rest travel = the flat")); squeezed(got) != want {
		t.Errorf("split it is\n%s", got)
	}
	part := s.Object(0, "transaction", "show", rent)["split_lines"].([]any)[1].(map[string]any)
	if part["name"] != "the flat" || fmt.Sprint(part["signed_amount_cents"]) != "-86950" {
		t.Errorf("a part is %v", part)
	}
	if got := withoutIDs(s.OK("transaction", "show", part["id"].(string))); !strings.Contains(got, "part of   ID\n") {
		t.Errorf("a part is\n%s", got)
	}
	for _, c := range []struct {
		status int
		args   []string
		says   string
	}{
		{2, []string{rent, "30 Groceries", "40 Travel"}, "must add up"},
		{2, []string{rent, "rest Groceries", "rest Travel"}, "only one part can be the rest"},
		{2, []string{rent, "900 Groceries", "rest Travel"}, "nothing is left for the rest"},
		{2, []string{rent, "much Groceries", "rest Travel"}, "part \"much Groceries\": its amount must be"},
		{5, []string{rent, "30 Drinks", "rest Travel"}, `Category "Drinks" not found`},
		{2, []string{part["id"].(string), "30 Groceries", "rest Travel"}, "part of a split transaction"},
	} {
		s.Fails(c.status, append([]string{"transaction", "split"}, c.args...), c.says)
	}
	if got := s.Do("transaction", "unsplit", rent); got.Status != 0 || got.Stderr != "\"Rent\" is whole.\n" || strings.Contains(got.Stdout, "PART") {
		t.Errorf("%+v", got)
	}
}

func TestTransactionDelete(t *testing.T) {
	t.Parallel()
	s, ids := newShelf(t)
	s.Fails(2, []string{"transaction", "delete", ids["Rent"]}, "say --yes")
	s.Fails(5, []string{"transaction", "delete", ids["Rent"], "01a1fd73-afc3-7c1a-8792-e3cffcbe3078", "--yes"}, "not found")
	got := s.Do("transaction", "delete", ids["Rent"], ids["=Saved"], ids["Rent"][28:], "--yes")
	if got.Status != 0 || !strings.HasPrefix(got.Stderr, "Deleted 2 transactions.\nTake it back: finsvc history undo ") {
		t.Fatalf("%+v", got)
	}
	if list := s.OK("transaction", "list"); !strings.Contains(list, "4 transactions:") || strings.Contains(list, "to Savings") {
		t.Errorf("left are\n%s", list)
	}
	s.OK("history", "undo", strings.Fields(got.Stderr)[9])
	if list := s.OK("transaction", "list"); !strings.Contains(list, "6 transactions:") || !strings.Contains(list, "to Savings") {
		t.Errorf("taken back there are\n%s", list)
	}
}

// TestCategorize: what has no category is gone through by name, the most first; a digit, a name or the beginning of one
// picks, nothing goes on, and a rule is made where it is wanted.
func TestCategorize(t *testing.T) {
	t.Parallel()
	s, _ := newShelf(t)
	for _, day := range []string{"2026-03-06", "2026-03-07"} {
		s.OK("transaction", "add", "Coffee bar", "--account", "Everyday", "--expense", "3", "--date", day)
	}
	got := s.Typing("xyz\nheal\ny\n\ngroceries\nn\n", "categorize", "@everyday")
	for _, want := range []string{
		"1 of 3: \"Coffee bar\", 2 transactions, -€6.00, last on 2026-03-07 in Everyday\n  1 Groceries  2 Travel", "There is no category \"xyz\"; nearest: ",
		"A rule: what comes under this name gets it as well? [y/N] ", "Healthcare: 2 transactions, and a rule.\nTake it back: finsvc history undo ", "2 of 3: \"Salary\", 1 transaction, €2,400.00",
		"3 of 3: \"Rent\", 1 transaction, -€900.00", "Groceries: 1 transaction.", "3 transactions categorized.\n"} {
		if got.Status != 0 || !strings.Contains(got.Stderr, want) {
			t.Errorf("status %d, %q is not in\n%s", got.Status, want, got.Stderr)
		}
	}
	if id := strings.TrimSpace(s.OK("transaction", "add", "Coffee bar", "--account", "Everyday", "--expense", "3")); s.Object(0, "transaction", "show", id)["category"] != "Healthcare" {
		t.Error("the rule does nothing")
	}
	if got := s.Typing("1\n", "categorize"); got.Status != 0 || !strings.HasSuffix(got.Stderr, "\n1 transaction categorized.\n") {
		t.Errorf("%+v", got)
	}
	if got := s.Typing("q\n", "categorize"); got.Status != 0 || got.Stderr != "Everything has a category.\n" {
		t.Errorf("%+v", got)
	}
	s.Fails(2, []string{"categorize", "is:transfer"}, "leave no:category and is:transfer out")
	s.Fails(2, []string{"categorize", "cat:x"}, "names no category")
}
