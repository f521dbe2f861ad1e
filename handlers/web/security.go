package web

import (
	"html/template"
	"slices"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/handlers/web/chart"
	"finsvc/ledger"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
	"finsvc/ledger/trade"
)

// securityView is one security: what is held of it, how that came about, and what is known of its price.
type securityView struct {
	market.Security
	ID        string
	Named     string // as it is typed
	Held      []*holdingView
	Currency  string // of the sums of the household
	Line      template.HTML
	LineIn    string // currency of the line
	Points    []chart.Point
	Periods   []periodView
	Trades    []trade.Trade
	Total     int64 // of its trades
	Prices    []market.Price
	Pages     pager // of its prices
	Splits    []market.Split
	Back      string
	Problems  formProblems
	CanDelete bool

	Ticker, MIC, Title        string // what was typed of it
	Manual                    bool
	PriceDate, Price, PriceIn string // of a price
	SplitDate, Ratio          string // of a split
	Currencies                []string
}

const pricesPerPage = 10

// From says in words where a price comes from.
func (securityView) From(p market.Price) string {
	switch p.Source {
	case market.SourceFetch:
		return "looked up"
	case market.SourceQIF:
		return "of a QIF file"
	}
	return "noted"
}

// showSecurity answers GET /securities/{id}.
func showSecurity(v *visit) error {
	view, err := v.security()
	if err != nil {
		return err
	}
	return v.render("security", view.Security.Ticker, view)
}

// security reads what there is to see of a security.
func (v *visit) security() (view securityView, err error) {
	id, err := v.id("Security")
	if err != nil {
		return view, err
	}
	view.Security, err = v.site.Ledger.Market.GetSecurity(v.Context(), v.who(), id)
	if err != nil {
		return view, err
	}
	view.ID, view.Named, view.Currency = id.String(), market.TickerOf(&view.Security.Security), v.session.Household.Currency
	view.Ticker, view.MIC, view.Title = view.Security.Ticker, view.Mic, ledger.OrBlank(view.Name)
	view.Manual, view.Back = view.Security.Manual == 1, "/securities/"+view.ID
	view.PriceDate, view.SplitDate, view.Currencies = v.today.String(), v.today.String(), money.CurrencyCodes()
	view.PriceIn = view.Currency
	if view.Newest != nil {
		view.PriceIn = view.Newest.Currency
	}
	portfolio, err := v.site.Ledger.Reports.Portfolio(v.Context(), v.who(), ledger.Opt[ledger.Date]{})
	if err != nil {
		return view, err
	}
	for _, valued := range portfolio.Holdings {
		if valued.Security.ID == id {
			view.Held = append(view.Held, v.holding(valued, portfolio))
		}
	}
	if err := v.positionLine(&view, id); err != nil {
		return view, err
	}
	view.Trades, view.Total, err = v.site.Ledger.Trades.ListTrades(v.Context(), v.who(),
		trade.Filter{SecurityIDs: []uuid.UUID{id}}, ledger.Page{Number: 1, Size: 25})
	if err != nil {
		return view, err
	}
	view.CanDelete = view.Total == 0
	page := v.page(pricesPerPage)
	prices := int64(0)
	view.Prices, prices, err = v.site.Ledger.Market.ListPrices(v.Context(), v.who(),
		market.PriceFilter{SecurityID: ledger.Some(id)}, page)
	if err != nil {
		return view, err
	}
	view.Pages = pagerOf(v.URL, page, prices)
	view.Splits, _, err = v.site.Ledger.Market.ListSplits(v.Context(), v.who(),
		market.SplitFilter{SecurityID: ledger.Some(id)}, ledger.Everything())
	return view, err
}

// mostPoints is how many points a line is drawn of at most, about one for two pixels.
const mostPoints = 400

// positionLine draws what is held of a security day by day, all accounts together, by what it is worth in the currency
// that its price is in now. Days with a price in another one are left out.
func (v *visit) positionLine(view *securityView, id uuid.UUID) error {
	chosen := v.period()
	for _, p := range periods() {
		view.Periods = append(view.Periods, periodView{p.name, p.words, "?period=" + p.name, p.name == chosen.name})
	}
	f := position.HoldingFilter{SecurityIDs: []uuid.UUID{id}}
	if chosen.since != nil {
		f.StartDate = ledger.Some(chosen.since(v.today))
	}
	list, _, err := v.site.Ledger.Positions.ListHoldings(v.Context(), v.who(), f, ledger.Everything())
	if err != nil || len(list) == 0 {
		return err
	}
	view.LineIn = list[len(list)-1].Currency
	type day struct {
		date     ledger.Date
		quantity decimal.Decimal
		value    money.Sum
		missing  bool
	}
	var days []day
	for _, h := range list {
		if len(days) > 0 && days[len(days)-1].date+1 < h.Date { // nothing was held in between
			days = append(days, day{date: days[len(days)-1].date + 1}, day{date: h.Date - 1})
		}
		if len(days) == 0 || days[len(days)-1].date != h.Date {
			days = append(days, day{date: h.Date})
		}
		d := &days[len(days)-1]
		d.quantity, d.missing = d.quantity.Add(h.Quantity), d.missing || h.Currency != view.LineIn
		d.value.Add(h.Minor)
	}
	days = slices.CompactFunc(days, func(a, b day) bool { return a.date == b.date })
	if last := days[len(days)-1].date; last < v.today {
		days = append(days, day{date: last + 1}, day{date: v.today})
	}
	every := len(days)/mostPoints + 1
	for i, d := range days {
		if i%every != 0 && i != len(days)-1 {
			continue
		}
		value, fits := d.value.Minor()
		view.Points = append(view.Points, chart.Point{Day: int64(d.date), Value: value, Missing: d.missing || !fits,
			Date: v.show.Day(d.date), Amount: v.show.Quantity(d.quantity) + ", " + v.show.Amount(value, view.LineIn)})
	}
	if len(view.Points) > 1 {
		last := view.Points[len(view.Points)-1]
		view.Line = chart.Line(chart.Series{Name: "What is held of " + view.Named + " from " + view.Points[0].Date +
			" to " + last.Date + ", at last " + last.Amount + ".", Points: view.Points, Height: 180})
	}
	return nil
}

// securityAgain shows the page again with what is wrong with one of its forms, and what was typed into it.
func (v *visit) securityAgain(err error, typed func(*securityView)) error {
	view, failed := v.security()
	if failed != nil {
		return failed
	}
	return v.again(err, "security", view.Security.Ticker, func(p formProblems) any {
		typed(&view)
		view.Problems = p
		return view
	})
}

// updateSecurity answers POST /securities/{id}.
func updateSecurity(v *visit) error {
	id, err := v.id("Security")
	if err != nil {
		return err
	}
	f := &form{visit: v}
	in := market.SecurityInput{Ticker: ledger.Some(f.text("ticker")), MIC: ledger.Some(f.text("mic")),
		Name:   ledger.Opt[string]{Set: true, Value: f.text("name"), Null: f.text("name") == ""},
		Manual: ledger.Some(f.text("manual") == "true")}
	if _, err := v.site.Ledger.Market.UpdateSecurity(v.Context(), v.who(), id, in); err != nil {
		return v.securityAgain(err, func(view *securityView) {
			view.Ticker, view.MIC, view.Title = f.text("ticker"), f.text("mic"), f.text("name")
			view.Manual = f.text("manual") == "true"
		})
	}
	return v.goOn("/securities/" + id.String())
}

// deleteSecurity answers POST /securities/{id}/delete; one that has trades stays.
func deleteSecurity(v *visit) error {
	id, err := v.id("Security")
	if err != nil {
		return err
	}
	if err := v.site.Ledger.Market.DeleteSecurity(v.Context(), v.who(), id); err != nil {
		return v.securityAgain(err, func(*securityView) {})
	}
	return v.goOn("/holdings")
}

// putPrice answers POST /securities/{id}/prices; the price of the same day is replaced.
func putPrice(v *visit) error {
	id, err := v.id("Security")
	if err != nil {
		return err
	}
	f := &form{visit: v}
	in := market.PriceInput{Security: market.SecurityName{ID: ledger.Some(id)}, Date: f.date("date"),
		Price: f.amount("price"), Currency: ledger.Some(f.text("currency"))}
	in.Problems = f.problems
	if _, err := v.site.Ledger.Market.PutPrice(v.Context(), v.who(), in); err != nil {
		return v.securityAgain(err, func(view *securityView) {
			view.PriceDate, view.Price, view.PriceIn = f.text("date"), f.text("price"), f.text("currency")
		})
	}
	return v.goOn("/securities/" + id.String())
}

// deletePrice answers POST /securities/{id}/prices/{price}/delete.
func deletePrice(v *visit) error {
	id, ok := ledger.ParseID(v.PathValue("price"))
	if !ok {
		return ledger.NewNotFound("Price")
	}
	if err := v.site.Ledger.Market.DeletePrice(v.Context(), v.who(), id); err != nil {
		return err
	}
	return v.goOn(v.back("/securities/" + v.PathValue("id")))
}

// createSplit answers POST /securities/{id}/splits.
func createSplit(v *visit) error {
	id, err := v.id("Security")
	if err != nil {
		return err
	}
	f := &form{visit: v}
	in := market.SplitInput{Security: market.SecurityName{ID: ledger.Some(id)}, Date: f.date("date"),
		Ratio: ledger.Some(f.text("ratio"))}
	in.Problems = f.problems
	if _, err := v.site.Ledger.Market.CreateSplit(v.Context(), v.who(), in); err != nil {
		return v.securityAgain(err, func(view *securityView) { view.SplitDate, view.Ratio = f.text("date"), f.text("ratio") })
	}
	return v.goOn("/securities/" + id.String())
}

// deleteSplit answers POST /securities/{id}/splits/{split}/delete.
func deleteSplit(v *visit) error {
	id, ok := ledger.ParseID(v.PathValue("split"))
	if !ok {
		return ledger.NewNotFound("Split")
	}
	if err := v.site.Ledger.Market.DeleteSplit(v.Context(), v.who(), id); err != nil {
		return v.securityAgain(err, func(*securityView) {})
	}
	return v.goOn("/securities/" + v.PathValue("id"))
}
