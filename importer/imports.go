package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/google/uuid"

	"finsvc/db/watch"
	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/queries"
)

// Also is what a caller has done by the very write that changes an import, which it is told of as it is then: all of
// it is kept, or none. It must not wait for anything outside of the database.
type Also func(ctx context.Context, imp queries.Import) error

// getAlso reads an import that was changed, and does what there is to do besides.
func getAlso(ctx context.Context, tx *ledger.Tx, id uuid.UUID, also []Also) (queries.Import, error) {
	imp, err := getImport(ctx, tx, id)
	for _, do := range also {
		if err == nil {
			err = do(ctx, imp)
		}
	}
	return imp, err
}

// Get gives one import.
func (im *Importer) Get(ctx context.Context, who ledger.Actor, id uuid.UUID) (imp queries.Import, err error) {
	err = im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		imp, err = getImport(ctx, im.ledger.Tx(q, who), id)
		return err
	})
	return imp, err
}

func getImport(ctx context.Context, tx *ledger.Tx, id uuid.UUID) (queries.Import, error) {
	imp, err := tx.GetImport(ctx, queries.GetImportParams{PublicID: queries.PublicID(id), HouseholdID: tx.HouseholdID})
	return imp, ledger.Missing(err, "Import")
}

// Filter selects imports; a list that is nil is no filter.
type Filter struct {
	Statuses, Types []string
}

// List gives a page of a household's imports, newest first, and how many the filter selects.
func (im *Importer) List(ctx context.Context, who ledger.Actor, f Filter, page ledger.Page) (list []queries.Import,
	total int64, err error) {
	statuses, types := words(f.Statuses), words(f.Types)
	err = im.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		total, err = q.CountImports(ctx, queries.CountImportsParams{HouseholdID: who.HouseholdID, Statuses: statuses,
			Types: types})
		if err != nil {
			return err
		}
		list, err = q.ListImports(ctx, queries.ListImportsParams{HouseholdID: who.HouseholdID, Statuses: statuses,
			Types: types,
			Count: int64(page.Size), Skip: page.Offset()})
		return err
	})
	return list, total, err
}

// words is a list as a query takes it: JSON, or nil for no filter.
func words(list []string) *string {
	if list == nil {
		return nil
	}
	out, _ := json.Marshal(list) // strings always have a JSON form
	return new(string(out))
}

// Publication is how an import is to be published.
type Publication struct {
	SkipInvalidRows bool
	// Plan is the one that somebody has seen; when it is not what would happen any more, that is a conflict. A blank
	// one agrees to whatever happens.
	Plan string
	// Duplicates is what becomes of rows that may be booked already, see [DuplicatesHold]; blank: what was said before.
	Duplicates string
}

// Publish asks for a pending or failed import to be published. An obstacle, such as invalid rows that
// are not to be skipped, is a validation error.
func (im *Importer) Publish(ctx context.Context, who ledger.Actor, id uuid.UUID, how Publication,
	also ...Also) (imp queries.Import, err error) {
	problems := ledger.Problems{}
	checkDuplicates(&problems, how.Duplicates)
	if err := problems.Err(); err != nil {
		return imp, err
	}
	imp, err = im.Get(ctx, who, id)
	if err != nil {
		return imp, err
	}
	if imp.Status != StatusPending && imp.Status != StatusFailed {
		return imp, ledger.NewConflict("an import that is %s cannot be published; only a pending or failed one can",
			imp.Status)
	}
	skipInvalid := how.SkipInvalidRows || imp.SkipInvalidRows == 1
	imp.PossibleDuplicates = cmp.Or(how.Duplicates, imp.PossibleDuplicates)
	if err := im.reviewer.publishable(ctx, who, imp, skipInvalid, how.Plan); err != nil {
		return imp, err
	}
	err = im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		params := queries.QueueImportParams{AgreedPlan: how.Plan, PossibleDuplicates: imp.PossibleDuplicates,
			UpdatedAt: im.now().UnixMilli(), ID: imp.ID, HouseholdID: who.HouseholdID}
		if skipInvalid {
			params.SkipInvalidRows = 1
		}
		n, err := q.QueueImport(ctx, params)
		if err == nil && n == 0 {
			return ledger.NewConflict("the import is being published already")
		}
		if err != nil {
			return err
		}
		imp, err = getAlso(ctx, im.ledger.Tx(q, who), id, also)
		return err
	})
	if err == nil {
		im.notify()
	}
	return imp, err
}

func (r *reviewer) publishable(ctx context.Context, who ledger.Actor, imp queries.Import, skipInvalid bool,
	plan string) error {
	if imp.Questions != "[]" {
		return notPublishable(*imp.Error)
	}
	basis, err := r.analyser.basis(ctx, who, imp.ID)
	if err != nil {
		return err
	}
	o, err := r.analyser.analyseStored(ctx, who, imp)
	if open, ok := errors.AsType[*record.OpenQuestion](err); ok {
		return ledger.NewInvalid(open.Setting, "%s", open.Message)
	}
	if broken, ok := errors.AsType[*text.FileError](err); ok {
		return notPublishable(broken.Error())
	}
	if err != nil {
		return err
	}
	if obstacle := o.obstacle(skipInvalid); obstacle != nil {
		return notPublishable(*obstacle)
	}
	err = r.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		return notePlan(ctx, q, imp, o, o.possibleDuplicates)
	})
	if err = cmp.Or(err, o.agrees(plan)); err == nil {
		r.analyser.cache.keep(imp.ID, basis, o)
	}
	return err
}

// notPublishable says why an import as a whole cannot be published.
func notPublishable(why string) error {
	return ledger.NewInvalid("file", "cannot be published: %s", why)
}

// NewBuffer makes a spool that takes as much as an import may be long.
func (im *Importer) NewBuffer() *source.Buffer { return source.NewBuffer(im.max) }

// Progress is how far the work on an import is: rows written of those to be written, or removed of those to be
// removed. Rate is in rows a second and Left in seconds; both are 0 while nothing is known to go by.
//
// It stands in the import's row, written with each batch, so that every process sees it. However many clients listen
// to an import, the server looks at it once, when its worker says so.
type Progress struct {
	Done, Total, Rate, Left int64
}

// ProgressOf says how far the work on an import is, as of its last change; ok is false when nothing is to be done.
func ProgressOf(imp *queries.Import) (p Progress, ok bool) {
	if !Working(imp) {
		return p, false
	}
	p.Done, p.Total = imp.DoneRowsCount, imp.ValidRowsCount
	if imp.WorkRowsCount != nil {
		p.Total = *imp.WorkRowsCount
	}
	p.Total = max(p.Total, p.Done)
	if imp.StartedAt == nil || imp.Cancelled != 0 {
		return p, true
	}
	rows, took := imp.DoneRowsCount-imp.StartedRowsCount, imp.UpdatedAt-*imp.StartedAt
	if rows <= 0 || took <= 0 {
		return p, true
	}
	second := time.Second.Milliseconds()
	p.Rate = max(1, rows*second/took)
	p.Left = ((p.Total-p.Done)*took + rows*second - 1) / (rows * second)
	return p, true
}

// Working reports whether an import is being published or reverted, or waits for that.
func Working(imp *queries.Import) bool {
	return imp.Status == StatusImporting || imp.Status == StatusReverting
}

// newHub returns the hub of imports, by inner key.
func newHub() *watch.Hub[int64, queries.Import] {
	return watch.New[int64](func(imp queries.Import) bool { return !Working(&imp) }, nil)
}

// Watch follows an import: what comes out of the channel is its present state, then each newer one, at most five a
// second; who is slow gets the newest. The channel is closed behind a state in which nothing is to be done, and
// when stop is called, which it must be, or [Importer.Run] ends.
func (im *Importer) Watch(ctx context.Context, who ledger.Actor, id uuid.UUID) (states <-chan queries.Import,
	stop func(), err error) {
	imp, err := im.Get(ctx, who, id)
	if err != nil {
		return nil, nil, err
	}
	states, stop = im.watches.Listen(ctx, imp.ID, func(ctx context.Context) (queries.Import,
		error) {
		return im.Get(ctx, who, id)
	})
	return states, stop, nil
}

// kick says that an import got on.
func (im *Importer) kick(key int64) { im.watches.Kick(key) }
