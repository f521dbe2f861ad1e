package importer

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"

	"github.com/google/uuid"

	"finsvc/db"
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
	if errors.Is(err, db.ErrNotFound) {
		return imp, ledger.NewNotFound("Import")
	}
	return imp, err
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
	return text(string(out))
}

// Publish asks for a pending or failed import to be published. An obstacle, such as invalid rows that
// are not to be skipped, is a validation error.
func (im *Importer) Publish(ctx context.Context, who ledger.Actor, id uuid.UUID, skipInvalid bool) (imp queries.Import, err error) {
	imp, err = im.Get(ctx, who, id)
	if err != nil {
		return imp, err
	}
	if imp.Status != StatusPending && imp.Status != StatusFailed {
		return imp, ledger.NewConflict("an import that is %s cannot be published; only a pending or failed one can", imp.Status)
	}
	skipInvalid = skipInvalid || imp.SkipInvalidRows == 1
	if err := im.publishable(ctx, who, imp, skipInvalid); err != nil {
		return imp, err
	}
	err = im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		params := queries.QueueImportParams{UpdatedAt: im.now().UnixMilli(), ID: imp.ID, HouseholdID: who.HouseholdID}
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
		imp, err = getImport(ctx, q, who, id)
		return err
	})
	if err == nil {
		im.notify()
	}
	return imp, err
}

func (im *Importer) publishable(ctx context.Context, who ledger.Actor, imp queries.Import, skipInvalid bool) error {
	how, err := readingOf(imp)
	if err != nil {
		return err
	}
	found, err := im.survey(ctx, who, imp.ID, how)
	if broken, ok := errors.AsType[*FileError](err); ok {
		return ledger.NewInvalid("file", "%s", broken)
	}
	if err != nil {
		return err
	}
	if obstacle := found.obstacle(skipInvalid); obstacle != nil {
		return ledger.NewInvalid("file", "%s", *obstacle)
	}
	return nil
}

// Result is a row of a file and what became of it. EntryID is the transaction it became; the zero id
// when there is none.
type Result struct {
	Row
	ID      uuid.UUID
	EntryID uuid.UUID
}

// Dated says whether the row is to become something that has a date, and says which.
func (r *Row) Dated() bool { return r.Valued() && !r.Undated }

// Valued says whether the row is to become something that has an amount.
func (r *Row) Valued() bool { return r.Planned() && r.Entity != "category" }

// Planned says whether the row is to become a transaction, or whatever else its type makes.
func (r *Row) Planned() bool { return len(r.Issues) == 0 && r.Skipped == "" }

// Sentences are what is wrong with the row, each begun by its column.
func (r *Row) Sentences() []string {
	list := []string{}
	for _, issue := range r.Issues {
		list = append(list, issue.Column+" "+issue.Message)
	}
	return list
}

// Fate is what became of a row of an import in the given state: invalid, skipped, imported, deleted
// since, or pending until the import is published.
func (r *Result) Fate(status string) string {
	switch {
	case len(r.Issues) > 0:
		return "invalid"
	case r.Skipped != "":
		return "skipped"
	case status == StatusComplete && (r.EntryID != uuid.Nil || r.Entity != ""):
		return "imported"
	case status == StatusComplete:
		return "deleted"
	}
	return "pending"
}

// Results gives a page of the rows of an import in the order of the file. They are read from the stored
// bytes again, so they say today what they said when the file came in.
func (im *Importer) Results(ctx context.Context, who ledger.Actor, id uuid.UUID, page ledger.Page) (imp queries.Import, list []Result, err error) {
	imp, err = im.Get(ctx, who, id)
	if err != nil || page.Offset() >= imp.RowsCount {
		return imp, nil, err
	}
	rows, err := im.stored(ctx, who, imp)
	if err != nil {
		return imp, nil, err
	}
	if list, err = collect(rows, id, page); err != nil || len(list) == 0 {
		return imp, list, err
	}
	return imp, list, im.addEntries(ctx, who, imp, list)
}

func collect(rows source, id uuid.UUID, page ledger.Page) ([]Result, error) {
	var list []Result
	for skip := page.Offset(); len(list) < page.Size; {
		row, err := rows.Next()
		if errors.Is(err, io.EOF) {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		if skip > 0 {
			skip--
			continue
		}
		list = append(list, Result{Row: row, ID: rowID(id, row.Number)})
	}
	return list, nil
}

// rowID is the same for the same row of the same import at all times.
func rowID(id uuid.UUID, number int) uuid.UUID {
	return uuid.NewSHA1(id, binary.BigEndian.AppendUint64(nil, uint64(number)))
}

func (im *Importer) addEntries(ctx context.Context, who ledger.Actor, imp queries.Import, list []Result) error {
	if imp.Status != StatusComplete {
		return nil
	}
	first, last := int64(list[0].Number), int64(list[len(list)-1].Number)
	return im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		entries, err := q.ListImportEntries(ctx, queries.ListImportEntriesParams{ImportID: &imp.ID, HouseholdID: who.HouseholdID, FirstRow: &first, LastRow: &last})
		for _, e := range entries {
			for i := range list {
				if int64(list[i].Number) == *e.ImportRow {
					list[i].EntryID = uuid.UUID(e.PublicID)
				}
			}
		}
		return err
	})
}
