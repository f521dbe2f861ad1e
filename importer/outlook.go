package importer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/intake"
	"finsvc/queries"
)

// outlook is what publishing a file would do, as far as its rows decide that.
type outlook struct {
	survey
	layout    int64
	encoding  string
	proved    []*statement          // the balances that the file proves
	settings  Settings              // that the file was read with
	booked    matches               // rows that are booked already
	doubts    matches               // rows that may be, and of which nobody has said whether they are
	held      matches               // those of the doubts that are not written
	asSame    matches               // those of booked that were doubts, and of which who publishes said that they are the same
	settles   []intake.SettledEntry // entries that were booked while they were pending, and of which the file has the final rows
	unsettled []int                 // rows that are pending and are booked all the same
	changed   matches               // rows of booked that the bank has changed since they were booked, by its own id
	repeats   repeats
	rulings   map[int]string // what a person has said of rows
	days      []ledger.Date  // of the transactions that would be written, in the order of the file
	pairs     [][2]int       // rows that are the two sides of a transfer
	plan      string         // a hash of all that
}

// bookedCount is how many of the valid rows are booked, or there otherwise, already.
func (o *outlook) bookedCount() int64 { return o.there + int64(len(o.booked)) }

// allNew says whether nothing that the file says is, or may be, booked already.
func (o *outlook) allNew() bool { return len(o.booked)+len(o.doubts) == 0 }

// errChanged says that a plan is not what would happen any more.
var errChanged = errors.New("the household or the file has changed since the plan was made: look at it again before you publish it")

// agrees is a conflict unless the plan that somebody has seen is what would happen; a blank one always is.
func (o *outlook) agrees(plan string) error {
	if plan == "" || plan == o.plan {
		return nil
	}
	return &ledger.Error{Kind: ledger.Conflict, Code: "plan_changed", Message: errChanged.Error(), Details: map[string]any{"plan": o.plan}}
}

// isNew says whether a planned row would be written.
func (o *outlook) isNew(row Row) bool { return !o.leavesOut(row.Number) && !row.There }

// leavesOut says whether a row is booked already, or held back.
func (o *outlook) leavesOut(row int) bool {
	if _, booked := o.booked.find(row); booked {
		return true
	}
	_, held := o.held.find(row)
	return held
}

// look reads a file from end to end, stored or not, and finds what is booked already.
func (im *Importer) look(ctx context.Context, who ledger.Actor, file io.Reader, how reading) (*outlook, error) {
	rows, d, err := im.read(ctx, who, file, how)
	if err != nil {
		return nil, err
	}
	return im.lookAt(ctx, who, opened{file, rows, d}, how, func(Row) {})
}

// opened is a file and the rows that are read from it.
type opened struct {
	file io.Reader
	rows source
	Defaults
}

// lookAt is look at a file that was opened; every row is shown to visit, too.
func (im *Importer) lookAt(ctx context.Context, who ledger.Actor, in opened, how reading, visit func(Row)) (*outlook, error) {
	rows := in.rows
	o := &outlook{survey: survey{account: accountFinder(how.accountID, in.Defaults)}, layout: layoutOf(how.kind, rows.Header())}
	ids := externals{im: im, who: who, account: o.account, found: map[int32]int64{}}
	balances, err := im.newStatements(ctx, who, rows)
	if err != nil {
		return nil, err
	}
	err = each(rows, func(row Row) error {
		o.makeRoom(in.file)
		o.add(row)
		if balances != nil {
			balances.note(row, o.account)
		}
		visit(row)
		return cmp.Or(ids.add(ctx, row), ctx.Err())
	})
	if err != nil {
		return nil, err
	}
	if err := ids.lookUp(ctx); err != nil {
		return nil, err
	}
	o.proved = balances.proved(rows)
	o.encoding, o.doubt, o.settings = rows.Encoding(), doubtOf(rows), settledBy(rows, how.settings)
	return o, o.settle(ctx, im, who, ids.found, how)
}

func (im *Importer) lookAtStored(ctx context.Context, who ledger.Actor, imp queries.Import) (*outlook, error) {
	how, err := readingOf(imp)
	if err != nil {
		return nil, err
	}
	return im.look(ctx, who, im.openSized(ctx, who.HouseholdID, imp.ID, imp.ByteSize), how)
}

func accountFinder(accountID *int64, d Defaults) func(Row) int64 {
	return func(row Row) int64 {
		if accountID != nil && !row.ByName {
			return *accountID
		}
		return d.AccountKeys[ledger.Fold(row.Account)]
	}
}

func (o *outlook) add(row Row) {
	o.survey.add(row)
	if row.Planned() && row.State == statePending && row.Entity() == "" {
		o.unsettled = append(o.unsettled, row.Number)
	}
	if row.Planned() && row.Opposite > row.Number {
		o.pairs = append(o.pairs, [2]int{row.Number, row.Opposite})
	}
}

// settle has the rows recognised and lets go of what is not needed any more.
func (o *outlook) settle(ctx context.Context, im *Importer, who ledger.Actor, external map[int32]int64, how reading) error {
	inFile := make([]ledger.Date, len(o.traits))
	rowOf := make([]int32, len(o.traits))
	for i, t := range o.traits {
		inFile[i], rowOf[i] = t.day, t.row
		if t.trade {
			rowOf[i] = -1
		}
	}
	g, err := im.recognise(ctx, who, o.layout, o.traits, external)
	if err != nil {
		return err
	}
	o.booked, o.doubts, o.changed, o.repeats, o.rulings, o.traits = g.booked, g.doubts, g.changed, g.repeats, g.ruled, nil
	for _, s := range g.settles {
		o.settles = append(o.settles, s.SettledEntry)
	}
	if err := o.hash(ctx, im, who, how); err != nil { // a plan is what is found, whatever is said of it
		return err
	}
	switch how.duplicates {
	case DuplicatesNew:
	case DuplicatesSame:
		o.booked, o.asSame, o.doubts = append(o.booked, o.doubts...), o.doubts, nil
		o.booked.sort()
	default:
		o.held = o.doubts
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
func (o *outlook) hash(ctx context.Context, im *Importer, who ledger.Actor, how reading) error {
	version, err := im.ledger.NamesVersion(ctx, who)
	if err != nil {
		return err
	}
	settings, err := json.Marshal(complete(how.kind, o.settings))
	if err != nil {
		return err
	}
	account := int64(0)
	if how.accountID != nil {
		account = *how.accountID
	}
	sum := sha256.New()
	fmt.Fprintln(sum, how.kind, account, string(settings), o.rows, o.valid, o.invalid, o.there, o.content, version)
	for _, list := range []matches{o.booked, o.doubts} {
		fmt.Fprintln(sum, len(list))
		for _, m := range list {
			_, _ = sum.Write(binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint32(nil, uint32(m.row)), uint64(m.key))) // never fails
		}
	}
	o.plan = hex.EncodeToString(sum.Sum(nil)[:16])
	return nil
}

// notePlan keeps what was found for those who ask.
func notePlan(ctx context.Context, q *queries.Queries, imp queries.Import, o *outlook, doubtful matches) error {
	return q.UpdateImportPlan(ctx, queries.UpdateImportPlanParams{Plan: o.plan, MatchedRowsCount: o.bookedCount(), DoubtfulRowsCount: int64(len(doubtful)),
		ID: imp.ID, HouseholdID: imp.HouseholdID})
}
