package detect

import (
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/record"
	"finsvc/importer/table"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/money"
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
		d.set("footer", formatInt(n), "the last of the records have no date and no amount of their own, such as %s",
			ledger.Quote(strings.Join(d.tail[len(d.tail)-n], " ")))
	}
}

func isFooter(d *decisions, cells []string) bool {
	if tellsBalance(d.profile, cells) >= 0 {
		return true
	}
	if strings.ContainsAny(text.CellAt(cells, d.date), "0123456789") && len(cells) > 1 &&
		len(text.CellAt(cells, d.date)) < 12 {
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

// separatingFilter is a filter by a column that has one and the same value in all payments and another one in every
// row that tells a balance, such as the kind of a record; blank when there is none.
func separatingFilter(p *profile) string {
	rows := slices.Concat(p.balanceRows.rows, p.tail)
	for i := range p.columns {
		c := &p.columns[i]
		if c.varies || c.same == "" || c.isDate || len(p.balanceRows.rows) >= maxWords {
			continue
		}
		if !slices.ContainsFunc(rows, func(cells []string) bool { return text.CellAt(cells, i) == c.same }) {
			return p.label(i) + "=" + c.same
		}
	}
	return ""
}

// edgeBalance reports whether the first or the last payment is the only one whose name says no more than balance.
func edgeBalance(d *decisions) bool {
	a := d.balanceRows
	ends := a.bares > 0 && text.CellAt(a.last, a.bareAt) == a.bare
	return a.bares == 1 && (a.begins || ends) && d.label(a.bareAt) == record.Given(d.out.NameColLabel)
}

// lastRow is what arithmetic says of a last row that is called a total or a balance.
type lastRow int

const (
	nothingSaid lastRow = iota
	sumsUp              // it is the sum of the rows before it, or the balance that they lead to
	isPayment           // it is neither
)

// decideTotal decides about a last row that is called a total or a balance: one that sums up the others is left out as
// a footer, one that does not is a payment like any other, and where neither is sure it is asked. An answer to another
// question may decide it, so it comes last.
func decideTotal(d *decisions) {
	a := d.balanceRows
	at := slices.IndexFunc(a.last, func(cell string) bool { return lexicon.Has(lexicon.Total, cell) })
	balance := at < 0 && edgeBalance(d)
	if balance {
		at = a.bareAt
	}
	if at < 0 || len(d.questions) > 0 || footerRows(d) > len(d.tail) {
		return
	}
	atEnd := text.CellAt(a.last, at) == a.bare || !balance
	said, why := nothingSaid, ""
	if atEnd && footerRows(d) == len(d.tail) {
		said, why = lastSums(d, balance)
	}
	filter, word := d.label(at)+"!="+text.CellAt(a.last, at), ledger.Quote(text.CellAt(a.last, at))
	switch {
	case said == isPayment:
	case said == sumsUp && d.open("footer"):
		d.out.Footer = nil
		d.set("footer", strconv.Itoa(len(d.tail)+1), "the last row is called %s, and %s", word, why)
	case answersRow(d.profile, at):
	case balance:
		d.ask(rowSetting(d.profile), rowAnswers(d, d.label(at)+"!="+a.bare),
			"the only row called %s is the first or the last one and may tell the balance; give a filter that keeps it if it is a payment", ledger.Quote(a.bare))
	default:
		d.ask(rowSetting(d.profile), rowAnswers(d, filter), "the last row is called %s, and may sum up the others; give a filter that keeps it if it does not", word)
	}
}

// footerRows is the number of records at the end that are left out.
func footerRows(d *decisions) int {
	n, err := strconv.Atoi(record.Given(d.out.Footer))
	if err != nil {
		return 0
	}
	return n
}

// answersRow reports whether a filter was given that is about the column in which the last row is called a total.
func answersRow(p *profile, at int) bool {
	if !p.open("footer") {
		return true
	}
	label := record.Given(record.FilterLabel(p.given))
	found, err := table.Columns{Header: p.sheet.header}.Named(label, "")
	return label != "" && err == nil && found == at
}

// rowSetting is the setting by which a row is left out: another filter may be given already.
func rowSetting(p *profile) string {
	if p.open("row_filter") {
		return "row_filter"
	}
	return "footer"
}

func rowAnswers(d *decisions, filter string) []string {
	if d.open("row_filter") {
		return []string{filter}
	}
	return []string{strconv.Itoa(footerRows(d)), strconv.Itoa(footerRows(d) + 1)}
}

// rowSums are the sums of what rows book, in the minor units of the currency of the last one, and how many rows there
// are of each. They are no amounts: as many rows as a file may have come to more than one holds, and a sum that goes
// round would prove what is not so.
type rowSums struct {
	in, out   money.Sum
	ins, outs int
}

// lastSums reads the file as it was decided and holds its last row against the others. A sum that one row makes alone
// proves nothing: that may be chance. Rows that cannot be read leave it open.
func lastSums(d *decisions, balance bool) (lastRow, string) {
	rows, err := table.NewRows(d.file, d.out, d.defaults)
	if err != nil {
		return nothingSaid, ""
	}
	var list []record.Record // the last two
	all := map[string]*rowSums{}
	for {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nothingSaid, ""
		}
		if row.Skipped != "" {
			continue
		}
		if len(list) > 0 {
			before := list[len(list)-1]
			if len(before.Issues) > 0 {
				return nothingSaid, ""
			}
			sums := all[before.Currency.Code]
			if sums == nil {
				sums = &rowSums{}
				all[before.Currency.Code] = sums
			}
			sums.add(before.Minor)
		}
		list = append(list, row)
		list = list[max(0, len(list)-2):]
	}
	if len(list) < 2 || !slices.Equal(list[1].Raw, d.balanceRows.last) {
		return nothingSaid, ""
	}
	sums := all[list[1].Currency.Code]
	if sums == nil {
		return nothingSaid, ""
	}
	if said, why := againstBalance(d.profile, rows, list[0], list[1]); said != nothingSaid {
		return said, why
	}
	if balance {
		return nothingSaid, "" // what stood on the account before is not known
	}
	return againstSums(d, rows, list[1], *sums)
}

func (s *rowSums) add(minor int64) {
	if minor > 0 {
		s.in.Add(minor)
		s.ins++
	}
	if minor < 0 {
		s.out.Sub(minor)
		s.outs++
	}
}

// againstBalance holds the last row against a column of balances: a payment moves the balance by what it books, what
// only tells a sum or the balance leaves it as it was.
func againstBalance(p *profile, rows *table.Rows, before, last record.Record) (lastRow, string) {
	for _, at := range p.byRole(lexicon.RoleBalance, func(c *column) bool { return c.isNumber && c.filled > 0 }) {
		read := func(row record.Record) (int64, bool) {
			cell := text.CellAt(row.Raw, at)
			n, err := rows.Rules.Numbers.Minor(cell, row.Currency)
			return n, cell != "" && err == nil
		}
		now, fine := read(last)
		was, known := read(before)
		switch {
		case !fine || !known || before.Currency != last.Currency:
		case len(last.Issues) == 0 && last.Minor != 0 && (now-was == last.Minor ||
			p.defaults.Liability && was-now == last.Minor):
			return isPayment, ""
		case now == was && (len(last.Issues) > 0 || last.Minor != 0):
			return sumsUp, "the balance in " + p.title(at) + " stays as it was"
		}
	}
	return nothingSaid, ""
}

// againstSums holds the amounts of the last row against those of all rows before it.
func againstSums(d *decisions, rows *table.Rows, last record.Record, s rowSums) (lastRow, string) {
	if d.debit >= 0 && d.credit >= 0 && len(last.Issues) > 0 {
		side := func(at int) money.Sum {
			n, _ := rows.Rules.Numbers.Minor(text.CellAt(last.Raw, at), last.Currency)
			return money.SumOf(max(n, -n))
		}
		if side(d.debit) == s.out && side(d.credit) == s.in && s.ins+s.outs > 1 {
			return sumsUp, "it has the sums of both columns"
		}
		return nothingSaid, ""
	}
	size, proven := max(last.Minor, -last.Minor), false
	if len(last.Issues) > 0 && d.amount >= 0 { // such as a row that has no word for its side
		n, err := rows.Rules.Numbers.Minor(text.CellAt(last.Raw, d.amount), last.Currency)
		size = max(n, -n)
		if err != nil {
			size = 0
		}
	}
	if size == 0 {
		return nothingSaid, ""
	}
	for _, sum := range []struct {
		is   money.Sum
		rows int
	}{{s.in.Minus(s.out), s.ins + s.outs}, {s.out.Minus(s.in), s.ins + s.outs}, {s.in.Plus(s.out), s.ins + s.outs},
		{s.in, s.ins}, {s.out, s.outs}} {
		if money.SumOf(size) != sum.is {
			continue
		}
		if sum.rows < 2 {
			return nothingSaid, ""
		}
		proven = true
	}
	if proven {
		return sumsUp, "its amount is the sum of those before it"
	}
	return isPayment, ""
}
