package ledger

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"finsvc/queries"
)

// ExplainHolding explains what an account holds of a security at the end of a day: its purchases, sales and
// splits in the order in which they count, what there is after each, and its price. With a day to tell the
// change from, it is those after that day, and what trades and the price did. The page is one of the events.
func (l *Ledger) ExplainHolding(ctx context.Context, who Actor, account, security uuid.UUID, days ExplainDays, page Page) (Explanation, error) {
	return l.explain(ctx, who, days, func(ctx context.Context, x *explainer, e *Explanation) error {
		b := &accountBook{explainer: x}
		var err error
		if b.account, b.currency, err = x.choose(e, account); err != nil {
			return err
		}
		key, known := x.securities.keys[security]
		if !known {
			return NewNotFound("Security")
		}
		e.Figure, e.Security = FigureHolding, x.securities.byKey[key]
		return b.explainLine(ctx, e, line{b.account, key}, page)
	})
}

func (b *accountBook) explainLine(ctx context.Context, e *Explanation, at line, page Page) error {
	s := stretch{at.account, dawn, e.Date}
	if e.From != nil {
		s.after = e.From.Date
	}
	var err error
	if b.held, err = readLines(ctx, b.q, b.who, []line{at}, max(s.after, MinDate), s.last); err != nil {
		return err
	}
	now := b.held.on(at, s.last)
	if now == nil {
		return NewNotFound("Holding")
	}
	e.Currency, e.Minor = now.priceCurrency, now.value
	if e.From == nil {
		err = b.linePart(ctx, e, at, now)
	} else {
		err = b.lineChanges(ctx, e, at, now)
	}
	if err != nil {
		return err
	}
	return b.explainEvents(ctx, e, at, s, page)
}

// linePart fills in what is held now, with what it cost.
func (b *accountBook) linePart(ctx context.Context, e *Explanation, at line, now *step) error {
	cost, currency, known, err := b.book.costOf(ctx, b.who, at, e.Date, now, b.currency)
	if err != nil {
		return err
	}
	p := Part{Kind: PartHolding, Minor: now.value, Date: Some(e.Date), Security: e.Security, Units: now.units()}
	if p.Units.CostIn = currency; known {
		p.Units.Cost = &cost
	}
	e.Parts = []Part{p}
	return nil
}

// lineChanges fills in what trades put in and took out, and what the price did. The figure is in the
// currency of the price: where that is another one now, the old figure is converted at the rate of its day.
func (b *accountBook) lineChanges(ctx context.Context, e *Explanation, at line, now *step) error {
	to, _ := LookupCurrency(now.priceCurrency) // what is stored was looked up
	if then := b.held.on(at, e.From.Date); then != nil {
		from, _ := LookupCurrency(then.priceCurrency)
		converted, err := b.book.convert(ctx, then.value, from, to, e.From.Date)
		if err != nil {
			return err
		}
		if !converted.known {
			return NewInvalid("from", "must be a day on or before which there is an exchange rate from %s to %s: the price was in %s then", from.Code, to.Code, from.Code)
		}
		e.From.Minor = converted.minor
		e.Stale = staleRates(e.Stale).with(from.Code, to.Code, e.From.Date, converted)
	}
	traded, count, err := b.traded(ctx, at, stretch{at.account, e.From.Date, e.Date}, to)
	if err != nil {
		return err
	}
	market, err := SumOf(e.Minor).Minus(SumOf(e.From.Minor, traded)).part(to)
	e.Parts = []Part{
		{Kind: PartTrades, Minor: traded, Count: count},
		{Kind: PartMarket, Minor: market, Units: now.units()},
	}
	return err
}

// explainEvents fills in a page of the events of a stretch. They are told from the first, as what there is
// after an event follows from all before it.
func (b *accountBook) explainEvents(ctx context.Context, e *Explanation, at line, s stretch, page Page) error {
	trades, err := b.lineTrades(ctx, at, stretch{at.account, dawn, s.last})
	if err != nil {
		return err
	}
	splits, err := b.q.ListSplits(ctx, queries.ListSplitsParams{SecurityID: at.security, HouseholdID: b.who.HouseholdID, FirstDay: int64(MinDate), LastDay: int64(s.last)})
	if err != nil {
		return err
	}
	t := teller{}
	for _, day := range eventDays(trades, splits) {
		t.tell(day)
	}
	if now := b.held.on(at, s.last); !t.quantity.Equal(now.quantity) {
		return fmt.Errorf("the events of %s come to %s units, not to %s", e.Security.Ticker, t.quantity, now.quantity)
	}
	told := slices.DeleteFunc(t.told, func(p Part) bool { return p.Date.Value <= s.after })
	e.EntryCount = int64(len(told))
	first := min(page.Offset(), e.EntryCount)
	e.Entries = told[first:min(first+int64(page.Size), e.EntryCount)]
	return nil
}

// eventDay is what happens to a line on a day.
type eventDay struct {
	day    Date
	split  *queries.SecuritySplit
	trades []lineTrade // all purchases, then all sales
}

func eventDays(trades []lineTrade, splits []queries.SecuritySplit) []*eventDay {
	byDay := map[Date]*eventDay{}
	var days []*eventDay
	on := func(day Date) *eventDay {
		if byDay[day] == nil {
			byDay[day] = &eventDay{day: day}
			days = append(days, byDay[day])
		}
		return byDay[day]
	}
	for i, s := range splits {
		on(Date(s.Date)).split = &splits[i]
	}
	for _, t := range trades {
		on(t.day).trades = append(on(t.day).trades, t)
	}
	for _, d := range days {
		slices.SortStableFunc(d.trades, func(a, b lineTrade) int { return cmp.Compare(b.quantity.Sign(), a.quantity.Sign()) })
	}
	slices.SortFunc(days, func(a, b *eventDay) int { return cmp.Compare(a.day, b.day) })
	return days
}

// teller tells the events of a line, adding them up.
type teller struct {
	fold
	told []Part
}

// tell adds a day event by event, for what there is in between, and as a whole, as positions do.
func (t *teller) tell(d *eventDay) {
	between := t.fold
	var ratio *split
	if d.split != nil && !t.quantity.IsZero() {
		s := newSplit(d.split.Date, d.split.Numerator, d.split.Denominator)
		ratio = &s
		between.add(ratio, nil)
		t.told = append(t.told, Part{Kind: PartSplit, Date: Some(d.day), ID: uuid.UUID(d.split.PublicID),
			Units: between.units(Units{Ratio: fmt.Sprintf("%d:%d", d.split.Numerator, d.split.Denominator)})})
	}
	trades := make([]positionTrade, len(d.trades))
	for i, trade := range d.trades {
		trades[i] = trade.positionTrade
		between.add(nil, trades[i:i+1])
		t.told = append(t.told, trade.part(between))
	}
	if t.add(ratio, trades); len(trades) > 0 {
		t.told[len(t.told)-1] = d.trades[len(trades)-1].part(t.fold)
	}
}

func (t lineTrade) part(after fold) Part {
	kind := kindBuy
	if t.quantity.IsNegative() {
		kind = kindSell
	}
	return Part{Kind: kind, Date: Some(t.day), ID: t.id, Name: t.name, Cash: &Original{Currency: t.currency, Minor: t.amount},
		Units: after.units(Units{Quantity: t.quantity, Price: t.price, Currency: t.currency})}
}

// units puts what there is after an event to it.
func (f *fold) units(u Units) *Units {
	held, cost := f.quantity, f.cost
	if u.Held = &held; !f.costUnknown {
		u.Cost, u.CostIn = &cost, f.currency
	}
	return &u
}
