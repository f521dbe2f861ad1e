package handlers

import (
	"finsvc/handlers/wire"
	"finsvc/ledger/balance"
	"finsvc/ledger/money"
)

// listBalances answers GET /balances: the balance of each account on each day.
func (s *accounts) listBalances(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page, filter := q.Page(), balanceFilter(q)
	if err := q.Err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Balances.ListBalanceDays(r.Context(), r.Who(), filter, page)
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	wire.ListPage(a.Json, "balances", list, page, total, func(b *balance.Day) { writeBalance(a.Json, b, format) })
	return nil
}

func balanceFilter(q *wire.Query) balance.DayFilter {
	return balance.DayFilter{
		AccountID: q.Id("account_id"), Currency: wire.ReadParam(q, "currency", wire.ParseCurrency),
		StartDate: q.Date("start_date"), EndDate: q.Date("end_date"),
	}
}

// showBalance answers GET /balances/{id}.
func (s *accounts) showBalance(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Balance")
	if err != nil {
		return err
	}
	b, err := s.ledger.Balances.GetBalanceDay(r.Context(), r.Who(), id)
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	writeBalance(a.Json, &b, format)
	return nil
}

// writeBalance writes a balance with what explains it; every amount stands there formatted and in cents. What is not
// cash is held in securities: purchases are its inflows, and what no purchase or sale moved is the market's. Of a
// liability the balances are what is owed.
func writeBalance(j *wire.Writer, b *balance.Day, format *money.Formatter) {
	j.Open("")
	j.Id("id", b.ID)
	j.Date("date", b.Date)
	j.Text("currency", b.Account.Currency)
	j.Int("flows_factor", b.FlowsFactor)
	for _, m := range []struct {
		name  string
		minor int64
	}{
		{"balance", b.End}, {"cash_balance", b.EndCash()},
		{"start_balance", b.Start}, {"start_cash_balance", b.StartCash()}, {"start_non_cash_balance", b.StartHoldings},
		{"cash_inflows", b.Inflow}, {"cash_outflows", b.Outflow}, {"non_cash_inflows", b.Bought},
		{"non_cash_outflows", b.Sold},
		{"net_market_flows", b.Market}, {"cash_adjustments", b.Adjustment}, {"non_cash_adjustments", 0},
		{"end_balance", b.End}, {"end_cash_balance", b.EndCash()}, {"end_non_cash_balance", b.EndHoldings},
	} {
		j.Money(m.name, format, m.minor, b.Account.Currency)
		j.Int(m.name+"_cents", m.minor)
	}
	writeAccountReference(j, "account", b.Account)
	writeUnconverted(j, b.Unconverted)
	writeStaleRates(j, b.Stale)
	j.Stamp("created_at", b.CreatedAt)
	j.Stamp("updated_at", b.CreatedAt)
	j.Close()
}
