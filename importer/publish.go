package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

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

// draft is the transaction that a row becomes, with the keys of what it names.
func (p *publisher) draft(ctx context.Context, row record.Record) (entry.Draft, error) {
	d := entry.Draft{Date: row.Date, Minor: row.Minor, Currency: row.Currency.Code, Name: row.Name, Notes: row.Notes,
		ExternalID: row.ExternalID, Source: row.Source,
		Row: int64(row.Number), SourceHash: row.Key, BankKey: row.Bank, LikeKey: cmp.Or(row.Like, row.Key),
		Occurrence: p.analysis.repeats.Of(row.Number)}
	var err error
	d.AccountID, err = p.names.Account(ctx, row)
	if err != nil {
		return d, err
	}
	if len(row.Lines) == 0 { // else the lines have categories
		d.CategoryID, err = p.names.Category(ctx, row)
		if err != nil {
			return d, err
		}
	}
	d.MerchantID, err = p.names.Merchant(ctx, row)
	if err != nil {
		return d, err
	}
	d.Merchant = row.Merchant
	d.TagIDs, err = p.names.Tags(ctx, row)
	if err != nil {
		return d, err
	}
	d.Lines, err = splitLinesOf(ctx, p, row)
	return d, err
}

// splitLinesOf are the parts that a row is split into; nil when it is not.
func splitLinesOf(ctx context.Context, p *publisher, row record.Record) ([]entry.DraftLine, error) {
	var list []entry.DraftLine
	for _, line := range row.Lines {
		part := record.Record{Category: line.Category, Merchant: line.Merchant, Tags: line.Tags, Minor: line.Minor}
		d := entry.DraftLine{Minor: line.Minor, Name: line.Name, Notes: line.Notes}
		var err error
		d.CategoryID, err = p.names.Category(ctx, part)
		if err != nil {
			return nil, err
		}
		d.MerchantID, err = p.names.Merchant(ctx, part)
		if err != nil {
			return nil, err
		}
		d.TagIDs, err = p.names.Tags(ctx, part)
		if err != nil {
			return nil, err
		}
		list = append(list, d)
	}
	return list, nil
}

// errLost says that another worker has taken the import, because this one was silent for too long.
var errLost = errors.New("another worker has taken over the import")

// publisher writes the rows of one import. They are written in short transactions and stay invisible
// until the last of them, which makes them count.
//
// Rows take creation numbers from a range reserved and hidden beforehand. They are written in batches that grow, and
// begin small again when another write waits, and appear together with their rollups in the last write. Whoever works
// on an import renews its lease; after a crash the next one removes what was half done and begins again. A
// revert goes the other way: one write hides the rows and takes them out of the rollups, batches remove them
// afterwards. Server and command line may work on the same queue.
type publisher struct {
	im     *Importer
	imp    queries.Import
	write  func(context.Context, db.Work) error // of many rows
	who    ledger.Actor
	target entry.BulkTarget
	// leaseUntil is read and changed in writes only, which happen one after the other: see holdOn.
	leaseUntil int64
	attempts   int64 // how often the work was begun, this time included
	names      *apply.Names
	pace       int // how many rows the next transaction has at most, see steps
	part       int // how many rows are written before it is asked whether somebody waits
	rollups    *rollup.Rollups
	analysis   *analysis
	hold       int // how many rows are held before they are written
	batch      []entry.Draft
	done       int64           // rows written, or removed by a revert
	total      *int64          // rows to be written or removed; nil while that is not known
	applier    *apply.Applier  // nil when all rows become transactions
	late       []record.Record // that are made in the write that makes the others count
}

func newPublisher(im *Importer, imp queries.Import) *publisher {
	who := ledger.Actor{HouseholdID: imp.HouseholdID, Origin: ledger.OriginImport}
	if imp.UserID != nil {
		who.UserID = *imp.UserID
	}
	return &publisher{im: im, imp: imp, write: im.db.Write, who: who, target: entry.BulkTarget{ImportID: imp.ID},
		rollups: rollup.NewRollups(),
		done:    imp.DoneRowsCount, pace: firstBatch, part: stepRows}
}

func (p *publisher) publish(ctx context.Context) error {
	if p.imp.Cancelled != 0 {
		return errCancelled
	}
	if p.attempts > maxAttempts {
		return ledger.NewConflict("was begun %d times without coming to its end: the service was killed or crashed each time. Nothing was changed. "+
			"Publish it again to have it tried again", maxAttempts)
	}
	if err := p.reset(ctx); err != nil {
		return err
	}
	if err := p.decide(ctx); err != nil {
		return err
	}
	if err := p.reserve(ctx); err != nil {
		return err
	}
	var err error
	if p.imp.Type != record.ServiceImport { // what is restored has been through the rules
		p.target.Rules, err = p.im.ledger.Rules.Engine(ctx, p.who)
		if err != nil {
			return err
		}
	}
	p.names = apply.NewNames(p.im.ledger, p.who, p.imp.AccountID, p.noteCreation)
	if p.makesMore() {
		if err := makeEarly(ctx, p); err != nil {
			return err
		}
	}
	// Store which rows are booked already, and as what, and which are held back.
	if err := storeInBatches(ctx, p, p.analysis.booked, p.storeMatches); err != nil {
		return err
	}
	if err := storeInBatches(ctx, p, p.analysis.held, p.storeHeld); err != nil {
		return err
	}
	if err := p.im.duplicates.keepDecisions(ctx, p.who, p.imp, p.analysis, p.analysis.asSame,
		match.DecisionSame); err != nil {
		return err
	}
	if err := p.writeRows(ctx); err != nil {
		return err
	}
	if err := p.finish(ctx); err != nil {
		return err
	}
	verify(ctx, p)
	return nil
}

// decide looks at the file again unless nothing has changed since it was looked at.
func (p *publisher) decide(ctx context.Context) (err error) {
	p.analysis, err = p.im.analyser.analysisOf(ctx, p.who, p.imp)
	if err != nil {
		return err
	}
	if p.analysis.agrees(p.imp.AgreedPlan) != nil {
		return errChanged
	}
	if obstacle := p.analysis.obstacle(p.imp.SkipInvalidRows == 1); obstacle != nil {
		return ledger.NewInvalid("file", "%s", *obstacle)
	}
	return nil
}

// reserve takes the creation numbers of all rows and hides the entries that will have them.
func (p *publisher) reserve(ctx context.Context) error {
	return p.im.db.Write(ctx, func(ctx context.Context, q *queries.Queries) error {
		first, err := entry.ReserveSequences(ctx, p.im.ledger.Tx(q, p.who), p.imp.RowsCount)
		if err != nil {
			return err
		}
		last := first + p.imp.RowsCount - 1
		p.target.FirstSequence, p.done = first, 0
		n, err := q.ReserveImport(ctx, queries.ReserveImportParams{FirstSequence: &first, LastSequence: &last,
			ID:          p.imp.ID,
			HouseholdID: p.who.HouseholdID, OldLease: p.leaseUntil, Now: p.im.now().UnixMilli()})
		if err != nil || n == 0 {
			return cmp.Or(err, errLost)
		}
		if err := notePlan(ctx, q, p.imp, p.analysis, p.analysis.held); err != nil {
			return err
		}
		return q.HideEntries(ctx, queries.HideEntriesParams{HiddenFrom: first, HiddenTo: last,
			HouseholdID: p.who.HouseholdID})
	})
}

// writeRows reads the stored file again and writes what it holds, pass by pass.
func (p *publisher) writeRows(ctx context.Context) error {
	if len(p.analysis.days) == 0 {
		return nil // all of it is booked already
	}
	var list []dayRange
	list, p.hold = dayRanges(p.analysis.days)
	p.total = new(int64(len(p.analysis.days)))
	p.analysis.days = nil
	for _, days := range list {
		if err := p.takeAll(ctx, days); err != nil {
			return err
		}
		if err := p.flush(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (p *publisher) eachRow(ctx context.Context, take func(record.Record) error) error {
	rows, err := p.im.reader.stored(ctx, p.who, p.imp)
	if err != nil {
		return err
	}
	return record.Each(rows, take)
}

func (p *publisher) noteCreation(ctx context.Context, q *queries.Queries, c ledger.Created) error {
	switch c.Entity {
	case record.EntityRule: // perhaps one that it has replaced
		return q.NoteImportChange(ctx, queries.NoteImportChangeParams{ImportID: p.imp.ID,
			HouseholdID: p.who.HouseholdID, Entity: c.Entity, EntityID: c.ID})
	case intake.ChangedCategory, intake.FollowingCategory:
		return q.NoteImportChange(ctx, queries.NoteImportChangeParams{ImportID: p.imp.ID,
			HouseholdID: p.who.HouseholdID, Entity: record.EntityCategory, EntityID: c.ID})
	}
	return q.InsertImportCreation(ctx, queries.InsertImportCreationParams{ImportID: p.imp.ID, Entity: c.Entity,
		EntityID: c.ID})
}

// takeAll takes the rows of some days. The file is read on while rows are written.
func (p *publisher) takeAll(ctx context.Context, days dayRange) error {
	rows, err := p.im.reader.stored(ctx, p.who, p.imp)
	if err != nil {
		return err
	}
	next := func(ctx context.Context) (record.Record, error) {
		for {
			row, err := rows.Next()
			if err = cmp.Or(err, ctx.Err()); err != nil || p.writes(row, days) {
				return row, err
			}
		}
	}
	return prefetch(ctx, next, func(row record.Record) error {
		draft, err := p.draft(ctx, row)
		if err != nil {
			return err
		}
		p.batch = append(p.batch, draft)
		if len(p.batch) < p.hold {
			return nil
		}
		return p.flush(ctx)
	})
}

// writes reports whether a row becomes a transaction that is written with those of some days.
func (p *publisher) writes(row record.Record, days dayRange) bool {
	return row.Planned() && row.Entity() == "" && row.Date >= days.first && row.Date <= days.last &&
		p.analysis.isNew(row)
}

// flush writes the rows that are held, in the order of the table.
func (p *publisher) flush(ctx context.Context) error {
	slices.SortFunc(p.batch, func(a, b entry.Draft) int {
		return cmp.Or(cmp.Compare(a.Date, b.Date),
			cmp.Compare(a.Row, b.Row))
	})
	for rest := p.batch; len(rest) > 0; {
		n, err := p.book(ctx, rest)
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	p.batch = p.batch[:0]
	return nil
}

// book writes the first of some rows in one transaction, and says how many.
func (p *publisher) book(ctx context.Context, rows []entry.Draft) (n int, err error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	err = piece(ctx, p, func(ctx context.Context, q *queries.Queries) error {
		n, err = insertDrafts(ctx, p, q, rows)
		if err != nil {
			return err
		}
		return p.renew(ctx, q, p.done+int64(n))
	})
	if err != nil {
		return 0, err
	}
	for _, d := range rows[:n] {
		p.rollups.Add(rollup.Posting{AccountID: d.AccountID, Date: d.Date, Currency: d.Currency, Minor: d.Minor,
			Parts: d.PartAmounts()})
	}
	p.done += int64(n)
	p.im.kick(p.imp.ID)
	return n, nil
}

func insertDrafts(ctx context.Context, p *publisher, q *queries.Queries, rows []entry.Draft) (n int, err error) {
	if err := goesOn(ctx, p, q); err != nil {
		return 0, err
	}
	var texts entry.Texts
	n, err = steps(p, len(rows), func(from, to int) error {
		some, err := entry.InsertDrafts(ctx, p.im.ledger.Tx(q, p.who), p.target, rows[from:to])
		texts = append(texts, some...)
		return err
	})
	if err != nil {
		return 0, err
	}
	err = entry.MakeFindable(ctx, q, texts)
	awaited(p) // after a long time
	return n, err
}

// renew keeps hold of the import; an import that another worker has taken is lost. It comes last in a write, for what
// is undone must not be remembered.
func (p *publisher) renew(ctx context.Context, q *queries.Queries, done int64) error {
	now := p.im.now()
	until := now.Add(lease).UnixMilli()
	n, err := q.RenewLease(ctx, queries.RenewLeaseParams{LeaseUntil: until, ImportID: p.imp.ID,
		HouseholdID: p.who.HouseholdID, OldLease: p.leaseUntil})
	if err != nil || n == 0 {
		return cmp.Or(err, errLost)
	}
	p.leaseUntil = until
	return q.NoteImportProgress(ctx, queries.NoteImportProgressParams{DoneRowsCount: done, WorkRowsCount: p.total,
		UpdatedAt: now.UnixMilli(),
		ID:        p.imp.ID, HouseholdID: p.who.HouseholdID})
}

// finish makes the rows count, be seen and be matched as transfers, in one write.
func (p *publisher) finish(ctx context.Context) error {
	return p.im.db.WriteWhole(ctx, func(ctx context.Context, q *queries.Queries) error {
		if err := goesOn(ctx, p, q); err != nil {
			return err
		}
		balances := &reconciler{im: p.im, who: p.who, names: p.names, importID: p.imp.ID, analysis: p.analysis}
		if err := balances.takeOpenings(ctx, q); err != nil {
			return err
		}
		if err := entry.ApplyRollups(ctx, p.im.ledger.Tx(q, p.who), p.rollups); err != nil {
			return err
		}
		if p.applier != nil {
			if err := p.applier.ApplyLate(ctx, q, p.late); err != nil {
				return err
			}
		}
		if err := balance.CheckAll(ctx, p.im.ledger.Tx(q, p.who)); err != nil {
			return err
		}
		// Note which rows were booked while they were pending at the bank, and which such entries have their final
		// rows in the file.
		if len(p.analysis.unsettled) > 0 {
			rows, err := json.Marshal(p.analysis.unsettled)
			if err != nil {
				return err
			}
			if err := q.InsertUnsettled(ctx, queries.InsertUnsettledParams{Rows: string(rows), ImportID: &p.imp.ID,
				HouseholdID: p.who.HouseholdID}); err != nil {
				return err
			}
		}
		if err := intake.SettleEntries(ctx, p.im.ledger.Tx(q, p.who), p.imp.ID, p.analysis.settles); err != nil {
			return err
		}
		if err := p.settle(ctx, q, StatusComplete, nil); err != nil || p.imp.Type == record.ServiceImport {
			return err // a backup says itself what its transfers are
		}
		if err := joinPairs(ctx, p, q); err != nil {
			return err
		}
		if err := p.im.ledger.Transfers.MatchImport(ctx, p.im.ledger.Tx(q, p.who), p.imp.ID, p.rollups); err != nil {
			return err
		}
		if err := q.ForgetImportSettings(ctx, queries.ForgetImportSettingsParams{ImportID: p.imp.ID,
			HouseholdID: p.who.HouseholdID}); err != nil {
			return fmt.Errorf("forget settings: %w", err)
		}
		if err := q.RememberImportSettings(ctx, queries.RememberImportSettingsParams{LearnedAt: p.im.now().UnixMilli(),
			ImportID: p.imp.ID, HouseholdID: p.who.HouseholdID}); err != nil {
			return err
		}
		if err := p.im.ledger.Entries.JoinImportByRules(ctx, p.im.ledger.Tx(q, p.who), p.imp.ID,
			p.target.Rules); err != nil {
			return err
		}
		list, err := balances.compare(ctx, q)
		if err != nil {
			return err
		}
		return noteReconciliation(ctx, q, p.imp, list)
	})
}

func (p *publisher) settle(ctx context.Context, q *queries.Queries, status string, reason *string) error {
	now := p.im.now().UnixMilli()
	params := queries.SettleImportParams{Status: status, Error: reason, UpdatedAt: now, ID: p.imp.ID,
		HouseholdID: p.who.HouseholdID, OldLease: p.leaseUntil}
	if status == StatusComplete {
		params.PublishedAt, params.DoneRowsCount = &now, p.imp.RowsCount
	}
	n, err := q.SettleImport(ctx, params)
	if err != nil || n == 0 {
		return cmp.Or(err, errLost)
	}
	return q.HideEntries(ctx, queries.HideEntriesParams{HiddenFrom: 0, HiddenTo: -1, HouseholdID: p.who.HouseholdID})
}

// fail takes everything back and says why.
func (p *publisher) fail(ctx context.Context, cause error) error {
	if errors.Is(cause, errLost) {
		return nil // it is somebody else's now
	}
	status, reason := failureOf(ctx, p, cause)
	if err := p.reset(ctx); err != nil {
		return err
	}
	return p.im.db.WriteWhole(ctx, func(ctx context.Context, q *queries.Queries) error {
		return p.settle(ctx, q, status, reason)
	})
}

// reasonFor is what a client may be told: problems of the file, not those of the machine.
func reasonFor(cause error) string {
	if e := ledger.AsError(cause); e != nil && e.Kind != ledger.Internal {
		return e.Message
	}
	if broken, ok := errors.AsType[*text.FileError](cause); ok {
		return broken.Error()
	}
	if open, ok := errors.AsType[*record.OpenQuestion](cause); ok {
		return open.Error()
	}
	if ledger.IsOverBudget(cause) {
		return "was given up since other writes waited too long for it; nothing was changed. Publish it again when less is written."
	}
	return "could not be published for a reason that is in the service's log; nothing was changed. Publish it again."
}

// release lets go of the import; whoever claims it next begins again.
func (p *publisher) release(ctx context.Context) error {
	return p.im.db.WriteWhole(ctx, func(ctx context.Context, q *queries.Queries) error {
		n, err := q.ReleaseLease(ctx, queries.ReleaseLeaseParams{ImportID: p.imp.ID, HouseholdID: p.who.HouseholdID,
			OldLease: p.leaseUntil})
		if err != nil || n == 0 {
			return err
		}
		return q.PauseImport(ctx, queries.PauseImportParams{ID: p.imp.ID, HouseholdID: p.who.HouseholdID})
	})
}

// reset takes back what an interrupted or failed attempt has left.
func (p *publisher) reset(ctx context.Context) error {
	if err := rollback(ctx, p); err != nil {
		return err
	}
	return p.im.db.WriteWhole(ctx, func(ctx context.Context, q *queries.Queries) error {
		return cmp.Or(intake.UnsettleEntries(ctx, p.im.ledger.Tx(q, p.who), p.imp.ID), forgetMatches(ctx, q, p.imp),
			apply.ResetCreations(ctx, q, p.imp))
	})
}

// makesMore reports whether rows of the file become other things than transactions. Backups are always taken for such
// files: what was made of them is compared with the books afterwards.
func (p *publisher) makesMore() bool {
	for entity := range p.analysis.entities {
		if entity != "" {
			return true
		}
	}
	return p.imp.Type == record.ServiceImport
}

// gather reads the file once more for the rows that become no transactions.
func gather(ctx context.Context, p *publisher) (made []record.Record, err error) {
	err = p.eachRow(ctx, func(row record.Record) error {
		if row.Planned() && row.Entity() != "" && p.analysis.isNew(row) {
			row.Occurrence = p.analysis.repeats.Of(row.Number)
			made = append(made, row)
		}
		return ctx.Err()
	})
	return made, err
}

// makeEarly makes the rows that the file's transactions may need, and leaves the others for the end.
func makeEarly(ctx context.Context, p *publisher) error {
	rows, err := gather(ctx, p)
	if err != nil {
		return err
	}
	p.applier = apply.New(p.im.ledger, p.who, p.names, p.target, p.noteCreation)
	early, late := apply.Parted(rows)
	p.late = late
	p.applier.InOrder(early)
	for some := range slices.Chunk(early, apply.MadeAtOnce) {
		err := p.im.db.WriteWhole(ctx, func(ctx context.Context, q *queries.Queries) error {
			if err := goesOn(ctx, p, q); err != nil {
				return err
			}
			if err := p.applier.ApplySome(ctx, q, some); err != nil {
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

// holds is how often a lease is renewed before it runs out.
const holds = 3

// holdOn renews the lease of the import while its file is read, which may take longer than a lease on a small machine.
// The work itself finds out when the lease is lost. Call what it gives when the work is done.
func (p *publisher) holdOn(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		again := time.NewTicker(lease / holds)
		defer again.Stop()
		last := time.Now()
		for {
			select {
			case now := <-again.C:
				// the next write of the work has the same trouble, and says so
				_ = p.im.db.Write(ctx, p.keep(now.Sub(last)))
				last = now
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// keep puts the end of the lease off by what has passed. It runs, like all that touches the lease, in a write: one
// after the other.
func (p *publisher) keep(passed time.Duration) db.Work {
	return func(ctx context.Context, q *queries.Queries) error {
		until := p.leaseUntil + passed.Milliseconds()
		n, err := q.RenewLease(ctx, queries.RenewLeaseParams{LeaseUntil: until, ImportID: p.imp.ID,
			HouseholdID: p.who.HouseholdID, OldLease: p.leaseUntil})
		if err == nil && n > 0 {
			p.leaseUntil = until
		}
		return err
	}
}
