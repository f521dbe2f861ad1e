package importer

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/queries"
)

// maxSurveys is how often a revert looks at the import's rows while others may write. Whoever is always
// written past waits no longer: the last look happens within the write.
const maxSurveys = 3

// Revert takes what an import has booked out of the books, at once and as a whole, and leaves it to the worker to
// remove the rows; the import is then pending again. Rows that were changed after it are a conflict that lists
// some of them, unless force is set: then they go, too.
func (im *Importer) Revert(ctx context.Context, who ledger.Actor, id uuid.UUID, force bool, also ...Also) (imp queries.Import, err error) {
	for try := 1; ; try++ {
		trace, err := im.traceToRevert(ctx, who, id, try)
		if err != nil {
			return imp, err
		}
		stale := false
		err = im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
			if imp, stale, err = im.beginRevert(ctx, q, who, id, trace, force); err == nil && !stale {
				imp, err = getAlso(ctx, q, who, id, also)
			}
			return err
		})
		if err == nil && stale {
			continue
		}
		if err == nil {
			im.notify()
		}
		return imp, err
	}
}

// traceToRevert looks at what the import has booked; nil when that is left to the write.
func (im *Importer) traceToRevert(ctx context.Context, who ledger.Actor, id uuid.UUID, try int) (trace *ledger.ImportTrace, err error) {
	if try > maxSurveys {
		return nil, nil
	}
	err = im.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		imp, err := im.revertable(ctx, q, who, id)
		if err != nil {
			return err
		}
		trace, err = im.ledger.TraceImport(ctx, q, who, imp.ID)
		return err
	})
	return trace, err
}

// revertable finds an import that can be reverted now.
func (im *Importer) revertable(ctx context.Context, q *queries.Queries, who ledger.Actor, id uuid.UUID) (queries.Import, error) {
	imp, err := getImport(ctx, q, who, id)
	if err != nil {
		return imp, err
	}
	if imp.Status != StatusComplete && imp.Status != StatusRevertFailed {
		return imp, ledger.NewConflict("an import that is %s cannot be reverted; only a complete one can", imp.Status)
	}
	working, err := q.CountImports(ctx, queries.CountImportsParams{HouseholdID: who.HouseholdID, Statuses: words([]string{StatusImporting, StatusReverting})})
	if err == nil && working > 0 {
		err = ledger.NewConflict("another import is being published or reverted; revert this one when that is done")
	}
	return imp, err
}

// beginRevert takes the rows out of the books; stale says that something was written since they were looked at,
// and nothing was done.
func (im *Importer) beginRevert(ctx context.Context, q *queries.Queries, who ledger.Actor, id uuid.UUID, trace *ledger.ImportTrace, force bool) (imp queries.Import, stale bool, err error) {
	if imp, err = im.revertable(ctx, q, who, id); err != nil {
		return imp, false, err
	}
	if trace == nil {
		trace, err = im.ledger.TraceImport(ctx, q, who, imp.ID)
	} else {
		stale, err = im.ledger.IsStale(ctx, q, who, trace)
	}
	if err != nil || stale {
		return imp, stale, err
	}
	relying, err := q.ListImportsRelying(ctx, queries.ListImportsRelyingParams{ImportID: &imp.ID, HouseholdID: who.HouseholdID})
	if err != nil {
		return imp, false, err
	}
	if !force && trace.EditCount+int64(len(relying)) > 0 {
		return imp, false, inTheWay(trace, relying)
	}
	_, left, err := im.ledger.CategoriesToRevert(ctx, q, who, imp.ID)
	if err != nil {
		return imp, false, err
	}
	first, last := trace.FirstSequence, trace.FirstSequence+imp.RowsCount-1
	if _, err := q.BeginRevert(ctx, queries.BeginRevertParams{Error: stayed(nil, left), FirstSequence: &first, LastSequence: &last, UpdatedAt: im.now().UnixMilli(),
		ID: imp.ID, HouseholdID: who.HouseholdID}); err != nil {
		return imp, false, err
	}
	if err := q.HideEntries(ctx, queries.HideEntriesParams{HiddenFrom: first, HiddenTo: last, HouseholdID: who.HouseholdID}); err != nil {
		return imp, false, err
	}
	if err := takeBackStatements(ctx, q, imp); err != nil {
		return imp, false, err
	}
	if err := im.ledger.WithdrawImport(ctx, q, who, trace); err != nil {
		return imp, false, err
	}
	if err := im.ledger.RevertOpenings(ctx, q, who, imp.ID); err != nil {
		return imp, false, err
	}
	return imp, false, im.ledger.CheckBalances(ctx, q, who)
}

// Made is how much of one kind an import has made: transactions, trades, or of what it created.
type Made struct {
	Kind  string
	Count int64
}

// Made counts what an import has made and is still there, by kind; a revert takes that back.
func (im *Importer) Made(ctx context.Context, who ledger.Actor, id uuid.UUID) (list []Made, err error) {
	err = im.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		imp, err := getImport(ctx, q, who, id)
		if err != nil {
			return err
		}
		entries, err := q.SumImportEntries(ctx, queries.SumImportEntriesParams{ImportID: &imp.ID, HouseholdID: who.HouseholdID})
		if err != nil {
			return err
		}
		things, err := q.SumImportCreations(ctx, queries.SumImportCreationsParams{ImportID: imp.ID, HouseholdID: who.HouseholdID})
		if err != nil {
			return err
		}
		list = append(list, Made{"transaction", entries.Transactions}, Made{entityTrade, entries.Trades})
		for _, t := range things {
			list = append(list, Made{t.Entity, t.Things})
		}
		changed, _, err := im.ledger.CategoriesToRevert(ctx, q, who, imp.ID)
		if err != nil {
			return err
		}
		list = append(list, Made{ledger.ChangedCategory, changed})
		openings, err := q.ListImportOpenings(ctx, queries.ListImportOpeningsParams{ImportID: imp.ID, HouseholdID: who.HouseholdID})
		list = append(list, Made{"opening balance", int64(len(openings))})
		return err
	})
	return list, err
}

// inTheWay lists what was done with the rows of an import since: rows that were changed, and imports that found
// rows booked by this one and so did not book them.
func inTheWay(trace *ledger.ImportTrace, relying []queries.ListImportsRelyingRow) error {
	edits, imports := []map[string]string{}, []map[string]any{}
	for _, e := range trace.Edits {
		edits = append(edits, map[string]string{"id": e.ID.String(), "date": e.Date.String(), "name": e.Name})
	}
	for _, r := range relying {
		imports = append(imports, map[string]any{"id": uuid.UUID(r.PublicID).String(), "rows": r.Matched, "file": r.FileName,
			"created_at": time.UnixMilli(r.CreatedAt).UTC().Format(time.RFC3339)})
	}
	var parts []string
	switch {
	case trace.EditCount == 1:
		parts = append(parts, "1 transaction or trade of this import was changed after it")
	case trace.EditCount > 1:
		parts = append(parts, fmt.Sprintf("%d transactions or trades of this import were changed after it", trace.EditCount))
	}
	switch {
	case len(relying) == 1:
		parts = append(parts, "1 later import has left out rows that this one had booked (revert that first: "+namesOf(relying)+")")
	case len(relying) > 1:
		parts = append(parts, fmt.Sprintf("%d later imports have left out rows that this one had booked (revert those first: %s)", len(relying), namesOf(relying)))
	}
	return &ledger.Error{Kind: ledger.Conflict, Code: "conflict", Message: strings.Join(parts, ", and ") + "; revert it with force to remove all of its rows",
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

// finishRevert removes the rows, which are out of the books already, and what the import created. What fails is
// tried again when the lease has passed, for there is no way back.
func (p *publisher) finishRevert(ctx context.Context) error {
	err := db.Contained("panic", func() error { return p.unbook(ctx) })
	switch {
	case err == nil:
		p.im.log.LogAttrs(ctx, slog.LevelInfo, "import reverted", slog.Int64("import", p.imp.ID))
		p.im.tidy(ctx, p.imp)
		return nil
	case ctx.Err() != nil:
		return p.release(context.WithoutCancel(ctx))
	}
	return err
}

func (p *publisher) unbook(ctx context.Context) error {
	if err := p.takeBack(ctx); err != nil {
		return err
	}
	return p.im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		if err := p.im.ledger.RevertRules(ctx, q, p.who, p.imp.ID); err != nil {
			return err
		}
		left, err := p.im.ledger.RevertCategories(ctx, q, p.who, p.imp.ID)
		if err != nil {
			return err
		}
		if err := cmp.Or(p.im.ledger.UnsettleEntries(ctx, q, p.who, p.imp.ID), forgetMatches(ctx, q, p.imp), forgetCreations(ctx, q, p.imp)); err != nil {
			return err
		}
		if err := p.forgetReport(ctx, q); err != nil {
			return err
		}
		kept, err := keptCreations(ctx, q, p.imp)
		if err != nil {
			return err
		}
		return p.settle(ctx, q, StatusPending, stayed(kept, left))
	})
}

// Delete removes an import that is pending or failed, with its file. Others are a conflict.
func (im *Importer) Delete(ctx context.Context, who ledger.Actor, id uuid.UUID) error {
	return im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		imp, err := getImport(ctx, q, who, id)
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
