package cmd

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/importing"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/importer"
	"finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/books"
)

// importFlags are what a command line says about the files it imports.
type importFlags struct {
	importing.Options
	household, kind string
	set             []string
}

func newImport(a *app) *cobra.Command {
	var f importFlags
	c := &cobra.Command{
		Use: "import FILE...", Short: "Import files of a bank, list what was imported, take it back",
		Long: "Read files, show what importing them would do, and import them.\n\n" +
			"How a file is read is found out from its content and shown with the reason; what nothing in it proves\n" +
			"is asked, and --set answers. - reads standard input. On a terminal you are asked before anything is\n" +
			"written; elsewhere say --yes or --dry-run. A file is imported as a whole or not at all.\n\n" +
			"Amounts: money into the account is positive. Where a file has it the other way round, give\n" +
			"--set signage_convention=inflows_negative. The id of each import is printed on standard output.\n\nMore: finsvc help importing",
		Example: "  finsvc import october.csv --account Giro\n" +
			"  finsvc import *.csv --account Giro --set date_format=%d/%m/%Y --set signage_convention=inflows_negative",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return exit.Usagef("name the files to import, or one of: list, show, publish, rule, revert, cancel, delete")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			f := &f
			in := importer.Request{Type: f.kind, SkipInvalidRows: f.SkipInvalid, Duplicates: f.Duplicates}
			members := in.Settings.Members()
			for _, entry := range f.set {
				name, value, found := strings.Cut(entry, "=")
				member, known := members[name]
				if !found || !known {
					return exit.Usagef("--set needs NAME=VALUE, got %s; the names are %s", ledger.Quote(entry),
						strings.Join(slices.Sorted(maps.Keys(members)), ", "))
				}
				*member = &value
			}
			err := in.Resolved().Settings.Check().Err()
			if err != nil {
				return err
			}
			if !f.Yes && !f.DryRun && !f.Later && !a.CanAsk(args...) {
				return exit.Usagef("nobody can be asked here: say --yes to import, or --dry-run to see what would happen")
			}
			return withImporter(c, a, f.household, func(j *importing.Job) error {
				j.Options, j.Request = f.Options, in
				if err := j.ChooseAccount(c.Context()); err != nil {
					return err
				}
				return j.ImportAll(c.Context(), args)
			})
		},
	}
	flags := c.Flags()
	shell.HouseholdFlag(c, &f.household)
	flags.StringVar(&f.kind, "type", "", "`TYPE` of the files (default: by the name's ending, .pdf, .qif, .ndjson and .zip, else "+record.TransactionImport+")")
	flags.StringVar(&f.Account, "account", "", "`NAME` or id of the account, where the files do not name accounts themselves")
	flags.StringArrayVar(&f.set, "set", nil, "`NAME=VALUE`: how to read the files, such as date_format=%d.%m.%Y; may be repeated")
	flags.BoolVar(&f.DryRun, "dry-run", false, "only show what would happen")
	flags.BoolVar(&f.Later, "later", false, "keep the file as a pending import, to be published later")
	flags.BoolVar(&f.Yes, "yes", false, "do not ask")
	flags.StringVar(&f.Duplicates, "duplicates", "", "rows that may be there already: `hold` them back, book them (new), or take them for what is there (same); without it you are asked, and with --yes they are held back")
	flags.BoolVar(&f.SkipInvalid, "skip-invalid", false, "leave out rows that cannot be imported, instead of refusing the file")
	flags.BoolVar(&f.JSONLine, "json", false, "print JSON lines: preflight, row_error, progress, summary")
	c.AddCommand(newImportList(a), newImportShow(a), newImportPublish(a), newImportRule(a), newImportRevert(a),
		newImportCancel(a), newImportDelete(a))
	return c
}

// withImporter opens the database file and chooses the household, for commands about imports.
func withImporter(c *cobra.Command, a *app, household string, do func(j *importing.Job) error) error {
	limitMemory(a.env)
	return a.withDatabase(c.Context(), func(database *db.DB, books *books.Books) error {
		home, err := chooseHousehold(c.Context(), books, household)
		if err != nil {
			return err
		}
		j, err := importing.NewJob(&a.Terminal, newImporter(a, database, books), books, home)
		if err != nil {
			return err
		}
		j.OnSameFile = a.onSameFile
		return do(j)
	})
}

func newImporter(a *app, database *db.DB, books *books.Books) *importer.Importer {
	return importer.New(importer.Options{DB: database, Ledger: books, Logger: a.warnings(), Now: a.now,
		Max: int64(a.config.ImportMax), PDFText: pdfReader()})
}

func newImportList(a *app) *cobra.Command {
	var household string
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List the imports, newest first", Args: cobra.NoArgs,
		Example: "  finsvc import list",
		RunE: func(c *cobra.Command, _ []string) error {
			return withImporter(c, a, household, func(j *importing.Job) error { return j.List(c.Context(), asJSON) })
		},
	}
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
	return c
}

func newImportShow(a *app) *cobra.Command {
	var household string
	var asJSON, rows bool
	c := &cobra.Command{
		Use: "show ID", Short: "Show an import and, with --rows, what became of its rows", Args: cobra.ExactArgs(1),
		Example: "  finsvc import show 01a1fd73-afbb-7cb2-b7d0-0edff84a5395 --rows",
		RunE: func(c *cobra.Command, args []string) error {
			id, ok := ledger.ParseID(args[0])
			if !ok {
				return exit.Usagef("%s is not the id of an import; see: finsvc import list", ledger.Quote(args[0]))
			}
			return withImporter(c, a, household, func(j *importing.Job) error {
				return j.ShowImport(c.Context(), id,
					rows, asJSON)
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
	c.Flags().BoolVar(&rows, "rows", false, "list every row")
	return c
}

func newImportPublish(a *app) *cobra.Command {
	var household, plan, duplicates string
	var skipInvalid, yes, jsonLine bool
	c := &cobra.Command{
		Use: "publish ID", Short: "Book an import that is pending or failed", Args: cobra.ExactArgs(1),
		Long: "Book an import that was kept with --later, reverted or refused. With --plan it is booked only if that still does\n" +
			"what was shown, else nothing is.",
		Example: "  finsvc import publish 01a1fd73-afbb-7cb2-b7d0-0edff84a5395\n" +
			"  finsvc import publish 01a1fd73-afbb-7cb2-b7d0-0edff84a5395 --skip-invalid --yes",
		RunE: func(c *cobra.Command, args []string) error {
			return onImport(c, a, household, args[0], yes, "Publish", func(j *importing.Job, id uuid.UUID) error {
				j.Options.JSONLine = jsonLine
				if _, err := j.Importer.Publish(c.Context(), j.Who, id,
					importer.Publication{SkipInvalidRows: skipInvalid, Plan: plan,
						Duplicates: duplicates}); err != nil {
					return err
				}
				imp, err := j.Settle(c.Context(), id)
				if err != nil {
					return err
				}
				return j.Report(imp, &importer.Preflight{})
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	c.Flags().StringVar(&plan, "plan", "", "`PLAN` that was shown")
	c.Flags().StringVar(&duplicates, "duplicates", "", "rows that may be there already: `hold` them back (so it is without this), book them (new), or take them for what is there (same)")
	c.Flags().BoolVar(&skipInvalid, "skip-invalid", false, "leave out rows that cannot be imported")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	c.Flags().BoolVar(&jsonLine, "json", false, "print JSON lines: progress, summary")
	return c
}

func newImportRule(a *app) *cobra.Command {
	var household, all string
	c := &cobra.Command{
		Use: "rule ID ROW RULING", Short: "Say whether rows are what is booked already",
		Long: "Say of a row that may be booked already that it is the transaction which was found for it (same), or that it is none\n" +
			"that is booked (new), or take back what was said of a row of a pending import (open). It holds for every file that has\n" +
			"the row. Rows of a finished import that were held back are booked at once, or left out for good. --all says the same\n" +
			"of all such rows of the import.\n\n" +
			"See the rows with: finsvc import show ID --rows",
		Example: "  finsvc import rule 01a1fd73-afbb-7cb2-b7d0-0edff84a5395 12 same\n" +
			"  finsvc import rule 01a1fd73-afbb-7cb2-b7d0-0edff84a5395 --all new",
		Args: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("all") && len(args) != 1 || !c.Flags().Changed("all") && len(args) != 3 {
				return exit.Usagef("give ID ROW RULING, or ID --all RULING")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if c.Flags().Changed("all") {
				return onImport(c, a, household, args[0], true, "",
					func(j *importing.Job, id uuid.UUID) error { return j.DecideAll(c.Context(), id, all) })
			}
			number, err := strconv.ParseInt(args[1], 10, 64)
			if err != nil || number < 1 {
				return exit.Usagef("ROW must be the number of a row, from 1, got %s", ledger.Quote(args[1]))
			}
			decision := args[2]
			if decision == "open" {
				decision = ""
			}
			return onImport(c, a, household, args[0], true, "", func(j *importing.Job, id uuid.UUID) error {
				row, err := j.Importer.Decide(c.Context(), j.Who, id, number, decision)
				if err != nil {
					return err
				}
				imp, err := j.Importer.Get(c.Context(), j.Who, id)
				if err == nil {
					j.Say("Row %d, %s, is now: %s", row.Number, ledger.Quote(row.Name), row.Fate(imp.Status))
				}
				return err
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	c.Flags().StringVar(&all, "all", "", "`RULING`, same or new, of all rows that may be booked already")
	return c
}

func newImportRevert(a *app) *cobra.Command {
	var household string
	var force, yes bool
	c := &cobra.Command{
		Use: "revert ID", Short: "Take back what an import booked", Args: cobra.ExactArgs(1),
		Long: "Take back what an import booked: its transactions, and the accounts, categories and tags that it created\n" +
			"and nothing else uses. The import is pending again. Transactions that were changed after the import are\n" +
			"listed and keep it from being reverted, unless you say --force: then they go, too.",
		Example: "  finsvc import revert 01a1fd73-afbb-7cb2-b7d0-0edff84a5395",
		RunE: func(c *cobra.Command, args []string) error {
			return onImport(c, a, household, args[0], yes, "Revert",
				func(j *importing.Job, id uuid.UUID) error { return j.Revert(c.Context(), id, force) })
		},
	}
	shell.HouseholdFlag(c, &household)
	c.Flags().BoolVar(&force, "force", false, "remove transactions that were changed after the import, too")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

func newImportDelete(a *app) *cobra.Command {
	var household string
	var yes bool
	c := &cobra.Command{
		Use: "delete ID", Short: "Remove an import that is pending or failed, with its file", Args: cobra.ExactArgs(1),
		Example: "  finsvc import delete 01a1fd73-afbb-7cb2-b7d0-0edff84a5395 --yes",
		RunE: func(c *cobra.Command, args []string) error {
			return onImport(c, a, household, args[0], yes, "Delete", func(j *importing.Job, id uuid.UUID) error {
				err := j.Importer.Delete(c.Context(), j.Who, id)
				if err == nil {
					j.Say("Deleted import %s and its file.", id)
				}
				return err
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

func newImportCancel(a *app) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: "cancel ID", Short: "Give up an import that is importing", Args: cobra.ExactArgs(1),
		Long: "Give up an import that is being published, or waits for that: what was written is taken back, nothing is\n" +
			"booked, and the import is pending again.",
		Example: "  finsvc import cancel 01a1fd73-afbb-7cb2-b7d0-0edff84a5395",
		RunE: func(c *cobra.Command, args []string) error {
			id, ok := ledger.ParseID(args[0])
			if !ok {
				return exit.Usagef("%s is not the id of an import; see: finsvc import list", ledger.Quote(args[0]))
			}
			return withImporter(c, a, household, func(j *importing.Job) error { return j.Cancel(c.Context(), id) })
		},
	}
	shell.HouseholdFlag(c, &household)
	return c
}

// onImport does something to one import; it asks before, unless yes is set.
func onImport(c *cobra.Command, a *app, household, text string, yes bool, verb string,
	do func(j *importing.Job, id uuid.UUID) error) error {
	id, ok := ledger.ParseID(text)
	if !ok {
		return exit.Usagef("%s is not the id of an import; see: finsvc import list", ledger.Quote(text))
	}
	if !yes && !a.CanAsk() {
		return exit.Usagef("nobody can be asked here: say --yes")
	}
	return withImporter(c, a, household, func(j *importing.Job) error {
		j.Options.Yes = yes
		imp, err := j.Importer.Get(c.Context(), j.Who, id)
		if err != nil {
			return err
		}
		if !yes {
			agreed, err := a.Confirm(c.Context(), fmt.Sprintf("%s the import of %s, %s?", verb,
				term.Dash(importing.OrBlank(imp.FileName)), term.Count(imp.ValidRowsCount, "row")))
			if err != nil || !agreed {
				return err
			}
		}
		return do(j, id)
	})
}
