package transaction

import (
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/names"
)

func newEdit(sh shell.Shell) *cobra.Command {
	var household, where string
	var f fields
	var addTags, removeTags []string
	var dry, yes, asJSON bool
	c := &cobra.Command{
		Use: "edit [ID]... [--where SEARCH]", Short: "Change one transaction or many", Args: cobra.ArbitraryArgs,
		Long: "Change one transaction, several, or all that a search finds (see finsvc transaction list --help), wholly or not at\n" +
			"all. Of many it is shown first what would change, and asked. What is not given stays; an empty value (--category=)\n" +
			"takes off what was there. Fields that are changed here are left alone by rules.",
		Example: "  finsvc transaction edit 01a1fd73-afc3-7c1a-8792-e3cffcbe3078 --category Groceries --tag holiday\n" +
			"  finsvc transaction edit --where 'rewe no:category' --category Groceries --dry-run\n" +
			"  finsvc transaction edit --where '@everyday 2026-10' --add-tag taxes --yes",
		RunE: func(c *cobra.Command, args []string) error {
			given, asks := c.Flags().Changed("where"), !yes && !dry && len(args) != 1
			switch {
			case given && len(args) > 0:
				return exit.Usagef("name transactions by their ids or by --where, not both")
			case !given && len(args) == 0:
				return exit.Usagef("name transactions by their ids, or give --where SEARCH")
			case asks && !sh.CanAsk():
				return exit.Usagef("nobody can be asked here: look with --dry-run, then say --yes")
			}
			if err := shell.NeedChange(c, changing()...); err != nil {
				return err
			}
			if err := checkIDs(args); err != nil {
				return err
			}
			return at(sh, c, household, func(d *desk) error {
				var change entry.ManyChange
				var err error
				change.IDs, err = d.ids(args)
				if err != nil {
					return err
				}
				change.Fields, err = f.input(d, c)
				if err != nil {
					return err
				}
				change.AddTagIDs, err = d.Books.Names.IDs(d.Ctx, d.Who, names.Tag, addTags)
				if err != nil {
					return err
				}
				change.RemoveTagIDs, err = d.Books.Names.IDs(d.Ctx, d.Who, names.Tag, removeTags)
				if err != nil {
					return err
				}
				if given {
					query, err := d.Books.Searches.Read(d.Ctx, d.Who, where)
					if err != nil {
						return err
					}
					if err := query.Err("--where"); err != nil {
						return err
					}
					change.Filter = query.Filter
					if !change.Filter.IsSet() {
						return exit.Usagef("--where must not be empty: that would be all transactions")
					}
				}
				return d.edit(change, editMode{dry, asks, asJSON})
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	f.add(c)
	flags := c.Flags()
	flags.StringVar(&where, "where", "", "all that this `SEARCH` finds")
	flags.StringVar(&f.name, "name", "", "name")
	flags.StringArrayVar(&addTags, "add-tag", nil, "tag besides those that are there; may be given several times")
	flags.StringArrayVar(&removeTags, "remove-tag", nil, "tag to take off; may be given several times")
	flags.BoolVar(&dry, "dry-run", false, "change nothing and show what would change")
	flags.BoolVar(&yes, "yes", false, "do not ask")
	shell.JSONFlag(c, &asJSON)
	return c
}

// changing are the flags that say what is to change.
func changing() []string {
	return []string{"name", "date", "expense", "income", "currency", "notes", "category", "merchant", "tag", "add-tag", "remove-tag"}
}

// editMode is how a change is made: only shown, asked about, told in JSON.
type editMode struct{ dry, asks, asJSON bool }

// edit makes a change, which is shown first where it is to be asked about.
func (d *desk) edit(change entry.ManyChange, how editMode) error {
	if how.dry || how.asks {
		out, err := d.Books.Entries.ChangeTransactions(d.Ctx, d.Who, change, true)
		if err != nil {
			return err
		}
		if how.dry && how.asJSON {
			return d.PrintJSON(asOutcome(&out, true))
		}
		d.Say("%s found, %d would change.", term.Count(out.Matched, "transaction"), out.Changed)
		if out.Changed == 0 {
			return nil
		}
		if err := d.Preview(out.Rows, out.Changed); err != nil || how.dry {
			return err
		}
		yes, err := d.Confirm(d.Ctx, "Change "+term.Count(out.Changed, "transaction")+"?")
		if err != nil {
			return err
		}
		if !yes {
			d.Say("Nothing was changed.")
			return nil
		}
		change.Expected = ledger.Some(out.Matched)
	}
	out, err := d.Books.Entries.ChangeTransactions(d.Ctx, d.Who, change, false)
	if err != nil {
		return err
	}
	d.Done(out.OperationID, "Changed %d of %s.", out.Changed, term.Count(out.Matched, "transaction"))
	if how.asJSON {
		return d.PrintJSON(asOutcome(&out, false))
	}
	return nil
}

// outcome is what a change did, or would do, in JSON, as the API has it.
type outcome struct {
	DryRun   bool            `json:"dry_run"`
	Matched  int64           `json:"matched"`
	Changed  int64           `json:"changed"`
	ChangeID *string         `json:"change_id"`
	Changes  []shell.Changed `json:"changes,omitempty"`
}

func asOutcome(out *entry.ManyOutcome, dry bool) outcome {
	o := outcome{DryRun: dry, Matched: out.Matched, Changed: out.Changed, Changes: shell.AsChanged(out.Rows)}
	if !dry && out.Changed > 0 {
		o.ChangeID = new(out.OperationID.String())
	}
	return o
}
