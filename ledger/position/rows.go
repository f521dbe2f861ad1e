package position

import (
	"context"
	"encoding/json"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/queries"
)

// String says what is held and what it cost.
func (r PositionRow) String() string {
	if r == (PositionRow{}) {
		return "nothing"
	}
	text := r.Quantity + " at a cost of " + r.Cost + " " + r.Currency
	if r.CostUnknown == 1 {
		text = r.Quantity + " at a cost in several currencies"
	}
	switch {
	case r.Opens == 1:
		return text + ", held from then on"
	case r.Closes == 1:
		return text + ", no longer held from then on"
	}
	return text
}

// PositionKey names a position of a security.
type PositionKey struct {
	Account int64
	Day     ledger.Date
}

// PositionRow is a position as it is stored.
type PositionRow struct {
	Quantity, Cost, Currency string
	CostUnknown              int64 // 0 or 1, as those below
	Opens, Closes            int64
}

// row is the position at the end of a day; held says whether there was any before it.
func (f *Position) row(held bool) PositionRow {
	row := PositionRow{Quantity: f.Quantity.String(), Cost: f.Cost.String(), Currency: f.Currency}
	if f.CostUnknown {
		row.CostUnknown = 1
	}
	switch positive := f.Quantity.IsPositive(); {
	case positive && !held:
		row.Opens = 1
	case held && !positive:
		row.Closes = 1
	}
	return row
}

// storePositions writes the positions of a security from a day on, where they are not what is there.
func storePositions(ctx context.Context, tx *ledger.Tx, security int64, from ledger.Date,
	fresh map[PositionKey]PositionRow) error {
	rows, err := tx.ListPositionsFrom(ctx, queries.ListPositionsFromParams{SecurityID: security,
		HouseholdID: tx.HouseholdID, Day: int64(from)})
	if err != nil {
		return err
	}
	for _, r := range rows {
		key, stored := PositionKey{r.AccountID, ledger.Date(r.Date)},
			PositionRow{r.Quantity, r.Cost, r.Currency, r.CostUnknown, r.Opens, r.Closes}
		wanted, stays := fresh[key]
		if !stays {
			if err := tx.DeletePosition(ctx, queries.DeletePositionParams{AccountID: r.AccountID, SecurityID: security,
				Date: r.Date, HouseholdID: tx.HouseholdID}); err != nil {
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
		list = append(list, []any{key.Account, key.Day, row.Quantity, row.Cost, row.Currency, row.CostUnknown,
			row.Opens, row.Closes})
	}
	packed, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return tx.PutPositions(ctx, queries.PutPositionsParams{SecurityID: security, HouseholdID: tx.HouseholdID,
		UpdatedAt: tx.Stamp(), Positions: string(packed)})
}

// tradePricePlaces is how many decimals an average of prices keeps.
const tradePricePlaces = 12

// TradePrice is a price as it is stored.
type TradePrice struct{ Price, Currency string }

// TradePrices are the average prices of trades per day, weighted by quantity; where trades of a day are in
// several currencies, of those in the first by code.
func TradePrices(trades []PositionTrade) map[ledger.Date]TradePrice {
	type sum struct {
		currency         string
		quantity, volume decimal.Decimal
	}
	sums := map[ledger.Date]sum{}
	for _, t := range trades {
		s, quantity := sums[t.Day], t.Quantity.Abs()
		switch {
		case s.currency == "" || t.Currency < s.currency:
			s = sum{t.Currency, quantity, quantity.Mul(t.Price)}
		case s.currency == t.Currency:
			s.quantity, s.volume = s.quantity.Add(quantity), s.volume.Add(quantity.Mul(t.Price))
		}
		sums[t.Day] = s
	}
	prices := make(map[ledger.Date]TradePrice, len(sums))
	for day, s := range sums {
		prices[day] = TradePrice{s.volume.DivRound(s.quantity, tradePricePlaces).String(), s.currency}
	}
	return prices
}

// refreshTradePrices writes the trade prices of a security from a day on, where they are not what is there.
func refreshTradePrices(ctx context.Context, tx *ledger.Tx, security int64, from ledger.Date,
	trades []PositionTrade) error {
	packed, err := tx.PackTradePrices(ctx, queries.PackTradePricesParams{SecurityID: security,
		HouseholdID: tx.HouseholdID, Day: int64(from)})
	if err != nil {
		return err
	}
	stored, err := UnpackPrices(packed)
	if err != nil {
		return err
	}
	fresh := TradePrices(trades)
	for _, old := range stored {
		wanted, stays := fresh[old.Day]
		if !stays {
			if err := tx.DeleteTradePrice(ctx, queries.DeleteTradePriceParams{SecurityID: security,
				Date: int64(old.Day), HouseholdID: tx.HouseholdID}); err != nil {
				return err
			}
		}
		if (wanted == TradePrice{old.Price.String(), old.Currency}) {
			delete(fresh, old.Day)
		}
	}
	for day, p := range fresh {
		if err := tx.PutTradePrice(ctx, queries.PutTradePriceParams{SecurityID: security, Date: int64(day),
			Price: p.Price, Currency: p.Currency, HouseholdID: tx.HouseholdID}); err != nil {
			return err
		}
	}
	return nil
}
