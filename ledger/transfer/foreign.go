package transfer

import (
	"context"
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// Between two currencies no amount is exactly opposite, so a pair is joined only when nothing else could be
// meant: there is a rate of the day on which the money left or of the seven days before it, what arrived differs
// from it by at most one percent, and each side is the only candidate of the other, in any currency.
//
// An older rate counts in balances, where leaving an amount out would be further from the truth. Here it would decide
// whether two bookings are one movement: rates move by more than one percent in weeks, so what fits a stale rate is a
// coincidence as often as a transfer.

// maxForeignNear is how many movements in other currencies there may be around a transaction: where there are
// more, nobody can say that nothing else could be meant.
const maxForeignNear = 200

// pile is the transactions of an amount on a day of an account. What can be the other side of one of them can be that
// of each, but for pairs that were rejected: of two or more, none is ever the only candidate.
type pile struct {
	account, amount int64
	currency        string
	day             ledger.Date
}

func (s CandidateLeg) pile() pile { return pile{s.AccountID, s.Amount, s.Currency, s.day()} }

// settleForeign works in a change: here are transactions as they are now, gone as they were before.
func (m *matcher) settleForeign(ctx context.Context, here, gone []CandidateLeg) error {
	for _, list := range [][]CandidateLeg{here, gone} {
		for _, side := range list {
			m.book.Window = fx.Span{First: min(m.book.Window.First, side.day()-2*matchDays),
				Last: max(m.book.Window.Last, side.day()+2*matchDays)}
		}
	}
	seen := map[pile]bool{}
	for _, side := range here {
		if err := m.settleHere(ctx, side, seen); err != nil {
			return err
		}
	}
	clear(seen)
	for _, side := range gone {
		if seen[side.pile()] || side.Amount == 0 {
			continue
		}
		seen[side.pile()] = true
		if err := m.settleAround(ctx, side); err != nil {
			return err
		}
	}
	return nil
}

// settleHere parts the pairs that are not the only choice any more because of a transaction, and joins it when
// it has an only choice itself. Of those of a pile that were seen, one stands for all that are free and of no rejected
// pair.
func (m *matcher) settleHere(ctx context.Context, side CandidateLeg, seen map[pile]bool) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	side, err := m.Side(ctx, side.ID)
	if err != nil || side.ID == 0 {
		return err
	}
	rejected, err := m.tx.IsRejectedSide(ctx, queries.IsRejectedSideParams{ID: side.ID, HouseholdID: m.tx.HouseholdID})
	if err != nil || rejected == 0 && side.TransferID == 0 && seen[side.pile()] {
		return err
	}
	seen[side.pile()] = seen[side.pile()] || rejected == 0
	near, err := m.foreignCandidates(ctx, side)
	if err != nil {
		return err
	}
	domestic, err := m.foreignPaired(ctx, side)
	if err != nil {
		return err
	}
	for _, other := range append(near, domestic...) {
		if other.TransferID == side.TransferID {
			continue
		}
		has, err := m.pair(ctx, other)
		if err != nil {
			return err
		}
		if has == nil || !has.isForeign() {
			continue
		}
		if err := partTransfer(ctx, m.tx, has.transferPair); err != nil {
			return err
		}
	}
	return m.joinOnly(ctx, side)
}

// foreignPaired are the transactions of the opposite amount that are in a transfer with one in another currency,
// though they could be joined with this one.
func (m *matcher) foreignPaired(ctx context.Context, side CandidateLeg) ([]CandidateLeg, error) {
	first, last := side.window()
	rows, err := m.tx.ListForeignPaired(ctx, queries.ListForeignPairedParams{HouseholdID: m.tx.HouseholdID,
		Amount: -side.Amount, Currency: side.Currency,
		FirstKey: first, LastKey: last, AccountID: side.AccountID, ID: side.ID})
	list := make([]CandidateLeg, len(rows))
	for i, row := range rows {
		list[i] = CandidateLeg(row)
	}
	return list, err
}

// settleAround looks again at the transactions that may have an only choice now that another is gone.
func (m *matcher) settleAround(ctx context.Context, side CandidateLeg) error {
	near, err := m.foreignCandidates(ctx, side)
	if err != nil {
		return err
	}
	alone, err := m.aloneAround(ctx, side)
	if err != nil {
		return err
	}
	for _, key := range alone {
		near = append(near, CandidateLeg{ID: key})
	}
	for _, other := range near {
		if err := ctx.Err(); err != nil {
			return err
		}
		other, err := m.Side(ctx, other.ID)
		if err != nil {
			return err
		}
		if other.ID == 0 || other.TransferID != 0 {
			continue
		}
		if err := m.joinOnly(ctx, other); err != nil {
			return err
		}
	}
	return nil
}

// aloneAround are the free transactions, by their keys, of the opposite amount around one that nothing else in their
// pile could stand for.
func (m *matcher) aloneAround(ctx context.Context, side CandidateLeg) (keys []int64, err error) {
	c := m.newClass(side.class())
	in := side.Amount < 0
	if err := c.read(ctx, in, side.day()-matchDays, side.day()+matchDays); err != nil {
		return nil, err
	}
	for _, day := range c.side(in).days {
		for len(day) > 0 {
			n, plain := 0, 0
			for n < len(day) && day[n].account == day[0].account {
				if !day[n].rejected {
					plain++
				}
				n++
			}
			for _, x := range day[:n] {
				if x.account != side.AccountID && x.transfer == 0 && (plain == 0 || plain == 1 && !x.rejected) {
					keys = append(keys, x.id)
				}
			}
			day = day[n:]
		}
	}
	slices.Sort(keys)
	return keys, nil
}

// joinOnly joins a transaction with the only candidate it has, when that is in another currency and has no other,
// and parts the pair of two currencies that it was in, if that is another.
func (m *matcher) joinOnly(ctx context.Context, side CandidateLeg) error {
	has, err := m.pair(ctx, side)
	if err != nil || has != nil && !has.isForeign() {
		return err
	}
	choice, err := m.only(ctx, side)
	switch {
	case err != nil, choice.ID == 0 && has == nil:
		return err
	case has != nil && choice.TransferID == side.TransferID:
		return nil
	case choice.ID == 0:
		return partTransfer(ctx, m.tx, has.transferPair)
	}
	taken, err := m.pair(ctx, choice)
	if err != nil {
		return err
	}
	for _, old := range []*held{has, taken} {
		if old == nil {
			continue
		}
		if err := partTransfer(ctx, m.tx, old.transferPair); err != nil {
			return err
		}
	}
	pair := PairOf(side, choice)
	// Say why two transactions in two currencies were matched.
	rate, _, err := m.book.Find(ctx, pair.Out.Currency, pair.In.Currency, pair.Out.day())
	if err != nil {
		return err
	}
	left, arrived := pair.atRate(rate)
	difference := arrived.Sub(left).Mul(decimal.New(100, 0)).DivRound(left, 2)
	comparison := "exactly that"
	if word := [...]string{"less", "", "more"}[arrived.Cmp(left)+1]; word != "" {
		comparison = fmt.Sprintf("%s %% %s", difference.Abs().StringFixed(2), word)
	}
	reason := fmt.Sprintf("%s left one account and %s arrived in another, %s; at the rate %s of %s that is %s; nothing else comes into question",
		written(-pair.Out.Amount, pair.Out.Currency), written(pair.In.Amount, pair.In.Currency), pair.apart(),
		rate.Num.DivRound(rate.Den, 6), rate.Day, comparison)
	_, err = StoreTransfer(ctx, m.tx, queries.Transfer{Status: TransferPending, Reason: reason}, pair.In.ID,
		pair.Out.ID)
	return err
}

// only is the one candidate of a transaction, when that is in another currency and has no other candidate.
func (m *matcher) only(ctx context.Context, side CandidateLeg) (CandidateLeg, error) {
	choice, err := m.onlyForeign(ctx, side)
	if err != nil || choice.ID == 0 {
		return CandidateLeg{}, err
	}
	back, err := m.onlyForeign(ctx, choice)
	if err != nil || back.ID == 0 {
		return CandidateLeg{}, err
	}
	return choice, nil
}

// onlyForeign is the only candidate of a transaction, when that is in another currency.
func (m *matcher) onlyForeign(ctx context.Context, side CandidateLeg) (CandidateLeg, error) {
	near, err := m.foreignCandidates(ctx, side)
	if err != nil || len(near) != 1 {
		return CandidateLeg{}, err
	}
	domestic, err := m.candidates(ctx, side, 0, 1)
	if err != nil || len(domestic) > 0 {
		return CandidateLeg{}, err
	}
	return near[0], nil
}

// foreignCandidates are the candidates of a transaction in other currencies.
func (m *matcher) foreignCandidates(ctx context.Context, side CandidateLeg) (list []CandidateLeg, err error) {
	if side.Amount == 0 {
		return nil, nil
	}
	rows, err := m.foreignSides(ctx, side)
	if err != nil || len(rows) > maxForeignNear {
		return nil, err
	}
	for _, row := range rows {
		fits, err := m.fits(ctx, PairOf(side, row))
		if err != nil {
			return nil, err
		}
		if fits {
			list = append(list, row)
		}
	}
	return list, nil
}

// foreignSides are the transactions in other currencies that go the other way on the days around.
func (m *matcher) foreignSides(ctx context.Context, side CandidateLeg) (list []CandidateLeg, err error) {
	first, last := side.window()
	if side.Amount > 0 {
		rows, err := m.tx.ListForeignOutflows(ctx, queries.ListForeignOutflowsParams{HouseholdID: m.tx.HouseholdID,
			FirstKey: first, LastKey: last,
			Currency: side.Currency, AccountID: side.AccountID, ID: side.ID, Count: maxForeignNear + 1})
		for _, row := range rows {
			list = append(list, CandidateLeg(row))
		}
		return list, err
	}
	rows, err := m.tx.ListForeignInflows(ctx, queries.ListForeignInflowsParams{HouseholdID: m.tx.HouseholdID,
		FirstKey: first, LastKey: last,
		Currency: side.Currency, AccountID: side.AccountID, ID: side.ID, Count: maxForeignNear + 1})
	for _, row := range rows {
		list = append(list, CandidateLeg(row))
	}
	return list, err
}

// fits reports whether what arrived is within one percent of what left, at the rate of the day it left.
func (m *matcher) fits(ctx context.Context, p matchPair) (bool, error) {
	rate, known, err := m.book.Find(ctx, p.Out.Currency, p.In.Currency, p.Out.day())
	if err != nil || !known || fx.IsStale(rate.Day, p.Out.day()) {
		return false, err
	}
	left, arrived := p.atRate(rate)
	return arrived.Sub(left).Abs().Mul(decimal.New(100, 0)).LessThanOrEqual(left), nil
}

// atRate gives what left and what arrived on one scale, exactly: minor units of the inflow's currency times
// the denominator of the rate.
func (p matchPair) atRate(r fx.Rate) (left, arrived decimal.Decimal) {
	from, _ := money.LookupCurrency(p.Out.Currency)
	to, _ := money.LookupCurrency(p.In.Currency)
	return decimal.New(-p.Out.Amount, int32(to.Exponent-from.Exponent)).Mul(r.Num),
		decimal.New(p.In.Amount, 0).Mul(r.Den)
}
