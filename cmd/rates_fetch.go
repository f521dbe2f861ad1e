package cmd

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/importer/feed"
	"finsvc/ledger"
)

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
			first := parsed(c, &problems, "from", from, ledger.ParseDate)
			if err := problems.Err(); err != nil {
				return err
			}
			return a.withLedger(c.Context(), func(l *ledger.Ledger) error { return fetchRates(c.Context(), a, l, first) })
		},
	}
	c.Flags().StringVar(&from, "from", "", fmt.Sprintf("first `DAY` to ask for (default: the day after the newest rate, else %d-01-01)", firstPublished))
	a.config.addFlags(c.Flags(), "rates-url")
	return c
}

// fetchRates asks for the rates from a day, or since the newest that is there, up to today.
func fetchRates(ctx context.Context, a *app, l *ledger.Ledger, first ledger.Opt[ledger.Date]) error {
	today := ledger.DateOf(a.now().UTC())
	from := first.Value
	if !first.Has() {
		spans, err := l.ListRates(ctx)
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
}
