package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
)

// Two accounts that the household does not have, a movement between them, opening balances on a day that has
// an entry, and a split.
const twoAccounts = `!Option:AutoSwitch
!Account
NEveryday
TBank
^
NVisa
TCCard
^
!Clear:AutoSwitch
!Option:AutoSwitch
!Account
NEveryday
TBank
^
!Type:Bank
D1/10'26
T1,000.00
CX
POpening Balance
L[Everyday]
^
D1/10'26
T-100.00
PCard payment
L[Visa]
^
D1/31'26
T-25.50
PMarket
LFood:Groceries/Trip
^
!Account
NVisa
TCCard
^
!Type:CCard
D1/9'26
T-300.00
POpening Balance
L[Visa]
^
D1/10'26
T100.00
PPayment received
L[Everyday]
^
D1/20'26
T-40.00
PDiner
SFood
$-30.00
STip
$-9.00
^
`

// TestQIFImport: 1000.00 - 100.00 - 25.50 = 874.50 in the bank; of the card 300.00 - 100.00 + 40.00 = 240.00 is owed.
func TestQIFImport(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	before := k.counts()
	out := k.preflight(twoAccounts, importer.Request{Type: recordpkg.QifImport})
	if got, want := creates(out.Creates), "account Everyday EUR; category Food; category Food:Groceries; tag Trip; account Visa EUR"; got != want || out.Obstacle != "" || out.Valid != 6 {
		t.Errorf("preflight: %s, %d valid, %q", got, out.Valid, out.Obstacle)
	}
	if got := *out.Settings.DateFormat + " " + *out.Settings.NumberFormat; got != "%m/%d/%Y 1,234.56" {
		t.Errorf("read as %s", got)
	}
	if after := k.counts(); after != before {
		t.Errorf("the preflight stored something: %s, was %s", after, before)
	}
	if got := k.published(recordpkg.QifImport, twoAccounts, false); got != "complete 6 6 0"+strings.Repeat(" imported",
		6) {
		t.Error(got)
	}
	const all = "Checking depository checking 0 EUR\nEveryday depository checking 87450 EUR\nVisa credit_card credit_card 24000 EUR"
	if diff := cmp.Diff(all, k.accounts()); diff != "" {
		t.Error(diff)
	}
	list, _, err := k.ledger.Accounts.ListValuations(t.Context(), k.who, catalog.ValuationFilter{},
		ledger.Page{Number: 1, Size: 10})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, v := range list {
		got = append(got, fmt.Sprintf("%s %s %s %d", v.Account.Name, v.Kind, v.Day, v.Minor))
	}
	if !strings.Contains(strings.Join(got, ";"), "Everyday opening_anchor 2026-01-09 100000") ||
		!strings.Contains(strings.Join(got, ";"), "Visa opening_anchor 2026-01-08 30000") {
		t.Errorf("valuations: %s", got)
	}
}

// TestQIFOpeningOfAnAccount: an account that was there keeps its own opening balance and gets a valuation.
func TestQIFOpeningOfAnAccount(t *testing.T) {
	t.Parallel()
	const file = "!Type:Bank\nD1/31/2026\nT50\nPOpening Balance\n^\nD1/31/2026\nT-8\nPBakery\n^\n"
	k := newFixture(t)
	imp := k.upload(file, importer.Request{Type: recordpkg.QifImport, Publish: true})
	k.work()
	if got := k.get(imp); got.Status != importer.StatusComplete {
		t.Fatalf("%+v", got)
	}
	if got, want := k.accounts(), "Checking depository checking 4200 EUR"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	other := k.upload(strings.Replace(file, "T50", "T60", 1),
		importer.Request{Type: recordpkg.QifImport, Publish: true})
	k.work()
	if got := k.get(other); got.Status != importer.StatusFailed || !strings.Contains(*got.Error, "2026-01-31") {
		t.Errorf("%+v", got)
	}
	if got, want := k.accounts(), "Checking depository checking 4200 EUR"; got != want {
		t.Errorf("after a failure: got %s, want %s", got, want)
	}
}

// TestQIFAsks: what nothing in the file proves is asked, and answered with the setting.
func TestQIFAsks(t *testing.T) {
	t.Parallel()
	const file = "!Type:Bank\nD1/2/2026\nT5\nPBakery\n^\n"
	const want = `date_format must be given: "1/2/2026" (line 2) and all other dates of the file fit %d/%m/%Y and %m/%d/%Y`
	k := newFixture(t)
	if out := k.preflight(file, importer.Request{Type: recordpkg.QifImport,
		AccountID: ledger.Some(k.account)}); out.Obstacle != want || out.Broken != nil {
		t.Errorf("preflight: %q, %v", out.Obstacle, out.Broken)
	}
	imp := k.upload(file, importer.Request{Type: recordpkg.QifImport, Publish: true})
	if imp.Status != importer.StatusFailed || imp.Error == nil || *imp.Error != want || imp.RowsCount != 0 {
		t.Errorf("%+v", imp)
	}
	if _, err := k.Publish(t.Context(), k.who, [16]byte(imp.PublicID),
		importer.Publication{SkipInvalidRows: true}); !ledger.IsKind(err, ledger.Invalid) ||
		!strings.Contains(err.Error(), want) {
		t.Errorf("published: %v", err)
	}
	answered := importer.Request{Type: recordpkg.QifImport, Publish: true}
	answered.Settings.DateFormat = new("%d/%m/%Y")
	k.upload(file, answered)
	k.work()
	if list, total := k.transactions(); total != 1 || ledger.Date(list[0].Date).String() != "2026-02-01" {
		t.Errorf("got %v", list)
	}
	if got := k.published(recordpkg.QifImport, "!Type:Bank\nD1/31/2026\nT5\n^\n", false); !strings.HasPrefix(got,
		"failed 0 0 0 account_id must be given") {
		t.Error(got)
	}
	if got := k.published(recordpkg.QifImport, "one,two\n", false); !strings.HasPrefix(got,
		"failed 0 0 0 line 1 must be a header") {
		t.Error(got)
	}
}

// TestQIFSkips: the rows of one record go together.
func TestQIFSkips(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	const file = "!Type:Memorized\nPX\n^\n!Account\nNMain\nTBank\n^\n!Type:Bank\nD1/31/2026\nT5\nPA\n^\nD1/31/2026\nTx\nPB\n^\n"
	if got := k.published(recordpkg.QifImport, file, false); !strings.HasPrefix(got,
		`failed 3 1 1 skipped pending invalid 1 of 3 rows cannot be imported`) {
		t.Error(got)
	}
	if got := k.published(recordpkg.QifImport, file, true); got != "complete 3 1 1 skipped imported invalid" {
		t.Error(got)
	}
}
