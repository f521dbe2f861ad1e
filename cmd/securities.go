package cmd

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/market"
)

// everyRow is a page that no list outgrows.
func everyRow() ledger.Page { return ledger.Page{Number: 1, Size: 1 << 30} }

func newSecurity(a *app) *cobra.Command {
	return shell.Group("security", "List securities and keep their splits", newSecurityList(a),
		shell.Group("split", "Note, list and delete splits of securities", newSplitAdd(a), newSplitList(a),
			newSplitDelete(a)))
}

// securityJSON is a security in JSON. A price is a decimal in text.
type securityJSON struct {
	ID        string  `json:"id"`
	Ticker    string  `json:"ticker"`
	MIC       *string `json:"exchange_operating_mic"`
	Name      *string `json:"name"`
	Kind      string  `json:"kind"`
	Offline   bool    `json:"offline"`
	Price     *string `json:"price"`
	Currency  *string `json:"currency"`
	PriceDate *string `json:"price_date"`
}

func asSecurityJSON(s market.Security) securityJSON {
	j := securityJSON{ID: uuid.UUID(s.PublicID).String(), Ticker: s.Ticker, MIC: textOrNull(s.Mic), Name: s.Name,
		Kind: s.Kind, Offline: s.Manual == 1}
	if s.Newest != nil {
		j.Price, j.Currency, j.PriceDate = new(s.Newest.Price.String()), &s.Newest.Currency, new(s.Newest.Date.String())
	}
	return j
}

func newSecurityList(a *app) *cobra.Command {
	var household string
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List the securities, with the newest price", Args: cobra.NoArgs,
		Example: "  finsvc security list",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.inHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				list, _, err := l.Market.ListSecurities(c.Context(), who, market.SecurityFilter{}, everyRow())
				if err != nil {
					return err
				}
				if asJSON {
					rows := []securityJSON{}
					for _, s := range list {
						rows = append(rows, asSecurityJSON(s))
					}
					return a.PrintJSON(rows)
				}
				return term.PrintTable(&a.Terminal, term.Columns("ticker", "name", "#price", "currency", "date",
					"looked up", "id"),
					list, func(s market.Security) []string {
						name, price, currency, date, lookedUp := "-", "-", "-", "-", "yes"
						if s.Name != nil {
							name = *s.Name
						}
						if s.Newest != nil {
							price, currency, date = s.Newest.Price.String(), s.Newest.Currency, s.Newest.Date.String()
						}
						if s.Manual == 1 {
							lookedUp = "never"
						}
						return []string{market.TickerOf(&s.Security), name, price, currency, date, lookedUp,
							uuid.UUID(s.PublicID).String()}
					})
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
	return c
}

func newSplitAdd(a *app) *cobra.Command {
	var household, day string
	c := &cobra.Command{
		Use: "add TICKER RATIO", Short: "Note that a security was split", Args: cobra.ExactArgs(2),
		Long:    "Note that one unit of a security became several (2:1), or several became one (1:10). What is held follows at\nonce; trades and prices that are recorded stay as they are.",
		Example: "  finsvc security split add 'ACME|XNAS' 2:1 --date 2026-06-09",
		RunE: func(c *cobra.Command, args []string) error {
			in := market.SplitInput{Security: tickerRef(args[0]), Ratio: ledger.Some(args[1])}
			in.Date = shell.Parsed(c, &in.Problems, "date", day, ledger.ParseDate)
			return a.inHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				split, err := l.Market.CreateSplit(c.Context(), who, in)
				if err == nil {
					a.Say("%s was split %s on %s.", split.Security.Ticker, ratio(split), ledger.Date(split.Date))
				}
				return err
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	splitDateFlag(c, &day)
	return c
}

func splitDateFlag(c *cobra.Command, day *string) {
	c.Flags().StringVar(day, "date", "", "`DAY` of the split, such as 2026-06-09")
	_ = c.MarkFlagRequired("date") // the flag exists
}

func tickerRef(ticker string) market.SecurityName {
	return market.SecurityName{Ticker: ledger.Some(ticker)}
}

// ratio is a split in one word.
func ratio(s market.Split) string { return fmt.Sprintf("%d:%d", s.Numerator, s.Denominator) }

// splitJSON is a split in JSON.
type splitJSON struct {
	ID          string `json:"id"`
	Ticker      string `json:"ticker"`
	Date        string `json:"date"`
	Numerator   int64  `json:"numerator"`
	Denominator int64  `json:"denominator"`
}

func newSplitList(a *app) *cobra.Command {
	var household string
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List the splits, newest first", Args: cobra.NoArgs,
		Example: "  finsvc security split list",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.inHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				list, _, err := l.Market.ListSplits(c.Context(), who, market.SplitFilter{}, everyRow())
				if err != nil {
					return err
				}
				if asJSON {
					rows := []splitJSON{}
					for _, s := range list {
						rows = append(rows, splitJSON{uuid.UUID(s.PublicID).String(), s.Security.Ticker,
							ledger.Date(s.Date).String(), s.Numerator, s.Denominator})
					}
					return a.PrintJSON(rows)
				}
				return term.PrintTable(&a.Terminal, term.Columns("date", "ticker", "#ratio", "id"), list,
					func(s market.Split) []string {
						return []string{ledger.Date(s.Date).String(), s.Security.Ticker, ratio(s),
							uuid.UUID(s.PublicID).String()}
					})
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
	return c
}

func newSplitDelete(a *app) *cobra.Command {
	var household, day string
	c := &cobra.Command{
		Use: "delete TICKER", Short: "Delete the split of a day", Args: cobra.ExactArgs(1),
		Example: "  finsvc security split delete ACME --date 2026-06-09",
		RunE: func(c *cobra.Command, args []string) error {
			date, err := ledger.ParseDate(day)
			if err != nil {
				return exit.Usagef("date %s", err)
			}
			return a.inHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				split, err := splitOf(c.Context(), l, who, args[0], date)
				if err != nil {
					return err
				}
				return l.Market.DeleteSplit(c.Context(), who, uuid.UUID(split.PublicID))
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	splitDateFlag(c, &day)
	return c
}

// splitOf is the split of a security on a day.
func splitOf(ctx context.Context, l *books.Books, who ledger.Actor, ticker string, day ledger.Date) (market.Split,
	error) {
	security, err := l.Market.FindSecurity(ctx, who, tickerRef(ticker))
	if err != nil {
		return market.Split{}, err
	}
	found, _, err := l.Market.ListSplits(ctx, who, market.SplitFilter{SecurityID: ledger.Some(uuid.UUID(security.PublicID)),
		StartDate: ledger.Some(day), EndDate: ledger.Some(day)}, everyRow())
	if err == nil && len(found) == 0 {
		err = ledger.NewNotFound(fmt.Sprintf("Split of %s on %s", market.TickerOf(&security), day))
	}
	if err != nil {
		return market.Split{}, err
	}
	return found[0], nil
}
