package ledger_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/ledger"
)

// TestTransfersFollowFromTheTransactions: after any sequence of creations, changes and deletions the automatic
// transfers are those that a search through all pairs finds; so the order of writing never matters.
func TestTransfersFollowFromTheTransactions(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	var accounts []ledger.Account
	for _, name := range []string{"A", "B", "C"} {
		accounts = append(accounts, b.openWith(name, "depository", "EUR", "0"))
	}
	first, written := ledger.NewDate(2026, 1, 1), 0
	rapid.Check(t, func(r *rapid.T) {
		var rows []ledger.Transaction
		draw := func() ledger.TransactionInput {
			written++
			in := entry(uuid.UUID(rapid.SampledFrom(accounts).Draw(r, "account").PublicID), first.AddDays(rapid.IntRange(0, 12).Draw(r, "day")).String(),
				rapid.SampledFrom([]string{"1", "-1", "2", "-2", "0"}).Draw(r, "amount"), fmt.Sprintf("%s %d", rapid.SampledFrom([]string{"x", "y"}).Draw(r, "name"), written))
			in.Currency = ledger.Some(rapid.SampledFrom([]string{"EUR", "EUR", "EUR", "USD"}).Draw(r, "currency"))
			return in
		}
		r.Repeat(map[string]func(*rapid.T){
			"create": func(*rapid.T) { rows = append(rows, b.create(draw())) },
			"change": func(r *rapid.T) {
				if len(rows) > 0 {
					at := rapid.IntRange(0, len(rows)-1).Draw(r, "row")
					rows[at] = b.update(uuid.UUID(rows[at].PublicID), draw())
				}
			},
			"delete": func(r *rapid.T) {
				if len(rows) > 0 {
					at := rapid.IntRange(0, len(rows)-1).Draw(r, "row")
					b.remove(rows[at])
					rows = slices.Delete(rows, at, at+1)
				}
			},
			"": func(r *rapid.T) {
				if got, want := b.moved(), pairsOf(rows); got != want {
					r.Fatalf("got %q, want %q", got, want)
				}
			},
		})
		for _, row := range rows {
			b.remove(row)
		}
		if left := b.moved(); left != "" {
			r.Fatalf("%s are left", left)
		}
	})
}

// pairsOf searches through all pairs: nearest days first, then what arrives after it left, then the outflow's
// and the inflow's day, account and name. Names are unique here.
func pairsOf(rows []ledger.Transaction) string {
	type pair struct{ out, in ledger.Transaction }
	var pairs []pair
	for _, out := range rows {
		for _, in := range rows {
			if out.Amount < 0 && in.Amount == -out.Amount && in.Currency == out.Currency && in.AccountID != out.AccountID && max(in.Date-out.Date, out.Date-in.Date) <= 4 {
				pairs = append(pairs, pair{out, in})
			}
		}
	}
	rank := func(p pair) []int64 {
		days, early := p.in.Date-p.out.Date, int64(0)
		if days < 0 {
			days, early = -days, 1
		}
		return []int64{days, early, p.out.Date, p.out.AccountID}
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(slices.Compare(rank(a), rank(b)), cmp.Compare(a.out.Name, b.out.Name), cmp.Compare(a.in.Date, b.in.Date),
			cmp.Compare(a.in.AccountID, b.in.AccountID), cmp.Compare(a.in.Name, b.in.Name))
	})
	used := map[string]bool{}
	var out []string
	for _, p := range pairs {
		if !used[p.out.Name] && !used[p.in.Name] {
			used[p.out.Name], used[p.in.Name] = true, true
			out = append(out, p.out.Name+">"+p.in.Name)
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// TestForeignTransfersDoNotDependOnOrder writes the same transactions in two orders, one by one and in one batch.
func TestForeignTransfersDoNotDependOnOrder(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	accounts := []ledger.Account{b.openWith("A", "depository", "EUR", "0"), b.openWith("B", "depository", "USD", "0"), b.openWith("C", "depository", "USD", "0")}
	b.rate("EUR", "USD", "2026-01-01", "1.11")
	rapid.Check(t, func(r *rapid.T) {
		var inputs []ledger.TransactionInput
		for n := range rapid.IntRange(2, 6).Draw(r, "rows") {
			inputs = append(inputs, entry(uuid.UUID(rapid.SampledFrom(accounts).Draw(r, "account").PublicID), fmt.Sprintf("2026-01-%02d", rapid.IntRange(1, 8).Draw(r, "day")),
				rapid.SampledFrom([]string{"100", "-100", "101", "-101", "90", "-90"}).Draw(r, "amount"), fmt.Sprint(n)))
		}
		var rows []ledger.Transaction
		for _, in := range inputs {
			rows = append(rows, b.create(in))
		}
		oneByOne := b.moved()
		for _, row := range rows {
			b.remove(row)
		}
		batch, err := b.CreateTransactions(b.ctx(), b.who, rapid.Permutation(inputs).Draw(r, "order"))
		if err != nil {
			r.Fatal(err)
		}
		if got := b.moved(); got != oneByOne {
			r.Fatalf("got %q, one by one %q", got, oneByOne)
		}
		for _, row := range batch {
			b.remove(row)
		}
	})
}
