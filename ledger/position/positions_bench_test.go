package position_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/position"
	"finsvc/queries"
)

// BenchmarkBackdatedTrade measures a purchase ten years ago, in a household with 50,000 trades in 200
// securities, and the balance sheet of today right after.
func BenchmarkBackdatedTrade(b *testing.B) {
	l, who, today := newBrokers(b)
	first := today - 3651
	sequence := int64(60_000)
	for b.Loop() {
		sequence++
		err := l.DB.Write(b.Context(), func(ctx context.Context, q *queries.Queries) error {
			security, err := q.Number(ctx, "SELECT max(id) FROM securities")
			if err != nil {
				return err
			}
			account, err := q.Number(ctx, "SELECT max(account_id) FROM positions WHERE security_id = ?", security)
			if err != nil {
				return err
			}
			return position.RecomputeTrades(ctx, l.Tx(q, who), map[int64]ledger.Date{security: first}, func() error {
				_, err := q.Exec(ctx, `INSERT INTO trades (id, public_id, household_id, account_id, security_id, date, kind, quantity, price, amount, currency, name, created_at, updated_at)
					VALUES (?, ?, ?, ?, ?, ?, 'buy', '1', '100', -10000, 'EUR', 'trade', 0, 0)`, int64(ledger.NewKey(who.HouseholdID, first, sequence)), queries.PublicID(uuid.New()),
					who.HouseholdID, account, security, int64(first))
				return err
			})
		})
		if err != nil {
			b.Fatal(fmt.Errorf("trade %d: %w", sequence, err))
		}
		if _, err := l.Reports.BalanceSheet(b.Context(), who, ledger.Opt[ledger.Date]{}); err != nil {
			b.Fatal(err)
		}
	}
}
