package record

import (
	"cmp"
	"slices"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/money"
)

// Proved are the statements that are proved, by account.
func (s *Statements) Proved(rows Reader) []*Statement {
	if s == nil || s.wrong {
		return nil
	}
	if told, ok := rows.(Stated); ok && len(s.List) == 1 {
		for _, one := range s.List {
			one.Opening, one.Closing, one.sure = told.Balances()
			if !one.sure {
				return nil
			}
			return []*Statement{one}
		}
	}
	var list []*Statement
	for _, one := range s.List {
		one.Opening, one.Closing, one.sure = one.proof()
		if one.sure {
			list = append(list, one)
		}
	}
	slices.SortFunc(list, func(a, b *Statement) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.Currency.Code, b.Currency.Code))
	})
	return list
}

// Includes reports whether the balances include the rows that a statement has more than another: they have balances, too,
// and these add up.
func (s *Statement) Includes(than *Statement) bool {
	return s.misses() < than.misses() || s.misses() == than.misses() && s.steps > than.steps
}

// Statement proves the balances of one account in a file: the one before its first row, the one after its last, and so
// that of each day. Every balance beside a row must be the one before plus the amounts between them, from the first
// row to the last or from the last to the first, and of what is owed minus them.
type Statement struct {
	Account     int64 // inner key; 0 when it is yet to be created
	name        string
	Currency    money.Currency
	Owed        bool // the account is a card or a loan: its balances may be what is owed
	rows, steps int
	broken      bool // a row could not be read, or the amounts cannot be added
	// how many steps add up with the newest row first, or the oldest, by the sign of the balances (0: as the amounts,
	// 1: as what is owed)
	down, up [2]int

	sum            int64 // of the amounts of all rows so far
	begun          bool  // there is a balance
	first, last    balanceAt
	firstDay       ledger.Date // of the first row, and of the last
	lastDay        ledger.Date
	MinDay, MaxDay ledger.Date
	Moved          map[ledger.Date]int64 // what moved on each day
	Row            Record                // the first, as far as it names the account

	Opening, Closing int64 // before the first day and after the last, as money in the account, when that is sure
	sure             bool
}

// balanceAt is a balance beside a row, and what moved up to that row, with it and without it.
type balanceAt struct{ balance, with, without int64 }

// mostMoved is the most that rows may come to for a statement to be proved: the difference of two such sums, and a
// balance besides, is an amount still. It is far beyond every balance that can be written.
const mostMoved = 1 << 60

func NewStatement(account int64, name string, currency money.Currency, owed bool) *Statement {
	return &Statement{Account: account, name: name, Currency: currency, Owed: owed, Moved: map[ledger.Date]int64{}}
}

// Add takes in a row that is booked, or is there already.
func (s *Statement) Add(row Record) {
	without := s.sum
	if row.Currency.Code != s.Currency.Code {
		s.broken = true
	}
	if max(s.sum, -s.sum) > mostMoved || max(s.Moved[row.Date], -s.Moved[row.Date]) > mostMoved {
		s.broken = true
		return
	}
	s.sum += row.Minor
	s.rows++
	if s.rows == 1 {
		s.firstDay, s.MinDay, s.MaxDay = row.Date, row.Date, row.Date
	}
	s.lastDay, s.MinDay, s.MaxDay = row.Date, min(s.MinDay, row.Date), max(s.MaxDay, row.Date)
	s.Moved[row.Date] += row.Minor
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
func (s *Statement) step(here balanceAt) {
	s.steps++
	rise := here.balance - s.last.balance
	for i, sign := range [2]int64{1, -1} {
		if rise == sign*(here.with-s.last.with) {
			s.up[i]++
		}
		if -rise == sign*(here.without-s.last.without) {
			s.down[i]++
		}
	}
}

// proof gives the balances before the first day and after the last, as money in the account: what is owed is negative.
// ok is false when not every step adds up, when none is there, or when it does in two ways that differ.
func (s *Statement) proof() (opening, closing int64, ok bool) {
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
			found = append(found, pair{sign*s.last.balance - (s.sum - s.last.without),
				sign*s.first.balance + s.first.without})
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
func (s *Statement) signs() []int64 {
	if s.Owed {
		return []int64{1, -1}
	}
	return []int64{1}
}

// misses is how many steps do not add up in the reading by which most do.
func (s *Statement) misses() int {
	most := 0
	for i := range s.signs() {
		most = max(most, s.up[i], s.down[i])
	}
	return s.steps - most
}

// Statements are those of a file, by account and currency.
type Statements struct {
	List  map[StatementKey]*Statement
	Owed  func(account int64) bool
	wrong bool // a row that could not be read belongs to an account that is not known
}

type StatementKey struct{ name, currency string }

// maxStatements is how many accounts of a file are looked at.
const maxStatements = 100

// Note takes in a row of the file, whatever becomes of it.
func (s *Statements) Note(row Record, account func(Record) int64) {
	switch {
	case len(row.Issues) > 0:
		s.wrong = true
	case row.Planned() && row.Entity() == "":
		s.add(row, account(row))
	}
}

func (s *Statements) add(row Record, account int64) {
	key := StatementKey{AccountName(row), row.Currency.Code}
	one := s.List[key]
	if one == nil {
		if len(s.List) >= maxStatements {
			return
		}
		one = NewStatement(account, strings.Clone(row.Account), row.Currency, s.Owed(account))
		one.Row = JustNames(row)
		s.List[StatementKey{strings.Clone(key.name), key.currency}] = one
	}
	one.Add(row)
}
