// Package report is the commands that print figures of the household: what it is worth, what it earned and spent, what
// it holds. Whatever a figure leaves out is said beside it.
package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/names"
	"finsvc/ledger/position"
	"finsvc/ledger/report"
)

// Commands are those of all figures.
func Commands(sh shell.Shell) []*cobra.Command {
	return []*cobra.Command{withList(sh, newBalance, "balance", " [DAY]"), withList(sh, newIncome, "income", " [DAYS]"),
		shell.Group("holding", "List what is held", newHoldings(sh))}
}

// leftOut is what a figure leaves out in JSON, in minor units, and why.
type leftOut struct {
	Currency    string `json:"currency"`
	AmountCents int64  `json:"amount_cents"`
	Reason      string `json:"reason"`
}

// balanceJSON is what the household is worth.
type balanceJSON struct {
	Date        string    `json:"date"`
	Currency    string    `json:"currency"`
	NetWorth    int64     `json:"net_worth_cents"`
	Assets      int64     `json:"assets_cents"`
	Liabilities int64     `json:"liabilities_cents"`
	Unconverted []leftOut `json:"unconverted"`
}

// withList has a command that lists without saying so be called like the others as well: finsvc balance list.
func withList(sh shell.Shell, make func(sh shell.Shell, use string) *cobra.Command, name, arguments string) *cobra.Command {
	c, list := make(sh, name+arguments), make(sh, "list"+arguments)
	list.Long, list.Example = "", "  finsvc "+name+" list"
	c.AddCommand(list)
	return c
}

func newBalance(sh shell.Shell, use string) *cobra.Command {
	var household string
	var asJSON bool
	c := &cobra.Command{
		Use: use, Short: "Print what the household is worth", Args: cobra.ArbitraryArgs,
		Long: "Print what the household is worth at the end of a day, today unless it is given, and of what that is made.\n" +
			"What each account is worth today: finsvc account list. What makes up a figure: finsvc explain net-worth",
		Example: "  finsvc balance\n  finsvc balance 2025-12-31",
		RunE: func(c *cobra.Command, args []string) error {
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				day, err := d.Day(cmp.Or(strings.Join(args, " "), "today"))
				if err != nil {
					return err
				}
				sheet, err := d.Books.Reports.BalanceSheet(d.Ctx, d.Who, ledger.Some(day))
				if err != nil {
					return err
				}
				gaps := []leftOut{}
				for _, u := range sheet.Unconverted {
					gaps = append(gaps, leftOut{u.Currency, u.Minor, u.Reason()})
				}
				if asJSON {
					return d.PrintJSON(balanceJSON{sheet.AsOf.String(), sheet.Currency, sheet.NetWorth, sheet.Assets, sheet.Liabilities, gaps})
				}
				tell(d, gaps, sheet.Stale)
				return d.PrintRows(term.Columns("at the end of "+sheet.AsOf.String(), "#amount"), [][]string{
					{"assets", d.Money(sheet.Assets, sheet.Currency)}, {"liabilities", d.Money(-sheet.Liabilities, sheet.Currency)},
					{"net worth", d.Money(sheet.NetWorth, sheet.Currency)}})
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
	return c
}

// tell says what a figure leaves out, and which old rates it is made with.
func tell(d *shell.Desk, gaps []leftOut, stale []fx.StaleRate) {
	for _, g := range gaps {
		d.Say("Left out: %s (%s).", d.Money(g.AmountCents, g.Currency), strings.ReplaceAll(g.Reason, "_", " "))
	}
	for _, s := range stale {
		d.Say("Counted at an old exchange rate: %s.", term.StaleText(s))
	}
}

// incomeJSON is what the household earned and spent.
type incomeJSON struct {
	StartDate   string         `json:"start_date"`
	EndDate     string         `json:"end_date"`
	Currency    string         `json:"currency"`
	Income      int64          `json:"income_cents"`
	Expenses    int64          `json:"expenses_cents"`
	Net         int64          `json:"net_cents"`
	ByCategory  []categoryJSON `json:"by_category"`
	Transfers   int64          `json:"transfers_left_out"`
	Unconverted []leftOut      `json:"unconverted"`
}

type categoryJSON struct {
	Category *string `json:"category"`
	Income   int64   `json:"income_cents"`
	Expenses int64   `json:"expenses_cents"`
	Count    int64   `json:"count"`
}

func newIncome(sh shell.Shell, use string) *cobra.Command {
	var household string
	var accounts []string
	var asJSON bool
	c := &cobra.Command{
		Use: use, Short: "Print what was earned and spent, by category", Args: cobra.ArbitraryArgs,
		Long: "Print what was earned and spent in some days, this month to date unless they are given, by category, the largest\n" +
			"expenses first. Transfers between the household's own accounts are left out.",
		Example: "  finsvc income last month\n  finsvc income 2026 --account Everyday --json",
		RunE: func(c *cobra.Command, args []string) error {
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				var in report.IncomeInput
				var err error
				in.StartDate, in.EndDate, err = d.Days(strings.Join(args, " "))
				if err != nil {
					return err
				}
				in.AccountIDs, err = d.Books.Names.IDs(d.Ctx, d.Who, names.Account, accounts)
				if err != nil {
					return err
				}
				s, err := d.Books.Reports.IncomeStatement(d.Ctx, d.Who, in)
				if err != nil {
					return err
				}
				if asJSON {
					return d.PrintJSON(asIncome(&s))
				}
				return printIncome(d, &s)
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
	c.Flags().StringArrayVar(&accounts, "account", nil, "of this `ACCOUNT` alone, by name or id; may be given several times")
	return c
}

func asIncome(s *report.IncomeStatement) incomeJSON {
	j := incomeJSON{StartDate: s.StartDate.String(), EndDate: s.EndDate.String(), Currency: s.Currency, Income: s.Income, Expenses: s.Expenses,
		Net: s.Net, ByCategory: []categoryJSON{}, Transfers: s.TransfersLeftOut, Unconverted: gapsOf(s)}
	for _, p := range s.ByCategory {
		row := categoryJSON{Income: p.Income, Expenses: p.Expenses, Count: p.Count}
		if p.Category != nil {
			row.Category = &p.Category.Name
		}
		j.ByCategory = append(j.ByCategory, row)
	}
	return j
}

// gapsOf are what a statement leaves out, in the ledger's sign.
func gapsOf(s *report.IncomeStatement) []leftOut {
	gaps := []leftOut{}
	for _, u := range s.Unconverted {
		for _, minor := range []int64{u.Income, -u.Expenses} {
			if minor != 0 {
				gaps = append(gaps, leftOut{u.Currency, minor, u.Reason()})
			}
		}
	}
	return gaps
}

// printIncome prints a statement, its totals in the last line.
func printIncome(d *shell.Desk, s *report.IncomeStatement) error {
	tell(d, gapsOf(s), s.Stale)
	if s.TransfersLeftOut > 0 {
		d.Say("%s left out.", term.Count(s.TransfersLeftOut, "transfer"))
	}
	parts := slices.Clone(s.ByCategory)
	slices.SortStableFunc(parts, func(a, b report.CategoryIncome) int {
		return cmp.Or(cmp.Compare(b.Expenses, a.Expenses), cmp.Compare(b.Income, a.Income))
	})
	var rows [][]string
	for _, p := range parts {
		name := "without a category"
		if p.Category != nil {
			name = p.Category.Name
		}
		rows = append(rows, []string{name, d.Money(p.Income, s.Currency), d.Money(p.Expenses, s.Currency), d.Money(p.Income-p.Expenses, s.Currency),
			fmt.Sprint(p.Count)})
	}
	rows = append(rows, []string{"together", d.Money(s.Income, s.Currency), d.Money(s.Expenses, s.Currency), d.Money(s.Net, s.Currency), ""})
	return d.PrintRows(term.Columns(fmt.Sprintf("%s to %s", s.StartDate, s.EndDate), "#income", "#expenses", "#net", "#count"), rows)
}

// holdingJSON is what is held of a security in an account.
type holdingJSON struct {
	Account   string  `json:"account"`
	Ticker    string  `json:"ticker"`
	Name      *string `json:"name"`
	Quantity  string  `json:"quantity"`
	Price     string  `json:"price"`
	PriceDate string  `json:"price_date"`
	Currency  string  `json:"currency"`
	Value     int64   `json:"value_cents"`
	AvgCost   *string `json:"average_cost"`
	CostIn    string  `json:"cost_currency"`
	ID        string  `json:"id"`
}

func newHoldings(sh shell.Shell) *cobra.Command {
	var household, date string
	var accounts []string
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List what is held, with its price and what it is worth", Args: cobra.NoArgs,
		Example: "  finsvc holding list\n  finsvc holding list --account Broker --date 2025-12-31",
		RunE: func(c *cobra.Command, _ []string) error {
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				day, err := d.Day(cmp.Or(date, "today"))
				if err != nil {
					return err
				}
				f := position.HoldingFilter{Date: ledger.Some(day)}
				f.AccountIDs, err = d.Books.Names.IDs(d.Ctx, d.Who, names.Account, accounts)
				if err != nil {
					return err
				}
				list, _, err := d.Books.Positions.ListHoldings(d.Ctx, d.Who, f, ledger.Everything())
				if err != nil {
					return err
				}
				if asJSON {
					return d.PrintJSON(asHoldings(list))
				}
				return term.PrintTable(d.Terminal, term.Columns("account", "ticker", "name", "#quantity", "#price", "of", "#worth", "#cost each"), list,
					func(h position.Holding) []string {
						cost := "-"
						if h.AvgCost != nil {
							cost = h.AvgCost.String() + " " + h.CostCurrency
						}
						return []string{h.Account.Name, h.Security.Ticker, term.Dash(ledger.OrBlank(h.Security.Name)), h.Quantity.String(),
							h.Price.String() + " " + h.Currency, h.PriceDate.String(), d.Money(h.Minor, h.Currency), cost}
					})
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
	c.Flags().StringVar(&date, "date", "", "at the end of this `DAY` (default: today)")
	c.Flags().StringArrayVar(&accounts, "account", nil, "in this `ACCOUNT` alone, by name or id; may be given several times")
	return c
}

func asHoldings(list []position.Holding) []holdingJSON {
	rows := []holdingJSON{}
	for _, h := range list {
		row := holdingJSON{Account: h.Account.Name, Ticker: h.Security.Ticker, Name: h.Security.Name, Quantity: h.Quantity.String(),
			Price: h.Price.String(), PriceDate: h.PriceDate.String(), Currency: h.Currency, Value: h.Minor, CostIn: h.CostCurrency, ID: h.ID.String()}
		if h.AvgCost != nil {
			row.AvgCost = new(h.AvgCost.String())
		}
		rows = append(rows, row)
	}
	return rows
}
