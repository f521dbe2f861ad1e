package export

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/fx"
)

// journalForm is what kinds of plain-text journals write in different ways.
type journalForm interface {
	own(account string) string          // an account that is no account and no category of the household
	component(text string) string       // a name as a part of an account's name
	symbol(text string) string          // a security as a commodity and as a part of an account's name
	quoted(symbol string) string        // a symbol in an amount
	numbered(text string, n int) string // a name that has been given n-1 times already
	head(ctx context.Context, j *journal) error
	entry(j *journal, e journalEntry)
	tail(j *journal)
}

// hledgerForm is what hledger reads.
type hledgerForm struct{}

func (hledgerForm) own(account string) string { return account }

func (hledgerForm) component(text string) string { return cmp.Or(journalName(text), "unnamed") }

func (f hledgerForm) symbol(text string) string { return f.component(text) }

func (hledgerForm) quoted(symbol string) string { return `"` + symbol + `"` }

func (hledgerForm) numbered(text string, n int) string { return fmt.Sprintf("%s %d", text, n) }

func (hledgerForm) head(ctx context.Context, j *journal) error {
	// Write what comes before the entries: how numbers are written, which accounts and commodities there are,
	// prices and exchange rates.
	fmt.Fprintf(j.w, "; %s: the books of a household, written by finsvc for hledger 1.25 and later\n\ndecimal-mark .\n\n", journalName(j.home.Name))
	for _, code := range readCurrencies(j) {
		declareCurrency(j, code)
	}
	// Declare the accounts, each with its id, and those of categories.
	fmt.Fprint(j.w, "\naccount assets  ; type:A\naccount liabilities  ; type:L\naccount equity  ; type:E\naccount income  ; type:R\naccount expenses  ; type:X\n\n")
	for _, key := range slices.Sorted(maps.Keys(j.accounts)) {
		a := j.accounts[key]
		fmt.Fprintf(j.w, "account %s  ; id:%s\n", a.name, a.id)
		for _, security := range slices.Sorted(maps.Keys(a.holdings)) {
			fmt.Fprintf(j.w, "account %s\n", a.holdings[security].name)
		}
		if len(a.foreign) > 0 {
			fmt.Fprintf(j.w, "account %s\n", a.unconvertedName)
		}
	}
	for _, name := range counterAccounts(j) {
		fmt.Fprintf(j.w, "account %s\n", name)
	}
	for _, security := range slices.Sorted(maps.Keys(j.symbols)) {
		fmt.Fprintf(j.w, "\ncommodity %s\n", j.symbols[security])
		if err := eachPrice(ctx, j, security, func(day ledger.Date, price, currency string) {
			declareCurrency(j, currency)
			fmt.Fprintf(j.w, "P %s %s %s %s\n", day, j.symbols[security], price, currency)
		}); err != nil {
			return err
		}
	}
	fmt.Fprintln(j.w)
	return eachRate(ctx, j, func(r fx.ExchangeRate) error {
		declareCurrency(j, r.From)
		declareCurrency(j, r.To)
		fmt.Fprintf(j.w, "P %s %s %s %s\n", r.Date, r.From, r.Rate, r.To)
		return nil
	})
}

func (hledgerForm) entry(j *journal, e journalEntry) {
	text := journalLine(e.name)
	if e.merchant != "" && !strings.HasPrefix(e.name, e.merchant) {
		text = journalLine(e.merchant + " | " + e.name)
	}
	if strings.HasPrefix(text, "(") {
		text = "() " + text // what stands in brackets there is a code
	}
	j.write("\n", j.day.String(), " * ", text, "\n")
	for line := range strings.Lines(e.notes) {
		line = journalName(line)
		if line != "" {
			j.write("    ; ", line, "\n")
		}
	}
	for _, s := range e.stale {
		j.write("    ; rate_date:", s.RateDate.String(), ", stale:true\n")
	}
	for _, p := range e.postings {
		j.write("    ", p.account, "  ", p.amount)
		if p.asserted != "" {
			j.write(" = ", p.asserted)
		}
		if p.remark != "" {
			j.write("  ; ", journalName(p.remark))
		}
		j.write("\n")
	}
}

func (hledgerForm) tail(*journal) {}
