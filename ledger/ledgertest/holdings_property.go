package ledgertest

import (
	"context"
	"fmt"
	"math/big"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
	"finsvc/ledger/position"
)

// Holdings is the list of holdings from a day to another, by looking at every line on every day.
func (m *RandomMarket) Holdings(first, last ledger.Date) string {
	quantities := map[position.Key][]string{}
	values := map[position.Key][]int64{}
	for _, account := range m.Accounts {
		for _, security := range m.securities {
			at := position.Key{Account: account, Security: security}
			for day, quantity := range m.rounded(at) {
				text, value := "", int64(0)
				if quantity.IsPositive() {
					price, _ := m.priceOn(security, ledger.Date(day))
					value = roundRat(new(big.Rat).Mul(new(big.Rat).Mul(quantity.Rat(), price), big.NewRat(100, 1)))
					text = quantity.String()
				}
				quantities[at], values[at] = append(quantities[at], text), append(values[at], value)
			}
		}
	}
	var text strings.Builder
	for day := first; day <= last; day++ {
		for a, account := range m.Accounts {
			for s, security := range m.securities {
				if at := (position.Key{Account: account, Security: security}); quantities[at][day] != "" {
					fmt.Fprintf(&text, "%d account %d S%d: %s, %d\n", day, a, s, quantities[at][day], values[at][day])
				}
			}
		}
	}
	return text.String()
}

// ListHoldings is the same by the list, page by page. Every row has an id of its own, by which it is found.
func (m *RandomMarket) ListHoldings(r *rapid.T, first, last ledger.Date, size int) string {
	var text strings.Builder
	ids := map[uuid.UUID]bool{}
	for page := 1; ; page++ {
		rows, total, err := m.Positions.ListHoldings(context.Background(), m.Who,
			position.HoldingFilter{StartDate: ledger.Some(first), EndDate: ledger.Some(last)},
			ledger.Page{Number: page, Size: size})
		if err != nil {
			r.Fatal(err)
		}
		for _, h := range rows {
			fmt.Fprintf(&text, "%d %s %s: %s, %d\n", h.Date, h.Account.Name, h.Security.Ticker, h.Quantity, h.Minor)
			if found, err := m.Positions.GetHolding(context.Background(), m.Who, h.ID); err != nil || ids[h.ID] ||
				cmp.Diff(h, found) != "" {
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
