package ledger

import (
	"context"
	"encoding/json"

	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// positionKey names a position of a security.
type positionKey struct {
	account int64
	day     Date
}

// positionRow is a position as it is stored.
type positionRow struct {
	quantity, cost, currency string
	costUnknown              int64 // 0 or 1, as those below
	opens, closes            int64
}

// row is the position at the end of a day; held says whether there was any before it.
func (f *fold) row(held bool) positionRow {
	row := positionRow{quantity: f.quantity.String(), cost: f.cost.String(), currency: f.currency}
	if f.costUnknown {
		row.costUnknown = 1
	}
	switch positive := f.quantity.IsPositive(); {
	case positive && !held:
		row.opens = 1
	case held && !positive:
		row.closes = 1
	}
	return row
}

// storePositions writes the positions of a security from a day on, where they are not what is there.
func (l *Ledger) storePositions(ctx context.Context, q *queries.Queries, who Actor, security int64, from Date, fresh map[positionKey]positionRow) error {
	rows, err := q.ListPositionsFrom(ctx, queries.ListPositionsFromParams{SecurityID: security, HouseholdID: who.HouseholdID, Day: int64(from)})
	if err != nil {
		return err
	}
	for _, r := range rows {
		key, stored := positionKey{r.AccountID, Date(r.Date)}, positionRow{r.Quantity, r.Cost, r.Currency, r.CostUnknown, r.Opens, r.Closes}
		wanted, stays := fresh[key]
		if !stays {
			if err := q.DeletePosition(ctx, queries.DeletePositionParams{AccountID: r.AccountID, SecurityID: security, Date: r.Date, HouseholdID: who.HouseholdID}); err != nil {
				return err
			}
		}
		if wanted == stored {
			delete(fresh, key)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	list := make([][]any, 0, len(fresh))
	for key, row := range fresh {
		list = append(list, []any{key.account, key.day, row.quantity, row.cost, row.currency, row.costUnknown, row.opens, row.closes})
	}
	packed, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return q.PutPositions(ctx, queries.PutPositionsParams{SecurityID: security, HouseholdID: who.HouseholdID, UpdatedAt: l.stamp(), Positions: string(packed)})
}

// tradePricePlaces is how many decimals an average of prices keeps.
const tradePricePlaces = 12

// tradePrice is a price as it is stored.
type tradePrice struct{ price, currency string }

// tradePrices are the average prices of trades per day, weighted by quantity; where trades of a day are in
// several currencies, of those in the first by code.
func tradePrices(trades []positionTrade) map[Date]tradePrice {
	type sum struct {
		currency         string
		quantity, volume decimal.Decimal
	}
	sums := map[Date]sum{}
	for _, t := range trades {
		s, quantity := sums[t.day], t.quantity.Abs()
		switch {
		case s.currency == "" || t.currency < s.currency:
			s = sum{t.currency, quantity, quantity.Mul(t.price)}
		case s.currency == t.currency:
			s.quantity, s.volume = s.quantity.Add(quantity), s.volume.Add(quantity.Mul(t.price))
		}
		sums[t.day] = s
	}
	prices := make(map[Date]tradePrice, len(sums))
	for day, s := range sums {
		prices[day] = tradePrice{s.volume.DivRound(s.quantity, tradePricePlaces).String(), s.currency}
	}
	return prices
}

// refreshTradePrices writes the trade prices of a security from a day on, where they are not what is there.
func refreshTradePrices(ctx context.Context, q *queries.Queries, who Actor, security int64, from Date, trades []positionTrade) error {
	packed, err := q.PackTradePrices(ctx, queries.PackTradePricesParams{SecurityID: security, HouseholdID: who.HouseholdID, Day: int64(from)})
	if err != nil {
		return err
	}
	stored, err := unpackPrices(packed)
	if err != nil {
		return err
	}
	fresh := tradePrices(trades)
	for _, old := range stored {
		wanted, stays := fresh[old.day]
		if !stays {
			if err := q.DeleteTradePrice(ctx, queries.DeleteTradePriceParams{SecurityID: security, Date: int64(old.day), HouseholdID: who.HouseholdID}); err != nil {
				return err
			}
		}
		if (wanted == tradePrice{old.price.String(), old.currency}) {
			delete(fresh, old.day)
		}
	}
	for day, p := range fresh {
		if err := q.PutTradePrice(ctx, queries.PutTradePriceParams{SecurityID: security, Date: int64(day), Price: p.price, Currency: p.currency, HouseholdID: who.HouseholdID}); err != nil {
			return err
		}
	}
	return nil
}
