package ledger

import (
	"context"
	"fmt"

	"github.com/shopspring/decimal"

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

// settleForeign works in a change: here are transactions as they are now, gone as they were before.
func (m *matcher) settleForeign(ctx context.Context, here, gone []matchSide) error {
	for _, side := range here {
		if err := m.settleHere(ctx, side); err != nil {
			return err
		}
	}
	for _, side := range gone {
		near, err := m.allCandidates(ctx, side)
		if err != nil {
			return err
		}
		for _, other := range near[:min(len(near), maxMatchSteps)] {
			if err := m.settleOne(ctx, other); err != nil {
				return err
			}
		}
	}
	return nil
}

// settleHere parts the pairs that are not the only choice any more because of a transaction, and joins it when
// it has an only choice itself.
func (m *matcher) settleHere(ctx context.Context, side matchSide) error {
	side, err := m.side(ctx, side.ID)
	if err != nil || side.ID == 0 {
		return err
	}
	near, err := m.allCandidates(ctx, side)
	if err != nil {
		return err
	}
	for i, other := range near {
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
		if err := m.l.partTransfer(ctx, m.q, m.who, has.transferPair); err != nil {
			return err
		}
		near[i].TransferID = 0
	}
	return m.choose(ctx, side, near)
}

// settleOne looks again at a transaction that may have an only choice now.
func (m *matcher) settleOne(ctx context.Context, side matchSide) error {
	if side.TransferID != 0 {
		return nil
	}
	near, err := m.allCandidates(ctx, side)
	if err != nil {
		return err
	}
	return m.choose(ctx, side, near)
}

// choose joins a transaction with the only candidate it has, when that is in another currency and has no other,
// and parts the pair of two currencies that it was in, if that is another.
func (m *matcher) choose(ctx context.Context, side matchSide, near []matchSide) error {
	has, err := m.pair(ctx, side)
	if err != nil || has != nil && !has.isForeign() {
		return err
	}
	choice, err := m.only(ctx, side, near)
	switch {
	case err != nil, choice.ID == 0 && has == nil:
		return err
	case has != nil && choice.TransferID == side.TransferID:
		return nil
	case choice.ID == 0:
		return m.l.partTransfer(ctx, m.q, m.who, has.transferPair)
	}
	taken, err := m.pair(ctx, choice)
	if err != nil {
		return err
	}
	reason, err := m.foreignReason(ctx, pairOf(side, choice))
	if err != nil {
		return err
	}
	_, err = m.replace(ctx, pairOf(side, choice), reason, has, taken)
	return err
}

// only is the one candidate of a transaction, when that is in another currency and has no other candidate.
func (m *matcher) only(ctx context.Context, side matchSide, near []matchSide) (matchSide, error) {
	if len(near) != 1 || near[0].Currency == side.Currency {
		return matchSide{}, nil
	}
	back, err := m.allCandidates(ctx, near[0])
	if err != nil || len(back) != 1 {
		return matchSide{}, err
	}
	return near[0], nil
}

// allCandidates are the candidates of a transaction in its own and in other currencies.
func (m *matcher) allCandidates(ctx context.Context, side matchSide) ([]matchSide, error) {
	list, err := m.candidates(ctx, side)
	if err != nil || side.Amount == 0 {
		return list, err
	}
	rows, err := m.foreignSides(ctx, side)
	if len(rows) > maxForeignNear {
		return list, nil
	}
	for _, row := range rows {
		fits, err := m.fits(ctx, pairOf(side, row))
		if err != nil {
			return nil, err
		}
		if fits {
			list = append(list, row)
		}
	}
	return list, err
}

// foreignSides are the transactions in other currencies that go the other way on the days around.
func (m *matcher) foreignSides(ctx context.Context, side matchSide) (list []matchSide, err error) {
	first, last := side.window()
	if side.Amount > 0 {
		rows, err := m.q.ListForeignOutflows(ctx, queries.ListForeignOutflowsParams{HouseholdID: m.who.HouseholdID, FirstKey: first, LastKey: last,
			Currency: side.Currency, AccountID: side.AccountID, ID: side.ID, Count: maxForeignNear + 1})
		for _, row := range rows {
			list = append(list, matchSide(row))
		}
		return list, err
	}
	rows, err := m.q.ListForeignInflows(ctx, queries.ListForeignInflowsParams{HouseholdID: m.who.HouseholdID, FirstKey: first, LastKey: last,
		Currency: side.Currency, AccountID: side.AccountID, ID: side.ID, Count: maxForeignNear + 1})
	for _, row := range rows {
		list = append(list, matchSide(row))
	}
	return list, err
}

// fits says whether what arrived is within one percent of what left, at the rate of the day it left.
func (m *matcher) fits(ctx context.Context, p matchPair) (bool, error) {
	rate, known, err := m.book.find(ctx, p.out.Currency, p.in.Currency, p.out.day())
	if err != nil || !known || isStale(rate.day, p.out.day()) {
		return false, err
	}
	left, arrived := p.atRate(rate)
	return arrived.Sub(left).Abs().Mul(decimal.New(100, 0)).LessThanOrEqual(left), nil
}

// atRate gives what left and what arrived on one scale, exactly: minor units of the inflow's currency times
// the denominator of the rate.
func (p matchPair) atRate(r rate) (left, arrived decimal.Decimal) {
	from, _ := LookupCurrency(p.out.Currency)
	to, _ := LookupCurrency(p.in.Currency)
	return decimal.New(-p.out.Amount, int32(to.Exponent-from.Exponent)).Mul(r.num), decimal.New(p.in.Amount, 0).Mul(r.den)
}

// foreignReason says why two transactions in two currencies were matched.
func (m *matcher) foreignReason(ctx context.Context, p matchPair) (string, error) {
	rate, _, err := m.book.find(ctx, p.out.Currency, p.in.Currency, p.out.day())
	if err != nil {
		return "", err
	}
	left, arrived := p.atRate(rate)
	difference := arrived.Sub(left).Mul(decimal.New(100, 0)).DivRound(left, 2)
	comparison := "exactly that"
	if word := [...]string{"less", "", "more"}[arrived.Cmp(left)+1]; word != "" {
		comparison = fmt.Sprintf("%s %% %s", difference.Abs().StringFixed(2), word)
	}
	return fmt.Sprintf("%s left one account and %s arrived in another, %s; at the rate %s of %s that is %s; nothing else comes into question",
		written(-p.out.Amount, p.out.Currency), written(p.in.Amount, p.in.Currency), p.apart(), rate.num.DivRound(rate.den, 6), rate.day, comparison), nil
}
