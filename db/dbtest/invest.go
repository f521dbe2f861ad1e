package dbtest

import (
	"context"
	"fmt"

	"finsvc/queries"
)

// currency is that of an account; they are those of a central bank's list.
func (f *filler) currency(account int) string {
	codes := []string{"EUR", "USD", "JPY", "GBP", "CHF", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF", "AUD"}
	return codes[account%max(1, f.shape.Currencies)]
}

// rates publishes what a euro is worth in each currency on every working day.
func (f *filler) rates(ctx context.Context, q *queries.Queries) error {
	for i := 1; i < f.shape.Currencies; i++ {
		if err := f.exec(ctx, q, `WITH RECURSIVE days (n) AS (SELECT ? UNION ALL SELECT n + 1 FROM days WHERE n < ?)
			INSERT INTO exchange_rates (from_currency, to_currency, date, rate, source)
			SELECT 'EUR', ?, n, '1.' || (n * 7 % 1000 + 1000), 'ecb' FROM days WHERE (n + 3) % 7 < 5`, f.FirstDay-7, f.LastDay, f.currency(i)); err != nil {
			return err
		}
	}
	return nil
}

// security is what the filler knows of a security: it is held in one account, each of its trades is of one
// unit but for sales, which sell all, and its prices are whole.
type security struct {
	key, account            int64
	currency                string
	trades, quantity, price int64 // price in whole units of the currency
	paid                    int64 // for what is held
}

// lotSize is how many purchases of a security come before all of it is sold.
const lotSize = 24

// investments writes trades, weekly prices, and what the ledger keeps beside them. The securities of every
// fourth account are in dollars, the others in the account's currency.
func (f *filler) investments(ctx context.Context, q *queries.Queries) error {
	list := make([]*security, f.shape.Securities)
	for i := range list {
		n := f.shape.Accounts - f.shape.Investments + i%f.shape.Investments
		s := &security{account: f.AccountIDs[n], currency: f.currency(n)}
		if i%f.shape.Investments == 3 {
			s.currency = "USD"
		}
		var err error
		s.key, err = q.Exec(ctx, `INSERT INTO securities (public_id, household_id, ticker, created_at, updated_at) VALUES (?, ?, ?, ?4, ?4)`,
			publicID(), f.HouseholdID, fmt.Sprintf("S%03d", i), f.stamp)
		if err != nil {
			return err
		}
		list[i] = s
	}
	values := map[valueKey]int64{}
	for day, next := f.FirstDay, 0; day <= f.LastDay; day++ {
		for ; next < f.shape.Trades && f.FirstDay+int64(next)*int64(f.shape.Days)/int64(f.shape.Trades) == day; next++ {
			if err := f.trade(ctx, q, list[next%len(list)], day, next); err != nil {
				return err
			}
		}
		if err := f.prices(ctx, q, list, day); err != nil {
			return err
		}
		if err := f.values(ctx, q, list, day, values); err != nil {
			return err
		}
	}
	return nil
}

// trade buys one unit at 100, or sells all after a lot of purchases.
func (f *filler) trade(ctx context.Context, q *queries.Queries, s *security, day int64, n int) error {
	kind, quantity, opens, closes := "buy", int64(1), 0, 0
	if s.trades++; s.trades%(lotSize+1) == 0 {
		kind, quantity, closes = "sell", -lotSize, 1
	} else if s.quantity == 0 {
		opens = 1
	}
	key := f.HouseholdID<<43 | (day+25567)<<26 | int64(f.shape.Transactions+n+1)
	if err := f.exec(ctx, q, `INSERT INTO trades (id, public_id, household_id, account_id, security_id, date, kind, quantity, price, amount, currency, name, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, '100', ?, ?, 'trade', ?11, ?11)`, key, publicID(), f.HouseholdID, s.account, s.key, day, kind,
		fmt.Sprint(quantity), -100_00*quantity, s.currency, f.stamp); err != nil {
		return err
	}
	s.quantity += quantity
	s.paid = 100 * s.quantity
	if s.price == 0 {
		s.price = 100
	}
	if err := f.exec(ctx, q, `INSERT OR REPLACE INTO trade_prices (security_id, date, price, currency, household_id) VALUES (?, ?, '100', ?, ?)`,
		s.key, day, s.currency, f.HouseholdID); err != nil {
		return err
	}
	return f.exec(ctx, q, `INSERT OR REPLACE INTO positions (account_id, security_id, date, household_id, quantity, cost, currency, cost_unknown, opens, closes, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)`, s.account, s.key, day, f.HouseholdID, fmt.Sprint(s.quantity), fmt.Sprint(s.paid), s.currency, opens, closes, f.stamp)
}

// prices quotes every security once a week.
func (f *filler) prices(ctx context.Context, q *queries.Queries, list []*security, day int64) error {
	if day%7 != 0 {
		return nil
	}
	for i, s := range list {
		s.price = 80 + (int64(i)+day)%50
		if err := f.exec(ctx, q, `INSERT INTO security_prices (security_id, date, price, currency, source, household_id, created_at, updated_at)
			VALUES (?, ?, ?, ?, 'test', ?, ?6, ?6)`, s.key, day, fmt.Sprint(s.price), s.currency, f.HouseholdID, f.stamp); err != nil {
			return err
		}
	}
	return nil
}

// values writes what each account holds in each currency, where that has changed.
func (f *filler) values(ctx context.Context, q *queries.Queries, list []*security, day int64,
	before map[valueKey]int64) error {
	now := map[valueKey]int64{}
	for _, s := range list {
		now[valueKey{s.account, s.currency}] += s.quantity * s.price * 100
	}
	for key, value := range now {
		if value == before[key] {
			continue
		}
		before[key] = value
		if err := f.exec(ctx, q, `INSERT INTO holding_values (account_id, currency, date, household_id, value) VALUES (?, ?, ?, ?, ?)`,
			key.account, key.currency, day, f.HouseholdID, value); err != nil {
			return err
		}
	}
	return nil
}

type valueKey struct {
	account  int64
	currency string
}
