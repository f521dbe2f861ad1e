package web

import (
	"cmp"
	"net/url"
	"slices"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
	"finsvc/ledger/report"
)

// The figures of a month that are explained beside those of package report.
const (
	figureIncome   = "income"
	figureExpenses = "expenses"
)

// explainView is a figure with the list that adds up to it.
type explainView struct {
	Title    string
	Days     string // when it is so, in words
	Minor    int64
	Currency string
	Rows     []explainRow
	Change   *explainChange // since an earlier day; nil where the list is of the whole figure
	Events   []explainRow   // what one of the rows sums up, or what came before; a page of them
	Heading  string         // of these
	Pages    pager
	LeftOut  []string
	By       []periodView // ways to tell the parts of income and spending apart
	Date     string       // of the form in which days are chosen; blank of a month
	From     string
	Fields   []field // that the form keeps
	API      string  // path and query of the same as an API call
}

// field is a hidden field of a form.
type field struct{ Name, Value string }

// explainRow is a part of a figure. One without an amount tells of a number of units.
type explainRow struct {
	Day, Text, Detail, Href string
	Minor                   int64
	Currency                string
	NoAmount                bool
}

// explainChange is by how much a figure changed since a day.
type explainChange struct {
	By, Was int64
	Since   string
}

// explain answers GET /explain: why a figure is what it is. Its fields are those of the API, and for income and spending
// a month and a category.
func explain(v *visit) error {
	q := v.URL.Query()
	switch q.Get("figure") {
	case figureIncome, figureExpenses:
		return v.explainMonth(q)
	}
	f := &form{visit: v}
	days := report.ExplainDays{Date: f.date("date"), From: f.date("from")}
	id := func(name, thing string) uuid.UUID {
		id, ok := ledger.ParseID(q.Get(name))
		if !ok {
			f.problems.Add(name, "must be the id of %s", thing)
		}
		return id
	}
	page, reports := v.page(rowsPerPage), v.site.Ledger.Reports
	var e report.Explanation
	err := f.problems.Err()
	switch figure := q.Get("figure"); {
	case err != nil:
	case figure == report.FigureNetWorth:
		e, err = reports.ExplainNetWorth(v.Context(), v.who(), days)
	case figure == report.FigureBalance:
		account := id("account_id", "an account")
		err = f.problems.Err()
		if err == nil {
			e, err = reports.ExplainBalance(v.Context(), v.who(), account, days, page)
		}
	case figure == report.FigureHolding:
		account, security := id("account_id", "an account"), id("security_id", "a security")
		err = f.problems.Err()
		if err == nil {
			e, err = reports.ExplainHolding(v.Context(), v.who(), account, security, days, page)
		}
	default:
		err = ledger.NewInvalid("figure", "must be net_worth, balance, holding, income or expenses, got %s", ledger.Quote(figure))
	}
	if err != nil {
		return err
	}
	view := v.explained(&e)
	view.Pages = pagerOf(v.URL, page, e.EntryCount)
	view.Date, view.From = e.Date.String(), q.Get("from")
	for _, name := range []string{"figure", "account_id", "security_id"} {
		if q.Has(name) {
			view.Fields = append(view.Fields, field{name, q.Get(name)})
		}
	}
	q.Del(paramDone)
	view.API = "/api/v1/explain?" + q.Encode()
	return v.render("explain", view.Title, view)
}

// explained puts an explanation of the ledger into words.
func (v *visit) explained(e *report.Explanation) explainView {
	view := explainView{Title: "Net worth", Days: v.show.Day(e.Date), Minor: e.Minor, Currency: e.Currency}
	switch e.Figure {
	case report.FigureBalance:
		view.Title, view.Heading = "Balance of "+e.Account.Name, "What was booked"
	case report.FigureHolding:
		view.Title, view.Heading = e.Security.Ticker+" in "+e.Account.Name, "How it came about"
	}
	if e.From != nil {
		view.Change = &explainChange{By: e.Sum(), Was: e.From.Minor, Since: v.show.Day(e.From.Date)}
	}
	for i := range e.Parts {
		view.Rows = append(view.Rows, v.explainRow(e, &e.Parts[i]))
	}
	for i := range e.Entries {
		view.Events = append(view.Events, v.explainRow(e, &e.Entries[i]))
	}
	for _, gap := range e.Unconverted {
		view.LeftOut = append(view.LeftOut, v.show.Amount(gap.Minor, gap.Currency)+" is left out: "+gap.Reason()+".")
	}
	for _, stale := range e.Stale {
		view.LeftOut = append(view.LeftOut, "The rate from "+stale.From+" to "+stale.To+" is "+count(stale.Days(), "day")+" old.")
	}
	return view
}

// explainRow puts a part into words, and leads to what explains it in turn.
func (v *visit) explainRow(e *report.Explanation, p *report.Part) explainRow {
	row := explainRow{Minor: p.Minor, Currency: e.Currency, Text: p.Name, NoAmount: p.Units != nil && p.Units.Held != nil}
	if p.Date.Has() {
		row.Day = v.show.Day(p.Date.Value)
	}
	ticker := ""
	if p.Security != nil {
		ticker = p.Security.Ticker
	}
	next := func(figure string, account uuid.UUID, more ...string) string {
		q := url.Values{"figure": {figure}, "account_id": {account.String()}, "date": {e.Date.String()}}
		if e.From != nil {
			q.Set("from", e.From.Date.String())
		}
		for i := 0; i < len(more); i += 2 {
			q.Set(more[i], more[i+1])
		}
		return "/explain?" + q.Encode()
	}
	switch p.Kind {
	case report.PartAccount:
		row.Text, row.Href = p.Account.Name, next(report.FigureBalance, p.Account.ID)
	case report.PartOpening:
		row.Text = "Opening balance"
	case report.PartValuation:
		row.Text = "The balance that was set"
	case report.PartEntries:
		row.Text = "What was booked since, " + count(p.Count, "entry")
	case report.PartHolding:
		row.Text = ticker
		if e.Account != nil && e.Figure == report.FigureBalance {
			row.Href = next(report.FigureHolding, e.Account.ID, "security_id", p.Security.ID.String())
		}
	case report.PartHeldThen:
		row.Text = "Of the balance that was set, in " + ticker
	case report.PartAdjustment:
		row.Text = "What balances that were set changed"
	case report.PartTrades:
		row.Text = strings.TrimSpace(ticker+" bought and sold, ") + " " + count(p.Count, "trade")
	case report.PartMarket:
		row.Text = strings.TrimSpace("The price of " + ticker)
	case report.PartRates:
		row.Text = "Exchange rates"
	case report.PartTransaction:
		row.Href = "/transactions/" + p.ID.String()
	default:
		kind := strings.ReplaceAll(p.Kind, "_", " ")
		row.Text = cmp.Or(p.Name, strings.TrimSpace(strings.ToUpper(kind[:1])+kind[1:]+" "+ticker))
	}
	row.Detail = strings.Join(append(v.unitWords(p.Units), v.originalWords(p)...), ", ")
	return row
}

// unitWords say how many units a part is of, and at what price.
func (v *visit) unitWords(u *position.Units) (words []string) {
	switch {
	case u == nil:
		return nil
	case u.Ratio != "":
		words = append(words, u.Ratio)
	default:
		words = append(words, v.show.Quantity(u.Quantity)+" × "+v.show.Price(u.Price, u.Currency))
	}
	if u.PriceDate.Has() && u.Held == nil {
		words = append(words, "price of "+v.show.Day(u.PriceDate.Value))
	}
	if u.Held != nil {
		words = append(words, v.show.Quantity(*u.Held)+" held then")
	}
	return words
}

// originalWords say what an amount was in the currency that it is kept in, and by which rates it was converted.
func (v *visit) originalWords(p *report.Part) (words []string) {
	if p.Cash != nil {
		words = append(words, v.show.Signed(p.Cash.Minor, p.Cash.Currency))
	}
	if p.Original == nil {
		return words
	}
	words = append(words, v.show.Amount(p.Original.Minor, p.Original.Currency))
	for _, r := range p.Original.Rates {
		words = append(words, r.From+"/"+r.To+" "+r.Rate.String()+" of "+v.show.Day(r.Date))
	}
	if len(p.Original.Rates) == 0 {
		words = append(words, "no exchange rate")
	}
	return words
}

// explainMonth explains what came in or went out in a month, as a whole or of a category: the parts of a breakdown.
func (v *visit) explainMonth(q url.Values) error {
	month, err := ledger.ParseDate(q.Get("month") + "-01")
	if err != nil {
		return ledger.NewInvalid("month", "must be a month such as 2026-11, got %s", ledger.Quote(q.Get("month")))
	}
	last := month.MonthEnd()
	if month <= v.today {
		last = min(last, v.today)
	}
	in := report.BreakdownInput{TransactionFilter: entry.TransactionFilter{StartDate: ledger.Some(month), EndDate: ledger.Some(last)}}
	figure, search := q.Get("figure"), "since:"+month.String()+" until:"+last.String()
	view := explainView{Title: map[string]string{figureIncome: "Came in", figureExpenses: "Went out"}[figure], Days: v.show.MonthName(month)}
	choices := []string{report.ByCategory, report.ByMerchant, report.ByAccount}
	if q.Has("category_id") {
		choices = choices[1:]
		if err := v.ofCategory(q.Get("category_id"), &in, &view, &search); err != nil {
			return err
		}
	}
	in.GroupBy = q.Get("by")
	if !slices.Contains(choices, in.GroupBy) {
		in.GroupBy = choices[0]
	}
	for _, by := range choices {
		with := url.Values{"by": {by}}
		for _, name := range []string{"figure", "month", "category_id"} {
			if q.Has(name) {
				with.Set(name, q.Get(name))
			}
		}
		view.By = append(view.By, periodView{by, "Told apart by " + by, "?" + with.Encode(), by == in.GroupBy})
	}
	b, err := v.site.Ledger.Reports.Breakdown(v.Context(), v.who(), in)
	if err != nil {
		return err
	}
	view.Currency, view.Minor = b.Currency, b.Expenses
	if figure == figureIncome {
		view.Minor = b.Income
	}
	for _, p := range b.Parts {
		row := explainRow{Minor: p.Expenses, Currency: b.Currency}
		if figure == figureIncome {
			row.Minor = p.Income
		}
		if p.Income == 0 || p.Expenses == 0 { // else the number is of both
			row.Detail = count(p.Count, "entry")
		}
		if row.Minor == 0 {
			continue
		}
		words := ""
		switch {
		case in.GroupBy == report.ByCategory:
			row.Text = categoryName(p.Category)
			with := url.Values{"figure": {figure}, "month": {q.Get("month")}, "category_id": {categoryID(p.Category)}}
			row.Href = "/explain?" + with.Encode()
		case in.GroupBy == report.ByMerchant && p.Merchant == nil:
			row.Text, words = "No merchant", " no:merchant"
		case in.GroupBy == report.ByMerchant:
			row.Text, words = p.Merchant.Name, " "+named("by:", p.Merchant.Name)
		case p.Account != nil:
			row.Text, words = p.Account.Name, " "+named("@", p.Account.Name)
		}
		if words != "" {
			row.Href = "/transactions?" + url.Values{"q": {search + words}}.Encode()
		}
		view.Rows = append(view.Rows, row)
	}
	slices.SortStableFunc(view.Rows, func(a, b explainRow) int { return cmp.Compare(b.Minor, a.Minor) })
	for _, gap := range b.Unconverted {
		minor := gap.Expenses
		if figure == figureIncome {
			minor = gap.Income
		}
		if minor != 0 {
			view.LeftOut = append(view.LeftOut, v.show.Amount(minor, gap.Currency)+" is left out: "+gap.Reason()+".")
		}
	}
	with := url.Values{"start_date": {month.String()}, "end_date": {last.String()}}
	view.API = "/api/v1/income_statement?" + with.Encode()
	return v.render("explain", view.Title+" in "+view.Days, view)
}

// noCategory stands in a URL for what has no category.
const noCategory = "none"

// ofCategory narrows a breakdown to a category, or to what has none.
func (v *visit) ofCategory(text string, in *report.BreakdownInput, view *explainView, search *string) error {
	if text == noCategory {
		in.HasCategory = new(bool)
		view.Title += ", no category"
		*search += " no:category"
		return nil
	}
	id, ok := ledger.ParseID(text)
	if !ok {
		return ledger.NewInvalid("category_id", "must be the id of a category, or none")
	}
	c, err := v.site.Ledger.Labels.GetCategory(v.Context(), v.who(), id)
	if err != nil {
		return err
	}
	in.CategoryIDs = []uuid.UUID{id}
	view.Title += ", " + c.Name
	*search += " " + named("cat:", c.Name)
	return nil
}

func categoryID(c *ledger.CategoryRef) string {
	if c == nil {
		return noCategory
	}
	return c.ID.String()
}

// Sum is what the rows come to, which is the figure or what it changed by.
func (e explainView) Sum() int64 {
	var sum money.Sum
	for _, row := range e.Rows {
		sum.Add(row.Minor)
	}
	minor, _ := sum.Minor() // the ledger refuses figures that are no amounts
	return minor
}
