package ledger

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"pgregory.net/rapid"
)

// holdings is the list of holdings from a day to another, by looking at every line on every day.
func (m *market) holdings(first, last Date) string {
	quantities := map[line][]string{}
	values := map[line][]int64{}
	for _, account := range m.accounts {
		for _, security := range m.securities {
			at := line{account, security}
			for day, quantity := range m.rounded(at) {
				text, value := "", int64(0)
				if quantity.IsPositive() {
					price, _ := m.priceOn(security, Date(day))
					value = roundRat(new(big.Rat).Mul(new(big.Rat).Mul(quantity.Rat(), price), big.NewRat(100, 1)))
					text = quantity.String()
				}
				quantities[at], values[at] = append(quantities[at], text), append(values[at], value)
			}
		}
	}
	var text strings.Builder
	for day := first; day <= last; day++ {
		for a, account := range m.accounts {
			for s, security := range m.securities {
				if at := (line{account, security}); quantities[at][day] != "" {
					fmt.Fprintf(&text, "%d account %d S%d: %s, %d\n", day, a, s, quantities[at][day], values[at][day])
				}
			}
		}
	}
	return text.String()
}

// listHoldings is the same by the list, page by page. Every row has an id of its own, by which it is found.
func (m *market) listHoldings(r *rapid.T, first, last Date, size int) string {
	var text strings.Builder
	ids := map[uuid.UUID]bool{}
	for page := 1; ; page++ {
		rows, total, err := m.ListHoldings(context.Background(), m.who, HoldingFilter{StartDate: Some(first), EndDate: Some(last)}, Page{page, size})
		if err != nil {
			r.Fatal(err)
		}
		for _, h := range rows {
			fmt.Fprintf(&text, "%d %s %s: %s, %d\n", h.Date, h.Account.Name, h.Security.Ticker, h.Quantity, h.Minor)
			if found, err := m.GetHolding(context.Background(), m.who, h.ID); err != nil || ids[h.ID] || cmp.Diff(h, found) != "" {
				r.Fatalf("%v is found as %v, %v", h, found, err)
			}
			ids[h.ID] = true
		}
		if len(rows) == 0 {
			if total != int64(len(ids)) {
				r.Fatalf("%d holdings are said to be %d", len(ids), total)
			}
			return text.String()
		}
	}
}

// TestHoldingsAreWhatIsHeld: after any sequence of trades, prices and splits, pages of any size give each
// line on each day on which it is held, once and in order.
func TestHoldingsAreWhatIsHeld(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		m := newMarket(t)
		for range rapid.IntRange(1, 25).Draw(r, "operations") {
			m.step(r)
		}
		first := Date(rapid.IntRange(0, marketDays-1).Draw(r, "first day"))
		last := Date(rapid.IntRange(int(first)-1, marketDays-1).Draw(r, "last day"))
		got := m.listHoldings(r, first, last, rapid.IntRange(1, 9).Draw(r, "page"))
		if diff := cmp.Diff(m.holdings(first, last), got); diff != "" {
			r.Fatalf("wanted - listed +\n%s", diff)
		}
	})
}
