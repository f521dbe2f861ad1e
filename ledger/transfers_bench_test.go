package ledger_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
)

// alternating are rows of one amount on some days, in and out in turn, of two accounts in turn: each has many others
// that could be its other side.
func alternating(accounts []ledger.Account, rows, aDay int) []ledger.TransactionInput {
	first := ledger.NewDate(2024, 1, 1)
	list := make([]ledger.TransactionInput, rows)
	for i := range list {
		amount := [...]string{"10", "-10"}[i%2]
		list[i] = entry(uuid.UUID(accounts[i%2].PublicID), first.AddDays(i/aDay).String(), amount, fmt.Sprintf("row %d", i))
	}
	return list
}

func crowd(b *testing.B, rows, aDay int) (*books, []ledger.Account) {
	b.Helper()
	k := newBooks(b)
	accounts := []ledger.Account{k.openWith("A", "depository", "EUR", "0"), k.openWith("B", "depository", "EUR", "0")}
	k.crowd(alternating(accounts, rows, aDay))
	return k, accounts
}

// crowd books rows in batches.
func (b *books) crowd(list []ledger.TransactionInput) {
	b.tb.Helper()
	for len(list) > 0 {
		part := list[:min(len(list), ledger.MaxBulk)]
		if _, err := b.CreateTransactions(b.ctx(), b.who, part); err != nil {
			b.tb.Fatal(err)
		}
		list = list[len(part):]
	}
}

// BenchmarkMatch books rows of one amount, in batches: all of one day, and forty a day for years.
func BenchmarkMatch(b *testing.B) {
	for _, c := range []struct{ rows, aDay int }{{400, 400}, {1_600, 1_600}, {10_000, 10_000}, {29_200, 40}, {100_000, 137}} {
		b.Run(fmt.Sprintf("%d rows, %d a day", c.rows, c.aDay), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				k, _ := crowd(b, c.rows, c.aDay)
				k.matchedAre(c.rows / 2)
			}
		})
	}
}

// matchedAre checks how many transfers there are.
func (b *books) matchedAre(want int) {
	b.tb.Helper()
	_, total, err := b.ListTransfers(b.ctx(), b.who, ledger.TransferFilter{}, ledger.Page{Number: 1, Size: 1})
	if err != nil || total != int64(want) {
		b.tb.Errorf("there are %d transfers, want %d, %v", total, want, err)
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
				t := k.create(entry(uuid.UUID(accounts[1].PublicID), "2024-01-01", c.amount, fmt.Sprintf("one more %d", n)))
				k.remove(t)
			}
		})
	}
}
