package importer

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// Result is a row of a file and what became of it. EntryID is the transaction or trade that it became or, when it
// is Booked, was already; the zero id when there is none. DoubtID is the entry that a row may be which is in
// doubt, Ruling what a person has said of it.
type Result struct {
	Row
	ID      uuid.UUID
	EntryID uuid.UUID
	Booked  bool
	DoubtID uuid.UUID
	Ruling  string
}

// Dated says whether the row is to become something that has a date, and says which.
func (r *Row) Dated() bool { return r.Valued() && !r.Undated }

// Valued says whether the row is to become something that has an amount.
func (r *Row) Valued() bool {
	return r.Planned() && r.Entity != entityCategory && r.Entity != entityRule && r.Currency.Code != ""
}

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

// Fate is what became of a row of an import in the given state: invalid, skipped, already_imported, imported, deleted
// since, or until the import is published pending, or doubtful when it may be booked already.
func (r *Result) Fate(status string) string {
	switch {
	case len(r.Issues) > 0:
		return "invalid"
	case r.Skipped != "":
		return "skipped"
	case r.Booked || r.There:
		return "already_imported"
	case status == StatusComplete && (r.EntryID != uuid.Nil || r.Entity != "" && r.Entity != entityTrade):
		return "imported"
	case status == StatusComplete:
		return "deleted"
	case r.DoubtID != uuid.Nil:
		return "doubtful"
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

// addEntries says what became of rows that were published, and what would become of others.
func (im *Importer) addEntries(ctx context.Context, who ledger.Actor, imp queries.Import, list []Result) error {
	switch imp.Status {
	case StatusComplete:
		return im.addBooked(ctx, who, imp, list)
	case StatusPending, StatusFailed:
		return im.addForecast(ctx, who, imp, list)
	}
	return nil
}

func (im *Importer) addBooked(ctx context.Context, who ledger.Actor, imp queries.Import, list []Result) error {
	if err := im.addTradeIDs(ctx, who, imp, list); err != nil {
		return err
	}
	first, last := int64(list[0].Number), int64(list[len(list)-1].Number)
	return im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		entries, err := q.ListImportEntries(ctx, queries.ListImportEntriesParams{ImportID: &imp.ID, HouseholdID: who.HouseholdID, FirstRow: &first, LastRow: &last})
		if err != nil {
			return err
		}
		for _, e := range entries {
			numbered(list, *e.ImportRow).EntryID = uuid.UUID(e.PublicID)
		}
		matched, err := q.ListImportMatches(ctx, queries.ListImportMatchesParams{ImportID: imp.ID, HouseholdID: who.HouseholdID, FirstRow: first, LastRow: last})
		for _, m := range matched {
			row := numbered(list, m.RowNumber)
			row.EntryID, row.Booked = uuid.UUID(m.PublicID), true
		}
		return err
	})
}

// numbered is the row of a number that the list has.
func numbered(list []Result, number int64) *Result {
	at, _ := slices.BinarySearchFunc(list, number, func(r Result, n int64) int { return cmp.Compare(int64(r.Number), n) })
	return &list[at]
}

// addForecast looks at the whole file, for equal rows before the page count.
func (im *Importer) addForecast(ctx context.Context, who ledger.Actor, imp queries.Import, list []Result) error {
	o, err := im.lookAtStored(ctx, who, imp)
	if err != nil {
		return err
	}
	var found matches
	for _, row := range list {
		if m, ok := o.booked.find(row.Number); ok {
			found = append(found, m)
		}
		if m, ok := o.doubts.find(row.Number); ok {
			found = append(found, m)
		}
	}
	ids, err := im.entryIDs(ctx, who, found)
	if err != nil {
		return err
	}
	for i := range list {
		row := &list[i]
		*row = Result{Row: row.Row, ID: row.ID, Ruling: o.rulings[row.Number]}
		if m, ok := o.booked.find(row.Number); ok {
			row.EntryID, row.Booked = ids[m.key], true
		} else if m, ok := o.doubts.find(row.Number); ok {
			row.DoubtID = ids[m.key]
		}
	}
	return nil
}

// entryIDs are the public ids of entries by key. Transactions and trades never share a key: both have their
// creation number from the same sequence.
func (im *Importer) entryIDs(ctx context.Context, who ledger.Actor, found matches) (map[int64]uuid.UUID, error) {
	keys := []int64{}
	for _, m := range found {
		keys = append(keys, m.key)
	}
	text, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	ids := map[int64]uuid.UUID{}
	err = im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		list, err := q.ListEntryIDs(ctx, queries.ListEntryIDsParams{Ids: string(text), HouseholdID: who.HouseholdID})
		for _, e := range list {
			ids[e.ID] = uuid.UUID(e.PublicID)
		}
		return err
	})
	return ids, err
}
