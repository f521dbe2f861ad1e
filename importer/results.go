package importer

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// Result is a row of a file and what became of it. EntryID is the transaction or trade that it became or, when it
// is Booked, was already; the zero id when there is none. DoubtID is the entry that a row may be which is in
// doubt, Differs what that, or what it is booked as, has otherwise; Ruling is what a person has said of the row. Held is a row that was held back when its import was
// published; the entry that it may be is perhaps gone.
type Result struct {
	Row
	ID      uuid.UUID
	EntryID uuid.UUID
	Booked  bool
	Held    bool
	DoubtID uuid.UUID
	Differs []Difference
	Ruling  string
}

// Dated says whether the row is to become something that has a date, and says which.
func (r *Row) Dated() bool { return r.Valued() && !r.Undated && (r.Planned() || r.Date != 0) }

// Valued says whether the row is to become something that has an amount.
func (r *Row) Valued() bool {
	return (r.Planned() || r.Skipped == skippedPending || r.Skipped == skippedNever) && r.Entity() != entityCategory && r.Entity() != entityRule && r.Currency.Code != ""
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
// since, pending_at_bank when it was left out because the bank has not booked it yet, possible_duplicate when it may be booked already and nobody has said whether it is, or until the import is published pending.
func (r *Result) Fate(status string) string {
	switch {
	case len(r.Issues) > 0:
		return "invalid"
	case r.Skipped == skippedPending:
		return "pending_at_bank"
	case r.Skipped != "":
		return "skipped"
	case r.Booked || r.There:
		return "already_imported"
	case r.Held || r.DoubtID != uuid.Nil:
		return "possible_duplicate"
	case status == StatusComplete && (r.EntryID != uuid.Nil || r.Entity() != "" && r.Entity() != entityTrade):
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
	leave, err := im.readsFile(ctx, who)
	if err != nil {
		return imp, nil, err
	}
	defer leave()
	rows, err := im.stored(ctx, who, imp)
	if err != nil {
		return imp, nil, err
	}
	if list, err = collect(rows, id, page); err != nil || len(list) == 0 {
		return imp, list, err
	}
	return imp, list, im.addEntries(ctx, who, imp, rows.Header(), list)
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
func (im *Importer) addEntries(ctx context.Context, who ledger.Actor, imp queries.Import, header []string, list []Result) error {
	switch imp.Status {
	case StatusComplete:
		return im.addBooked(ctx, who, imp, header, list)
	case StatusPending, StatusFailed:
		return im.addForecast(ctx, who, imp, header, list)
	}
	return nil
}

func (im *Importer) addBooked(ctx context.Context, who ledger.Actor, imp queries.Import, header []string, list []Result) error {
	if err := im.addTradeIDs(ctx, who, imp, list); err != nil {
		return err
	}
	first, last := int64(list[0].Number), int64(list[len(list)-1].Number)
	of := map[int]int64{} // keys of the entries that rows are, or may be
	err := im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		entries, err := q.ListImportEntries(ctx, queries.ListImportEntriesParams{ImportID: &imp.ID, HouseholdID: who.HouseholdID, FirstRow: &first, LastRow: &last})
		if err != nil {
			return err
		}
		for _, e := range entries {
			numbered(list, *e.ImportRow).EntryID = uuid.UUID(e.PublicID)
		}
		matched, err := q.ListImportMatches(ctx, queries.ListImportMatchesParams{ImportID: imp.ID, HouseholdID: who.HouseholdID, FirstRow: first, LastRow: last})
		if err != nil {
			return err
		}
		for _, m := range matched {
			row := numbered(list, m.RowNumber)
			row.EntryID, row.Booked = uuid.UUID(m.PublicID), true
			of[row.Number] = m.ID
		}
		held, err := q.ListHeldRows(ctx, queries.ListHeldRowsParams{ImportID: imp.ID, HouseholdID: who.HouseholdID, FirstRow: first, LastRow: last})
		for _, h := range held {
			row := numbered(list, h.RowNumber)
			if row.Held = true; h.EntryID != 0 {
				of[row.Number] = h.EntryID
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return im.addDifferences(ctx, who, imp.Layout, header, list, of)
}

// addDifferences says of rows, by number, what the entry with a key has otherwise: of rows that may be booked all that is known, of those
// that are what matters, day and amount.
func (im *Importer) addDifferences(ctx context.Context, who ledger.Actor, layout int64, header []string, list []Result, of map[int]int64) error {
	if len(of) == 0 {
		return nil
	}
	var found matches
	for _, key := range of {
		found = append(found, match{key: key})
	}
	entries, err := im.originsOf(ctx, who, found)
	if err != nil {
		return err
	}
	var pairs []compared
	var doubtful []*Result
	for i := range list {
		row := &list[i]
		entry, known := entries[of[row.Number]]
		switch {
		case !known:
		case row.Booked:
			row.EntryID, row.Differs = uuid.UUID(entry.PublicID), row.moneyDifferences(entry)
		default:
			row.DoubtID = uuid.UUID(entry.PublicID)
			pairs, doubtful = append(pairs, compared{&row.Row, entry}), append(doubtful, row)
		}
	}
	differ, err := im.differences(ctx, who, layout, header, pairs)
	for i := range differ {
		doubtful[i].Differs = differ[i]
	}
	return err
}

// numbered is the row of a number that the list has.
func numbered(list []Result, number int64) *Result {
	at, _ := slices.BinarySearchFunc(list, number, func(r Result, n int64) int { return cmp.Compare(int64(r.Number), n) })
	return &list[at]
}

// addForecast looks at the whole file, for equal rows before the page count.
func (im *Importer) addForecast(ctx context.Context, who ledger.Actor, imp queries.Import, header []string, list []Result) error {
	o, err := im.lookAtStored(ctx, who, imp)
	if err != nil {
		return err
	}
	of := map[int]int64{}
	for i := range list {
		row := &list[i]
		*row = Result{Row: row.Row, ID: row.ID, Ruling: o.rulings[row.Number]}
		if m, ok := o.booked.find(row.Number); ok {
			row.Booked, of[row.Number] = true, m.key
		} else if m, ok := o.doubts.find(row.Number); ok {
			of[row.Number] = m.key
		}
	}
	return im.addDifferences(ctx, who, o.layout, header, list, of)
}
