package report_test

import (
	"context"
	"math"
	"os"
	"testing"
	"time"

	"finsvc/db"
	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/report"
	"finsvc/queries"
)

type million struct {
	*books.Books
	db *db.DB
	dbtest.Filled
	who ledger.Actor
}

// newMillion opens the file of BenchmarkNetWorth.
func newMillion(b *testing.B) *million {
	path, fresh := os.Getenv("FINSVC_BENCH"), false
	if path == "" {
		path, fresh = dbtest.Path(b), true
	} else if _, err := os.Stat(path); os.IsNotExist(err) {
		fresh = true
	}
	database := dbtest.Open(b, path)
	var filled dbtest.Filled
	if fresh {
		filled = dbtest.Fill(b, database, dbtest.Million)
	} else {
		filled = dbtest.Known(b, database)
	}
	return &million{books.New(database, time.Now), database, filled, ledger.Actor{HouseholdID: filled.HouseholdID, UserID: filled.UserID, Origin: ledger.OriginCLI}}
}

// keepSums keeps the sums of all months, or of none.
func (m *million) keepSums(b *testing.B) {
	least := int64(report.LargeMonth)
	if os.Getenv("FINSVC_BENCH_ROWS") != "" {
		least = math.MaxInt64
		if err := m.db.Write(b.Context(), func(ctx context.Context, q *queries.Queries) error {
			_, err := q.Exec(ctx, "DELETE FROM month_sums")
			return err
		}); err != nil {
			b.Fatal(err)
		}
	}
	if err := m.Reports.KeepSums(b.Context(), least); err != nil {
		b.Fatal(err)
	}
}

func BenchmarkIncomeStatement(b *testing.B) {
	m := newMillion(b)
	m.keepSums(b)
	for _, c := range []struct{ name, start, end string }{{"month", "2026-10-01", "2026-10-31"}, {"year", "2025-11-01", "2026-10-31"}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := m.Reports.IncomeStatement(b.Context(), m.who, report.IncomeInput{StartDate: ledgertest.DayOf(c.start), EndDate: ledgertest.DayOf(c.end)}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkBreakdown is of a month, a year, one label over all ten years, and these as a whole. The sums of months are
// kept, as a server does it; FINSVC_BENCH_ROWS=1 has all rows read instead.
func BenchmarkBreakdown(b *testing.B) {
	m := newMillion(b)
	m.keepSums(b)
	days := func(start, end string, by string) report.BreakdownInput {
		return report.BreakdownInput{TransactionFilter: entry.TransactionFilter{StartDate: ledgertest.DayOf(start), EndDate: ledgertest.DayOf(end)}, GroupBy: by}
	}
	of := func(f entry.TransactionFilter, by string) report.BreakdownInput {
		return report.BreakdownInput{TransactionFilter: f, GroupBy: by}
	}
	year := []string{"2025-11-01", "2026-10-31"}
	for _, c := range []struct {
		name string
		in   report.BreakdownInput
	}{
		{"month by merchant", days("2026-10-01", "2026-10-31", report.ByMerchant)},
		{"year", days(year[0], year[1], "")},
		{"year by category", days(year[0], year[1], report.ByCategory)},
		{"year by month", days(year[0], year[1], report.ByMonth)},
		{"year by merchant", days(year[0], year[1], report.ByMerchant)},
		{"year by tag", days(year[0], year[1], report.ByTag)},
		{"year by account", days(year[0], year[1], report.ByAccount)},
		{"all by category", of(entry.TransactionFilter{}, report.ByCategory)},
		{"all by merchant", of(entry.TransactionFilter{}, report.ByMerchant)},
		{"all by tag", of(entry.TransactionFilter{}, report.ByTag)},
		{"common category by month", of(entry.TransactionFilter{CategoryIDs: m.CategoriesPublic[:1]}, report.ByMonth)},
		{"common merchant by month", of(entry.TransactionFilter{MerchantIDs: m.Merchants[:1]}, report.ByMonth)},
		{"common tag by month", of(entry.TransactionFilter{TagIDs: m.TagsPub[:1]}, report.ByMonth)},
		{"text", of(entry.TransactionFilter{Search: dbtest.RareWord}, "")},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if _, err := m.Reports.Breakdown(b.Context(), m.who, c.in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkLargest is a page of the largest transactions.
func BenchmarkLargest(b *testing.B) {
	m := newMillion(b)
	for name, f := range map[string]entry.TransactionFilter{
		"all": {}, "expenses": {Type: "expense", Transfers: new(false)}, "expenses of a month": {Type: "expense", StartDate: ledgertest.DayOf("2026-10-01"), EndDate: ledgertest.DayOf("2026-10-31")},
		"year": {StartDate: ledgertest.DayOf("2025-11-01"), EndDate: ledgertest.DayOf("2026-10-31"), Transfers: new(false)}, "category": {CategoryIDs: m.CategoriesPublic[:1]},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := m.Entries.ListLargestTransactions(b.Context(), m.who, f, ledger.Page{Number: 1, Size: 20}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
