package cmd

import (
	"context"
	"fmt"
	"strconv"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/importer"
	"finsvc/ledger"
)

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
			return a.onImport(c, household, args[0], yes, "Publish", func(j *importJob, id uuid.UUID) error {
				j.flags.jsonLine = jsonLine
				if _, err := j.im.Publish(c.Context(), j.who, id, importer.Publication{SkipInvalidRows: skipInvalid, Plan: plan, Duplicates: duplicates}); err != nil {
					return err
				}
				imp, err := j.settle(c.Context(), id)
				if err != nil {
					return err
				}
				return j.report(imp, &importer.Outcome{})
			})
		},
	}
	householdFlag(c, &household)
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
				return a.onImport(c, household, args[0], true, "", func(j *importJob, id uuid.UUID) error { return j.ruleAll(c.Context(), id, all) })
			}
			number, err := strconv.ParseInt(args[1], 10, 64)
			if err != nil || number < 1 {
				return exit.Usagef("ROW must be the number of a row, from 1, got %s", ledger.Quote(args[1]))
			}
			ruling := args[2]
			if ruling == "open" {
				ruling = ""
			}
			return a.onImport(c, household, args[0], true, "", func(j *importJob, id uuid.UUID) error {
				row, err := j.im.Rule(c.Context(), j.who, id, number, ruling)
				if err != nil {
					return err
				}
				imp, err := j.im.Get(c.Context(), j.who, id)
				if err == nil {
					j.Say("Row %d, %s, is now: %s", row.Number, ledger.Quote(row.Name), row.Fate(imp.Status))
				}
				return err
			})
		},
	}
	householdFlag(c, &household)
	c.Flags().StringVar(&all, "all", "", "`RULING`, same or new, of all rows that may be booked already")
	return c
}

// ruleAll says the same of all rows of an import that may be booked already.
func (j *importJob) ruleAll(ctx context.Context, id uuid.UUID, ruling string) error {
	n, err := j.im.RuleAll(ctx, j.who, id, ruling)
	if err != nil {
		return err
	}
	imp, err := j.im.Get(ctx, j.who, id)
	switch {
	case err != nil:
		return err
	case n == 0:
		j.Say("No row of this import may be booked already.")
	case imp.Status == importer.StatusComplete && ruling == importer.RulingNew:
		j.Say("Booked %s that had been held back.", term.Count(n, "row"))
	default:
		j.Say("Said of %s: %s.", term.Count(n, "row"), ruling)
	}
	if imp.DoubtfulRowsCount > 0 {
		j.Say("Still held back: %s, for what they were found to be is gone. Book them with: finsvc import rule %s --all new", term.Count(imp.DoubtfulRowsCount, "row"), id)
	}
	return nil
}

// kept says how to go on with an import that was stored and not published.
func (j *importJob) kept(id uuid.UUID) error {
	j.Say("Kept as pending. See its rows with: finsvc import show %s --rows; book it with: finsvc import publish %s", id, id)
	_, err := fmt.Fprintln(j.Stdout, id)
	return err
}
