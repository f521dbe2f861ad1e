package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/importer/feed"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/fx"
	"finsvc/ledger/market"
)

func newPrices(a *app) *cobra.Command {
	return shell.Group("prices", "Import, list and look up prices of securities", newPricesImport(a), newPricesList(a),
		newPricesFetch(a))
}

func newPricesImport(a *app) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: "import FILE", Short: "Import a file of prices of securities", Args: cobra.ExactArgs(1),
		Long: "Read prices from a file and keep them; - reads standard input. Nothing is downloaded.\n\n" +
			"The file is CSV with the columns date, ticker, price and currency in any order, parted by commas,\n" +
			"semicolons or tabs; it may be in a zip file. A ticker is SYMBOL or SYMBOL|MIC, or the market is in a\n" +
			"column mic. A file is imported as a whole or not at all, but for tickers that the household does not\n" +
			"have: these are listed and left out, and the exit status is then 3. A price that is there already is\n" +
			"replaced.",
		Example: "  finsvc prices import prices.csv",
		RunE: func(c *cobra.Command, args []string) error {
			content, err := readTable(a, args[0])
			if err != nil {
				return err
			}
			file, err := market.ParsePrices(content)
			if err != nil {
				return err
			}
			return a.inHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				done, err := l.Market.ImportPrices(c.Context(), who, file)
				if err != nil {
					return err
				}
				a.Say("Prices: %d added, %d replaced, %d were there already.", done.Added, done.Replaced,
					done.Unchanged)
				for _, t := range done.LeftOut {
					a.Say("Left out, prices of %s: %d; ticker %s", t.Ticker, t.Prices, t.Reason)
				}
				if len(done.LeftOut) > 0 {
					return exit.ErrRejected
				}
				return nil
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	return c
}

// readTable reads a file of rates or prices, or standard input when its name is -.
func readTable(a *app, name string) ([]byte, error) {
	in := a.Stdin
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = f
	}
	content, err := io.ReadAll(io.LimitReader(in, fx.MaxTableFile+1)) // one more than is taken
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return content, nil
}

// priceJSON sums up the prices of a security in JSON. A price is a decimal in text.
type priceJSON struct {
	Ticker      string  `json:"ticker"`
	MIC         *string `json:"exchange_operating_mic"`
	Name        *string `json:"name"`
	Count       int64   `json:"count"`
	FirstDate   string  `json:"first_date"`
	LastDate    string  `json:"last_date"`
	NewestPrice string  `json:"newest_price"`
	Currency    string  `json:"currency"`
}

func newPricesList(a *app) *cobra.Command {
	var household string
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List the securities that have prices, with the newest", Args: cobra.NoArgs,
		Example: "  finsvc prices list",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.inHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				spans, err := l.Market.ListPriceSpans(c.Context(), who)
				if err != nil {
					return err
				}
				if asJSON {
					rows := []priceJSON{}
					for _, s := range spans {
						rows = append(rows, priceJSON{s.Ticker, textOrNull(s.Mic), s.Name, s.Count, s.First.String(),
							s.Last.String(), s.Newest.Price.String(), s.Newest.Currency})
					}
					return a.PrintJSON(rows)
				}
				return term.PrintTable(&a.Terminal, term.Columns("ticker", "#prices", "first", "last", "#newest",
					"currency"),
					spans, func(s market.PriceSpan) []string {
						return []string{market.TickerOf(&s.Security.Security), fmt.Sprint(s.Count), s.First.String(),
							s.Last.String(),
							s.Newest.Price.String(), s.Newest.Currency}
					})
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
	return c
}

// textOrNull is a text in JSON; null when it is empty.
func textOrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func newPricesFetch(a *app) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: "fetch", Short: "Look up the prices that are missing", Args: cobra.NoArgs,
		Long: "Ask the source that is set for the prices of each security since the newest one that is there, else since\n" +
			"the first trade. Manual securities are never looked up. Nothing is asked without a source.",
		Example: "  finsvc prices fetch --prices-url 'https://prices.example/{ticker}.csv?from={from}&to={to}'",
		RunE: func(c *cobra.Command, _ []string) error {
			if !a.config.PricesURL.IsSet() {
				return exit.Usagef("no source of prices is set: give --prices-url or $FINSVC_PRICES_URL, such as https://prices.example/{ticker}.csv?from={from}&to={to}")
			}
			return a.inHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				var failed []error
				var sum market.PricesPut
				err := l.Market.FetchPrices(c.Context(), who, feed.NewHTTPPrices(a.config.PricesURL),
					func(f market.Fetched) {
						sum.Added, sum.Replaced, sum.Unchanged = sum.Added+f.Added, sum.Replaced+f.Replaced,
							sum.Unchanged+f.Unchanged
						if f.Err != nil {
							a.Say("%s: %s", market.TickerText(f.Ticker, f.MIC), exit.Message(f.Err))
							failed = append(failed, f.Err)
						}
					})
				if err != nil {
					return err
				}
				a.Say("Prices: %d added, %d replaced, %d were there already.", sum.Added, sum.Replaced, sum.Unchanged)
				switch {
				case errors.Is(errors.Join(failed...), market.ErrSourceBusy):
					return errors.New("stopped before the end, as the source wants; run it again later")
				case len(failed) > 0:
					return fmt.Errorf("some prices could not be looked up; securities concerned: %d", len(failed))
				}
				return nil
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	a.config.AddFlags(c.Flags(), "prices-url")
	return c
}
