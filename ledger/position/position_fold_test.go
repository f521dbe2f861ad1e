package position

import (
	"fmt"
	"maps"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
)

func dec(text string) decimal.Decimal { return decimal.RequireFromString(text) }

// buying and selling make trades on the day that the test calls 1, 2, ...
func buying(day ledger.Date, quantity string, paid int64, currency string) PositionTrade {
	return PositionTrade{Account: 1, Day: day, Quantity: dec(quantity), Amount: -paid, Currency: currency}
}

func selling(day ledger.Date, quantity string, allowShort bool) PositionTrade {
	return PositionTrade{Account: 1, Day: day, Quantity: dec(quantity).Neg(), Currency: "EUR", allowShort: allowShort}
}

func splitting(day, num, den int64) Split { return NewSplit(day, num, den) }

// TestFold works positions out by hand: quantity, cost in units of the currency, whether the cost is mixed, and
// the edge of each day.
func TestFold(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		trades []PositionTrade
		splits []Split
		want   []string
	}{
		// 10 x 100.00 + 1.50 = 1,001.50; + 5 x 130.00 = 1,651.50; 15 become 30; 18 of 30 stay: 1,651.50 x 18 / 30 = 990.90.
		"purchases, split, sale": {
			[]PositionTrade{buying(1, "10", 1001_50, "EUR"), buying(2, "5", 650_00, "EUR"), selling(4, "12", false)}, []Split{splitting(3, 2, 1)},
			[]string{"1: 10 cost 1001.5 EUR +1", "2: 15 cost 1651.5 EUR +0", "3: 30 cost 1651.5 EUR +0", "4: 18 cost 990.9 EUR +0"}},
		"sold off and bought again": {
			[]PositionTrade{buying(1, "0.12345678", 5_000_00, "EUR"), selling(2, "0.12345678", false), buying(5, "1", 10_00, "EUR")}, nil,
			[]string{"1: 0.12345678 cost 5000 EUR +1", "2: 0 cost 0 EUR -1", "5: 1 cost 10 EUR +1"}},
		// A third of 10.00 is kept to twelve decimals.
		"a cost that does not come out even": {
			[]PositionTrade{buying(1, "3", 10_00, "EUR"), selling(2, "2", false)}, nil,
			[]string{"1: 3 cost 10 EUR +1", "2: 1 cost 3.333333333333 EUR +0"}},
		"a day's sale before its purchase": {
			[]PositionTrade{selling(1, "4", false), buying(1, "10", 100_00, "EUR")}, nil,
			[]string{"1: 6 cost 60 EUR +1"}},
		"bought and sold within a day": {
			[]PositionTrade{buying(1, "2", 8_00, "EUR"), selling(1, "2", false)}, nil, []string{"1: 0 cost 0 EUR +0"}},
		// 10 / 3 = 3.33333333; the split comes before the purchase of its day.
		"reverse split and a purchase on one day": {
			[]PositionTrade{buying(1, "10", 30_00, "EUR"), buying(2, "1", 9_00, "EUR")}, []Split{splitting(2, 1, 3)},
			[]string{"1: 10 cost 30 EUR +1", "2: 4.33333333 cost 39 EUR +0"}},
		"a split of nothing": {
			[]PositionTrade{buying(2, "1", 9_00, "EUR")}, []Split{splitting(1, 2, 1)}, []string{"2: 1 cost 9 EUR +1"}},
		"two currencies, until nothing is left": {
			[]PositionTrade{buying(1, "1", 9_00, "EUR"), buying(2, "1", 9_00, "USD"), selling(3, "2", false), buying(4, "1", 7_00, "USD")}, nil,
			[]string{"1: 1 cost 9 EUR +1", "2: 2 cost 0 EUR +0 mixed", "3: 0 cost 0 EUR -1", "4: 1 cost 7 USD +1"}},
		"two currencies on one day": {
			[]PositionTrade{buying(1, "1", 9_00, "USD"), buying(1, "1", 9_00, "EUR")}, nil, []string{"1: 2 cost 0 EUR +1 mixed"}},
		// Sold 5 without holding any; of 8 bought for 40.00, 3 are held: 40.00 x 3 / 8 = 15.00.
		"short and covered": {
			[]PositionTrade{selling(1, "5", true), buying(2, "8", 40_00, "EUR")}, nil,
			[]string{"1: -5 cost 0  +0", "2: 3 cost 15 EUR +1"}},
		"partly short": {
			[]PositionTrade{buying(1, "2", 4_00, "EUR"), selling(2, "2", false), selling(2, "1", true)}, nil,
			[]string{"1: 2 cost 4 EUR +1", "2: -1 cost 0 EUR -1"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fresh, err := foldAll(c.trades, c.splits)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, describe(fresh)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func foldAll(trades []PositionTrade, splits []Split) (map[PositionKey]PositionRow, error) {
	fresh, folds := map[PositionKey]PositionRow{}, map[int64]*Position{}
	for _, day := range ByDay(trades, splits) {
		if err := day.Fold(folds, 7, fresh); err != nil {
			return nil, err
		}
	}
	return fresh, nil
}

func describe(rows map[PositionKey]PositionRow) []string {
	var list []string
	for day := ledger.Date(0); day < 10; day++ {
		r, there := rows[PositionKey{1, day}]
		if !there {
			continue
		}
		text := fmt.Sprintf("%d: %s cost %s %s %+d", day, r.Quantity, r.Cost, r.Currency, r.Opens-r.Closes)
		if r.CostUnknown == 1 {
			text += " mixed"
		}
		list = append(list, text)
	}
	return list
}

// TestFoldRefusesShortSales: what is sold must be held, on its day and ever after.
func TestFoldRefusesShortSales(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		trades  []PositionTrade
		splits  []Split
		missing string
		day     ledger.Date
	}{
		"nothing held":           {[]PositionTrade{selling(1, "1", false)}, nil, "1", 1},
		"more than is held":      {[]PositionTrade{buying(1, "2", 100, "EUR"), selling(2, "2.5", false)}, nil, "0.5", 2},
		"after a reverse split":  {[]PositionTrade{buying(1, "10", 100, "EUR"), selling(3, "2", false)}, []Split{splitting(2, 1, 10)}, "1", 3},
		"only one has leave":     {[]PositionTrade{selling(1, "3", true), selling(1, "1", false)}, nil, "1", 1},
		"deeper without leave":   {[]PositionTrade{selling(1, "3", true), selling(2, "1", false)}, nil, "1", 2},
		"bought only afterwards": {[]PositionTrade{buying(2, "5", 100, "EUR"), selling(1, "5", false)}, nil, "5", 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := foldAll(c.trades, c.splits)
			short, refused := err.(*ShortSale)
			if !refused || !short.Missing.Equal(dec(c.missing)) || short.Day != c.day || short.Key != (Key{1, 7}) {
				t.Errorf("got %v, want %s missing on day %d", err, c.missing, c.day)
			}
		})
	}
}

// TestMoveLevels: a value is stored where it differs from that of the day before, nowhere else.
func TestMoveLevels(t *testing.T) {
	t.Parallel()
	type levels = map[ledger.Date]int64
	cases := map[string]struct {
		stored, moves, put levels
		gone               []ledger.Date
	}{
		"the first value":       {levels{}, levels{5: 100}, levels{5: 100}, nil},
		"up and down again":     {levels{}, levels{5: 100, 8: -100}, levels{5: 100, 8: 0}, nil},
		"on top of an old one":  {levels{1: 40, 7: 50}, levels{5: 10, 7: -10}, levels{5: 50}, []ledger.Date{7}},
		"later ones move along": {levels{1: 40, 7: 50, 9: 45}, levels{5: 100}, levels{5: 140, 7: 150, 9: 145}, nil},
		"taken away":            {levels{1: 40, 5: 140, 7: 150, 9: 0}, levels{5: -100, 9: 100}, levels{7: 50}, []ledger.Date{5}},
		"from zero to zero":     {levels{5: 100}, levels{5: -100}, levels{}, []ledger.Date{5}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			first := ledger.MaxDate
			for day := range maps.Keys(c.moves) {
				first = min(first, day)
			}
			put, gone, _ := MoveLevels(c.stored, sumsOf(c.moves), first)
			if diff := cmp.Diff(c.put, put); diff != "" {
				t.Errorf("written: %s", diff)
			}
			if diff := cmp.Diff(c.gone, gone); diff != "" {
				t.Errorf("removed: %s", diff)
			}
		})
	}
}

func sumsOf(levels map[ledger.Date]int64) map[ledger.Date]money.Sum {
	sums := map[ledger.Date]money.Sum{}
	for day, minor := range levels {
		sums[day] = money.SumOf(minor)
	}
	return sums
}
