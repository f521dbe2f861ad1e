package importer_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/queries"
)

// crash takes the oldest import that waits, as a service does that is killed then, and lets its lease run out.
func (k *fixture) crash(times int) {
	k.tb.Helper()
	for range times {
		k.leave(false)
		k.clock = k.clock.Add(time.Minute)
	}
}

// TestBegunThreeTimes: an import that ends the service each time is not begun a fourth time, and nothing of it stays.
// To publish it again has it tried again.
func TestBegunThreeTimes(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	before := k.figures()
	imp := k.upload(threeRows, importer.Request{Publish: true})
	k.crash(3)
	k.work()
	now := k.get(imp)
	if now.Status != "failed" || now.Error == nil || !strings.Contains(*now.Error,
		"was begun 3 times without coming to its end") {
		t.Fatalf("%+v", now)
	}
	k.same("given up", before)
	if _, err := k.Publish(t.Context(), k.who, uuid.UUID(imp.PublicID), importer.Publication{}); err != nil {
		t.Fatal(err)
	}
	k.crash(2)
	k.work()
	if now := k.get(imp); now.Status != "complete" || k.queued("TRUE") != 0 {
		t.Errorf("%+v", now)
	}
}

// TestStopsAreNoAttempts: a service that stops in the middle of an import gives it back however often.
func TestStopsAreNoAttempts(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	imp := k.upload(manyRows(12_000), importer.Request{Publish: true})
	for range 5 {
		k.exec("UPDATE imports SET done_rows_count = 0") // by which stopAfter goes
		if _, err := k.Work(k.stopAfter(imp, 2_000)); err != nil {
			t.Fatal(err)
		}
		if now := k.get(imp); now.Status != "importing" || k.queued("attempts = 0 AND lease_until = 0") != 1 {
			t.Fatalf("stopped %+v", now)
		}
	}
	k.asked = nil
	k.work()
	if now := k.get(imp); now.Status != "complete" {
		t.Errorf("%+v", now)
	}
}

// TestRevertBegunThreeTimes: a revert that ends the service each time fails; what it has taken out of the books stays
// out, and no other import of the household is written until it is asked for again.
func TestRevertBegunThreeTimes(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	before := k.figures()
	imp := k.upload(threeRows, importer.Request{Publish: true})
	k.work()
	if _, err := k.revert(imp, false); err != nil {
		t.Fatal(err)
	}
	k.crash(3)
	next := k.upload("date,amount,name\n2026-02-05,-4,Tea\n", importer.Request{Publish: true})
	k.work()
	if now := k.get(imp); now.Status != "revert_failed" || now.Error == nil ||
		!strings.Contains(*now.Error, "begun to be reverted 3 times") {
		t.Fatalf("%+v", now)
	}
	if _, total := k.transactions(); total != 0 || k.get(next).Status != "importing" {
		t.Errorf("%d transactions, the next import is %s", total, k.get(next).Status)
	}
	if now, err := k.revert(imp, false); err != nil || now.Status != "reverting" {
		t.Fatal(now, err)
	}
	k.work()
	if now := k.get(imp); now.Status != "pending" || k.get(next).Status != "complete" {
		t.Errorf("%+v, the next import is %s", now, k.get(next).Status)
	}
	k.mustRevert(next, false)
	k.same("both reverted", before)
}

// TestRevertWaitsItsTurn: while another import is worked on, a revert is taken and waits, in the books; it is done
// when its turn comes.
func TestRevertWaitsItsTurn(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	before := k.figures()
	imp := k.upload(threeRows, importer.Request{Publish: true})
	k.work()
	other := k.upload("date,amount,name\n2026-02-05,-4,Tea\n", importer.Request{Publish: true})
	k.leave(false) // somebody works on the other one
	k.exec("UPDATE imports SET first_sequence = 100, last_sequence = 100 WHERE status = 'importing'")
	now, err := k.revert(imp, false)
	if err != nil || now.Status != "reverting" || now.StartedAt != nil {
		t.Fatal(now, err)
	}
	k.work() // nothing can be done yet
	if _, total := k.transactions(); total != 3 || k.get(imp).Status != "reverting" {
		t.Errorf("%d transactions, the import is %s", total, k.get(imp).Status)
	}
	k.exec("UPDATE imports SET first_sequence = NULL, last_sequence = NULL WHERE status = 'importing'; UPDATE import_work SET lease_until = 0")
	k.work()
	if k.get(imp).Status != "pending" || k.get(other).Status != "complete" {
		t.Fatalf("%+v, %+v", k.get(imp), k.get(other))
	}
	k.checkRollups()
	k.mustRevert(other, false)
	k.same("both reverted", before)
}

// TestRevertThatWaitedIsRefused: what came into the way of a revert while it waited leaves the import in the books;
// with force it goes.
func TestRevertThatWaitedIsRefused(t *testing.T) {
	t.Parallel()
	for _, force := range []bool{false, true} {
		k := newFixture(t)
		imp := k.upload(threeRows, importer.Request{Publish: true})
		k.work()
		k.upload("date,amount,name\n2026-02-05,-4,Tea\n", importer.Request{Publish: true})
		if now, err := k.revert(imp, force); err != nil || now.Status != "reverting" {
			t.Fatal(now, err)
		}
		list, _ := k.transactions()
		person := k.who
		person.Origin = ledger.OriginAPI
		if _, err := k.ledger.Entries.UpdateTransaction(t.Context(), person, uuid.UUID(list[0].PublicID),
			entry.TransactionInput{Notes: ledger.Some("mine")}); err != nil {
			t.Fatal(err)
		}
		k.work()
		now, want := k.get(imp), "complete"
		if force {
			want = "pending"
		}
		if now.Status != want || force != (now.Error == nil) ||
			!force && !strings.Contains(*now.Error, "was not reverted when its turn came: 1 transaction") {
			t.Errorf("force %t: %s %v", force, now.Status, now.Error)
		}
		if _, err := k.revert(imp, false); !force && !ledger.IsKind(err, ledger.Conflict) {
			t.Errorf("and at once: %v", err)
		} else if force && !errors.As(err, new(*ledger.Error)) {
			t.Errorf("one that is reverted: %v", err)
		}
		k.checkRollups()
	}
}

// queued counts the imports of the queue for which a condition holds.
func (k *fixture) queued(condition string) (n int64) {
	k.tb.Helper()
	err := k.db.Read(k.tb.Context(), func(ctx context.Context, q *queries.Queries) (err error) {
		n, err = q.Number(ctx, "SELECT count(*) FROM import_work WHERE "+condition)
		return err
	})
	if err != nil {
		k.tb.Fatal(err)
	}
	return n
}
