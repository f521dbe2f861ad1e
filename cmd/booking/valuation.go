package booking

import (
	"cmp"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/money"
	"finsvc/ledger/names"
)

func newValuation(sh shell.Shell) *cobra.Command {
	return shell.Group("valuation", "List, add, change and delete valuations: what accounts are worth at the end of a day",
		newValuationList(sh), newValuationAdd(sh), newValuationUpdate(sh), newValuationDelete(sh))
}

// valuationJSON is a valuation in JSON, in minor units of the account's currency; of a debt what is owed is positive.
type valuationJSON struct {
	ID       string  `json:"id"`
	Date     string  `json:"date"`
	Account  string  `json:"account"`
	Cents    int64   `json:"amount_cents"`
	Currency string  `json:"currency"`
	Kind     string  `json:"kind"`
	Notes    *string `json:"notes"`
}

func newValuationList(sh shell.Shell) *cobra.Command {
	var household, account string
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List valuations, newest day first", Args: cobra.NoArgs,
		Example: "  finsvc valuation list --account House",
		RunE: func(c *cobra.Command, _ []string) error {
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				var f catalog.ValuationFilter
				if account != "" {
					found, err := d.Books.Names.Find(d.Ctx, d.Who, names.Account, account)
					if err != nil {
						return err
					}
					f.AccountID = ledger.Some(found.ID)
				}
				list, _, err := d.Books.Accounts.ListValuations(d.Ctx, d.Who, f, ledger.Everything())
				if err != nil {
					return err
				}
				if asJSON {
					rows := []valuationJSON{}
					for _, v := range list {
						rows = append(rows, asValuation(&v))
					}
					return d.PrintJSON(rows)
				}
				return term.PrintTable(d.Terminal, term.Columns("date", "account", "#amount", "kind", "id"), list, func(v catalog.Valuation) []string {
					return []string{v.Day.String(), v.Account.Name, d.Money(v.Minor, v.Account.Currency), v.Kind, uuid.UUID(v.PublicID).String()}
				})
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
	c.Flags().StringVar(&account, "account", "", "of this `ACCOUNT` alone, by name or id")
	return c
}

func asValuation(v *catalog.Valuation) valuationJSON {
	return valuationJSON{uuid.UUID(v.PublicID).String(), v.Day.String(), v.Account.Name, v.Minor, v.Account.Currency, v.Kind, v.Notes}
}

func newValuationAdd(sh shell.Shell) *cobra.Command {
	var household, date, notes string
	c := &cobra.Command{
		Use: "add ACCOUNT AMOUNT", Short: "Say what an account is worth at the end of a day, and print the id", Args: cobra.ExactArgs(2),
		Long: "Say what an account is worth at the end of a day, today unless it is given, whatever the sum of its entries; of a\n" +
			"card or a loan what is owed. One of the same day is replaced.",
		Example: "  finsvc valuation add House 310000 --date 2026-01-01",
		RunE: func(c *cobra.Command, args []string) error {
			amount, err := money.ParseDecimal(args[1])
			if err != nil {
				return exit.Usagef("AMOUNT %s", err)
			}
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				found, err := d.Books.Names.Find(d.Ctx, d.Who, names.Account, args[0])
				if err != nil {
					return err
				}
				day, err := d.Day(cmp.Or(date, "today"))
				if err != nil {
					return err
				}
				v, created, err := d.Books.Accounts.CreateValuation(d.Ctx, d.Who, catalog.ValuationInput{AccountID: ledger.Some(found.ID),
					Amount: ledger.Some(amount), Date: ledger.Some(day), Notes: shell.Given(c, "notes", notes)})
				if err != nil {
					return err
				}
				verb := "Replaced"
				if created {
					verb = "Noted"
				}
				d.Say("%s: %s is worth %s at the end of %s.", verb, v.Account.Name, d.Money(v.Minor, v.Account.Currency), v.Day)
				return d.Print(uuid.UUID(v.PublicID).String())
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	c.Flags().StringVar(&date, "date", "", "`DAY`, such as 2026-01-01 or yesterday (default: today)")
	c.Flags().StringVar(&notes, "notes", "", "notes")
	return c
}

func newValuationUpdate(sh shell.Shell) *cobra.Command {
	var household, amount, date, notes string
	c := &cobra.Command{
		Use: "update ID", Short: "Change a valuation", Args: cobra.ExactArgs(1),
		Example: "  finsvc valuation update 01a1fd73-b506-7d44-9f75-81a2b0e46079 --amount 312000",
		RunE: func(c *cobra.Command, args []string) error {
			id, err := idOf(args[0], "valuation")
			if err != nil {
				return err
			}
			if err := shell.NeedChange(c, "amount", "date", "notes"); err != nil {
				return err
			}
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				in := catalog.ValuationInput{Notes: shell.Given(c, "notes", notes)}
				in.Amount = shell.Parsed(c, &in.Problems, "amount", amount, money.ParseDecimal)
				in.Date = shell.Parsed(c, &in.Problems, "date", date, d.Day)
				if err := in.Problems.Err(); err != nil {
					return err
				}
				v, err := d.Books.Accounts.UpdateValuation(d.Ctx, d.Who, id, in)
				if err != nil {
					return err
				}
				d.Say("Changed: %s is worth %s at the end of %s.", v.Account.Name, d.Money(v.Minor, v.Account.Currency), v.Day)
				return nil
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	c.Flags().StringVar(&amount, "amount", "", "what the account is worth")
	c.Flags().StringVar(&date, "date", "", "`DAY`, such as 2026-01-01 or yesterday")
	c.Flags().StringVar(&notes, "notes", "", "notes")
	return c
}

func newValuationDelete(sh shell.Shell) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: "delete ID", Short: "Delete a valuation", Args: cobra.ExactArgs(1),
		Example: "  finsvc valuation delete 01a1fd73-b506-7d44-9f75-81a2b0e46079",
		RunE: func(c *cobra.Command, args []string) error {
			id, err := idOf(args[0], "valuation")
			if err != nil {
				return err
			}
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				v, err := d.Books.Accounts.GetValuation(d.Ctx, d.Who, id)
				if err != nil {
					return err
				}
				if err := d.Books.Accounts.DeleteValuation(d.Ctx, d.Who, id); err != nil {
					return err
				}
				d.Say("Deleted: %s of %s on %s.", d.Money(v.Minor, v.Account.Currency), v.Account.Name, v.Day)
				return nil
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	return c
}
