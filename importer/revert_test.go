package importer_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/names"
	"finsvc/ledger/transfer"
	"finsvc/queries"
)

// figures are what the whole database adds up to. What is hidden does not count.
func (k *fixture) figures() map[string]int64 {
	k.tb.Helper()
	figures := map[string]int64{}
	err := k.db.Read(k.tb.Context(), func(ctx context.Context, q *queries.Queries) error {
		for what, text := range map[string]string{
			"days":         "SELECT coalesce(sum(amount * 31 + transactions * 7 + incomes + date * account_id), 0) FROM account_days",
			"day rows":     "SELECT count(*) FROM account_days",
			"months":       "SELECT coalesce(sum((upper * 4294967296 + lower) * month + days), 0) FROM account_months",
			"bands":        "SELECT coalesce(sum(transactions * (band + 1000003)), 0) FROM amount_bands",
			"counts":       "SELECT coalesce(sum(transaction_count * id), 0) FROM accounts",
			"accounts":     "SELECT count(*) FROM accounts",
			"categories":   "SELECT count(*) FROM categories",
			"tags":         "SELECT count(*) FROM tags",
			"tagged":       "SELECT count(*) FROM transaction_tags",
			"texts":        "SELECT count(*) FROM transactions_fts",
			"transactions": "SELECT count(*) FROM transactions",
			"valuations":   "SELECT count(*) FROM valuations",
			"transfers":    "SELECT count(*) FROM transfers",
			"sides":        "SELECT count(*) FROM transactions WHERE transfer_id IS NOT NULL",
			"rejected":     "SELECT count(*) FROM rejected_transfers",
			"hidden":       "SELECT count(*) FROM households WHERE hidden_to >= hidden_from",
			"creations":    "SELECT count(*) FROM import_changes",
			"ranges":       "SELECT (SELECT count(*) FROM import_work) + (SELECT count(*) FROM imports WHERE first_sequence IS NOT NULL)",
		} {
			var err error
			if figures[what], err = q.Number(ctx, text); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		k.tb.Fatal(err)
	}
	return figures
}

func (k *fixture) same(what string, want map[string]int64) {
	k.tb.Helper()
	if diff := cmp.Diff(want, k.figures()); diff != "" {
		k.tb.Errorf("%s: (-want +got)\n%s", what, diff)
	}
}

func (k *fixture) revert(imp queries.Import, force bool) (queries.Import, error) {
	return k.Revert(k.tb.Context(), k.who, uuid.UUID(imp.PublicID), force)
}

func (k *fixture) mustRevert(imp queries.Import, force bool) queries.Import {
	k.tb.Helper()
	if now, err := k.revert(imp, force); err != nil || now.Status != "reverting" {
		k.tb.Fatalf("revert: %+v, %v", now, err)
	}
	k.work()
	return k.get(imp)
}

const revertFile = `date,amount,name,category,tags,account
2026-01-31,-12.50,Bread,Food:Bakery,"fun,new",Checking
2026-02-01,1000.00,Salary,Pay,,Fresh bank
2026-02-02,-300.00,out,,,Fresh bank
2026-02-02,300.00,in,,,Checking
2026-02-03,-40.00,to savings,,,Checking
2026-01-31,-12.50,Bread,Food:Bakery,"fun,new",Checking
`

// TestRevertRestores compares all that is there before an import and after its revert, and then with what the
// same file gives when it is published again.
//
// Decision, Imports: a revert restores exactly what was.
func TestRevertRestores(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	savings, other := k.open("Savings", "EUR"), k.open("Other", "EUR")
	k.book(savings, ledger.NewDate(2026, 2, 3), 4000, "from checking")
	k.book(other, ledger.NewDate(2026, 2, 5), -4000, "far")
	before, pairs := k.figures(), k.moved()
	if pairs != "far>from checking" {
		t.Fatalf("before: %s", pairs)
	}
	imp := k.send(revertFile, importer.Request{Publish: true})
	k.work()
	after, moved := k.figures(), k.moved()
	if moved != "out>in to savings>from checking" || after["transactions"] != 8 || after["categories"] != 3 {
		t.Fatalf("published: %s, %v", moved, after)
	}
	for range 2 {
		if now := k.mustRevert(imp, false); now.Status != "pending" || now.Error != nil || now.ValidRowsCount != 6 ||
			now.DoneRowsCount != 0 || now.PublishedAt != nil {
			t.Errorf("reverted %+v", now)
		}
		k.same("reverted", before)
		if got := k.moved(); got != pairs {
			t.Errorf("transfers after the revert: %s, want %s", got, pairs)
		}
		if _, err := k.Publish(t.Context(), k.who, uuid.UUID(imp.PublicID), importer.Publication{}); err != nil {
			t.Fatal(err)
		}
		k.work()
		if got := k.moved(); got != moved || k.get(imp).Status != "complete" {
			t.Errorf("published again: %s", got)
		}
		again := k.figures()
		for _, what := range []string{"days", "counts"} { // the account has another key now
			again[what] = after[what]
		}
		if diff := cmp.Diff(after, again); diff != "" {
			t.Errorf("published again: (-want +got)\n%s", diff)
		}
		k.checkRollups()
	}
}

func TestRevertKeepsWhatIsInUse(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	imp := k.send(revertFile, importer.Request{Publish: true})
	k.work()
	fresh, err := k.ledger.Names.Find(t.Context(), k.who, names.Account, "Fresh bank")
	if err != nil {
		t.Fatal(err)
	}
	k.book(fresh.ID, ledger.NewDate(2026, 2, 9), 100, "own")
	second := k.upload("date,amount,name,category,tags\n2026-02-10,-1.00,x,Food:Bakery,fun\n",
		importer.Request{Publish: true})
	k.work()
	now := k.mustRevert(imp, false)
	if now.Error == nil {
		t.Fatal("nothing is said of what has stayed")
	}
	for _, kept := range []string{`account "Fresh bank"`, `category "Food"`, `category "Bakery"`, `tag "fun"`} {
		if !strings.Contains(*now.Error, kept) {
			t.Errorf("said %q, want %s in it", *now.Error, kept)
		}
	}
	if strings.Contains(*now.Error, "Pay") || strings.Contains(*now.Error, `"new"`) {
		t.Errorf("said %q", *now.Error)
	}
	if got := k.figures(); got["transactions"] != 2 || got["accounts"] != 2 || got["categories"] != 2 ||
		got["tags"] != 1 {
		t.Errorf("left %v", got)
	}
	k.mustRevert(second, false)
	if got := k.figures(); got["transactions"] != 1 || got["categories"] != 2 { // the first import made them
		t.Errorf("left %v", got)
	}
	k.checkRollups()
}

// TestRevertAndLaterEdits has 25 rows, of which 22 were changed, one was deleted and one was matched, which is no edit.
func TestRevertAndLaterEdits(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	savings := k.open("Savings", "EUR")
	before := k.figures()
	var file strings.Builder
	file.WriteString("date,amount,name\n")
	for i := range 25 {
		fmt.Fprintf(&file, "2026-01-%02d,-%d.00,row %d\n", i+1, i+1, i+1)
	}
	imp := k.upload(file.String(), importer.Request{Publish: true})
	k.work()
	list, _ := k.transactions()
	for i, row := range list[:22] { // rows 25 to 4
		in := entry.TransactionInput{Name: ledger.Some(fmt.Sprintf("changed %d", 25-i))}
		if i == 0 {
			in.Date = ledger.Some(ledger.NewDate(2025, 12, 1)) // which moves its key
		}
		if _, err := k.ledger.Entries.UpdateTransaction(t.Context(), k.who, uuid.UUID(row.PublicID), in); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.ledger.Entries.DeleteTransaction(t.Context(), k.who, uuid.UUID(list[22].PublicID)); err != nil {
		t.Fatal(err)
	}
	k.book(savings, ledger.NewDate(2026, 1, 2), 200, "partner of row 2")
	changed := k.figures()
	_, err := k.revert(imp, false)
	e := ledger.AsError(err)
	if e == nil || e.Kind != ledger.Conflict || e.Details["edited_count"] != int64(22) {
		t.Fatalf("got %v", err)
	}
	rows := e.Details["edited"].([]map[string]string)
	if len(rows) != 20 || rows[0]["name"] != "changed 4" || rows[0]["date"] != "2026-01-04" ||
		rows[0]["id"] != uuid.UUID(list[21].PublicID).String() {
		t.Errorf("listed %d: %v", len(rows), rows)
	}
	k.same("refused", changed)
	k.mustRevert(imp, true)
	list, _ = k.transactions()
	if len(list) != 1 || list[0].Name != "partner of row 2" || k.moved() != "" {
		t.Errorf("left %v, %s", list, k.moved())
	}
	if err := k.ledger.Entries.DeleteTransaction(t.Context(), k.who, uuid.UUID(list[0].PublicID)); err != nil {
		t.Fatal(err)
	}
	k.same("forced", before)
}

func TestConfirmedTransfersAreLaterEdits(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	savings := k.open("Savings", "EUR")
	k.book(savings, ledger.NewDate(2026, 2, 1), 4000, "in")
	imp := k.upload("date,amount,name\n2026-02-01,-40.00,out\n", importer.Request{Publish: true})
	k.work()
	list, _, err := k.ledger.Transfers.ListTransfers(t.Context(), k.who, transfer.Filter{},
		ledger.Page{Number: 1, Size: 10})
	if err != nil || len(list) != 1 {
		t.Fatalf("transfers %v, %v", list, err)
	}
	if _, err := k.ledger.Transfers.UpdateTransfer(t.Context(), k.who, uuid.UUID(list[0].PublicID),
		transfer.Input{Status: ledger.Some(transfer.TransferConfirmed)}); err != nil {
		t.Fatal(err)
	}
	if _, err := k.revert(imp, false); !ledger.IsKind(err, ledger.Conflict) {
		t.Errorf("got %v", err)
	}
	k.mustRevert(imp, true)
	if got := k.figures(); got["transfers"] != 0 || got["sides"] != 0 || got["transactions"] != 1 {
		t.Errorf("left %v", got)
	}
}

// TestInterruptedRevertIsTakenUp stops the worker in the midst of a revert: nothing of the import counts from the
// request on, whatever rows are still there.
func TestInterruptedRevertIsTakenUp(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	before := k.figures()
	imp := k.upload(manyRows(12_000), importer.Request{Publish: true})
	k.work()
	if _, err := k.revert(imp, false); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	k.asked = func() {
		if k.figures()["transactions"] < 12_000 { // what the transaction that runs removes is not seen yet
			cancel()
		}
	}
	if _, err := k.Work(ctx); err != nil {
		t.Fatal(err)
	}
	k.asked = nil
	left := k.figures()
	if now := k.get(imp); now.Status != "reverting" || left["transactions"] == 0 || left["transactions"] == 12_000 {
		t.Fatalf("stopped with %d rows: %+v", left["transactions"], now)
	}
	if left["days"] != 0 || left["counts"] != 0 || left["bands"] != 0 {
		t.Errorf("counted: %v", left)
	}
	if list, total := k.transactions(); total != 0 || len(list) != 0 {
		t.Errorf("%d rows show", total)
	}
	k.book(k.account, ledger.NewDate(2020, 1, 1), -100, "meanwhile")
	other := k.upload(threeRows, importer.Request{})
	if _, err := k.Publish(t.Context(), k.who, uuid.UUID(other.PublicID), importer.Publication{}); err != nil {
		t.Fatal(err)
	}
	k.work() // the revert first, then the other import
	if now := k.get(imp); now.Status != "pending" {
		t.Errorf("taken up %+v", now)
	}
	if _, total := k.transactions(); total != 4 {
		t.Errorf("%d transactions", total)
	}
	k.checkRollups()
	k.mustRevert(other, false)
	list, _ := k.transactions()
	if err := k.ledger.Entries.DeleteTransaction(t.Context(), k.who, uuid.UUID(list[0].PublicID)); err != nil {
		t.Fatal(err)
	}
	k.same("in the end", before)
}

// TestStatesOfRevertAndDelete holds what was decided.
//
// Decision, Imports: pending, importing, complete or failed; complete, reverting, pending or revert_failed.
// Contract, Import status: what follows what.
func TestStatesOfRevertAndDelete(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	imp := k.upload(threeRows, importer.Request{})
	id := uuid.UUID(imp.PublicID)
	refused := func(state string, err error) {
		t.Helper()
		if !ledger.IsKind(err, ledger.Conflict) {
			t.Errorf("%s: %v", state, err)
		}
	}
	_, err := k.revert(imp, true)
	refused("revert of pending", err)
	if _, err := k.Publish(t.Context(), k.who, id, importer.Publication{}); err != nil {
		t.Fatal(err)
	}
	_, err = k.revert(imp, true)
	refused("revert of importing", err)
	refused("delete of importing", k.Delete(t.Context(), k.who, id))
	k.work()
	refused("delete of complete", k.Delete(t.Context(), k.who, id))
	waiting := k.upload(strings.ReplaceAll(threeRows, "2026-", "2025-"), importer.Request{Publish: true})
	k.work()
	if _, err := k.revert(imp, false); err != nil {
		t.Fatal(err)
	}
	_, err = k.revert(imp, false)
	refused("revert of reverting", err)
	refused("delete of reverting", k.Delete(t.Context(), k.who, id))
	k.work()
	stranger := k.who
	stranger.HouseholdID++
	if err := k.Delete(t.Context(), stranger, id); !ledger.IsKind(err, ledger.NotFound) {
		t.Errorf("stranger's delete: %v", err)
	}
	if _, err := k.Revert(t.Context(), stranger, uuid.UUID(waiting.PublicID), true); !ledger.IsKind(err,
		ledger.NotFound) {
		t.Errorf("stranger's revert: %v", err)
	}
	if err := k.Delete(t.Context(), k.who, id); err != nil {
		t.Error(err)
	}
	if _, err := k.Get(t.Context(), k.who, id); !ledger.IsKind(err, ledger.NotFound) {
		t.Errorf("get after delete: %v", err)
	}
	if _, total := k.transactions(); total != 3 || k.get(waiting).Status != "complete" {
		t.Errorf("%d transactions of the other import", total)
	}
}
