package transfer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// Counterpart is the only transaction of an account that can be the other side of one, given by its key; nothing
// when there is none, or several.
func (m *matcher) Counterpart(ctx context.Context, key, account int64) (CandidateLeg, error) {
	side, err := m.Side(ctx, key)
	if err != nil || side.ID == 0 {
		return CandidateLeg{}, err
	}
	candidates, err := m.candidates(ctx, side, account, 2)
	if err != nil || len(candidates) != 1 {
		return CandidateLeg{}, err
	}
	return candidates[0], nil
}

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
var matchOffsets = [...]ledger.Date{0, 1, -1, 2, -2, 3, -3, 4, -4}

// matchReach is how many days away a change can still be felt. Pairs of one offset and one day of the outflow have
// nothing to do with other pairs of that offset, so that what changes goes from one offset to the next and at most so
// many days further with each.
const matchReach = 2 * (1 + 2 + 3 + 4)

// CandidateLeg is a transaction as the matching sees it. TransferID is 0 when it is in none.
type CandidateLeg queries.GetMatchSideRow

func SideOf(t queries.Transaction) CandidateLeg {
	side := CandidateLeg{ID: t.ID, AccountID: t.AccountID, Amount: t.Amount, Currency: t.Currency, Name: t.Name}
	if t.TransferID != nil {
		side.TransferID = *t.TransferID
	}
	return side
}

func (s CandidateLeg) day() ledger.Date { return ledger.Key(s.ID).Day() }

// window is the range of keys in which the other side may lie.
func (s CandidateLeg) window() (first, last int64) {
	return keysOfDays(ledger.Key(s.ID).Household(), s.day()-matchDays, s.day()+matchDays)
}

// keysOfDays is the range of keys of some days.
func keysOfDays(household int64, first, last ledger.Date) (from, to int64) {
	return int64(ledger.FirstKey(household, max(first, ledger.MinDate))),
		int64(ledger.LastKey(household, min(last, ledger.MaxDate)))
}

// matchPair is two transactions that may be a transfer.
type matchPair struct{ In, Out CandidateLeg }

func PairOf(a, b CandidateLeg) matchPair {
	if a.Amount < 0 {
		a, b = b, a
	}
	return matchPair{a, b}
}

func (p matchPair) isForeign() bool { return p.In.Currency != p.Out.Currency }

// days is how many days lie between the sides.
func (p matchPair) days() int { return max(int(p.In.day()-p.Out.day()), int(p.Out.day()-p.In.day())) }

// matcher works one change in.
type matcher struct {
	s        *Service
	tx       *ledger.Tx
	book     *fx.RateBook
	ImportID int64 // of which the transfers within it need no entry in the history; 0 for none
}

// Rematch brings the automatic transfers up to date. here are the transactions that were written or freed;
// gone is how they were before, where that was different.
func (s *Service) Rematch(ctx context.Context, tx *ledger.Tx, here, gone []CandidateLeg) error {
	if len(tx.Refs.Accounts.ByKey) < 2 {
		return nil
	}
	m := s.NewMatcher(tx)
	if err := m.settleAll(ctx, here); err != nil || !tx.Refs.SeveralCurrencies() {
		return err
	}
	here, gone, err := m.withoutRenamed(ctx, here, gone)
	if err != nil {
		return err
	}
	return m.settleForeign(ctx, here, gone)
}

// withoutRenamed leaves out transactions of which nothing but the name was changed, and whose partner is who it was: names
// decide between partners of one amount, and nothing across currencies.
func (m *matcher) withoutRenamed(ctx context.Context, here, gone []CandidateLeg) (stay, left []CandidateLeg, err error) {
	before := make(map[int64]CandidateLeg, len(gone))
	for _, side := range gone {
		before[side.ID] = side
	}
	renamed := map[int64]bool{}
	for _, side := range here {
		was, changed := before[side.ID]
		was.Name = side.Name
		if !changed || was != side {
			continue
		}
		now, err := m.Side(ctx, side.ID)
		if err != nil {
			return nil, nil, err
		}
		renamed[side.ID] = now.ID == side.ID && now.TransferID == side.TransferID
	}
	out := func(side CandidateLeg) bool { return renamed[side.ID] }
	return slices.DeleteFunc(slices.Clone(here), out), slices.DeleteFunc(slices.Clone(gone), out), nil
}

func (s *Service) NewMatcher(tx *ledger.Tx) *matcher {
	return &matcher{s: s, tx: tx, book: fx.NewRateBook(tx.Queries)}
}

// classKey names the transactions that can be sides of transfers of one amount.
type classKey struct {
	amount   int64 // without its sign
	currency string
}

func (s CandidateLeg) class() classKey { return classKey{max(s.Amount, -s.Amount), s.Currency} }

// fewSides is up to how many transactions of one amount are worked in one by one. Around more of them all is matched
// anew.
const fewSides = 20

// settleAll works in transactions that look for a partner.
func (m *matcher) settleAll(ctx context.Context, here []CandidateLeg) error {
	here, err := m.withOpposite(ctx, here)
	if err != nil {
		return err
	}
	slices.SortStableFunc(here, func(a, b CandidateLeg) int {
		return cmp.Or(cmp.Compare(a.class().amount, b.class().amount), cmp.Compare(a.Currency, b.Currency),
			cmp.Compare(a.ID, b.ID))
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
func (m *matcher) withOpposite(ctx context.Context, here []CandidateLeg) (found []CandidateLeg, err error) {
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
		some, err := m.tx.ListKeysWithOpposite(ctx, queries.ListKeysWithOppositeParams{Ids: ledger.JSONArray(part),
			HouseholdID: m.tx.HouseholdID})
		if err != nil {
			return nil, err
		}
		for _, key := range some {
			matching[key] = true
		}
	}
	return slices.DeleteFunc(found, func(s CandidateLeg) bool { return !matching[s.ID] }), nil
}

// settleClass does so for those of one amount.
func (m *matcher) settleClass(ctx context.Context, key classKey, here []CandidateLeg) error {
	if len(here) > fewSides {
		days := make([]ledger.Date, len(here))
		for i, side := range here {
			days[i] = side.day()
		}
		return m.recompute(ctx, key, days)
	}
	c := m.newClass(key)
	for _, side := range here {
		if err := c.rematch(ctx, side); err != nil {
			return err
		}
	}
	return c.store(ctx)
}

// candidates are the first transactions of the opposite amount that could be joined with this one, at most count;
// those of one account when that is not 0.
func (m *matcher) candidates(ctx context.Context, side CandidateLeg, account int64, count int) ([]CandidateLeg, error) {
	if side.Amount == 0 {
		return nil, nil
	}
	first, last := side.window()
	rows, err := m.tx.ListTransferCandidates(ctx, queries.ListTransferCandidatesParams{HouseholdID: m.tx.HouseholdID,
		Amount:   -side.Amount,
		Currency: side.Currency, FirstKey: first, LastKey: last, AccountID: side.AccountID, OtherAccountID: account,
		ID: side.ID, Count: int64(count)})
	list := make([]CandidateLeg, len(rows))
	for i, row := range rows {
		list[i] = CandidateLeg(row)
	}
	return list, err
}

// Side reads a transaction; it is nothing when the transaction takes no part.
func (m *matcher) Side(ctx context.Context, key int64) (CandidateLeg, error) {
	row, err := m.tx.GetMatchSide(ctx, queries.GetMatchSideParams{ID: key, HouseholdID: m.tx.HouseholdID})
	if errors.Is(err, db.ErrNotFound) {
		return CandidateLeg{}, nil
	}
	return CandidateLeg(row), err
}

// held is the automatic transfer that a transaction is in; nil when it is in none.
type held struct {
	*transferPair
	matchPair
}

func (m *matcher) pair(ctx context.Context, side CandidateLeg) (*held, error) {
	if side.TransferID == 0 {
		return nil, nil
	}
	pair, err := readPair(ctx, m.tx, side.TransferID)
	if err != nil {
		return nil, err
	}
	return &held{pair, matchPair{SideOf(pair.in), SideOf(pair.out)}}, nil
}

// reason says why two transactions of one currency were matched.
func (p matchPair) reason() string {
	return fmt.Sprintf("%s left one account and arrived in another, %s", written(p.In.Amount, p.In.Currency), p.apart())
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
	currency, _ := money.LookupCurrency(code) // what is stored was looked up
	return currency.Plain(minor) + " " + code
}
