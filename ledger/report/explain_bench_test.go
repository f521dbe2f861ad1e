package report_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/report"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

// BenchmarkExplainBalance explains a balance with 100,000 entries since the last statement.
func BenchmarkExplainBalance(b *testing.B) {
	first := ledger.NewDate(2016, 1, 1)
	l := books.New(dbtest.New(b), func() time.Time { return (first + 3650).Time().Add(12 * time.Hour) })
	home, _, err := l.Tenants.CreateHousehold(b.Context(), ledger.Actor{Origin: ledger.OriginCLI}, tenant.HouseholdInput{Name: "Home", Currency: "EUR", Locale: "en", Timezone: "UTC", OwnerEmail: "a@example.org"})
	if err != nil {
		b.Fatal(err)
	}
	who := ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginAPI}
	a, err := l.Accounts.CreateAccount(b.Context(), who, catalog.AccountInput{Name: ledger.Some("Checking"), AccountType: ledger.Some("depository")})
	if err != nil {
		b.Fatal(err)
	}
	err = l.DB.Write(b.Context(), func(ctx context.Context, q *queries.Queries) error {
		if _, err := q.Exec(ctx, `WITH RECURSIVE rows (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM rows WHERE n < 99999)
			INSERT INTO transactions (id, public_id, household_id, account_id, date, amount, currency, name, created_at, updated_at)
			SELECT ?1 + ((n * 3650 / 100000) << 26) + n + 1, randomblob(16), ?2, ?3, ?4 + n * 3650 / 100000, n % 1000 - 400, iif(n % 10 = 0, 'USD', 'EUR'), 'entry', 0, 0 FROM rows`,
			int64(ledger.FirstKey(home.ID, first)), home.ID, a.ID, first); err != nil {
			return err
		}
		if _, err := q.Exec(ctx, `INSERT INTO account_days (account_id, date, currency, household_id, amount, transactions, incomes, trades, other_currency)
			SELECT account_id, date, currency, household_id, sum(amount), count(*), 0, 0, currency = 'USD' FROM transactions GROUP BY 1, 2, 3`); err != nil {
			return err
		}
		_, err := q.Exec(ctx, `WITH RECURSIVE days (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM days WHERE n < 3650)
			INSERT INTO exchange_rates (from_currency, to_currency, date, rate, source) SELECT 'EUR', 'USD', ?1 + n, '1.' || (n % 100 + 100), 'test' FROM days`, first)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	for name, page := range map[string]ledger.Page{"first page": {Number: 1, Size: 100}, "last page": {Number: 1000, Size: 100}} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if e, err := l.Reports.ExplainBalance(b.Context(), who, uuid.UUID(a.PublicID), report.ExplainDays{}, page); err != nil || len(e.Entries) != 100 {
					b.Fatal(len(e.Entries), err)
				}
			}
		})
	}
	b.Run("all entries", func(b *testing.B) {
		for b.Loop() {
			if _, err := l.Reports.ExplainBalance(b.Context(), who, uuid.UUID(a.PublicID), report.ExplainDays{}, ledger.Page{Number: 1, Size: 100_000}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
