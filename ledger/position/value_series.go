package position

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/queries"
)

// Step is what a line holds and what that is worth from the end of a day on, until its next step.
type Step struct {
	from           ledger.Date
	Quantity, cost decimal.Decimal // cost of all, fees included; not known when costUnknown
	costCurrency   string
	costUnknown    bool            // the purchases were paid in several currencies
	Price          decimal.Decimal // of a unit, splits since its day taken into account
	PriceCurrency  string
	PriceDay       ledger.Date
	Traded         bool  // the price is that of a trade, for want of a market price
	Value          int64 // minor units of priceCurrency
	createdAt      int64 // of the position
	updatedAt      int64 // of the position or the price
}

// LineBook has the steps of some lines over some days.
type LineBook struct{ steps map[Key][]Step }

// On is the step of a line that is in force on a day; nil before its first.
func (b *LineBook) On(at Key, day ledger.Date) *Step {
	steps := b.steps[at]
	n, exact := slices.BinarySearchFunc(steps, day, func(s Step, day ledger.Date) int { return int(s.from - day) })
	if !exact {
		n--
	}
	if n < 0 {
		return nil
	}
	return &steps[n]
}

// ReadLines reads the steps of lines that are in force on any of the days. Each line's come by day; the
// first is in force on the first day.
func ReadLines(ctx context.Context, tx *ledger.Tx, lines []Key, first, last ledger.Date) (*LineBook, error) {
	if len(lines) == 0 {
		return &LineBook{}, nil
	}
	r := LineReader{Tx: tx, First: first, Last: last}
	if err := r.readPositions(ctx, lines); err != nil {
		return nil, err
	}
	if err := r.ReadPrices(ctx, lines); err != nil {
		return nil, err
	}
	book := &LineBook{make(map[Key][]Step, len(lines))}
	for _, at := range lines {
		steps, err := r.steps(at)
		if err != nil {
			return nil, err
		}
		book.steps[at] = steps
	}
	return book, nil
}

// LineReader has read what steps are made of; positions and prices are by day.
type LineReader struct {
	Tx              *ledger.Tx
	First, Last     ledger.Date
	positions       map[Key][]queries.ListLinePositionsRow
	markets, Trades map[int64][]QuotedPrice
	Splits          map[int64][]Split
}

// QuotedPrice is a price on its day.
type QuotedPrice struct {
	Day       ledger.Date
	Price     decimal.Decimal
	Currency  string
	traded    bool
	updatedAt int64
}

func (r *LineReader) readPositions(ctx context.Context, lines []Key) error {
	pairs := make([][2]int64, len(lines))
	for i, at := range lines {
		pairs[i] = [2]int64{at.Account, at.Security}
	}
	rows, err := r.Tx.ListLinePositions(ctx, queries.ListLinePositionsParams{
		HouseholdID: r.Tx.HouseholdID, FirstDay: int64(r.First), LastDay: int64(r.Last),
		Lines: ledger.JSONArray(pairs)})
	r.positions = make(map[Key][]queries.ListLinePositionsRow, len(lines))
	for _, row := range rows {
		at := Key{row.AccountID, row.SecurityID}
		r.positions[at] = append(r.positions[at], row)
	}
	for _, list := range r.positions {
		slices.SortFunc(list, func(a, b queries.ListLinePositionsRow) int { return int(a.Date - b.Date) })
	}
	return err
}

func (r *LineReader) ReadPrices(ctx context.Context, lines []Key) error {
	var securities []int64
	for _, at := range lines {
		securities = append(securities, at.Security)
	}
	slices.Sort(securities)
	packed := ledger.JSONArray(slices.Compact(securities))
	markets, err := r.Tx.PackLinePrices(ctx, queries.PackLinePricesParams{
		HouseholdID: r.Tx.HouseholdID, LastDay: int64(r.Last), FirstDay: int64(r.First), Securities: packed})
	if err != nil {
		return err
	}
	trades, err := r.Tx.PackLineTradePrices(ctx, queries.PackLineTradePricesParams{
		HouseholdID: r.Tx.HouseholdID, LastDay: int64(r.Last), FirstDay: int64(r.First), Securities: packed})
	if err != nil {
		return err
	}
	splits, err := r.Tx.ListLineSplits(ctx, queries.ListLineSplitsParams{HouseholdID: r.Tx.HouseholdID,
		Securities: packed})
	r.Splits = map[int64][]Split{}
	for _, s := range splits {
		r.Splits[s.SecurityID] = append(r.Splits[s.SecurityID], NewSplit(s.Date, s.Numerator, s.Denominator))
	}
	if err != nil {
		return err
	}
	return r.unpack(markets, trades)
}

func (r *LineReader) unpack(markets []queries.PackLinePricesRow, trades []queries.PackLineTradePricesRow) (err error) {
	r.markets, r.Trades = make(map[int64][]QuotedPrice, len(markets)), make(map[int64][]QuotedPrice, len(trades))
	for _, m := range markets {
		r.markets[m.SecurityID], err = UnpackPrices(m.Prices)
		if err != nil {
			return err
		}
	}
	for _, t := range trades {
		prices, err := UnpackPrices(t.Prices)
		if err != nil {
			return err
		}
		for i := range prices {
			prices[i].traded = true
		}
		r.Trades[t.SecurityID] = prices
	}
	return nil
}

// UnpackPrices reads "day price currency instant", by commas, and sorts it: SQLite promises no order.
func UnpackPrices(text string) ([]QuotedPrice, error) {
	if text == "" {
		return nil, nil
	}
	list := make([]QuotedPrice, 0, strings.Count(text, ",")+1)
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
		list = append(list, QuotedPrice{Day: ledger.Date(day), Price: price, Currency: words[2], updatedAt: updatedAt})
	}
	slices.SortFunc(list, func(a, b QuotedPrice) int { return int(a.Day - b.Day) })
	return list, nil
}
