package web

import (
	"cmp"
	"html/template"
	"net/url"
	"slices"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/handlers/web/chart"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
	"finsvc/ledger/report"
)

// overviewView is what a household is worth, where its money went, and what was last.
type overviewView struct {
	Currency   string
	Sheet      report.BalanceSheet
	Change     *changeView // over the period; nil where there is nothing to compare with
	Periods    []periodView
	Line       template.HTML // blank where there are not two points
	Points     []chart.Point
	Flow       flowView
	Went       template.HTML // categories as bars
	Latest     []entry.Transaction
	Assets     template.HTML // what they consist of
	Owed       template.HTML
	HasBackups bool     // whether the server can say
	Backup     string   // when the newest was made; blank when there is none
	Unreported []string // what the figures leave out, in sentences
}

// changeView is by how much something has become more or less.
type changeView struct {
	Minor   int64
	Percent string // blank where it began at nothing
	Over    string // the period, in words
}

// Up reports whether it became more.
func (c changeView) Up() bool { return c.Minor >= 0 }

// periodView is a choice of the days that the net worth is shown of.
type periodView struct {
	Name, Words, Query string
	Current            bool
}

// flowView is what came in and went out this month.
type flowView struct {
	Month             string
	First             string // the month in a URL
	In, Out, Kept     int64
	Chart             template.HTML
	InBars, OutBars   template.HTML
	Newer, Older      string // queries
	Days              string // of a search for the month
	HasAny, KeptShare bool
	Share             string
}

// period is a choice of days up to today.
type period struct {
	name, words string
	since       func(today ledger.Date) ledger.Date
	interval    string
}

// periods are the choices, the usual one among them.
func periods() []period {
	months := func(n int) func(ledger.Date) ledger.Date {
		return func(today ledger.Date) ledger.Date { return ledger.DateOf(today.Time().AddDate(0, -n, 0)) }
	}
	return []period{
		{"1M", "the last month", months(1), report.IntervalDay},
		{"3M", "the last three months", months(3), report.IntervalDay},
		{"6M", "the last six months", months(6), report.IntervalWeek},
		{"YTD", "this year", func(today ledger.Date) ledger.Date {
			return ledger.NewDate(today.Time().Year(), 1, 1)
		}, report.IntervalWeek},
		{"1Y", "the last year", months(12), report.IntervalWeek},
		{"5Y", "the last five years", months(60), report.IntervalMonth},
		{"All", "all years", nil, report.IntervalMonth},
	}
}

// usualPeriod is shown when nobody has chosen one.
const usualPeriod = "1Y"

// period is the one that the URL asks for, else the usual one.
func (v *visit) period() period {
	wanted := cmp.Or(v.URL.Query().Get("period"), usualPeriod)
	all := periods()
	at := slices.IndexFunc(all, func(p period) bool { return p.name == wanted })
	if at < 0 {
		at = slices.IndexFunc(all, func(p period) bool { return p.name == usualPeriod })
	}
	return all[at]
}

// overviewKey is what an overview depends on beside the books: whose it is, the day, what was asked for, how amounts are
// written, and where the pages are.
type overviewKey struct {
	home                int64
	today               ledger.Date
	period, month, root string
	show                display
}

// showOverview answers GET /. What it shows is kept until the books change.
func showOverview(v *visit) error {
	q := v.URL.Query()
	key := overviewKey{v.session.HouseholdID, v.today, q.Get("period"), q.Get("month"), v.path(""), *v.show}
	view, err := v.site.overviews.get(v.session.Version, key, v.overview)
	if err != nil {
		return err
	}
	view.HasBackups = v.site.Machine != nil
	if view.HasBackups { // which come and go without the books
		if at, ok := v.site.Machine.LastCopy(); ok {
			view.Backup = at.UTC().Format(backupStamp)
		}
	}
	return v.render("overview", "Overview", view)
}

// overview reads what the overview shows.
func (v *visit) overview() (view overviewView, err error) {
	accounts, err := v.listed()
	if err != nil {
		return view, err
	}
	view.Currency = v.session.Household.Currency
	view.Sheet, err = v.site.Ledger.Reports.BalanceSheet(v.Context(), v.who(), ledger.Opt[ledger.Date]{})
	if err == nil {
		err = v.worth(&view)
	}
	if err == nil {
		view.Flow, view.Went, err = v.flow()
	}
	if err == nil {
		view.Latest, _, err = v.site.Ledger.Entries.ListTransactions(v.Context(), v.who(), entry.TransactionFilter{},
			ledger.Page{Number: 1, Size: 6})
	}
	if err != nil {
		return view, err
	}
	view.Assets, view.Owed = v.stack("Assets", ledger.Asset, accounts), v.stack("Liabilities", ledger.Liability, accounts)
	for _, gap := range view.Sheet.Unconverted {
		why := "there is no exchange rate for it"
		if gap.Excess {
			why = "no amount holds it with the others"
		}
		view.Unreported = append(view.Unreported, v.show.Amount(gap.Minor, gap.Currency)+" is left out of the net worth: "+why+".")
	}
	for _, stale := range view.Sheet.Stale {
		view.Unreported = append(view.Unreported, "The rate from "+stale.From+" to "+stale.To+" is "+count(stale.Days(), "day")+" old.")
	}
	return view, nil
}

// worth fills in the net worth over the period that was chosen.
func (v *visit) worth(view *overviewView) error {
	chosen := v.period()
	for _, p := range periods() {
		view.Periods = append(view.Periods, periodView{p.name, p.words, "?period=" + p.name, p.name == chosen.name})
	}
	begins, err := v.site.Ledger.Balances.BooksBegin(v.Context(), v.who())
	if err != nil || len(begins) == 0 {
		return err
	}
	first := v.today
	for _, day := range begins {
		first = min(first, day)
	}
	start := first
	if chosen.since != nil {
		start = max(first, chosen.since(v.today))
	}
	series, err := v.site.Ledger.Reports.NetWorth(v.Context(), v.who(), report.SeriesInput{
		StartDate: ledger.Some(start), EndDate: ledger.Some(v.today), Interval: chosen.interval})
	if err != nil {
		return err
	}
	for _, p := range series.Points {
		view.Points = append(view.Points, chart.Point{Day: int64(p.Date), Value: p.NetWorth, Date: v.show.Day(p.Date),
			Amount: v.show.Amount(p.NetWorth, series.Currency)})
	}
	if len(view.Points) < 2 {
		return nil
	}
	from, to := series.Points[0].NetWorth, series.Points[len(series.Points)-1].NetWorth
	if by, fits := money.SubMinor(to, from); fits {
		view.Change = &changeView{Minor: by, Over: chosen.words, Percent: v.percent(by, from)}
	}
	view.Line = chart.Line(chart.Series{Name: "Net worth from " + view.Points[0].Date + " to " + view.Points[len(view.Points)-1].Date +
		", from " + view.Points[0].Amount + " to " + view.Points[len(view.Points)-1].Amount + ".", Points: view.Points})
	return nil
}

// percent is a part of a whole in per cent, with one decimal; blank of nothing.
func (v *visit) percent(part, whole int64) string {
	if whole == 0 {
		return ""
	}
	return v.show.Percent(decimal.NewFromInt(part).Mul(decimal.NewFromInt(100)).Div(decimal.NewFromInt(whole).Abs()).Round(1))
}

// flow is what came in and went out in the month of the query, this one unless it names another, and where it went
// against what that usually is.
func (v *visit) flow() (view flowView, went template.HTML, err error) {
	first := v.today.MonthStart()
	if day, err := ledger.ParseDate(v.URL.Query().Get("month") + "-01"); err == nil {
		first = min(day.MonthStart(), first)
	}
	last := min(first.MonthEnd(), v.today)
	month, err := v.site.Ledger.Reports.IncomeStatement(v.Context(), v.who(),
		report.IncomeInput{StartDate: ledger.Some(first), EndDate: ledger.Some(last)})
	if err != nil {
		return view, went, err
	}
	before, err := v.site.Ledger.Reports.IncomeStatement(v.Context(), v.who(), report.IncomeInput{
		StartDate: ledger.Some(ledger.DateOf(first.Time().AddDate(0, -3, 0))), EndDate: ledger.Some(first - 1)})
	if err != nil {
		return view, went, err
	}
	view = flowView{Month: v.show.MonthName(first), First: first.Time().Format("2006-01"), In: month.Income, Out: month.Expenses, Kept: month.Net,
		Days: "since:" + first.String() + " until:" + last.String(), HasAny: month.Income != 0 || month.Expenses != 0}
	view.Share = v.percent(month.Net, month.Income)
	view.KeptShare = month.Net > 0 && view.Share != ""
	if first < v.today.MonthStart() {
		view.Newer = "?month=" + (first.MonthEnd() + 1).Time().Format("2006-01")
	}
	view.Older = "?month=" + (first - 1).Time().Format("2006-01")
	usual := map[string]int64{}
	for _, c := range before.ByCategory {
		usual[categoryName(c.Category)] += c.Expenses / 3
	}
	flow := chart.Flow{Name: "What came in and where it went in " + view.Month, Middle: v.session.Household.Name, Kept: "Kept",
		Short: "From savings", Other: "Other", Format: func(minor int64) string { return v.show.Amount(minor, month.Currency) }}
	var bars []chart.Bar
	for _, c := range month.ByCategory {
		name, colour := categoryName(c.Category), ""
		href := v.path("/transactions?" + url.Values{"q": {view.Days + " " + categoryWords(c.Category)}}.Encode())
		if c.Category != nil {
			colour = c.Category.Color
		}
		if c.Income > 0 {
			flow.In = append(flow.In, chart.Part{Label: name, Amount: c.Income, Href: href, Colour: colour})
		}
		if c.Expenses == 0 {
			continue
		}
		flow.Out = append(flow.Out, chart.Part{Label: name, Amount: c.Expenses, Href: href, Colour: colour})
		bar := chart.Bar{Label: name, Value: c.Expenses, Amount: v.show.Amount(c.Expenses, month.Currency),
			Share: v.percent(c.Expenses, month.Expenses), Href: href, Colour: colour}
		if u := usual[name]; u > 0 {
			if by, fits := money.SubMinor(c.Expenses, u); fits && by != 0 {
				bar.Change, bar.More = v.show.Signed(by, month.Currency)+" against usual", by > 0
			}
		}
		bars = append(bars, bar)
	}
	slices.SortStableFunc(bars, func(a, b chart.Bar) int { return cmp.Compare(b.Value, a.Value) })
	if view.HasAny {
		view.Chart, err = chart.Sankey(flow)
		if err == nil {
			view.InBars, view.OutBars, err = chart.FlowLists(flow)
		}
	}
	return view, chart.Bars(bars), err
}

func categoryName(c *ledger.CategoryRef) string {
	if c == nil {
		return "No category"
	}
	return c.Name
}

// categoryWords are the words of a search for a category.
func categoryWords(c *ledger.CategoryRef) string {
	if c == nil {
		return "no:category"
	}
	return named("cat:", c.Name)
}

// stack shows what one side of the balance sheet consists of: the accounts in the household's currency.
func (v *visit) stack(name, classification string, accounts []catalog.Account) template.HTML {
	var bars []chart.Bar
	for _, a := range accounts {
		if a.Classification == classification && a.BalanceMinor > 0 && a.Currency == v.session.Household.Currency {
			bars = append(bars, chart.Bar{Label: a.Name, Value: a.BalanceMinor, Amount: v.show.Amount(a.BalanceMinor, a.Currency),
				Href: v.path("/accounts/" + uuid.UUID(a.PublicID).String())})
		}
	}
	if len(bars) == 0 {
		return ""
	}
	slices.SortStableFunc(bars, func(a, b chart.Bar) int { return cmp.Compare(b.Value, a.Value) })
	return chart.Stacked(name, bars)
}
