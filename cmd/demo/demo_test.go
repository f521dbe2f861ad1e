package demo

import (
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/assistant"
	"finsvc/db"
	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/entry"
	"finsvc/ledger/report"
	"finsvc/ledger/transfer"
)

// demoHousehold is the demonstration of a Sunday.
type demoHousehold struct {
	*testing.T
	*books.Books
	now      func() time.Time
	database *db.DB
	im       *importer.Importer
	who      ledger.Actor
}

func newDemoHousehold(t *testing.T) *demoHousehold {
	t.Helper()
	noon := func() time.Time { return time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC) }
	log := slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn}))
	database, err := db.Open(t.Context(), filepath.Join(t.TempDir(), "finance.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = database.Close() }) // nothing is written any more
	books := books.New(database, noon)
	if _, err := Fill(t.Context(), database, books, noon, log); err != nil {
		t.Fatal(err)
	}
	im := importer.New(importer.Options{DB: database, Ledger: books, Logger: log, Now: noon})
	return &demoHousehold{t, books, noon, database, im, ledger.Actor{HouseholdID: 1, Origin: ledger.OriginCLI}}
}

// same compares what was counted with what was worked out by hand.
func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// TestDemoFacts holds the demonstration of 2026-11-22, a Sunday, against a calendar: it begins on 2024-11-22, a Friday.
func TestDemoFacts(t *testing.T) {
	t.Parallel()
	d := newDemoHousehold(t)
	for search, want := range map[string]int64{
		"salary":                24,  // the 27th from November 2024 to October 2026
		"rent, studio":          24,  // the 1st from December to November
		"groceries of the week": 132, // 105 Saturdays, from 2024-11-23 to 2026-11-21; every fourth, 27 of them, has two parts
		"weekly ticket":         104, // Mondays, from 2024-11-25 to 2026-11-16
		"lunch, kyoto":          20,  // 4 to 13 October 2025 and 2026
		"transfer to london":    8,   // the 10th of March, June, September and December, from December 2024 to September 2026
		"retainer":              23,  // the 25th from November 2024 to September 2026; that of October is in the pending import
	} {
		_, total, err := d.Entries.ListTransactions(t.Context(), d.who, entry.TransactionFilter{Search: search}, ledger.Page{Number: 1, Size: 1})
		if err != nil {
			t.Fatal(err)
		}
		same(t, search, total, want)
	}
	salaries := int64(0)
	list, _, err := d.Entries.ListTransactions(t.Context(), d.who, entry.TransactionFilter{Search: "salary"}, ledger.Page{Number: 1, Size: 100})
	for _, s := range list {
		salaries += s.Amount
	}
	same(t, "salaries", salaries, 24*431_218)
	same(t, "error", err, nil)
	d.transfers()
	d.imports()
	d.splits()
	d.whole()
	d.chats()
}

// transfers: saving, the savings plan, the mortgage and the card are transfers by rules, once a month; those to London are
// suggestions, as they were matched by the rate of the day.
func (d *demoHousehold) transfers() {
	for status, want := range map[string]int64{transfer.TransferConfirmed: 4 * 24, transfer.TransferPending: 8} {
		_, total, err := d.Transfers.ListTransfers(d.Context(), d.who, transfer.Filter{Status: status}, ledger.Page{Number: 1, Size: 1 << 30})
		same(d.T, "error", err, nil)
		same(d.T, status+" transfers", total, want)
	}
}

// imports: until 24 August; from 4 August until 23 October, of which 9, 14 and 22 August are there already; and since 13 October,
// of which 14 and 22 October are.
func (d *demoHousehold) imports() {
	list, _, err := d.im.List(d.Context(), d.who, importer.Filter{}, ledger.Page{Number: 1, Size: 1 << 30})
	if err != nil || len(list) != 3 {
		d.Fatalf("imports %v, %v", list, err)
	}
	for i, want := range []struct {
		status        string
		rows, matched int64
	}{{"pending", 7, 2}, {"complete", 14, 3}, {"complete", 119, 0}} { // the newest first
		same(d.T, "status", list[i].Status, want.status)
		same(d.T, "rows", list[i].RowsCount, want.rows)
		same(d.T, "rows that were there", list[i].MatchedRowsCount, want.matched)
		same(d.T, "bad rows", list[i].InvalidRowsCount, 0)
	}
}

// splits: of the Saturdays every fourth has two lines, the first being 2024-11-23 and the last 2026-11-21.
func (d *demoHousehold) splits() {
	list, _, err := d.Entries.ListTransactions(d.Context(), d.who, entry.TransactionFilter{Search: "groceries of the week"}, ledger.Page{Number: 1, Size: 200})
	same(d.T, "error", err, nil)
	parts := 0
	for _, t := range list {
		if t.Position > 0 {
			parts++
		}
	}
	same(d.T, "parts of split transactions", parts, 54)
}

// whole: the books prove right, and no day's net worth leaves anything out.
func (d *demoHousehold) whole() {
	t := d.T
	found, err := d.Audits.Audit(t.Context())
	if err != nil || len(found.Defects) > 0 {
		t.Errorf("the books have defects: %v, %v", found.Defects, err)
	}
	series, err := d.Reports.NetWorth(t.Context(), d.who, report.SeriesInput{
		StartDate: ledger.Some(ledger.NewDate(2024, 11, 22)), EndDate: ledger.Some(ledger.NewDate(2026, 11, 22)), Interval: "day"})
	if err != nil || len(series.Points) != 731 || len(series.Unconverted) > 0 {
		t.Errorf("%d days, left out %v, %v", len(series.Points), series.Unconverted, err)
	}
	accounts, _, err := d.Accounts.ListAccounts(t.Context(), d.who, true, ledger.Page{Number: 1, Size: 1 << 30})
	kinds := map[string]bool{}
	for _, a := range accounts {
		kinds[a.AccountType] = true
	}
	if err != nil || len(accounts) != 14 || len(kinds) != 9 {
		t.Errorf("%d accounts of %d kinds, %v", len(accounts), len(kinds), err)
	}
}

// chats: all questions are answered, by the program itself.
func (d *demoHousehold) chats() {
	chats := assistant.New(assistant.Options{DB: d.database, Ledger: d.Books, Logger: slog.New(slog.DiscardHandler), Now: d.now})
	people, err := d.Tenants.ListUsers(d.Context(), d.who)
	same(d.T, "error", err, nil)
	who := d.who
	who.UserID = people[0].ID
	list, _, err := chats.ListChats(d.Context(), who, ledger.Page{Number: 1, Size: 1 << 30})
	same(d.T, "error", err, nil)
	same(d.T, "chats", len(list), len(questionsAsked()))
	for _, c := range list {
		chat, err := chats.GetChat(d.Context(), who, uuid.UUID(c.PublicID), ledger.Page{Number: 1, Size: 1 << 30})
		if err != nil || chat.Error != nil {
			d.Errorf("chat %s: %v %v", c.Title, err, chat.Error)
		}
		for _, m := range chat.Messages {
			if m.Status != "complete" || m.Role != "user" && (!strings.Contains(m.Content, "EUR") || *m.Model != "builtin") {
				d.Errorf("%s is %s: %s", m.Role, m.Status, m.Content)
			}
		}
	}
}
