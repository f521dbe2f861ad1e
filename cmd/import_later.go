package cmd

import (
	"fmt"
	"strconv"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/importer"
	"finsvc/ledger"
)

func newImportPublish(a *app) *cobra.Command {
	var household, plan string
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
				if _, err := j.im.Publish(c.Context(), j.who, id, skipInvalid, plan); err != nil {
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
	c.Flags().BoolVar(&skipInvalid, "skip-invalid", false, "leave out rows that cannot be imported")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	c.Flags().BoolVar(&jsonLine, "json", false, "print JSON lines: progress, summary")
	return c
}

func newImportRule(a *app) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: "rule ID ROW RULING", Short: "Say whether a row is what is booked already", Args: cobra.ExactArgs(3),
		Long: "Say of a row of a pending import that it is the transaction which was found for it (same), that it is none that is\n" +
			"booked (new), or take back what was said (open). It holds for every file that has the row.\n\n" +
			"Keep a file pending with: finsvc import FILE --later; see its rows with: finsvc import show ID --rows",
		Example: "  finsvc import rule 01a1fd73-afbb-7cb2-b7d0-0edff84a5395 12 same",
		RunE: func(c *cobra.Command, args []string) error {
			number, err := strconv.ParseInt(args[1], 10, 64)
			if err != nil || number < 1 {
				return usagef("ROW must be the number of a row, from 1, got %s", ledger.Quote(args[1]))
			}
			ruling := args[2]
			if ruling == "open" {
				ruling = ""
			}
			return a.onImport(c, household, args[0], true, "", func(j *importJob, id uuid.UUID) error {
				row, err := j.im.Rule(c.Context(), j.who, id, number, ruling)
				if err == nil {
					j.say("Row %d, %s, is now: %s", row.Number, ledger.Quote(row.Name), row.Fate(importer.StatusPending))
				}
				return err
			})
		},
	}
	householdFlag(c, &household)
	return c
}

// kept says how to go on with an import that was stored and not published.
func (j *importJob) kept(id uuid.UUID) error {
	j.say("Kept as pending. See its rows with: finsvc import show %s --rows; book it with: finsvc import publish %s", id, id)
	_, err := fmt.Fprintln(j.stdout, id)
	return err
}
