package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// Get gives one import.
func (im *Importer) Get(ctx context.Context, who ledger.Actor, id uuid.UUID) (imp queries.Import, err error) {
	err = im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		imp, err = getImport(ctx, q, who, id)
		return err
	})
	return imp, err
}

func getImport(ctx context.Context, q *queries.Queries, who ledger.Actor, id uuid.UUID) (queries.Import, error) {
	imp, err := q.GetImport(ctx, queries.GetImportParams{PublicID: queries.PublicID(id), HouseholdID: who.HouseholdID})
	return imp, ledger.Missing(err, "Import")
}

// Filter selects imports; a list that is nil is no filter.
type Filter struct {
	Statuses, Types []string
}

// List gives a page of a household's imports, newest first, and how many the filter selects.
func (im *Importer) List(ctx context.Context, who ledger.Actor, f Filter, page ledger.Page) (list []queries.Import, total int64, err error) {
	statuses, types := words(f.Statuses), words(f.Types)
	err = im.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		if total, err = q.CountImports(ctx, queries.CountImportsParams{HouseholdID: who.HouseholdID, Statuses: statuses, Types: types}); err != nil {
			return err
		}
		list, err = q.ListImports(ctx, queries.ListImportsParams{HouseholdID: who.HouseholdID, Statuses: statuses, Types: types,
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
	return pointer(string(out))
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
func (im *Importer) Publish(ctx context.Context, who ledger.Actor, id uuid.UUID, how Publication, also ...Also) (imp queries.Import, err error) {
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
		return imp, ledger.NewConflict("an import that is %s cannot be published; only a pending or failed one can", imp.Status)
	}
	skipInvalid := how.SkipInvalidRows || imp.SkipInvalidRows == 1
	imp.PossibleDuplicates = or(how.Duplicates, imp.PossibleDuplicates)
	if err := im.publishable(ctx, who, imp, skipInvalid, how.Plan); err != nil {
		return imp, err
	}
	err = im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		params := queries.QueueImportParams{AgreedPlan: how.Plan, PossibleDuplicates: imp.PossibleDuplicates, UpdatedAt: im.now().UnixMilli(), ID: imp.ID, HouseholdID: who.HouseholdID}
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
		imp, err = getAlso(ctx, q, who, id, also)
		return err
	})
	if err == nil {
		im.notify()
	}
	return imp, err
}

func (im *Importer) publishable(ctx context.Context, who ledger.Actor, imp queries.Import, skipInvalid bool, plan string) error {
	if imp.Questions != "[]" {
		return notPublishable(*imp.Error)
	}
	basis, err := im.basis(ctx, who, imp.ID)
	if err != nil {
		return err
	}
	o, err := im.lookAtStored(ctx, who, imp)
	if open, ok := errors.AsType[*OpenQuestion](err); ok {
		return ledger.NewInvalid(open.Setting, "%s", open.Message)
	}
	if broken, ok := errors.AsType[*FileError](err); ok {
		return notPublishable(broken.Error())
	}
	if err != nil {
		return err
	}
	if obstacle := o.obstacle(skipInvalid); obstacle != nil {
		return notPublishable(*obstacle)
	}
	err = im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		return notePlan(ctx, q, imp, o, o.doubts)
	})
	if err = cmp.Or(err, o.agrees(plan)); err == nil {
		im.foresight.keep(imp.ID, basis, o)
	}
	return err
}

// notPublishable says why an import as a whole cannot be published.
func notPublishable(why string) error {
	return ledger.NewInvalid("file", "cannot be published: %s", why)
}
