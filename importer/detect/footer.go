package detect

import (
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/importer/text"
	"finsvc/ledger"
)

// decideFooter counts the records at the end that are no data: no date, and no amount unless it is called a total.
func decideFooter(d *decisions) {
	if !d.open("footer") || len(d.tail) == 0 || len(d.tail) > record.MaxFooter || d.date < 0 {
		return
	}
	n := 0
	for i := len(d.tail) - 1; i >= 0 && isFooter(d, d.tail[i]); i-- {
		n++
	}
	if n > 0 {
		d.set("footer", formatInt(n), "the last of the records have no date and no amount of their own, such as %s", ledger.Quote(strings.Join(d.tail[len(d.tail)-n], " ")))
	}
}

func isFooter(d *decisions, cells []string) bool {
	if tellsBalance(d.profile, cells) >= 0 {
		return true
	}
	if strings.ContainsAny(text.CellAt(cells, d.date), "0123456789") && len(cells) > 1 && len(text.CellAt(cells, d.date)) < 12 {
		return false // a date that is written wrong
	}
	for _, cell := range cells {
		plain, _ := lexicon.PlainHeader(cell)
		first, _, _ := strings.Cut(plain, " ")
		last := plain[strings.LastIndex(plain, " ")+1:]
		if table.EndsTable(plain) || table.EndsTable(first) || table.EndsTable(last) {
			return true
		}
	}
	for _, at := range []int{d.amount, d.debit, d.credit} {
		if at >= 0 && notation.ShapeOf(text.CellAt(cells, at)).Number {
			return false
		}
	}
	return true
}
