// Package transaction is the commands that list, show, book, change, split and delete transactions. Everything that has
// an id has a name here; what is changed can be taken back by the history.
package transaction

import (
	"encoding/hex"
	"fmt"
	"slices"
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

// New are the commands.
func New(sh shell.Shell) *cobra.Command {
	c := shell.Group("transaction", "List, book, change, split and delete transactions", newList(sh), newShow(sh), newAdd(sh),
		newEdit(sh), newSplit(sh), newUnsplit(sh), newDelete(sh))
	c.Aliases = []string{"transactions", "tx"}
	return c
}

// desk is where a command works.
type desk struct{ *shell.Desk }

// at opens the books for a command.
func at(sh shell.Shell, c *cobra.Command, household string, do func(d *desk) error) error {
	return shell.At(sh, c, household, func(d *shell.Desk) error { return do(&desk{d}) })
}

// fields are what a command line says about a transaction; only its texts and names, as the books are not open yet.
type fields struct {
	account, date, expense, income, currency, name, notes, category, merchant string
	tags                                                                      []string
}

func (f *fields) add(c *cobra.Command) {
	flags := c.Flags()
	flags.StringVar(&f.date, "date", "", "`DAY`, such as 2026-11-24, today or yesterday")
	flags.StringVar(&f.expense, "expense", "", "`AMOUNT` that went out, such as 12.50")
	flags.StringVar(&f.income, "income", "", "`AMOUNT` that came in, such as 1800")
	flags.StringVar(&f.currency, "currency", "", "currency of the amount, such as EUR (default: the account's)")
	flags.StringVar(&f.notes, "notes", "", "notes")
	flags.StringVar(&f.category, "category", "", "category, by name or id; below another one: Food:Bakery")
	flags.StringVar(&f.merchant, "merchant", "", "merchant, by name or id")
	flags.StringArrayVar(&f.tags, "tag", nil, "tag, by name or id; may be given several times")
}

// input looks up what was given. An empty category or merchant is none.
func (f *fields) input(d *desk, c *cobra.Command) (in entry.TransactionInput, err error) {
	in = entry.TransactionInput{Name: shell.Given(c, "name", f.name), Currency: shell.Given(c, "currency", f.currency)}
	if c.Flags().Changed("notes") {
		in.Notes = ledger.Opt[string]{Set: true, Null: f.notes == "", Value: f.notes}
	}
	in.Date = shell.Parsed(c, &in.Problems, "date", f.date, d.Day)
	expense := shell.Parsed(c, &in.Problems, "expense", f.expense, positive)
	income := shell.Parsed(c, &in.Problems, "income", f.income, positive)
	switch {
	case len(in.Problems) > 0:
		return in, in.Problems.Err()
	case expense.Set && income.Set:
		return in, exit.Usagef("give --expense or --income, not both")
	case expense.Set:
		in.Amount, in.Nature = expense, ledger.Some("expense")
	case income.Set:
		in.Amount, in.Nature = income, ledger.Some("income")
	}
	in.CategoryID, err = d.label(c, names.Category, f.category)
	if err != nil {
		return in, err
	}
	in.MerchantID, err = d.label(c, names.Merchant, f.merchant)
	if err != nil || !c.Flags().Changed("tag") {
		return in, err
	}
	tags, err := d.Books.Names.IDs(d.Ctx, d.Who, names.Tag, f.tags)
	in.TagIDs = ledger.Some(tags)
	return in, err
}

// positive reads an amount, whose direction its flag says.
func positive(text string) (decimal.Decimal, error) {
	n, err := money.ParseDecimal(text)
	if err == nil && !n.IsPositive() {
		err = fmt.Errorf("must be more than 0, got %s: --expense is what went out, --income what came in", text)
	}
	return n, err
}

// label is the id of a flag that names one.
func (d *desk) label(c *cobra.Command, kind names.Kind, text string) (ledger.Opt[uuid.UUID], error) {
	if !c.Flags().Changed(string(kind)) {
		return ledger.Opt[uuid.UUID]{}, nil
	}
	return d.Books.Names.Given(d.Ctx, d.Who, kind, &text)
}

// tailDigits is how many digits of an id a terminal shows, and may be given for it: its last ones, which are random.
const tailDigits = 8

// isID reports whether a text is an id of a transaction or the end of one.
func isID(text string) bool {
	_, whole := ledger.ParseID(text)
	_, err := hex.DecodeString(text)
	return whole || err == nil && len(text) == tailDigits
}

// checkIDs refuses what is no id, before the books are opened.
func checkIDs(args []string) error {
	for _, arg := range args {
		if !isID(arg) {
			return exit.Usagef("%s is no id of a transaction. The ids: finsvc transaction list", ledger.Quote(arg))
		}
	}
	return nil
}

// ids finds the transactions of ids or of their last digits, each once.
func (d *desk) ids(args []string) (all []uuid.UUID, err error) {
	for _, arg := range args {
		id, isWhole := ledger.ParseID(arg)
		if !isWhole {
			id, err = d.idEndingIn(arg)
			if err != nil {
				return nil, err
			}
		}
		if !slices.Contains(all, id) {
			all = append(all, id)
		}
	}
	return all, nil
}

func (d *desk) idEndingIn(digits string) (id uuid.UUID, err error) {
	found, err := d.Books.Entries.IDsEndingIn(d.Ctx, d.Who, digits)
	switch {
	case err != nil:
		return id, err
	case len(found) == 0:
		return id, ledger.NewNotFound("Transaction " + digits)
	case len(found) > 1:
		var texts []string
		for _, f := range found {
			texts = append(texts, f.String())
		}
		return id, exit.Usagef("%s is the end of %d ids; give one of them: %s", digits, len(found), strings.Join(texts, ", "))
	}
	return found[0], nil
}

// id is an id in a table: whole, but on a terminal, where there is no room for it.
func (d *desk) id(id uuid.UUID) string {
	text := id.String()
	if term.IsTerminal(d.Stdout) {
		return text[len(text)-tailDigits:]
	}
	return text
}

// row is the cells of a transaction in a table.
func (d *desk) row(t *entry.Transaction) []string {
	return []string{ledger.Date(t.Date).String(), t.Account.Name, t.Name, categoryOf(t), tagsOf(t),
		d.Money(t.Amount, t.Currency), d.id(uuid.UUID(t.PublicID))}
}

func columns() []term.Column {
	return term.Columns("date", "account", "name", "category", "tags", "#amount", "id")
}

// categoryOf is the category of a transaction, or what else it is.
func categoryOf(t *entry.Transaction) string {
	switch {
	case t.Category != nil:
		return t.Category.Name
	case t.Transfer != nil && t.Amount > 0:
		return "from " + t.Transfer.Other.Name
	case t.Transfer != nil:
		return "to " + t.Transfer.Other.Name
	}
	return "-"
}

// whatFor is the category in a sentence.
func whatFor(t *entry.Transaction) string {
	if text := categoryOf(t); text != "-" {
		return text
	}
	return "without a category"
}

func tagsOf(t *entry.Transaction) string {
	var list []string
	for _, tag := range t.Tags {
		list = append(list, tag.Name)
	}
	return term.Dash(strings.Join(list, ", "))
}
