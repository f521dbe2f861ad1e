package importer_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/importer"
	recordpkg "finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

// fixture is an importer on a file of its own, with a household and an account in euros.
type fixture struct {
	*importer.Importer
	db      *db.DB
	ledger  *books.Books
	who     ledger.Actor
	account uuid.UUID
	clock   time.Time
	asked   func() // what happens when the clock is asked, as each write of a worker does; nil for nothing
	tb      testing.TB
}

func newFixture(tb testing.TB) *fixture {
	tb.Helper()
	return deskOn(tb, dbtest.New(tb))
}

func deskOn(tb testing.TB, d *db.DB) *fixture {
	tb.Helper()
	k := &fixture{db: d, tb: tb, clock: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	now := func() time.Time {
		if k.asked != nil {
			k.asked()
		}
		return k.clock
	}
	k.ledger = books.New(d, now)
	k.Importer = importer.New(importer.Options{DB: d, Ledger: k.ledger, Logger: slog.New(slog.DiscardHandler), Now: now,
		Max: 1 << 20})
	home, owner, err := k.ledger.Tenants.CreateHousehold(tb.Context(), ledger.Actor{Origin: ledger.OriginCLI},
		tenant.HouseholdInput{
			Name: "Home", Currency: "EUR", Locale: "en", Timezone: "UTC", OwnerEmail: "a@example.org", NoCategories: true})
	if err != nil {
		tb.Fatal(err)
	}
	k.who = ledger.Actor{HouseholdID: home.ID, UserID: owner.ID, Origin: ledger.OriginAPI}
	account, err := k.ledger.Accounts.CreateAccount(tb.Context(), k.who,
		catalog.AccountInput{Name: ledger.Some("Checking"), AccountType: ledger.Some("depository")})
	if err != nil {
		tb.Fatal(err)
	}
	k.account = uuid.UUID(account.PublicID)
	return k
}

// upload sends a file with the account's id.
func (k *fixture) upload(content string, in importer.Request) queries.Import {
	k.tb.Helper()
	in.AccountID = ledger.Some(k.account)
	return k.send(content, in)
}

func (k *fixture) send(content string, in importer.Request) queries.Import {
	k.tb.Helper()
	up, err := k.Receive(k.tb.Context(), k.who)
	if err != nil {
		k.tb.Fatal(err)
	}
	if _, err := io.WriteString(up, content); err != nil {
		k.tb.Fatal(err)
	}
	imp, err := up.Finish(k.tb.Context(), in)
	if err != nil {
		k.tb.Fatal(err)
	}
	return imp
}

func (k *fixture) work() {
	k.tb.Helper()
	for {
		worked, err := k.Work(k.tb.Context())
		if err != nil {
			k.tb.Fatal(err)
		}
		if !worked {
			return
		}
	}
}

func (k *fixture) get(imp queries.Import) queries.Import {
	k.tb.Helper()
	now, err := k.Get(k.tb.Context(), k.who, uuid.UUID(imp.PublicID))
	if err != nil {
		k.tb.Fatal(err)
	}
	return now
}

func (k *fixture) transactions() ([]entry.Transaction, int64) {
	k.tb.Helper()
	list, total, err := k.ledger.Entries.ListTransactions(k.tb.Context(), k.who, entry.TransactionFilter{},
		ledger.Page{Number: 1, Size: 100})
	if err != nil {
		k.tb.Fatal(err)
	}
	return list, total
}

const threeRows = "date,amount,name,category,tags\n2026-01-31,-12.50,Bread,Food,fun\n2026-02-01,1000.00,Salary,,\n2026-01-31,-12.50,Bread,Food,fun\n"

func TestPublish(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	imp := k.upload(threeRows, importer.Request{Publish: true})
	if imp.Status != "importing" || imp.RowsCount != 3 || imp.ValidRowsCount != 3 {
		t.Fatalf("uploaded %+v", imp)
	}
	if _, total := k.transactions(); total != 0 {
		t.Errorf("%d transactions before the work was done", total)
	}
	k.work()
	if now := k.get(imp); now.Status != "complete" || now.DoneRowsCount != 3 || now.Error != nil {
		t.Errorf("published %+v", now)
	}
	list, total := k.transactions()
	if total != 3 || list[0].Name != "Salary" || list[0].Amount != 100000 || list[1].Amount != -1250 ||
		list[1].Category.Name != "Food" || list[1].Tags[0].Name != "fun" {
		t.Errorf("got %d: %+v", total, list)
	}
	_, rows, err := k.Results(t.Context(), k.who, uuid.UUID(imp.PublicID), ledger.Page{Number: 1, Size: 10})
	if err != nil || len(rows) != 3 || rows[1].EntryID != uuid.UUID(list[0].PublicID) ||
		rows[0].EntryID == rows[2].EntryID {
		t.Errorf("rows %+v, %v", rows, err)
	}
}

func TestTabsAreKept(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	tab := "\t"
	imp := k.upload("date\tamount\tname\n2026-01-31\t-12.50\tBread, fresh\n",
		importer.Request{Publish: true, Settings: recordpkg.Settings{ColSep: &tab}})
	k.work()
	if list, total := k.transactions(); total != 1 || list[0].Name != "Bread, fresh" || list[0].Amount != -1250 {
		t.Errorf("got %d: %+v, import %+v", total, list, k.get(imp).Status)
	}
}

func TestInvalidRowsHoldTheImport(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	const file = "date,amount,name\n2026-01-31,-12.50,Bread\n2026-02-30,5,Never\n2026-02-01,abc,Never\n"
	imp := k.upload(file, importer.Request{Publish: true})
	if imp.Status != "failed" || imp.RowsCount != 3 || imp.ValidRowsCount != 1 || imp.InvalidRowsCount != 2 ||
		!strings.Contains(*imp.Error, "2 of 3 rows") {
		t.Fatalf("uploaded %+v", imp)
	}
	if _, err := k.Publish(t.Context(), k.who, uuid.UUID(imp.PublicID), importer.Publication{}); !ledger.IsKind(err,
		ledger.Invalid) {
		t.Errorf("publishing with invalid rows: %v", err)
	}
	if _, err := k.Publish(t.Context(), k.who, uuid.UUID(imp.PublicID),
		importer.Publication{SkipInvalidRows: true}); err != nil {
		t.Fatal(err)
	}
	k.work()
	if now := k.get(imp); now.Status != "complete" {
		t.Errorf("published %+v", now)
	}
	if _, total := k.transactions(); total != 1 {
		t.Errorf("%d transactions, want the valid one", total)
	}
	if _, err := k.Publish(t.Context(), k.who, uuid.UUID(imp.PublicID),
		importer.Publication{SkipInvalidRows: true}); !ledger.IsKind(err, ledger.Conflict) {
		t.Errorf("publishing twice: %v", err)
	}
}

func TestBrokenContent(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	for name, c := range map[string]struct{ content, status, says string }{
		"nothing sent":       {"", "failed", "no content yet"},
		"blank lines":        {"\n\n", "failed", "no header line"},
		"header only":        {"date,amount\n", "failed", "no rows"},
		"unterminated quote": {"date,amount\n2026-01-01,\"5\n", "failed", "line 2"},
		"two of one name":    {"date,amount,Amount\n2026-01-01,-5,-6\n", "failed", "amount_col_label"},
		"no amount column":   {"date,colour\n2026-01-01,red\n", "failed", "amount_col_label"},
	} {
		imp := k.upload(c.content, importer.Request{Publish: true})
		if imp.Status != c.status || imp.Error == nil || !strings.Contains(*imp.Error, c.says) {
			t.Errorf("%s: got %s %v, want %s saying %q", name, imp.Status, imp.Error, c.status, c.says)
		}
	}
}

func TestTooLongIsRefusedWhole(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	up, err := k.Receive(t.Context(), k.who)
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.WriteString(up, strings.Repeat("x", 1<<20+1))
	if e := ledger.AsError(err); e == nil || e.Code != "content_too_large" || !strings.Contains(e.Message, "1.0 MiB") {
		t.Errorf("got %v", err)
	}
	if err := up.Discard(t.Context()); err != nil {
		t.Fatal(err)
	}
	if list, total, err := k.List(t.Context(), k.who, importer.Filter{},
		ledger.Page{Number: 1, Size: 10}); err != nil || total != 0 || len(list) != 0 {
		t.Errorf("something is left: %d, %v", total, err)
	}
}

// manyRows is a file whose rows are spread over ten years, so that batches and days interleave.
func manyRows(n int) string {
	var out strings.Builder
	out.WriteString("date,amount,name\n")
	for i := range n {
		fmt.Fprintf(&out, "%s,-%d.%02d,row %d\n", ledger.NewDate(2016, 1, 1).AddDays(i*7919%3653), i%500, i%100, i)
	}
	return out.String()
}

// stopAfter ends its context once the import has written some rows.
func (k *fixture) stopAfter(imp queries.Import, rows int64) context.Context {
	ctx, cancel := context.WithCancel(k.tb.Context())
	k.asked = func() {
		if now, err := k.Get(k.tb.Context(), k.who, uuid.UUID(imp.PublicID)); err != nil || now.DoneRowsCount >= rows {
			cancel()
		}
	}
	return ctx
}

func TestInterruptedWorkIsInvisibleAndTakenUpAgain(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	imp := k.upload(manyRows(12_000), importer.Request{Publish: true})
	ctx := k.stopAfter(imp, 2_000)
	if _, err := k.Work(ctx); err != nil {
		t.Fatal(err)
	}
	if now := k.get(imp); now.Status != "importing" {
		t.Fatalf("stopped %+v", now)
	}
	for name, f := range map[string]entry.TransactionFilter{"all": {}, "search": {Search: "row 1"},
		"short search": {Search: "ro"},
		"account":      {AccountIDs: []uuid.UUID{k.account}}, "type": {Type: "expense"}} {
		if list, total, err := k.ledger.Entries.ListTransactions(t.Context(), k.who, f,
			ledger.Page{Number: 1, Size: 10}); err != nil || total != 0 || len(list) != 0 {
			t.Errorf("%s shows %d unfinished rows, %v", name, total, err)
		}
	}
	k.work()
	if now := k.get(imp); now.Status != "complete" {
		t.Errorf("taken up %+v", now)
	}
	if _, total := k.transactions(); total != 12_000 {
		t.Errorf("%d transactions, want 12000", total)
	}
	k.checkRollups()
}

// checkRollups compares the sums with the rows.
func (k *fixture) checkRollups() {
	k.tb.Helper()
	err := k.db.Read(k.tb.Context(), func(ctx context.Context, q *queries.Queries) error {
		for what, text := range map[string]string{
			"days": `SELECT count(*) FROM (SELECT account_id, date, currency, amount, transactions, incomes FROM account_days EXCEPT
				SELECT account_id, date, currency, sum(amount), count(*), sum(amount > 0) FROM transactions GROUP BY 1, 2, 3)`,
			"months": `SELECT abs((SELECT sum(upper * 4294967296 + lower) FROM account_months) - (SELECT sum(amount) FROM account_days WHERE other_currency = 0))
				+ abs((SELECT sum(days) FROM account_months) - (SELECT count(*) FROM account_days WHERE other_currency = 0))`,
			"bands": `SELECT abs((SELECT sum(transactions) FROM amount_bands) - (SELECT count(*) FROM transactions))`,
			"texts": `SELECT abs((SELECT count(*) FROM transactions_fts) - (SELECT count(*) FROM transactions))`,
		} {
			if wrong, err := q.Number(ctx, text); err != nil || wrong != 0 {
				return fmt.Errorf("%s differ by %d: %w", what, wrong, err)
			}
		}
		return nil
	})
	if err != nil {
		k.tb.Error(err)
	}
}

// TestWritesGoOnWhileAnImportIsWritten holds what was decided.
//
// Decision, Imports: other writes go on meanwhile.
func TestWritesGoOnWhileAnImportIsWritten(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	imp := k.upload(manyRows(12_000), importer.Request{Publish: true})
	done := make(chan error, 1)
	go func() { _, err := k.Work(t.Context()); done <- err }()
	created := int64(0)
	for finished := false; !finished; {
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			finished = true
		default:
			in := entry.TransactionInput{AccountID: ledger.Some(k.account),
				Date: ledger.Some(ledger.NewDate(2020, 1, 1)), Name: ledger.Some("meanwhile")}
			in.Amount.Set = true
			if _, _, err := k.ledger.Entries.CreateTransaction(t.Context(), k.who, in); err != nil {
				t.Fatal(err)
			}
			created++
		}
	}
	if _, total := k.transactions(); total != 12_000+created || created < 2 {
		t.Errorf("%d transactions, %d of them created meanwhile; import %s", total, created, k.get(imp).Status)
	}
	k.checkRollups()
}

func TestAnotherWorkerWaitsForTheLease(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	imp := k.upload(threeRows, importer.Request{Publish: true})
	claim := func(ctx context.Context, q *queries.Queries) error {
		_, err := q.ClaimImport(ctx, queries.ClaimImportParams{LeaseUntil: k.clock.Add(10 * time.Second).UnixMilli(),
			Now: k.clock.UnixMilli()})
		return err
	}
	if err := k.db.Write(t.Context(), claim); err != nil { // a worker that will never come back
		t.Fatal(err)
	}
	if worked, err := k.Work(t.Context()); worked || err != nil {
		t.Errorf("worked on what another holds: %v, %v", worked, err)
	}
	k.clock = k.clock.Add(11 * time.Second)
	k.work()
	if now := k.get(imp); now.Status != "complete" {
		t.Errorf("after the lease had passed: %+v", now)
	}
}

func TestFailureLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	for range 2 {
		if _, err := k.ledger.Accounts.CreateAccount(t.Context(), k.who,
			catalog.AccountInput{Name: ledger.Some("Twice"), AccountType: ledger.Some("depository")}); err != nil {
			t.Fatal(err)
		}
	}
	const file = "date,amount,account,category,tags\n2026-01-31,-1,New Bank,Fresh,new\n2026-01-31,-1,Twice,,\n"
	imp := k.send(file, importer.Request{Publish: true})
	k.work()
	now := k.get(imp)
	if now.Status != "failed" || !strings.Contains(*now.Error, "2 accounts have that name") {
		t.Fatalf("got %+v", now)
	}
	err := k.db.Read(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		for what, text := range map[string]string{"accounts": "SELECT count(*) - 3 FROM accounts",
			"categories": "SELECT count(*) FROM categories",
			"tags":       "SELECT count(*) FROM tags", "transactions": "SELECT count(*) FROM transactions",
			"hidden": "SELECT count(*) FROM households WHERE hidden_to >= hidden_from"} {
			if n, err := q.Number(ctx, text); err != nil || n != 0 {
				t.Errorf("%s left behind: %d, %v", what, n, err)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

func TestStrangersImports(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	imp := k.upload(threeRows, importer.Request{})
	stranger := k.who
	stranger.HouseholdID++
	if _, err := k.Get(t.Context(), stranger, uuid.UUID(imp.PublicID)); !ledger.IsKind(err, ledger.NotFound) {
		t.Errorf("get: %v", err)
	}
	if _, err := k.Publish(t.Context(), stranger, uuid.UUID(imp.PublicID),
		importer.Publication{SkipInvalidRows: true}); !ledger.IsKind(err, ledger.NotFound) {
		t.Errorf("publish: %v", err)
	}
	if _, total, err := k.List(t.Context(), stranger, importer.Filter{},
		ledger.Page{Number: 1, Size: 10}); err != nil || total != 0 {
		t.Errorf("list: %d, %v", total, err)
	}
}
