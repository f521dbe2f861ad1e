package cmd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/output"
	"finsvc/cmd/reconcile"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/books"
	exportpkg "finsvc/ledger/export"
	"finsvc/ledger/money"
)

func newExport(a *app) *cobra.Command {
	return shell.Group("export", "Write a household's books for other programs", newExportCSV(a), newExportBackup(a),
		newExportHledger(a), newExportBeancount(a))
}

// exportFlags are what a command line says about where to write.
type exportFlags struct {
	household, output string
	force, verify     bool
}

func (f *exportFlags) add(c *cobra.Command) {
	shell.HouseholdFlag(c, &f.household)
	c.Flags().StringVarP(&f.output, "output", "o", "", "`FILE` to write instead of standard output; it appears when it is whole")
	c.Flags().BoolVar(&f.force, "force", false, "replace a file that is there already")
	c.Flags().BoolVar(&f.verify, "verify", false, "read the text back, add up all balances from it alone, and keep it only if they are those of the books")
}

// export is how a household is written and how that is added up once more.
type export struct {
	write func(ctx context.Context, s *exportpkg.Snapshot, w io.Writer) (what string, err error)
	read  func(ctx context.Context, s *exportpkg.Snapshot, text *io.SectionReader) (*reconcile.Books, error)
}

// writeExport writes a household in one view of the data, to a file or to standard output.
func writeExport(a *app, c *cobra.Command, f exportFlags, e export) error {
	return inSnapshot(c, a, f.household, func(ctx context.Context, s *exportpkg.Snapshot) error {
		what, outcome := "", reconcile.Outcome{}
		err := output.WriteVerified(&a.Terminal, f.output, f.force, f.verify, func(w io.Writer) (err error) {
			what, err = e.write(ctx, s, w)
			return err
		}, func(text *io.SectionReader) (err error) {
			outcome, err = e.verify(ctx, s, text)
			return err
		})
		if err == nil {
			sayExported(a, f, what, outcome)
		}
		return err
	})
}

func inSnapshot(c *cobra.Command, a *app, household string, work func(context.Context,
	*exportpkg.Snapshot) error) error {
	return a.inHousehold(c, household, func(l *books.Books, who ledger.Actor) error { return l.Exports.Snapshot(c.Context(), who, work) })
}

func sayExported(a *app, f exportFlags, what string, outcome reconcile.Outcome) {
	if f.output != "" {
		a.Say("Wrote %s to %s.", what, f.output)
	}
	if f.verify {
		a.Say("Verified: %s.", outcome)
	}
}

func (e export) verify(ctx context.Context, s *exportpkg.Snapshot, text *io.SectionReader) (reconcile.Outcome, error) {
	r, err := e.read(ctx, s, text)
	if err != nil {
		return reconcile.Outcome{}, err
	}
	outcome, err := r.Compare(ctx, s)
	return outcome, errors.Join(err, outcome.Err())
}

func newExportCSV(a *app) *cobra.Command {
	var f exportFlags
	var table string
	c := &cobra.Command{
		Use: "csv", Short: "Write tables for a spreadsheet", Args: cobra.NoArgs,
		Long: "Write the whole household as tables in CSV: a zip file of them, a folder where the name ends in a slash, or with\n" +
			"--table one of them. Money into the account is positive, and what is owed is negative. A text that a spreadsheet\n" +
			"would take for a formula has an apostrophe in front, which an import takes off again. transactions.csv can be\n" +
			"imported: its rows are known by their ids.\n\nThe tables: " +
			strings.Replace(strings.Join(exportpkg.TableNames(), ", "), "valuations, ", "valuations,\n", 1) + ".",
		Example: "  finsvc export csv -o books.zip --verify\n" +
			"  finsvc export csv -o books/\n" +
			"  finsvc export csv --table transactions > transactions.csv",
		RunE: func(c *cobra.Command, _ []string) error {
			switch folder := strings.HasSuffix(f.output, "/") ||
				strings.HasSuffix(f.output, string(filepath.Separator)); {
			case table != "" && (f.verify || folder):
				return exit.Usagef("--table writes one table to a file, and balances need several; leave out --table, or --verify and the folder")
			case table != "":
				return writeExport(a, c, f, export{write: oneTable(table)})
			case f.output == "":
				return exit.Usagef("name a zip file with -o FILE, a folder with -o FOLDER/, or one table with --table")
			case folder:
				return exportFolder(a, c, f)
			}
			write := func(ctx context.Context, s *exportpkg.Snapshot, w io.Writer) (string, error) {
				rows, err := s.Zip(ctx, w, a.now())
				return inTables(rows), err
			}
			return writeExport(a, c, f, export{write: write, read: reconcile.UnzipTables})
		},
	}
	f.add(c)
	c.Flags().StringVar(&table, "table", "", "write only the table `NAME`")
	return c
}

func oneTable(name string) func(context.Context, *exportpkg.Snapshot, io.Writer) (string, error) {
	return func(ctx context.Context, s *exportpkg.Snapshot, w io.Writer) (string, error) {
		rows, err := s.Table(ctx, name, w)
		return term.Count(rows, "row"), err
	}
}

// inTables says how many rows all tables have.
func inTables(rows int64) string {
	return fmt.Sprintf("%s in %d tables", term.Count(rows, "row"), len(exportpkg.TableNames()))
}

// exportFolder writes the tables into a folder. They are written beside it and put there when they are whole.
func exportFolder(a *app, c *cobra.Command, f exportFlags) error {
	target := filepath.Clean(f.output)
	if _, err := os.Lstat(target); !errors.Is(err, fs.ErrNotExist) && !f.force {
		return errors.Join(err, ledger.NewConflict("%s is there already; replace its tables with --force, or choose another name", target))
	}
	return inSnapshot(c, a, f.household, func(ctx context.Context, s *exportpkg.Snapshot) error {
		folder, err := os.MkdirTemp(filepath.Dir(target), "."+filepath.Base(target)+".*")
		if err != nil {
			return db.CannotWrite(target, err)
		}
		defer os.RemoveAll(folder) // what is left of it
		rows, err := s.Tables(ctx, func(name string, fill func(io.Writer) error) error {
			return output.Write(&a.Terminal, filepath.Join(folder, name), false, fill)
		})
		if err != nil {
			return db.CannotWrite(target, err)
		}
		outcome := reconcile.Outcome{}
		if f.verify {
			e := export{read: func(context.Context, *exportpkg.Snapshot, *io.SectionReader) (*reconcile.Books, error) {
				return reconcile.ReadTables(os.DirFS(folder))
			}}
			outcome, err = e.verify(ctx, s, nil)
			if err != nil {
				return err
			}
		}
		if err := moveTables(folder, target); err != nil {
			return err
		}
		sayExported(a, f, inTables(rows), outcome)
		return nil
	})
}

// moveTables puts a folder in its place, or its files into the folder that is there.
func moveTables(folder, target string) error {
	if _, err := os.Lstat(target); errors.Is(err, fs.ErrNotExist) {
		return os.Rename(folder, target)
	}
	for _, name := range exportpkg.TableNames() {
		if err := os.Rename(filepath.Join(folder, name+".csv"), filepath.Join(target, name+".csv")); err != nil {
			return err
		}
	}
	return nil
}

func newExportBackup(a *app) *cobra.Command {
	var f exportFlags
	var canonical bool
	c := &cobra.Command{
		Use: "ndjson", Short: "Write a household as lines of JSON that can be imported again", Args: cobra.NoArgs,
		Long: "Write the whole household as lines of JSON, one record each. The type of import ServiceImport reads them back\n" +
			"without loss. Exchange rates belong to no household and are not among them. For a copy of the whole file, with\n" +
			"keys, chats and imports, make a backup.\n\n" +
			"With --canonical ids are numbers in the order in which they are first named, and instants are left out: then\n" +
			"the same books always give the same bytes, whatever file they lie in, and two texts can be compared.",
		Example: "  finsvc export ndjson -o home.ndjson --verify\n" +
			"  finsvc import home.ndjson --type ServiceImport --data other.db\n" +
			"  finsvc export ndjson --canonical | sha256sum",
		RunE: func(c *cobra.Command, _ []string) error {
			if canonical && f.verify {
				return exit.Usagef("--canonical has no ids by which accounts could be found again; verify the text without it")
			}
			return writeExport(a, c, f, export{
				write: func(ctx context.Context, s *exportpkg.Snapshot, w io.Writer) (string, error) {
					write := s.Backup
					if canonical {
						write = s.CanonicalBackup
					}
					n, err := write(ctx, w)
					return term.Count(n, "record"), err
				},
				read: func(ctx context.Context, s *exportpkg.Snapshot, text *io.SectionReader) (*reconcile.Books,
					error) {
					rates, err := s.Rates(ctx)
					if err != nil {
						return nil, err
					}
					return reconcile.ReadRecords(text, rates)
				},
			})
		},
	}
	f.add(c)
	c.Flags().BoolVar(&canonical, "canonical", false, "number the ids and leave out instants, so that the same books give the same bytes")
	return c
}

func newExportHledger(a *app) *cobra.Command {
	return newExportJournal(a, journalExport{(*exportpkg.Snapshot).Journal, reconcile.ReadHledger}, &cobra.Command{
		Use: "hledger", Short: "Write a plain-text journal for hledger",
		Long: "Write the whole household as a plain-text journal that hledger reads, from version 1.25 on: accounts,\n" +
			"currencies, securities, prices, exchange rates, transactions, transfers, trades, splits and valuations. Its\n" +
			"balances are those of finsvc, for every account, currency and day.",
		Example: "  finsvc export hledger -o books.journal --verify && hledger -f books.journal balance\n" +
			"  finsvc export hledger | hledger -f - balance assets liabilities --value=end,EUR",
	})
}

func newExportBeancount(a *app) *cobra.Command {
	return newExportJournal(a, journalExport{(*exportpkg.Snapshot).Beancount, reconcile.ReadBeancount}, &cobra.Command{
		Use: "beancount", Short: "Write a plain-text journal for Beancount",
		Long: "Write the whole household as a plain-text journal that Beancount 2 and 3 read, with a balance assertion after\n" +
			"every valuation and, for every account, on the last day. Its balances are those of finsvc, for every account,\n" +
			"currency and day. Purchases and sales have prices and no lots.",
		Example: "  finsvc export beancount -o books.beancount --verify && bean-check books.beancount",
	})
}

// journalExport is a form of journal: how it is written and read back.
type journalExport struct {
	write func(*exportpkg.Snapshot, context.Context, io.Writer) (exportpkg.JournalCounts, error)
	read  func(io.Reader, map[string]money.Currency) (*reconcile.Books, error)
}

func newExportJournal(a *app, form journalExport, c *cobra.Command) *cobra.Command {
	var f exportFlags
	c.Args = cobra.NoArgs
	c.RunE = func(c *cobra.Command, _ []string) error {
		return writeExport(a, c, f, export{
			write: func(ctx context.Context, s *exportpkg.Snapshot, w io.Writer) (string, error) {
				n, err := form.write(s, ctx, w)
				return fmt.Sprintf("%s, %s, %s and %s", term.Count(n.Transactions, "transaction"),
					term.Count(n.Trades, "trade"),
					term.Count(n.Valuations, "valuation"), term.Count(n.Splits, "split")), err
			},
			read: func(ctx context.Context, s *exportpkg.Snapshot, text *io.SectionReader) (*reconcile.Books, error) {
				currencies, err := reconcile.AccountCurrencies(ctx, s)
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
