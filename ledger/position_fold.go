package ledger

import (
	"context"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// costPlaces is how many decimals the cost of a position keeps when a sale takes its part away; splitPlaces
// is the least number of decimals that a quantity keeps when a split does not come out even.
const (
	costPlaces  = 12
	splitPlaces = 8
)

// fold is a position while trades and splits are added to it.
type fold struct {
	quantity, cost decimal.Decimal
	currency       string // of the cost
	costUnknown    bool   // the purchases were paid in several currencies: the cost is not known
}

func foldOf(row queries.ListPositionsBeforeRow) (*fold, error) {
	quantity, cost, err := twoDecimals(row.Quantity, row.Cost)
	return &fold{quantity, cost, row.Currency, row.CostUnknown == 1}, err
}

// positionTrade is a purchase or a sale as positions see it.
type positionTrade struct {
	account         int64
	day             Date
	quantity, price decimal.Decimal // the quantity of a sale is negative
	amount          int64           // cash, fee included; of a purchase negative
	currency        string
	allowShort      bool
}

// listPositionTrades are those of a security in a range of days.
func listPositionTrades(ctx context.Context, q *queries.Queries, who Actor, security int64, from, until Date) ([]positionTrade, error) {
	rows, err := q.ListPositionTrades(ctx, queries.ListPositionTradesParams{SecurityID: &security, HouseholdID: who.HouseholdID,
		FirstKey: int64(FirstKey(who.HouseholdID, from)), LastKey: int64(LastKey(who.HouseholdID, until))})
	if err != nil {
		return nil, err
	}
	trades := make([]positionTrade, len(rows))
	for i, r := range rows {
		trades[i] = positionTrade{account: r.AccountID, day: Date(r.Date), amount: r.Amount, currency: r.Currency, allowShort: r.AllowShort == 1}
		if trades[i].quantity, trades[i].price, err = twoDecimals(r.Quantity, r.Price); err != nil {
			return nil, err
		}
	}
	return trades, nil
}

// split multiplies what is held by num / den.
type split struct {
	day      Date
	num, den decimal.Decimal
}

func newSplit(day, numerator, denominator int64) split {
	return split{Date(day), decimal.New(numerator, 0), decimal.New(denominator, 0)}
}

// listSplits are those of a security in a range of days.
func listSplits(ctx context.Context, q *queries.Queries, who Actor, security int64, from, until Date) ([]split, error) {
	rows, err := q.ListPositionSplits(ctx, queries.ListPositionSplitsParams{SecurityID: security, HouseholdID: who.HouseholdID})
	var splits []split
	for _, r := range rows {
		if day := Date(r.Date); from <= day && day <= until {
			splits = append(splits, newSplit(r.Date, r.Numerator, r.Denominator))
		}
	}
	return splits, err
}

// foldDay is what happens to a security on a day, in all accounts.
type foldDay struct {
	day    Date
	split  *split
	trades map[int64][]positionTrade // by account
}

// foldDays sorts trades and splits by day.
func foldDays(trades []positionTrade, splits []split) []*foldDay {
	byDay := map[Date]*foldDay{}
	on := func(day Date) *foldDay {
		if byDay[day] == nil {
			byDay[day] = &foldDay{day: day, trades: map[int64][]positionTrade{}}
		}
		return byDay[day]
	}
	for i, s := range splits {
		on(s.day).split = &splits[i]
	}
	for _, t := range trades {
		d := on(t.day)
		d.trades[t.account] = append(d.trades[t.account], t)
	}
	days := make([]*foldDay, 0, len(byDay))
	for _, d := range byDay {
		days = append(days, d)
	}
	slices.SortFunc(days, func(a, b *foldDay) int { return int(a.day - b.day) })
	return days
}

// fold adds the day to the positions and notes what comes of it.
func (d *foldDay) fold(folds map[int64]*fold, security int64, fresh map[positionKey]positionRow) error {
	for account := range d.trades {
		if folds[account] == nil {
			folds[account] = &fold{}
		}
	}
	for account, f := range folds {
		if len(d.trades[account]) == 0 && (d.split == nil || f.quantity.IsZero()) {
			continue
		}
		held := f.quantity.IsPositive()
		if missing := f.add(d.split, d.trades[account]); missing.IsPositive() {
			return &shortSale{line{account, security}, d.day, missing}
		}
		fresh[positionKey{account, d.day}] = f.row(held)
	}
	return nil
}

// add takes in a day: first the split, then all purchases, then all sales, whatever the order in which
// they were recorded. It gives the quantity that is sold without being held and without leave.
func (f *fold) add(s *split, trades []positionTrade) (missing decimal.Decimal) {
	if s != nil {
		// Without zeros at its end, as it is read from a row: what comes out must not depend on where a fold began.
		f.quantity, _ = decimal.NewFromString(f.quantity.String())
		places := max(splitPlaces, -f.quantity.Exponent())
		f.quantity = f.quantity.Mul(s.num).DivRound(s.den, places)
	}
	before := f.quantity
	var bought purchase
	var sold, leave decimal.Decimal
	for _, t := range trades {
		switch {
		case t.quantity.IsPositive():
			bought.add(t)
		case t.allowShort:
			leave = leave.Sub(t.quantity)
			fallthrough
		default:
			sold = sold.Sub(t.quantity)
		}
	}
	f.buy(bought)
	f.sell(sold)
	return short(f.quantity).Sub(short(before)).Sub(leave)
}

// short is how much of a quantity is sold without being held.
func short(quantity decimal.Decimal) decimal.Decimal {
	return decimal.Max(quantity.Neg(), decimal.Zero)
}

// purchase is all that is bought on a day.
type purchase struct {
	quantity, paid decimal.Decimal
	currency       string // the first by code
	costUnknown    bool
}

func (p *purchase) add(t positionTrade) {
	currency, _ := LookupCurrency(t.currency) // what is stored was looked up
	p.quantity, p.paid = p.quantity.Add(t.quantity), p.paid.Add(currency.Decimal(-t.amount))
	p.costUnknown = p.costUnknown || p.currency != "" && p.currency != t.currency
	if p.currency == "" || t.currency < p.currency {
		p.currency = t.currency
	}
}

// buy takes in the purchases of a day. What covers a short position costs nothing that is held.
func (f *fold) buy(p purchase) {
	before := f.quantity
	f.quantity = before.Add(p.quantity)
	switch {
	case p.quantity.IsZero() || !f.quantity.IsPositive():
		return
	case before.IsPositive():
		f.costUnknown = f.costUnknown || p.costUnknown || f.currency != p.currency
		f.cost = f.cost.Add(p.paid)
	default:
		f.currency, f.costUnknown = p.currency, p.costUnknown
		f.cost = p.paid
		if before.IsNegative() {
			f.cost = p.paid.Mul(f.quantity).DivRound(p.quantity, costPlaces)
		}
	}
	if f.costUnknown {
		f.cost = decimal.Zero
	}
}

// sell takes the sales of a day out, and of the cost their part.
func (f *fold) sell(sold decimal.Decimal) {
	held := f.quantity
	f.quantity = held.Sub(sold)
	switch {
	case !f.quantity.IsPositive():
		f.cost, f.costUnknown = decimal.Zero, false
	case sold.IsPositive():
		f.cost = f.cost.Mul(f.quantity).DivRound(held, costPlaces)
	}
}
