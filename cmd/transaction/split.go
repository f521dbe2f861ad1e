package transaction

import (
	"strings"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
	"finsvc/ledger/names"
)

func newSplit(sh shell.Shell) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: "split ID PART PART...", Short: "Split a transaction into parts with categories of their own", Args: cobra.MinimumNArgs(3),
		Long: "Split a transaction into parts. A part is an amount and the category that it is for, perhaps with a name of its own:\n" +
			"'30.00 Groceries', '12.50 Household = candles'. The amount of one part may be: rest. Parts add up to what was paid;\n" +
			"they have the direction of the transaction, and one with a minus the other one, as a refund within a bill. What was\n" +
			"split before is split anew. A part that begins with a minus comes after --.",
		Example: "  finsvc transaction split 01a1fd73-afc3-7c1a-8792-e3cffcbe3078 '30.00 Groceries' 'rest Household'",
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkIDs(args[:1]); err != nil {
				return err
			}
			return at(sh, c, household, func(d *desk) error {
				list, err := d.ids(args[:1])
				if err != nil {
					return err
				}
				t, err := d.Books.Entries.GetTransaction(d.Ctx, d.Who, list[0])
				if err != nil {
					return err
				}
				lines, err := d.parts(&t, args[1:])
				if err != nil {
					return err
				}
				return d.splitInto(list[0], ledger.Some(lines))
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	return c
}

func newUnsplit(sh shell.Shell) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: "unsplit ID", Short: "Make a split transaction whole again", Args: cobra.ExactArgs(1),
		Example: "  finsvc transaction unsplit 01a1fd73-afc3-7c1a-8792-e3cffcbe3078",
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkIDs(args); err != nil {
				return err
			}
			return at(sh, c, household, func(d *desk) error {
				list, err := d.ids(args)
				if err != nil {
					return err
				}
				return d.splitInto(list[0], ledger.Opt[[]entry.SplitLineInput]{Set: true, Null: true})
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	return c
}

// splitInto gives a transaction other parts, and shows it.
func (d *desk) splitInto(id uuid.UUID, lines ledger.Opt[[]entry.SplitLineInput]) error {
	t, err := d.Books.Entries.UpdateTransaction(d.Ctx, d.Who, id, entry.TransactionInput{SplitLines: lines})
	if err != nil {
		return err
	}
	if len(t.Split) == 0 {
		d.Say("%s is whole.", ledger.Quote(t.Name))
	} else {
		d.Say("%s is in %s.", ledger.Quote(t.Name), term.Count(int64(len(t.Split)), "part"))
	}
	return d.show(&t)
}

// parts reads the parts of a transaction, whose amounts are positive in its direction.
func (d *desk) parts(t *entry.Transaction, texts []string) (lines []entry.SplitLineInput, err error) {
	currency, _ := money.LookupCurrency(t.Currency) // what is stored was looked up
	rest, restAt := currency.Decimal(t.Amount).Abs(), -1
	for i, text := range texts {
		var line entry.SplitLineInput
		what, name, named := strings.Cut(strings.TrimSpace(text), " = ")
		amount, category, _ := strings.Cut(what, " ")
		if named {
			line.Name = ledger.Some(strings.TrimSpace(name))
		}
		if category = strings.TrimSpace(category); category != "" {
			found, err := d.Books.Names.Find(d.Ctx, d.Who, names.Category, category)
			if err != nil {
				return nil, err
			}
			line.CategoryID = ledger.Some(found.ID)
		}
		var n decimal.Decimal
		switch {
		case strings.EqualFold(amount, "rest") && restAt >= 0:
			return nil, exit.Usagef("only one part can be the rest")
		case strings.EqualFold(amount, "rest"):
			restAt = i
		default:
			n, err = money.ParseDecimal(amount)
			if err != nil {
				return nil, exit.Usagef("part %s: its amount %s; write it as in '30.00 Groceries' or 'rest Household'", ledger.Quote(text), err)
			}
		}
		rest = rest.Sub(n)
		line.Amount = ledger.Some(n)
		lines = append(lines, line)
	}
	switch {
	case restAt >= 0 && rest.Sign() <= 0:
		return nil, exit.Usagef("nothing is left for the rest: the other parts come to %s or more", d.Money(max(t.Amount, -t.Amount), t.Currency))
	case restAt >= 0:
		lines[restAt].Amount = ledger.Some(rest)
	}
	return lines, nil
}
