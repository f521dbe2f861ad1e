package report

import (
	"context"
	"maps"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
	"finsvc/queries"
)

// changes fills in what a balance changed by: entries, statements, and for each security what trades and its
// price did, for each currency what its rate did.
func (b *accountBook) changes(ctx context.Context, e *Explanation) error {
	s := period{b.account, e.From.Date, e.Date}
	minor, count, err := b.sumEntries(ctx, s, b.currency)
	if err != nil {
		return err
	}
	e.EntryCount = count
	e.Parts = append(e.Parts, Part{Kind: PartEntries, Minor: minor, Count: count})
	adjustments, err := b.adjustments(ctx, e.From.Minor, s)
	if err != nil {
		return err
	}
	e.Parts = append(e.Parts, adjustments...)
	moves, err := b.moves(ctx, s)
	e.Parts = append(e.Parts, moves...)
	return err
}

// adjustments are what the statements of a period added to the cash that was there and the entries since.
// before is the balance that the period begins with.
func (b *accountBook) adjustments(ctx context.Context, before int64, s period) (parts []Part, err error) {
	statements, err := b.statements(ctx, s)
	if err != nil || len(statements) == 0 {
		return nil, err
	}
	held, err := b.worth(ctx, s.after)
	if err != nil {
		return nil, err
	}
	cash := money.SumOf(before).Minus(money.SumOf(held))
	for _, v := range statements {
		moved, _, err := b.sumEntries(ctx, period{b.account, s.after, v.day}, b.currency)
		if err != nil {
			return nil, err
		}
		held, err = b.worth(ctx, v.day)
		if err != nil {
			return nil, err
		}
		stated := money.SumOf(v.minor).Minus(money.SumOf(held))
		adjusted, err := partOfSum(stated.Minus(cash).Minus(money.SumOf(moved)), b.currency)
		if err != nil {
			return nil, err
		}
		parts = append(parts, Part{Kind: PartAdjustment, Minor: adjusted, Date: ledger.Some(v.day), ID: v.id})
		cash, s.after = stated, v.day
	}
	return parts, nil
}

// statements are the valuations of a period, by day.
func (b *accountBook) statements(ctx context.Context, s period) ([]statement, error) {
	rows, err := b.tx.ListAccountStatements(ctx, queries.ListAccountStatementsParams{
		AccountID: b.account, HouseholdID: b.tx.HouseholdID, After: int64(s.after), Day: int64(s.last)})
	list := make([]statement, len(rows))
	for i, r := range rows {
		list[i] = statement{PartValuation, ledger.Date(r.Day), uuid.UUID(r.PublicID), r.Amount}
	}
	return list, err
}

// moves are what trades, prices and rates did to the worth of what is held, from the end of the day before a
// period to that of its last. At the last day's rate the securities changed by what they did in their own
// currencies; the rest is the rates'.
func (b *accountBook) moves(ctx context.Context, s period) (parts []Part, err error) {
	then, rates, err := b.rateMoves(ctx, s)
	if err != nil {
		return nil, err
	}
	for _, at := range b.lines {
		moves, err := b.lineMoves(ctx, then, at, s)
		if err != nil {
			return nil, err
		}
		parts = append(parts, moves...)
	}
	return append(parts, rates...), nil
}

// lineMoves are those of a security.
func (b *accountBook) lineMoves(ctx context.Context, then *allocation, at position.Key, s period) (parts []Part,
	err error) {
	now, security := b.held.On(at, s.last), b.securities.ByKey[at.Security]
	old := b.held.On(at, s.after)
	day := s.last
	var sum money.Sum
	for _, side := range []struct {
		*position.Step
		sign int64
	}{{old, -1}, {now, 1}} {
		if side.Step == nil || side.Value == 0 {
			continue
		}
		share, _, err := then.share(ctx, side.sign*side.Value, side.PriceCurrency, day)
		if err != nil {
			return nil, err
		}
		sum.Add(share)
	}
	changed, err := partOfSum(sum, then.to)
	if err != nil {
		return nil, err
	}
	traded, count, err := b.traded(ctx, at, s, b.currency)
	if count > 0 {
		parts = append(parts, Part{Kind: PartTrades, Minor: traded, Security: security, Count: count})
	}
	if changed == traded || err != nil {
		return parts, err
	}
	market, err := partOfSum(money.SumOf(changed).Minus(money.SumOf(traded)), b.currency)
	return append(parts, Part{Kind: PartMarket, Minor: market, Security: security, Units: stepUnits(now)}), err
}

// rateMoves are what rates did to what was held before a period. The shares begin with that, at the rates of
// the last day.
func (b *accountBook) rateMoves(ctx context.Context, s period) (*allocation, []Part, error) {
	held := map[string]money.Sum{}
	for _, at := range b.lines {
		if was := b.held.On(at, s.after); was != nil && was.Value != 0 {
			held[was.PriceCurrency] = held[was.PriceCurrency].Plus(money.SumOf(was.Value))
		}
	}
	before, after := newShares(b.book, b.currency), newShares(b.book, b.currency)
	var parts []Part
	for _, currency := range slices.Sorted(maps.Keys(held)) {
		sum, err := partOfSum(held[currency], b.currency)
		if err != nil {
			return nil, nil, err
		}
		then, _, err := before.share(ctx, sum, currency, s.after)
		if err != nil {
			return nil, nil, err
		}
		now, original, err := after.share(ctx, sum, currency, s.last)
		if err != nil {
			return nil, nil, err
		}
		if now == then {
			continue
		}
		moved, err := partOfSum(money.SumOf(now).Minus(money.SumOf(then)), b.currency)
		if err != nil {
			return nil, nil, err
		}
		parts = append(parts, Part{Kind: PartRates, Minor: moved, Original: original})
	}
	return after, parts, nil
}

// traded is what the purchases and sales of a period put into a security, fees included, each at the rate
// of its day, and how many they are.
func (b *accountBook) traded(ctx context.Context, at position.Key, s period, to money.Currency) (minor, count int64,
	err error) {
	trades, err := b.lineTrades(ctx, at, s)
	if err != nil {
		return 0, 0, err
	}
	shared := newShares(b.book, to)
	var sum money.Sum
	for _, t := range trades {
		share, _, err := shared.share(ctx, -t.Amount, t.Currency, t.Day)
		if err != nil {
			return 0, 0, err
		}
		sum.Add(share)
	}
	minor, err = partOfSum(sum, to)
	return minor, int64(len(trades)), err
}

// lineTrade is a purchase or a sale of a line.
type lineTrade struct {
	position.PositionTrade
	id   uuid.UUID
	name string
}

// lineTrades are those of a period, by day and as they were made.
func (x *explainer) lineTrades(ctx context.Context, at position.Key, s period) ([]lineTrade, error) {
	first, last := s.keys(x.tx.Actor)
	rows, err := x.tx.ListLineTrades(ctx, queries.ListLineTradesParams{SecurityID: &at.Security, AccountID: at.Account,
		HouseholdID: x.tx.HouseholdID, FirstKey: first, LastKey: last})
	trades := make([]lineTrade, len(rows))
	for i, r := range rows {
		t := &trades[i]
		t.id, t.name = uuid.UUID(r.PublicID), r.Name
		t.Account, t.Day, t.Amount, t.Currency = at.Account, ledger.Date(r.Date), r.Amount, r.Currency
		t.Quantity, t.Price, err = money.TwoDecimals(r.Quantity, r.Price)
		if err != nil {
			return nil, err
		}
	}
	return trades, err
}
