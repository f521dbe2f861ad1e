package handlers

import (
	"fmt"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/money"
)

// listBalances answers GET /balances: the balance of each account on each day.
func (s *accounts) listBalances(a *answer, r *request) error {
	q := r.query()
	page, filter := q.page(), q.balanceFilter()
	if err := q.err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Balances.ListBalanceDays(r.Context(), r.who(), filter, page)
	if err != nil {
		return err
	}
	format, err := s.formats.of(r)
	if err != nil {
		return err
	}
	listPage(a.json, "balances", list, page, total, func(b *balance.Day) { writeBalance(a.json, b, format) })
	return nil
}

func (q *query) balanceFilter() balance.DayFilter {
	return balance.DayFilter{
		AccountID: q.id("account_id"), Currency: readParam(q, "currency", parseCurrency),
		StartDate: q.date("start_date"), EndDate: q.date("end_date"),
	}
}

func parseCurrency(text string) (money.Currency, error) {
	currency, known := money.LookupCurrency(text)
	if !known {
		return currency, fmt.Errorf("must be an ISO 4217 code such as EUR, got %s", ledger.Quote(text))
	}
	return currency, nil
}

// showBalance answers GET /balances/{id}.
func (s *accounts) showBalance(a *answer, r *request) error {
	id, err := r.pathID("id", "Balance")
	if err != nil {
		return err
	}
	b, err := s.ledger.Balances.GetBalanceDay(r.Context(), r.who(), id)
	if err != nil {
		return err
	}
	format, err := s.formats.of(r)
	if err != nil {
		return err
	}
	writeBalance(a.json, &b, format)
	return nil
}

// writeBalance writes a balance with what explains it; every amount stands there formatted and in cents. What is not
// cash is held in securities: purchases are its inflows, and what no purchase or sale moved is the market's. Of a
// liability the balances are what is owed.
func writeBalance(j *jsonWriter, b *balance.Day, format *money.Formatter) {
	j.open("")
	j.id("id", b.ID)
	j.date("date", b.Date)
	j.text("currency", b.Account.Currency)
	j.int("flows_factor", b.FlowsFactor)
	for _, m := range []struct {
		name  string
		minor int64
	}{
		{"balance", b.End}, {"cash_balance", b.EndCash()},
		{"start_balance", b.Start}, {"start_cash_balance", b.StartCash()}, {"start_non_cash_balance", b.StartHoldings},
		{"cash_inflows", b.Inflow}, {"cash_outflows", b.Outflow}, {"non_cash_inflows", b.Bought}, {"non_cash_outflows", b.Sold},
		{"net_market_flows", b.Market}, {"cash_adjustments", b.Adjustment}, {"non_cash_adjustments", 0},
		{"end_balance", b.End}, {"end_cash_balance", b.EndCash()}, {"end_non_cash_balance", b.EndHoldings},
	} {
		j.money(m.name, format, m.minor, b.Account.Currency)
		j.int(m.name+"_cents", m.minor)
	}
	writeAccountReference(j, "account", b.Account)
	writeUnconverted(j, b.Unconverted)
	writeStaleRates(j, b.Stale)
	j.stamp("created_at", b.CreatedAt)
	j.stamp("updated_at", b.CreatedAt)
	j.close()
}
