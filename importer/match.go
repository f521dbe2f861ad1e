package importer

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/uuid"

	"finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/intake"
	"finsvc/queries"
)

// externalBatch is how many ids are looked up at a time.
const externalBatch = 1_000

// externals finds the rows whose id elsewhere a transaction of the same account and source has already. Whatever
// else they say, they are that transaction: an account has an id once.
type externals struct {
	im      *Importer
	who     ledger.Actor
	account func(record.Record) int64 // see survey
	waiting [][4]any                  // row, account, source or nil, id
	own     [][3]any                  // row, account, id of a transaction of ours in hexadecimal digits
	found   map[int32]int64           // keys of transactions by rows
}

func (e *externals) add(ctx context.Context, row record.Record) error {
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
	return e.lookUp(ctx)
}

// lookUp is also for the rest after the last row.
func (e *externals) lookUp(ctx context.Context) error {
	if err := e.lookUpOwn(ctx); err != nil || len(e.waiting) == 0 {
		return err
	}
	list, err := json.Marshal(e.waiting)
	if err != nil {
		return err
	}
	e.waiting = e.waiting[:0]
	return e.im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		rows, err := q.ListExternalMatches(ctx, queries.ListExternalMatchesParams{Wanted: string(list), HouseholdID: e.who.HouseholdID})
		for _, row := range rows {
			e.found[int32(row.ImportRow)] = row.ID
		}
		return err
	})
}

func (e *externals) lookUpOwn(ctx context.Context) error {
	if len(e.own) == 0 {
		return nil
	}
	list, err := json.Marshal(e.own)
	if err != nil {
		return err
	}
	e.own = e.own[:0]
	return e.im.db.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		rows, err := q.ListOwnMatches(ctx, queries.ListOwnMatchesParams{Wanted: string(list), HouseholdID: e.who.HouseholdID})
		for _, row := range rows {
			e.found[int32(row.ImportRow)] = row.ID
		}
		return err
	})
}

// identityVersion is the version of the rules by which a row is recognised. Version 1 knew the source hash only, see SourceHash. Version 2
// keeps it, so that what was booked under version 1 is recognised by it, and knows the key of the bank's id and the like key
// besides, see likeness.
const identityVersion = 2

// matchKey is what a row is recognised by when it is booked already. account is 0 when the account does not exist
// yet: then nothing can be booked there.
type matchKey struct {
	key, minor, account int64
	day                 ledger.Date
	row                 int32
	text, currency      uint32
	trade, pending      bool  // pending at the bank, and booked all the same
	bank                int64 // of the bank's own id; 0 where the file has none
	like                int64 // of what does not change of a row; key where all of it does not
}

func (s *rowStats) trait(row record.Record) matchKey {
	t := matchKey{key: row.Key, bank: row.Bank, like: cmp.Or(row.Like, row.Key), pending: row.State == record.StatePending, minor: row.Minor, account: s.account(row), day: row.Date, row: int32(row.Number), currency: packed(row.Currency.Code)}
	if row.Trade() != nil {
		t.trade, t.text = true, intake.TradeKey(row.Trade().Kind, strings.ToUpper(row.Trade().Ticker), row.Trade().Quantity)
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

// match is a row and the key of the entry that it is.
type match struct {
	row   int32
	trade bool
	key   int64
}

// matches are in the order of rows.
type matches []match

func (m matches) find(row int) (match, bool) {
	at, found := slices.BinarySearchFunc(m, int32(row), func(x match, row int32) int { return int(x.row) - int(row) })
	if !found {
		return match{}, false
	}
	return m[at], true
}

func (m matches) sort() {
	slices.SortFunc(m, func(a, b match) int { return int(a.row) - int(b.row) })
}

// repeat is a row that equals rows before it in the file, and how many.
type repeat struct{ row, occurrence int32 }

// repeats are in the order of rows.
type repeats []repeat

// of is how many equal rows came before a row.
func (r repeats) of(row int) int64 {
	at, found := slices.BinarySearchFunc(r, int32(row), func(x repeat, row int32) int { return int(x.row) - int(row) })
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

// matcher finds the rows of a file that are booked already. The rules, in this order, each entry taken once:
// the id elsewhere, see externals; the raw row with its occurrence number, as it was booked from a file before; the bank's own id, whatever
// else the row says, see byBankID; the raw row without what a bank changes later, see likeness; the same account, day, amount,
// currency and text, booked through the API or from a file of another layout; what a person has said. The same
// account, day, amount and currency alone is a doubt: such a row is held back until a person has said what it is.
type matcher struct {
	im      *Importer
	who     ledger.Actor
	layout  int64
	layouts map[int64]int64 // of the household's imports
	rulings map[rowIdentity]queries.ListRulingsRow
	moved   map[bool][]intake.KnownRow // what people have put on another day, of trades and of transactions
	movedBy map[bool]map[rowIdentity]bookedRow
	booked  matches
	doubts  matches
	changed matches // of the booked rows: the bank has changed the amount or the day since
	settles []settlement
	agree   int  // rows with an id of the bank that say of it what is booked
	bankIDs bool // the household has entries with ids of banks
	repeats repeats
	ruled   map[int]string // rows that a person has ruled on

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
	matchKey
	ruling string
}

// recognise sorts the traits.
func (im *Importer) recognise(ctx context.Context, who ledger.Actor, layout int64, traits []matchKey, external map[int32]int64) (*matcher, error) {
	g := &matcher{im: im, who: who, layout: layout, layouts: map[int64]int64{}, rulings: map[rowIdentity]queries.ListRulingsRow{},
		moved: map[bool][]intake.KnownRow{}, movedBy: map[bool]map[rowIdentity]bookedRow{}, ruled: map[int]string{},
		external: external, claimed: map[int64]bool{}}
	for _, key := range external {
		g.claimed[key] = true
	}
	if !slices.IsSortedFunc(traits, matchKey.compareDays) { // most files are
		slices.SortFunc(traits, matchKey.compareDays)
	}
	err := im.db.ReadTx(ctx, func(ctx context.Context, q *queries.Queries) error {
		if err := g.prepare(ctx, q); err != nil {
			return err
		}
		for len(traits) > 0 {
			n := 1
			for n < len(traits) && traits[n].day == traits[0].day && traits[n].trade == traits[0].trade {
				n++
			}
			if err := g.day(ctx, q, traits[:n]); err != nil {
				return err
			}
			traits = traits[n:]
		}
		return nil
	})
	g.doubtRecurringIDs()
	g.booked.sort()
	g.doubts.sort()
	g.changed.sort()
	slices.SortFunc(g.repeats, func(a, b repeat) int { return int(a.row) - int(b.row) })
	for i := range g.settles {
		g.settles[i].Occurrence = g.repeats.of(int(g.settles[i].row))
	}
	return g, err
}

// compareDays puts traits that are settled together, those of one day, behind one another; trades come last.
func (t matchKey) compareDays(u matchKey) int {
	switch {
	case t.trade == u.trade:
		return cmp.Compare(t.day, u.day)
	case u.trade:
		return -1
	}
	return 1
}

// compareRows puts equal rows of one day behind one another, in the order of the file.
func (t matchKey) compareRows(u matchKey) int {
	switch {
	case t.account != u.account:
		return cmp.Compare(t.account, u.account)
	case t.key != u.key:
		return cmp.Compare(t.key, u.key)
	}
	return cmp.Compare(t.row, u.row)
}

func (g *matcher) prepare(ctx context.Context, q *queries.Queries) error {
	layouts, err := q.ListImportLayouts(ctx, g.who.HouseholdID)
	if err != nil {
		return err
	}
	for _, l := range layouts {
		g.layouts[l.ID] = l.Layout
	}
	for _, trades := range []bool{false, true} {
		moved, err := g.im.ledger.Intake.MovedKeys(ctx, q, g.who, trades)
		if err != nil {
			return err
		}
		g.moved[trades], g.movedBy[trades] = moved, identities(moved)
	}
	rulings, err := q.ListRulings(ctx, g.who.HouseholdID)
	if err != nil {
		return err
	}
	for _, r := range rulings {
		g.rulings[rowIdentity{r.AccountID, r.SourceHash, r.Occurrence}] = r
	}
	unsettled, err := g.im.ledger.Intake.UnsettledEntries(ctx, q, g.who)
	if err != nil {
		return err
	}
	g.unsettled = make(map[int64]intake.UnsettledEntry, len(unsettled))
	for _, e := range unsettled {
		g.unsettled[e.Key] = e
	}
	g.bankIDs, err = g.im.ledger.Intake.HasBankIDs(ctx, q, g.who)
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
func (g *matcher) day(ctx context.Context, q *queries.Queries, rows []matchKey) error {
	booked, err := g.bookedKeys(ctx, q, rows[0])
	if err != nil {
		return err
	}
	slices.SortFunc(rows, matchKey.compareRows)
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
	if !rows[0].trade {
		booked.Texts, err = g.im.ledger.Intake.BookedTexts(ctx, q, g.who, rows[0].day)
		if err != nil {
			return err
		}
	}
	g.byText(open, booked.Texts, taken)
	return nil
}

func (g *matcher) bookedKeys(ctx context.Context, q *queries.Queries, t matchKey) (booked intake.BookedDay, err error) {
	if t.trade {
		return g.im.ledger.Intake.BookedTrades(ctx, q, g.who, t.day)
	}
	booked.Keys, err = g.im.ledger.Intake.BookedKeys(ctx, q, g.who, t.day)
	return booked, err
}

// byKey settles the rows that source hashes settle, counts equal rows, and gives the rest.
func (g *matcher) byKey(rows []matchKey, booked []intake.KnownRow, taken map[int64]bool) []candidate {
	keys := identities(booked)
	var open []candidate
	occurrence := int64(0)
	for i, t := range rows {
		occurrence++
		if i == 0 || t.key != rows[i-1].key || t.account != rows[i-1].account {
			occurrence = 0
		}
		if occurrence > 0 {
			g.repeats = append(g.repeats, repeat{t.row, int32(occurrence)})
		}
		if t.account == 0 {
			continue
		}
		id := rowIdentity{t.account, t.key, occurrence}
		ruled := g.rulings[id]
		if ruled.Ruling != "" {
			g.ruled[int(t.row)] = ruled.Ruling
		}
		if key := g.external[t.row]; key != 0 {
			g.take(t, key, taken)
			continue
		}
		found, booked := keys[id]
		if !booked {
			found, booked = g.movedBy[t.trade][id]
		}
		switch {
		case booked && !g.claimed[found.key] && (ruled.Ruling != DecisionNew || found.at >= ruled.CreatedAt): // what was booked since is what was called new
			if t.bank != 0 {
				g.agree++
			}
			g.take(t, found.key, taken)
		case ruled.Ruling == DecisionNew:
		default:
			open = append(open, candidate{t, ruled.Ruling})
		}
	}
	return open
}

func (g *matcher) take(t matchKey, key int64, taken map[int64]bool) {
	taken[key] = true
	if _, open := g.unsettled[key]; open {
		if !t.pending {
			g.settles = append(g.settles, settlement{t.row, intake.SettledEntry{Key: key, SourceHash: t.key, BankKey: t.bank, LikeKey: t.like}})
		}
		delete(g.unsettled, key) // while the row is still pending no other one is its final row
	}
	g.booked = append(g.booked, match{t.row, t.trade, key})
}

// byBankID settles the rows of which the bank's own id is booked, on whatever day, and gives the rest. A bank changes the day, the
// amount or the text of a booking; where little of it agrees, or the money goes the other way, as that of a reversal does, whether it is
// the same one is in doubt.
func (g *matcher) byBankID(ctx context.Context, q *queries.Queries, open []candidate, taken map[int64]bool) ([]candidate, error) {
	if !g.bankIDs || len(open) == 0 {
		return open, nil
	}
	var ids []intake.BankID
	for _, c := range open {
		if c.bank != 0 {
			ids = append(ids, intake.BankID{Row: int64(c.row), AccountID: c.account, Key: c.bank})
		}
	}
	if len(ids) == 0 {
		return open, nil
	}
	list, err := g.im.ledger.Intake.BookedBankIDs(ctx, q, g.who, ids, open[0].trade)
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
		b, found := booked[c.row]
		switch {
		case !found || g.claimed[b.Key]:
			rest = append(rest, c)
			continue
		case c.ruling != DecisionSame && !c.isSameBooking(b):
			taken[b.Key] = true
			g.doubts = append(g.doubts, match{c.row, c.trade, b.Key})
		default:
			g.take(c.matchKey, b.Key, taken)
			if b.Date != c.day || b.Minor != c.minor {
				g.changed = append(g.changed, match{c.row, c.trade, b.Key})
			} else {
				g.agree++
			}
		}
		g.claimed[b.Key] = true
	}
	return rest, nil
}

// isSameBooking says whether a booking with the id of a row is that of the row, which the bank has changed since.
func (t *matchKey) isSameBooking(b intake.BookedBankID) bool {
	const days = 14 // after which a bank changes nothing any more, and what recurs monthly has not recurred yet
	switch {
	case packed(b.Currency) != t.currency || b.Minor > 0 != (t.minor > 0) || max(b.Date-t.day, t.day-b.Date) > days:
		return false
	}
	return b.Minor == t.minor || b.Text == t.text
}

// doubtRecurringIDs doubts what the ids of the bank say where most of them are booked with another day or amount: then the column
// has what recurs, such as the number of a contract, and not what is there once.
func (g *matcher) doubtRecurringIDs() {
	const few = 3
	if len(g.changed) <= few || len(g.changed) <= g.agree {
		return
	}
	recurring := make(map[int32]bool, len(g.changed))
	for _, m := range g.changed {
		recurring[m.row] = true
	}
	g.booked = slices.DeleteFunc(g.booked, func(m match) bool { return recurring[m.row] })
	g.doubts, g.changed = append(g.doubts, g.changed...), nil
}

// bySettlement settles the rows that are the final ones of what was booked while it was pending: the same amount with the same text, on a day
// soon after. With another text it is in doubt.
func (g *matcher) bySettlement(open []candidate, taken map[int64]bool) []candidate {
	const before, after = 1, 14 // days
	if len(g.unsettled) == 0 || len(open) == 0 || open[0].trade {
		return open
	}
	rest := open[:0]
	for _, c := range open {
		best, same := int64(0), false
		for key, e := range g.unsettled {
			fits := e.AccountID == c.account && e.Minor == c.minor && packed(e.Currency) == c.currency && c.day >= e.Date-before && c.day <= e.Date+after
			if alike := e.Text == c.text; fits && !c.pending && !g.claimed[key] && !taken[key] && (best == 0 || alike && !same || alike == same && key < best) {
				best, same = key, alike
			}
		}
		switch {
		case best == 0:
			rest = append(rest, c)
			continue
		case same || c.ruling == DecisionSame:
			g.take(c.matchKey, best, taken)
		default:
			taken[best] = true
			delete(g.unsettled, best) // one final row may be it
			g.doubts = append(g.doubts, match{c.row, c.trade, best})
		}
		g.claimed[best] = true
	}
	return rest
}

// likeRow identifies equal rows in an account, whatever a bank has changed of them.
type likeRow struct{ account, like int64 }

// byLikeness settles the rows that differ from booked ones in nothing but what a bank changes later, and gives the rest.
func (g *matcher) byLikeness(open []candidate, booked []intake.KnownRow, taken map[int64]bool) []candidate {
	if len(open) == 0 {
		return nil
	}
	entries := map[likeRow][]int64{}
	for _, list := range [][]intake.KnownRow{booked, g.moved[open[0].trade]} {
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
	slices.SortFunc(open, func(a, b candidate) int { return cmp.Compare(a.row, b.row) })
	rest := open[:0]
	for _, c := range open {
		like := likeRow{c.account, c.like}
		if keys := entries[like]; len(keys) > 0 {
			g.take(c.matchKey, keys[0], taken)
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
func (g *matcher) byText(open []candidate, booked []intake.BookedText, taken map[int64]bool) {
	if len(booked) == 0 {
		return
	}
	slices.SortFunc(open, func(a, b candidate) int { return cmp.Compare(a.row, b.row) })
	entries := map[sameMoney][]intake.BookedText{}
	for _, b := range booked {
		like := sameMoney{b.AccountID, b.Minor, packed(b.Currency)}
		entries[like] = append(entries[like], b)
	}
	var rest []candidate
	for _, c := range open {
		like := entries[sameMoney{c.account, c.minor, c.currency}]
		if key := g.first(like, taken, func(b intake.BookedText) bool { return b.Text == c.text && g.foreign(b) }); key != 0 {
			g.take(c.matchKey, key, taken)
		} else if len(like) > 0 {
			rest = append(rest, c)
		}
	}
	for _, c := range rest {
		like := entries[sameMoney{c.account, c.minor, c.currency}]
		key := g.first(like, taken, func(b intake.BookedText) bool { return c.bank == 0 || !b.HasID || g.foreign(b) }) // two ids of one bank are two bookings
		switch {
		case key == 0:
		case c.ruling == DecisionSame:
			g.take(c.matchKey, key, taken)
		default:
			taken[key] = true
			g.doubts = append(g.doubts, match{c.row, c.trade, key})
		}
	}
}

// foreign says whether an entry came another way than from a file of this layout. Rows of one layout that differ
// are different rows.
func (g *matcher) foreign(b intake.BookedText) bool {
	return b.ImportID == 0 || g.layouts[b.ImportID] != g.layout
}

func (g *matcher) first(like []intake.BookedText, taken map[int64]bool, fits func(intake.BookedText) bool) int64 {
	for _, b := range like {
		if !taken[b.Key] && !g.claimed[b.Key] && fits(b) {
			return b.Key
		}
	}
	return 0
}
