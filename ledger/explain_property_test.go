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
		SELECT account_id, date, currency, household_id, sum(amount), sum(t), 0, sum(1 - t), currency <> 'EUR' FROM (
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
	labels := m.labels.get(m.who.HouseholdID)
	for _, account := range m.accounts {
		id := labels.accounts.byKey[account].ID
		if got := m.explainEntries(r, id, days); got != balances[account].Minor {
			r.Fatalf("the balance of %d on %s is explained as %d and is %d", account, days.Date.Value, got, balances[account].Minor)
		}
		m.explainLines(r, id, days)
	}
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
