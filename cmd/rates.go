package cmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/importer/feed"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/fx"
)

func newRates(a *app) *cobra.Command {
	return shell.Group("rates", "Import, list and look up exchange rates", newRatesImport(a), newRatesList(a),
		newRatesFetch(a))
}

func newRatesImport(a *app) *cobra.Command {
	return &cobra.Command{
		Use: "import FILE", Short: "Import a file of exchange rates", Args: cobra.ExactArgs(1),
		Long: "Read exchange rates from a file and keep them; - reads standard input. Nothing is downloaded.\n\n" +
			"The file is CSV with the header date,from,to,rate (one unit of from is worth rate units of to), or a\n" +
			"file of the European Central Bank's reference rates (eurofxref.csv, eurofxref-hist.csv or .xml); each of\n" +
			"them may be in a zip file. A file is imported as a whole or not at all. A rate that is there already is\n" +
			"replaced.",
		Example: "  finsvc rates import eurofxref-hist.zip",
		RunE: func(c *cobra.Command, args []string) error {
			content, err := readTable(a, args[0])
			if err != nil {
				return err
			}
			file, err := fx.ParseRates(content)
			if err != nil {
				return err
			}
			return a.withLedger(c.Context(), func(l *books.Books) error { return putRates(c.Context(), a, l, file) })
		},
	}
}

// putRates keeps the rates of a file and says what became of them.
func putRates(ctx context.Context, a *app, l *books.Books, file fx.RateFile) error {
	done, err := l.Rates.ImportRates(ctx, file)
	if err == nil {
		a.Say("Exchange rates: %d added, %d replaced, %d were there already.", done.Added, done.Replaced,
			done.Unchanged)
		if len(file.Unknown) > 0 {
			a.Say("Left out, as no account can be in them: %s.", strings.Join(file.Unknown, ", "))
		}
	}
	return err
}

// staleJSON is an exchange rate that counts though it is old.
type staleJSON struct {
	From     string `json:"from"`
	To       string `json:"to"`
	Date     string `json:"date"`
	RateDate string `json:"rate_date"`
	DaysOld  int64  `json:"days_old"`
	Stale    bool   `json:"stale"`
}

func staleRatesJSON(list []fx.StaleRate) []staleJSON {
	out := []staleJSON{}
	for _, s := range list {
		out = append(out, staleJSON{s.From, s.To, s.Date.String(), s.RateDate.String(), s.Days(), true})
	}
	return out
}

// rateJSON sums up the rates of a pair in JSON. A rate is a decimal in text. Days old is how old the newest is today;
// it is stale when it is told wherever it is used.
type rateJSON struct {
	From       string `json:"from"`
	To         string `json:"to"`
	Count      int64  `json:"count"`
	FirstDate  string `json:"first_date"`
	LastDate   string `json:"last_date"`
	NewestRate string `json:"newest_rate"`
	DaysOld    int64  `json:"days_old"`
	Stale      bool   `json:"stale"`
}

func newRatesList(a *app) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List the pairs of currencies that have rates, with the newest", Args: cobra.NoArgs,
		Example: "  finsvc rates list",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.withLedger(c.Context(), func(l *books.Books) error {
				spans, err := l.Rates.ListRates(c.Context())
				if err != nil {
					return err
				}
				if asJSON {
					rows := []rateJSON{}
					for _, s := range spans {
						rows = append(rows, rateJSON{s.From, s.To, s.Count, s.First.String(), s.Last.String(), s.Newest,
							s.DaysOld,
							s.Stale()})
					}
					return a.PrintJSON(rows)
				}
				for _, s := range spans {
					if s.Stale() {
						a.Say("%s to %s: the newest rate is of %s, %s old. It counts, and is told wherever it is used.",
							s.From,
							s.To, s.Last, term.Count(s.DaysOld, "day"))
					}
				}
				return term.PrintTable(&a.Terminal, term.Columns("from", "to", "#rates", "first", "last", "#newest"),
					spans,
					func(s fx.RateSpan) []string {
						return []string{s.From, s.To, fmt.Sprint(s.Count), s.First.String(), s.Last.String(), s.Newest}
					})
			})
		},
	}
	shell.JSONFlag(c, &asJSON)
	return c
}

// firstPublished is the year in which the European Central Bank began to publish rates.
const firstPublished = 1999

func newRatesFetch(a *app) *cobra.Command {
	var from string
	c := &cobra.Command{
		Use: "fetch", Short: "Look up the exchange rates that are missing", Args: cobra.NoArgs,
		Long: "Ask the source that is set for exchange rates, and keep them as rates import would: CSV with the header\n" +
			"date,from,to,rate, or a file of the European Central Bank. Where the address has {from} and {to}, they are the\n" +
			"day after the newest rate that is there, or the one of --from, and today. Nothing is asked without a source.",
		Example: "  finsvc rates fetch --rates-url https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip\n" +
			"  finsvc rates fetch --rates-url 'https://rates.example/eur.csv?from={from}&to={to}' --from 2026-01-01",
		RunE: func(c *cobra.Command, _ []string) error {
			if !a.config.RatesURL.IsSet() {
				return exit.Usagef("no source of exchange rates is set: give --rates-url or $FINSVC_RATES_URL, such as https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist.zip")
			}
			var problems ledger.Problems
			first := shell.Parsed(c, &problems, "from", from, ledger.ParseDate)
			if err := problems.Err(); err != nil {
				return err
			}
			return a.withLedger(c.Context(), func(l *books.Books) error {
				// Ask for the rates from a day, or since the newest that is there, up to today.
				ctx := c.Context()
				today := ledger.DateOf(a.now().UTC())
				from := first.Value
				if !first.Has() {
					spans, err := l.Rates.ListRates(ctx)
					if err != nil {
						return err
					}
					from = ledger.NewDate(firstPublished, 1, 1)
					for _, s := range spans {
						from = max(from, min(s.Last.AddDays(1), today))
					}
				}
				if from > today {
					return ledger.NewInvalid("from", "must not be after today, %s, got %s", today, from)
				}
				file, err := feed.FetchRates(ctx, a.config.RatesURL, from, today)
				if err != nil {
					return err
				}
				return putRates(ctx, a, l, file)
			})
		},
	}
	c.Flags().StringVar(&from, "from", "", fmt.Sprintf("first `DAY` to ask for (default: the day after the newest rate, else %d-01-01)", firstPublished))
	a.config.AddFlags(c.Flags(), "rates-url")
	return c
}
