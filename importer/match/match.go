// Package match finds which records of a file are booked already: by their id elsewhere, by what they were read from,
// by the bank's own id, by what a bank does not change, and by account, day, amount and text. What is the same in
// account, day and amount alone is a possible duplicate, which a person decides.
package match

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"finsvc/db"
	"finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/intake"
	"finsvc/queries"
)

// externalBatch is how many ids are looked up at a time.
const externalBatch = 1_000

// External finds the rows whose id elsewhere a transaction of the same account and source has already. Whatever
// else they say, they are that transaction: an account has an id once.
type External struct {
	db      *db.DB
	who     ledger.Actor
	account func(record.Record) int64 // 0 when there is none yet
	waiting [][4]any                  // row, account, source or nil, id
	own     [][3]any                  // row, account, id of a transaction of ours in hexadecimal digits
	Found   map[int32]int64           // keys of transactions by rows
}

// NewExternal is for the rows of a file; account is the inner key of the account of one.
func NewExternal(d *db.DB, who ledger.Actor, account func(record.Record) int64) *External {
	return &External{db: d, who: who, account: account, Found: map[int32]int64{}}
}

func (e *External) Add(ctx context.Context, row record.Record) error {
	if row.ExternalID == "" && row.FinsvcID == uuid.Nil || !row.Planned() || row.Entity() != "" {
		return nil
	}
	account := e.account(row)
	switch {
	case account == 0:
		return nil
	case row.FinsvcID != uuid.Nil:
		e.own = append(e.own, [3]any{row.Number, account, hex.EncodeToString(row.FinsvcID[:])})
	default:
		e.waiting = append(e.waiting, [4]any{row.Number, account, record.Said(row.Source).Pointer(), row.ExternalID})
	}
	if len(e.waiting)+len(e.own) < externalBatch {
		return nil
	}
	return e.LookUp(ctx)
}

// LookUp is also for the rest after the last row.
func (e *External) LookUp(ctx context.Context) error {
	if err := e.lookUpOwn(ctx); err != nil || len(e.waiting) == 0 {
		return err
	}
	list, err := json.Marshal(e.waiting)
	if err != nil {
		return err
	}
	e.waiting = e.waiting[:0]
	return e.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		rows, err := q.ListExternalMatches(ctx, queries.ListExternalMatchesParams{Wanted: string(list),
			HouseholdID: e.who.HouseholdID})
		for _, row := range rows {
			e.Found[int32(row.ImportRow)] = row.ID
		}
		return err
	})
}

func (e *External) lookUpOwn(ctx context.Context) error {
	if len(e.own) == 0 {
		return nil
	}
	list, err := json.Marshal(e.own)
	if err != nil {
		return err
	}
	e.own = e.own[:0]
	return e.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		rows, err := q.ListOwnMatches(ctx, queries.ListOwnMatchesParams{Wanted: string(list),
			HouseholdID: e.who.HouseholdID})
		for _, row := range rows {
			e.Found[int32(row.ImportRow)] = row.ID
		}
		return err
	})
}

// Version is the version of the rules by which a row is recognised. Version 1 knew the source hash only, see
// SourceHash. Version 2 keeps it, so that what was booked under version 1 is recognised by it, and knows the key of
// the bank's id and the like key besides, see likeness.
const Version = 2

// Key is what a row is recognised by when it is booked already. account is 0 when the account does not exist
// yet: then nothing can be booked there.
type Key struct {
	key, minor, account int64
	Day                 ledger.Date
	Row                 int32
	text, currency      uint32
	Trade, pending      bool  // pending at the bank, and booked all the same
	bank                int64 // of the bank's own id; 0 where the file has none
	like                int64 // of what does not change of a row; key where all of it does not
}

// KeyOf is that of a row of an account, of which the inner key is given.
func KeyOf(row record.Record, account int64) Key {
	t := Key{key: row.Key, bank: row.Bank, like: cmp.Or(row.Like, row.Key), pending: row.State == record.StatePending,
		minor: row.Minor, account: account, Day: row.Date, Row: int32(row.Number), currency: packed(row.Currency.Code)}
	if row.Trade() != nil {
		t.Trade, t.text = true, intake.TradeKey(row.Trade().Kind, strings.ToUpper(row.Trade().Ticker),
			row.Trade().Quantity)
	} else {
		t.text = ledger.NameHash(row.Name)
	}
	return t
}

// packed is a currency's code in one number.
func packed(code string) uint32 {
	var n uint32
	for i := range len(code) {
		n = n<<8 | uint32(code[i])
	}
	return n
}

// Match is a row and the key of the entry that it is.
type Match struct {
	Row   int32
	Trade bool
	Key   int64
}

// List are in the order of rows.
type List []Match

func (m List) Find(row int) (Match, bool) {
	at, found := slices.BinarySearchFunc(m, int32(row), func(x Match, row int32) int { return int(x.Row) - int(row) })
	if !found {
		return Match{}, false
	}
	return m[at], true
}

func (m List) Sort() {
	slices.SortFunc(m, func(a, b Match) int { return int(a.Row) - int(b.Row) })
}

// Repeat is a row that equals rows before it in the file, and how many.
type Repeat struct{ row, occurrence int32 }

// Repeats are in the order of rows.
type Repeats []Repeat

// Of is how many equal rows came before a row.
func (r Repeats) Of(row int) int64 {
	at, found := slices.BinarySearchFunc(r, int32(row), func(x Repeat, row int32) int { return int(x.row) - int(row) })
	if !found {
		return 0
	}
	return int64(r[at].occurrence)
}

// What a person may say of a row.
const (
	DecisionSame = "same" // it is the entry that was found
	DecisionNew  = "new"  // it is another one
)

// rowIdentity is what a row is known by in all files that have it.
type rowIdentity struct{ account, key, occurrence int64 }

// Found finds the rows of a file that are booked already. The rules, in this order, each entry taken once:
// the id elsewhere, see externals; the raw row with its occurrence number, as it was booked from a file before; the
// bank's own id, whatever else the row says, see byBankID; the raw row without what a bank changes later, see
// likeness; the same account, day, amount, currency and text, booked through the API or from a file of another layout;
// what a person has said. The same account, day, amount and currency alone is a doubt: such a row is held back until a
// person has said what it is.
type Found struct {
	intake             *intake.Service
	who                ledger.Actor
	layout             int64
	layouts            map[int64]int64 // of the household's imports
	decisions          map[rowIdentity]queries.ListDecisionsRow
	moved              map[bool][]intake.KnownRow // what people have put on another day, of trades and of transactions
	movedBy            map[bool]map[rowIdentity]bookedRow
	Booked             List
	PossibleDuplicates List
	Changed            List // of the booked rows: the bank has changed the amount or the day since
	Settles            []settlement
	agree              int  // rows with an id of the bank that say of it what is booked
	bankIDs            bool // the household has entries with ids of banks
	Repeats            Repeats
	Ruled              map[int]string // rows that a person has ruled on

	unsettled map[int64]intake.UnsettledEntry // entries that were booked while they were pending, by key

	external map[int32]int64 // rows that their id elsewhere has settled
	claimed  map[int64]bool  // what those are
}

// settlement is the final row of an entry that was booked while it was pending.
type settlement struct {
	row int32
	intake.SettledEntry
}

// candidate is a row that no source hash has settled.
type candidate struct {
	Key
	decision string
}

// Find sorts the rows of a file, of a layout, by their keys; external are those that their id elsewhere has settled.
func Find(ctx context.Context, d *db.DB, in *intake.Service, who ledger.Actor, layout int64, keys []Key,
	external map[int32]int64) (*Found, error) {
	g := &Found{intake: in, who: who, layout: layout, layouts: map[int64]int64{},
		decisions: map[rowIdentity]queries.ListDecisionsRow{},
		moved:     map[bool][]intake.KnownRow{}, movedBy: map[bool]map[rowIdentity]bookedRow{}, Ruled: map[int]string{},
		external: external, claimed: map[int64]bool{}}
	for _, key := range external {
		g.claimed[key] = true
	}
	if !slices.IsSortedFunc(keys, Key.compareDays) { // most files are
		slices.SortFunc(keys, Key.compareDays)
	}
	err := d.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		if err := g.prepare(ctx, q); err != nil {
			return err
		}
		for len(keys) > 0 {
			n := 1
			for n < len(keys) && keys[n].Day == keys[0].Day && keys[n].Trade == keys[0].Trade {
				n++
			}
			if err := g.day(ctx, q, keys[:n]); err != nil {
				return err
			}
			keys = keys[n:]
		}
		return nil
	})
	g.doubtRecurringIDs()
	g.Booked.Sort()
	g.PossibleDuplicates.Sort()
	g.Changed.Sort()
	slices.SortFunc(g.Repeats, func(a, b Repeat) int { return int(a.row) - int(b.row) })
	for i := range g.Settles {
		g.Settles[i].Occurrence = g.Repeats.Of(int(g.Settles[i].row))
	}
	return g, err
}

// compareDays puts keys that are settled together, those of one day, behind one another; trades come last.
func (t Key) compareDays(u Key) int {
	switch {
	case t.Trade == u.Trade:
		return cmp.Compare(t.Day, u.Day)
	case u.Trade:
		return -1
	}
	return 1
}

// compareRows puts equal rows of one day behind one another, in the order of the file.
func (t Key) compareRows(u Key) int {
	switch {
	case t.account != u.account:
		return cmp.Compare(t.account, u.account)
	case t.key != u.key:
		return cmp.Compare(t.key, u.key)
	}
	return cmp.Compare(t.Row, u.Row)
}

func (g *Found) prepare(ctx context.Context, q *queries.Queries) error {
	layouts, err := q.ListImportLayouts(ctx, g.who.HouseholdID)
	if err != nil {
		return err
	}
	for _, l := range layouts {
		g.layouts[l.ID] = l.Layout
	}
	for _, trades := range []bool{false, true} {
		moved, err := intake.MovedKeys(ctx, g.intake.Tx(q, g.who), trades)
		if err != nil {
			return err
		}
		g.moved[trades], g.movedBy[trades] = moved, identities(moved)
	}
	decisions, err := q.ListDecisions(ctx, g.who.HouseholdID)
	if err != nil {
		return err
	}
	for _, r := range decisions {
		g.decisions[rowIdentity{r.AccountID, r.SourceHash, r.Occurrence}] = r
	}
	unsettled, err := intake.UnsettledEntries(ctx, g.intake.Tx(q, g.who))
	if err != nil {
		return err
	}
	g.unsettled = make(map[int64]intake.UnsettledEntry, len(unsettled))
	for _, e := range unsettled {
		g.unsettled[e.Key] = e
	}
	g.bankIDs, err = intake.HasBankIDs(ctx, g.intake.Tx(q, g.who))
	return err
}

// bookedRow is the entry that a row has become, and when.
type bookedRow struct{ key, at int64 }

// identities are the entries by what their rows are recognised by; of several the one that was booked last.
func identities(booked []intake.KnownRow) map[rowIdentity]bookedRow {
	keys := make(map[rowIdentity]bookedRow, len(booked))
	for _, b := range booked {
		keys[rowIdentity{b.AccountID, b.SourceHash, b.Occurrence}] = bookedRow{b.Key, b.CreatedAt}
	}
	return keys
}

// day settles the rows of one day. What is booked is read as far as it is needed: a file that is imported again
// needs the source hashes only.
func (g *Found) day(ctx context.Context, q *queries.Queries, rows []Key) error {
	booked, err := g.bookedKeys(ctx, q, rows[0])
	if err != nil {
		return err
	}
	slices.SortFunc(rows, Key.compareRows)
	taken := map[int64]bool{}
	open := g.byKey(rows, booked.Keys, taken)
	open, err = g.byBankID(ctx, q, open, taken)
	if err != nil {
		return err
	}
	open = g.bySettlement(g.byLikeness(open, booked.Keys, taken), taken)
	if len(open) == 0 {
		return nil
	}
	if !rows[0].Trade {
		booked.Texts, err = intake.BookedTexts(ctx, g.intake.Tx(q, g.who), rows[0].Day)
		if err != nil {
			return err
		}
	}
	g.byText(open, booked.Texts, taken)
	return nil
}

func (g *Found) bookedKeys(ctx context.Context, q *queries.Queries, t Key) (booked intake.BookedDay, err error) {
	if t.Trade {
		return intake.BookedTrades(ctx, g.intake.Tx(q, g.who), t.Day)
	}
	booked.Keys, err = intake.BookedKeys(ctx, g.intake.Tx(q, g.who), t.Day)
	return booked, err
}

// byKey settles the rows that source hashes settle, counts equal rows, and gives the rest.
func (g *Found) byKey(rows []Key, booked []intake.KnownRow, taken map[int64]bool) []candidate {
	keys := identities(booked)
	var open []candidate
	occurrence := int64(0)
	for i, t := range rows {
		occurrence++
		if i == 0 || t.key != rows[i-1].key || t.account != rows[i-1].account {
			occurrence = 0
		}
		if occurrence > 0 {
			g.Repeats = append(g.Repeats, Repeat{t.Row, int32(occurrence)})
		}
		if t.account == 0 {
			continue
		}
		id := rowIdentity{t.account, t.key, occurrence}
		ruled := g.decisions[id]
		if ruled.Decision != "" {
			g.Ruled[int(t.Row)] = ruled.Decision
		}
		if key := g.external[t.Row]; key != 0 {
			g.take(t, key, taken)
			continue
		}
		found, booked := keys[id]
		if !booked {
			found, booked = g.movedBy[t.Trade][id]
		}
		switch {
		case booked && !g.claimed[found.key] && (ruled.Decision != DecisionNew || found.at >= ruled.CreatedAt): // what was booked since is what was called new
			if t.bank != 0 {
				g.agree++
			}
			g.take(t, found.key, taken)
		case ruled.Decision == DecisionNew:
		default:
			open = append(open, candidate{t, ruled.Decision})
		}
	}
	return open
}

func (g *Found) take(t Key, key int64, taken map[int64]bool) {
	taken[key] = true
	if _, open := g.unsettled[key]; open {
		if !t.pending {
			g.Settles = append(g.Settles, settlement{t.Row, intake.SettledEntry{Key: key, SourceHash: t.key,
				BankKey: t.bank, LikeKey: t.like}})
		}
		delete(g.unsettled, key) // while the row is still pending no other one is its final row
	}
	g.Booked = append(g.Booked, Match{t.Row, t.Trade, key})
}

// byBankID settles the rows of which the bank's own id is booked, on whatever day, and gives the rest. A bank changes
// the day, the amount or the text of a booking; where little of it agrees, or the money goes the other way, as that of
// a reversal does, whether it is the same one is in doubt.
func (g *Found) byBankID(ctx context.Context, q *queries.Queries, open []candidate, taken map[int64]bool) ([]candidate,
	error) {
	if !g.bankIDs || len(open) == 0 {
		return open, nil
	}
	var ids []intake.BankID
	for _, c := range open {
		if c.bank != 0 {
			ids = append(ids, intake.BankID{Row: int64(c.Row), AccountID: c.account, Key: c.bank})
		}
	}
	if len(ids) == 0 {
		return open, nil
	}
	list, err := intake.BookedBankIDs(ctx, g.intake.Tx(q, g.who), ids, open[0].Trade)
	if err != nil {
		return nil, err
	}
	booked := make(map[int32]intake.BookedBankID, len(list))
	for _, b := range list {
		if !taken[b.Key] && !g.claimed[b.Key] {
			booked[int32(b.Row)] = b
		}
	}
	rest := open[:0]
	for _, c := range open {
		b, found := booked[c.Row]
		switch {
		case !found || g.claimed[b.Key]:
			rest = append(rest, c)
			continue
		case c.decision != DecisionSame && !c.isSameBooking(b):
			taken[b.Key] = true
			g.PossibleDuplicates = append(g.PossibleDuplicates, Match{c.Row, c.Trade, b.Key})
		default:
			g.take(c.Key, b.Key, taken)
			if b.Date != c.Day || b.Minor != c.minor {
				g.Changed = append(g.Changed, Match{c.Row, c.Trade, b.Key})
			} else {
				g.agree++
			}
		}
		g.claimed[b.Key] = true
	}
	return rest, nil
}

// isSameBooking reports whether a booking with the id of a row is that of the row, which the bank has changed since.
func (t *Key) isSameBooking(b intake.BookedBankID) bool {
	const days = 14 // after which a bank changes nothing any more, and what recurs monthly has not recurred yet
	switch {
	case packed(b.Currency) != t.currency || b.Minor > 0 != (t.minor > 0) || max(b.Date-t.Day, t.Day-b.Date) > days:
		return false
	}
	return b.Minor == t.minor || b.Text == t.text
}

// doubtRecurringIDs doubts what the ids of the bank say where most of them are booked with another day or amount: then
// the column has what recurs, such as the number of a contract, and not what is there once.
func (g *Found) doubtRecurringIDs() {
	const few = 3
	if len(g.Changed) <= few || len(g.Changed) <= g.agree {
		return
	}
	recurring := make(map[int32]bool, len(g.Changed))
	for _, m := range g.Changed {
		recurring[m.Row] = true
	}
	g.Booked = slices.DeleteFunc(g.Booked, func(m Match) bool { return recurring[m.Row] })
	g.PossibleDuplicates, g.Changed = append(g.PossibleDuplicates, g.Changed...), nil
}

// bySettlement settles the rows that are the final ones of what was booked while it was pending: the same amount with
// the same text, on a day soon after. With another text it is in doubt.
func (g *Found) bySettlement(open []candidate, taken map[int64]bool) []candidate {
	const before, after = 1, 14 // days
	if len(g.unsettled) == 0 || len(open) == 0 || open[0].Trade {
		return open
	}
	rest := open[:0]
	for _, c := range open {
		best, same := int64(0), false
		for key, e := range g.unsettled {
			fits := e.AccountID == c.account && e.Minor == c.minor && packed(e.Currency) == c.currency &&
				c.Day >= e.Date-before && c.Day <= e.Date+after
			if alike := e.Text == c.text; fits && !c.pending && !g.claimed[key] && !taken[key] &&
				(best == 0 || alike && !same || alike == same && key < best) {
				best, same = key, alike
			}
		}
		switch {
		case best == 0:
			rest = append(rest, c)
			continue
		case same || c.decision == DecisionSame:
			g.take(c.Key, best, taken)
		default:
			taken[best] = true
			delete(g.unsettled, best) // one final row may be it
			g.PossibleDuplicates = append(g.PossibleDuplicates, Match{c.Row, c.Trade, best})
		}
		g.claimed[best] = true
	}
	return rest
}

// likeRow identifies equal rows in an account, whatever a bank has changed of them.
type likeRow struct{ account, like int64 }

// byLikeness settles the rows that differ from booked ones in nothing but what a bank changes later, and gives the
// rest.
func (g *Found) byLikeness(open []candidate, booked []intake.KnownRow, taken map[int64]bool) []candidate {
	if len(open) == 0 {
		return nil
	}
	entries := map[likeRow][]int64{}
	for _, list := range [][]intake.KnownRow{booked, g.moved[open[0].Trade]} {
		for _, b := range list {
			if !taken[b.Key] && !g.claimed[b.Key] {
				like := likeRow{b.AccountID, b.LikeKey}
				entries[like] = append(entries[like], b.Key)
			}
		}
	}
	if len(entries) == 0 {
		return open
	}
	slices.SortFunc(open, func(a, b candidate) int { return cmp.Compare(a.Row, b.Row) })
	rest := open[:0]
	for _, c := range open {
		like := likeRow{c.account, c.like}
		if keys := entries[like]; len(keys) > 0 {
			g.take(c.Key, keys[0], taken)
			entries[like] = keys[1:]
			continue
		}
		rest = append(rest, c)
	}
	return rest
}

// sameMoney is what entries must share with a row to be the same.
type sameMoney struct {
	account, minor int64
	currency       uint32
}

// byText settles rows by what else is booked that day, in the order of the file.
func (g *Found) byText(open []candidate, booked []intake.BookedText, taken map[int64]bool) {
	if len(booked) == 0 {
		return
	}
	slices.SortFunc(open, func(a, b candidate) int { return cmp.Compare(a.Row, b.Row) })
	entries := map[sameMoney][]intake.BookedText{}
	for _, b := range booked {
		like := sameMoney{b.AccountID, b.Minor, packed(b.Currency)}
		entries[like] = append(entries[like], b)
	}
	var rest []candidate
	for _, c := range open {
		like := entries[sameMoney{c.account, c.minor, c.currency}]
		if key := g.first(like, taken, func(b intake.BookedText) bool {
			return b.Text == c.text &&
				g.foreign(b)
		}); key != 0 {
			g.take(c.Key, key, taken)
		} else if len(like) > 0 {
			rest = append(rest, c)
		}
	}
	for _, c := range rest {
		like := entries[sameMoney{c.account, c.minor, c.currency}]
		// two ids of one bank are two bookings
		key := g.first(like, taken, func(b intake.BookedText) bool { return c.bank == 0 || !b.HasID || g.foreign(b) })
		switch {
		case key == 0:
		case c.decision == DecisionSame:
			g.take(c.Key, key, taken)
		default:
			taken[key] = true
			g.PossibleDuplicates = append(g.PossibleDuplicates, Match{c.Row, c.Trade, key})
		}
	}
}

// foreign reports whether an entry came another way than from a file of this layout. Rows of one layout that differ
// are different rows.
func (g *Found) foreign(b intake.BookedText) bool {
	return b.ImportID == 0 || g.layouts[b.ImportID] != g.layout
}

func (g *Found) first(like []intake.BookedText, taken map[int64]bool, fits func(intake.BookedText) bool) int64 {
	for _, b := range like {
		if !taken[b.Key] && !g.claimed[b.Key] && fits(b) {
			return b.Key
		}
	}
	return 0
}

// Keys are those of trades, or of transactions, by row, as a JSON object in the order of rows.
func (m List) Keys(trades bool) string {
	out := []byte{'{'}
	for _, one := range m {
		if one.Trade != trades {
			continue
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(append(out, '"'), int64(one.Row), 10)
		out = strconv.AppendInt(append(out, '"', ':'), one.Key, 10)
	}
	return string(append(out, '}'))
}
