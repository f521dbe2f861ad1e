package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/intake"
	"finsvc/ledger/rollup"
	"finsvc/queries"
)

// heldBatch is how many rows that were held back are decided in one write.
const heldBatch = 500

// storeHeld notes which rows are held back, and what each may be.
func (p *publisher) storeHeld(ctx context.Context, q *queries.Queries, list matches) error {
	return cmp.Or(
		q.InsertHeldRows(ctx, queries.InsertHeldRowsParams{Keys: list.keys(false), ImportID: p.imp.ID, HouseholdID: p.who.HouseholdID}),
		q.InsertHeldTradeRows(ctx, queries.InsertHeldTradeRowsParams{Keys: list.keys(true), ImportID: p.imp.ID, HouseholdID: p.who.HouseholdID}))
}

// heldRow is a row that was held back, and the key of the entry that it may be: 0 when that is gone.
type heldRow struct {
	row   Row
	key   int64
	trade bool
}

// heldRows decides what rows of a complete import are that were held back. Each write is whole: its rows are booked, or are
// what they were found to be, and are held back no longer.
type heldRows struct {
	*publisher
	ruling string
	left   int64 // rows that are still held back
}

// decideHeld decides all rows that are held back, or only one, and gives how many it was.
func (im *Importer) decideHeld(ctx context.Context, who ledger.Actor, imp queries.Import, ruling string, only int) (n int64, err error) {
	held, err := im.listHeld(ctx, who, imp, only)
	if err != nil || len(held) == 0 {
		return 0, err
	}
	o, err := im.lookAtStored(ctx, who, imp)
	if err != nil {
		return 0, unreadable(err)
	}
	h := &heldRows{newPublisher(im, imp), ruling, imp.DoubtfulRowsCount}
	h.outlook, h.target.FirstSequence = o, *imp.RowsSequence // an import with rows that were held back has reserved their numbers
	if h.target.Rules, err = im.ledger.Rules.Engine(ctx, h.who); err != nil {
		return 0, err
	}
	h.names = newNames(im, h.who, imp.AccountID, h.noteCreation)
	rows, err := im.stored(ctx, who, imp)
	if err != nil {
		return 0, err
	}
	var batch []heldRow
	err = each(rows, func(row Row) error {
		at, found := slices.BinarySearchFunc(held, int64(row.Number), func(r queries.ListHeldRowsRow, n int64) int { return cmp.Compare(r.RowNumber, n) })
		if !found {
			return ctx.Err()
		}
		row.Occurrence = o.repeats.of(row.Number)
		if batch = append(batch, heldRow{row, held[at].EntryID, held[at].Trade != 0}); len(batch) < heldBatch {
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

func (im *Importer) listHeld(ctx context.Context, who ledger.Actor, imp queries.Import, only int) (held []queries.ListHeldRowsRow, err error) {
	first, last := int64(1), imp.RowsCount
	if only > 0 {
		first, last = int64(only), int64(only)
	}
	err = im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		held, err = q.ListHeldRows(ctx, queries.ListHeldRowsParams{ImportID: imp.ID, HouseholdID: who.HouseholdID, FirstRow: first, LastRow: last})
		return err
	})
	return held, err
}

// decide books some rows, or says that they are booked, in one write.
func (h *heldRows) decide(ctx context.Context, rows []heldRow) (n int64, err error) {
	if h.ruling == RulingSame { // what is gone cannot be the same
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
		n, err = q.DeleteSomeHeldRows(ctx, queries.DeleteSomeHeldRowsParams{Rows: string(list), ImportID: h.imp.ID, HouseholdID: h.who.HouseholdID})
		if err != nil {
			return err
		}
		params := queries.ReleaseHeldRowsParams{Released: n, UpdatedAt: h.im.now().UnixMilli(), ID: h.imp.ID, HouseholdID: h.who.HouseholdID}
		if h.ruling == RulingSame {
			params.Matched = n
		}
		released, err := q.ReleaseHeldRows(ctx, params)
		switch {
		case err != nil:
			return err
		case n < int64(len(rows)) || released == 0:
			return ledger.NewConflict("somebody else decides on these rows, or the import was reverted meanwhile; look at it again")
		case h.ruling == RulingSame:
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
	balances := &reconciler{im: h.im, who: h.who, names: h.names, importID: h.imp.ID, outlook: h.outlook}
	list, err := balances.compare(ctx, q)
	for i := range list {
		list[i].Held = h.left - decided
	}
	return cmp.Or(err, noteReconciliation(ctx, q, h.imp, list))
}

// keepSame makes rows those that were found for them, in this import and in every file that has them.
func (h *heldRows) keepSame(ctx context.Context, q *queries.Queries, rows []heldRow) error {
	var list matches
	keys := make([][3]int64, 0, len(rows))
	for _, r := range rows {
		list = append(list, match{int32(r.row.Number), r.trade, r.key})
		keys = append(keys, [3]int64{h.outlook.account(r.row), r.row.Key, r.row.Occurrence})
	}
	rulings, err := json.Marshal(keys)
	if err != nil {
		return err
	}
	var settled []intake.SettledEntry
	for _, r := range rows {
		if r.row.State != statePending && !r.trade {
			settled = append(settled, intake.SettledEntry{Key: r.key, SourceHash: r.row.Key, Occurrence: r.row.Occurrence, BankKey: r.row.Bank, LikeKey: cmp.Or(r.row.Like, r.row.Key)})
		}
	}
	if err := h.im.ledger.Intake.SettleEntries(ctx, q, h.who, h.imp.ID, settled); err != nil {
		return err
	}
	return cmp.Or(h.storeMatches(ctx, q, list),
		q.PutRulings(ctx, queries.PutRulingsParams{Rows: string(rulings), Ruling: RulingSame, CreatedAt: h.im.now().UnixMilli(), HouseholdID: h.who.HouseholdID}))
}

// bookHeld writes rows as those of the import, with all that follows from them.
func (h *heldRows) bookHeld(ctx context.Context, q *queries.Queries, rows []heldRow, numbers []int) error {
	var drafts []entry.Draft
	var trades []Row
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
	slices.SortFunc(drafts, func(a, b entry.Draft) int { return cmp.Or(cmp.Compare(a.Date, b.Date), cmp.Compare(a.Row, b.Row)) })
	if len(drafts) > 0 {
		texts, err := h.im.ledger.Entries.InsertDrafts(ctx, q, h.who, h.target, drafts)
		if err != nil {
			return err
		}
		if err := cmp.Or(h.im.ledger.Entries.MakeFindable(ctx, q, texts), h.im.ledger.Entries.ApplyRollups(ctx, q, h.who, rollups)); err != nil {
			return err
		}
	}
	if len(trades) > 0 {
		a := newApplier(h.im.ledger, h.who, h.names, h.target, h.noteCreation)
		if err := a.bookTrades(ctx, q, trades); err != nil {
			return err
		}
	}
	if err := h.im.ledger.Balances.CheckBalances(ctx, q, h.who); err != nil {
		return err
	}
	if err := h.joinHeld(ctx, q, numbers); err != nil {
		return err
	}
	if err := h.im.ledger.Transfers.MatchImportRows(ctx, q, h.who, h.imp.ID, numbers); err != nil {
		return err
	}
	return h.im.ledger.Entries.JoinImportByRules(ctx, q, h.who, h.imp.ID, h.target.Rules)
}

// joinHeld makes transfers of those of the rows that the file says are a side of one.
func (h *heldRows) joinHeld(ctx context.Context, q *queries.Queries, numbers []int) error {
	p, o := *h.publisher, *h.outlook
	o.pairs = slices.DeleteFunc(slices.Clone(o.pairs), func(pair [2]int) bool {
		return !slices.Contains(numbers, pair[0]) && !slices.Contains(numbers, pair[1])
	})
	p.outlook = &o
	return p.joinPairs(ctx, q)
}
