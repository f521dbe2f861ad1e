package export

import (
	"cmp"
	"context"
	"fmt"
	"strings"
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

func (hledgerForm) head(ctx context.Context, j *journal) error { return writeHead(ctx, j) }

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
