package cmd

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"github.com/spf13/cobra"

	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/fx"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
	"finsvc/ledger/names"
	"finsvc/ledger/position"
	"finsvc/ledger/report"
)

func newExplain(a *app) *cobra.Command {
	return shell.Group("explain", "Show what a figure is made of, or what changed it", newExplainBalance(a),
		newExplainNetWorth(a), newExplainHolding(a))
}

// explainFlags are what a command line says about a figure.
type explainFlags struct {
	household, date, from string
	asJSON                bool
}

func (f *explainFlags) add(c *cobra.Command) {
	shell.HouseholdFlag(c, &f.household)
	shell.JSONFlag(c, &f.asJSON)
	c.Flags().StringVar(&f.date, "date", "", "`DAY` of the figure, such as 2026-01-31 (default: today)")
	c.Flags().StringVar(&f.from, "from", "", "an earlier `DAY`; shows what changed the figure since")
}

// explanation finds out what is to be explained.
type explanation func(ctx context.Context, l *books.Books, who ledger.Actor,
	days report.ExplainDays) (report.Explanation, error)

// run explains a figure and prints it. Its entries are read at once, as pages could disagree.
func (f *explainFlags) run(a *app, c *cobra.Command, explain explanation) error {
	var problems ledger.Problems
	days := report.ExplainDays{
		Date: shell.Parsed(c, &problems, "date", f.date, ledger.ParseDate),
		From: shell.Parsed(c, &problems, "from", f.from, ledger.ParseDate)}
	if err := problems.Err(); err != nil {
		return err
	}
	return a.inHousehold(c, f.household, func(l *books.Books, who ledger.Actor) error {
		e, err := explain(c.Context(), l, who, days)
		if err != nil {
			return err
		}
		if f.asJSON {
			return a.PrintJSON(explanationOf(&e))
		}
		return printExplanation(c.Context(), a, l, who, &e)
	})
}

// allEntries is a page that has them all.
func allEntries() ledger.Page { return ledger.Page{Number: 1, Size: math.MaxInt32} }

func newExplainBalance(a *app) *cobra.Command {
	var f explainFlags
	c := &cobra.Command{
		Use: "balance ACCOUNT", Short: "Show what adds up to the balance of an account", Args: cobra.ExactArgs(1),
		Example: "  finsvc explain balance Everyday\n" +
			"  finsvc explain balance Everyday --from 2026-10-31 --date 2026-11-30",
		RunE: func(c *cobra.Command, args []string) error {
			return f.run(a, c, func(ctx context.Context, l *books.Books, who ledger.Actor,
				days report.ExplainDays) (e report.Explanation, err error) {
				account, err := l.Names.Find(ctx, who, names.Account, args[0])
				if err != nil {
					return e, err
				}
				return l.Reports.ExplainBalance(ctx, who, account.ID, days, allEntries())
			})
		},
	}
	f.add(c)
	return c
}

func newExplainNetWorth(a *app) *cobra.Command {
	var f explainFlags
	c := &cobra.Command{
		Use: "net-worth", Short: "Show what adds up to the net worth", Args: cobra.NoArgs,
		Example: "  finsvc explain net-worth --from 2026-01-01",
		RunE: func(c *cobra.Command, _ []string) error {
			return f.run(a, c, func(ctx context.Context, l *books.Books, who ledger.Actor,
				days report.ExplainDays) (report.Explanation, error) {
				return l.Reports.ExplainNetWorth(ctx, who, days)
			})
		},
	}
	f.add(c)
	return c
}

func newExplainHolding(a *app) *cobra.Command {
	var f explainFlags
	c := &cobra.Command{
		Use: "holding ACCOUNT TICKER", Short: "Show how what an account holds of a security came about",
		Args:    cobra.ExactArgs(2),
		Example: "  finsvc explain holding Broker ACME --date 2026-01-31",
		RunE: func(c *cobra.Command, args []string) error {
			return f.run(a, c, func(ctx context.Context, l *books.Books, who ledger.Actor,
				days report.ExplainDays) (e report.Explanation, err error) {
				account, err := l.Names.Find(ctx, who, names.Account, args[0])
				if err != nil {
					return e, err
				}
				security, err := l.Market.FindSecurity(ctx, who, market.SecurityName{Ticker: ledger.Some(args[1])})
				if err != nil {
					return e, err
				}
				return l.Reports.ExplainHolding(ctx, who, account.ID, uuid.UUID(security.PublicID), days, allEntries())
			})
		},
	}
	f.add(c)
	return c
}

// printExplanation prints a table that ends in the figure, or in what it changed by. Entries stand in the
// place of the part that sums them up; the events of a holding come first, as they add no amount by themselves.
func printExplanation(ctx context.Context, a *app, l *books.Books, who ledger.Actor, e *report.Explanation) error {
	home, err := l.Tenants.GetHousehold(ctx, who)
	if err != nil {
		return err
	}
	format, err := money.NewFormatter(home.Locale)
	if err != nil {
		return err
	}
	for _, gap := range e.Unconverted {
		why := "as there is no exchange rate at all"
		if gap.Excess {
			why = "because the total with it is too large to be counted"
		}
		a.Say("Left out, %s: %s", why, term.Formatted(format, gap.Minor, gap.Currency))
	}
	for _, s := range e.Stale {
		a.Say("Counted at an old exchange rate: %s.", term.StaleText(s))
	}
	return a.PrintRows(term.Columns("date", "part", "of", "#qty", "#price", "#amount", "#original", "rate"),
		partPrinter{format, e.Currency}.table(e))
}

// partPrinter makes rows of parts, whose amounts are in a currency.
type partPrinter struct {
	format   *money.Formatter
	currency string
}

// table is the whole explanation, a row a part.
func (p partPrinter) table(e *report.Explanation) (rows [][]string) {
	if e.Figure == report.FigureHolding {
		rows = p.rows(rows, e.Entries)
	}
	for i, part := range e.Parts {
		if part.Kind == report.PartEntries && e.Figure == report.FigureBalance {
			rows = p.rows(rows, e.Entries)
			continue
		}
		rows = p.rows(rows, e.Parts[i:i+1])
	}
	if e.From != nil {
		rows = append(rows, p.total(e.Date, "change", e.Sum()), p.total(e.From.Date, "was", e.From.Minor))
	}
	return append(rows, p.total(e.Date, "is", e.Minor))
}

func (p partPrinter) total(day ledger.Date, what string, minor int64) []string {
	return []string{day.String(), what, "", "", "", term.Formatted(p.format, minor, p.currency), "", ""}
}

func (p partPrinter) rows(rows [][]string, parts []report.Part) [][]string {
	for i := range parts {
		rows = append(rows, p.row(&parts[i]))
	}
	return rows
}

func (p partPrinter) row(part *report.Part) []string {
	row := []string{"", part.Kind, partOf(part), "", "", "", "", ""}
	if part.Date.Has() {
		row[0] = part.Date.Value.String()
	}
	if u := part.Units; u != nil && u.Ratio == "" {
		row[3], row[4] = u.Quantity.String(), p.price(u)
	}
	if part.Units == nil || part.Units.Held == nil {
		row[5] = term.Formatted(p.format, part.Minor, p.currency)
	}
	if o := part.Cash; o != nil {
		row[6] = term.Formatted(p.format, o.Minor, o.Currency)
	}
	if o := part.Original; o != nil {
		row[6], row[7] = term.Formatted(p.format, o.Minor, o.Currency), ratesText(o.Rates)
	}
	return row
}

func (p partPrinter) price(u *position.Units) string {
	currency, _ := money.LookupCurrency(u.Currency) // what is stored was looked up
	return p.format.Price(u.Price, currency)
}

// partOf says in words what a part is of.
func partOf(part *report.Part) string {
	var words []string
	if part.Account != nil {
		words = append(words, part.Account.Name)
	}
	if part.Security != nil {
		words = append(words, part.Security.Ticker)
	}
	if part.Name != "" {
		words = append(words, part.Name)
	}
	if part.Count > 0 {
		words = append(words, fmt.Sprintf("(%d)", part.Count))
	}
	if u := part.Units; u != nil && u.Ratio != "" {
		words = append(words, u.Ratio)
	}
	if u := part.Units; u != nil && u.Held != nil {
		words = append(words, fmt.Sprintf("→ %s", u.Held))
	}
	return strings.Join(words, " ")
}

// ratesText names the rates that an amount was converted by.
func ratesText(rates []fx.UsedRate) string {
	if len(rates) == 0 {
		return "none at all"
	}
	var words []string
	for _, r := range rates {
		word := fmt.Sprintf("%s/%s %s of %s", r.From, r.To, r.Rate, r.Date)
		if r.Stale {
			word += " (old)"
		}
		words = append(words, word)
	}
	return strings.Join(words, ", ")
}

// explanationJSON is an explanation in JSON. Amounts are in minor units; parts add up to the difference from
// an earlier day where there is one, else to the total.
type explanationJSON struct {
	Figure          string     `json:"figure"`
	Account         *string    `json:"account"`
	Security        *string    `json:"security"`
	Date            string     `json:"date"`
	Currency        string     `json:"currency"`
	TotalCents      int64      `json:"total_cents"`
	FromDate        *string    `json:"from_date"`
	FromCents       *int64     `json:"from_cents"`
	SumOfPartsCents int64      `json:"sum_of_parts_cents"`
	Parts           []partJSON `json:"parts"`
	Entries         []partJSON `json:"entries"`

	Unconverted []unconvertedJSON `json:"unconverted"`
	StaleRates  []staleJSON       `json:"stale_rates"`
}

// partJSON is a part or an entry. What does not apply is left out. Quantities, prices, costs and rates are
// decimals in text.
type partJSON struct {
	Kind          string     `json:"kind"`
	ID            *string    `json:"id,omitempty"`
	Date          *string    `json:"date,omitempty"`
	Name          string     `json:"name,omitempty"`
	Account       string     `json:"account,omitempty"`
	Security      string     `json:"security,omitempty"`
	Count         int64      `json:"count,omitempty"`
	AmountCents   int64      `json:"amount_cents"`
	Currency      string     `json:"original_currency,omitempty"`
	OriginalCents *int64     `json:"original_cents,omitempty"`
	Rates         []rateUsed `json:"rates,omitempty"`
	CashCurrency  string     `json:"cash_currency,omitempty"`
	CashCents     *int64     `json:"cash_cents,omitempty"`
	*unitsJSON
}

// rateUsed is an exchange rate as it was published.
type rateUsed struct {
	From string `json:"from"`
	To   string `json:"to"`
	Date string `json:"date"`
	Rate string `json:"rate"`
	// Stale is whether it was more than seven days old.
	Stale bool `json:"stale"`
}

// unitsJSON is the quantity behind a part.
type unitsJSON struct {
	Quantity     string  `json:"qty,omitempty"`
	Ratio        string  `json:"ratio,omitempty"`
	Price        string  `json:"price,omitempty"`
	Currency     string  `json:"price_currency,omitempty"`
	PriceDate    *string `json:"price_date,omitempty"`
	PriceSource  string  `json:"price_source,omitempty"`
	Held         *string `json:"qty_after,omitempty"`
	Cost         *string `json:"cost,omitempty"`
	CostCurrency string  `json:"cost_currency,omitempty"`
}

func explanationOf(e *report.Explanation) explanationJSON {
	out := explanationJSON{Figure: e.Figure, Date: e.Date.String(), Currency: e.Currency, TotalCents: e.Minor,
		SumOfPartsCents: e.Sum(),
		Parts:           partsOf(e.Parts), Entries: partsOf(e.Entries), Unconverted: []unconvertedJSON{},
		StaleRates: staleRatesJSON(e.Stale)}
	if e.Account != nil {
		out.Account = &e.Account.Name
	}
	if e.Security != nil {
		out.Security = &e.Security.Ticker
	}
	if e.From != nil {
		out.FromDate, out.FromCents = new(e.From.Date.String()), &e.From.Minor
	}
	for _, gap := range e.Unconverted {
		out.Unconverted = append(out.Unconverted, unconvertedJSON{gap.Currency, gap.Minor, gap.Reason()})
	}
	return out
}

func partsOf(parts []report.Part) []partJSON {
	out := make([]partJSON, len(parts))
	for i := range parts {
		out[i] = onePart(&parts[i])
	}
	return out
}

func onePart(p *report.Part) partJSON {
	out := partJSON{Kind: p.Kind, Name: p.Name, Count: p.Count, AmountCents: p.Minor, Date: dayText(p.Date),
		unitsJSON: unitsOf(p.Units)}
	if p.ID != uuid.Nil {
		out.ID = new(p.ID.String())
	}
	if p.Account != nil {
		out.Account = p.Account.Name
	}
	if p.Security != nil {
		out.Security = p.Security.Ticker
	}
	if p.Cash != nil {
		out.CashCurrency, out.CashCents = p.Cash.Currency, &p.Cash.Minor
	}
	if p.Original != nil {
		out.Currency, out.OriginalCents = p.Original.Currency, &p.Original.Minor
		for _, r := range p.Original.Rates {
			out.Rates = append(out.Rates, rateUsed{r.From, r.To, r.Date.String(), r.Rate.String(), r.Stale})
		}
	}
	return out
}

func unitsOf(u *position.Units) *unitsJSON {
	if u == nil {
		return nil
	}
	out := &unitsJSON{Ratio: u.Ratio, PriceDate: dayText(u.PriceDate), PriceSource: u.PriceSource,
		Held: decimalText(u.Held), Cost: decimalText(u.Cost), CostCurrency: u.CostIn}
	if u.Ratio == "" {
		out.Quantity, out.Price, out.Currency = u.Quantity.String(), u.Price.String(), u.Currency
	}
	return out
}

func dayText(day ledger.Opt[ledger.Date]) *string {
	if !day.Has() {
		return nil
	}
	return new(day.Value.String())
}

func decimalText(d *decimal.Decimal) *string {
	if d == nil {
		return nil
	}
	return new(d.String())
}
