package ledger

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"finsvc/db"
	"finsvc/queries"
)

// Transfers are matched like this. Two transactions can be a pair when they belong to different accounts that
// are not disabled, the amounts are opposite in the same currency, the days are at most matchDays apart and the
// pair was not rejected. All such pairs have an order: comparePairs. What is matched is what comes out when the
// first pair in that order is joined, then the first of those that remain, and so on. It follows from the
// transactions alone, not from the order in which they were written. A change is worked in from where it
// happens: a transaction takes the best partner that would rather have it than what it has, and whoever is left
// by that looks for another.

// matchDays is how many days the sides of an automatic transfer may be apart.
const matchDays = 4

// maxMatchSteps bounds how far a change is followed. Each step joins a pair that is later in the order than
// the one before; it takes hundreds of payments of one amount in a row to come here.
const maxMatchSteps = 200

// matchSide is a transaction as the matching sees it. TransferID is 0 when it is in none.
type matchSide queries.GetMatchSideRow

func sideOf(t queries.Transaction) matchSide {
	side := matchSide{ID: t.ID, AccountID: t.AccountID, Amount: t.Amount, Currency: t.Currency, Name: t.Name}
	if t.TransferID != nil {
		side.TransferID = *t.TransferID
	}
	return side
}

func (s matchSide) day() Date { return Key(s.ID).Day() }

// window is the range of keys in which the other side may lie.
func (s matchSide) window() (first, last int64) {
	household := Key(s.ID).Household()
	return int64(FirstKey(household, max(s.day()-matchDays, MinDate))), int64(LastKey(household, min(s.day()+matchDays, MaxDate)))
}

// matchPair is two transactions that may be a transfer.
type matchPair struct{ in, out matchSide }

func pairOf(a, b matchSide) matchPair {
	if a.Amount < 0 {
		a, b = b, a
	}
	return matchPair{a, b}
}

func (p matchPair) isForeign() bool { return p.in.Currency != p.out.Currency }

// days is how many days lie between the sides.
func (p matchPair) days() int { return max(int(p.in.day()-p.out.day()), int(p.out.day()-p.in.day())) }

// comparePairs is the order in which pairs are joined: nearest days first, money that arrives after it left
// before money that arrives earlier, then whatever tells two transactions apart.
func comparePairs(a, b matchPair) int {
	return cmp.Or(compareBools(a.isForeign(), b.isForeign()), cmp.Compare(a.days(), b.days()),
		compareBools(a.in.day() < a.out.day(), b.in.day() < b.out.day()),
		compareSides(a.out, b.out), compareSides(a.in, b.in), cmp.Compare(a.out.ID, b.out.ID), cmp.Compare(a.in.ID, b.in.ID))
}

func compareSides(a, b matchSide) int {
	return cmp.Or(cmp.Compare(a.day(), b.day()), cmp.Compare(a.AccountID, b.AccountID), cmp.Compare(a.Name, b.Name))
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// matcher works one change in.
type matcher struct {
	l     *Ledger
	q     *queries.Queries
	who   Actor
	names *labels
	book  *rateBook
}

// rematch brings the automatic transfers up to date. here are the transactions that were written or freed;
// gone is how they were before, where that was different.
func (l *Ledger) rematch(ctx context.Context, q *queries.Queries, who Actor, names *labels, here, gone []matchSide) error {
	if len(names.accounts.byKey) < 2 {
		return nil
	}
	m := l.newMatcher(q, who, names)
	for _, side := range slices.Concat(here, gone) {
		m.book.window = span{min(m.book.window.first, side.day()-2*matchDays), max(m.book.window.last, side.day()+2*matchDays)}
	}
	if err := m.settleAll(ctx, here); err != nil || !names.severalCurrencies() {
		return err
	}
	return m.settleForeign(ctx, here, gone)
}

func (l *Ledger) newMatcher(q *queries.Queries, who Actor, names *labels) *matcher {
	return &matcher{l, q, who, names, newRateBook(q)}
}

// severalCurrencies says whether money can move between two currencies.
func (l *labels) severalCurrencies() bool {
	code := ""
	for _, account := range l.accounts.byKey {
		if code != "" && account.Currency != code {
			return true
		}
		code = account.Currency
	}
	return false
}

// settle works in a transaction that looks for a partner, and those that lose theirs by that.
func (m *matcher) settle(ctx context.Context, side matchSide) error {
	waiting := []matchSide{side}
	for step := 0; len(waiting) > 0 && step < maxMatchSteps; step++ {
		freed, err := m.improve(ctx, waiting[0])
		if err != nil {
			return err
		}
		waiting = append(waiting[1:], freed...)
	}
	return nil
}

// improve joins a transaction with the best of the partners that would have it, if that is better than what it
// has; it gives those that lose their partner by that.
func (m *matcher) improve(ctx context.Context, side matchSide) (freed []matchSide, err error) {
	candidates, err := m.candidates(ctx, side)
	if err != nil || len(candidates) == 0 {
		return nil, err
	}
	if side, err = m.side(ctx, side.ID); err != nil || side.ID == 0 {
		return nil, err
	}
	has, err := m.pair(ctx, side)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(candidates, func(a, b matchSide) int { return comparePairs(pairOf(side, a), pairOf(side, b)) })
	for _, other := range candidates {
		wish := pairOf(side, other)
		if !has.worseThan(wish) {
			return nil, nil
		}
		taken, err := m.pair(ctx, other)
		if err != nil {
			return nil, err
		}
		if taken.worseThan(wish) {
			return m.replace(ctx, wish, wish.reason(), has, taken)
		}
	}
	return nil, nil
}

// candidates are the transactions of the opposite amount that could be joined with this one.
func (m *matcher) candidates(ctx context.Context, side matchSide) ([]matchSide, error) {
	if side.Amount == 0 {
		return nil, nil
	}
	first, last := side.window()
	rows, err := m.q.ListTransferCandidates(ctx, queries.ListTransferCandidatesParams{HouseholdID: m.who.HouseholdID, Amount: -side.Amount,
		Currency: side.Currency, FirstKey: first, LastKey: last, AccountID: side.AccountID, ID: side.ID})
	list := make([]matchSide, len(rows))
	for i, row := range rows {
		list[i] = matchSide(row)
	}
	return list, err
}

// side reads a transaction; it is nothing when the transaction takes no part.
func (m *matcher) side(ctx context.Context, key int64) (matchSide, error) {
	row, err := m.q.GetMatchSide(ctx, queries.GetMatchSideParams{ID: key, HouseholdID: m.who.HouseholdID})
	if errors.Is(err, db.ErrNotFound) {
		return matchSide{}, nil
	}
	return matchSide(row), err
}

// held is the automatic transfer that a transaction is in; nil when it is in none.
type held struct {
	*transferPair
	matchPair
}

func (m *matcher) pair(ctx context.Context, side matchSide) (*held, error) {
	if side.TransferID == 0 {
		return nil, nil
	}
	pair, err := m.l.transferPair(ctx, m.q, m.who, side.TransferID)
	if err != nil {
		return nil, err
	}
	return &held{pair, matchPair{sideOf(pair.in), sideOf(pair.out)}}, nil
}

// worseThan says whether another pair comes before the one that is held, if any is.
func (h *held) worseThan(wish matchPair) bool { return h == nil || comparePairs(h.matchPair, wish) > 0 }

// replace joins a pair in place of those that its sides were in.
func (m *matcher) replace(ctx context.Context, wish matchPair, reason string, old ...*held) (freed []matchSide, err error) {
	for _, h := range old {
		if h == nil {
			continue
		}
		if err := m.l.partTransfer(ctx, m.q, m.who, h.transferPair); err != nil {
			return nil, err
		}
		for _, side := range []matchSide{h.matchPair.in, h.matchPair.out} {
			if side.ID != wish.in.ID && side.ID != wish.out.ID {
				freed = append(freed, side)
			}
		}
	}
	_, err = m.l.storeTransfer(ctx, m.q, m.who, queries.Transfer{Status: TransferPending, Reason: reason}, wish.in.ID, wish.out.ID)
	return freed, err
}

// reason says why two transactions of one currency were matched.
func (p matchPair) reason() string {
	return fmt.Sprintf("%s left one account and arrived in another, %s", written(p.in.Amount, p.in.Currency), p.apart())
}

func (p matchPair) apart() string {
	switch days := p.days(); days {
	case 0:
		return "on the same day"
	case 1:
		return "one day apart"
	default:
		return fmt.Sprintf("%d days apart", days)
	}
}

// written is an amount in a sentence that is stored.
func written(minor int64, code string) string {
	currency, _ := LookupCurrency(code) // what is stored was looked up
	return currency.Plain(minor) + " " + code
}
