package doctor

import (
	"context"
	"fmt"
	"time"

	"github.com/dustin/go-humanize"

	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/audit"
	"finsvc/ledger/money"
)

// checkFile examines what is in the file.
func (x *Examination) checkFile(ctx context.Context) {
	schema, err := x.database.SchemaVersion(ctx)
	if err != nil {
		x.fail("database", nil, "the schema cannot be read: %s", err)
		return
	}
	found, err := x.database.CheckIntegrity(ctx)
	switch {
	case err != nil:
		x.fail("database", nil, "it could not be checked: %s", exit.Message(err))
	case len(found) > 0:
		x.fail("database", found, "%s is damaged: %s%s", x.database.Path(), term.Count(int64(len(found)), "defect"),
			Hint(db.ErrDamaged, x.Copies))
	default:
		x.ok("database", "%s, %s, integrity ok, schema %d", x.database.Path(), term.Size(sizeOf(x.database.Path())),
			schema)
	}
	newest, err := x.database.NewestSchema()
	if err != nil {
		x.fail("database", nil, "the schema of this program cannot be read: %s", err)
		return
	}
	if schema < newest {
		x.caution("schema", nil, "the file is of an older version (schema %d, this program makes it %d): what is in it is examined after the upgrade, which starting the server does", schema, newest)
		return
	}
	x.checkAudit(ctx)
	// Look for what the books of each household lack.
	homes, err := x.books.Tenants.ListHouseholds(ctx)
	if err != nil {
		x.fail("households", nil, "they could not be read: %s", exit.Message(err))
		return
	}
	if len(homes) == 0 {
		x.caution("households", nil, "there is none yet. Make one, its owner and a key: finsvc apikey create --data %s",
			term.ShellQuote(x.Config.Data))
	}
	for _, home := range homes {
		gaps, err := x.books.Audits.FindFindings(ctx, ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginCLI})
		if err != nil {
			x.fail("household", nil, "%s could not be read: %s", ledger.Quote(home.Name), exit.Message(err))
			continue
		}
		x.noteGaps(gaps)
	}
}

func (x *Examination) checkAudit(ctx context.Context) {
	found, err := x.books.Audits.Audit(ctx)
	if err != nil {
		x.fail("books", nil, "they could not be proved: %s", exit.Message(err))
		return
	}
	what := fmt.Sprintf("%s, %s, %s", term.Count(found.Households, "household"), term.Count(found.Accounts, "account"),
		term.Count(found.Transactions, "transaction"))
	if len(found.Defects) == 0 {
		x.ok("books", "%s; every invariant holds, balances recomputed from rows: %s", what,
			humanize.Comma(found.Balances))
		return
	}
	var details []string
	for _, d := range found.Defects {
		details = append(details, fmt.Sprintf("%s: %s: %s", d.Check, d.Where, d.Detail))
	}
	x.fail("books", details, "%s in the books (%s). Keep this file as it is, and restore the newest backup that has none: finsvc backup verify FILE", term.Count(int64(len(details)), "defect"), what)
}

func (x *Examination) noteGaps(g audit.Findings) {
	format, err := money.NewFormatter(g.Household.Locale)
	if err != nil {
		x.fail("household", nil, "%s has the locale %s: %s", ledger.Quote(g.Household.Name), g.Household.Locale, err)
		return
	}
	home := ledger.Quote(g.Household.Name)
	x.noteRates(home, format, g)
	x.notePrices(home, g.Prices)
	x.noteAccounts(home, format, g)
	if _, err := time.LoadLocation(g.Household.Timezone); err != nil {
		x.fail("zone", nil, "%s lives in the time zone %s, which is not known here: its days end in UTC", home,
			g.Household.Timezone)
	}
	if ahead := g.Newest.Sub(x.Now()); ahead > clockTolerance {
		x.caution("clock", nil, "%s has entries that were made in the future (%s): the clock was ahead, or is behind now", home, term.Moment(g.Newest))
	}
}

// noteRates tells what today's net worth leaves out, and what it counts at a rate that is old.
func (x *Examination) noteRates(home string, format *money.Formatter, g audit.Findings) {
	var details []string
	missing := false
	for _, gap := range g.Rates {
		why := "no rate at all"
		missing = missing || !gap.Excess
		switch {
		case gap.Excess:
			why = "at its rate, or with the rest, it is more than can be counted"
		case gap.Since != nil:
			why = fmt.Sprintf("no rate on or before the day; those of %s with any currency begin on %s", gap.From,
				gap.Since)
		}
		pair := gap.From
		if gap.To != gap.From {
			pair += " to " + gap.To
		}
		details = append(details, fmt.Sprintf("%s (%s): %s left out, of %s", pair, why,
			term.Formatted(format, gap.Minor, gap.From), quoteAll(gap.Accounts)))
	}
	for _, s := range g.Stale {
		details = append(details, term.StaleText(s))
	}
	switch {
	case len(g.Rates) > 0 && !missing:
		x.caution("rates", details, "%s: today's net worth leaves out what is too large. If a rate is wrong, import the right one: finsvc rates import FILE", home)
	case missing:
		x.caution("rates", details, "%s: exchange rates are missing, so today's net worth leaves something out. Add them: finsvc rates import FILE", home)
	case len(g.Stale) > 0:
		x.caution("rates", details, "%s: today's net worth counts something at old exchange rates. Add newer ones: finsvc rates import FILE", home)
	default:
		x.ok("rates", "%s: nothing is left out of today's net worth, and no rate in it is old", home)
	}
}

func (x *Examination) notePrices(home string, gaps []audit.PriceGap) {
	var details []string
	for _, g := range gaps {
		kind := "the newest price"
		if g.Traded {
			kind = "no market price; what was paid"
		}
		details = append(details, fmt.Sprintf("%s: %s is of %s", g.Ticker, kind, g.Day))
	}
	if len(details) == 0 {
		x.ok("prices", "%s: none of what is held is valued at a price older than 30 days", home)
		return
	}
	x.caution("prices", details, "%s: old prices: %d. Add newer ones: finsvc prices import FILE", home, len(details))
}

func (x *Examination) noteAccounts(home string, format *money.Formatter, g audit.Findings) {
	var details []string
	for _, q := range g.Quiet {
		details = append(details, fmt.Sprintf("%s: nothing new since %s", ledger.Quote(q.Account), q.Last))
	}
	for _, o := range g.Overdrawn {
		details = append(details, fmt.Sprintf("%s is below zero: %s", ledger.Quote(o.Account),
			term.Formatted(format, o.Minor, o.Currency)))
	}
	if len(details) == 0 {
		x.ok("accounts", "%s: none has fallen silent, none is below zero that should not be", home)
		return
	}
	x.caution("accounts", details, "%s: accounts to look at: %d", home, len(details))
}

// quoteAll lists names.
func quoteAll(names []string) (text string) {
	for i, name := range names {
		if i > 0 {
			text += ", "
		}
		text += ledger.Quote(name)
	}
	return text
}
