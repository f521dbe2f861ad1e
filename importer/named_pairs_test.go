package importer_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"pgregory.net/rapid"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/transfer"
	"finsvc/queries"
)

// qifLine is an entry of a generated file: of account Left or Right, which may name the other.
type qifLine struct {
	account, day, cents int
	named               bool
	name                string
}

// TestNamedPairsAreJoined: what a file names as one transfer is one, whatever else looks like it, and of the rest
// nothing is joined twice. Transfers that were there give way, and a revert brings them back.
func TestNamedPairsAreJoined(t *testing.T) {
	t.Parallel()
	k, first := newFixture(t), ledger.NewDate(2026, 1, 20)
	accounts := []uuid.UUID{k.open("Left", "EUR"), k.open("Right", "EUR"), k.open("Third", "EUR")}
	rapid.Check(t, func(r *rapid.T) {
		defer k.clear()
		for i := range rapid.IntRange(0, 6).Draw(r, "booked") {
			k.book(rapid.SampledFrom(accounts).Draw(r, "where"), first.AddDays(rapid.IntRange(0, 5).Draw(r, "on")),
				int64(rapid.SampledFrom([]int{-100, 100}).Draw(r, "cents")), fmt.Sprint("b", i))
		}
		before := k.moved()
		lines := rapid.SliceOfN(rapid.Custom(func(r *rapid.T) qifLine {
			return qifLine{rapid.IntRange(0, 1).Draw(r, "account"), rapid.IntRange(0, 5).Draw(r, "day"),
				rapid.SampledFrom([]int{-100, 100}).Draw(r, "cents"), rapid.Bool().Draw(r, "named"), ""}
		}), 1, 14).Draw(r, "lines")
		for i := range lines {
			lines[i].name = fmt.Sprint("f", i)
		}
		imp := k.send(qifOf(lines, first), importer.Request{Type: recordpkg.QifImport, Publish: true,
			Duplicates: importer.DuplicatesNew})
		k.work()
		if now := k.get(imp); now.Status != importer.StatusComplete {
			r.Fatalf("%s: %v", now.Status, *now.Error)
		}
		k.checkPairs(r, namedPairs(lines))
		if now := k.mustRevert(imp, false); now.Status != importer.StatusPending {
			r.Fatalf("reverted: %s", now.Status)
		}
		if got := k.moved(); got != before {
			r.Fatalf("reverted: %q, was %q", got, before)
		}
	})
}

// clear deletes all transactions.
func (k *fixture) clear() {
	k.tb.Helper()
	list, _ := k.transactions()
	for _, t := range list {
		if err := k.ledger.Entries.DeleteTransaction(k.tb.Context(), k.who, uuid.UUID(t.PublicID)); err != nil {
			k.tb.Fatal(err)
		}
	}
}

func qifOf(lines []qifLine, first ledger.Date) string {
	var b strings.Builder
	b.WriteString("!Type:Cat\nNFood\n^\n")
	for account, name := range []string{"Left", "Right"} {
		b.WriteString("!Account\nN" + name + "\nTBank\n^\n!Type:Bank\n")
		for _, l := range lines {
			if l.account != account {
				continue
			}
			day := first.AddDays(l.day).String()
			fmt.Fprintf(&b, "D%s/%s/%s\nT%d\nP%s\n", day[5:7], day[8:], day[:4], l.cents/100, l.name)
			if l.named {
				b.WriteString("L[" + [...]string{"Right", "Left"}[account] + "]\n")
			}
			b.WriteString("^\n")
		}
	}
	return b.String()
}

// namedPairs takes, of those that name each other's accounts on a day, the first with the first.
func namedPairs(lines []qifLine) (pairs []string) {
	used := map[string]bool{}
	for _, out := range lines {
		for _, in := range lines {
			if out.named && in.named && out.cents < 0 && in.cents > 0 && out.account != in.account &&
				out.day == in.day && !used[out.name] && !used[in.name] {
				used[out.name], used[in.name] = true, true
				pairs = append(pairs, out.name+">"+in.name)
			}
		}
	}
	return pairs
}

// checkPairs looks for the named pairs among the transfers, which are the confirmed ones.
func (k *fixture) checkPairs(r *rapid.T, want []string) {
	list, _, err := k.ledger.Transfers.ListTransfers(k.tb.Context(), k.who, transfer.Filter{},
		ledger.Page{Number: 1, Size: 100})
	if err != nil {
		r.Fatal(err)
	}
	var got []string
	sides := map[int64]bool{}
	for _, t := range list {
		for _, side := range []queries.Transaction{t.Inflow.Transaction, t.Outflow.Transaction} {
			if sides[side.ID] {
				r.Fatalf("%s is a side of two transfers", side.Name)
			}
			sides[side.ID] = true
		}
		if t.Status == transfer.TransferConfirmed {
			got = append(got, t.Outflow.Name+">"+t.Inflow.Name)
		}
	}
	slices.SortFunc(got, cmp.Compare)
	slices.SortFunc(want, cmp.Compare)
	if !slices.Equal(got, want) {
		r.Fatalf("got %q, want %q", got, want)
	}
}

// TestRevertMatchesAllThatIsLeft: three rows lose their other side at once. "late" is taken by "one" at first, then
// by "two", which has "near" in the end, so that "late" goes back to "one".
func TestRevertMatchesAllThatIsLeft(t *testing.T) {
	t.Parallel()
	k, first := newFixture(t), ledger.NewDate(2026, 1, 20)
	left, right, third := k.open("Left", "EUR"), k.open("Right", "EUR"), k.open("Third", "EUR")
	k.book(right, first, -100, "one")
	k.book(right, first.AddDays(2), 100, "near")
	k.book(third, first.AddDays(4), 100, "late")
	k.book(left, first, -100, "two")
	const before = "one>late two>near"
	if got := k.moved(); got != before {
		t.Fatalf("got %q", got)
	}
	file := qifOf([]qifLine{{0, 0, 100, false, "f0"}, {0, 4, -100, false, "f1"}, {1, 0, 100, false, "f2"}}, first)
	imp := k.send(file, importer.Request{Type: recordpkg.QifImport, Publish: true})
	k.work()
	if got := k.moved(); got != "f1>late one>f0 two>f2" {
		t.Fatalf("with the file: %q", got)
	}
	if now := k.mustRevert(imp, false); now.Status != importer.StatusPending {
		t.Fatalf("reverted: %s", now.Status)
	}
	if got := k.moved(); got != before {
		t.Errorf("reverted: %q", got)
	}
}
