package closing_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
	"finsvc/queries"
)

// pair is a household with two accounts, n transactions in each of which every third is half of a transfer with the other.
func pair(t *testing.T, n int) (b *house, ids []uuid.UUID) {
	b = &house{Fixture: ledgertest.New(t)}
	for _, name := range []string{"one", "other"} {
		b.plain = append(b.plain, uuid.UUID(b.OpenWith(name, "depository", "EUR", "0").PublicID))
	}
	var inputs []entry.TransactionInput
	for i := range n {
		amount, back := i+1, i+1_000_001
		if i%3 == 0 {
			back = -amount
		}
		inputs = append(inputs, ledgertest.Entry(b.plain[0], "2026-03-01", fmt.Sprint(amount), fmt.Sprint("row ", i)),
			ledgertest.Entry(b.plain[1], "2026-03-02", fmt.Sprint(back), fmt.Sprint("row ", i)))
	}
	for i, created := range b.CreateAll(inputs...) {
		if i%2 == 0 {
			ids = append(ids, uuid.UUID(created.PublicID))
		}
	}
	return b, ids
}

// TestClosingInParts: an account whose rows go in several writes is one operation all the same.
func TestClosingInParts(t *testing.T) {
	t.Parallel()
	for name, closing := range map[string]func(b *house) (uuid.UUID, error){
		"deleted": func(b *house) (uuid.UUID, error) {
			d, err := b.Closing.Delete(b.Ctx(), b.Who, b.plain[0])
			if err == nil && (d.Uses.Transactions != 600 || d.Uses.Transfers != 200 || d.Uses.Valuations != 1) {
				err = fmt.Errorf("deleted %+v", d.Uses)
			}
			return d.OperationID, err
		},
		"merged": func(b *house) (uuid.UUID, error) {
			m, err := b.Closing.Merge(b.Ctx(), b.Who, b.plain[0], b.plain[1], false)
			if err == nil && (m.Uses.Transactions != 600 || m.Uses.Transfers != 200 || m.PossibleDuplicates != 0) {
				err = fmt.Errorf("merged %+v", m)
			}
			return m.OperationID, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, _ := pair(t, 600)
			before := b.state(t)
			change, err := closing(b)
			if err != nil {
				t.Fatal(err)
			}
			if n := b.Number("SELECT count(*) FROM transfers") + b.Number("SELECT count(*) FROM unfinished_operations"); n != 0 {
				t.Errorf("%d transfers and unfinished operations are left", n)
			}
			if _, err := b.Books.History.Undo(b.Ctx(), b.Who, change); err != nil {
				t.Fatal(err)
			}
			if got := b.state(t); got != before {
				t.Errorf("it has (+) and had (-)\n%s", differing(got, before))
			}
		})
	}
}

// TestClosingCutShort: what was done of it before the process was killed is taken back when its time is over.
func TestClosingCutShort(t *testing.T) {
	t.Parallel()
	for name, part := range map[string]func(context.Context, *house, *ledger.Tx, []uuid.UUID) error{
		"deleted": func(ctx context.Context, b *house, tx *ledger.Tx, ids []uuid.UUID) error {
			return b.Entries.RemoveTransactions(ctx, tx, ids)
		},
		"merged": func(ctx context.Context, b *house, tx *ledger.Tx, ids []uuid.UUID) error {
			return b.Entries.MoveTransactions(ctx, tx, ids, tx.Refs.Accounts.Keys[b.plain[1]])
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, ids := pair(t, 9)
			before := b.state(t)
			id := queries.PublicID(uuid.Must(uuid.NewV7()))
			for _, some := range [][]uuid.UUID{ids[:3], ids[3:7]} {
				err := b.Books.WriteWithRefs(b.Ctx(), b.Who, func(ctx context.Context, tx *ledger.Tx) error {
					if err := tx.BeginOperation(ctx, queries.BeginOperationParams{OperationID: id, HouseholdID: tx.HouseholdID,
						LeaseUntil: tx.Stamp() - time.Second.Milliseconds()}); err != nil {
						return err
					}
					return part(ctx, b, tx.Within(id, nil), some)
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			if b.state(t) == before {
				t.Fatal("nothing was done")
			}
			if err := b.Books.History.Recover(b.Ctx()); err != nil {
				t.Fatal(err)
			}
			if got := b.state(t); got != before {
				t.Errorf("it has (+) and had (-)\n%s", differing(got, before))
			}
		})
	}
}

// TestMergedValuations: of two opening balances the earlier one stays, and the later one is the balance of its day if
// anybody has stated it; one day has one balance.
func TestMergedValuations(t *testing.T) {
	t.Parallel()
	day := func(text string) ledger.Opt[ledger.Date] { return ledgertest.DayOf(text) }
	for name, c := range map[string]struct {
		source, target [2]string // balance and day of the opening; none where blank
		stated         [2]string // a balance of 2026-02-01 in each
		want           string    // of the target afterwards
		conflict       string
	}{
		"the target's is earlier": {[2]string{"5", "2026-01-10"}, [2]string{"7", "2026-01-01"}, [2]string{},
			"2026-01-10 500 reconciliation\n2026-01-01 700 opening_anchor\n", ""},
		"the other's is earlier": {[2]string{"5", "2026-01-01"}, [2]string{"7", "2026-01-10"}, [2]string{},
			"2026-01-10 700 reconciliation\n2026-01-01 500 opening_anchor\n", ""},
		"nobody stated the later one": {[2]string{"5", "2026-01-01"}, [2]string{}, [2]string{}, "2026-01-01 500 opening_anchor\n", ""},
		"the same of one day": {[2]string{"5", "2026-01-01"}, [2]string{"7", "2026-01-10"}, [2]string{"9", "9"},
			"2026-02-01 900 reconciliation\n2026-01-10 700 reconciliation\n2026-01-01 500 opening_anchor\n", ""},
		"another one of one day": {[2]string{"5", "2026-01-01"}, [2]string{"7", "2026-01-10"}, [2]string{"9", "8"}, "",
			"they state different balances of a day, such as 2026-02-01"},
		"two openings of one day": {[2]string{"5", "2026-01-01"}, [2]string{"7", "2026-01-01"}, [2]string{}, "",
			"they state different balances of a day, such as 2026-01-01"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := ledgertest.New(t)
			var ids []uuid.UUID
			for i, opening := range [][2]string{c.source, c.target} {
				in := ledgertest.AccountNamed(fmt.Sprint("account ", i), "depository")
				if opening[0] != "" {
					in.Balance, in.Date = ledgertest.AmountOf(opening[0]), day(opening[1])
				}
				ids = append(ids, uuid.UUID(b.Open(in).PublicID))
				if c.stated[i] != "" {
					b.State(catalog.ValuationInput{AccountID: ledger.Some(ids[i]), Date: day("2026-02-01"), Amount: ledgertest.AmountOf(c.stated[i])})
				}
			}
			merged, err := b.Closing.Merge(b.Ctx(), b.Who, ids[0], ids[1], false)
			if c.conflict != "" {
				ledgertest.Refused(t, err, ledger.Conflict, c.conflict)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			list, _, err := b.Accounts.ListValuations(b.Ctx(), b.Who, catalog.ValuationFilter{}, ledgertest.WholePage)
			got := ""
			for _, v := range list {
				got += fmt.Sprintln(v.Day, v.Minor, v.Kind)
			}
			if err != nil || got != c.want {
				t.Errorf("afterwards\n%s%v, want\n%s", got, err, c.want)
			}
			if _, err := b.Books.History.Undo(b.Ctx(), b.Who, merged.OperationID); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestMergeSinceChanged: a merge is not taken back where what it gave was changed since, and says what.
func TestMergeSinceChanged(t *testing.T) {
	t.Parallel()
	b, ids := pair(t, 3)
	merged, err := b.Closing.Merge(b.Ctx(), b.Who, b.plain[0], b.plain[1], false)
	if err != nil {
		t.Fatal(err)
	}
	after := b.state(t)
	again, err := b.Entries.DeleteTransactions(b.Ctx(), b.Who, ids[:1])
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.Books.History.Undo(b.Ctx(), b.Who, merged.OperationID)
	ledgertest.Refused(t, err, ledger.Conflict, "it is gone")
	if _, err := b.Books.History.Undo(b.Ctx(), b.Who, again); err != nil {
		t.Fatal(err)
	}
	if got := b.state(t); got != after {
		t.Errorf("it has (+) and had (-)\n%s", differing(got, after))
	}
	if _, err := b.Books.History.Undo(b.Ctx(), b.Who, merged.OperationID); err != nil {
		t.Error(err)
	}
}
