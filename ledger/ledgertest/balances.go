package ledgertest

import (
	"context"

	"finsvc/ledger/balance"
	"finsvc/ledger/catalog"
	"finsvc/queries"
)

func (b *Fixture) Exec(text string, args ...any) {
	b.tb.Helper()
	err := b.DB.Write(b.Ctx(), func(ctx context.Context, q *queries.Queries) error {
		_, err := q.Exec(ctx, text, args...)
		return err
	})
	if err != nil {
		b.tb.Fatal(err)
	}
}

// Value is a reconciliation: the balance at the end of a day, in the ledger's sign.
func (b *Fixture) Value(account catalog.Account, day string, minor int64) {
	b.tb.Helper()
	b.Insert(`INSERT INTO valuations (public_id, household_id, account_id, date, amount, kind, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, 'reconciliation', 0, 0)`, account.HouseholdID, account.ID, int64(DayOf(day).Value), minor)
}

func (b *Fixture) Rate(from, to, day, rate string) {
	b.tb.Helper()
	b.Exec(`INSERT INTO exchange_rates (from_currency, to_currency, date, rate, source) VALUES (?, ?, ?, ?, 'test')`,
		from, to, int64(DayOf(day).Value), rate)
}

func (b *Fixture) Balance(account catalog.Account, day string) balance.Balance {
	b.tb.Helper()
	all, err := b.Balances.Balances(b.Ctx(), b.Who, DayOf(day).Value)
	if err != nil {
		b.tb.Fatal(err)
	}
	return all[account.ID]
}
