package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/importer/apply"
	"finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/books"
	"finsvc/ledger/entry"
	"finsvc/ledger/intake"
	"finsvc/queries"
)

// errCancelled ends the work on an import that somebody has cancelled.
var errCancelled = errors.New("the import was cancelled")

// reverter takes what an import has booked out of the books.
type reverter struct {
	db     *db.DB
	ledger *books.Books
	now    func() time.Time
}

// Cancel gives up an import that is being published: it is pending again with nothing booked. One that only waits
// is so at once; the worker of one that has begun takes its rows back first, and until then it is importing.
// Anything else is a conflict.
func (im *Importer) Cancel(ctx context.Context, who ledger.Actor, id uuid.UUID) (imp queries.Import, err error) {
	err = im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		imp, err = getImport(ctx, im.ledger.Tx(q, who), id)
		if err != nil {
			return err
		}
		if imp.Status != StatusImporting {
			return ledger.NewConflict("an import that is %s cannot be cancelled; only one that is importing can",
				imp.Status)
		}
		if err := im.reverter.giveUp(ctx, q, imp); err != nil {
			return err
		}
		imp, err = getImport(ctx, im.ledger.Tx(q, who), id)
		return err
	})
	if err == nil {
		im.notify()
		im.kick(imp.ID)
	}
	return imp, err
}

func (v *reverter) giveUp(ctx context.Context, q *queries.Queries, imp queries.Import) error {
	now := v.now().UnixMilli()
	n, err := q.DequeueImport(ctx, queries.DequeueImportParams{UpdatedAt: now, ID: imp.ID, HouseholdID: imp.HouseholdID,
		Now: now})
	if err != nil || n > 0 {
		return err
	}
	return q.CancelImport(ctx, queries.CancelImportParams{UpdatedAt: now, ID: imp.ID, HouseholdID: imp.HouseholdID})
}

// goesOn is errCancelled when the import was cancelled since it was last asked.
func goesOn(ctx context.Context, p *publisher, q *queries.Queries) error {
	cancelled, err := q.IsImportCancelled(ctx, queries.IsImportCancelledParams{ID: p.imp.ID,
		HouseholdID: p.who.HouseholdID})
	if err == nil && cancelled != 0 {
		return errCancelled
	}
	return err
}

// failureOf is the state of an import whose publication ended with the error, what a client is told of it, and
// what is logged.
func failureOf(ctx context.Context, p *publisher, cause error) (status string, reason *string) {
	attr := slog.Int64("import", p.imp.ID)
	if errors.Is(cause, errCancelled) {
		p.im.log.LogAttrs(ctx, slog.LevelInfo, "import cancelled", attr)
		return StatusPending, nil
	}
	if errors.Is(cause, errChanged) {
		return StatusPending, new(errChanged.Error())
	}
	p.im.log.LogAttrs(ctx, slog.LevelWarn, "import failed", attr, slog.String("error", cause.Error()))
	return StatusFailed, new(reasonFor(cause))
}

// rollback removes the import's entries, which are not visible, in short transactions, and what its rows were
// recognised as.
func rollback(ctx context.Context, p *publisher) (err error) {
	var written entry.Written
	err = p.im.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		written, err = entry.ListWritten(ctx, p.im.ledger.Tx(q, p.who), p.imp.ID)
		return err
	})
	if err != nil {
		return err
	}
	if p.imp.Status == StatusReverting {
		p.total = new(p.done + int64(len(written.Keys)))
	}
	if err := unindex(ctx, p, &written); err != nil {
		return err
	}
	for len(written.Keys) > 0 {
		written, err = removePart(ctx, p, written)
		if err != nil {
			return err
		}
	}
	return dropMatches(ctx, p)
}

// unindex makes the entries no longer findable at once if possible. Whoever has lost the import must not: there may
// be others of it already.
func unindex(ctx context.Context, p *publisher, written *entry.Written) error {
	if len(written.Keys) == 0 {
		return nil
	}
	return p.write(ctx, func(ctx context.Context, q *queries.Queries) error {
		if err := entry.Unindex(ctx, q, p.imp.ID, written); err != nil {
			return err
		}
		return p.renew(ctx, q, p.done)
	})
}

// dropMatches forgets what the rows were recognised as, when they are too many for one write; see forgetMatches.
func dropMatches(ctx context.Context, p *publisher) error {
	if p.imp.MatchedRowsCount < bigImport {
		return nil
	}
	for after := int64(0); after < p.imp.RowsCount; {
		next := after
		err := piece(ctx, p, func(ctx context.Context, q *queries.Queries) error {
			n, err := steps(p, int(p.imp.RowsCount-after), func(from, to int) error {
				return q.DeleteImportMatchesBetween(ctx, queries.DeleteImportMatchesBetweenParams{ImportID: p.imp.ID,
					HouseholdID: p.who.HouseholdID,
					AfterRow:    after + int64(from), LastRow: after + int64(to)})
			})
			if err != nil {
				return err
			}
			next = after + int64(n)
			return p.renew(ctx, q, p.done)
		})
		if err != nil {
			return err
		}
		after = next
	}
	return nil
}

// removePart removes the first of some entries in one transaction, and gives the others.
func removePart(ctx context.Context, p *publisher, written entry.Written) (rest entry.Written, err error) {
	if err := ctx.Err(); err != nil {
		return written, err
	}
	var done int64
	err = piece(ctx, p, func(ctx context.Context, q *queries.Queries) error {
		rest = written
		n, err := steps(p, len(written.Keys), func(from, to int) (err error) {
			var part entry.Written
			part, rest = rest.Cut(to - from)
			return entry.RemoveDrafts(ctx, p.im.ledger.Tx(q, p.who), part)
		})
		if err != nil {
			return err
		}
		done = afterRemoving(p, int64(n))
		return p.renew(ctx, q, done)
	})
	if err == nil {
		p.done = done
		p.im.kick(p.imp.ID)
	}
	return rest, err
}

// afterRemoving is how many rows are done when more were removed: that is what a revert does, and what a publication
// undoes.
func afterRemoving(p *publisher, rows int64) int64 {
	if p.imp.Status == StatusReverting {
		return p.done + rows
	}
	return max(0, p.done-rows)
}

// maxRevertPlans is how often a revert looks at the import's rows while others may write. Whoever is always
// written past waits no longer: the last look happens within the write.
const maxRevertPlans = 3

// Revert takes what an import has booked out of the books, at once and as a whole, and leaves it to the worker to
// remove the rows; the import is then pending again. Rows that were changed after it are a conflict that lists
// some of them, unless force is set: then they go, too. While another import of the household is published or
// reverted, and when others cannot wait for it, all of that is left to the worker: the import is reverting, and in the
// books until its turn comes.
func (im *Importer) Revert(ctx context.Context, who ledger.Actor, id uuid.UUID, force bool,
	also ...Also) (imp queries.Import, err error) {
	waits := false
	for try := 1; ; try++ {
		trace, err := im.reverter.traceToRevert(ctx, who, id, try)
		if err != nil {
			return imp, err
		}
		stale := false
		err = im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
			imp, err = im.reverter.revertable(ctx, im.ledger.Tx(q, who), id)
			if err != nil {
				return err
			}
			working, err := q.CountImports(ctx, queries.CountImportsParams{HouseholdID: who.HouseholdID,
				Statuses: words([]string{StatusImporting, StatusReverting})})
			if err != nil {
				return err
			}
			if waits || working > 0 || imp.FirstSequence != nil {
				err = im.reverter.queueRevert(ctx, im.ledger.Tx(q, who), imp, trace, force)
			} else {
				stale, err = im.reverter.beginRevert(ctx, im.ledger.Tx(q, who), imp, trace, force,
					im.reverter.markReverting)
			}
			if err != nil || stale {
				return err
			}
			imp, err = getAlso(ctx, im.ledger.Tx(q, who), id, also)
			return err
		})
		switch {
		case ledger.IsOverBudget(err) && !waits:
			waits = true
			continue
		case err == nil && stale:
			continue
		case err == nil:
			im.notify()
		}
		return imp, err
	}
}

// queueRevert asks for the revert of an import when its turn comes, unless something is in the way already.
func (v *reverter) queueRevert(ctx context.Context, tx *ledger.Tx, imp queries.Import, trace *intake.RevertPlan,
	force bool) error {
	if trace != nil && imp.FirstSequence == nil {
		if err := v.checkInTheWay(ctx, tx, imp, trace, force); err != nil {
			return err
		}
	}
	params := queries.QueueRevertParams{Waits: 1, UpdatedAt: v.now().UnixMilli(), ID: imp.ID,
		HouseholdID: tx.HouseholdID}
	if force {
		params.Waits = 2
	}
	_, err := tx.QueueRevert(ctx, params)
	return err
}

// traceToRevert looks at what the import has booked; nil when that is left to the write.
func (v *reverter) traceToRevert(ctx context.Context, who ledger.Actor, id uuid.UUID,
	try int) (trace *intake.RevertPlan, err error) {
	if try > maxRevertPlans {
		return nil, nil
	}
	err = v.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		imp, err := v.revertable(ctx, v.ledger.Tx(q, who), id)
		if err != nil {
			return err
		}
		trace, err = intake.PlanRevert(ctx, v.ledger.Tx(q, who), imp.ID)
		return err
	})
	return trace, err
}

// revertable finds an import that can be reverted.
func (v *reverter) revertable(ctx context.Context, tx *ledger.Tx, id uuid.UUID) (queries.Import, error) {
	imp, err := getImport(ctx, tx, id)
	if err == nil && imp.Status != StatusComplete && imp.Status != StatusRevertFailed {
		err = ledger.NewConflict("an import that is %s cannot be reverted; only a complete one can", imp.Status)
	}
	return imp, err
}

// marker notes in the row of an import that its rows, which have these creation numbers, are out of the books, and
// what is known to stay.
type marker func(ctx context.Context, q *queries.Queries, imp queries.Import, first, last int64, stays *string) error

func (v *reverter) markReverting(ctx context.Context, q *queries.Queries, imp queries.Import, first, last int64,
	stays *string) error {
	_, err := q.BeginRevert(ctx, queries.BeginRevertParams{Error: stays, FirstSequence: &first, LastSequence: &last,
		UpdatedAt: v.now().UnixMilli(),
		ID:        imp.ID, HouseholdID: imp.HouseholdID})
	return err
}

// beginRevert takes the rows out of the books; stale says that something was written since they were looked at,
// and nothing was done.
func (v *reverter) beginRevert(ctx context.Context, tx *ledger.Tx, imp queries.Import, trace *intake.RevertPlan,
	force bool, mark marker) (stale bool, err error) {
	if trace == nil {
		trace, err = intake.PlanRevert(ctx, tx, imp.ID)
	} else {
		stale, err = intake.IsStale(ctx, tx, trace)
	}
	if err != nil || stale {
		return stale, err
	}
	if err := v.checkInTheWay(ctx, tx, imp, trace, force); err != nil {
		return false, err
	}
	_, left, err := intake.CategoriesToRevert(ctx, tx, imp.ID)
	if err != nil {
		return false, err
	}
	first, last := trace.FirstSequence, trace.FirstSequence+imp.RowsCount-1
	if err := mark(ctx, tx.Queries, imp, first, last, apply.Stayed(nil, left)); err != nil {
		return false, err
	}
	if err := tx.HideEntries(ctx, queries.HideEntriesParams{HiddenFrom: first, HiddenTo: last,
		HouseholdID: tx.HouseholdID}); err != nil {
		return false, err
	}
	if err := apply.TakeBackStatements(ctx, tx.Queries, imp); err != nil {
		return false, err
	}
	if err := v.ledger.Intake.Revert(ctx, tx, trace); err != nil {
		return false, err
	}
	if err := intake.RevertOpenings(ctx, tx, imp.ID); err != nil {
		return false, err
	}
	return false, balance.CheckAll(ctx, tx)
}

// checkInTheWay refuses a revert of rows that something was done with since.
func (v *reverter) checkInTheWay(ctx context.Context, tx *ledger.Tx, imp queries.Import, trace *intake.RevertPlan,
	force bool) error {
	relying, err := tx.ListImportsRelying(ctx, queries.ListImportsRelyingParams{ImportID: &imp.ID,
		HouseholdID: tx.HouseholdID})
	if err == nil && !force && trace.EditCount+int64(len(relying)) > 0 {
		err = inTheWay(trace, relying)
	}
	return err
}

// beginWaiting begins a revert whose turn has come. What is in the way by now, or cannot be taken back, leaves the
// import in the books and says so; begun is false then.
func beginWaiting(ctx context.Context, p *publisher) (begun bool, err error) {
	force := p.imp.RevertWaits == 2
	for try := 1; ; try++ {
		trace, err := traceWaiting(ctx, p, try)
		if err != nil {
			return false, err
		}
		stale := false
		err = p.im.db.WriteWhole(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
			stale, err = p.im.reverter.beginRevert(ctx, p.im.ledger.Tx(q, p.who), p.imp, trace, force, p.markBegun)
			return err
		})
		if e := ledger.AsError(err); e != nil && e.Kind != ledger.Internal {
			return false, refuseRevert(ctx, p, e.Message)
		}
		if err != nil || !stale {
			return err == nil, err
		}
	}
}

func traceWaiting(ctx context.Context, p *publisher, try int) (trace *intake.RevertPlan, err error) {
	if try > maxRevertPlans {
		return nil, nil
	}
	err = p.im.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		trace, err = intake.PlanRevert(ctx, p.im.ledger.Tx(q, p.who), p.imp.ID)
		return err
	})
	return trace, err
}

func (p *publisher) markBegun(ctx context.Context, q *queries.Queries, imp queries.Import, first, last int64,
	stays *string) error {
	n, err := q.BeginWaitingRevert(ctx, queries.BeginWaitingRevertParams{Error: stays, FirstSequence: &first,
		LastSequence: &last, UpdatedAt: p.im.now().UnixMilli(),
		ID: imp.ID, HouseholdID: imp.HouseholdID, OldLease: p.leaseUntil})
	if err == nil && n == 0 {
		err = errLost
	}
	return err
}

// refuseRevert leaves the import in the books.
func refuseRevert(ctx context.Context, p *publisher, reason string) error {
	p.im.log.LogAttrs(ctx, slog.LevelInfo, "import not reverted", slog.Int64("import", p.imp.ID),
		slog.String("reason", reason))
	return p.im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		_, err := q.RefuseRevert(ctx, queries.RefuseRevertParams{Error: "was not reverted when its turn came: " +
			reason, UpdatedAt: p.im.now().UnixMilli(),
			ID: p.imp.ID, HouseholdID: p.who.HouseholdID, OldLease: p.leaseUntil})
		return err
	})
}

// giveUpRevert ends a revert that was begun often enough. Its rows are out of the books and stay so.
func giveUpRevert(ctx context.Context, p *publisher) error {
	reason := fmt.Sprintf("was begun to be reverted %d times without coming to an end: the service was killed or crashed each time. "+
		"What it had booked counts no longer; revert it again to have the rest removed. Until then no other import is published", maxAttempts)
	p.im.log.LogAttrs(ctx, slog.LevelWarn, "import not reverted", slog.Int64("import", p.imp.ID),
		slog.String("reason", reason))
	return p.im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		_, err := q.GiveUpRevert(ctx, queries.GiveUpRevertParams{Error: reason, UpdatedAt: p.im.now().UnixMilli(),
			ID: p.imp.ID, HouseholdID: p.who.HouseholdID, OldLease: p.leaseUntil})
		return err
	})
}

// Made is how much of one kind an import has made: transactions, trades, or of what it created.
type Made struct {
	Kind  string
	Count int64
}

// Made counts what an import has made and is still there, by kind; a revert takes that back.
func (im *Importer) Made(ctx context.Context, who ledger.Actor, id uuid.UUID) (list []Made, err error) {
	err = im.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		imp, err := getImport(ctx, im.ledger.Tx(q, who), id)
		if err != nil {
			return err
		}
		entries, err := q.SumImportEntries(ctx, queries.SumImportEntriesParams{ImportID: &imp.ID,
			HouseholdID: who.HouseholdID})
		if err != nil {
			return err
		}
		things, err := q.SumImportCreations(ctx, queries.SumImportCreationsParams{ImportID: imp.ID,
			HouseholdID: who.HouseholdID})
		if err != nil {
			return err
		}
		list = append(list, Made{"transaction", entries.Transactions}, Made{record.EntityTrade, entries.Trades})
		for _, t := range things {
			list = append(list, Made{t.Entity, t.Things})
		}
		changed, _, err := intake.CategoriesToRevert(ctx, im.ledger.Tx(q, who), imp.ID)
		if err != nil {
			return err
		}
		list = append(list, Made{intake.ChangedCategory, changed})
		openings, err := q.ListImportOpenings(ctx, queries.ListImportOpeningsParams{ImportID: imp.ID,
			HouseholdID: who.HouseholdID})
		list = append(list, Made{"opening balance", int64(len(openings))})
		return err
	})
	return list, err
}

// inTheWay lists what was done with the rows of an import since: rows that were changed, and imports that found
// rows booked by this one and so did not book them.
func inTheWay(trace *intake.RevertPlan, relying []queries.ListImportsRelyingRow) error {
	edits, imports := []map[string]string{}, []map[string]any{}
	for _, e := range trace.Edits {
		edits = append(edits, map[string]string{"id": e.ID.String(), "date": e.Date.String(), "name": e.Name})
	}
	for _, r := range relying {
		imports = append(imports, map[string]any{"id": uuid.UUID(r.PublicID).String(), "rows": r.Matched,
			"file":       r.FileName,
			"created_at": time.UnixMilli(r.CreatedAt).UTC().Format(time.RFC3339)})
	}
	var parts []string
	switch {
	case trace.EditCount == 1:
		parts = append(parts, "1 transaction or trade of this import was changed after it")
	case trace.EditCount > 1:
		parts = append(parts, fmt.Sprintf("%d transactions or trades of this import were changed after it",
			trace.EditCount))
	}
	switch {
	case len(relying) == 1:
		parts = append(parts, "1 later import has left out rows that this one had booked (revert that first: "+
			namesOf(relying)+")")
	case len(relying) > 1:
		parts = append(parts, fmt.Sprintf("%d later imports have left out rows that this one had booked (revert those first: %s)", len(relying), namesOf(relying)))
	}
	return &ledger.Error{Kind: ledger.Conflict, Code: "conflict",
		Message: strings.Join(parts, ", and ") + "; to remove all of its rows, revert it with force=true (in the shell --force)",
		Details: map[string]any{"edited_count": trace.EditCount, "edited": edits, "relying_imports": imports}}
}

// namesOf names imports by their files and days, a few of them.
func namesOf(relying []queries.ListImportsRelyingRow) string {
	const most = 3
	var names []string
	for _, r := range relying[:min(len(relying), most)] {
		name := "one without a file name"
		if r.FileName != nil {
			name = *r.FileName
		}
		names = append(names, name+" of "+time.UnixMilli(r.CreatedAt).UTC().Format(time.DateOnly))
	}
	if len(relying) > most {
		names = append(names, "...")
	}
	return strings.Join(names, ", ")
}

// finishRevert removes the rows, which are out of the books when their turn has come, and what the import created.
// What fails is tried again, for there is no way back.
func finishRevert(ctx context.Context, p *publisher) error {
	if p.attempts > maxAttempts {
		if p.imp.RevertWaits != 0 {
			return refuseRevert(ctx, p, fmt.Sprintf("it was begun %d times without coming to an end: the service was killed or crashed each time", maxAttempts))
		}
		return giveUpRevert(ctx, p)
	}
	begun := true
	err := db.Recovered("panic", func() (err error) {
		if p.imp.RevertWaits != 0 {
			begun, err = beginWaiting(ctx, p)
		}
		if err != nil || !begun {
			return err
		}
		return unbook(ctx, p)
	})
	switch {
	case err == nil && !begun:
		return nil
	case err == nil:
		p.im.log.LogAttrs(ctx, slog.LevelInfo, "import reverted", slog.Int64("import", p.imp.ID))
		p.im.tidy(ctx, p.imp)
		return nil
	case ctx.Err() != nil:
		return p.release(context.WithoutCancel(ctx))
	}
	return errors.Join(err, p.release(context.WithoutCancel(ctx)))
}

func unbook(ctx context.Context, p *publisher) error {
	if err := rollback(ctx, p); err != nil {
		return err
	}
	return p.im.db.WriteWhole(ctx, func(ctx context.Context, q *queries.Queries) error {
		if err := intake.RevertRules(ctx, p.im.ledger.Tx(q, p.who), p.imp.ID); err != nil {
			return err
		}
		left, err := intake.RevertCategories(ctx, p.im.ledger.Tx(q, p.who), p.imp.ID)
		if err != nil {
			return err
		}
		if err := cmp.Or(intake.UnsettleEntries(ctx, p.im.ledger.Tx(q, p.who), p.imp.ID), forgetMatches(ctx, q, p.imp),
			apply.ResetCreations(ctx, q, p.imp)); err != nil {
			return err
		}
		if err := forgetReport(ctx, p, q); err != nil {
			return err
		}
		kept, err := apply.KeptCreations(ctx, q, p.imp)
		if err != nil {
			return err
		}
		return p.settle(ctx, q, StatusPending, apply.Stayed(kept, left))
	})
}

// Delete removes an import that is pending or failed, with its file. Others are a conflict.
func (im *Importer) Delete(ctx context.Context, who ledger.Actor, id uuid.UUID) error {
	return im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		imp, err := getImport(ctx, im.ledger.Tx(q, who), id)
		if err != nil {
			return err
		}
		n, err := q.RemoveImport(ctx, queries.RemoveImportParams{ID: imp.ID, HouseholdID: who.HouseholdID})
		if err == nil && n == 0 {
			return ledger.NewConflict("an import that is %s cannot be deleted; only a pending or failed one can. Revert a complete one first", imp.Status)
		}
		return err
	})
}
