package ledgertest

import (
	"fmt"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/position"
)

// Trade inserts a purchase or sale; the change of a split or price from its day on brings what follows up to date.
func (b *Fixture) Trade(account, security uuid.UUID, number int64, when ledger.Date, quantity, price string) {
	kind := "buy"
	if strings.HasPrefix(quantity, "-") {
		kind = "sell"
	}
	b.Insert(`INSERT INTO trades (public_id, id, household_id, account_id, security_id, date, kind, quantity, price, amount, currency, name, created_at, updated_at)
		SELECT ?, ?, ?, a.id, s.id, ?, ?, ?, ?, 0, 'EUR', 'x', 0, 0 FROM accounts a, securities s WHERE a.public_id = ? AND s.public_id = ?`,
		int64(ledger.NewKey(b.Who.HouseholdID, when, number)), b.Who.HouseholdID, int64(when), kind, quantity, price,
		account[:], security[:])
}

// Held is how many units are held, and what they are worth, at the end of days.
func (b *Fixture) Held(days ...string) string {
	b.tb.Helper()
	var out []string
	for _, text := range days {
		when, err := ledger.ParseDate(text)
		if err != nil {
			b.tb.Fatal(err)
		}
		list, _, err := b.Positions.ListHoldings(b.Ctx(), b.Who, position.HoldingFilter{Date: ledger.Some(when)},
			ledger.Page{Number: 1, Size: 10})
		if err != nil {
			b.tb.Fatal(err)
		}
		for _, h := range list {
			out = append(out, fmt.Sprint(h.Quantity, " ", h.Minor))
		}
	}
	return strings.Join(out, ", ")
}
