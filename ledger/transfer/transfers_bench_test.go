package transfer_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
)

// alternating are rows of one amount on some days, in and out in turn, of two accounts in turn: each has many others
// that could be its other side.
func alternating(accounts []catalog.Account, rows, aDay int) []entry.TransactionInput {
	first := ledger.NewDate(2024, 1, 1)
	list := make([]entry.TransactionInput, rows)
	for i := range list {
		amount := [...]string{"10", "-10"}[i%2]
		list[i] = ledgertest.Entry(uuid.UUID(accounts[i%2].PublicID), first.AddDays(i/aDay).String(), amount, fmt.Sprintf("row %d", i))
	}
	return list
}

func crowd(b *testing.B, rows, aDay int) (*ledgertest.Fixture, []catalog.Account) {
	b.Helper()
	k := ledgertest.New(b)
	accounts := []catalog.Account{k.OpenWith("A", "depository", "EUR", "0"), k.OpenWith("B", "depository", "EUR", "0")}
	k.Crowd(alternating(accounts, rows, aDay))
	return k, accounts
}

// BenchmarkMatch books rows of one amount, in batches: all of one day, and forty a day for years.
func BenchmarkMatch(b *testing.B) {
	for _, c := range []struct{ rows, aDay int }{{400, 400}, {1_600, 1_600}, {10_000, 10_000}, {29_200, 40}, {100_000, 137}} {
		b.Run(fmt.Sprintf("%d rows, %d a day", c.rows, c.aDay), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				k, _ := crowd(b, c.rows, c.aDay)
				k.MatchedAre(c.rows / 2)
			}
		})
	}
}

// BenchmarkCreateBeside books and deletes one transaction beside none, few and many of the same amount.
func BenchmarkCreateBeside(b *testing.B) {
	for _, c := range []struct {
		rows, aDay int
		amount     string
	}{{400, 40, "-11"}, {29_200, 40, "-10"}, {400, 400, "-10"}, {10_000, 10_000, "-10"}} {
		b.Run(fmt.Sprintf("%d rows, %d a day, %s", c.rows, c.aDay, c.amount), func(b *testing.B) {
			k, accounts := crowd(b, c.rows, c.aDay)
			n := 0
			for b.Loop() {
				n++
				t := k.Create(ledgertest.Entry(uuid.UUID(accounts[1].PublicID), "2024-01-01", c.amount, fmt.Sprintf("one more %d", n)))
				k.Remove(t)
			}
		})
	}
}
