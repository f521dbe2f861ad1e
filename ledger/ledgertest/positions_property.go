package ledgertest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"pgregory.net/rapid"

	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/position"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

// RandomMarket is a household with two accounts and two securities whose rows a property writes at random, and a
// model of them in plain maps.
type RandomMarket struct {
	*books.Books
	Who                  ledger.Actor
	Accounts, securities []int64
	sequence             int64
	trades               map[int64]modelTrade
	prices               map[int64]map[ledger.Date]decimal.Decimal
	splits               map[int64]map[ledger.Date]modelSplit
}

// ModelSplit is a ratio and the key of its row.
type modelSplit struct{ num, den, key int64 }

type modelTrade struct {
	account, security int64
	day               ledger.Date
	quantity          int64
	price             decimal.Decimal
	leave             bool
}

const MarketDays = 12

func NewMarket(t *testing.T) *RandomMarket {
	m := &RandomMarket{Books: books.New(dbtest.New(t), time.Now), trades: map[int64]modelTrade{},
		prices: map[int64]map[ledger.Date]decimal.Decimal{}, splits: map[int64]map[ledger.Date]modelSplit{}}
	home, _, err := m.Tenants.CreateHousehold(t.Context(), ledger.Actor{Origin: ledger.OriginCLI},
		tenant.HouseholdInput{Name: "Home", Currency: "EUR", Locale: "en", Timezone: "UTC",
			OwnerEmail: "a@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	m.Who = ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginAPI}
	err = m.DB.Write(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		for i := range 2 {
			account, err := q.Exec(ctx, `INSERT INTO accounts (public_id, household_id, name, name_key, account_type, currency, created_at, updated_at)
				VALUES (?, ?, ?, ?3, 'investment', 'EUR', 0, 0)`, queries.PublicID(uuid.New()), home.ID, fmt.Sprint("account ", i))
			if err != nil {
				return err
			}
			security, err := q.Exec(ctx, `INSERT INTO securities (public_id, household_id, ticker, created_at, updated_at) VALUES (?, ?, ?, 0, 0)`,
				queries.PublicID(uuid.New()), home.ID, fmt.Sprint("S", i))
			m.Accounts, m.securities = append(m.Accounts, account), append(m.securities, security)
			m.prices[security], m.splits[security] = map[ledger.Date]decimal.Decimal{}, map[ledger.Date]modelSplit{}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// write runs a change of rows inside retrade or reprice, as callers do.
func (m *RandomMarket) write(r *rapid.T, wrap func(context.Context, *ledger.Tx, map[int64]ledger.Date,
	func() error) error, touched map[int64]ledger.Date, text string, args ...any) (key int64, err error) {
	err = m.DB.Write(context.Background(), func(ctx context.Context, q *queries.Queries) error {
		return wrap(ctx, m.Tx(q, m.Who), touched, func() (err error) {
			key, err = q.Exec(ctx, text, args...)
			return err
		})
	})
	var short *position.ShortSale
	if err != nil && !errors.As(err, &short) {
		r.Fatal(err)
	}
	return key, err
}

func (m *RandomMarket) Step(r *rapid.T) {
	security, day := rapid.SampledFrom(m.securities).Draw(r, "security"),
		ledger.Date(rapid.IntRange(0, MarketDays-2).Draw(r, "day"))
	touched := map[int64]ledger.Date{security: day}
	switch rapid.SampledFrom([]string{"trade", "trade", "trade", "untrade", "price", "unprice", "split",
		"unsplit"}).Draw(r, "operation") {
	case "trade":
		m.trade(r, security, day)
	case "untrade":
		if len(m.trades) == 0 {
			return
		}
		key := rapid.SampledFrom(slices.Sorted(maps.Keys(m.trades))).Draw(r, "trade")
		t := m.trades[key]
		if _, err := m.write(r, position.RecomputeTrades, map[int64]ledger.Date{t.security: t.day},
			"DELETE FROM trades WHERE id = ?", key); err == nil {
			delete(m.trades, key)
		}
	case "price":
		price := decimal.New(rapid.Int64Range(1, 99_999).Draw(r, "price"), -3)
		m.write(r, position.RecomputePrices, touched, `INSERT INTO security_prices (security_id, date, price, currency, source, household_id, created_at, updated_at)
			VALUES (?, ?, ?, 'USD', 'test', ?, 0, 0) ON CONFLICT DO UPDATE SET price = excluded.price`, security, day, price.String(), m.Who.HouseholdID)
		m.prices[security][day] = price
	case "unprice":
		m.write(r, position.RecomputePrices, touched, "DELETE FROM security_prices WHERE security_id = ? AND date = ?",
			security, day)
		delete(m.prices[security], day)
	case "split":
		if _, there := m.splits[security][day]; there {
			return
		}
		s := modelSplit{num: rapid.Int64Range(1, 3).Draw(r, "numerator"),
			den: rapid.Int64Range(1, 3).Draw(r, "denominator")}
		key, err := m.write(r, position.RecomputeTrades, touched, `INSERT INTO security_splits (public_id, household_id, security_id, date, numerator, denominator, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, ?, 0, 0)`, queries.PublicID(uuid.New()), m.Who.HouseholdID, security, day, s.num, s.den)
		s.key = key
		if err == nil {
			m.splits[security][day] = s
		}
	case "unsplit":
		if _, err := m.write(r, position.RecomputeTrades, touched, "DELETE FROM security_splits WHERE security_id = ? AND date = ?", security, day); err == nil {
			delete(m.splits[security], day)
		}
	}
}

func (m *RandomMarket) trade(r *rapid.T, security int64, day ledger.Date) {
	t := modelTrade{rapid.SampledFrom(m.Accounts).Draw(r, "account"), security, day,
		rapid.Int64Range(-5, 8).Filter(func(n int64) bool { return n != 0 }).Draw(r, "quantity"),
		decimal.New(rapid.Int64Range(1, 9_999).Draw(r, "paid"), -2), rapid.IntRange(0, 3).Draw(r, "leave") == 0}
	m.sequence++
	key, kind, leave := ledger.NewKey(m.Who.HouseholdID, day, m.sequence), "buy", 0
	if t.quantity < 0 {
		kind = "sell"
	}
	if t.leave {
		leave = 1
	}
	_, err := m.write(r, position.RecomputeTrades, map[int64]ledger.Date{security: day}, `INSERT INTO trades (id, public_id, household_id, account_id, security_id, date, kind, quantity, price, amount, currency, allow_short, name, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'EUR', ?, 'trade', 0, 0)`, int64(key), queries.PublicID(uuid.New()), m.Who.HouseholdID, t.account, security, day, kind,
		fmt.Sprint(t.quantity), t.price.String(), -t.price.Shift(2).IntPart()*t.quantity, leave)
	if err == nil {
		m.trades[int64(key)] = t
	}
}

// held is the quantity of a line at the end of each day, exactly; short says that it is refused.
func (m *RandomMarket) held(at position.Key) (quantities []*big.Rat) {
	quantity := new(big.Rat)
	for day := range ledger.Date(MarketDays) {
		if s, there := m.splits[at.Security][day]; there {
			quantity.Mul(quantity, big.NewRat(s.num, s.den))
		}
		for _, t := range m.trades {
			if t.account == at.Account && t.security == at.Security && t.day == day {
				quantity.Add(quantity, big.NewRat(t.quantity, 1))
			}
		}
		quantities = append(quantities, new(big.Rat).Set(quantity))
	}
	return quantities
}

// priceOn is the price of a security and its currency: looked for backwards, day by day.
func (m *RandomMarket) priceOn(security int64, day ledger.Date) (*big.Rat, string) {
	factor := big.NewRat(1, 1)
	traded, tradedIn := (*big.Rat)(nil), ""
	for d := day; d >= 0; d-- {
		if p, there := m.prices[security][d]; there {
			return factor.Mul(factor, p.Rat()), "USD"
		}
		volume, quantity := new(big.Rat), new(big.Rat)
		for _, t := range m.trades {
			if n := big.NewRat(max(t.quantity, -t.quantity), 1); t.security == security && t.day == d {
				quantity.Add(quantity, n)
				volume.Add(volume, n.Mul(n, t.price.Rat()))
			}
		}
		if traded == nil && quantity.Sign() > 0 {
			average := decimal.NewFromBigRat(volume.Quo(volume, quantity), 12)
			traded, tradedIn = new(big.Rat).Mul(factor, average.Rat()), "EUR"
		}
		if s, there := m.splits[security][d]; there {
			factor.Mul(factor, big.NewRat(s.den, s.num))
		}
	}
	return traded, tradedIn
}

// Levels says what each account's holdings are worth per currency and day, where that changes.
func (m *RandomMarket) Levels() string {
	var text strings.Builder
	for _, account := range m.Accounts {
		before := map[string]int64{}
		for day := range ledger.Date(MarketDays) {
			now := map[string]int64{}
			for _, security := range m.securities {
				price, currency := m.priceOn(security, day)
				if quantity := m.rounded(position.Key{Account: account, Security: security})[day]; !quantity.IsZero() {
					value := new(big.Rat).Mul(new(big.Rat).Mul(quantity.Rat(), price), big.NewRat(100, 1))
					now[currency] += roundRat(value)
				}
			}
			for _, currency := range []string{"EUR", "USD"} {
				if now[currency] != before[currency] {
					fmt.Fprintf(&text, "%d %s %d: %d\n", account, currency, day, now[currency])
				}
			}
			before = now
		}
	}
	return text.String()
}

// rounded are the quantities as they are kept: a split that does not come out even is rounded, so what
// comes after it starts from there.
func (m *RandomMarket) rounded(at position.Key) []decimal.Decimal {
	var list []decimal.Decimal
	quantity := decimal.Zero
	exact := m.held(at)
	for day := range ledger.Date(MarketDays) {
		if s, there := m.splits[at.Security][day]; there {
			quantity = decimal.NewFromBigRat(new(big.Rat).Mul(quantity.Rat(), big.NewRat(s.num, s.den)), 8)
		}
		for _, t := range m.trades {
			if t.account == at.Account && t.security == at.Security && t.day == day {
				quantity = quantity.Add(decimal.New(t.quantity, 0))
			}
		}
		if off := new(big.Rat).Sub(exact[day], quantity.Rat()); off.Abs(off).Cmp(big.NewRat(1, 100_000)) > 0 {
			panic(fmt.Sprintf("rounding is off by %s", off))
		}
		list = append(list, quantity)
	}
	return list
}

// roundRat rounds half away from zero.
func roundRat(r *big.Rat) int64 {
	twice := new(big.Int).Mul(r.Num(), big.NewInt(2))
	twice.Add(twice, new(big.Int).Mul(r.Denom(), big.NewInt(int64(r.Sign()))))
	return new(big.Int).Quo(twice, new(big.Int).Mul(r.Denom(), big.NewInt(2))).Int64()
}

// Stored reads the rollup of values as levels writes it.
func (m *RandomMarket) Stored(t *testing.T) string {
	var text strings.Builder
	err := m.DB.Read(t.Context(), func(ctx context.Context, q *queries.Queries) error {
		for _, account := range m.Accounts {
			for day := range ledger.Date(MarketDays) {
				for _, currency := range []string{"EUR", "USD"} {
					levels, err := position.ReadLevels(ctx, m.Tx(q, m.Who),
						position.ValueKey{Account: account, Currency: currency}, day, day)
					if err != nil {
						return err
					}
					if value, there := levels[day]; there {
						fmt.Fprintf(&text, "%d %s %d: %d\n", account, currency, day, value)
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return text.String()
}
