package tools

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/fx"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
	"finsvc/ledger/names"
	"finsvc/ledger/position"
	"finsvc/ledger/report"
)

func balanceSheetTool() tool {
	return tool{"get_balance_sheet",
		"Net worth, assets and liabilities on a day (default today); with start_date or interval also over time.",
		[]toolParam{
			dayParam("date", false), dayParam("start_date", false), dayParam("end_date", false),
			{name: "interval", kind: argText, enum: []string{report.IntervalDay, report.IntervalWeek,
				report.IntervalMonth}}}, getBalanceSheet}
}

func getBalanceSheet(ctx context.Context, c *toolCall) (*toolResult, error) {
	day := c.date("date")
	if !day.Has() {
		day = c.date("end_date")
	}
	sheet, err := c.ledger.Reports.BalanceSheet(ctx, c.who, day)
	if err != nil {
		return nil, err
	}
	found := &toolResult{figures: jsonObject{{"date", sheet.AsOf.String()}, {"currency", sheet.Currency},
		{"net_worth", plainAmount(sheet.NetWorth, sheet.Currency)},
		{"assets", plainAmount(sheet.Assets, sheet.Currency)},
		{"liabilities", plainAmount(sheet.Liabilities, sheet.Currency)}}}
	found.lists = append(sheetGaps(sheet.Unconverted), staleRates(sheet.Stale)...)
	first := ledger.Some(sheet.AsOf)
	start := c.date("start_date")
	if start.Has() {
		first = start
	}
	begin, err := c.begin(ctx, uuid.Nil, first)
	if err != nil {
		return nil, err
	}
	found.figures = append(found.figures, begin...)
	if !c.date("start_date").Has() && !c.date("end_date").Has() && c.text("interval") == "" {
		return found, nil
	}
	in := report.SeriesInput{StartDate: c.date("start_date"), EndDate: ledger.Some(sheet.AsOf),
		Interval: c.text("interval")}
	series, err := c.ledger.Reports.NetWorth(ctx, c.who, in)
	if err == nil {
		found.addSeries(series)
	}
	return found, err
}

// addSeries adds the points, newest first: those are kept where there is little room.
func (r *toolResult) addSeries(series report.NetWorthSeries) {
	out, points, currency := toolList{name: "series", more: "a longer interval gives all"}, series.Points,
		series.Currency
	for _, p := range slices.Backward(points) {
		out.rows = append(out.rows, jsonObject{{"date", p.Date.String()},
			{"net_worth", plainAmount(p.NetWorth, currency)}, {"assets", plainAmount(p.Assets, currency)},
			{"liabilities", plainAmount(p.Liabilities, currency)}})
	}
	first, last := points[0], points[len(points)-1]
	r.extras = jsonObject{{"change", jsonObject{{"since", first.Date.String()},
		{"net_worth", plainDifference(last.NetWorth, first.NetWorth, currency)},
		{"assets", plainDifference(last.Assets, first.Assets, currency)},
		{"liabilities", plainDifference(last.Liabilities, first.Liabilities, currency)}}}}
	gaps := newGapLists("series_")
	for _, g := range series.Unconverted {
		gaps.add(g.Reason(), jsonObject{{"currency", g.Currency}, {"from", g.First.String()}, {"to", g.Last.String()},
			{"points", int64(g.Points)}})
	}
	r.lists = append(r.lists, gaps.lists()...)
	stale := staleRates(series.Stale)
	if stale != nil {
		// the last point is that of the sheet
		r.lists = slices.DeleteFunc(r.lists, func(l toolList) bool { return l.name == stale[0].name })
		r.lists = append(r.lists, stale[0])
	}
	r.lists = append(r.lists, out)
}

// gapLists are what figures leave out: for want of a rate, or because no number holds them with it.
type gapLists struct{ noRate, tooLarge toolList }

func newGapLists(prefix string) *gapLists {
	return &gapLists{toolList{name: prefix + "left_out_without_exchange_rate"},
		toolList{name: prefix + "left_out_too_large_to_add"}}
}

func (g *gapLists) add(reason string, row jsonObject) {
	list := &g.noRate
	if reason == balance.LeftOutRange {
		list = &g.tooLarge
	}
	list.rows = append(list.rows, row)
}

// lists are those that are not empty.
func (g *gapLists) lists() (lists []toolList) {
	for _, list := range []toolList{g.noRate, g.tooLarge} {
		if list.rows != nil {
			lists = append(lists, list)
		}
	}
	return lists
}

// staleRates are the old rates by which figures were converted; no list when there are none.
func staleRates(list []fx.StaleRate) []toolList {
	out := toolList{name: "stale_rates"}
	for _, s := range list {
		out.rows = append(out.rows, jsonObject{{"from", s.From}, {"to", s.To}, {"rate_date", s.RateDate.String()},
			{"days_old", s.Days()}, {"used_for", s.Date.String()}})
	}
	if out.rows == nil {
		return nil
	}
	return []toolList{out}
}

// sheetGaps is what totals leave out.
func sheetGaps(gaps []report.Unconverted) []toolList {
	out := newGapLists("")
	for _, g := range gaps {
		out.add(g.Reason(), jsonObject{{"currency", g.Currency}, {"amount", plainAmount(g.Minor, g.Currency)},
			{"accounts", int64(len(g.Accounts))}})
	}
	return out.lists()
}

func holdingsTool() tool {
	return tool{"get_holdings", "Securities held on a day (default today), with price and value.",
		[]toolParam{dayParam("date", false), namesParam("accounts", ""),
			namesParam("securities", "tickers or names")}, getHoldings}
}

func getHoldings(ctx context.Context, c *toolCall) (*toolResult, error) {
	home, err := c.ledger.Tenants.GetHousehold(ctx, c.who)
	if err != nil {
		return nil, err
	}
	filter := position.HoldingFilter{Date: ledger.Some(c.date("date").Or(c.ledger.Today(home)))}
	filter.AccountIDs, err = c.labels(ctx, "accounts", names.Account)
	if err != nil {
		return nil, err
	}
	filter.SecurityIDs, err = c.securities(ctx, "securities")
	if err != nil || len(c.problems) > 0 {
		return nil, err
	}
	holdings, total, err := c.ledger.Positions.ListHoldings(ctx, c.who, filter, wholeList())
	found := &toolResult{figures: jsonObject{{"date", filter.Date.Value.String()}, {"total_results", total}}}
	found.lists = []toolList{holdingTotals(holdings), {name: "holdings", total: int(total)}}
	for i := range holdings {
		found.lists[1].rows = append(found.lists[1].rows, holdingRow(&holdings[i]))
	}
	return found, err
}

// holdingTotals is what holdings are worth together, per currency.
func holdingTotals(holdings []position.Holding) toolList {
	sums, out := map[string]money.Sum{}, toolList{name: "total_value"}
	for _, h := range holdings {
		sums[h.Currency] = sums[h.Currency].Plus(money.SumOf(h.Minor))
	}
	for _, currency := range SortedNames(sums) {
		c, _ := money.LookupCurrency(currency) // what is stored was looked up
		out.rows = append(out.rows, jsonObject{{"value", c.PlainSum(sums[currency])}, {"currency", currency}})
	}
	return out
}

func holdingRow(h *position.Holding) jsonObject {
	row := jsonObject{{"ticker", h.Security.Ticker}}
	if h.Security.Name != nil {
		row = row.with("name", ledger.ClipText(*h.Security.Name, 60))
	}
	row = append(row, jsonMember{"account", ledger.ClipText(h.Account.Name, 60)},
		jsonMember{"quantity", h.Quantity.String()}, jsonMember{"price", h.Price.String()},
		jsonMember{"value", plainAmount(h.Minor, h.Currency)}, jsonMember{"currency",
			h.Currency}, jsonMember{"price_date", h.PriceDate.String()})
	if h.AvgCost != nil {
		row = append(row, jsonMember{"average_cost", h.AvgCost.String()}, jsonMember{"cost_currency", h.CostCurrency})
	}
	return row
}

// securities are the ids of an argument, by ticker or name.
func (c *toolCall) securities(ctx context.Context, argument string) ([]uuid.UUID, error) {
	if c.texts[argument] == nil {
		return nil, nil
	}
	list, _, err := c.ledger.Market.ListSecurities(ctx, c.who, market.SecurityFilter{}, wholeList())
	var all []names.Name
	for _, s := range list {
		n := names.Name{ID: uuid.UUID(s.PublicID), Name: s.Ticker}
		if s.Name != nil {
			n.Paths = []string{*s.Name}
		}
		all = append(all, n)
	}
	return c.find(argument, "security", all), err
}
