package ledgertest

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/position"
	"finsvc/ledger/report"
	"finsvc/queries"
)

// Exec writes rows of the market's household beside the ledger's rules.
func (m *RandomMarket) Exec(r *rapid.T, text string, args ...any) {
	err := m.DB.Write(context.Background(), func(ctx context.Context, q *queries.Queries) error {
		_, err := q.Exec(ctx, text, args...)
		return err
	})
	if err != nil {
		r.Fatal(text, err)
	}
}

// Happen does something at random to the accounts: a trade, a price or a split, an entry in one of three
// currencies, a statement, an exchange rate.
func (m *RandomMarket) Happen(r *rapid.T) {
	account, day := rapid.SampledFrom(m.Accounts).Draw(r, "account"),
		ledger.Date(rapid.IntRange(0, MarketDays-1).Draw(r, "day"))
	currency := rapid.SampledFrom([]string{"EUR", "USD", "JPY"}).Draw(r, "currency")
	minor := rapid.Int64Range(-9999, 9999).Draw(r, "amount")
	switch rapid.SampledFrom([]string{"step", "step", "entry", "entry", "entry", "statement", "rate"}).Draw(r, "what") {
	case "step":
		m.Step(r)
	case "entry":
		m.sequence++
		m.Exec(r, `INSERT INTO transactions (id, public_id, household_id, account_id, date, amount, currency, name, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, 'entry', 0, 0)`, int64(ledger.NewKey(m.Who.HouseholdID, day, m.sequence)), queries.PublicID(uuid.New()), m.Who.HouseholdID, account, day, minor, currency)
	case "statement":
		m.Exec(r, `INSERT INTO valuations (public_id, household_id, account_id, date, amount, kind, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, 'reconciliation', 0, 0) ON CONFLICT DO UPDATE SET amount = excluded.amount`, queries.PublicID(uuid.New()), m.Who.HouseholdID, account, day, minor)
	case "rate":
		m.Exec(r, `INSERT INTO exchange_rates (from_currency, to_currency, date, rate, source) VALUES ('EUR', ?, ?, ?, 'test') ON CONFLICT DO UPDATE SET rate = excluded.rate`,
			rapid.SampledFrom([]string{"USD", "JPY"}).Draw(r, "to"), day,
			fmt.Sprintf("%d.%d", rapid.IntRange(1, 150).Draw(r, "rate"), minor&7))
	}
	m.Exec(r, "DELETE FROM account_days WHERE household_id = ?", m.Who.HouseholdID)
	m.Exec(r, `INSERT INTO account_days (account_id, date, currency, household_id, amount, transactions, incomes, trades, other_currency)
		SELECT account_id, date, currency, household_id, sum(amount), sum(t), 0, sum(1 - t), currency <> (SELECT a.currency FROM accounts a WHERE a.id = account_id) FROM (
			SELECT account_id, date, currency, household_id, amount, 1 AS t FROM transactions
			UNION ALL SELECT account_id, date, currency, household_id, amount, 0 FROM trades)
		WHERE household_id = ? GROUP BY account_id, date, currency`, m.Who.HouseholdID)
}

// Spread adds accounts in other currencies than the household's, one that owes, one that does not count any more, and
// openings with and without a day.
func (m *RandomMarket) Spread(r *rapid.T) {
	m.Exec(r, "UPDATE households SET currency = ? WHERE id = ?",
		rapid.SampledFrom([]string{"EUR", "USD", "JPY"}).Draw(r, "home currency"), m.Who.HouseholdID)
	for i, a := range []struct{ kind, currency, status string }{
		{"investment", "USD", "active"}, {"depository", "JPY", "active"}, {"loan", "USD", "active"},
		{"credit_card", "KWD", "active"}, {"depository", "USD", "disabled"},
	} {
		m.Exec(r, `INSERT INTO accounts (public_id, household_id, name, name_key, account_type, currency, status, created_at, updated_at)
			VALUES (?, ?, ?, ?3, ?, ?, ?, 0, 0)`, queries.PublicID(uuid.New()), m.Who.HouseholdID, fmt.Sprint("far ", i), a.kind, a.currency, a.status)
	}
	err := m.DB.Read(context.Background(), func(ctx context.Context, q *queries.Queries) error {
		m.Accounts = nil
		return q.EachRow(ctx, func(scan func(...any) error) error {
			var key int64
			err := scan(&key)
			m.Accounts = append(m.Accounts, key)
			return err
		}, "SELECT id FROM accounts WHERE household_id = ? ORDER BY id", m.Who.HouseholdID)
	})
	if err != nil {
		r.Fatal(err)
	}
	for _, account := range m.Accounts {
		var day any
		switch rapid.IntRange(0, 2).Draw(r, "opening") {
		case 0:
			continue
		case 1:
			day = rapid.IntRange(0, MarketDays-1).Draw(r, "opened on")
		}
		m.Exec(r, `INSERT INTO valuations (public_id, household_id, account_id, date, amount, kind, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?, 'opening_anchor', 0, 0)`, queries.PublicID(uuid.New()), m.Who.HouseholdID, account, day, rapid.Int64Range(-99999, 99999).Draw(r, "opening balance"))
	}
}

// Explained explains a net worth and holds it, and what its parts come to, against those of its days. Where amounts
// are large no amount may hold one of the parts, and the change is refused.
func (m *RandomMarket) Explained(r *rapid.T, days report.ExplainDays, worth map[ledger.Date]int64, large bool) {
	e, err := m.Reports.ExplainNetWorth(context.Background(), m.Who, days)
	if large && ledger.IsKind(err, ledger.Invalid) {
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

func (m *RandomMarket) ExplainAll(r *rapid.T, days report.ExplainDays) {
	ctx := context.Background()
	e, err := m.Reports.ExplainNetWorth(ctx, m.Who, days)
	if err != nil {
		r.Fatal(err)
	}
	if sheet, err := m.Reports.BalanceSheet(ctx, m.Who, days.Date); err != nil || e.Minor != sheet.NetWorth {
		r.Fatalf("the net worth on %s is explained as %d and is %d, %v", days.Date.Value, e.Minor, sheet.NetWorth, err)
	}
	balances, err := m.Balances.Balances(ctx, m.Who, days.Date.Value)
	if err != nil {
		r.Fatal(err)
	}
	for _, account := range m.Accounts {
		id := m.publicID(r, account)
		if got := m.explainEntries(r, id, days); got != balances[account].Minor {
			r.Fatalf("the balance of %d on %s is explained as %d and is %d", account, days.Date.Value, got,
				balances[account].Minor)
		}
		m.explainLines(r, id, days)
	}
}

// publicID is the public id of an account.
func (m *RandomMarket) publicID(r *rapid.T, account int64) uuid.UUID {
	var id queries.PublicID
	err := m.DB.Read(context.Background(), func(ctx context.Context, q *queries.Queries) error {
		return q.EachRow(ctx, func(scan func(...any) error) error { return scan(&id) },
			"SELECT public_id FROM accounts WHERE id = ?", account)
	})
	if err != nil {
		r.Fatal(err)
	}
	return uuid.UUID(id)
}

// explainEntries explains a balance page by page.
func (m *RandomMarket) explainEntries(r *rapid.T, account uuid.UUID, days report.ExplainDays) int64 {
	var entries, count, listed int64
	for page := 1; ; page++ {
		e, err := m.Reports.ExplainBalance(context.Background(), m.Who, account, days,
			ledger.Page{Number: page, Size: 3})
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
			if p.Kind == report.PartEntries {
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
func (m *RandomMarket) explainLines(r *rapid.T, account uuid.UUID, days report.ExplainDays) {
	held, _, err := m.Positions.ListHoldings(context.Background(), m.Who,
		position.HoldingFilter{AccountIDs: []uuid.UUID{account}, Date: days.Date}, ledger.Page{Number: 1, Size: 100})
	if err != nil {
		r.Fatal(err)
	}
	for _, h := range held {
		e, err := m.Reports.ExplainHolding(context.Background(), m.Who, account, h.Security.ID, days,
			ledger.Page{Number: 1, Size: 100})
		if ledger.IsKind(err, ledger.Invalid) && days.From.Has() {
			continue // the price was in another currency then, without a rate
		}
		if err != nil || e.Minor != h.Minor || e.Currency != h.Currency {
			r.Fatalf("%s is explained as %d %s and is %d %s, %v", h.Security.Ticker, e.Minor, e.Currency, h.Minor,
				h.Currency, err)
		}
	}
}
