package importer

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"finsvc/db"
	"finsvc/importer/match"
	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/table"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/intake"
	"finsvc/queries"
)

// analysisCache keeps the analysis of the import that was put into the queue last: the worker would make the same one
// again. It holds while nothing has changed that decides it.
type analysisCache struct {
	mu       sync.Mutex
	importID int64
	basis    queries.GetImportBasisRow
	analysis *analysis
}

// analyser finds out how a file is to be read, and what publishing it would do.
type analyser struct {
	db     *db.DB
	ledger *books.Books
	reader *fileReader
	cache  analysisCache
}

// basis is what an analysis depends on besides the file.
func (a *analyser) basis(ctx context.Context, who ledger.Actor, importID int64) (b queries.GetImportBasisRow,
	err error) {
	err = a.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		b, err = q.GetImportBasis(ctx, queries.GetImportBasisParams{ImportID: importID, HouseholdID: who.HouseholdID})
		return err
	})
	return b, err
}

func (f *analysisCache) keep(importID int64, basis queries.GetImportBasisRow, o *analysis) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.importID, f.basis, f.analysis = importID, basis, o
}

// take gives the analysis of an import away; nil when there is none, or none that holds. The plan says that the file is
// still read in the same way.
func (f *analysisCache) take(imp queries.Import, basis queries.GetImportBasisRow) *analysis {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.importID != imp.ID {
		return nil
	}
	o := f.analysis
	f.importID, f.analysis = 0, nil
	if f.basis != basis || o.plan != imp.Plan {
		return nil
	}
	return o
}

// analysisOf is [analyser.analyseStored] for who is about to publish.
func (a *analyser) analysisOf(ctx context.Context, who ledger.Actor, imp queries.Import) (*analysis, error) {
	basis, err := a.basis(ctx, who, imp.ID)
	if err != nil {
		return nil, err
	}
	if o := a.cache.take(imp, basis); o != nil {
		return o, nil
	}
	return a.analyseStored(ctx, who, imp)
}

// analysis is what publishing a file would do, as far as its rows decide that.
type analysis struct {
	rowStats
	layout             int64
	encoding           string
	proved             []*record.Statement // the balances that the file proves
	settings           record.Settings     // that the file was read with
	booked             match.List          // rows that are booked already
	possibleDuplicates match.List          // rows that may be, and of which nobody has said whether they are
	held               match.List          // those of the possible duplicates that are not written
	// those of booked that were possible duplicates, and of which who publishes said that they are the same
	asSame match.List
	// entries that were booked while they were pending, and of which the file has the final rows
	settles   []intake.SettledEntry
	unsettled []int // rows that are pending and are booked all the same
	// rows of booked that the bank has changed since they were booked, by its own id
	changed   match.List
	repeats   match.Repeats
	decisions map[int]string // what a person has said of rows
	days      []ledger.Date  // of the transactions that would be written, in the order of the file
	pairs     [][2]int       // rows that are the two sides of a transfer
	plan      string         // a hash of all that
}

// bookedCount is how many of the valid rows are booked, or there otherwise, already.
func (o *analysis) bookedCount() int64 { return o.there + int64(len(o.booked)) }

// allNew reports whether nothing that the file says is, or may be, booked already.
func (o *analysis) allNew() bool { return len(o.booked)+len(o.possibleDuplicates) == 0 }

// errChanged says that a plan is not what would happen any more.
var errChanged = errors.New("the household or the file has changed since the plan was made: look at it again before you publish it")

// isClean reports whether every row could be read; err is that of the reading.
func (o *analysis) isClean(err error) bool { return err == nil && o.invalid == 0 }

// agrees is a conflict unless the plan that somebody has seen is what would happen; a blank one always is.
func (o *analysis) agrees(plan string) error {
	if plan == "" || plan == o.plan {
		return nil
	}
	return &ledger.Error{Kind: ledger.Conflict, Code: "plan_changed", Message: errChanged.Error(),
		Details: map[string]any{"plan": o.plan}}
}

// isNew reports whether a planned row would be written.
func (o *analysis) isNew(row record.Record) bool { return !o.leavesOut(row.Number) && !row.Exists }

// leavesOut reports whether a row is booked already, or held back.
func (o *analysis) leavesOut(row int) bool {
	if _, booked := o.booked.Find(row); booked {
		return true
	}
	_, held := o.held.Find(row)
	return held
}

// analyse reads a file from end to end, stored or not, and finds what is booked already.
func (a *analyser) analyse(ctx context.Context, who ledger.Actor, file *source.File, how reading) (*analysis, error) {
	rows, d, err := a.reader.read(ctx, who, file, how)
	if err != nil {
		return nil, err
	}
	return a.analyseRows(ctx, who, opened{file, rows, d}, how, func(record.Record) {})
}

// opened is a file and the rows that are read from it.
type opened struct {
	file *source.File
	rows record.Reader
	record.Defaults
}

// analyseRows is look at a file that was opened; every row is shown to visit, too.
func (a *analyser) analyseRows(ctx context.Context, who ledger.Actor, in opened, how reading,
	visit func(record.Record)) (*analysis, error) {
	rows := in.rows
	o := &analysis{rowStats: rowStats{account: accountFinder(how.accountID, in.Defaults)},
		layout: table.LayoutOf(how.kind, rows.Header())}
	ids := match.NewExternal(a.db, who, o.account)
	balances, err := a.reader.newStatements(ctx, who, rows)
	if err != nil {
		return nil, err
	}
	err = record.Each(rows, func(row record.Record) error {
		o.makeRoom(in.file)
		o.add(row)
		if balances != nil {
			balances.Note(row, o.account)
		}
		visit(row)
		return cmp.Or(ids.Add(ctx, row), ctx.Err())
	})
	if err != nil {
		return nil, err
	}
	if err := ids.LookUp(ctx); err != nil {
		return nil, err
	}
	o.proved = balances.Proved(rows)
	o.encoding, o.doubt, o.settings = rows.Encoding(), record.DoubtOf(rows), record.SettledBy(rows, how.settings)
	return o, o.settle(ctx, a, who, ids.Found, how)
}

func (a *analyser) analyseStored(ctx context.Context, who ledger.Actor, imp queries.Import) (*analysis, error) {
	how, err := readingOf(imp)
	if err != nil {
		return nil, err
	}
	return a.analyse(ctx, who, a.reader.file(ctx, who.HouseholdID, imp.ID, imp.ByteSize), how)
}

func accountFinder(accountID *int64, d record.Defaults) func(record.Record) int64 {
	return func(row record.Record) int64 {
		if accountID != nil && !row.ByName {
			return *accountID
		}
		return d.AccountKeys[ledger.Fold(row.Account)]
	}
}

func (o *analysis) add(row record.Record) {
	o.rowStats.add(row)
	if row.Planned() && row.State == record.StatePending && row.Entity() == "" {
		o.unsettled = append(o.unsettled, row.Number)
	}
	if row.Planned() && row.Opposite > row.Number {
		o.pairs = append(o.pairs, [2]int{row.Number, row.Opposite})
	}
}

// settle has the rows recognised and lets go of what is not needed any more.
func (o *analysis) settle(ctx context.Context, a *analyser, who ledger.Actor, external map[int32]int64,
	how reading) error {
	inFile := make([]ledger.Date, len(o.keys))
	rowOf := make([]int32, len(o.keys))
	for i, t := range o.keys {
		inFile[i], rowOf[i] = t.Day, t.Row
		if t.Trade {
			rowOf[i] = -1
		}
	}
	g, err := match.Find(ctx, a.db, a.ledger.Intake, who, o.layout, o.keys, external)
	if err != nil {
		return err
	}
	o.booked, o.possibleDuplicates, o.changed, o.repeats, o.decisions, o.keys = g.Booked, g.PossibleDuplicates, g.Changed,
		g.Repeats, g.Ruled, nil
	for _, s := range g.Settles {
		o.settles = append(o.settles, s.SettledEntry)
	}
	if err := o.hash(ctx, a, who, how); err != nil { // a plan is what is found, whatever is said of it
		return err
	}
	switch how.duplicates {
	case DuplicatesNew:
	case DuplicatesSame:
		o.booked, o.asSame, o.possibleDuplicates = append(o.booked, o.possibleDuplicates...), o.possibleDuplicates, nil
		o.booked.Sort()
	default:
		o.held = o.possibleDuplicates
	}
	o.days = slices.Grow(o.days, max(0, len(rowOf)-len(o.booked)-len(o.held)))
	for i, row := range rowOf {
		if row >= 0 && !o.leavesOut(int(row)) {
			o.days = append(o.days, inFile[i])
		}
	}
	return nil
}

// hash makes the plan's hash. What names mean may change with every change of an account's, category's, tag's or
// merchant's name, so their version is part of it.
func (o *analysis) hash(ctx context.Context, a *analyser, who ledger.Actor, how reading) error {
	version, err := a.ledger.NamesVersion(ctx, who)
	if err != nil {
		return err
	}
	settings, err := json.Marshal(record.Complete(how.kind, o.settings))
	if err != nil {
		return err
	}
	account := int64(0)
	if how.accountID != nil {
		account = *how.accountID
	}
	sum := sha256.New()
	fmt.Fprintln(sum, how.kind, account, string(settings), o.rows, o.valid, o.invalid, o.there, o.content, version)
	for _, list := range []match.List{o.booked, o.possibleDuplicates} {
		fmt.Fprintln(sum, len(list))
		for _, m := range list {
			// never fails
			_, _ = sum.Write(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(nil, uint32(m.Row)),
				uint64(m.Key)))
		}
	}
	o.plan = hex.EncodeToString(sum.Sum(nil)[:16])
	return nil
}

// notePlan keeps what was found for those who ask.
func notePlan(ctx context.Context, q *queries.Queries, imp queries.Import, o *analysis, doubtful match.List) error {
	return q.UpdateImportPlan(ctx, queries.UpdateImportPlanParams{Plan: o.plan, MatchedRowsCount: o.bookedCount(),
		DoubtfulRowsCount: int64(len(doubtful)),
		ID:                imp.ID, HouseholdID: imp.HouseholdID})
}

// uploadKey is what a preflight has found out about a file. It is not found out again when the same file is imported
// next, as long as nothing has changed that decides it.
//
// A file is read as often as it takes, never kept: once for how it is to be read, once for what its rows would do,
// once to write them.
type uploadKey struct {
	householdID int64
	how         reading // that was asked for
	basis       queries.GetImportBasisRow
	sum         []byte // SHA-256 of the file
	detection   detection
	analysis    *analysis
}

// isOf reports whether a file that was received is the one that was seen, to be read in the same way and on the same
// basis.
func (s *uploadKey) isOf(who ledger.Actor, how reading, sum []byte, basis queries.GetImportBasisRow) bool {
	return s != nil && s.householdID == who.HouseholdID && s.basis == basis && bytes.Equal(s.sum, sum) &&
		s.how.like(how)
}

// like reports whether two readings of a file are the same.
func (r reading) like(other reading) bool {
	account := func(id *int64) int64 {
		if id == nil {
			return 0
		}
		return *id
	}
	return r.kind == other.kind && cmp.Or(r.duplicates, DuplicatesHold) == cmp.Or(other.duplicates, DuplicatesHold) &&
		account(r.accountID) == account(other.accountID) && maps.Equal(r.settings.Written(), other.settings.Written())
}

// see finds out how a file is to be read, unless that was seen before.
func (r *reviewer) see(ctx context.Context, who ledger.Actor, in Request, how reading,
	f *queries.FinishUploadParams) (s uploadKey, err error) {
	s.basis, err = r.analyser.basis(ctx, who, f.ID)
	if err != nil { // first: what changes while the file is read must show
		return s, err
	}
	if in.Preflight != nil && in.Preflight.upload.isOf(who, how, f.Sha256, s.basis) {
		return *in.Preflight.upload, nil
	}
	s.detection, err = r.analyser.detected(ctx, who, how, r.reader.file(ctx, who.HouseholdID, f.ID, f.ByteSize), true)
	return s, err
}

// rowStats is what a file holds, as far as it decides whether it can be published.
type rowStats struct {
	rows, valid, invalid int64
	entities             map[string]int64 // how many rows there are of each
	pending              int64            // rows that are pending at the bank
	there                int64            // of the valid rows: what they say is there already
	content              int64            // a hash of the valid rows
	first                *record.Issue
	// why the file must not be published, whatever its rows are; see doubtful
	doubt   string
	account func(record.Record) int64 // inner key of a row's account, 0 when there is none yet
	// of the rows that become transactions or trades, in the order of the file
	keys []match.Key
}

func (s *rowStats) add(row record.Record) {
	s.rows++
	if s.entities == nil {
		s.entities = map[string]int64{}
	}
	s.entities[row.Entity()]++
	switch {
	case len(row.Issues) > 0:
		s.invalid++
		if s.first == nil {
			s.first = &row.Issues[0]
		}
	case row.Skipped == record.SkippedPending:
		s.pending++
	case row.Planned():
		s.valid++
		s.content = s.content*31 + row.Key
		switch {
		case row.Exists:
			s.there++
		case row.Entity() == "" || row.Trade() != nil:
			s.keys = append(s.keys, match.KeyOf(row, s.account(row)))
		}
	}
}

// makeRoom gives keys the room that the rest of the file needs when it goes on as it began: growing step by step, they
// would be in memory twice.
func (s *rowStats) makeRoom(file *source.File) {
	const enough = 1 << 16 // rows, to judge by
	if len(s.keys) < max(cap(s.keys), enough) {
		return
	}
	if read, size := file.Progress(); size > 0 {
		left := max(0, size-read)
		rows := left * int64(len(s.keys)) / max(1, read)
		s.keys = slices.Grow(s.keys, int(min(rows+rows/10, left/32))) // less than any usual row has
	}
}

// obstacle says why the file cannot be published; nil when it can.
func (s *rowStats) obstacle(skipInvalid bool) *string {
	switch {
	case s.doubt != "":
		return new(s.doubt)
	case s.rows == 0:
		return new("has a header but no rows: there is nothing to publish")
	case s.invalid > 0 && !skipInvalid:
		return new(fmt.Sprintf("%d of %d rows cannot be imported: correct the file or the settings, or publish the others with skip_invalid_rows. The first: %s",
			s.invalid, s.rows, s.first))

	case s.valid == 0 && s.pending > 0:
		return new(fmt.Sprintf("none of %d rows can be imported, for %d are pending at the bank: they come again when they are booked; pending_rows=%s books them now", s.rows, s.pending, record.BookAll))
	case s.valid == 0:
		return new(fmt.Sprintf("none of %d rows can be imported: there is nothing to publish", s.rows))
	}
	return nil
}
