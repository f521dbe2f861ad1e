package web

import (
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
)

// display writes amounts, quantities and days for a person: in the household's locale, and with dots in the place of
// every amount where they are to be hidden. Then the digits are nowhere in the page.
type display struct {
	money  *money.Formatter
	day    string // the layout of a day
	hidden bool
}

// dots stand for an amount that is hidden, the same for all.
const dots = "•••"

// minus is the true sign, which is as wide as a plus.
const minus = "−"

// Amount writes minor units of a currency as they are: positive into the account.
func (d *display) Amount(minor int64, currency string) string {
	if d.hidden {
		return dots
	}
	c, _ := money.LookupCurrency(currency) // what is stored was looked up
	text := d.money.Money(minor, c)
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		return minus + rest
	}
	return text
}

// Signed writes an amount with a plus in front of what came in.
func (d *display) Signed(minor int64, currency string) string {
	text := d.Amount(minor, currency)
	if minor > 0 && !d.hidden {
		return "+" + text
	}
	return text
}

// Cell is an amount in a table, marked for how it looks: what came in is told from ordinary spending, which is plain.
func (d *display) Cell(minor int64, currency string) template.HTML {
	class := "money"
	if minor > 0 && !d.hidden {
		class += " in"
	}
	return template.HTML(`<span class="` + class + `">` + template.HTMLEscapeString(d.Signed(minor, currency)) + `</span>`)
}

// Figure is a balance, without a plus.
func (d *display) Figure(minor int64, currency string) template.HTML {
	return template.HTML(`<span class="money">` + template.HTMLEscapeString(d.Amount(minor, currency)) + `</span>`)
}

// Gain is what was gained or lost, with its sign; the colour says the same once more.
func (d *display) Gain(minor int64, currency string) template.HTML {
	class := "money"
	switch {
	case minor > 0 && !d.hidden:
		class += " gain"
	case minor < 0 && !d.hidden:
		class += " loss"
	}
	return template.HTML(`<span class="` + class + `">` + template.HTMLEscapeString(d.Signed(minor, currency)) + `</span>`)
}

// Price writes a price of a unit.
func (d *display) Price(price decimal.Decimal, currency string) string {
	if d.hidden {
		return dots
	}
	c, _ := money.LookupCurrency(currency)
	return strings.Replace(d.money.Price(price, c), "-", minus, 1)
}

// Quantity writes how many units are held or were traded; how many says as much as an amount.
func (d *display) Quantity(q decimal.Decimal) string {
	if d.hidden {
		return dots
	}
	return strings.Replace(d.money.Number(q), "-", minus, 1)
}

// Percent writes a share, such as 16.6 %. It is shown where amounts are hidden, too: it says nothing of how much.
func (d *display) Percent(p decimal.Decimal) string {
	return strings.Replace(d.money.Number(p), "-", minus, 1) + "\u00a0%"
}

// Day writes a day, such as 28 Oct 2026.
func (d *display) Day(day ledger.Date) string { return day.Time().Format(d.day) }

// Weekday writes a day with its weekday in front.
func (d *display) Weekday(day ledger.Date) string { return day.Time().Format("Mon ") + d.Day(day) }

// MonthName writes the month of a day, such as October 2026.
func (d *display) MonthName(day ledger.Date) string { return day.Time().Format("January 2006") }

// Plain writes an amount as it is typed into a form: without a sign for the currency and without groups.
func (d *display) Plain(minor int64, currency string) string {
	c, _ := money.LookupCurrency(currency)
	return strings.Replace(c.Plain(minor), ".", d.money.DecimalMark(), 1)
}

// plainNumber writes a number as it is typed into a form.
func (d *display) plainNumber(n decimal.Decimal) string {
	return strings.Replace(n.String(), ".", d.money.DecimalMark(), 1)
}

// readNumber reads a number as people of the household write it. Of two marks the last one parts the decimals; a single
// one before three digits is what the locale has it for, as is it of 1.234, and else parts the decimals.
func (d *display) readNumber(text string) (n decimal.Decimal, err error) {
	plain := strings.NewReplacer(" ", "", "\u00a0", "", "\u202f", "", "'", "", "’", "", minus, "-").Replace(text)
	points, commas := strings.Count(plain, "."), strings.Count(plain, ",")
	mark := ""
	switch {
	case points > 0 && commas > 0:
		mark = plain[strings.LastIndexAny(plain, ".,"):][:1]
	case points == 1 || commas == 1:
		at := strings.IndexAny(plain, ".,")
		if len(plain)-at-1 != 3 || plain[at:at+1] == d.money.DecimalMark() {
			mark = plain[at : at+1]
		}
	}
	if mark != "" && strings.Count(plain, mark) > 1 {
		return n, fmt.Errorf("must be a number such as %s, got %s", d.sample(), ledger.Quote(text))
	}
	whole, fraction := plain, ""
	if mark != "" {
		whole, fraction, _ = strings.Cut(plain, mark)
	}
	if !inGroups(strings.TrimLeft(whole, "+-")) || strings.ContainsAny(fraction, ".,") {
		return n, fmt.Errorf("must be a number such as %s, got %s", d.sample(), ledger.Quote(text))
	}
	whole = strings.NewReplacer(".", "", ",", "").Replace(whole)
	if fraction != "" {
		fraction = "." + fraction
	}
	n, err = money.ParseDecimal(whole + fraction)
	if err != nil {
		err = fmt.Errorf("must be a number such as %s, got %s", d.sample(), ledger.Quote(text))
	}
	return n, err
}

// inGroups reports whether the digits between the marks of a whole number are three each, but for the first.
func inGroups(whole string) bool {
	groups := strings.FieldsFunc(whole, func(c rune) bool { return c == '.' || c == ',' })
	for i, g := range groups {
		if i > 0 && len(g) != 3 || i == 0 && len(groups) > 1 && len(g) > 3 {
			return false
		}
	}
	return true
}

// sample is a number as the household writes one.
func (d *display) sample() string { return d.money.Number(decimal.New(123456, -2)) }

// sampleOf is an amount of a currency, written: it is shown where amounts are hidden, too.
func (d *display) sampleOf(currency string) string {
	c, _ := money.LookupCurrency(currency)
	return strings.Replace(d.money.Money(-123456789, c), "-", minus, 1)
}

// dayLayout is how a locale writes days: English words, as the pages are in English, in the order of the locale, or
// numbers with points where these are usual.
func dayLayout(locale string) string {
	language, _, _ := strings.Cut(strings.ToLower(locale), "-")
	pointed := []string{"de", "da", "nb", "nn", "no", "fi", "is", "et", "lv", "lt", "pl", "cs", "sk", "sl", "hr", "sr", "bs",
		"mk", "bg", "ro", "ru", "uk", "be", "tr", "az", "hy", "ka", "kk"}
	switch {
	case strings.EqualFold(locale, "en-US"), strings.EqualFold(locale, "en"):
		return "Jan 2, 2006"
	case slices.Contains(pointed, language):
		return "02.01.2006"
	}
	return "2 Jan 2006"
}

// formatCache keeps the formatters of locales, of which making one reads much.
type formatCache struct{ byLocale sync.Map } // of *money.Formatter; households have few

func (f *formatCache) of(locale string, hidden bool) (*display, error) {
	have, ok := f.byLocale.Load(locale)
	if !ok {
		fresh, err := money.NewFormatter(locale)
		if err != nil {
			return nil, err
		}
		have, _ = f.byLocale.LoadOrStore(locale, fresh)
	}
	return &display{have.(*money.Formatter), dayLayout(locale), hidden}, nil
}
