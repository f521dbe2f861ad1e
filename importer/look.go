package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/google/uuid"

	"finsvc/importer/record"
	"finsvc/importer/sniff"
	"finsvc/importer/table"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/queries"
)

// Look is what a person is shown of an import that is pending or failed, to judge whether it is understood.
type Look struct {
	Preflight *Preflight // nil when its file waits for an answer or cannot be read
	Header    []string   // nil when the file has none
	Fields    []string   // of each column the setting that names it; blank where nothing is made of it
	Rows      []Result   // a page of them
	Cells     [][]string // in the place of Rows, the first rows of a table that waits for an answer, or is very long
}

// How many rows of a table are shown that waits for an answer, and of how many rows on a file is not read again for
// every look at it: then only what was counted when it came in is known.
const (
	firstCells = 10
	mostLooked = 100_000
)

// Look says what publishing a pending or failed import would do and, of a page of its rows, how they are understood.
// Nothing is stored.
func (im *Importer) Look(ctx context.Context, who ledger.Actor, imp queries.Import, page ledger.Page) (look Look, err error) {
	if imp.Questions != "[]" || imp.RowsCount == 0 {
		return im.begin(ctx, who, imp)
	}
	if imp.RowsCount > mostLooked {
		look, err = im.begin(ctx, who, imp)
		out := &Preflight{Type: imp.Type, Rows: imp.RowsCount, Valid: imp.ValidRowsCount, Invalid: imp.InvalidRowsCount,
			Matched: imp.MatchedRowsCount, Possible: imp.DoubtfulRowsCount, Pending: imp.PendingRowsCount, Plan: imp.Plan,
			Obstacle: ledger.OrBlank(imp.Error), Unfinished: true}
		if imp.PossibleDuplicates == DuplicatesHold {
			out.Held = out.Possible
		}
		look.Preflight = out
		return look, err
	}
	look.Preflight, err = im.preflightStored(ctx, who, imp)
	if err != nil || look.Preflight.Broken != nil {
		return look, err
	}
	look.Header = look.Preflight.Header
	_, look.Rows, err = im.Results(ctx, who, uuid.UUID(imp.PublicID), page)
	if ledger.IsKind(err, ledger.Invalid) { // its account is gone, say: the preflight says so
		err = nil
	}
	var cells [][]string
	for i := range look.Rows {
		cells = append(cells, look.Rows[i].Raw)
	}
	look.Fields = table.FieldsOf(imp.Type, look.Preflight.Settings, look.Header, widthOf(look.Header, cells))
	return look, err
}

// begin shows the beginning of a table as it is; nothing of what is none, or cannot be read.
func (im *Importer) begin(ctx context.Context, who ledger.Actor, imp queries.Import) (look Look, err error) {
	how, err := readingOf(imp)
	if err != nil || imp.ByteSize == 0 || table.KindNamed(imp.Type, record.Defaults{}) == nil {
		return look, err
	}
	file := im.reader.file(ctx, who.HouseholdID, imp.ID, imp.ByteSize)
	err = sniff.Check(imp.Type, file)
	if err == nil {
		look.Header, look.Cells, err = table.Head(file, how.settings, firstCells)
	}
	if _, broken := errors.AsType[*text.FileError](err); broken || ledger.IsKind(err, ledger.Invalid) {
		return Look{}, nil // the import says what is wrong
	}
	look.Fields = table.FieldsOf(imp.Type, how.settings, look.Header, widthOf(look.Header, look.Cells))
	return look, err
}

// widthOf is how many columns a table has.
func widthOf(header []string, rows [][]string) int {
	widest := len(header)
	for _, cells := range rows {
		widest = max(widest, len(cells))
	}
	return widest
}

// preflightStored is [Importer.Preflight] of an import that is there already, read as it was found to be read.
func (im *Importer) preflightStored(ctx context.Context, who ledger.Actor, imp queries.Import) (*Preflight, error) {
	how, err := readingOf(imp)
	if err != nil {
		return nil, err
	}
	var given record.Settings
	if err := json.Unmarshal([]byte(imp.Given), &given); err != nil {
		return nil, err
	}
	leave, err := im.reader.readsFile(ctx, who)
	if err != nil {
		return nil, err
	}
	defer leave()
	c := newPreview(Preflight{Type: imp.Type, Settings: how.settings, upload: &uploadKey{}})
	err = im.analyser.preview(ctx, who, c, how, im.reader.file(ctx, who.HouseholdID, imp.ID, imp.ByteSize))
	return im.conclude(ctx, who, how.accountID, Request{Settings: given, SkipInvalidRows: imp.SkipInvalidRows == 1}, c, err)
}

// Booked is what an import has booked in an account and is still there: how many transactions, from which day to which.
type Booked struct {
	AccountID    uuid.UUID
	Transactions int64
	First, Last  ledger.Date
}

// Booked says what a complete import has booked, the account with the most of it first.
func (im *Importer) Booked(ctx context.Context, who ledger.Actor, imp queries.Import) (list []Booked, err error) {
	var days []queries.SumImportDaysRow
	err = im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		days, err = q.SumImportDays(ctx, queries.SumImportDaysParams{ImportID: &imp.ID, HouseholdID: who.HouseholdID})
		return err
	})
	if err != nil {
		return nil, err
	}
	ids, err := im.ledger.Entries.AccountIDs(ctx, who)
	if err != nil {
		return nil, err
	}
	for _, d := range days {
		id, day := ids[d.AccountID], ledger.Date(d.Date)
		at := slices.IndexFunc(list, func(b Booked) bool { return b.AccountID == id })
		if at < 0 {
			at, list = len(list), append(list, Booked{AccountID: id, First: day, Last: day})
		}
		of := &list[at]
		of.Transactions += d.Transactions
		of.First, of.Last = min(of.First, day), max(of.Last, day)
	}
	slices.SortStableFunc(list, func(a, b Booked) int { return cmp.Compare(b.Transactions, a.Transactions) })
	return list, nil
}
