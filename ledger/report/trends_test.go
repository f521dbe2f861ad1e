package report_test

import (
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/ledgertest"
)

// TestTrends: the balances of a trend are those of the accounts day by day, with entries in another currency and balances
// that were stated; the newest day is that of an entry or of such a balance.
func TestTrends(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro, debt := b.Account(b.Who, "Giro", "EUR"), b.Account(b.Who, "Dollars", "USD")
	b.Rate("USD", "EUR", "2025-12-01", "0.9")
	for day, amount := range map[string]string{"2025-11-03": "12", "2025-12-14": "-100", "2026-01-20": "7.5", "2026-02-11": "-3"} {
		b.Create(ledgertest.Entry(giro, day, amount, "x"))
		b.Create(ledgertest.Entry(debt, day, amount, "x"))
	}
	foreign := ledgertest.Entry(giro, "2026-01-30", "20", "abroad")
	foreign.Currency = ledger.Some("USD")
	b.Create(foreign)
	account, err := b.Accounts.GetAccount(t.Context(), b.Who, debt)
	if err != nil {
		t.Fatal(err)
	}
	b.State(ledgertest.ValuationOf(account, "2026-02-20", "55"))
	trends, err := b.Reports.Trends(t.Context(), b.Who)
	if err != nil {
		t.Fatal(err)
	}
	if len(trends.Days) != 16 || trends.Days[0] != ledger.NewDate(2025, 12, 1) || trends.Days[15] != ledger.NewDate(2026, 3, 1) {
		t.Fatalf("days: %v", trends.Days)
	}
	for id, newest := range map[uuid.UUID]ledger.Date{giro: ledger.NewDate(2026, 2, 11), debt: ledger.NewDate(2026, 2, 20)} {
		trend := trends.ByAccount[id]
		if trend.Newest == nil || *trend.Newest != newest {
			t.Errorf("newest day: %v, want %s", trend.Newest, newest)
		}
		days, _, err := b.Balances.ListBalanceDays(t.Context(), b.Who, balance.DayFilter{AccountID: ledger.Some(id)}, ledger.Everything())
		if err != nil {
			t.Fatal(err)
		}
		ends := map[ledger.Date]int64{}
		for _, d := range days {
			ends[d.Date] = d.End
		}
		for i, day := range trends.Days {
			if trend.Balances[i] != ends[day] {
				t.Errorf("balance on %s: %d, want %d", day, trend.Balances[i], ends[day])
			}
		}
	}
}
