package detect

import (
	"cmp"
	"slices"
	"strings"

	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/ledger"
)

// decideNumberFormat decides how numbers are written by those of the amounts, then by all others.
func decideNumberFormat(d *decisions) {
	if !d.open("number_format") {
		return
	}
	var own, all numberStyle
	for _, at := range d.money() {
		own = own.add(d.columns[at].numbers)
	}
	for i := range d.columns {
		if d.columns[i].isMoney || slices.Contains(d.money(), i) {
			all = all.add(d.columns[i].numbers)
		}
	}
	const few = 10
	switch format, odd := own.format(), unreadAmount(d); {
	case odd != "":
		d.ask("number_format", nil, "more than one in %d amounts cannot be read as a number, such as %s", few,
			ledger.Quote(odd))
	case own.spaced > 0 && own.dotted > 0:
		d.ask("number_format", []string{"1.234,56", "1 234,56"},
			"some amounts have points between thousands and others spaces")
	case own.point > 0 && own.comma > 0:
		d.ask("number_format", []string{"1,234.56", "1.234,56"}, "%s fits only 1,234.56 and %s only 1.234,56",
			own.pointed, own.commaed)
	case format != "" && own.three+own.point+own.comma > 0:
		d.set("number_format", format, "%s can be written in no other way", cmp.Or(own.pointed, own.commaed))
	case own.three == 0 && (all.format() == "" || all.point+all.comma == 0):
		d.set("number_format", "1,234.56", "all amounts are whole numbers")
	default:
		askNumberFormat(d, own, all)
	}
}

// unreadAmount is an example of amounts that no format can read, if they are more than a slip.
func unreadAmount(d *decisions) string {
	const few = 10
	for _, at := range d.money() {
		c := &d.columns[at]
		if odd := c.filled - c.numbers.count; odd > 1 && few*odd > c.filled {
			return c.odd
		}
	}
	return ""
}

// askNumberFormat is for amounts that all have three digits behind one mark, or none.
func askNumberFormat(d *decisions, own, all numberStyle) {
	if format := d.running.provenFormat(); format != "" && own.three > 0 {
		d.set("number_format", format, "only read so the balances add up")
		return
	}
	if format := all.format(); format != "" && all.point+all.comma > 0 {
		d.set("number_format", format, "%s in another column can be written in no other way",
			cmp.Or(all.pointed, all.commaed))
		return
	}
	asGroups := "1,234.56"
	if strings.Contains(own.three1, ".") {
		asGroups = "1.234,56"
	}
	if d.defaults.Currency.Code != "" && d.defaults.Currency.Exponent == 0 {
		d.set("number_format", asGroups, "%s has no decimals, so the mark in %s parts thousands",
			d.defaults.Currency.Code, own.three1)
		return
	}
	// A comma is left to be asked for: dinars that are never paid in their decimals are written 12,500.
	if d.defaults.Currency.Exponent == 3 && own.three == own.count && asGroups == "1.234,56" {
		d.set("number_format", "1,234.56", "%s has three decimals, as has every amount", d.defaults.Currency.Code)
		return
	}
	d.ask("number_format", []string{"1,234.56", "1.234,56"},
		"%s may be thousands or three decimals, and so may every other number with a mark", own.three1)
}

// decideFormats is for the types whose columns have names of their own: only formats are looked for.
func decideFormats(d *decisions) {
	c, err := table.FindColumns(d.out, d.kind, d.sheet.header, 1)
	if err != nil {
		return // reading the file says what is missing
	}
	within := func(at int) bool { return at >= 0 && at < len(d.columns) }
	d.date = c.At[record.FieldDate]
	if within(d.date) && d.columns[d.date].isDate && d.open("date_format") {
		decideDateFormat(d, &d.columns[d.date])
	}
	d.amount = c.At[record.FieldAmount]
	if within(d.amount) {
		decideNumberFormat(d)
	}
	d.out = d.out.WithDefaults()
}
