package report_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/money"
	"finsvc/ledger/report"
	"finsvc/queries"
)

// TestFiguresEqualTheirParts: whatever happens, the parts come to the figure that GET /accounts and the
// balance sheet give, the pages of entries to their sum, and what changed to the difference between any two
// days. That parts add up is checked by every explanation itself: it is an error when they do not.
func TestFiguresEqualTheirParts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		m := ledgertest.NewMarket(t)
		for range rapid.IntRange(1, 25).Draw(r, "things") {
			m.Happen(r)
		}
		day := ledger.Date(rapid.IntRange(0, ledgertest.MarketDays).Draw(r, "figure's day"))
		from := ledger.Date(rapid.IntRange(-1, int(day)).Draw(r, "from"))
		for _, days := range []report.ExplainDays{{Date: ledger.Some(day)}, {Date: ledger.Some(day), From: ledger.Some(from)}} {
			m.ExplainAll(r, days)
		}
	})
}

// TestNetWorthsEqualTheirParts: in books of several currencies, with rates that change and rates that are missing, the parts
// come to the net worth of every day, and what changed it to the difference between any two days, a day and itself among
// them.
func TestNetWorthsEqualTheirParts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		m := ledgertest.NewMarket(t)
		m.Spread(r)
		for range rapid.IntRange(1, 25).Draw(r, "things") {
			m.Happen(r)
		}
		large := rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(r, "large statements")
		for range large {
			m.Exec(r, `INSERT INTO valuations (public_id, household_id, account_id, date, amount, kind, created_at, updated_at)
				VALUES (?, ?, ?, ?, ?, 'reconciliation', 0, 0) ON CONFLICT DO UPDATE SET amount = excluded.amount`, queries.PublicID(uuid.New()), m.Who.HouseholdID,
				rapid.SampledFrom(m.Accounts).Draw(r, "account"), rapid.IntRange(0, ledgertest.MarketDays-1).Draw(r, "day"), rapid.SampledFrom([]int64{money.MaxBalance, -money.MaxBalance, money.MaxBalance / 60}).Draw(r, "amount"))
		}
		worth := map[ledger.Date]int64{}
		for day := ledger.Date(-1); day <= ledgertest.MarketDays; day++ {
			sheet, err := m.Reports.BalanceSheet(context.Background(), m.Who, ledger.Some(day))
			if err != nil {
				r.Fatal(err)
			}
			worth[day] = sheet.NetWorth
			m.Explained(r, report.ExplainDays{Date: ledger.Some(day)}, worth, large > 0)
			for _, from := range []ledger.Date{day, ledger.Date(rapid.IntRange(-1, int(day)).Draw(r, "from"))} {
				m.Explained(r, report.ExplainDays{Date: ledger.Some(day), From: ledger.Some(from)}, worth, large > 0)
			}
		}
	})
}
