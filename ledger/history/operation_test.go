package history_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
	"finsvc/queries"
)

// crowd is a household with so many transactions that a change of all of them is written in parts.
func crowd(t *testing.T, n int) (b *ledgertest.Fixture, ids []uuid.UUID) {
	b = ledgertest.New(t)
	account := b.Account(b.Who, "Everyday", "EUR")
	inputs := make([]entry.TransactionInput, n)
	for i := range inputs {
		inputs[i] = entry.TransactionInput{AccountID: ledger.Some(account), Date: ledgertest.DayOf("2026-03-01"),
			Amount: ledgertest.AmountOf("1"), Name: ledger.Some(fmt.Sprint("row ", i))}
	}
	for _, created := range b.CreateAll(inputs...) {
		ids = append(ids, uuid.UUID(created.PublicID))
	}
	return b, ids
}

// with is how many transactions have notes, and how many operations are under way.
func with(b *ledgertest.Fixture, notes string) [2]int64 {
	return [2]int64{b.Number("SELECT count(*) FROM transactions WHERE notes = ?", notes),
		b.Number("SELECT count(*) FROM unfinished_operations")}
}

// TestChangeOfManyInParts: a change that is written in parts is one operation, which is taken back as one.
func TestChangeOfManyInParts(t *testing.T) {
	t.Parallel()
	b, ids := crowd(t, 700)
	change := entry.ManyChange{IDs: ids, Fields: entry.TransactionInput{Notes: ledger.Some("seen")}}
	preview, err := b.Entries.ChangeTransactions(b.Ctx(), b.Who, change, true)
	if err != nil || preview.Matched != 700 || preview.Changed != 700 || len(preview.Rows) != 100 || preview.OperationID != uuid.Nil {
		t.Fatalf("a dry run says %d, %d, %d rows, %v", preview.Matched, preview.Changed, len(preview.Rows), err)
	}
	if row := preview.Rows[0]; row.Name != "row 0" || row.Minor != -100 || row.Field != "notes" || row.Before != nil || *row.After != "seen" {
		t.Errorf("its first row is %+v", row)
	}
	if got := with(b, "seen"); got != [2]int64{0, 0} {
		t.Fatalf("after a dry run %v", got)
	}
	done, err := b.Entries.ChangeTransactions(b.Ctx(), b.Who, change, false)
	if err != nil || done.Changed != 700 || with(b, "seen") != [2]int64{700, 0} {
		t.Fatalf("%+v, %v, %v", done, err, with(b, "seen"))
	}
	operation, err := b.Books.History.Get(b.Ctx(), b.Who, done.OperationID)
	if err != nil || operation.Summary() != "changed 700 transactions" || operation.Fixed != "" {
		t.Fatalf("the history says %q, %q, %v", operation.Summary(), operation.Fixed, err)
	}
	again, err := b.Entries.ChangeTransactions(b.Ctx(), b.Who, change, false)
	if err != nil || again.Matched != 700 || again.Changed != 0 || again.OperationID != uuid.Nil {
		t.Errorf("a second time %+v, %v", again, err)
	}
	if _, err := b.Books.History.Undo(b.Ctx(), b.Who, done.OperationID); err != nil || with(b, "seen") != [2]int64{0, 0} {
		t.Fatalf("taken back: %v, %v", with(b, "seen"), err)
	}
	_, err = b.Books.History.Undo(b.Ctx(), b.Who, done.OperationID)
	ledgertest.Refused(t, err, ledger.Conflict, "taken back already")
}

// TestUndoOfWhatChangedSince: one row that was changed since keeps all of them as they are, and is named.
func TestUndoOfWhatChangedSince(t *testing.T) {
	t.Parallel()
	for name, n := range map[string]int{"in one write": 3, "in parts": 600} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b, ids := crowd(t, n)
			done, err := b.Entries.ChangeTransactions(b.Ctx(), b.Who,
				entry.ManyChange{IDs: ids, Fields: entry.TransactionInput{Notes: ledger.Some("seen")}}, false)
			if err != nil {
				t.Fatal(err)
			}
			b.Update(ids[0], entry.TransactionInput{Name: ledger.Some("another name")})
			b.Update(ids[1], entry.TransactionInput{Notes: ledger.Some("mine")})
			_, err = b.Books.History.Undo(b.Ctx(), b.Who, done.OperationID)
			ledgertest.Refused(t, err, ledger.Conflict, `"row 1" of 2026-03-01 has been changed since: notes`)
			if got, want := with(b, "seen"), [2]int64{int64(n - 1), 0}; got != want {
				t.Errorf("afterwards %v, want %v", got, want)
			}
			b.Update(ids[1], entry.TransactionInput{Notes: ledger.Some("seen")})
			if _, err := b.Books.History.Undo(b.Ctx(), b.Who, done.OperationID); err != nil || with(b, "seen") != [2]int64{0, 0} {
				t.Errorf("as it was: %v, %v", with(b, "seen"), err)
			}
		})
	}
}

// TestChangeOfManyIsWhole: one row that cannot be changed keeps all from it, in whatever part it is.
func TestChangeOfManyIsWhole(t *testing.T) {
	t.Parallel()
	b, ids := crowd(t, 600)
	line := func(amount string) entry.SplitLineInput {
		return entry.SplitLineInput{Amount: ledgertest.AmountOf(amount)}
	}
	b.Update(ids[599], entry.TransactionInput{SplitLines: ledger.Some([]entry.SplitLineInput{line("0.4"), line("0.6")})})
	_, err := b.Entries.ChangeTransactions(b.Ctx(), b.Who, entry.ManyChange{IDs: ids, Fields: entry.TransactionInput{
		CategoryID: ledger.Some(b.Category(b.Who, "Food")), Notes: ledger.Some("seen")}}, false)
	ledgertest.Refused(t, err, ledger.Invalid, "category_id", "split", `"row 599"`)
	if got := with(b, "seen"); got != [2]int64{0, 0} {
		t.Errorf("afterwards %v", got)
	}
	_, err = b.Entries.ChangeTransactions(b.Ctx(), b.Who, entry.ManyChange{IDs: append(ids[:10:10], uuid.New()),
		Fields: entry.TransactionInput{Notes: ledger.Some("seen")}}, false)
	ledgertest.Refused(t, err, ledger.NotFound, "Transaction")
	_, err = b.Entries.ChangeTransactions(b.Ctx(), b.Who, entry.ManyChange{Expected: ledger.Some(int64(10)),
		Fields: entry.TransactionInput{Notes: ledger.Some("seen")}}, false)
	ledgertest.Refused(t, err, ledger.Conflict, "601 transactions are selected by now, and not 10")
	_, err = b.Entries.ChangeTransactions(b.Ctx(), b.Household("Other"), entry.ManyChange{IDs: ids[:1],
		Fields: entry.TransactionInput{Notes: ledger.Some("seen")}}, false)
	ledgertest.Refused(t, err, ledger.NotFound, "Transaction")
	if got := with(b, "seen"); got != [2]int64{0, 0} {
		t.Errorf("after all %v", got)
	}
}

// TestOperationCutShort: what an operation did before its process was killed is taken back when its time is over.
func TestOperationCutShort(t *testing.T) {
	t.Parallel()
	b, ids := crowd(t, 5)
	abandoned := ledger.Actor{HouseholdID: b.Who.HouseholdID, Origin: ledger.OriginCLI}
	id := uuid.Must(uuid.NewV7())
	err := b.Books.WriteWithRefs(b.Ctx(), abandoned, func(ctx context.Context, tx *ledger.Tx) error {
		return tx.BeginOperation(ctx, queries.BeginOperationParams{OperationID: queries.PublicID(id), HouseholdID: tx.HouseholdID,
			LeaseUntil: tx.Stamp() - time.Second.Milliseconds()})
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Entries.ChangeTransactions(b.Ctx(), b.Who, entry.ManyChange{IDs: ids,
		Fields: entry.TransactionInput{Notes: ledger.Some("seen")}}, false); err != nil {
		t.Fatal(err)
	}
	// As if the five were what the abandoned one had done.
	b.Exec("DROP TRIGGER changes_are_final")
	b.Exec("UPDATE changes SET operation_id = ? WHERE action = 'update'", id[:])
	if err := b.Books.History.Recover(b.Ctx()); err != nil || with(b, "seen") != [2]int64{0, 0} {
		t.Errorf("recovered: %v, %v", with(b, "seen"), err)
	}
	if err := b.Books.History.Recover(b.Ctx()); err != nil {
		t.Error(err)
	}
}

// TestWhatCannotBeTakenBack: each is refused with its reason.
func TestWhatCannotBeTakenBack(t *testing.T) {
	t.Parallel()
	b, _ := crowd(t, 1)
	_, err := b.Books.History.Undo(b.Ctx(), b.Who, uuid.New())
	ledgertest.Refused(t, err, ledger.NotFound, "Change")
	b.Household("Other")
	list, more, err := b.Books.History.List(b.Ctx(), b.Who, ledger.Page{Number: 1, Size: 50})
	if err != nil || more {
		t.Fatal(err, more)
	}
	for _, o := range list {
		if o.Summary() != "added 1 transaction" && o.Fixed == "" {
			t.Errorf("%q can be taken back", o.Summary())
		}
	}
	_, err = b.Books.History.Undo(b.Ctx(), b.Household("Third"), list[0].ID)
	ledgertest.Refused(t, err, ledger.NotFound, "Change")
}

// TestBothSidesAtOnce: a change that parts a transfer by both of its sides leaves two transactions that are matched anew.
func TestBothSidesAtOnce(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	one, other := b.Account(b.Who, "One", "EUR"), b.Account(b.Who, "Other", "EUR")
	var ids []uuid.UUID
	for account, amount := range map[uuid.UUID]string{one: "10", other: "-10"} {
		created := b.Create(entry.TransactionInput{AccountID: ledger.Some(account), Date: ledgertest.DayOf("2026-03-01"),
			Amount: ledgertest.AmountOf(amount), Name: ledger.Some("moved")})
		ids = append(ids, uuid.UUID(created.PublicID))
	}
	b.MatchedAre(1)
	done, err := b.Entries.ChangeTransactions(b.Ctx(), b.Who, entry.ManyChange{IDs: ids, Fields: entry.TransactionInput{
		Date: ledgertest.DayOf("2026-04-01"), Amount: ledgertest.AmountOf("20")}}, false)
	if err != nil || done.Changed != 2 {
		t.Fatal(done, err)
	}
	b.MatchedAre(1)
	if _, err := b.Books.History.Undo(b.Ctx(), b.Who, done.OperationID); err != nil {
		t.Fatal(err)
	}
	b.MatchedAre(1)
	if moved := b.Only(); moved.Inflow.Amount != 1000 || ledger.Date(moved.Inflow.Date).String() != "2026-03-01" {
		t.Errorf("taken back the transfer is of %d on %s", moved.Inflow.Amount, ledger.Date(moved.Inflow.Date))
	}
}
