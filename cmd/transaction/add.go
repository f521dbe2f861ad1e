package transaction

import (
	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/ledger"
	"finsvc/ledger/names"
)

func newAdd(sh shell.Shell) *cobra.Command {
	var household string
	var f fields
	var asJSON bool
	c := &cobra.Command{
		Use: "add NAME --account ACCOUNT --expense AMOUNT", Short: "Book a transaction and print its id", Args: cobra.ExactArgs(1),
		Long: "Book a transaction and print its id. Without --date it is of today. Rules are applied to it, and it is matched\n" +
			"with the other side of a transfer where there is one.",
		Example: "  finsvc transaction add \"Corner Bakery\" --account Everyday --expense 4.80 --category Groceries\n" +
			"  finsvc transaction add Salary --account Everyday --income 2400 --date 2026-11-01",
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case f.account == "":
				return exit.Usagef("--account ACCOUNT is needed. The accounts: finsvc account list")
			case !c.Flags().Changed("expense") && !c.Flags().Changed("income"):
				return exit.Usagef("--expense AMOUNT or --income AMOUNT is needed")
			}
			return at(sh, c, household, func(d *desk) error {
				in, err := f.input(d, c)
				if err != nil {
					return err
				}
				in.Name = ledger.Some(args[0])
				account, err := d.Books.Names.Find(d.Ctx, d.Who, names.Account, f.account)
				if err != nil {
					return err
				}
				in.AccountID = ledger.Some(account.ID)
				if !in.Date.Set {
					today, err := d.Day("today")
					if err != nil {
						return err
					}
					in.Date = ledger.Some(today)
				}
				t, _, err := d.Books.Entries.CreateTransaction(d.Ctx, d.Who, in)
				if err != nil {
					return err
				}
				d.Say("Booked %s on %s in %s: %s, %s.", d.Money(t.Amount, t.Currency), ledger.Date(t.Date), t.Account.Name,
					ledger.Quote(t.Name), whatFor(&t))
				if asJSON {
					return d.PrintJSON(asWhole(&t))
				}
				return d.Print(uuid.UUID(t.PublicID).String())
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	f.add(c)
	c.Flags().StringVar(&f.account, "account", "", "`ACCOUNT`, by name or id")
	c.Flags().BoolVar(&asJSON, "json", false, "print the transaction as JSON instead of its id")
	return c
}
