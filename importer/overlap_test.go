package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/importer"
	"finsvc/importer/match"
	recordpkg "finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/trade"
	"finsvc/queries"
)

// bookFile uploads a file for the desk's account and publishes it.
func (k *fixture) bookFile(content string) queries.Import {
	k.tb.Helper()
	imp := k.upload(content, importer.Request{AccountID: ledger.Some(k.account), Publish: true})
	k.work()
	if imp = k.get(imp); imp.Status != importer.StatusComplete {
		k.tb.Fatalf("%s: %v", imp.Status, *imp.Error)
	}
	return imp
}

// fates are what became of the rows of an import.
func (k *fixture) fates(imp queries.Import) string {
	k.tb.Helper()
	imp, rows, err := k.Results(k.tb.Context(), k.who, uuid.UUID(imp.PublicID), ledger.Page{Number: 1, Size: 100})
	if err != nil {
		k.tb.Fatal(err)
	}
	var words []string
	for _, r := range rows {
		words = append(words, r.Fate(imp.Status))
	}
	return strings.Join(words, " ")
}

func (k *fixture) mustBalance(want int64) {
	k.tb.Helper()
	account, err := k.ledger.Accounts.GetAccount(k.tb.Context(), k.who, k.account)
	if err != nil || account.BalanceMinor != want {
		k.tb.Errorf("balance %d, want %d; %v", account.BalanceMinor, want, err)
	}
}

const (
	january = "date,amount,name\n2026-01-30,-3.00,Coffee\n2026-01-31,-3.00,Coffee\n2026-01-31,-3.00,Coffee\n2026-01-31,-10.00,Book\n"
	// The export of the next day: it begins on the 31st, on which a third coffee was had by then.
	overlapping = "date,amount,name\n2026-01-31,-3.00,Coffee\n2026-01-31,-3.00,Coffee\n2026-01-31,-3.00,Coffee\n2026-01-31,-10.00,Book\n2026-02-01,-7.00,Bus\n"
)

// TestTheSameFileAgainAddsNothing holds what was decided.
//
// Decision, Imports: the same file again adds nothing; two equal rows both stay.
func TestTheSameFileAgainAddsNothing(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	first := k.bookFile(january)
	k.mustBalance(-1900)
	again := k.bookFile(january)
	k.mustBalance(-1900)
	if got := k.fates(again); got != "already_imported already_imported already_imported already_imported" ||
		again.MatchedRowsCount != 4 {
		t.Errorf("the second time: %s, %d", got, again.MatchedRowsCount)
	}
	if got := k.fates(first); got != "imported imported imported imported" {
		t.Errorf("the first time: %s", got)
	}
}

func TestOverlapLosesNoEqualRow(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	k.bookFile(january)
	pending := k.upload(overlapping, importer.Request{AccountID: ledger.Some(k.account)})
	if got := k.fates(pending); got != "already_imported already_imported pending already_imported pending" ||
		pending.MatchedRowsCount != 3 {
		t.Errorf("before: %s, %d", got, pending.MatchedRowsCount)
	}
	imp := k.bookFile(overlapping)
	k.mustBalance(-1900 - 300 - 700)
	if got := k.fates(imp); got != "already_imported already_imported imported already_imported imported" {
		t.Errorf("after: %s", got)
	}
}

// What a person or a rule makes of a row does not hide it.
//
// Decision, Imports: rows are recognised as they stand in the file, whatever became of them.
func TestRenamedRowsAreRecognised(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	k.bookFile(january)
	list, _ := k.transactions()
	for _, row := range list {
		in := entry.TransactionInput{Name: ledger.Some("Espresso " + row.Name)}
		if _, err := k.ledger.Entries.UpdateTransaction(t.Context(), k.who, uuid.UUID(row.PublicID), in); err != nil {
			t.Fatal(err)
		}
	}
	k.bookFile(january)
	k.mustBalance(-1900)
	k.bookFile("name,amount,date\ncoffee,-3.00,2026-01-30\n") // the same in a file of another layout
	k.mustBalance(-1900)
}

// A row that a person puts on another day, twice even, stays the same; one that is deleted there is booked again.
func TestMovedRowsAreRecognised(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	k.bookFile(january)
	list, _ := k.transactions()
	id := uuid.UUID(list[0].PublicID)
	for _, day := range []ledger.Date{ledger.NewDate(2026, 1, 28), ledger.NewDate(2026, 2, 1)} {
		if _, err := k.ledger.Entries.UpdateTransaction(t.Context(), k.who, id,
			entry.TransactionInput{Date: ledger.Some(day)}); err != nil {
			t.Fatal(err)
		}
		if got := k.fates(k.bookFile(january)); got != "already_imported already_imported already_imported already_imported" {
			t.Errorf("on %s: %s", day, got)
		}
		k.mustBalance(-1900)
	}
	if err := k.ledger.Entries.DeleteTransaction(t.Context(), k.who, id); err != nil {
		t.Fatal(err)
	}
	k.bookFile(january)
	k.mustBalance(-1900)
}

// A row that came through the API is the same by account, day, amount, currency and name; with another name it is in
// doubt.
func TestRowsOfTheAPIAreRecognised(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	for _, name := range []string{"Coffee", "Bookshop 17"} {
		in := entry.TransactionInput{AccountID: ledger.Some(k.account), Date: ledger.Some(ledger.NewDate(2026, 1, 31)),
			Name:   ledger.Some(name),
			Amount: ledger.Some(decimal.RequireFromString("3")), Nature: ledger.Some("expense"),
			ExternalID: ledger.Some("id of " + name)}
		if name != "Coffee" {
			in.Amount = ledger.Some(decimal.RequireFromString("10"))
		}
		if _, _, err := k.ledger.Entries.CreateTransaction(t.Context(), k.who, in); err != nil {
			t.Fatal(err)
		}
	}
	pending := k.upload(january, importer.Request{AccountID: ledger.Some(k.account)})
	if got := k.fates(pending); got != "pending already_imported pending possible_duplicate" ||
		pending.DoubtfulRowsCount != 1 {
		t.Errorf("before: %s, %d", got, pending.DoubtfulRowsCount)
	}
	imp := k.bookFile(january)
	k.mustBalance(-300 - 1000 - 300 - 300)
	if got := k.fates(imp); got != "imported already_imported imported possible_duplicate" ||
		imp.DoubtfulRowsCount != 1 {
		t.Errorf("after: %s, %d", got, imp.DoubtfulRowsCount)
	}
}

// What a person says of a doubtful row is kept, for this file and the next that has it.
func TestDecisions(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	in := entry.TransactionInput{AccountID: ledger.Some(k.account), Date: ledger.Some(ledger.NewDate(2026, 1, 31)),
		Name:   ledger.Some("Bookshop 17"),
		Amount: ledger.Some(decimal.RequireFromString("10")), Nature: ledger.Some("expense")}
	if _, _, err := k.ledger.Entries.CreateTransaction(t.Context(), k.who, in); err != nil {
		t.Fatal(err)
	}
	pending := k.upload(january, importer.Request{AccountID: ledger.Some(k.account)})
	id := uuid.UUID(pending.PublicID)
	row, err := k.Decide(t.Context(), k.who, id, 4, match.DecisionSame)
	if err != nil || !row.Booked || row.Decision != match.DecisionSame {
		t.Fatalf("got %+v, %v", row, err)
	}
	if _, err := k.Decide(t.Context(), k.who, id, 1, match.DecisionNew); err != nil {
		t.Fatal(err)
	}
	k.bookFile(january)
	k.mustBalance(-1000 - 900)
	k.bookFile(overlapping)
	k.mustBalance(-1000 - 900 - 300 - 700)
	k.bookFile(january) // the first coffee, which was said to be new, is booked since
	k.mustBalance(-1000 - 900 - 300 - 700)
	if _, err := k.Decide(t.Context(), k.who, id, 1, ""); err != nil {
		t.Fatal(err)
	}
	k.bookFile(january)
	k.mustBalance(-1000 - 900 - 300 - 700)
	for number, decision := range map[int64]string{9: match.DecisionNew, 1: "perhaps"} {
		if _, err := k.Decide(t.Context(), k.who, id, number, decision); err == nil {
			t.Errorf("row %d may be ruled %s", number, decision)
		}
	}
	stranger := k.who
	stranger.HouseholdID++
	if _, err := k.Decide(t.Context(), stranger, id, 1, match.DecisionNew); !ledger.IsKind(err, ledger.NotFound) {
		t.Errorf("a stranger: %v", err)
	}
}

// A later import that left rows out relies on those of the first: that is said before they go.
func TestRevertOfWhatOthersRelyOn(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	first := k.bookFile(january)
	second := k.bookFile(overlapping)
	if _, err := k.revert(first, false); !ledger.IsKind(err, ledger.Conflict) ||
		!strings.Contains(err.Error(), "1 later import has left out rows") {
		t.Fatalf("got %v", err)
	}
	if _, err := k.revert(second, false); err != nil {
		t.Fatal(err)
	}
	k.work()
	k.mustBalance(-1900)
	if _, err := k.Publish(t.Context(), k.who, uuid.UUID(second.PublicID), importer.Publication{}); err != nil {
		t.Fatal(err)
	}
	k.work()
	k.mustBalance(-2900)
	if _, err := k.revert(first, true); err != nil {
		t.Fatal(err)
	}
	k.work()
	k.mustBalance(-1000)
	if got := k.fates(k.get(second)); got != "deleted deleted imported deleted imported" {
		t.Errorf("got %s", got)
	}
}

// A plan that somebody has seen is what happens, or nothing does.
func TestPlanIsKeptOrRefused(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	seen := k.preflight(january, importer.Request{AccountID: ledger.Some(k.account)})
	pending := k.upload(january, importer.Request{AccountID: ledger.Some(k.account)})
	if pending.Plan != seen.Plan || seen.Plan == "" {
		t.Errorf("plans %q and %q", seen.Plan, pending.Plan)
	}
	k.bookFile("date,amount,name\n2026-01-31,-10.00,Book\n")
	_, err := k.Publish(t.Context(), k.who, uuid.UUID(pending.PublicID), importer.Publication{Plan: seen.Plan})
	if e := ledger.AsError(err); e == nil || e.Code != "plan_changed" {
		t.Fatalf("got %v", err)
	}
	fresh := k.get(pending)
	if fresh.Plan == seen.Plan || fresh.MatchedRowsCount != 1 ||
		fmt.Sprint(ledger.AsError(err).Details) != fmt.Sprintf("map[plan:%s]", fresh.Plan) {
		t.Errorf("afterwards %+v", fresh)
	}
	if _, err := k.Publish(t.Context(), k.who, uuid.UUID(pending.PublicID),
		importer.Publication{Plan: fresh.Plan}); err != nil {
		t.Fatal(err)
	}
	k.bookFile("date,amount,name\n2026-01-30,-3.00,Coffee\n") // not done before it: the queue is in order
	k.mustBalance(-1900)
}

// The rule that makes source hashes must never change: these are the keys of rows that are stored already.
func TestSourceHashesOfStoredRows(t *testing.T) {
	t.Parallel()
	rows, err := read(t, "date,amount,name\n2026-01-31, -12.50 ,\"Café \"\"X\"\"\"\n2026-02-01,1,\n", `{}`, euro(t))
	if err != nil {
		t.Fatal(err)
	}
	// The first eight bytes of the SHA-256 of 2026-01-31 U+001F -12.50 U+001F Café "X", and of 2026-02-01 U+001F 1
	// U+001F.
	want := []int64{8179845582547237667, -8076260450351671256}
	for i, row := range rows {
		if row.Key != want[i] {
			t.Errorf("row %d has key %d, want %d", i+1, row.Key, want[i])
		}
	}
}

// Trades are recognised like transactions, also those of the API.
func TestTradesAreRecognised(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	broker, err := k.ledger.Accounts.CreateAccount(t.Context(), k.who,
		catalog.AccountInput{Name: ledger.Some("Broker"), AccountType: ledger.Some("investment")})
	if err != nil {
		t.Fatal(err)
	}
	const file = "date,ticker,qty,price\n2026-01-30,ACME,10,2.50\n2026-01-30,ACME,10,2.50\n2026-01-31,ACME,-5,3.00\n"
	send := func(content string) queries.Import {
		t.Helper()
		imp := k.send(content, importer.Request{Type: recordpkg.TradeImport,
			AccountID: ledger.Some(uuid.UUID(broker.PublicID)), Publish: true})
		k.work()
		return k.get(imp)
	}
	first := send(file)
	if got := k.fates(first); got != "imported imported imported" {
		t.Fatalf("%s: %s", first.Status, got)
	}
	if got := k.fates(send(file)); got != "already_imported already_imported already_imported" {
		t.Errorf("again: %s", got)
	}
	moved, err := k.ledger.Trades.UpdateTrade(t.Context(), k.who, uuid.UUID(k.trades()[0].PublicID),
		trade.Input{Date: ledger.Some(ledger.NewDate(2026, 2, 3))})
	if got := k.fates(send(file)); err != nil || got != "already_imported already_imported already_imported" {
		t.Errorf("moved to another day: %s, %v", got, err)
	}
	if _, err := k.ledger.Trades.UpdateTrade(t.Context(), k.who, uuid.UUID(moved.PublicID),
		trade.Input{Date: ledger.Some(ledger.NewDate(2026, 1, 31))}); err != nil {
		t.Fatal(err)
	}
	if got := k.fates(send("ticker,date,price,qty\nacme,2026-01-31,3.00,-5\nACME,2026-01-31,3.00,-5\nACME,2026-01-31,1.50,-10\n")); got != "already_imported imported imported" {
		t.Errorf("another layout: %s", got)
	}
	if _, err := k.revert(first, false); !ledger.IsKind(err, ledger.Conflict) {
		t.Errorf("got %v", err)
	}
	// 10 + 10 - 5 shares, then 5 and 10 sold: none is left; the cash is -50 + 15 + 15 + 15.
	account, err := k.ledger.Accounts.GetAccount(t.Context(), k.who, uuid.UUID(broker.PublicID))
	if err != nil || account.BalanceMinor != -500 {
		t.Errorf("balance %d, %v", account.BalanceMinor, err)
	}
}
