package ledger

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/queries"
)

// exec writes rows of the market's household beside the ledger's rules.
func (m *market) exec(r *rapid.T, text string, args ...any) {
	err := m.db.Write(context.Background(), func(ctx context.Context, q *queries.Queries) error {
		_, err := q.Exec(ctx, text, args...)
		return err
	})
	if err != nil {
		r.Fatal(text, err)
	}
}

// happen does something at random to the accounts: a trade, a price or a split, an entry in one of three
// currencies, a statement, an exchange rate.
func (m *market) happen(r *rapid.T) {
	account, day := rapid.SampledFrom(m.accounts).Draw(r, "account"), Date(rapid.IntRange(0, marketDays-1).Draw(r, "day"))
	currency := rapid.SampledFrom([]string{"EUR", "USD", "JPY"}).Draw(r, "currency")
	minor := rapid.Int64Range(-9999, 9999).Draw(r, "amount")
	switch rapid.SampledFrom([]string{"step", "step", "entry", "entry", "entry", "statement", "rate"}).Draw(r, "what") {
	case "step":
		m.step(r)
	case "entry":
		m.sequence++
		m.exec(r, `INSERT INTO transactions (id, public_id, household_id, account_id, date, amount, currency, name, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, 'entry', 0, 0)`, int64(NewKey(m.who.HouseholdID, day, m.sequence)), queries.PublicID(uuid.New()), m.who.HouseholdID, account, day, minor, currency)
	case "statement":
		m.exec(r, `INSERT INTO valuations (public_id, household_id, account_id, date, amount, kind, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, 'reconciliation', 0, 0) ON CONFLICT DO UPDATE SET amount = excluded.amount`, queries.PublicID(uuid.New()), m.who.HouseholdID, account, day, minor)
	case "rate":
		m.exec(r, `INSERT INTO exchange_rates (from_currency, to_currency, date, rate, source) VALUES ('EUR', ?, ?, ?, 'test') ON CONFLICT DO UPDATE SET rate = excluded.rate`,
			rapid.SampledFrom([]string{"USD", "JPY"}).Draw(r, "to"), day, fmt.Sprintf("%d.%d", rapid.IntRange(1, 150).Draw(r, "rate"), minor&7))
	}
	m.exec(r, "DELETE FROM account_days WHERE household_id = ?", m.who.HouseholdID)
	m.exec(r, `INSERT INTO account_days (account_id, date, currency, household_id, amount, transactions, incomes, trades, other_currency)
		SELECT account_id, date, currency, household_id, sum(amount), sum(t), 0, sum(1 - t), currency <> (SELECT a.currency FROM accounts a WHERE a.id = account_id) FROM (
			SELECT account_id, date, currency, household_id, amount, 1 AS t FROM transactions
			UNION ALL SELECT account_id, date, currency, household_id, amount, 0 FROM trades)
		WHERE household_id = ? GROUP BY account_id, date, currency`, m.who.HouseholdID)
}

// TestFiguresEqualTheirParts: whatever happens, the parts come to the figure that GET /accounts and the
// balance sheet give, the pages of entries to their sum, and what changed to the difference between any two
// days. That parts add up is checked by every explanation itself: it is an error when they do not.
func TestFiguresEqualTheirParts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		m := newMarket(t)
		for range rapid.IntRange(1, 25).Draw(r, "things") {
			m.happen(r)
		}
		day := Date(rapid.IntRange(0, marketDays).Draw(r, "figure's day"))
		from := Date(rapid.IntRange(-1, int(day)).Draw(r, "from"))
		for _, days := range []ExplainDays{{Date: Some(day)}, {Date: Some(day), From: Some(from)}} {
			m.explainAll(r, days)
		}
	})
}

// spread adds accounts in other currencies than the household's, one that owes, one that does not count any more, and openings
// with and without a day.
func (m *market) spread(r *rapid.T) {
	m.exec(r, "UPDATE households SET currency = ? WHERE id = ?", rapid.SampledFrom([]string{"EUR", "USD", "JPY"}).Draw(r, "home currency"), m.who.HouseholdID)
	for i, a := range []struct{ kind, currency, status string }{
		{"investment", "USD", "active"}, {"depository", "JPY", "active"}, {"loan", "USD", "active"}, {"credit_card", "KWD", "active"}, {"depository", "USD", "disabled"},
	} {
		m.exec(r, `INSERT INTO accounts (public_id, household_id, name, name_key, account_type, currency, status, created_at, updated_at)
			VALUES (?, ?, ?, ?3, ?, ?, ?, 0, 0)`, queries.PublicID(uuid.New()), m.who.HouseholdID, fmt.Sprint("far ", i), a.kind, a.currency, a.status)
	}
	err := m.db.Read(context.Background(), func(ctx context.Context, q *queries.Queries) error {
		m.accounts = nil
		return q.EachRow(ctx, func(scan func(...any) error) error {
			var key int64
			err := scan(&key)
			m.accounts = append(m.accounts, key)
			return err
		}, "SELECT id FROM accounts WHERE household_id = ? ORDER BY id", m.who.HouseholdID)
	})
	if err != nil {
		r.Fatal(err)
	}
	for _, account := range m.accounts {
		var day any
		switch rapid.IntRange(0, 2).Draw(r, "opening") {
		case 0:
			continue
		case 1:
			day = rapid.IntRange(0, marketDays-1).Draw(r, "opened on")
		}
		m.exec(r, `INSERT INTO valuations (public_id, household_id, account_id, date, amount, kind, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, 'opening_anchor', 0, 0)`, queries.PublicID(uuid.New()), m.who.HouseholdID, account, day, rapid.Int64Range(-99999, 99999).Draw(r, "opening balance"))
	}
}

// TestNetWorthsEqualTheirParts: in books of several currencies, with rates that change and rates that are missing, the parts
// come to the net worth of every day, and what changed it to the difference between any two days, a day and itself among
// them.
func TestNetWorthsEqualTheirParts(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		m := newMarket(t)
		m.spread(r)
		for range rapid.IntRange(1, 25).Draw(r, "things") {
			m.happen(r)
		}
		large := rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(r, "large statements")
		for range large {
			m.exec(r, `INSERT INTO valuations (public_id, household_id, account_id, date, amount, kind, created_at, updated_at)
				VALUES (?, ?, ?, ?, ?, 'reconciliation', 0, 0) ON CONFLICT DO UPDATE SET amount = excluded.amount`, queries.PublicID(uuid.New()), m.who.HouseholdID,
				rapid.SampledFrom(m.accounts).Draw(r, "account"), rapid.IntRange(0, marketDays-1).Draw(r, "day"), rapid.SampledFrom([]int64{maxBalance, -maxBalance, maxBalance / 60}).Draw(r, "amount"))
		}
		worth := map[Date]int64{}
		for day := Date(-1); day <= marketDays; day++ {
			sheet, err := m.BalanceSheet(context.Background(), m.who, Some(day))
			if err != nil {
				r.Fatal(err)
			}
			worth[day] = sheet.NetWorth
			m.explained(r, ExplainDays{Date: Some(day)}, worth, large > 0)
			for _, from := range []Date{day, Date(rapid.IntRange(-1, int(day)).Draw(r, "from"))} {
				m.explained(r, ExplainDays{Date: Some(day), From: Some(from)}, worth, large > 0)
			}
		}
	})
}

// explained explains a net worth and holds it, and what its parts come to, against those of its days. Where amounts are large
// no amount may hold one of the parts, and the change is refused.
func (m *market) explained(r *rapid.T, days ExplainDays, worth map[Date]int64, large bool) {
	e, err := m.ExplainNetWorth(context.Background(), m.who, days)
	if large && IsKind(err, Invalid) {
		return
	}
	if err != nil {
		r.Fatalf("%v: %v", days, err)
	}
	want := worth[days.Date.Value]
	if days.From.Has() {
		if e.From.Minor != worth[days.From.Value] {
			r.Fatalf("%v: from %d, which is %d", days, e.From.Minor, worth[days.From.Value])
		}
		want -= worth[days.From.Value]
	}
	if e.Minor != worth[days.Date.Value] || e.Sum() != want {
		r.Fatalf("%v: %d, whose parts come to %d, is %d by %d", days, e.Minor, e.Sum(), worth[days.Date.Value], want)
	}
}

func (m *market) explainAll(r *rapid.T, days ExplainDays) {
	ctx := context.Background()
	e, err := m.ExplainNetWorth(ctx, m.who, days)
	if err != nil {
		r.Fatal(err)
	}
	if sheet, err := m.BalanceSheet(ctx, m.who, days.Date); err != nil || e.Minor != sheet.NetWorth {
		r.Fatalf("the net worth on %s is explained as %d and is %d, %v", days.Date.Value, e.Minor, sheet.NetWorth, err)
	}
	balances, err := m.Balances(ctx, m.who, days.Date.Value)
	if err != nil {
		r.Fatal(err)
	}
	for _, account := range m.accounts {
		id := m.publicID(r, account)
		if got := m.explainEntries(r, id, days); got != balances[account].Minor {
			r.Fatalf("the balance of %d on %s is explained as %d and is %d", account, days.Date.Value, got, balances[account].Minor)
		}
		m.explainLines(r, id, days)
	}
}

// publicID is the public id of an account.
func (m *market) publicID(r *rapid.T, account int64) uuid.UUID {
	var id queries.PublicID
	err := m.db.Read(context.Background(), func(ctx context.Context, q *queries.Queries) error {
		return q.EachRow(ctx, func(scan func(...any) error) error { return scan(&id) }, "SELECT public_id FROM accounts WHERE id = ?", account)
	})
	if err != nil {
		r.Fatal(err)
	}
	return uuid.UUID(id)
}

// explainEntries explains a balance page by page.
func (m *market) explainEntries(r *rapid.T, account uuid.UUID, days ExplainDays) int64 {
	var entries, count, listed int64
	for page := 1; ; page++ {
		e, err := m.ExplainBalance(context.Background(), m.who, account, days, Page{page, 3})
		if err != nil {
			r.Fatal(err)
		}
		for _, p := range e.Entries {
			entries += p.Minor
			listed++
		}
		if len(e.Entries) > 0 {
			continue
		}
		for _, p := range e.Parts {
			if p.Kind == PartEntries {
				entries -= p.Minor
				count += p.Count
			}
		}
		if entries != 0 || count != listed || count != e.EntryCount {
			r.Fatalf("%d entries of %d, counted as %d, miss their sum by %d", listed, count, e.EntryCount, entries)
		}
		return e.Minor
	}
}

// explainLines explains what is held and holds it against the list of holdings.
func (m *market) explainLines(r *rapid.T, account uuid.UUID, days ExplainDays) {
	held, _, err := m.ListHoldings(context.Background(), m.who, HoldingFilter{AccountIDs: []uuid.UUID{account}, Date: days.Date}, Page{1, 100})
	if err != nil {
		r.Fatal(err)
	}
	for _, h := range held {
		e, err := m.ExplainHolding(context.Background(), m.who, account, h.Security.ID, days, Page{1, 100})
		if IsKind(err, Invalid) && days.From.Has() {
			continue // the price was in another currency then, without a rate
		}
		if err != nil || e.Minor != h.Minor || e.Currency != h.Currency {
			r.Fatalf("%s is explained as %d %s and is %d %s, %v", h.Security.Ticker, e.Minor, e.Currency, h.Minor, h.Currency, err)
		}
	}
}
