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

	"finsvc/db"
	"finsvc/importer/match"
	"finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/queries"
)

// origins are entries by key, and the rows that they came from.
type origins map[int64]queries.ListEntryOriginsRow

// rowComparer says what became of rows, or would, and what the entries that they are, or may be, have otherwise.
type rowComparer struct {
	db       *db.DB
	reader   *fileReader
	analyser *analyser
}

// originsOf reads entries. Transactions and trades never share a key: both have their creation number from the same
// sequence.
func (r *rowComparer) originsOf(ctx context.Context, who ledger.Actor, found match.List) (origins, error) {
	keys := []int64{}
	for _, m := range found {
		keys = append(keys, m.Key)
	}
	text, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	entries := origins{}
	err = r.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		list, err := q.ListEntryOrigins(ctx, queries.ListEntryOriginsParams{Ids: string(text),
			HouseholdID: who.HouseholdID})
		for _, e := range list {
			entries[e.ID] = e
		}
		return err
	})
	return entries, err
}

// compared is a row and the entry that it is compared with.
type compared struct {
	row   *record.Record
	entry queries.ListEntryOriginsRow
}

// differences say of each pair what differs. Where the entry came from a file of the same layout, all cells are
// compared: that file is read again for them.
func (r *rowComparer) differences(ctx context.Context, who ledger.Actor, layout int64, header []string,
	pairs []compared) ([][]match.Difference, error) {
	wanted := map[int64][]int{} // rows by import
	for _, p := range pairs {
		if p.entry.ImportID != 0 {
			wanted[p.entry.ImportID] = append(wanted[p.entry.ImportID], int(p.entry.ImportRow))
		}
	}
	before := map[[2]int64][]string{}
	for id, rows := range wanted {
		if err := r.rawRows(ctx, who, id, layout, rows, before); err != nil {
			return nil, err
		}
	}
	list := make([][]match.Difference, len(pairs))
	for i, p := range pairs {
		if cells, known := before[[2]int64{p.entry.ImportID, p.entry.ImportRow}]; known {
			list[i] = match.CellDifferences(header, cells, p.row.Raw)
			continue
		}
		list[i] = append(match.MoneyDifferences(p.row, p.entry), match.TextDifferences(p.row, p.entry)...)
	}
	return list, nil
}

// rawRows puts the cells of some rows of an import of a layout to the others.
func (r *rowComparer) rawRows(ctx context.Context, who ledger.Actor, importID, layout int64, rows []int,
	to map[[2]int64][]string) error {
	var imp queries.Import
	err := r.db.Read(ctx, func(ctx context.Context, q *queries.Queries) (err error) {
		imp, err = q.GetImportByKey(ctx, queries.GetImportByKeyParams{ID: importID, HouseholdID: who.HouseholdID})
		return err
	})
	if err != nil || imp.Layout != layout {
		return err
	}
	stored, err := r.reader.stored(ctx, who, imp)
	if err != nil {
		return nil // its account is gone, say: then only what is booked can be compared
	}
	slices.Sort(rows)
	for last := rows[len(rows)-1]; ; {
		row, err := stored.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if _, found := slices.BinarySearch(rows, row.Number); found {
			to[[2]int64{importID, int64(row.Number)}] = slices.Clone(row.Raw)
		}
		if row.Number >= last {
			return nil
		}
	}
}

// Result is a row of a file and what became of it. EntryID is the transaction or trade that it became or, when it
// is Booked, was already; the zero id when there is none. DoubtID is the entry that a row may be which is in
// doubt, Differs what that, or what it is booked as, has otherwise; Decision is what a person has said of the row. Held
// is a row that was held back when its import was published; the entry that it may be is perhaps gone.
type Result struct {
	record.Record
	ID       uuid.UUID
	EntryID  uuid.UUID
	Booked   bool
	Held     bool
	DoubtID  uuid.UUID
	Differs  []match.Difference
	Decision string
}

// Fate is what became of a row of an import in the given state: invalid, skipped, already_imported, imported, deleted
// since, pending_at_bank when it was left out because the bank has not booked it yet, possible_duplicate when it may
// be booked already and nobody has said whether it is, or until the import is published pending.
func (r *Result) Fate(status string) string {
	switch {
	case len(r.Issues) > 0:
		return "invalid"
	case r.Skipped == record.SkippedPending:
		return "pending_at_bank"
	case r.Skipped != "":
		return "skipped"
	case r.Booked || r.Exists:
		return "already_imported"
	case r.Held || r.DoubtID != uuid.Nil:
		return "possible_duplicate"
	case status == StatusComplete && (r.EntryID != uuid.Nil || r.Entity() != "" && r.Entity() != record.EntityTrade):
		return "imported"
	case status == StatusComplete:
		return "deleted"
	}
	return "pending"
}

// Results gives a page of the rows of an import in the order of the file. They are read from the stored
// bytes again, so they say today what they said when the file came in.
func (im *Importer) Results(ctx context.Context, who ledger.Actor, id uuid.UUID, page ledger.Page) (imp queries.Import,
	list []Result, err error) {
	imp, err = im.Get(ctx, who, id)
	if err != nil || page.Offset() >= imp.RowsCount {
		return imp, nil, err
	}
	leave, err := im.reader.readsFile(ctx, who)
	if err != nil {
		return imp, nil, err
	}
	defer leave()
	rows, err := im.reader.stored(ctx, who, imp)
	if err != nil {
		return imp, nil, err
	}
	list, err = collect(rows, id, page)
	if err != nil || len(list) == 0 {
		return imp, list, err
	}
	return imp, list, im.comparer.addEntries(ctx, who, imp, rows.Header(), list)
}

func collect(rows record.Reader, id uuid.UUID, page ledger.Page) ([]Result, error) {
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
		list = append(list, Result{Record: row, ID: rowID(id, row.Number)})
	}
	return list, nil
}

// rowID is the same for the same row of the same import at all times.
func rowID(id uuid.UUID, number int) uuid.UUID {
	return uuid.NewSHA1(id, binary.BigEndian.AppendUint64(nil, uint64(number)))
}

// addEntries says what became of rows that were published, and what would become of others.
func (r *rowComparer) addEntries(ctx context.Context, who ledger.Actor, imp queries.Import, header []string,
	list []Result) error {
	switch imp.Status {
	case StatusComplete:
		return r.addBooked(ctx, who, imp, header, list)
	case StatusPending, StatusFailed:
		return r.addForecast(ctx, who, imp, header, list)
	}
	return nil
}

func (r *rowComparer) addBooked(ctx context.Context, who ledger.Actor, imp queries.Import, header []string,
	list []Result) error {
	if err := r.addTradeIDs(ctx, who, imp, list); err != nil {
		return err
	}
	first, last := int64(list[0].Number), int64(list[len(list)-1].Number)
	of := map[int]int64{} // keys of the entries that rows are, or may be
	err := r.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		entries, err := q.ListImportEntries(ctx, queries.ListImportEntriesParams{ImportID: &imp.ID,
			HouseholdID: who.HouseholdID, FirstRow: &first, LastRow: &last})
		if err != nil {
			return err
		}
		for _, e := range entries {
			numbered(list, *e.ImportRow).EntryID = uuid.UUID(e.PublicID)
		}
		matched, err := q.ListImportMatches(ctx, queries.ListImportMatchesParams{ImportID: imp.ID,
			HouseholdID: who.HouseholdID, FirstRow: first, LastRow: last})
		if err != nil {
			return err
		}
		for _, m := range matched {
			row := numbered(list, m.RowNumber)
			row.EntryID, row.Booked = uuid.UUID(m.PublicID), true
			of[row.Number] = m.ID
		}
		held, err := q.ListHeldRows(ctx, queries.ListHeldRowsParams{ImportID: imp.ID, HouseholdID: who.HouseholdID,
			FirstRow: first, LastRow: last})
		for _, h := range held {
			row := numbered(list, h.RowNumber)
			row.Held = true
			if h.EntryID != 0 {
				of[row.Number] = h.EntryID
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	return r.addDifferences(ctx, who, imp.Layout, header, list, of)
}

// addDifferences says of rows, by number, what the entry with a key has otherwise: of rows that may be booked all that
// is known, of those that are what matters, day and amount.
func (r *rowComparer) addDifferences(ctx context.Context, who ledger.Actor, layout int64, header []string,
	list []Result, of map[int]int64) error {
	if len(of) == 0 {
		return nil
	}
	var found match.List
	for _, key := range of {
		found = append(found, match.Match{Key: key})
	}
	entries, err := r.originsOf(ctx, who, found)
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
			row.EntryID, row.Differs = uuid.UUID(entry.PublicID), match.MoneyDifferences(&row.Record, entry)
		default:
			row.DoubtID = uuid.UUID(entry.PublicID)
			pairs, doubtful = append(pairs, compared{&row.Record, entry}), append(doubtful, row)
		}
	}
	differ, err := r.differences(ctx, who, layout, header, pairs)
	for i := range differ {
		doubtful[i].Differs = differ[i]
	}
	return err
}

// numbered is the row of a number that the list has.
func numbered(list []Result, number int64) *Result {
	at, _ := slices.BinarySearchFunc(list, number, func(r Result,
		n int64) int {
		return cmp.Compare(int64(r.Number), n)
	})
	return &list[at]
}

// addForecast looks at the whole file, for equal rows before the page count.
func (r *rowComparer) addForecast(ctx context.Context, who ledger.Actor, imp queries.Import, header []string,
	list []Result) error {
	o, err := r.analyser.analyseStored(ctx, who, imp)
	if err != nil {
		return err
	}
	of := map[int]int64{}
	for i := range list {
		row := &list[i]
		*row = Result{Record: row.Record, ID: row.ID, Decision: o.decisions[row.Number]}
		if m, ok := o.booked.Find(row.Number); ok {
			row.Booked, of[row.Number] = true, m.Key
		} else if m, ok := o.possibleDuplicates.Find(row.Number); ok {
			of[row.Number] = m.Key
		}
	}
	return r.addDifferences(ctx, who, o.layout, header, list, of)
}

// addTradeIDs finds what became of the rows that were to be trades.
func (r *rowComparer) addTradeIDs(ctx context.Context, who ledger.Actor, imp queries.Import, list []Result) error {
	first, last := int64(list[0].Number), int64(list[len(list)-1].Number)
	return r.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		entries, err := q.ListImportTradeEntries(ctx, queries.ListImportTradeEntriesParams{ImportID: &imp.ID,
			HouseholdID: who.HouseholdID, FirstRow: &first, LastRow: &last})
		for _, e := range entries {
			numbered(list, *e.ImportRow).EntryID = uuid.UUID(e.PublicID)
		}
		return err
	})
}
