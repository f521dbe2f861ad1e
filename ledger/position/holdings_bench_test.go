package position_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/position"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

// newBrokers is a household with 50,000 trades in 200 securities over ten years, in 4 accounts, with a market
// price a week each. Now and then a position is sold off.
func newBrokers(b *testing.B) (*books.Books, ledger.Actor, ledger.Date) {
	b.Helper()
	today := ledger.NewDate(2026, 8, 22)
	l := books.New(dbtest.New(b), func() time.Time { return today.Time().Add(12 * time.Hour) })
	home, _, err := l.Tenants.CreateHousehold(b.Context(), ledger.Actor{Origin: ledger.OriginCLI}, tenant.HouseholdInput{Name: "Home", Currency: "EUR", Locale: "en", Timezone: "UTC", OwnerEmail: "a@example.org"})
	if err != nil {
		b.Fatal(err)
	}
	who := ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginAPI}
	if err := l.DB.Write(b.Context(), func(ctx context.Context, q *queries.Queries) error {
		return fillBrokers(ctx, l, l.Tx(q, who), today-3651)
	}); err != nil {
		b.Fatal(err)
	}
	if err := l.DB.Optimize(b.Context()); err != nil {
		b.Fatal(err)
	}
	return l, who, today
}

func fillBrokers(ctx context.Context, l *books.Books, tx *ledger.Tx, first ledger.Date) error {
	var accounts, securities []int64
	for i := range 4 {
		key, err := tx.Exec(ctx, `INSERT INTO accounts (public_id, household_id, name, name_key, account_type, currency, created_at, updated_at)
			VALUES (?, ?, ?, ?3, 'investment', 'EUR', 0, 0)`, queries.PublicID(uuid.New()), tx.HouseholdID, fmt.Sprint("account ", i))
		if err != nil {
			return err
		}
		accounts = append(accounts, key)
	}
	touched := map[int64]ledger.Date{}
	for i := range 200 {
		key, err := tx.Exec(ctx, `INSERT INTO securities (public_id, household_id, ticker, created_at, updated_at) VALUES (?, ?, ?, 0, 0)`,
			queries.PublicID(uuid.New()), tx.HouseholdID, fmt.Sprintf("S%03d", i))
		if err != nil {
			return err
		}
		securities, touched[key] = append(securities, key), first
	}
	return position.RecomputeTrades(ctx, tx, touched, func() error {
		for i := range int64(50_000) {
			day, security := first+ledger.Date(i*3652/50_000), i%200
			round := i / 200 // 250 trades of each security: 24 purchases of 1, then a sale of all 24
			kind, quantity := "buy", int64(1)
			if round%25 == 24 {
				kind, quantity = "sell", -24
			}
			if _, err := tx.Exec(ctx, `INSERT INTO trades (id, public_id, household_id, account_id, security_id, date, kind, quantity, price, amount, currency, name, created_at, updated_at)
				VALUES (?, ?, ?, ?, ?, ?, ?, ?, '100', ?, 'EUR', 'trade', 0, 0)`, int64(ledger.NewKey(tx.HouseholdID, day, i+1)), queries.PublicID(uuid.New()), tx.HouseholdID,
				accounts[security%4], securities[security], day, kind, fmt.Sprint(quantity), -100_00*quantity); err != nil {
				return err
			}
		}
		for i, security := range securities {
			for day := first; day < first+3652; day += 7 {
				if _, err := tx.Exec(ctx, `INSERT INTO security_prices (security_id, date, price, currency, source, household_id, created_at, updated_at)
					VALUES (?, ?, ?, 'EUR', 'test', ?, 0, 0)`, security, day, fmt.Sprintf("%d.25", 100+(int64(i)+int64(day))%50), tx.HouseholdID); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// BenchmarkHoldings measures the list of holdings: its first page, both pages of a day, a page in the middle.
func BenchmarkHoldings(b *testing.B) {
	l, who, today := newBrokers(b)
	_, total, err := l.Positions.ListHoldings(b.Context(), who, position.HoldingFilter{}, ledger.Page{Number: 1, Size: 25})
	if err != nil {
		b.Fatal(err)
	}
	b.Logf("%d holdings", total)
	list := func(b *testing.B, f position.HoldingFilter, pages ...ledger.Page) {
		for b.Loop() {
			for _, p := range pages {
				if _, _, err := l.Positions.ListHoldings(b.Context(), who, f, p); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.Run("first page", func(b *testing.B) { list(b, position.HoldingFilter{}, ledger.Page{Number: 1, Size: 25}) })
	b.Run("first page of 100", func(b *testing.B) { list(b, position.HoldingFilter{}, ledger.Page{Number: 1, Size: 100}) })
	b.Run("a day", func(b *testing.B) {
		list(b, position.HoldingFilter{Date: ledger.Some(today - 1000)}, ledger.Page{Number: 1, Size: 100}, ledger.Page{Number: 2, Size: 100})
	})
	b.Run("a page in the middle", func(b *testing.B) {
		list(b, position.HoldingFilter{}, ledger.Page{Number: int(total / 200), Size: 100})
	})
}
