package importer

import (
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/money"
)

// statement proves the balances of one account in a file: the one before its first row, the one after its last, and so that of each day. Every
// balance beside a row must be the one before plus the amounts between them, from the first row to the last or from the last to the first, and of
// what is owed minus them.
type statement struct {
	account     int64 // inner key; 0 when it is yet to be created
	name        string
	currency    money.Currency
	owed        bool // the account is a card or a loan: its balances may be what is owed
	rows, steps int
	broken      bool   // a row could not be read, or the amounts cannot be added
	down, up    [2]int // how many steps add up with the newest row first, or the oldest, by the sign of the balances (0: as the amounts, 1: as what is owed)

	sum            int64 // of the amounts of all rows so far
	begun          bool  // there is a balance
	first, last    balanceAt
	firstDay       ledger.Date // of the first row, and of the last
	lastDay        ledger.Date
	minDay, maxDay ledger.Date
	moved          map[ledger.Date]int64 // what moved on each day
	row            Row                   // the first, as far as it names the account

	opening, closing int64 // before the first day and after the last, as money in the account, when that is sure
	sure             bool
}

// balanceAt is a balance beside a row, and what moved up to that row, with it and without it.
type balanceAt struct{ balance, with, without int64 }

// mostMoved is the most that rows may come to for a statement to be proved: the difference of two such sums, and a balance besides, is an amount
// still. It is far beyond every balance that can be written.
const mostMoved = 1 << 60

func newStatement(account int64, name string, currency money.Currency, owed bool) *statement {
	return &statement{account: account, name: name, currency: currency, owed: owed, moved: map[ledger.Date]int64{}}
}

// add takes in a row that is booked, or is there already.
func (s *statement) add(row Row) {
	without := s.sum
	if row.Currency.Code != s.currency.Code {
		s.broken = true
	}
	if abs(s.sum) > mostMoved || abs(s.moved[row.Date]) > mostMoved {
		s.broken = true
		return
	}
	s.sum += row.Minor
	if s.rows++; s.rows == 1 {
		s.firstDay, s.minDay, s.maxDay = row.Date, row.Date, row.Date
	}
	s.lastDay, s.minDay, s.maxDay = row.Date, min(s.minDay, row.Date), max(s.maxDay, row.Date)
	s.moved[row.Date] += row.Minor
	if !row.HasBalance {
		return
	}
	here := balanceAt{row.Balance, s.sum, without}
	if !s.begun {
		s.first, s.begun = here, true
	} else {
		s.step(here)
	}
	s.last = here
}

// step compares two balances that follow one another.
func (s *statement) step(here balanceAt) {
	s.steps++
	rise := here.balance - s.last.balance
	for i, sign := range [2]int64{1, -1} {
		s.up[i] += one(rise == sign*(here.with-s.last.with))
		s.down[i] += one(-rise == sign*(here.without-s.last.without))
	}
}

// proof gives the balances before the first day and after the last, as money in the account: what is owed is negative. ok is false when not every
// step adds up, when none is there, or when it does in two ways that differ.
func (s *statement) proof() (opening, closing int64, ok bool) {
	if s.broken || s.steps == 0 {
		return 0, 0, false
	}
	type pair struct{ opening, closing int64 }
	var found []pair
	for i, sign := range s.signs() {
		if s.up[i] == s.steps && s.firstDay <= s.lastDay {
			found = append(found, pair{sign*s.first.balance - s.first.with, sign*s.last.balance + s.sum - s.last.with})
		}
		if s.down[i] == s.steps && s.lastDay <= s.firstDay {
			found = append(found, pair{sign*s.last.balance - (s.sum - s.last.without), sign*s.first.balance + s.first.without})
		}
	}
	for _, other := range found {
		if other != found[0] {
			return 0, 0, false
		}
	}
	if len(found) == 0 {
		return 0, 0, false
	}
	return found[0].opening, found[0].closing, true
}

// signs are those that balances may have: only what is owed falls by money in.
func (s *statement) signs() []int64 {
	if s.owed {
		return []int64{1, -1}
	}
	return []int64{1}
}

// misses is how many steps do not add up in the reading by which most do.
func (s *statement) misses() int {
	most := 0
	for i := range s.signs() {
		most = max(most, s.up[i], s.down[i])
	}
	return s.steps - most
}

// readBalance reads the balance beside a row. A cell that is none is no error: it only proves nothing.
func (r *Rows) readBalance(row *Row) {
	cell := r.columns.cell(row.Raw, fieldBalance)
	if empty(cell) {
		return
	}
	minor, err := r.rules.numbers.minor(cell, row.Currency)
	row.Balance, row.HasBalance = minor, err == nil
}

// statements are those of a file, by account and currency.
type statements struct {
	list  map[statementKey]*statement
	owed  func(account int64) bool
	wrong bool // a row that could not be read belongs to an account that is not known
}

type statementKey struct{ name, currency string }

// maxStatements is how many accounts of a file are looked at.
const maxStatements = 100

// note takes in a row of the file, whatever becomes of it.
func (s *statements) note(row Row, account func(Row) int64) {
	switch {
	case len(row.Issues) > 0:
		s.wrong = true
	case row.Planned() && row.Entity() == "":
		s.add(row, account(row))
	}
}

func (s *statements) add(row Row, account int64) {
	key := statementKey{accountName(row), row.Currency.Code}
	one := s.list[key]
	if one == nil {
		if len(s.list) >= maxStatements {
			return
		}
		one = newStatement(account, strings.Clone(row.Account), row.Currency, s.owed(account))
		one.row = justNames(row)
		s.list[statementKey{strings.Clone(key.name), key.currency}] = one
	}
	one.add(row)
}
