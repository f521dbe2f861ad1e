package importer_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/queries"
)

// wholeBackup has every type of record, entries before what they refer to. By hand:
//
//   - Giro: 1000.00 - 12.50 - 200.00 = 787.50 are booked and 1234.50 are there, so it began with 447.00.
//   - Card: 250.00 were owed, 250.00 were spent and 200.00 paid back: 300.00 are owed.
//   - Broker: 10 at 12.345 are 123.45, 124.95 were paid, so 1.50 is the fee; 4.00 of dividend came in, and there are
//     879.05 in cash: it began with 1000.00. 20 after the split at 15.00 are 300.00.
//   - House: it began with what was stated first.
func wholeBackup() string {
	return record("Transfer", "'id':'f1','inflow_transaction_id':'x4','outflow_transaction_id':'x3','status':'confirmed','notes':'Card bill'") +
		record("Transaction", "'id':'x1','account_id':'giro','date':'2026-01-10','amount':'-1000.0','name':'Salary','category_id':'pay'") +
		record("Transaction", "'id':'x2','account_id':'giro','date':'2026-01-31','amount':'12.5','name':'Bread','category_id':'bread','tag_ids':['fun'],'external_id':'7','source':'bank'") +
		record("Transaction", "'id':'x3','account_id':'giro','date':'2026-02-05','amount':'200','name':'To the card'") +
		record("Transaction", "'id':'x4','account_id':'card','date':'2026-02-05','amount':'-200','name':'Payment'") +
		record("Transaction", "'id':'x5','account_id':'card','date':'2026-01-20','amount':'250','name':'Shoes'") +
		record("RejectedTransfer", "'inflow_transaction_id':'x4','outflow_transaction_id':'x2'") + "\n\n" +
		record("Account", "'id':'giro','name':'Giro','balance':'1234.5','accountable_type':'Depository','currency':'EUR','subtype':null,'accountable':{'subtype':'savings'}") +
		record("Account", "'id':'card','name':'Card','balance':'300.0','accountable_type':'CreditCard','currency':'EUR','status':'disabled','institution_domain':'https://bank.example/'") +
		record("Account", "'id':'broker','name':'Broker','balance':'1179.05','cash_balance':'879.05','accountable_type':'Investment','currency':'EUR'") +
		record("Account", "'id':'house','name':'House','balance':400000,'accountable_type':'Property'") +
		record("Balance", "'account_id':'giro','date':'2026-01-31','balance':'1434.5'") + record("Balance",
		"'account_id':'card','date':'2026-02-05','balance':'1.0'") +
		record("Category", "'id':'bread','name':'Bread','parent_id':'food','lucide_icon':'wheat'") +
		record("Category", "'id':'food','name':'Food','color':'#AB12CD'") + record("Category",
		"'id':'pay','name':'Pay','classification_unused':'income'") +
		record("Tag", "'id':'fun','name':'Fun','color':'#001122'") + record("Merchant",
		"'id':'m1','name':'Corner Bakery'") +
		record("RecurringTransaction", "'id':'r1'") + record("Budget", "'id':'b1'") + record("BudgetCategory",
		"'budget_id':'b1'") +
		record("Trade", "'id':'d1','account_id':'broker','date':'2026-01-05','qty':'10','price':'12.345','amount':'124.95','ticker':'ACME'") +
		record("Trade", "'id':'d2','account_id':'broker','date':'2026-02-01','qty':'0','price':'0','amount':'-4','ticker':'ACME'") +
		record("Holding", "'account_id':'broker','date':'2026-03-01','qty':'20.0','price':'15','amount':'300.0','ticker':'ACME'") +
		record("Valuation", "'account_id':'card','date':'2025-12-31','amount':'250','kind':'opening_anchor','notes':'as of the bill'") +
		record("Valuation", "'account_id':'house','date':'2026-02-15','amount':'400000','notes':'estate agent'") +
		record("Valuation", "'account_id':'house','date':'2026-01-15','amount':'390000'") +
		record("Rule", "'id':'r1','name':'Bakery','active':true,'conditions':[{'condition_type':'transaction_category','operator':'=','value':'food','value_ref':{'type':'Category','id':'food','name':'Food'}}],'actions':[{'action_type':'set_transaction_tags','value':['fun']}]") +
		record("SecurityPrice", "'ticker':'ACME','date':'2026-02-20','price':'15.00','currency':'EUR'") +
		record("SecuritySplit", "'ticker':'ACME','date':'2026-02-01','numerator':2,'denominator':1")
}

func (k *fixture) publishBackup(content string) queries.Import {
	k.tb.Helper()
	imp := k.send(content, importer.Request{Type: recordpkg.ServiceImport, Publish: true})
	k.work()
	imp = k.get(imp)
	if imp.Status != importer.StatusComplete {
		k.tb.Fatalf("the import is %s: %v", imp.Status, imp.Error)
	}
	return imp
}

func TestBackupWhole(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	imp := k.publishBackup(wholeBackup())
	want := `Broker investment  EUR active opened 100000, 117905, cash 87905
Card credit_card  EUR disabled opened 25000 on 2025-12-31, 30000, cash 30000
Checking depository checking EUR active opened 0, 0, cash 0
Giro depository savings EUR active opened 44700, 123450, cash 123450
House property  EUR active opened 39000000, 40000000, cash 40000000
`
	if diff := cmp.Diff(want, k.accountList()); diff != "" {
		t.Error(diff)
	}
	if moved := k.moved(); !strings.Contains(moved, "To the card") || strings.Count(moved, "\n") > 1 {
		t.Errorf("transfers %q", moved)
	}
	report := reportOf(t, imp)
	if r := report.Readback; r.Status != "mismatch" || r.Error != nil || *r.CheckedAt != "2026-03-01T12:00:00Z" ||
		len(r.Mismatches) != 1 ||
		r.Mismatches["balances"] != (importer.Mismatch{Expected: 2, Actual: 1}) {
		t.Errorf("readback %+v", r)
	}
	if diff := cmp.Diff(map[string]int64{"accounts": 4, "balances": 2, "categories": 3, "tags": 1, "merchants": 1,
		"recurring_transactions": 1, "transactions": 5,
		"transfers": 1, "rejected_transfers": 1, "trades": 2, "holdings": 1, "valuations": 3, "budgets": 1,
		"budget_categories": 1, "rules": 1}, report.Expected); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int64{"accounts": 4, "balances": 0, "categories": 3, "tags": 1, "merchants": 1,
		"transactions": 5, "transfers": 1,
		"rejected_transfers": 1, "trades": 2, "holdings": 0, "valuations": 2, "rules": 1},
		report.Readback.Delta); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{`the balance of "Card" on 2026-02-05 is 300.00 EUR here, the file has 1.00`},
		report.Differences); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]int64{"recurring_transactions": 1, "budgets": 1, "budget_categories": 1},
		report.NotKept); diff != "" {
		t.Error(diff)
	}
}

func reportOf(t *testing.T, imp queries.Import) (r importer.BackupReport) {
	t.Helper()
	if err := json.Unmarshal([]byte(*imp.Report), &r); err != nil {
		t.Fatal(err)
	}
	return r
}

// accountList shows every account with its opening balance and what it has.
func (k *fixture) accountList() string {
	k.tb.Helper()
	list, _, err := k.ledger.Accounts.ListAccounts(k.tb.Context(), k.who, true, ledger.Page{Number: 1, Size: 100})
	if err != nil {
		k.tb.Fatal(err)
	}
	text := ""
	for _, a := range list {
		subtype, day := "", ""
		if a.Subtype != nil {
			subtype = *a.Subtype
		}
		if a.OpeningDate != nil {
			day = " on " + a.OpeningDate.String()
		}
		text += fmt.Sprintf("%s %s %s %s %s opened %d%s, %d, cash %d\n", a.Name, a.AccountType, subtype, a.Currency,
			a.Status, a.OpeningMinor, day, a.BalanceMinor, a.CashMinor)
	}
	return text
}

// TestBackupIsRehearsed: a preflight shows what would be, and leaves nothing.
func TestBackupIsRehearsed(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	before := k.counts()
	out := k.preflight(wholeBackup(), importer.Request{Type: recordpkg.ServiceImport})
	var created []string
	for _, c := range out.Creates {
		created = append(created, c.Entity+" "+c.Name)
	}
	want := []string{"account Giro", "account Card", "account Broker", "account House", "category Food", "category Pay",
		"category Food:Bread", "tag Fun",
		"merchant Corner Bakery", "security ACME", "rule Bakery", "valuation House 2026-02-15",
		"valuation House 2026-01-15"}
	if diff := cmp.Diff(want, created); diff != "" || out.Obstacle != "" || out.Rows != 30 || out.Skipped != 6 ||
		out.Invalid != 0 {
		t.Errorf("%s: %+v", diff, out)
	}
	if after := k.counts(); after != before {
		t.Errorf("before %s, after %s", before, after)
	}
}

// TestBackupFindsWhatIsThere: an account with the name, the type and the currency is the one, and so are labels with
// the name; another account's name is left to it.
func TestBackupFindsWhatIsThere(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	for _, c := range []string{"food", "Bread"} {
		if _, err := k.ledger.Labels.CreateCategory(t.Context(), k.who,
			catalog.CategoryInput{Name: ledger.Some(c)}); err != nil {
			t.Fatal(err)
		}
	}
	k.open("card", "EUR")
	k.open("giro", "USD")
	file := record("Account", "'id':'1','name':'Checking','balance':'5','accountable_type':'Depository','currency':'EUR'") +
		record("Account", "'id':'2','name':'Card','balance':'5','accountable_type':'CreditCard','currency':'EUR'") +
		record("Account", "'id':'3','name':'Giro','balance':'5','accountable_type':'Depository','currency':'EUR'") +
		record("Account", "'id':'4','name':'Giro','balance':'6','accountable_type':'Depository','currency':'USD'") +
		record("Category", "'id':'food','name':'Food'") + record("Category",
		"'id':'bread','name':'Bread','parent_id':'food'")
	report := reportOf(t, k.publishBackup(file))
	want := `card depository checking EUR active opened 0, 0, cash 0
Card (2) credit_card  EUR active opened 500, 500, cash 500
Checking depository checking EUR active opened 0, 0, cash 0
giro depository checking USD active opened 0, 0, cash 0
Giro (2) depository  EUR active opened 500, 500, cash 500
`
	if diff := cmp.Diff(want, k.accountList()); diff != "" {
		t.Error(diff)
	}
	if got := k.categories(); !strings.Contains(got, "food") || strings.Contains(got, "Food ") ||
		strings.Count(got, "Bread") != 2 {
		t.Errorf("categories %s", got)
	}
	want = `line 2: account "Card" is named "Card (2)" now: an account of another type or currency has its name
line 3: account "Giro" is named "Giro (2)" now: an account of another type or currency has its name
the balance of "Checking" on 2026-03-01 is 0.00 EUR here, the file has 5.00
the balance of "Giro" on 2026-03-01 is 0.00 USD here, the file has 6.00`
	if diff := cmp.Diff(want, strings.Join(report.Differences, "\n")); diff != "" ||
		report.Readback.Status != "matched" || report.Readback.Delta["categories"] != 1 {
		t.Errorf("%s: %+v", diff, report.Readback)
	}
}

// TestBackupIsTakenBack: what a backup brought goes, and it can be published again.
func TestBackupIsTakenBack(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	before := k.figures()
	var kept []string
	for line := range strings.Lines(wholeBackup()) {
		if !strings.Contains(line, "broker") && !strings.Contains(line, "house") &&
			!strings.Contains(line, "Security") && !strings.Contains(line, "Rule") {
			kept = append(kept, line)
		}
	}
	imp := k.publishBackup(strings.Join(kept, ""))
	after := k.figures()
	k.mustRevert(imp, true)
	k.same("reverted", before)
	if r := reportOf(t, k.get(imp)); r.Readback.Status != "reverted" || r.Expected["transactions"] != 5 {
		t.Errorf("report %+v", r)
	}
	if _, err := k.Publish(t.Context(), k.who, uuid.UUID(imp.PublicID), importer.Publication{}); err != nil {
		t.Fatal(err)
	}
	k.work()
	again := k.figures()
	for _, what := range []string{"accounts", "categories", "tags", "transactions", "valuations", "transfers"} {
		if again[what] != after[what] {
			t.Errorf("published again: %d %s, want %d", again[what], what, after[what])
		}
	}
	if r := reportOf(t, k.get(imp)); r.Readback.Mismatches["transactions"].Expected != 0 ||
		r.Readback.Delta["transactions"] != 5 {
		t.Errorf("report %+v", r)
	}
}

// TestBackupOpenings: what an account begins with, and what it has then; 100.00 come in on 2026-01-10.
func TestBackupOpenings(t *testing.T) {
	t.Parallel()
	entry := record("Transaction", "'id':'x1','account_id':'1','date':'2026-01-10','amount':'-100'")
	trade := record("Trade", "'account_id':'1','date':'2026-01-11','qty':'10','price':'4','amount':'40','ticker':'ACME'")
	for name, c := range map[string]struct{ account, more, want string }{
		"what is missing": {"'balance':'250','accountable_type':'Depository'", "",
			"opened 15000, 25000, cash 25000"},
		"of what is owed": {"'balance':'250','accountable_type':'Loan'", "", "opened 35000, 25000, cash 25000"},
		"nothing": {"'balance':'250','accountable_type':'Depository','skip_opening_balance_import':true",
			"", "opened 0, 10000, cash 10000"},
		"on a day": {"'balance':'250','accountable_type':'Depository','opening_balance_date':'2025-12-01'",
			"", "opened 15000 on 2025-12-01, 25000, cash 25000"},
		"on too late a day": {"'balance':'250','accountable_type':'Depository','opening_balance_on':'2026-02-01'",
			"", "opened 15000 on 2026-01-09, 25000, cash 25000"},
		"to the cash": {"'balance':'999','cash_balance':'70','accountable_type':'Investment'", trade,
			"opened 1000, 11000, cash 7000"},
		"to cash and holdings": {"'balance':'110','accountable_type':'Investment'", trade,
			"opened 1000, 11000, cash 7000"},
		"rounded": {"'balance':'250.005','accountable_type':'Depository'", "",
			"opened 15001, 25001, cash 25001"},
		"before what is to come": {"'balance':'250','accountable_type':'Depository'",
			record("Transaction", "'id':'x2','account_id':'1','date':'2026-12-31','amount':'30'"),
			"opened 18000, 28000, cash 28000"},
		"said": {"'balance':'250','accountable_type':'Depository'",
			record("Valuation", "'account_id':'1','date':'2026-01-09','amount':'7','kind':'opening_anchor'"),
			"opened 700 on 2026-01-09, 10700, cash 10700"},
		"to a statement": {"'balance':'250','accountable_type':'Depository'",
			record("Valuation", "'account_id':'1','date':'2026-01-12','amount':'130'"),
			"opened 3000, 13000, cash 13000"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			k.publishBackup(c.more + entry + record("Account", "'id':'1','name':'A',"+c.account))
			got, _, _ := strings.Cut(k.accountList(), "\n")
			if !strings.HasSuffix(got, "active "+c.want) {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestBackupAllOrNothing: a line that is wrong keeps all of it out, unless wrong ones are to be left out; then what
// they should have brought is missing in the report.
func TestBackupAllOrNothing(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	before := k.counts()
	file := bases() + record("Tag", "'id':'t9'")
	imp := k.send(file, importer.Request{Type: "SureImport", Publish: true})
	if imp.Status != importer.StatusFailed || imp.Type != recordpkg.ServiceImport ||
		!strings.Contains(*imp.Error, "1 of 9 rows cannot be imported") {
		t.Errorf("%s %s: %s", imp.Type, imp.Status, text(imp.Error))
	}
	if r := reportOf(t, imp); r.Readback.Status != "not_verified" || r.Readback.CheckedAt != nil ||
		r.Expected["tags"] != 2 {
		t.Errorf("report %+v", r)
	}
	k.work()
	if err := k.Delete(t.Context(), k.who, uuid.UUID(imp.PublicID)); err != nil || k.counts() != before {
		t.Errorf("%v: before %s, after %s", err, before, k.counts())
	}
	imp = k.send(file, importer.Request{Type: recordpkg.ServiceImport, Publish: true, SkipInvalidRows: true})
	k.work()
	r := reportOf(t, k.get(imp)).Readback
	if diff := cmp.Diff(map[string]importer.Mismatch{"tags": {Expected: 2, Actual: 1}}, r.Mismatches); diff != "" ||
		r.Status != "mismatch" {
		t.Errorf("%s: %s", r.Status, diff)
	}
}

// TestBackupFailsAsAWhole: what only the books can tell is wrong keeps everything out.
func TestBackupFailsAsAWhole(t *testing.T) {
	t.Parallel()
	twice := "'account_id':'a1','date':'2026-01-31','amount':'1','external_id':'7','source':'bank'"
	for want, more := range map[string]string{
		"it sells 1 ACME on 2026-01-31, and 1 are missing on that day": record("Trade",
			"'account_id':'a2','date':'2026-01-31','qty':'-1','price':'2','amount':'-2','ticker':'ACME','allow_short':false"),
		`external_id must be that of one transaction of the account, another one has "7" as well`: record("Transaction",
			"'id':'x8',"+twice) + record("Transaction", "'id':'x9',"+twice),
	} {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			before := k.counts()
			imp := k.send(bases()+more, importer.Request{Type: recordpkg.ServiceImport, Publish: true})
			k.work()
			if imp = k.get(imp); imp.Status != importer.StatusFailed || !strings.Contains(text(imp.Error), want) {
				t.Errorf("%s: %s", imp.Status, text(imp.Error))
			}
			if err := k.Delete(t.Context(), k.who, uuid.UUID(imp.PublicID)); err != nil || k.counts() != before {
				t.Errorf("%v: before %s, after %s", err, before, k.counts())
			}
		})
	}
}

// TestBackupAgain: the same backup once more adds nothing, and says what it has kept.
func TestBackupAgain(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	book := func() queries.Import {
		t.Helper()
		imp := k.send(wholeBackup(), importer.Request{Type: recordpkg.ServiceImport, Publish: true})
		k.work()
		if imp = k.get(imp); imp.Status != importer.StatusComplete {
			t.Fatalf("%s: %s", imp.Status, text(imp.Error))
		}
		return imp
	}
	book()
	before := k.counts()
	again := book()
	was, now := strings.Fields(before), strings.Fields(k.counts())
	if was[3], now[3] = "", ""; cmp.Diff(was, now) != "" { // the number of imports
		t.Errorf("before %s, after %s", was, now)
	}
	if again.MatchedRowsCount == 0 {
		t.Error("no row was recognised")
	}
}
