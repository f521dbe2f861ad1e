package position

import (
	"context"
	"slices"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// costPlaces is how many decimals the cost of a position keeps when a sale takes its part away; splitPlaces
// is the least number of decimals that a quantity keeps when a split does not come out even.
const (
	costPlaces  = 12
	splitPlaces = 8
)

// Position is a position while trades and splits are added to it.
type Position struct {
	Quantity, Cost decimal.Decimal
	Currency       string // of the cost
	CostUnknown    bool   // the purchases were paid in several currencies: the cost is not known
}

func foldOf(row queries.ListPositionsBeforeRow) (*Position, error) {
	quantity, cost, err := money.TwoDecimals(row.Quantity, row.Cost)
	return &Position{quantity, cost, row.Currency, row.CostUnknown == 1}, err
}

// PositionTrade is a purchase or a sale as positions see it.
type PositionTrade struct {
	Account         int64
	Day             ledger.Date
	Quantity, Price decimal.Decimal // the quantity of a sale is negative
	Amount          int64           // cash, fee included; of a purchase negative
	Currency        string
	allowShort      bool
}

// ListPositionTrades are those of a security in a range of days.
func ListPositionTrades(ctx context.Context, tx *ledger.Tx, security int64, from, until ledger.Date) ([]PositionTrade,
	error) {
	rows, err := tx.ListPositionTrades(ctx, queries.ListPositionTradesParams{SecurityID: &security,
		HouseholdID: tx.HouseholdID,
		FirstKey:    int64(ledger.FirstKey(tx.HouseholdID, from)),
		LastKey:     int64(ledger.LastKey(tx.HouseholdID, until))})
	if err != nil {
		return nil, err
	}
	trades := make([]PositionTrade, len(rows))
	for i, r := range rows {
		trades[i] = PositionTrade{Account: r.AccountID, Day: ledger.Date(r.Date), Amount: r.Amount,
			Currency: r.Currency, allowShort: r.AllowShort == 1}
		trades[i].Quantity, trades[i].Price, err = money.TwoDecimals(r.Quantity, r.Price)
		if err != nil {
			return nil, err
		}
	}
	return trades, nil
}

// Split multiplies what is held by num / den.
type Split struct {
	Day      ledger.Date
	Num, Den decimal.Decimal
}

func NewSplit(day, numerator, denominator int64) Split {
	return Split{ledger.Date(day), decimal.New(numerator, 0), decimal.New(denominator, 0)}
}

// ListSplits are those of a security in a range of days.
func ListSplits(ctx context.Context, tx *ledger.Tx, security int64, from, until ledger.Date) ([]Split, error) {
	rows, err := tx.ListPositionSplits(ctx, queries.ListPositionSplitsParams{SecurityID: security,
		HouseholdID: tx.HouseholdID})
	var splits []Split
	for _, r := range rows {
		if day := ledger.Date(r.Date); from <= day && day <= until {
			splits = append(splits, NewSplit(r.Date, r.Numerator, r.Denominator))
		}
	}
	return splits, err
}

// foldDay is what happens to a security on a day, in all accounts.
type foldDay struct {
	day    ledger.Date
	split  *Split
	trades map[int64][]PositionTrade // by account
}

// ByDay sorts trades and splits by day.
func ByDay(trades []PositionTrade, splits []Split) []*foldDay {
	byDay := map[ledger.Date]*foldDay{}
	on := func(day ledger.Date) *foldDay {
		if byDay[day] == nil {
			byDay[day] = &foldDay{day: day, trades: map[int64][]PositionTrade{}}
		}
		return byDay[day]
	}
	for i, s := range splits {
		on(s.Day).split = &splits[i]
	}
	for _, t := range trades {
		d := on(t.Day)
		d.trades[t.Account] = append(d.trades[t.Account], t)
	}
	days := make([]*foldDay, 0, len(byDay))
	for _, d := range byDay {
		days = append(days, d)
	}
	slices.SortFunc(days, func(a, b *foldDay) int { return int(a.day - b.day) })
	return days
}

// Fold adds the day to the positions and notes what comes of it. It is a *ShortSale where an account sells more than it holds.
func (d *foldDay) Fold(folds map[int64]*Position, security int64, fresh map[PositionKey]PositionRow) (short error) {
	for account := range d.trades {
		if folds[account] == nil {
			folds[account] = &Position{}
		}
	}
	for account, f := range folds {
		if len(d.trades[account]) == 0 && (d.split == nil || f.Quantity.IsZero()) {
			continue
		}
		held := f.Quantity.IsPositive()
		if missing := f.Add(d.split, d.trades[account]); missing.IsPositive() {
			short = &ShortSale{Key{account, security}, d.day, missing}
		}
		fresh[PositionKey{account, d.day}] = f.row(held)
	}
	return short
}

// Add takes in a day: first the split, then all purchases, then all sales, whatever the order in which
// they were recorded. It gives the quantity that is sold without being held and without leave.
func (f *Position) Add(s *Split, trades []PositionTrade) (missing decimal.Decimal) {
	if s != nil {
		// Without zeros at its end, as it is read from a row: what comes out must not depend on where a fold began.
		f.Quantity, _ = decimal.NewFromString(f.Quantity.String())
		places := max(splitPlaces, -f.Quantity.Exponent())
		f.Quantity = f.Quantity.Mul(s.Num).DivRound(s.Den, places)
	}
	before := f.Quantity
	var bought purchase
	var sold, leave decimal.Decimal
	for _, t := range trades {
		switch {
		case t.Quantity.IsPositive():
			currency, _ := money.LookupCurrency(t.Currency) // what is stored was looked up
			bought.quantity, bought.paid = bought.quantity.Add(t.Quantity), bought.paid.Add(currency.Decimal(-t.Amount))
			bought.costUnknown = bought.costUnknown || bought.currency != "" && bought.currency != t.Currency
			if bought.currency == "" || t.Currency < bought.currency {
				bought.currency = t.Currency
			}
		case t.allowShort:
			leave = leave.Sub(t.Quantity)
			fallthrough
		default:
			sold = sold.Sub(t.Quantity)
		}
	}
	f.buy(bought)
	// Take the sales of a day out, and of the cost their part.
	held := f.Quantity
	f.Quantity = held.Sub(sold)
	switch {
	case !f.Quantity.IsPositive():
		f.Cost, f.CostUnknown = decimal.Zero, false
	case sold.IsPositive():
		f.Cost = f.Cost.Mul(f.Quantity).DivRound(held, costPlaces)
	}
	return short(f.Quantity).Sub(short(before)).Sub(leave)
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

// buy takes in the purchases of a day. What covers a short position costs nothing that is held.
func (f *Position) buy(p purchase) {
	before := f.Quantity
	f.Quantity = before.Add(p.quantity)
	switch {
	case p.quantity.IsZero() || !f.Quantity.IsPositive():
		return
	case before.IsPositive():
		f.CostUnknown = f.CostUnknown || p.costUnknown || f.Currency != p.currency
		f.Cost = f.Cost.Add(p.paid)
	default:
		f.Currency, f.CostUnknown = p.currency, p.costUnknown
		f.Cost = p.paid
		if before.IsNegative() {
			f.Cost = p.paid.Mul(f.Quantity).DivRound(p.quantity, costPlaces)
		}
	}
	if f.CostUnknown {
		f.Cost = decimal.Zero
	}
}
