package ledger_test

import (
	"fmt"
	"testing"

	"finsvc/ledger"
)

// BenchmarkNetWorth is ten years of twelve accounts in as many currencies, with rates of every working day.
func BenchmarkNetWorth(b *testing.B) {
	const first = 16800 // 2015-12-31
	home := newBooks(b)
	for i, code := range []string{"USD", "JPY", "KWD", "CHF", "GBP", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "EUR"} {
		a := home.openWith(fmt.Sprint("Account ", i), "depository", code, "10")
		home.exec(`WITH RECURSIVE days (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM days WHERE n < 3649)
			INSERT INTO account_days (account_id, date, currency, household_id, amount, transactions, incomes)
			SELECT ?, ? + n, ?, ?, n * 137 - 1000, 3, 1 FROM days`, a.ID, first, code, a.HouseholdID)
		if code != "EUR" {
			home.exec(`INSERT INTO amount_bands (household_id, currency, band, transactions) VALUES (?, ?, 1, 1)`, a.HouseholdID, code)
			home.exec(`WITH RECURSIVE days (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM days WHERE n < 3649)
				INSERT INTO exchange_rates (from_currency, to_currency, date, rate, source)
				SELECT 'EUR', ?, ? + n, '1.' || (n % 1000 + 1000), 'ecb' FROM days WHERE n % 7 < 5`, code, first)
		}
	}
	last := ledger.Date(first + 3649)
	b.Run("balance sheet", func(b *testing.B) {
		for b.Loop() {
			if _, err := home.BalanceSheet(b.Context(), home.who, ledger.Some(last)); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, interval := range []string{"month", "week", "day"} {
		b.Run(interval, func(b *testing.B) {
			for b.Loop() {
				in := ledger.SeriesInput{StartDate: ledger.Some(ledger.Date(first)), EndDate: ledger.Some(last), Interval: interval}
				if _, err := home.NetWorth(b.Context(), home.who, in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
