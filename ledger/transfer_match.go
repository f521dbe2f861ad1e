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
// transactions alone, not from the order in which they were written, and is the only matching in which no two
// transactions would both rather have each other than what they have. So there are two ways to it, which come to
// the same: a change is worked in from where it happens (class.settle), and around many changes the whole is made
// anew (class.recompute).
//
// Of equal amounts there may be thousands. That a change stays small then is due to the last part of the order:
// among pairs of the same days and accounts, those come first whose names lie closest to each other, as numbers
// that are made of them. In an order by name, one more at its beginning would part all pairs and join each to the
// next one's partner; in this one only the few around it change.

// matchDays is how many days the sides of an automatic transfer may be apart.
const matchDays = 4

// matchOffsets are by how many days the inflow may come after the outflow, in the order in which pairs are joined:
// nearest days first, money that arrives after it left before money that arrives earlier.
var matchOffsets = [...]Date{0, 1, -1, 2, -2, 3, -3, 4, -4}

// matchReach is how many days away a change can still be felt. Pairs of one offset and one day of the outflow have
// nothing to do with other pairs of that offset, so that what changes goes from one offset to the next and at most so
// many days further with each.
const matchReach = 2 * (1 + 2 + 3 + 4)

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
	return keysOfDays(Key(s.ID).Household(), s.day()-matchDays, s.day()+matchDays)
}

// keysOfDays is the range of keys of some days.
func keysOfDays(household int64, first, last Date) (from, to int64) {
	return int64(FirstKey(household, max(first, MinDate))), int64(LastKey(household, min(last, MaxDate)))
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

// matcher works one change in.
type matcher struct {
	l        *Ledger
	q        *queries.Queries
	who      Actor
	names    *labels
	book     *rateBook
	importID int64 // of which the transfers within it need no entry in the history; 0 for none
}

// rematch brings the automatic transfers up to date. here are the transactions that were written or freed;
// gone is how they were before, where that was different.
func (l *Ledger) rematch(ctx context.Context, q *queries.Queries, who Actor, names *labels, here, gone []matchSide) error {
	if len(names.accounts.byKey) < 2 {
		return nil
	}
	m := l.newMatcher(q, who, names)
	if err := m.settleAll(ctx, here); err != nil || !names.severalCurrencies() {
		return err
	}
	return m.settleForeign(ctx, here, gone)
}

func (l *Ledger) newMatcher(q *queries.Queries, who Actor, names *labels) *matcher {
	return &matcher{l: l, q: q, who: who, names: names, book: newRateBook(q)}
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

// classKey names the transactions that can be sides of transfers of one amount.
type classKey struct {
	amount   int64 // without its sign
	currency string
}

func (s matchSide) class() classKey { return classKey{max(s.Amount, -s.Amount), s.Currency} }

// fewSides is up to how many transactions of one amount are worked in one by one. Around more of them all is matched
// anew.
const fewSides = 20

// settleAll works in transactions that look for a partner.
func (m *matcher) settleAll(ctx context.Context, here []matchSide) error {
	here, err := m.withOpposite(ctx, here)
	if err != nil {
		return err
	}
	slices.SortStableFunc(here, func(a, b matchSide) int {
		return cmp.Or(cmp.Compare(a.class().amount, b.class().amount), cmp.Compare(a.Currency, b.Currency), cmp.Compare(a.ID, b.ID))
	})
	for len(here) > 0 {
		key, n := here[0].class(), 1
		for n < len(here) && here[n].class() == key {
			n++
		}
		if err := m.settleClass(ctx, key, here[:n]); err != nil {
			return err
		}
		here = here[n:]
	}
	return nil
}

// withOpposite leaves out those that nothing can be the other side of, when there are so many that it is worth
// asking for all at once.
func (m *matcher) withOpposite(ctx context.Context, here []matchSide) (found []matchSide, err error) {
	for _, side := range here {
		if side.Amount != 0 {
			found = append(found, side)
		}
	}
	if len(found) <= fewSides {
		return found, nil
	}
	keys := make([]int64, len(found))
	for i, side := range found {
		keys[i] = side.ID
	}
	matching := make(map[int64]bool, len(keys))
	for part := range slices.Chunk(keys, 1000) {
		some, err := m.q.ListKeysWithOpposite(ctx, queries.ListKeysWithOppositeParams{Ids: jsonArray(part), HouseholdID: m.who.HouseholdID})
		if err != nil {
			return nil, err
		}
		for _, key := range some {
			matching[key] = true
		}
	}
	return slices.DeleteFunc(found, func(s matchSide) bool { return !matching[s.ID] }), nil
}

// settleClass does so for those of one amount.
func (m *matcher) settleClass(ctx context.Context, key classKey, here []matchSide) error {
	if len(here) > fewSides {
		days := make([]Date, len(here))
		for i, side := range here {
			days[i] = side.day()
		}
		return m.recompute(ctx, key, days)
	}
	c := m.newClass(key)
	for _, side := range here {
		if err := c.settle(ctx, side); err != nil {
			return err
		}
	}
	return c.store(ctx)
}

// candidates are the first transactions of the opposite amount that could be joined with this one, at most count; those of
// one account when that is not 0.
func (m *matcher) candidates(ctx context.Context, side matchSide, account int64, count int) ([]matchSide, error) {
	if side.Amount == 0 {
		return nil, nil
	}
	first, last := side.window()
	rows, err := m.q.ListTransferCandidates(ctx, queries.ListTransferCandidatesParams{HouseholdID: m.who.HouseholdID, Amount: -side.Amount,
		Currency: side.Currency, FirstKey: first, LastKey: last, AccountID: side.AccountID, OtherAccountID: account, ID: side.ID, Count: int64(count)})
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
