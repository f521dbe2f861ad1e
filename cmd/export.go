package cmd

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"finsvc/ledger"
)

func newExport(a *app) *cobra.Command {
	return group("export", "Write a household's books for other programs", newExportHledger(a), newExportBackup(a))
}

// exportFlags are what a command line says about where to write.
type exportFlags struct {
	household, output string
	force             bool
}

func (f *exportFlags) add(c *cobra.Command) {
	householdFlag(c, &f.household)
	c.Flags().StringVarP(&f.output, "output", "o", "", "`FILE` to write instead of standard output; it appears when it is whole")
	c.Flags().BoolVar(&f.force, "force", false, "replace a file that is there already")
}

func newExportHledger(a *app) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use: "hledger", Short: "Write a plain-text journal for hledger", Args: cobra.NoArgs,
		Long: "Write the whole household as a plain-text journal that hledger reads, from version 1.25 on: accounts,\n" +
			"currencies, securities, prices, exchange rates, transactions, transfers, trades, splits and valuations. Its\n" +
			"balances are those of finsvc, for every account, currency and day.",
		Example: "  finsvc export hledger -o books.journal && hledger -f books.journal balance\n" +
			"  finsvc export hledger | hledger -f - balance assets liabilities --value=end,EUR",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.inHousehold(c, f.household, func(l *ledger.Ledger, who ledger.Actor) error {
				return a.writeOut(f.output, f.force, func(w io.Writer) error {
					n, err := l.WriteJournal(c.Context(), who, w)
					if err == nil && f.output != "" {
						a.say("Wrote %s, %s, %s and %s to %s.", count(n.Transactions, "transaction"), count(n.Trades, "trade"),
							count(n.Valuations, "valuation"), count(n.Splits, "split"), f.output)
					}
					return err
				})
			})
		},
	}
	f.add(c)
	return c
}

// writeOut writes to a file or, when its name is empty, to standard output. The file is written beside its
// place and put there when it is whole, so that nobody finds half of it. Only its owner may read it.
func (a *app) writeOut(name string, force bool, write func(io.Writer) error) (err error) {
	if name == "" {
		return write(a.stdout)
	}
	if err := mayWrite(name, force); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Sync(), f.Close())
	if err == nil {
		err = mayWrite(name, force) // another program may have been here meanwhile
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

func mayWrite(name string, force bool) error {
	info, err := os.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return usagef("%s is a directory; name a file", name)
	case !force:
		return ledger.NewConflict("%s is there already; replace it with --force, or choose another name", name)
	}
	return nil
}
