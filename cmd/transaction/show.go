package transaction

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/entry"
)

func newShow(sh shell.Shell) *cobra.Command {
	var household string
	var asJSON bool
	c := &cobra.Command{
		Use: "show ID", Short: "Show a transaction, its parts and which rules have changed it", Args: cobra.ExactArgs(1),
		Example: "  finsvc transaction show 01a1fd73-afc3-7c1a-8792-e3cffcbe3078",
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkIDs(args); err != nil {
				return err
			}
			return at(sh, c, household, func(d *desk) error {
				list, err := d.ids(args)
				if err != nil {
					return err
				}
				t, err := d.Books.Entries.GetTransaction(d.Ctx, d.Who, list[0])
				if err != nil {
					return err
				}
				if asJSON {
					return d.PrintJSON(asWhole(&t))
				}
				return d.show(&t)
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
	return c
}

// show prints what a transaction is, line by line, and its parts.
func (d *desk) show(t *entry.Transaction) error {
	lines := [][]string{{"date", ledger.Date(t.Date).String()}, {"account", t.Account.Name}, {"name", t.Name},
		{"amount", d.Money(t.Amount, t.Currency)}, {"category", categoryOf(t)}}
	if t.Merchant != nil {
		lines = append(lines, []string{"merchant", t.Merchant.Name})
	}
	lines = append(lines, []string{"tags", tagsOf(t)})
	if t.Notes != nil {
		lines = append(lines, []string{"notes", strings.ReplaceAll(*t.Notes, "\n", " ")})
	}
	if whole := uuid.UUID(t.SplitOf); whole != uuid.Nil {
		lines = append(lines, []string{"part of", whole.String()})
	}
	for _, r := range t.AppliedRules {
		lines = append(lines, []string{"by rule", fmt.Sprintf("%s, set by %s", r.Field, orID(r.Name, r.ID))})
	}
	lines = append(lines, []string{"id", uuid.UUID(t.PublicID).String()})
	for _, line := range lines {
		if err := d.Print(fmt.Sprintf("%-9s %s", line[0], line[1])); err != nil {
			return err
		}
	}
	if len(t.Split) == 0 {
		return nil
	}
	if err := d.Print(""); err != nil {
		return err
	}
	return term.PrintTable(d.Terminal, term.Columns("part", "category", "#amount", "id"), t.Split, func(s entry.SplitLine) []string {
		category := "-"
		if s.Category != nil {
			category = s.Category.Name
		}
		return []string{term.Dash(ledger.OrBlank(s.Name)), category, d.Money(s.Minor, t.Currency), d.id(s.ID)}
	})
}

func orID(name *string, id uuid.UUID) string {
	if name == nil {
		return id.String()
	}
	return ledger.Quote(*name)
}

// whole is a transaction in JSON with its parts.
type whole struct {
	object
	Parts []part `json:"split_lines"`
}

// part is a part of a split transaction in JSON.
type part struct {
	ID          string  `json:"id"`
	Name        *string `json:"name"`
	SignedCents int64   `json:"signed_amount_cents"`
	Category    *string `json:"category"`
}

func asWhole(t *entry.Transaction) whole {
	w := whole{asObject(t), []part{}}
	for _, s := range t.Split {
		p := part{ID: s.ID.String(), Name: s.Name, SignedCents: s.Minor}
		if s.Category != nil {
			p.Category = &s.Category.Name
		}
		w.Parts = append(w.Parts, p)
	}
	return w
}
