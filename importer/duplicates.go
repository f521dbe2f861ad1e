package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/importer/apply"
	"finsvc/importer/match"
	"finsvc/importer/record"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/entry"
	"finsvc/ledger/intake"
	"finsvc/ledger/rollup"
	"finsvc/queries"
)

// heldBatch is how many rows that were held back are decided in one write.
const heldBatch = 500

// storeHeld notes which rows are held back, and what each may be.
func (p *publisher) storeHeld(ctx context.Context, q *queries.Queries, list match.List) error {
	return cmp.Or(
		q.InsertHeldRows(ctx, queries.InsertHeldRowsParams{Keys: list.Keys(false), ImportID: p.imp.ID,
			HouseholdID: p.who.HouseholdID}),
		q.InsertHeldTradeRows(ctx, queries.InsertHeldTradeRowsParams{Keys: list.Keys(true), ImportID: p.imp.ID,
			HouseholdID: p.who.HouseholdID}))
}

// heldRow is a row that was held back, and the key of the entry that it may be: 0 when that is gone.
type heldRow struct {
	row   record.Record
	key   int64
	trade bool
}

// heldRows decides what rows of a complete import are that were held back. Each write is whole: its rows are booked,
// or are what they were found to be, and are held back no longer.
type heldRows struct {
	*publisher
	decision string
	left     int64 // rows that are still held back
}

// duplicates keeps what people say of rows that may be booked already.
type duplicates struct {
	db       *db.DB
	now      func() time.Time
	reader   *fileReader
	analyser *analyser
}

// decideHeld decides all rows that are held back, or only one, and gives how many it was.
func (im *Importer) decideHeld(ctx context.Context, who ledger.Actor, imp queries.Import, decision string,
	only int) (n int64, err error) {
	held, err := im.duplicates.listHeld(ctx, who, imp, only)
	if err != nil || len(held) == 0 {
		return 0, err
	}
	o, err := im.analyser.analyseStored(ctx, who, imp)
	if err != nil {
		return 0, unreadable(err)
	}
	h := &heldRows{newPublisher(im, imp), decision, imp.DoubtfulRowsCount}
	// an import with rows that were held back has reserved their numbers
	h.analysis, h.target.FirstSequence = o, *imp.RowsSequence
	h.target.Rules, err = im.ledger.Rules.Engine(ctx, h.who)
	if err != nil {
		return 0, err
	}
	h.names = apply.NewNames(im.ledger, h.who, imp.AccountID, h.noteCreation)
	rows, err := im.reader.stored(ctx, who, imp)
	if err != nil {
		return 0, err
	}
	var batch []heldRow
	err = record.Each(rows, func(row record.Record) error {
		at, found := slices.BinarySearchFunc(held, int64(row.Number),
			func(r queries.ListHeldRowsRow, n int64) int { return cmp.Compare(r.RowNumber, n) })
		if !found {
			return ctx.Err()
		}
		row.Occurrence = o.repeats.Of(row.Number)
		batch = append(batch, heldRow{row, held[at].EntryID, held[at].Trade != 0})
		if len(batch) < heldBatch {
			return nil
		}
		decided, err := h.decide(ctx, batch)
		n, batch = n+decided, batch[:0]
		return err
	})
	if err != nil {
		return n, err
	}
	decided, err := h.decide(ctx, batch)
	return n + decided, err
}

func (d *duplicates) listHeld(ctx context.Context, who ledger.Actor, imp queries.Import,
	only int) (held []queries.ListHeldRowsRow, err error) {
	first, last := int64(1), imp.RowsCount
	if only > 0 {
		first, last = int64(only), int64(only)
	}
	err = d.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		held, err = q.ListHeldRows(ctx, queries.ListHeldRowsParams{ImportID: imp.ID, HouseholdID: who.HouseholdID,
			FirstRow: first, LastRow: last})
		return err
	})
	return held, err
}

// decide books some rows, or says that they are booked, in one write.
func (h *heldRows) decide(ctx context.Context, rows []heldRow) (n int64, err error) {
	if h.decision == match.DecisionSame { // what is gone cannot be the same
		rows = slices.DeleteFunc(slices.Clone(rows), func(r heldRow) bool { return r.key == 0 })
	}
	if len(rows) == 0 {
		return 0, nil
	}
	numbers := make([]int, len(rows))
	for i, r := range rows {
		numbers[i] = r.row.Number
	}
	list, err := json.Marshal(numbers)
	if err != nil {
		return 0, err
	}
	err = h.im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		n, err = q.DeleteSomeHeldRows(ctx, queries.DeleteSomeHeldRowsParams{Rows: string(list), ImportID: h.imp.ID,
			HouseholdID: h.who.HouseholdID})
		if err != nil {
			return err
		}
		params := queries.ReleaseHeldRowsParams{Released: n, UpdatedAt: h.im.now().UnixMilli(), ID: h.imp.ID,
			HouseholdID: h.who.HouseholdID}
		if h.decision == match.DecisionSame {
			params.Matched = n
		}
		released, err := q.ReleaseHeldRows(ctx, params)
		switch {
		case err != nil:
			return err
		case n < int64(len(rows)) || released == 0:
			return ledger.NewConflict("somebody else decides on these rows, or the import was reverted meanwhile; look at it again")
		case h.decision == match.DecisionSame:
			err = h.keepSame(ctx, q, rows)
		default:
			err = h.bookHeld(ctx, q, rows, numbers)
		}
		return cmp.Or(err, h.reconcile(ctx, q, n))
	})
	if err != nil {
		return 0, err
	}
	h.left -= n
	h.im.kick(h.imp.ID)
	return n, nil
}

// reconcile says anew what the file proves beside what the accounts show, now that so many rows more are decided.
func (h *heldRows) reconcile(ctx context.Context, q *queries.Queries, decided int64) error {
	balances := &reconciler{im: h.im, who: h.who, names: h.names, importID: h.imp.ID, analysis: h.analysis}
	list, err := balances.compare(ctx, q)
	for i := range list {
		list[i].Held = h.left - decided
	}
	return cmp.Or(err, noteReconciliation(ctx, q, h.imp, list))
}

// keepSame makes rows those that were found for them, in this import and in every file that has them.
func (h *heldRows) keepSame(ctx context.Context, q *queries.Queries, rows []heldRow) error {
	var list match.List
	keys := make([][3]int64, 0, len(rows))
	for _, r := range rows {
		list = append(list, match.Match{Row: int32(r.row.Number), Trade: r.trade, Key: r.key})
		keys = append(keys, [3]int64{h.analysis.account(r.row), r.row.Key, r.row.Occurrence})
	}
	decisions, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	var settled []intake.SettledEntry
	for _, r := range rows {
		if r.row.State != record.StatePending && !r.trade {
			settled = append(settled, intake.SettledEntry{Key: r.key, SourceHash: r.row.Key,
				Occurrence: r.row.Occurrence, BankKey: r.row.Bank, LikeKey: cmp.Or(r.row.Like, r.row.Key)})
		}
	}
	if err := intake.SettleEntries(ctx, h.im.ledger.Tx(q, h.who), h.imp.ID, settled); err != nil {
		return err
	}
	return cmp.Or(h.storeMatches(ctx, q, list),
		q.PutDecisions(ctx, queries.PutDecisionsParams{Rows: string(decisions), Decision: match.DecisionSame,
			CreatedAt: h.im.now().UnixMilli(), HouseholdID: h.who.HouseholdID}))
}

// bookHeld writes rows as those of the import, with all that follows from them.
func (h *heldRows) bookHeld(ctx context.Context, q *queries.Queries, rows []heldRow, numbers []int) error {
	var drafts []entry.Draft
	var trades []record.Record
	rollups := rollup.NewRollups()
	for _, r := range rows {
		if r.row.Trade() != nil {
			trades = append(trades, r.row)
			continue
		}
		d, err := h.draft(ctx, r.row)
		if err != nil {
			return err
		}
		drafts = append(drafts, d)
		rollups.Add(rollup.Posting{AccountID: d.AccountID, Date: d.Date, Currency: d.Currency, Minor: d.Minor})
	}
	slices.SortFunc(drafts, func(a, b entry.Draft) int {
		return cmp.Or(cmp.Compare(a.Date, b.Date),
			cmp.Compare(a.Row, b.Row))
	})
	if len(drafts) > 0 {
		texts, err := entry.InsertDrafts(ctx, h.im.ledger.Tx(q, h.who), h.target, drafts)
		if err != nil {
			return err
		}
		if err := cmp.Or(entry.MakeFindable(ctx, q, texts), entry.ApplyRollups(ctx, h.im.ledger.Tx(q, h.who),
			rollups)); err != nil {
			return err
		}
	}
	if len(trades) > 0 {
		a := apply.New(h.im.ledger, h.who, h.names, h.target, h.noteCreation)
		if err := a.BookTrades(ctx, q, trades); err != nil {
			return err
		}
	}
	if err := balance.CheckAll(ctx, h.im.ledger.Tx(q, h.who)); err != nil {
		return err
	}
	p, o := *h.publisher, *h.analysis
	o.pairs = slices.DeleteFunc(slices.Clone(o.pairs), func(pair [2]int) bool {
		return !slices.Contains(numbers, pair[0]) && !slices.Contains(numbers, pair[1])
	})
	p.analysis = &o
	if err := joinPairs(ctx, &p, q); err != nil {
		return err
	}
	if err := h.im.ledger.Transfers.MatchImportRows(ctx, h.im.ledger.Tx(q, h.who), h.imp.ID, numbers); err != nil {
		return err
	}
	return h.im.ledger.Entries.JoinImportByRules(ctx, h.im.ledger.Tx(q, h.who), h.imp.ID, h.target.Rules)
}

// matchBatch is how many matches are stored in one transaction.
const matchBatch = 5_000

func storeInBatches(ctx context.Context, p *publisher, list match.List,
	store func(context.Context, *queries.Queries, match.List) error) error {
	for batch := range slices.Chunk(list, matchBatch) {
		err := p.im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
			if err := store(ctx, q, batch); err != nil {
				return err
			}
			return p.renew(ctx, q, p.done)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (p *publisher) storeMatches(ctx context.Context, q *queries.Queries, list match.List) error {
	return cmp.Or(
		q.InsertImportMatches(ctx, queries.InsertImportMatchesParams{Keys: list.Keys(false), ImportID: p.imp.ID,
			HouseholdID: p.who.HouseholdID}),
		q.InsertImportTradeMatches(ctx, queries.InsertImportTradeMatchesParams{Keys: list.Keys(true),
			ImportID: p.imp.ID, HouseholdID: p.who.HouseholdID}))
}

// forgetMatches drops what the rows of an import were recognised as, and which were held back.
func forgetMatches(ctx context.Context, q *queries.Queries, imp queries.Import) error {
	return cmp.Or(
		q.DeleteHeldRows(ctx, queries.DeleteHeldRowsParams{ImportID: imp.ID, HouseholdID: imp.HouseholdID}),
		q.DeleteImportMatches(ctx, queries.DeleteImportMatchesParams{ImportID: imp.ID, HouseholdID: imp.HouseholdID}),
		q.DeleteImportTradeMatches(ctx, queries.DeleteImportTradeMatchesParams{ImportID: imp.ID,
			HouseholdID: imp.HouseholdID}))
}

// joinPairs makes transfers of the rows that the file says are two sides of one.
func joinPairs(ctx context.Context, p *publisher, q *queries.Queries) error {
	if len(p.analysis.pairs) == 0 {
		return nil
	}
	// The keys of the transactions that the rows of pairs have become or were before, by row.
	keys, written := map[int]int64{}, []int{}
	for _, pair := range p.analysis.pairs {
		for _, row := range pair {
			if m, ok := p.analysis.booked.Find(row); !ok {
				written = append(written, row)
			} else if !m.Trade {
				keys[row] = m.Key
			}
		}
	}
	list, err := json.Marshal(written)
	if err != nil {
		return err
	}
	rows, err := q.ListImportRowKeys(ctx, queries.ListImportRowKeysParams{Rows: string(list), ImportID: &p.imp.ID,
		HouseholdID: p.who.HouseholdID})
	for _, row := range rows {
		keys[int(*row.ImportRow)] = row.ID
	}
	if err != nil {
		return err
	}
	pairs := make([][2]int64, 0, len(p.analysis.pairs))
	for _, pair := range p.analysis.pairs {
		if one, other := keys[pair[0]], keys[pair[1]]; one != 0 && other != 0 {
			pairs = append(pairs, [2]int64{one, other})
		}
	}
	return p.im.ledger.Transfers.JoinNamed(ctx, p.im.ledger.Tx(q, p.who), p.imp.ID, pairs)
}

// What becomes of the rows of an import that may be booked already, as long as nobody has said what they are.
const (
	DuplicatesHold = "hold" // they are held back, until a person decides; so it is when nothing is said
	DuplicatesNew  = "new"  // they are booked
	DuplicatesSame = "same" // they are what was found for them
)

// checkDuplicates checks what is to become of rows that may be booked already.
func checkDuplicates(p *ledger.Problems, what string) {
	if what != "" && what != DuplicatesHold && what != DuplicatesNew && what != DuplicatesSame {
		p.Add("possible_duplicates", "must be %s, %s or %s, got %s", DuplicatesHold, DuplicatesNew, DuplicatesSame,
			ledger.Quote(what))
	}
}

// Decide keeps what a person says of a row of an import: [match.DecisionSame], that it is the entry which was found for
// it, [match.DecisionNew], that it is none that is booked, or blank, to take back what was said of a row that is not
// published yet. It holds for every file that has the row, whenever it comes. A row that was held back when its import
// was published is booked, or is the entry, at once.
func (im *Importer) Decide(ctx context.Context, who ledger.Actor, id uuid.UUID, number int64, decision string) (Result,
	error) {
	if decision != "" && decision != match.DecisionSame && decision != match.DecisionNew {
		return Result{}, ledger.NewInvalid("decision", "must be %s or %s, or null to take it back, got %s",
			match.DecisionSame, match.DecisionNew, ledger.Quote(decision))
	}
	imp, err := im.Get(ctx, who, id)
	if err != nil {
		return Result{}, err
	}
	row, err := im.rowOf(ctx, who, imp, number)
	if err != nil {
		return Result{}, err
	}
	switch imp.Status {
	case StatusPending, StatusFailed:
		err = im.duplicates.keepDecision(ctx, who, imp, row, decision)
	case StatusComplete:
		if !row.Held || decision == "" {
			return Result{}, ledger.NewConflict("row %d of an import that is complete takes a decision, %s or %s, only while it is held back; it is: %s", number, match.DecisionSame, match.DecisionNew, row.Fate(imp.Status))
		}
		_, err = im.decideHeld(ctx, who, imp, decision, int(number))
	default:
		return Result{}, ledger.NewConflict("an import that is %s takes no decisions", imp.Status)
	}
	if err != nil {
		return Result{}, err
	}
	return im.rowOf(ctx, who, imp, number)
}

// DecideAll says the same of all rows of an import that may be booked already, and gives how many that were. Of an
// import that is complete these are the rows that were held back. It may be cut short: what was decided by then stays,
// and the others are decided next time.
func (im *Importer) DecideAll(ctx context.Context, who ledger.Actor, id uuid.UUID, decision string) (int64, error) {
	if decision != match.DecisionSame && decision != match.DecisionNew {
		return 0, ledger.NewInvalid("decision", "must be %s or %s, got %s", match.DecisionSame, match.DecisionNew,
			ledger.Quote(decision))
	}
	imp, err := im.Get(ctx, who, id)
	if err != nil {
		return 0, err
	}
	switch imp.Status {
	case StatusComplete:
		return im.decideHeld(ctx, who, imp, decision, 0)
	case StatusPending, StatusFailed:
		o, err := im.analyser.analyseStored(ctx, who, imp)
		if err != nil {
			return 0, unreadable(err)
		}
		n := int64(len(o.possibleDuplicates))
		if err := im.duplicates.keepDecisions(ctx, who, imp, o, o.possibleDuplicates, decision); err != nil {
			return 0, err
		}
		return n, im.duplicates.lookAgain(ctx, who, imp)
	}
	return 0, ledger.NewConflict("an import that is %s takes no decisions", imp.Status)
}

// unreadable makes a conflict of what keeps a file from being read.
func unreadable(err error) error {
	if open, ok := errors.AsType[*record.OpenQuestion](err); ok {
		return ledger.NewConflict("the import waits for an answer: %s", open)
	}
	if broken, ok := errors.AsType[*text.FileError](err); ok {
		return ledger.NewConflict("the import cannot be read: %s", broken)
	}
	return err
}

// lookAgain notes what publishing would do now.
func (d *duplicates) lookAgain(ctx context.Context, who ledger.Actor, imp queries.Import) error {
	o, err := d.analyser.analyseStored(ctx, who, imp)
	if err != nil {
		return err
	}
	return d.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		return notePlan(ctx, q, imp, o, o.possibleDuplicates)
	})
}

// rowOf reads one row of an import.
func (im *Importer) rowOf(ctx context.Context, who ledger.Actor, imp queries.Import, number int64) (Result, error) {
	_, list, err := im.Results(ctx, who, uuid.UUID(imp.PublicID), ledger.Page{Number: int(number), Size: 1})
	if err == nil && len(list) == 0 {
		err = ledger.NewNotFound("Row")
	}
	if err != nil {
		return Result{}, err
	}
	return list[0], nil
}

func (d *duplicates) keepDecision(ctx context.Context, who ledger.Actor, imp queries.Import, row Result,
	decision string) error {
	o, err := d.analyser.analyseStored(ctx, who, imp)
	if err != nil {
		return err
	}
	account := o.account(row.Record)
	if !row.Planned() || account == 0 {
		return ledger.NewConflict("row %d cannot be booked already: it is not valid, or its account is yet to be created", row.Number)
	}
	occurrence := o.repeats.Of(row.Number)
	err = d.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		if decision == "" {
			return q.DeleteDecision(ctx, queries.DeleteDecisionParams{AccountID: account, SourceHash: row.Key,
				Occurrence: occurrence, HouseholdID: who.HouseholdID})
		}
		return q.PutDecision(ctx, queries.PutDecisionParams{AccountID: account, SourceHash: row.Key, Occurrence: occurrence,
			HouseholdID: who.HouseholdID,
			Decision:    decision, CreatedAt: d.now().UnixMilli()})
	})
	return cmp.Or(err, d.lookAgain(ctx, who, imp))
}

// decisionBatch is of how many rows the decisions are kept in one write.
const decisionBatch = 5_000

// keepDecisions keeps a decision of some rows of a file.
func (d *duplicates) keepDecisions(ctx context.Context, who ledger.Actor, imp queries.Import, o *analysis, of match.List,
	decision string) error {
	if len(of) == 0 {
		return nil
	}
	rows, err := d.reader.stored(ctx, who, imp)
	if err != nil {
		return err
	}
	var batch [][3]int64
	keep := func() error {
		if len(batch) == 0 {
			return nil
		}
		list, err := json.Marshal(batch)
		if err != nil {
			return err
		}
		batch = batch[:0]
		return d.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
			return q.PutDecisions(ctx, queries.PutDecisionsParams{Rows: string(list), Decision: decision,
				CreatedAt: d.now().UnixMilli(), HouseholdID: who.HouseholdID})
		})
	}
	err = record.Each(rows, func(row record.Record) error {
		if _, doubtful := of.Find(row.Number); !doubtful {
			return ctx.Err()
		}
		batch = append(batch, [3]int64{o.account(row), row.Key, o.repeats.Of(row.Number)})
		if len(batch) < decisionBatch {
			return nil
		}
		return keep()
	})
	return cmp.Or(err, keep())
}
