package cmd

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"finsvc/cmd/term"
	"finsvc/ledger"
)

func newExportHledger(a *app) *cobra.Command {
	return newExportJournal(a, journalExport{(*ledger.Snapshot).Journal, readHledger}, &cobra.Command{
		Use: "hledger", Short: "Write a plain-text journal for hledger",
		Long: "Write the whole household as a plain-text journal that hledger reads, from version 1.25 on: accounts,\n" +
			"currencies, securities, prices, exchange rates, transactions, transfers, trades, splits and valuations. Its\n" +
			"balances are those of finsvc, for every account, currency and day.",
		Example: "  finsvc export hledger -o books.journal --verify && hledger -f books.journal balance\n" +
			"  finsvc export hledger | hledger -f - balance assets liabilities --value=end,EUR",
	})
}

func newExportBeancount(a *app) *cobra.Command {
	return newExportJournal(a, journalExport{(*ledger.Snapshot).Beancount, readBeancount}, &cobra.Command{
		Use: "beancount", Short: "Write a plain-text journal for Beancount",
		Long: "Write the whole household as a plain-text journal that Beancount 2 and 3 read, with a balance assertion after\n" +
			"every valuation and, for every account, on the last day. Its balances are those of finsvc, for every account,\n" +
			"currency and day. Purchases and sales have prices and no lots.",
		Example: "  finsvc export beancount -o books.beancount --verify && bean-check books.beancount",
	})
}

// journalExport is a form of journal: how it is written and read back.
type journalExport struct {
	write func(*ledger.Snapshot, context.Context, io.Writer) (ledger.JournalCounts, error)
	read  func(io.Reader, map[string]ledger.Currency) (*recount, error)
}

func newExportJournal(a *app, form journalExport, c *cobra.Command) *cobra.Command {
	var f exportFlags
	c.Args = cobra.NoArgs
	c.RunE = func(c *cobra.Command, _ []string) error {
		return writeExport(a, c, f, export{
			write: func(ctx context.Context, s *ledger.Snapshot, w io.Writer) (string, error) {
				n, err := form.write(s, ctx, w)
				return fmt.Sprintf("%s, %s, %s and %s", term.Count(n.Transactions, "transaction"), term.Count(n.Trades, "trade"),
					term.Count(n.Valuations, "valuation"), term.Count(n.Splits, "split")), err
			},
			read: func(ctx context.Context, s *ledger.Snapshot, text *io.SectionReader) (*recount, error) {
				currencies, err := accountCurrencies(ctx, s)
				if err != nil {
					return nil, err
				}
				return form.read(text, currencies)
			},
		})
	}
	f.add(c)
	return c
}
