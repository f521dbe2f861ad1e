package importer_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/table"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
)

const mintHeader = "Date,Description,Original Description,Amount,Transaction Type,Category,Account Name,Labels,Notes\n"

func TestMintRows(t *testing.T) {
	t.Parallel()
	const bread = `2/03/2026,Corner Bakery,BAKERY 12 LONDON,"1,004.80",debit,Food,Everyday,"fun,trip",Two loaves` + "\n"
	const pay = `11/28/2026,Waterworks,ACH WATERWORKS,1950.00,credit,Income,Everyday,,` + "\n"
	for name, c := range map[string]struct{ file, settings, want string }{
		"as Mint wrote it": {mintHeader + bread + pay, `{}`,
			"2026-02-03 -100480 EUR Corner Bakery|Two loaves|Food|fun+trip|Everyday;2026-11-28 195000 EUR Waterworks||Income||Everyday"},
		"without a header": {bread + pay, `{"has_header":"false"}`,
			"2026-02-03 -100480 EUR Corner Bakery|Two loaves|Food|fun+trip|Everyday;2026-11-28 195000 EUR Waterworks||Income||Everyday"},
		"without the optional columns": {"Date,Description,Amount,Transaction Type,Account Name\n1/2/2026,Bread,3,debit,Everyday\n", `{}`,
			"2026-01-02 -300 EUR Bread||||Everyday"},
		"what is given wins": {"Date,Description,Amount,Kind\n2026-02-01,Bread,3,IN\n2026-02-01,Bread,3,OUT\n",
			`{"date_format":"%Y-%m-%d","entity_type_col_label":"Kind","amount_type_inflow_value":"IN"}`,
			"2026-02-01 300 EUR Bread;2026-02-01 -300 EUR Bread"},
		"signed amounts": {"Date,Description,Amount\n2/1/2026,Bread,-3\n",
			`{"amount_type_strategy":"signed_amount"}`, "2026-02-01 -300 EUR Bread"},
		"another word": {mintHeader + "2/1/2026,Bread,,3,refund,,Everyday,,\n", `{}`,
			`1 issue Transaction Type "refund"`},
		"the date of another": {mintHeader + "2026-02-01,Bread,,3,debit,,Everyday,,\n", `{}`,
			`1 issue Date "2026-02-01"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := importer.Request{Type: recordpkg.MintImport, Settings: settings(t, c.settings)}.Resolved()
			d := euro(t)
			d.Type = in.Type
			rows, err := table.NewRows(source.Text(c.file), in.Settings, d)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for row, err := rows.Next(); err == nil; row, err = rows.Next() {
				got = append(got, sketch(row))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, ";")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// issues are the columns, cells and messages of what is wrong, a line each.
func issues(list []recordpkg.Issue) string {
	var out []string
	for _, i := range list {
		out = append(out, fmt.Sprintf("%d %s %q %s", i.Row, i.Column, i.Cell, i.Message))
	}
	return strings.Join(out, "\n")
}

func creates(list []importer.Creation) string {
	var out []string
	for _, c := range list {
		out = append(out, strings.TrimSpace(c.Entity+" "+c.Name+" "+c.Currency))
	}
	return strings.Join(out, "; ")
}

// categories are name, place, classification, colour and icon of all, by name.
func (k *fixture) categories() string {
	k.tb.Helper()
	list, _, err := k.ledger.Labels.ListCategories(k.tb.Context(), k.who, catalog.CategoryFilter{},
		ledger.Page{Number: 1, Size: 100})
	if err != nil {
		k.tb.Fatal(err)
	}
	var out []string
	for _, c := range list {
		path := c.Name
		if c.Parent != nil {
			path = c.Parent.Name + ":" + path
		}
		out = append(out, fmt.Sprintf("%s %s %s %s", path, c.Classification, c.Color, c.Icon))
	}
	slices.Sort(out)
	return strings.Join(out, "\n")
}

func (k *fixture) published(kind, file string, skip bool) string {
	k.tb.Helper()
	imp := k.send(file, importer.Request{Type: kind, Publish: true, SkipInvalidRows: skip})
	k.work()
	imp, err := k.Get(k.tb.Context(), k.who, [16]byte(imp.PublicID))
	if err != nil {
		k.tb.Fatal(err)
	}
	why := ""
	if imp.Error != nil {
		why = " " + *imp.Error
	}
	_, rows, err := k.Results(k.tb.Context(), k.who, [16]byte(imp.PublicID), ledger.Page{Number: 1, Size: 100})
	if err != nil {
		k.tb.Fatal(err)
	}
	fates := ""
	for _, row := range rows {
		fates += " " + row.Fate(imp.Status)
	}
	return fmt.Sprintf("%s %d %d %d%s%s", imp.Status, imp.RowsCount, imp.ValidRowsCount, imp.InvalidRowsCount, fates,
		why)
}

// The sub-category stands before its parent, whose own row decides what it looks like.
func TestCategoryImport(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	const file = "name*,color,parent_category,classification,lucide_icon\n" +
		"Bread,#000000,food,income,wheat\nFood,#AA3355,,,apple\nPay,#00ff00,,Income,coins\nLonely,,Missing,income,cloud\n"
	before := k.counts()
	out := k.preflight(file, importer.Request{Type: recordpkg.CategoryImport})
	if got, want := creates(out.Creates), "category Food; category Pay; category food:Bread; category Missing; category Missing:Lonely"; !strings.EqualFold(got, want) || out.Valid != 4 || out.Obstacle != "" {
		t.Errorf("preflight: %s, %d valid, %q", got, out.Valid, out.Obstacle)
	}
	if after := k.counts(); after != before {
		t.Errorf("the preflight stored something: %s, was %s", after, before)
	}
	const done = "complete 4 4 0 imported imported imported imported"
	if got := k.published(recordpkg.CategoryImport, file, false); got != done {
		t.Error(got)
	}
	all := k.categories()
	for _, want := range []string{"Food expense #aa3355 apple", "Food:Bread expense #aa3355 wheat",
		"Missing:Lonely income", "Pay income #00ff00 coins"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s in\n%s", want, all)
		}
	}
	if got := k.published(recordpkg.CategoryImport, file, false); got != "complete 4 4 0 already_imported already_imported already_imported already_imported" {
		t.Error(got)
	}
	if diff := cmp.Diff(all, k.categories()); diff != "" {
		t.Errorf("the same file again changed something: %s", diff)
	}
}

// TestCategoryImportChangesWhatExists: colour, icon and parent become what the cells say, a blank one changes nothing,
// and the revert makes all what it was. Bread and Rye are below Food and have its colour; Tea is moved from Food to
// Drinks.
func TestCategoryImportChangesWhatExists(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	k.published(recordpkg.CategoryImport, "name,parent,color,icon,classification\nFood,,#111111,apple,expense\nBread,Food,,wheat,\nRye,Food,,grain,\nTea,Food,,leaf,\nDrinks,,#222222,cup,expense\nPay,,#333333,coins,income\n", false)
	before := k.categories()
	const file = "name,parent,color,icon,classification\nfood,,#aaaaaa,,income\nBREAD,,,pear,\nTea,Drinks,,,\nPay,,,,\nNew,Food,,,income\n"
	out := k.preflight(file, importer.Request{Type: recordpkg.CategoryImport})
	var told []string
	for _, c := range out.Creates {
		told = append(told, strings.TrimSpace(c.Entity+" "+c.Name+" "+strings.Join(c.Changes, ", ")))
	}
	want := []string{"category Food:New", "changed category Food color #aaaaaa, was #111111",
		"changed category Food:Bread color #aaaaaa, was #111111, icon pear, was wheat",
		"changed category Drinks:Tea parent Drinks, was Food, color #222222, was #111111"}
	if diff := cmp.Diff(want, told); diff != "" || out.Matched != 1 || out.Obstacle != "" {
		t.Errorf("preflight, %d there, %q: %s", out.Matched, out.Obstacle, diff)
	}
	if diff := cmp.Diff(before, k.categories()); diff != "" {
		t.Errorf("the preflight changed something: %s", diff)
	}
	imp := k.send(file, importer.Request{Type: recordpkg.CategoryImport, Publish: true})
	k.work()
	_, rows, err := k.Results(t.Context(), k.who, [16]byte(imp.PublicID), ledger.Page{Number: 1, Size: 100})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(rows[0].Remarks, ""); got != "classification income does not count: food is expense, and an import changes no classification" {
		t.Errorf("of Food it is said: %q", got)
	}
	if got := strings.Join(rows[4].Remarks, ""); got != "classification income does not count: Food, its parent, is expense, and an import changes no classification" {
		t.Errorf("of New it is said: %q", got)
	}
	after := "Drinks expense #222222 cup\nDrinks:Tea expense #222222 leaf\nFood expense #aaaaaa apple\nFood:Bread expense #aaaaaa pear\n" +
		"Food:New expense #aaaaaa shapes\nFood:Rye expense #aaaaaa grain\nPay income #333333 coins"
	if diff := cmp.Diff(after, k.categories()); diff != "" {
		t.Errorf("(-want +got) %s", diff)
	}
	if again := k.preflight(file, importer.Request{Type: recordpkg.CategoryImport}); len(again.Creates) > 0 ||
		again.Matched != 4 {
		t.Errorf("the same file again makes %+v, %d are there", again.Creates, again.Matched)
	}
	if got := k.published(recordpkg.CategoryImport, file, false); !strings.HasPrefix(got, "complete 5 5 0 ") {
		t.Error(got)
	}
	if diff := cmp.Diff(after, k.categories()); diff != "" {
		t.Errorf("the same file again changed something: %s", diff)
	}
	k.mustRevert(imp, false)
	if diff := cmp.Diff(before, k.categories()); diff != "" {
		t.Errorf("after the revert: %s", diff)
	}
}

// TestCategoryImportKeepsOneNameInTwoPlaces: a file that has a name below two parents, or below one and below none,
// means two categories: none is moved to the place of the other, whatever the order.
func TestCategoryImportKeepsOneNameInTwoPlaces(t *testing.T) {
	t.Parallel()
	for name, rows := range map[string]string{"as they are": "Other,Food,leaf\nOther,Home,cup\nOther,,star\n",
		"turned round": "Other,,star\nOther,Home,cup\nOther,Food,leaf\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			k.published(recordpkg.CategoryImport, "name,parent,color,icon\nFood,,#111111,apple\nHome,,#222222,house\nOther,Food,,coins\n", false)
			if got := k.published(recordpkg.CategoryImport, "name,parent,icon\n"+rows,
				false); got != "complete 3 3 0 imported imported imported" {
				t.Error(got)
			}
			all := k.categories()
			for _, want := range []string{"Food:Other expense #111111 leaf", "Home:Other expense #222222 cup",
				"Other expense #"} {
				if !strings.Contains(all, want) {
					t.Errorf("no %s in\n%s", want, all)
				}
			}
		})
	}
}

func TestCategoryImportFillsWhatIsEmpty(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	k.published(recordpkg.CategoryImport, "name,icon,color\nBread,wheat,#111111\nFood,apple,#222222\n", false)
	if got := k.published(recordpkg.CategoryImport, "name,icon,parent\nbread,pear,food\n",
		false); got != "complete 1 1 0 imported" {
		t.Error(got)
	}
	if diff := cmp.Diff("Food expense #222222 apple\nFood:Bread expense #222222 pear", k.categories()); diff != "" {
		t.Error(diff)
	}
}

func TestCategoryImportRefuses(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	k.published(recordpkg.CategoryImport, "name,parent\nBread,Food\n", false)
	before := k.categories()
	for rows, want := range map[string]string{
		",#000000,,,":              `1 name "" is required and must not be blank`,
		"A,red,,,":                 `1 color "red" must be a colour such as #4da568, got "red"`,
		"A,,,Big Icon,":            `1 icon "Big Icon" must be the name of an icon in lower case, such as shopping-bag, got "Big Icon"`,
		"A,,,,neither":             `1 classification "neither" must be income or expense, got "neither"`,
		"A,,a,,":                   `1 parent "a" must be another category`,
		"Rye,,Bread,,":             `1 parent "Bread" must be a category without a parent, since there are two levels only; "Bread" is below "Food"`,
		"Food,,Home,,":             `1 parent "Home" must be blank, since "Food" has sub-categories itself and there are two levels only`,
		"X,,Y,,\nZ,,X,,":           `2 parent "X" must be a category without a parent, since there are two levels only; "X" is below "Y"`,
		"Z,,X,,\nFine,,,,\nX,,Y,,": `3 parent "Y" must be blank, since "X" has sub-categories itself and there are two levels only`,
	} {
		file := "name,color,parent,icon,classification\n" + rows + "\n"
		out := k.preflight(file, importer.Request{Type: recordpkg.CategoryImport})
		if got := issues(out.Issues); got != want || out.Obstacle == "" {
			t.Errorf("%q: %s\nwant %s\nobstacle %q", rows, got, want, out.Obstacle)
		}
		if got := k.published(recordpkg.CategoryImport, file, false); !strings.HasPrefix(got, "failed ") {
			t.Errorf("%q: %s", rows, got)
		}
	}
	if diff := cmp.Diff(before, k.categories()); diff != "" {
		t.Errorf("a refused file changed something: %s", diff)
	}
	if got := k.published(recordpkg.CategoryImport, "name,color\nA,red\nB,\n",
		true); got != "complete 2 1 1 invalid imported" {
		t.Error(got)
	}
	if got := k.published(recordpkg.CategoryImport, "title\nA\n",
		false); got != `failed 0 0 0 line 1 has no column for the name: give name_col_label; the columns are "title"` {
		t.Error(got)
	}
}

func (k *fixture) accounts() string {
	k.tb.Helper()
	list, _, err := k.ledger.Accounts.ListAccounts(k.tb.Context(), k.who, true, ledger.Page{Number: 1, Size: 100})
	if err != nil {
		k.tb.Fatal(err)
	}
	var out []string
	for _, a := range list {
		subtype := "-"
		if a.Subtype != nil {
			subtype = *a.Subtype
		}
		out = append(out, fmt.Sprintf("%s %s %s %d %s", a.Name, a.AccountType, subtype, a.BalanceMinor, a.Currency))
	}
	return strings.Join(out, "\n")
}

func TestAccountImport(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	const file = "Account type*,Name*,Balance*,Currency,Balance Date\n" +
		"Depository,Main,\"1,200.50\",,2026-01-31\nCreditCard,Visa,300,usd,\nother_asset,Boat,9000,JPY,\n" +
		"Real estate,Cabin,1,EUR,2025-12-31\nsavings,Nest,-5.25,,\nMortgage,Bank,100000,,\n,Plain,0,,\n"
	before := k.counts()
	out := k.preflight(file, importer.Request{Type: recordpkg.AccountImport})
	const want = "account Main EUR; account Visa USD; account Boat JPY; account Cabin EUR; account Nest EUR; account Bank EUR; account Plain EUR"
	if got := creates(out.Creates); got != want || out.Obstacle != "" || len(out.Sums) > 0 {
		t.Errorf("preflight: %s, %q, %v", got, out.Obstacle, out.Sums)
	}
	if after := k.counts(); after != before {
		t.Errorf("the preflight stored something: %s, was %s", after, before)
	}
	if got := k.published(recordpkg.AccountImport, file, false); got != "complete 7 7 0"+strings.Repeat(" imported",
		7) {
		t.Error(got)
	}
	const all = "Bank loan mortgage 10000000 EUR\nBoat other_asset - 9000 JPY\nCabin property - 100 EUR\nChecking depository checking 0 EUR\n" +
		"Main depository checking 120050 EUR\nNest depository savings -525 EUR\nPlain depository checking 0 EUR\nVisa credit_card credit_card 30000 USD"
	if diff := cmp.Diff(all, k.accounts()); diff != "" {
		t.Error(diff)
	}
}

func TestAccountImportRefuses(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	before := k.accounts()
	for rows, want := range map[string]string{
		"spaceship,A,1,,":           `1 type "spaceship" must be a type of account, such as depository, credit card or loan, got "spaceship"`,
		"loan,,1,,":                 `1 name "" is required and must not be blank`,
		"loan,A,,,":                 `1 balance "" is required and must not be blank`,
		"loan,checking,1,,":         `1 name "checking" is the name of an account that exists already, a depository in EUR: leave the row out, or give another name`,
		"loan,A,1,,\nvehicle,a,1,,": `2 name "a" is the name of the account of row 1 already: give another name`,
		"loan,A,1,XXQ,":             `1 currency "XXQ" must be an ISO 4217 code such as EUR, got "XXQ"`,
	} {
		file := "type,name,balance,currency,date\n" + rows + "\n"
		out := k.preflight(file, importer.Request{Type: recordpkg.AccountImport})
		if got := issues(out.Issues); got != want || out.Obstacle == "" {
			t.Errorf("%q: %s\nwant %s", rows, got, want)
		}
		if got := k.published(recordpkg.AccountImport, file, false); !strings.HasPrefix(got, "failed ") {
			t.Errorf("%q: %s", rows, got)
		}
	}
	for _, row := range []string{"loan,A,1.0051,,", "loan,A,ten,,", "loan,A,1,,2026-02-30"} {
		out := k.preflight("type,name,balance,currency,date\n"+row+"\n",
			importer.Request{Type: recordpkg.AccountImport})
		if len(out.Issues) != 1 || out.Obstacle == "" {
			t.Errorf("%q: %v", row, out.Issues)
		}
	}
	if after := k.accounts(); after != before {
		t.Errorf("a refused file changed something: %s", after)
	}
	if got := k.published(recordpkg.AccountImport, "type,name,balance\nloan,checking,1\n,B,1\n",
		true); got != "complete 2 1 1 invalid imported" {
		t.Error(got)
	}
}

// A worker that is stopped leaves the import to the next one; nothing of it is there before that.
func TestMakingIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	for kind, file := range map[string]string{recordpkg.CategoryImport: "name\nFood\nHome\n",
		recordpkg.AccountImport: "name,balance\nNest,5\n"} {
		imp := k.send(file, importer.Request{Type: kind, Publish: true})
		before := k.counts()
		stopped, cancel := context.WithCancel(t.Context())
		cancel()
		_, _ = k.Work(stopped) // whether it had begun or not
		if after := k.counts(); after != before {
			t.Errorf("%s: a stopped worker left %s, was %s", kind, after, before)
		}
		k.work()
		if now := k.get(imp); now.Status != "complete" {
			t.Errorf("%s: %+v", kind, now)
		}
	}
	if got := k.categories(); !strings.Contains(got, "Food expense") || !strings.Contains(got, "Home expense") {
		t.Error(got)
	}
}

// Between receiving and publishing the parent went below another category: the rows say so, nothing is made.
func TestPublishingLooksAgain(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	imp := k.send("name,parent\nNew,\nRye,Bread\n", importer.Request{Type: recordpkg.CategoryImport})
	k.published(recordpkg.CategoryImport, "name,parent\nBread,Grain\n", false)
	before := k.categories()
	_, err := k.Publish(t.Context(), k.who, [16]byte(imp.PublicID), importer.Publication{})
	if !ledger.IsKind(err, ledger.Invalid) || !strings.Contains(err.Error(), "below") {
		t.Error(err)
	}
	if diff := cmp.Diff(before, k.categories()); diff != "" {
		t.Error(diff)
	}
}

// Between queueing and publishing an account of the name was opened by hand: the import fails whole.
func TestMakingFailsWhole(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	imp := k.send("name,balance\nAttic,1\nNest,5\n", importer.Request{Type: recordpkg.AccountImport, Publish: true})
	_, err := k.ledger.Accounts.CreateAccount(t.Context(), k.who,
		catalog.AccountInput{Name: ledger.Some("Nest"), AccountType: ledger.Some("vehicle")})
	if err != nil {
		t.Fatal(err)
	}
	k.work()
	if now := k.get(imp); now.Status != "failed" || now.Error == nil ||
		!strings.Contains(*now.Error, "exists already") {
		t.Errorf("got %+v", now)
	}
	if diff := cmp.Diff("Checking depository checking 0 EUR\nNest vehicle - 0 EUR", k.accounts()); diff != "" {
		t.Error(diff)
	}
}

// FuzzKinds: no file and no header make a type panic, and a row is planned or has an issue, never neither.
func FuzzKinds(f *testing.F) {
	f.Add(uint8(0), mintHeader+"2/1/2026,Bread,,3,debit,,Everyday,,\n")
	f.Add(uint8(1), "name,parent,color,icon,classification\nBread,Food,#000000,wheat,\nFood,Bread,,,\n")
	f.Add(uint8(2), "type,name,balance,currency,date\nloan,A,1,EUR,2026-01-01\n")
	f.Fuzz(func(t *testing.T, n uint8, file string) {
		in := importer.Request{Type: []string{recordpkg.MintImport, recordpkg.CategoryImport,
			recordpkg.AccountImport}[n%3]}.Resolved()
		d := euro(t)
		d.Type = in.Type
		rows, err := table.NewRows(source.Text(file), in.Settings, d)
		for err == nil {
			var row recordpkg.Record
			row, err = rows.Next()
			if err == nil && row.Planned() && row.Name == "" {
				t.Errorf("row %d has no name", row.Number)
			}
		}
	})
}

// The same list of accounts again opens none of them twice.
func TestAccountsAreThereAlready(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	const file = "type,name,balance,currency\nloan,Car,100,USD\nsavings,Nest,5,\n"
	k.published(recordpkg.AccountImport, file, false)
	before := k.accounts()
	if got := k.published(recordpkg.AccountImport, file, false); got != "complete 2 2 0 already_imported already_imported" {
		t.Error(got)
	}
	if diff := cmp.Diff(before, k.accounts()); diff != "" {
		t.Error(diff)
	}
}
