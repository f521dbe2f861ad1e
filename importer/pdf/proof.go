package pdf

import (
	"fmt"
	"slices"

	"finsvc/ledger/money"
)

// guess is one way in which the entries of a sheet may be meant.
type guess struct {
	sheet    *sheet
	columns  []column
	roles    []role // of the columns
	sections sectionUse
	dateless bool  // entries without a date of their own are rows
	relative bool  // a minus in a column of debits or credits means the opposite
	amounts  int64 // sign of the amounts without a mark: 1 when a positive one is money in
	balances int64 // sign of the balances without a mark: 1 when a positive one is money that is there
}

// sectionUse is what the headings of groups, such as Withdrawals, say of the rows below them.
type sectionUse int

const (
	noSections sectionUse = iota
	sectionSigns
	sectionRelative // a minus means the opposite of what the heading says
)

// pdfBooked is an entry that is a row, and what it moves: minor units, positive into the account.
type pdfBooked struct {
	entry   *entry
	minor   int64
	balance *int64 // after it, when it is printed
}

// reading is what a guess makes of a sheet.
type reading struct {
	guess            guess
	rows             []pdfBooked
	opening, closing int64
	known            bool // there are balances to prove it with
	proven           bool
}

// read applies the guess; ok is false when it contradicts itself.
func (g guess) read() (r reading, ok bool) {
	r.guess = g
	for _, e := range g.sheet.entries {
		if !e.own && !g.dateless {
			continue
		}
		row, is, ok := g.row(e)
		if !ok {
			return r, false
		}
		if is {
			r.rows = append(r.rows, row)
		}
	}
	r.prove()
	return r, len(r.rows) > 0
}

// row gives the row that an entry is; is says whether it is one.
func (g guess) row(e *entry) (row pdfBooked, is, ok bool) {
	row.entry = e
	var debit, credit, amount *pdfAmount
	for _, p := range e.pieces {
		if p.amount == nil {
			continue
		}
		switch g.roles[p.column] {
		case pdfRoleAmount:
			amount = p.amount
		case pdfRoleDebit:
			debit = p.amount
		case pdfRoleCredit:
			credit = p.amount
		case pdfRoleBalance:
			balance := p.amount.signed(g.balances)
			row.balance = &balance
		case pdfRoleNone, pdfRoleDate, pdfRoleValue, pdfRoleText:
		}
	}
	switch {
	case debit != nil && credit != nil && debit.value != 0 && credit.value != 0:
		return row, false, false
	case debit != nil && (credit == nil || debit.value != 0):
		row.minor = -g.magnitude(debit)
	case credit != nil:
		row.minor = g.magnitude(credit)
	case amount == nil:
		return row, false, true
	default:
		row.minor = g.minor(e, amount)
	}
	return row, true, true
}

func (g guess) magnitude(a *pdfAmount) int64 {
	if g.relative {
		return a.value
	}
	return max(a.value, -a.value)
}

func (g guess) minor(e *entry, a *pdfAmount) int64 {
	switch {
	case g.sections == noSections || e.section == 0 || a.mark != 0:
		return a.signed(g.amounts)
	case g.sections == sectionRelative:
		return e.section * a.value
	}
	return e.section * max(a.value, -a.value)
}

// prove looks for balances between which the rows lead, in this order or the other.
func (r *reading) prove() {
	openings, closings := r.guess.sheet.ends(r.guess.balances)
	brought, carried := r.guess.sheet.carried(r.guess.balances)
	if len(openings) == 0 {
		openings = brought
	}
	for _, reversed := range []bool{false, true} {
		rows := r.rows
		if reversed {
			rows = slices.Clone(rows)
			slices.Reverse(rows)
		}
		ends := closings
		if last := lastBalance(rows); len(ends) == 0 && last != nil {
			ends = []int64{*last}
		}
		if len(closings) == 0 {
			ends = append(ends, carried...)
		}
		for _, opening := range openings {
			for _, closing := range ends {
				if !r.known {
					r.opening, r.closing, r.known = opening, closing, true
				}
				if leads(rows, opening, closing) {
					r.opening, r.closing, r.proven = opening, closing, true
					return
				}
			}
		}
	}
}

func lastBalance(rows []pdfBooked) *int64 {
	if len(rows) == 0 {
		return nil
	}
	return rows[len(rows)-1].balance
}

// leads reports whether the rows lead from one balance to the other, through every balance that is printed beside them.
func leads(rows []pdfBooked, opening, closing int64) bool {
	sum := opening
	for _, row := range rows {
		sum += row.minor
		if row.balance != nil && *row.balance != sum || max(sum, -sum) > money.MaxMinor {
			return false
		}
	}
	return sum == closing
}

// sum is what the rows come to.
func (r *reading) sum() (sum money.Sum) {
	for _, row := range r.rows {
		sum.Add(row.minor)
	}
	return sum
}

// doubt says what does not add up, with the figures.
func (r *reading) doubt(c money.Currency) string {
	if !r.known {
		return "names no opening and closing balance, so nothing proves that its rows were read right: it cannot be imported as PDF. Get the bank's CSV instead"
	}
	text := fmt.Sprintf("does not add up as it was read: opening balance %s, the sum of %d rows %s, closing balance %s",
		c.Plain(r.opening), len(r.rows), c.PlainSum(r.sum()), c.Plain(r.closing))
	if rest := money.SumOf(r.closing).Minus(money.SumOf(r.opening)).Minus(r.sum()); rest != (money.Sum{}) {
		return text + fmt.Sprintf("; the difference is %s. Get the bank's CSV instead", c.PlainSum(rest))
	}
	return text + "; but " + r.misstep(c) + ". Get the bank's CSV instead"
}

// misstep is the first row whose printed balance is not what the rows come to.
func (r *reading) misstep(c money.Currency) string {
	sum := money.SumOf(r.opening)
	for i, row := range r.rows {
		sum.Add(row.minor)
		if row.balance != nil && money.SumOf(*row.balance) != sum {
			return fmt.Sprintf("the balance after row %d is %s, and the rows come to %s", i+1, c.Plain(*row.balance),
				c.PlainSum(sum))
		}
	}
	return "the balances beside the rows are not theirs"
}
