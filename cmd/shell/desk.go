package shell

import (
	"context"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
)

// Desk is where a command works: the books of a household, and how it writes amounts.
type Desk struct {
	Shell
	Ctx    context.Context
	Books  *books.Books
	Who    ledger.Actor
	Format *money.Formatter
}

// At opens the books of a household for a command.
func At(sh Shell, c *cobra.Command, household string, do func(d *Desk) error) error {
	return sh.InHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
		home, err := l.Tenants.GetHousehold(c.Context(), who)
		if err != nil {
			return err
		}
		format, err := money.NewFormatter(home.Locale)
		if err != nil {
			return err
		}
		return do(&Desk{sh, c.Context(), l, who, format})
	})
}

// Money writes an amount in minor units as the household does.
func (d *Desk) Money(minor int64, code string) string { return term.Formatted(d.Format, minor, code) }

// Sum writes a sum likewise; one that no amount can be plainly.
func (d *Desk) Sum(s money.Sum, code string) string {
	if minor, fits := s.Minor(); fits {
		return d.Money(minor, code)
	}
	currency, _ := money.LookupCurrency(code) // what is stored was looked up
	return currency.PlainSum(s) + " " + code
}

// Days reads days as searches do; neither is set where the text is empty.
func (d *Desk) Days(text string) (start, end ledger.Opt[ledger.Date], err error) {
	query, err := d.Books.Searches.Read(d.Ctx, d.Who, text)
	if err != nil {
		return start, end, err
	}
	f := query.Filter
	start, end = f.StartDate, f.EndDate
	f.StartDate, f.EndDate = ledger.Opt[ledger.Date]{}, ledger.Opt[ledger.Date]{}
	if query.Err("days") != nil || f.IsSet() {
		return start, end, exit.Usagef("%s are no days: write them as in 2026, 2026-10, oct, last month, last 30 days, or since:2026-01 until:2026-03",
			ledger.Quote(text))
	}
	return start, end, nil
}

// Day reads a single day.
func (d *Desk) Day(text string) (ledger.Date, error) {
	start, end, err := d.Days(text)
	if err != nil || !start.Has() || start != end {
		return 0, exit.Usagef("must be a day such as 2026-11-24, today or yesterday, got %s", ledger.Quote(text))
	}
	return start.Value, nil
}

// Done says what an operation did and how it is taken back.
func (d *Desk) Done(operation uuid.UUID, format string, args ...any) {
	d.Say(format, args...)
	if operation != uuid.Nil {
		d.Say("Take it back: %s", d.OnSameFile("history", "undo", operation.String()))
	}
}

// Agree asks whether something is to be done; without a person --yes must say so.
func (d *Desk) Agree(yes bool, question string) (bool, error) {
	if yes {
		return true, nil
	}
	if !d.CanAsk() {
		return false, exit.Usagef("nobody can be asked here: %s Say --yes", question)
	}
	sure, err := d.Confirm(d.Ctx, question)
	if err == nil && !sure {
		d.Say("Nothing was changed.")
	}
	return sure, err
}

// Preview prints what would change of transactions, as far as it is known, of so many.
func (d *Desk) Preview(rows []entry.ChangedRow, changed int64) error {
	text := func(t *string) string { return term.Dash(ledger.OrBlank(t)) }
	err := term.PrintTable(d.Terminal, term.Columns("date", "account", "name", "#amount", "field", "before", "after"), rows,
		func(r entry.ChangedRow) []string {
			return []string{r.Date.String(), r.Account, r.Name, d.Money(r.Minor, r.Currency), r.Field, text(r.Before), text(r.After)}
		})
	if shown := entry.ShownOf(rows); err == nil && shown < changed {
		d.Say("and %d more.", changed-shown)
	}
	return err
}

// Changed is a field of a transaction before and after in JSON. The amount is in minor units, into the account positive.
type Changed struct {
	TransactionID string  `json:"transaction_id"`
	Date          string  `json:"date"`
	Account       string  `json:"account"`
	Name          string  `json:"name"`
	SignedCents   int64   `json:"signed_amount_cents"`
	Currency      string  `json:"currency"`
	Field         string  `json:"field"`
	Before        *string `json:"before"`
	After         *string `json:"after"`
}

// AsChanged makes JSON of what changes.
func AsChanged(rows []entry.ChangedRow) (all []Changed) {
	for _, r := range rows {
		all = append(all, Changed{r.ID.String(), r.Date.String(), r.Account, r.Name, r.Minor, r.Currency, r.Field, r.Before, r.After})
	}
	return all
}
