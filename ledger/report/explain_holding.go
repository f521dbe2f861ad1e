package report

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
	"finsvc/ledger/trade"
	"finsvc/queries"
)

// ExplainHolding explains what an account holds of a security at the end of a day: its purchases, sales and
// splits in the order in which they count, what there is after each, and its price. With a day to tell the
// change from, it is those after that day, and what trades and the price did. The page is one of the events.
func (s *Service) ExplainHolding(ctx context.Context, who ledger.Actor, account, security uuid.UUID, days ExplainDays,
	page ledger.Page) (Explanation, error) {
	return s.explain(ctx, who, days, func(ctx context.Context, x *explainer, e *Explanation) error {
		b := &accountBook{explainer: x}
		var err error
		b.account, b.currency, err = x.choose(e, account)
		if err != nil {
			return err
		}
		key, known := x.securities.Keys[security]
		if !known {
			return ledger.NewNotFound("Security")
		}
		e.Figure, e.Security = FigureHolding, x.securities.ByKey[key]
		return b.explainLine(ctx, e, position.Key{Account: b.account, Security: key}, page)
	})
}

func (b *accountBook) explainLine(ctx context.Context, e *Explanation, at position.Key, page ledger.Page) error {
	s := period{at.Account, ledger.Dawn, e.Date}
	if e.From != nil {
		s.after = e.From.Date
	}
	var err error
	b.held, err = position.ReadLines(ctx, b.tx, []position.Key{at}, max(s.after, ledger.MinDate),
		s.last)
	if err != nil {
		return err
	}
	now := b.held.On(at, s.last)
	if now == nil {
		return ledger.NewNotFound("Holding")
	}
	e.Currency, e.Minor = now.PriceCurrency, now.Value
	if e.From == nil {
		err = b.linePart(ctx, e, at, now)
	} else {
		err = b.lineChanges(ctx, e, at, now)
	}
	if err != nil {
		return err
	}
	// Fill in a page of the events of a period. They are told from the first, as what there is after an event
	// follows from all before it.
	trades, err := b.lineTrades(ctx, at, period{at.Account, ledger.Dawn, s.last})
	if err != nil {
		return err
	}
	splits, err := b.tx.ListSplits(ctx, queries.ListSplitsParams{SecurityID: at.Security, HouseholdID: b.tx.HouseholdID,
		FirstDay: int64(ledger.MinDate), LastDay: int64(s.last)})
	if err != nil {
		return err
	}
	t := history{}
	for _, day := range eventDays(trades, splits) {
		t.add(day)
	}
	if now := b.held.On(at, s.last); !t.Quantity.Equal(now.Quantity) {
		return fmt.Errorf("the events of %s come to %s units, not to %s", e.Security.Ticker, t.Quantity, now.Quantity)
	}
	told := slices.DeleteFunc(t.told, func(p Part) bool { return p.Date.Value <= s.after })
	e.EntryCount = int64(len(told))
	first := min(page.Offset(), e.EntryCount)
	e.Entries = told[first:min(first+int64(page.Size), e.EntryCount)]
	return nil
}

// linePart fills in what is held now, with what it cost.
func (b *accountBook) linePart(ctx context.Context, e *Explanation, at position.Key, now *position.Step) error {
	cost, currency, known, err := position.CostOf(ctx, b.tx, b.book, at, e.Date, now, b.currency)
	if err != nil {
		return err
	}
	p := Part{Kind: PartHolding, Minor: now.Value, Date: ledger.Some(e.Date), Security: e.Security,
		Units: stepUnits(now)}
	p.Units.CostIn = currency
	if known {
		p.Units.Cost = &cost
	}
	e.Parts = []Part{p}
	return nil
}

// lineChanges fills in what trades put in and took out, and what the price did. The figure is in the
// currency of the price: where that is another one now, the old figure is converted at the rate of its day.
func (b *accountBook) lineChanges(ctx context.Context, e *Explanation, at position.Key, now *position.Step) error {
	to, _ := money.LookupCurrency(now.PriceCurrency) // what is stored was looked up
	if then := b.held.On(at, e.From.Date); then != nil {
		from, _ := money.LookupCurrency(then.PriceCurrency)
		converted, err := b.book.Convert(ctx, then.Value, from, to, e.From.Date)
		if err != nil {
			return err
		}
		if !converted.Known {
			return ledger.NewInvalid("from", "must be a day on or before which there is an exchange rate from %s to %s: the price was in %s then", from.Code, to.Code, from.Code)
		}
		e.From.Minor = converted.Minor
		e.Stale = fx.StaleRates(e.Stale).With(from.Code, to.Code, e.From.Date, converted)
	}
	traded, count, err := b.traded(ctx, at, period{at.Account, e.From.Date, e.Date}, to)
	if err != nil {
		return err
	}
	market, err := partOfSum(money.SumOf(e.Minor).Minus(money.SumOf(e.From.Minor, traded)), to)
	e.Parts = []Part{
		{Kind: PartTrades, Minor: traded, Count: count},
		{Kind: PartMarket, Minor: market, Units: stepUnits(now)},
	}
	return err
}

// eventDay is what happens to a line on a day.
type eventDay struct {
	day    ledger.Date
	split  *queries.SecuritySplit
	trades []lineTrade // all purchases, then all sales
}

func eventDays(trades []lineTrade, splits []queries.SecuritySplit) []*eventDay {
	byDay := map[ledger.Date]*eventDay{}
	var days []*eventDay
	on := func(day ledger.Date) *eventDay {
		if byDay[day] == nil {
			byDay[day] = &eventDay{day: day}
			days = append(days, byDay[day])
		}
		return byDay[day]
	}
	for i, s := range splits {
		on(ledger.Date(s.Date)).split = &splits[i]
	}
	for _, t := range trades {
		on(t.Day).trades = append(on(t.Day).trades, t)
	}
	for _, d := range days {
		slices.SortStableFunc(d.trades, func(a, b lineTrade) int {
			return cmp.Compare(b.Quantity.Sign(),
				a.Quantity.Sign())
		})
	}
	slices.SortFunc(days, func(a, b *eventDay) int { return cmp.Compare(a.day, b.day) })
	return days
}

// history tells the events of a line, adding them up.
type history struct {
	position.Position
	told []Part
}

// add adds a day event by event, for what there is in between, and as a whole, as positions do.
func (t *history) add(d *eventDay) {
	between := t.Position
	var ratio *position.Split
	if d.split != nil && !t.Quantity.IsZero() {
		s := position.NewSplit(d.split.Date, d.split.Numerator, d.split.Denominator)
		ratio = &s
		between.Add(ratio, nil)
		t.told = append(t.told, Part{Kind: PartSplit, Date: ledger.Some(d.day), ID: uuid.UUID(d.split.PublicID),
			Units: unitsHeld(&between, position.Units{Ratio: fmt.Sprintf("%d:%d", d.split.Numerator,
				d.split.Denominator)})})
	}
	trades := make([]position.PositionTrade, len(d.trades))
	for i, trade := range d.trades {
		trades[i] = trade.PositionTrade
		between.Add(nil, trades[i:i+1])
		t.told = append(t.told, trade.part(between))
	}
	if t.Add(ratio, trades); len(trades) > 0 {
		t.told[len(t.told)-1] = d.trades[len(trades)-1].part(t.Position)
	}
}

func (t lineTrade) part(after position.Position) Part {
	kind := trade.KindBuy
	if t.Quantity.IsNegative() {
		kind = trade.KindSell
	}
	return Part{Kind: kind, Date: ledger.Some(t.Day), ID: t.id, Name: t.name,
		Cash:  &Original{Currency: t.Currency, Minor: t.Amount},
		Units: unitsHeld(&after, position.Units{Quantity: t.Quantity, Price: t.Price, Currency: t.Currency})}
}

// unitsHeld puts what there is after an event to it.
func unitsHeld(f *position.Position, u position.Units) *position.Units {
	held, cost := f.Quantity, f.Cost
	u.Held = &held
	if !f.CostUnknown {
		u.Cost, u.CostIn = &cost, f.Currency
	}
	return &u
}
