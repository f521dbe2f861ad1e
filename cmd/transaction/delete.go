package transaction

import (
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
)

func newDelete(sh shell.Shell) *cobra.Command {
	var household string
	var yes bool
	c := &cobra.Command{
		Use: "delete ID...", Short: "Delete transactions", Args: cobra.MinimumNArgs(1),
		Long:    "Delete transactions, wholly or not at all, after showing them and asking. The history can bring them back.",
		Example: "  finsvc transaction delete 01a1fd73-afc3-7c1a-8792-e3cffcbe3078",
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkIDs(args); err != nil {
				return err
			}
			if !yes && !sh.CanAsk() {
				return exit.Usagef("nobody can be asked here: say --yes")
			}
			return at(sh, c, household, func(d *desk) error {
				list, err := d.ids(args)
				if err != nil {
					return err
				}
				var rows [][]string
				for _, id := range list {
					t, err := d.Books.Entries.GetTransaction(d.Ctx, d.Who, id)
					if err != nil {
						return err
					}
					rows = append(rows, d.row(&t))
				}
				if !yes {
					if err := d.PrintRows(columns(), rows); err != nil {
						return err
					}
					sure, err := d.Confirm(d.Ctx, "Delete "+term.Count(int64(len(rows)), "transaction")+"?")
					if err != nil {
						return err
					}
					if !sure {
						d.Say("Nothing was deleted.")
						return nil
					}
				}
				operation, err := d.Books.Entries.DeleteTransactions(d.Ctx, d.Who, list)
				if err == nil {
					d.Done(operation, "Deleted %s.", term.Count(int64(len(rows)), "transaction"))
				}
				return err
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}
