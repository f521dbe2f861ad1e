package transaction

import (
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/export"
	"finsvc/ledger/money"
)

func newList(sh shell.Shell) *cobra.Command {
	var household string
	var asJSON, asCSV, largest bool
	var limit shell.Limit
	c := &cobra.Command{
		Use: "list [SEARCH]", Short: "List transactions, newest first", Args: cobra.ArbitraryArgs,
		Long: "List transactions, newest first, and what those that were found come to. A search is words; all of them must\n" +
			"hold, names of one kind are alternatives, and a minus before a word means its contrary:\n\n" +
			"  rewe \"blue bottle\"                     in name, notes or the merchant's name\n" +
			"  '>50' '<=20' =12.50 10..20             amounts without their sign\n" +
			"  @everyday cat:food '#trip' by:rewe     account, category, tag, merchant, or the beginning of their names\n" +
			"  is:income is:expense is:transfer       kinds; income and expense are without transfers\n" +
			"  no:category no:merchant no:tag         what has none\n" +
			"  2026 2026-10 oct last month            days; also today, last 30 days, since:2026-01 until:2026-03-15\n\n" +
			"Shells read > < # and quotes themselves: put the search in single quotes. What begins with a minus comes after --.\n" +
			"Parts of a split transaction are listed in its place.",
		Example: "  finsvc transaction list '@everyday >50 no:category last month'\n" +
			"  finsvc transaction list --limit 0 --csv 2026 > 2026.csv\n" +
			"  finsvc transaction list -- 'last month -is:transfer'",
		RunE: func(c *cobra.Command, args []string) error {
			if asJSON && asCSV {
				return exit.Usagef("give --json or --csv, not both")
			}
			page, err := limit.Page()
			if err != nil {
				return err
			}
			return at(sh, c, household, func(d *desk) error {
				query, err := d.Books.Searches.Read(d.Ctx, d.Who, strings.Join(args, " "))
				if err != nil {
					return err
				}
				if err := query.Err("the search"); err != nil {
					return err
				}
				if !asJSON && !asCSV {
					list, total, sums, err := d.Books.Entries.ListSummed(d.Ctx, d.Who, query.Filter, page, largest)
					if err != nil {
						return err
					}
					return d.printList(list, total, sums)
				}
				read := d.Books.Entries.ListTransactions
				if largest {
					read = d.Books.Entries.ListLargestTransactions
				}
				list, total, err := read(d.Ctx, d.Who, query.Filter, page)
				switch {
				case err != nil:
					return err
				case asJSON:
					err = d.PrintJSON(asObjects(list))
				default:
					err = d.printCSV(list)
				}
				d.SayCut(len(list), total)
				return err
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
	c.Flags().BoolVar(&asCSV, "csv", false, "print CSV instead of a table")
	c.Flags().BoolVar(&largest, "largest", false, "the largest amounts first")
	limit.Flag(c)
	return c
}

// printList prints a table, and in the last line what all that was found comes to; where it is in several currencies,
// in a line of each.
func (d *desk) printList(list []entry.Transaction, total int64, sums []entry.CurrencySum) error {
	if len(list) == 0 {
		d.Say("Nothing found.")
		return nil
	}
	rows := make([][]string, len(list))
	for i := range list {
		rows[i] = d.row(&list[i])
	}
	if err := d.PrintRows(columns(), rows); err != nil {
		return err
	}
	d.SayCut(len(list), total)
	said := term.Count(total, "transaction") + ": "
	if sums == nil {
		return d.Print(fmt.Sprintf("%smore than %d are not added up; narrow the search", said, entry.MostAdded))
	}
	for _, s := range sums {
		err := d.Print(fmt.Sprintf("%s%s in, %s out, %s together", said, d.Sum(s.In, s.Currency), d.Sum(s.Out, s.Currency),
			d.Sum(s.In.Minus(s.Out), s.Currency)))
		if err != nil {
			return err
		}
		said = strings.Repeat(" ", len(said)) // the next currency stands below
	}
	return nil
}

// object is a transaction in JSON. The amount is in minor units, into the account positive.
type object struct {
	ID          string   `json:"id"`
	Date        string   `json:"date"`
	Account     string   `json:"account"`
	AccountID   string   `json:"account_id"`
	Name        string   `json:"name"`
	Notes       *string  `json:"notes"`
	SignedCents int64    `json:"signed_amount_cents"`
	Currency    string   `json:"currency"`
	Category    *string  `json:"category"`
	Merchant    *string  `json:"merchant"`
	Tags        []string `json:"tags"`
	SplitOf     *string  `json:"split_of"`
	OtherSide   *string  `json:"transfer_account"`
}

func asObjects(list []entry.Transaction) []object {
	all := []object{}
	for i := range list {
		all = append(all, asObject(&list[i]))
	}
	return all
}

func asObject(t *entry.Transaction) object {
	o := object{ID: uuid.UUID(t.PublicID).String(), Date: ledger.Date(t.Date).String(), Account: t.Account.Name,
		AccountID: t.Account.ID.String(), Name: t.Name, Notes: t.Notes, SignedCents: t.Amount, Currency: t.Currency,
		Tags: []string{}}
	if t.Category != nil {
		o.Category = &t.Category.Name
	}
	if t.Merchant != nil {
		o.Merchant = &t.Merchant.Name
	}
	for _, tag := range t.Tags {
		o.Tags = append(o.Tags, tag.Name)
	}
	if whole := uuid.UUID(t.SplitOf); whole != uuid.Nil {
		o.SplitOf = new(whole.String())
	}
	if t.Transfer != nil {
		o.OtherSide = &t.Transfer.Other.Name
	}
	return o
}

// printCSV prints a table for spreadsheets: amounts with their sign and a decimal point, and no text that would be taken
// for a formula.
func (d *desk) printCSV(list []entry.Transaction) error {
	w := csv.NewWriter(d.Stdout)
	_ = w.Write([]string{"date", "account", "name", "amount", "currency", "category", "merchant", "tags", "notes", "transfer_account", "id"}) // Error has it
	for i := range list {
		o := asObject(&list[i])
		currency, _ := money.LookupCurrency(o.Currency) // what is stored was looked up
		cells := []string{o.Date, o.Account, o.Name, currency.Plain(o.SignedCents), o.Currency, ledger.OrBlank(o.Category),
			ledger.OrBlank(o.Merchant), strings.Join(o.Tags, ","), ledger.OrBlank(o.Notes), ledger.OrBlank(o.OtherSide), o.ID}
		for at, text := range cells {
			if at != 3 { // the amount may begin with a minus
				cells[at] = export.Harmless(text)
			}
		}
		_ = w.Write(cells) // Error has it
	}
	w.Flush()
	return w.Error()
}
