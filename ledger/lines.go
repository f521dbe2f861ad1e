package ledger

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/queries"
)

// step is what a line holds and what that is worth from the end of a day on, until its next step.
type step struct {
	from           Date
	quantity, cost decimal.Decimal // cost of all, fees included; not known when costUnknown
	costCurrency   string
	costUnknown    bool            // the purchases were paid in several currencies
	price          decimal.Decimal // of a unit, splits since its day taken into account
	priceCurrency  string
	priceDay       Date
	traded         bool  // the price is that of a trade, for want of a market price
	value          int64 // minor units of priceCurrency
	createdAt      int64 // of the position
	updatedAt      int64 // of the position or the price
}

// lineBook has the steps of some lines over some days.
type lineBook struct{ steps map[line][]step }

// on is the step of a line that is in force on a day; nil before its first.
func (b *lineBook) on(at line, day Date) *step {
	steps := b.steps[at]
	n, exact := slices.BinarySearchFunc(steps, day, func(s step, day Date) int { return int(s.from - day) })
	if !exact {
		n--
	}
	if n < 0 {
		return nil
	}
	return &steps[n]
}

// readLines reads the steps of lines that are in force on any of the days. Each line's come by day; the
// first is in force on the first day.
func readLines(ctx context.Context, q *queries.Queries, who Actor, lines []line, first, last Date) (*lineBook, error) {
	if len(lines) == 0 {
		return &lineBook{}, nil
	}
	r := lineReader{q: q, who: who, first: first, last: last}
	if err := r.readPositions(ctx, lines); err != nil {
		return nil, err
	}
	if err := r.readPrices(ctx, lines); err != nil {
		return nil, err
	}
	book := &lineBook{make(map[line][]step, len(lines))}
	for _, at := range lines {
		steps, err := r.steps(at)
		if err != nil {
			return nil, err
		}
		book.steps[at] = steps
	}
	return book, nil
}

// lineReader has read what steps are made of; positions and prices are by day.
type lineReader struct {
	q               *queries.Queries
	who             Actor
	first, last     Date
	positions       map[line][]queries.ListLinePositionsRow
	markets, trades map[int64][]quotedPrice
	splits          map[int64][]split
}

// quotedPrice is a price on its day.
type quotedPrice struct {
	day       Date
	price     decimal.Decimal
	currency  string
	traded    bool
	updatedAt int64
}

func (r *lineReader) readPositions(ctx context.Context, lines []line) error {
	pairs := make([][2]int64, len(lines))
	for i, at := range lines {
		pairs[i] = [2]int64{at.account, at.security}
	}
	rows, err := r.q.ListLinePositions(ctx, queries.ListLinePositionsParams{
		HouseholdID: r.who.HouseholdID, FirstDay: int64(r.first), LastDay: int64(r.last), Lines: jsonArray(pairs)})
	r.positions = make(map[line][]queries.ListLinePositionsRow, len(lines))
	for _, row := range rows {
		at := line{row.AccountID, row.SecurityID}
		r.positions[at] = append(r.positions[at], row)
	}
	for _, list := range r.positions {
		slices.SortFunc(list, func(a, b queries.ListLinePositionsRow) int { return int(a.Date - b.Date) })
	}
	return err
}

func (r *lineReader) readPrices(ctx context.Context, lines []line) error {
	var securities []int64
	for _, at := range lines {
		securities = append(securities, at.security)
	}
	slices.Sort(securities)
	packed := jsonArray(slices.Compact(securities))
	markets, err := r.q.PackLinePrices(ctx, queries.PackLinePricesParams{
		HouseholdID: r.who.HouseholdID, LastDay: int64(r.last), FirstDay: int64(r.first), Securities: packed})
	if err != nil {
		return err
	}
	trades, err := r.q.PackLineTradePrices(ctx, queries.PackLineTradePricesParams{
		HouseholdID: r.who.HouseholdID, LastDay: int64(r.last), FirstDay: int64(r.first), Securities: packed})
	if err != nil {
		return err
	}
	splits, err := r.q.ListLineSplits(ctx, queries.ListLineSplitsParams{HouseholdID: r.who.HouseholdID, Securities: packed})
	r.splits = map[int64][]split{}
	for _, s := range splits {
		r.splits[s.SecurityID] = append(r.splits[s.SecurityID], newSplit(s.Date, s.Numerator, s.Denominator))
	}
	if err != nil {
		return err
	}
	return r.unpack(markets, trades)
}

func (r *lineReader) unpack(markets []queries.PackLinePricesRow, trades []queries.PackLineTradePricesRow) (err error) {
	r.markets, r.trades = make(map[int64][]quotedPrice, len(markets)), make(map[int64][]quotedPrice, len(trades))
	for _, m := range markets {
		if r.markets[m.SecurityID], err = unpackPrices(m.Prices); err != nil {
			return err
		}
	}
	for _, t := range trades {
		prices, err := unpackPrices(t.Prices)
		if err != nil {
			return err
		}
		for i := range prices {
			prices[i].traded = true
		}
		r.trades[t.SecurityID] = prices
	}
	return nil
}

// unpackPrices reads "day price currency instant", by commas, and sorts it: SQLite promises no order.
func unpackPrices(text string) ([]quotedPrice, error) {
	if text == "" {
		return nil, nil
	}
	list := make([]quotedPrice, 0, strings.Count(text, ",")+1)
	for part := range strings.SplitSeq(text, ",") {
		words := strings.Fields(part)
		if len(words) != 4 {
			return nil, fmt.Errorf("the database packed the prices of a security as %q", part)
		}
		day, errDay := strconv.ParseInt(words[0], 10, 32)
		price, errPrice := decimal.NewFromString(words[1])
		updatedAt, errStamp := strconv.ParseInt(words[3], 10, 64)
		if errDay != nil || errPrice != nil || errStamp != nil {
			return nil, fmt.Errorf("the database packed the prices of a security as %q", part)
		}
		list = append(list, quotedPrice{day: Date(day), price: price, currency: words[2], updatedAt: updatedAt})
	}
	slices.SortFunc(list, func(a, b quotedPrice) int { return int(a.day - b.day) })
	return list, nil
}
