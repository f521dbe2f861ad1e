// Package label is the commands for categories, tags and merchants: they are listed, made, changed, merged and deleted
// by their names.
package label

import (
	"context"
	"slices"
	"strconv"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/names"
)

// Commands are those of all three.
func Commands(sh shell.Shell) []*cobra.Command {
	return []*cobra.Command{newCategory(sh), newTag(sh), newMerchant(sh)}
}

// kind is what the commands that are the same for all kinds of labels need to know of one.
type kind struct {
	name   names.Kind
	remove func(*catalog.Labels) func(context.Context, ledger.Actor, uuid.UUID) error
	merge  func(*catalog.Labels, context.Context, ledger.Actor, uuid.UUID, uuid.UUID) error
}

// labelJSON is a label in JSON.
type labelJSON struct {
	ID             string  `json:"id"`
	Name           string  `json:"name"`
	Parent         *string `json:"parent,omitempty"`
	Classification string  `json:"classification,omitempty"`
	Transactions   *int64  `json:"transactions,omitempty"`
}

// list prints the labels of a kind and, if it is asked, how many transactions, parts of split ones among them, have each.
func (k kind) list(sh shell.Shell, columns []string, all func(*shell.Desk) ([]labelJSON, error), cells func(labelJSON) []string) *cobra.Command {
	var household string
	var asJSON, counts bool
	c := &cobra.Command{
		Use: "list", Short: "List them", Args: cobra.NoArgs,
		Example: "  finsvc " + string(k.name) + " list --count",
		RunE: func(c *cobra.Command, _ []string) error {
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				rows, err := all(d)
				if err != nil {
					return err
				}
				if counts {
					uses, err := k.uses(d)
					if err != nil {
						return err
					}
					for i := range rows {
						rows[i].Transactions = new(uses[uuid.MustParse(rows[i].ID)])
					}
				}
				if asJSON {
					return d.PrintJSON(rows)
				}
				columns := slices.Clone(columns)
				if counts {
					columns = append(columns, "#transactions")
				}
				return term.PrintTable(d.Terminal, term.Columns(append(columns, "id")...), rows, func(r labelJSON) []string {
					row := cells(r)
					if counts {
						row = append(row, strconv.FormatInt(*r.Transactions, 10))
					}
					return append(row, r.ID)
				})
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
	c.Flags().BoolVar(&counts, "count", false, "count the transactions that have each, parts of split ones among them")
	return c
}

// create is the command that makes one by add, which has flags of its own.
func (k kind) create(sh shell.Shell, flags func(*cobra.Command), add func(*shell.Desk, *cobra.Command, string) (uuid.UUID, error)) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: "create NAME", Short: "Make one and print its id", Args: cobra.ExactArgs(1),
		Example: "  finsvc " + string(k.name) + " create Bakery",
		RunE: func(c *cobra.Command, args []string) error {
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				id, err := add(d, c, args[0])
				if err != nil {
					return err
				}
				d.Say("Made the %s %s.", k.name, ledger.Quote(args[0]))
				return d.Print(id.String())
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	flags(c)
	return c
}

// update is the command that changes one.
func (k kind) update(sh shell.Shell, flags func(*cobra.Command), change func(*shell.Desk, *cobra.Command, uuid.UUID) error) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: "update NAME-or-ID", Short: "Change one", Args: cobra.ExactArgs(1),
		Example: "  finsvc " + string(k.name) + " update Bakery --name Bread",
		RunE: func(c *cobra.Command, args []string) error {
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				found, err := d.Books.Names.Find(d.Ctx, d.Who, k.name, args[0])
				if err != nil {
					return err
				}
				if err := change(d, c, found.ID); err != nil {
					return err
				}
				d.Say("Changed the %s %s.", k.name, ledger.Quote(found.Name))
				return nil
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	flags(c)
	return c
}

// uses says of how many transactions each label of the kind is.
func (k kind) uses(d *shell.Desk) (map[uuid.UUID]int64, error) {
	return d.Books.Entries.CountUses(d.Ctx, d.Who, ledger.Entity(k.name))
}

// merging is the command that puts one into another.
func (k kind) merging(sh shell.Shell) *cobra.Command {
	var household string
	var yes bool
	c := &cobra.Command{
		Use: "merge NAME TARGET", Short: "Put one into another", Args: cobra.ExactArgs(2),
		Long:    "Put one into another: its transactions, parts of split ones and rules become those of the target, and it is gone.",
		Example: "  finsvc " + string(k.name) + " merge 'Bakery 12' Bakery",
		RunE: func(c *cobra.Command, args []string) error {
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				from, err := d.Books.Names.Find(d.Ctx, d.Who, k.name, args[0])
				if err != nil {
					return err
				}
				into, err := d.Books.Names.Find(d.Ctx, d.Who, k.name, args[1])
				if err != nil {
					return err
				}
				uses, err := k.uses(d)
				if err != nil {
					return err
				}
				n := uses[from.ID]
				sure, err := d.Agree(yes, "Make "+term.Count(n, "transaction")+" of "+ledger.Quote(from.Name)+" those of "+ledger.Quote(into.Name)+"?")
				if err != nil || !sure {
					return err
				}
				if err := k.merge(d.Books.Labels, d.Ctx, d.Who, from.ID, into.ID); err != nil {
					return err
				}
				d.Say("%s of %s are those of %s now.", term.Count(n, "transaction"), ledger.Quote(from.Name), ledger.Quote(into.Name))
				return nil
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

// deleting is the command that removes one.
func (k kind) deleting(sh shell.Shell) *cobra.Command {
	var household string
	var yes bool
	c := &cobra.Command{
		Use: "delete NAME-or-ID", Short: "Delete one; what has it stays, without it", Args: cobra.ExactArgs(1),
		Example: "  finsvc " + string(k.name) + " delete Bakery",
		RunE: func(c *cobra.Command, args []string) error {
			return shell.At(sh, c, household, func(d *shell.Desk) error {
				found, err := d.Books.Names.Find(d.Ctx, d.Who, k.name, args[0])
				if err != nil {
					return err
				}
				uses, err := k.uses(d)
				if err != nil {
					return err
				}
				n := uses[found.ID]
				sure, err := d.Agree(yes, "Delete the "+string(k.name)+" "+ledger.Quote(found.Name)+", which "+term.Count(n, "transaction")+" have?")
				if err != nil || !sure {
					return err
				}
				if err := k.remove(d.Books.Labels)(d.Ctx, d.Who, found.ID); err != nil {
					return err
				}
				d.Say("Deleted the %s %s. %s had it.", k.name, ledger.Quote(found.Name), term.Count(n, "transaction"))
				return nil
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}
