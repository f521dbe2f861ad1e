package export

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
)

// Beancount writes the household as a plain-text journal that Beancount 2 and 3 read. It says what
// [Service.WriteJournal] says, in that form: an account is Assets:NAME or Liabilities:NAME, a valuation is followed by
// a balance assertion, and so is the last day, for every account, currency and security.
//
// Purchases and sales have their price and no lots: costs are averages here, which Beancount does not book.
func (s *Snapshot) Beancount(ctx context.Context, w io.Writer) (JournalCounts, error) {
	return s.writeJournal(ctx, w, beancountForm{})
}

// beancountForm is what Beancount reads.
type beancountForm struct{}

// own begins each part with a capital letter.
func (beancountForm) own(account string) string {
	parts := strings.Split(account, ":")
	for i, part := range parts {
		parts[i] = strings.ToUpper(part[:1]) + part[1:]
	}
	return strings.Join(parts, ":")
}

// component keeps letters and digits. It begins with a capital letter or a digit.
func (beancountForm) component(text string) string {
	text = cmp.Or(hyphened(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.Nd, r) }),
		"Unnamed")
	first, size := utf8.DecodeRuneInString(text)
	switch upper := unicode.ToUpper(first); {
	case unicode.Is(unicode.Nd, first):
	case unicode.Is(unicode.Lu, upper):
		text = string(upper) + text[size:]
	default: // a script without capital letters
		text = "N-" + text
	}
	return text
}

// hyphened makes all that is not kept one hyphen, and none at either end.
func hyphened(text string, kept func(rune) bool) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return !kept(r) }), "-")
}

// beancountSymbol is how many characters a symbol may have, room for a number taken off.
const beancountSymbol = 18

// symbol is capital letters, digits and hyphens, at least two of them, and no currency and no word of the language.
func (beancountForm) symbol(text string) string {
	text = hyphened(strings.ToUpper(text), func(r rune) bool { return 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' })
	text = strings.TrimRight(text[:min(len(text), beancountSymbol)], "-")
	if text == "" || text[0] < 'A' {
		text = "X" + text
	}
	_, currency := money.LookupCurrency(text)
	if currency || len(text) == 1 || slices.Contains([]string{"TRUE", "FALSE", "NULL"}, text) {
		text += "-1"
	}
	return text
}

func (beancountForm) quoted(symbol string) string { return symbol }

func (beancountForm) numbered(text string, n int) string { return fmt.Sprintf("%s-%d", text, n) }

func (f beancountForm) head(ctx context.Context, j *journal) error {
	j.write("; written by finsvc for Beancount 2 and 3\n\noption \"title\" ", beancountText(j.home.Name),
		"\noption \"operating_currency\" \"", j.home.Currency, "\"\n",
		"option \"inferred_tolerance_default\" \"*:0.000000001\"\n\n")
	for _, code := range readCurrencies(j) {
		j.write(ledger.MinDate.String(), " commodity ", code, "\n")
	}
	// Declare the accounts on the days on which they begin, each with its id, and those of categories.
	begun := map[int64]ledger.Date{}
	for _, life := range j.lives {
		begun[life.Account] = life.First
	}
	j.write("\n")
	for _, key := range slices.Sorted(maps.Keys(j.accounts)) {
		a, open := j.accounts[key], begun[key].String()+" open "
		j.write(open, a.name, " ", a.currency.Code, "\n  id: \"", a.id, "\"\n")
		for _, security := range slices.Sorted(maps.Keys(a.holdings)) {
			j.write(open, a.holdings[security].name, " ", j.symbols[security], "\n")
		}
		if len(a.foreign) > 0 {
			j.write(open, a.unconvertedName, "\n")
		}
	}
	for _, name := range counterAccounts(j) {
		j.write(min(firstDays(j), ledger.MaxDate).String(), " open ", name, "\n")
	}
	for _, security := range slices.Sorted(maps.Keys(j.symbols)) {
		symbol := j.symbols[security]
		j.write("\n", ledger.MinDate.String(), " commodity ", symbol, "\n")
		if err := eachPrice(ctx, j, security, func(day ledger.Date, price, currency string) {
			j.write(day.String(), " price ", symbol, "  ", price, " ", currency, "\n")
		}); err != nil {
			return err
		}
	}
	j.write("\n")
	return eachRate(ctx, j, func(r fx.ExchangeRate) error {
		j.write(r.Date.String(), " price ", r.From, "  ", r.Rate.String(), " ", r.To, "\n")
		return j.err
	})
}

func (f beancountForm) entry(j *journal, e journalEntry) {
	j.write("\n", j.day.String(), " * ")
	if e.merchant != "" {
		j.write(beancountText(e.merchant), " ")
	}
	j.write(beancountText(e.name), "\n")
	if e.notes != "" {
		j.write("  notes: ", beancountText(e.notes), "\n")
	}
	for _, s := range e.stale {
		j.write("  rate_date: ", s.RateDate.String(), "\n  stale: TRUE\n")
	}
	for _, p := range e.postings {
		j.write("  ", p.account, "  ", p.amount, "\n")
		if p.remark != "" {
			j.write("    name: ", beancountText(p.remark), "\n")
		}
	}
	for _, p := range e.postings {
		if p.asserted != "" {
			f.assert(j, p.account, p.asserted)
		}
	}
}

// assert says what an account has at the end of the day: at the beginning of the next one, as Beancount has it.
func (beancountForm) assert(j *journal, account, amount string) {
	number, commodity, _ := strings.Cut(amount, " ")
	j.write((j.day + 1).String(), " balance ", account, "  ", number, " ~ 0 ", commodity, "\n")
}

// tail says what everything comes to at the end of the last day.
func (f beancountForm) tail(j *journal) {
	j.write("\n")
	for _, key := range slices.Sorted(maps.Keys(j.accounts)) {
		a := j.accounts[key]
		if j.day < ledger.MinDate {
			return // nothing was ever booked
		}
		f.assert(j, a.name, amountSumText(a.cash, a.currency))
		for _, code := range slices.Sorted(maps.Keys(a.unconverted)) {
			currency, _ := money.LookupCurrency(code) // what is stored was looked up
			f.assert(j, a.unconvertedName, amountSumText(a.unconverted[code], currency))
		}
		for _, security := range slices.Sorted(maps.Keys(a.holdings)) {
			f.assert(j, a.holdings[security].name, a.holdings[security].quantity.String()+" "+j.symbols[security])
		}
	}
}

// beancountText is a text in quotes; line breaks stay.
func beancountText(text string) string {
	var out strings.Builder
	out.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '\n':
			out.WriteString(`\n`)
		case r == '"' || r == '\\':
			out.WriteByte('\\')
			out.WriteRune(r)
		case unicode.IsControl(r):
			out.WriteByte(' ')
		default:
			out.WriteRune(r)
		}
	}
	out.WriteByte('"')
	return out.String()
}
