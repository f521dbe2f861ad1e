package cmd

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/closing"
	"finsvc/ledger/names"
)

func newAccountDelete(a *app) *cobra.Command {
	var household string
	var yes bool
	c := &cobra.Command{
		Use: "delete NAME-or-ID", Short: "Delete an account with all that is booked in it", Args: cobra.ExactArgs(1),
		Long: "Delete an account with all that is booked in it, after saying what that is and asking. The other sides of its\n" +
			"transfers become ordinary transactions; imports and rules that name it stay. The history can bring it back. An\n" +
			"account that is no longer used is better disabled: account update NAME --status disabled.",
		Example: "  finsvc account delete 'Old savings'",
		RunE: func(c *cobra.Command, args []string) error {
			return shell.At(a.shell(), c, household, func(d *shell.Desk) error {
				found, err := d.Books.Names.Find(d.Ctx, d.Who, names.Account, args[0])
				if err != nil {
					return err
				}
				look, err := d.Books.Closing.LookAtDeletion(d.Ctx, d.Who, found.ID)
				if err != nil {
					return err
				}
				sure, err := d.Agree(yes, "Delete the account "+ledger.Quote(look.Name)+with(look.Uses)+"?")
				if err != nil || !sure {
					return err
				}
				done, err := d.Books.Closing.Delete(d.Ctx, d.Who, found.ID)
				if err == nil {
					d.Done(done.OperationID, "Deleted the account %s%s.", ledger.Quote(done.Name), with(done.Uses))
				}
				return err
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

func newAccountMerge(a *app) *cobra.Command {
	var household string
	var yes, dryRun bool
	c := &cobra.Command{
		Use: "merge NAME INTO", Short: "Put all that an account has into another one", Args: cobra.ExactArgs(2),
		Long: "Put all that an account has into another one of the same currency and kind, and remove it: transactions, trades,\n" +
			"valuations, rules and what imports know of it. Of two opening balances the earlier one stays. Entries that look alike\n" +
			"are counted and all of them stay: an import that was made into both is better taken back in one of them first, by\n" +
			"import revert. The history can take a merge back.",
		Example: "  finsvc account merge 'Everyday 2' Everyday --dry-run\n" +
			"  finsvc account merge 'Everyday 2' Everyday",
		RunE: func(c *cobra.Command, args []string) error {
			return shell.At(a.shell(), c, household, func(d *shell.Desk) error {
				var ids [2]uuid.UUID
				for i, name := range args {
					found, err := d.Books.Names.Find(d.Ctx, d.Who, names.Account, name)
					if err != nil {
						return err
					}
					ids[i] = found.ID
				}
				look, err := d.Books.Closing.Merge(d.Ctx, d.Who, ids[0], ids[1], true)
				if err != nil {
					return err
				}
				if look.PossibleDuplicates > 0 {
					d.Say("%s of %s may be in %s already: both stay.", term.Count(look.PossibleDuplicates, "entry"), ledger.Quote(look.Name),
						ledger.Quote(look.TargetName))
				}
				if dryRun {
					d.Say("The account %s%s would go into %s. Nothing was changed.", ledger.Quote(look.Name), with(look.Uses), ledger.Quote(look.TargetName))
					return nil
				}
				sure, err := d.Agree(yes, "Put the account "+ledger.Quote(look.Name)+with(look.Uses)+" into "+ledger.Quote(look.TargetName)+"?")
				if err != nil || !sure {
					return err
				}
				done, err := d.Books.Closing.Merge(d.Ctx, d.Who, ids[0], ids[1], false)
				if err == nil {
					d.Done(done.OperationID, "Put the account %s%s into %s.", ledger.Quote(done.Name), with(done.Uses), ledger.Quote(done.TargetName))
				}
				return err
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	c.Flags().BoolVar(&dryRun, "dry-run", false, "say what would go, and change nothing")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

// with says what goes with an account; nothing of an empty one.
func with(u closing.Uses) string {
	var parts []string
	for _, part := range []struct {
		n    int64
		name string
	}{{u.Transactions, "transaction"}, {u.SplitLines, "split line"}, {u.Trades, "trade"}, {u.Valuations, "valuation"},
		{u.Transfers, "transfer"}} {
		if part.n > 0 {
			parts = append(parts, term.Count(part.n, part.name))
		}
	}
	text := ""
	if len(parts) > 0 {
		text = " with " + strings.Join(parts, ", ")
	}
	if u.Imports+u.Rules > 0 {
		text += fmt.Sprintf(" (%s and %s name it)", term.Count(u.Imports, "import"), term.Count(u.Rules, "rule"))
	}
	return text
}
