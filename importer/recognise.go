package importer

import (
	"cmp"
	"context"
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/intake"
	"finsvc/queries"
)

// What a person may say of a row.
const (
	RulingSame = "same" // it is the entry that was found
	RulingNew  = "new"  // it is another one
)

// rowIdentity is what a row is known by in all files that have it.
type rowIdentity struct{ account, key, occurrence int64 }

// recogniser finds the rows of a file that are booked already. The rules, in this order, each entry taken once:
// the id elsewhere, see externals; the raw row with its occurrence number, as it was booked from a file before; the bank's own id, whatever
// else the row says, see byBankID; the raw row without what a bank changes later, see likeness; the same account, day, amount,
// currency and text, booked through the API or from a file of another layout; what a person has said. The same
// account, day, amount and currency alone is a doubt: such a row is held back until a person has said what it is.
type recogniser struct {
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
	trait
	ruling string
}

// recognise sorts the traits.
func (im *Importer) recognise(ctx context.Context, who ledger.Actor, layout int64, traits []trait, external map[int32]int64) (*recogniser, error) {
	g := &recogniser{im: im, who: who, layout: layout, layouts: map[int64]int64{}, rulings: map[rowIdentity]queries.ListRulingsRow{},
		moved: map[bool][]intake.KnownRow{}, movedBy: map[bool]map[rowIdentity]bookedRow{}, ruled: map[int]string{},
		external: external, claimed: map[int64]bool{}}
	for _, key := range external {
		g.claimed[key] = true
	}
	if !slices.IsSortedFunc(traits, trait.compareDays) { // most files are
		slices.SortFunc(traits, trait.compareDays)
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
func (t trait) compareDays(u trait) int {
	switch {
	case t.trade == u.trade:
		return cmp.Compare(t.day, u.day)
	case u.trade:
		return -1
	}
	return 1
}

// compareRows puts equal rows of one day behind one another, in the order of the file.
func (t trait) compareRows(u trait) int {
	switch {
	case t.account != u.account:
		return cmp.Compare(t.account, u.account)
	case t.key != u.key:
		return cmp.Compare(t.key, u.key)
	}
	return cmp.Compare(t.row, u.row)
}

func (g *recogniser) prepare(ctx context.Context, q *queries.Queries) error {
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
func (g *recogniser) day(ctx context.Context, q *queries.Queries, rows []trait) error {
	booked, err := g.bookedKeys(ctx, q, rows[0])
	if err != nil {
		return err
	}
	slices.SortFunc(rows, trait.compareRows)
	taken := map[int64]bool{}
	open := g.byKey(rows, booked.Keys, taken)
	if open, err = g.byBankID(ctx, q, open, taken); err != nil {
		return err
	}
	open = g.bySettlement(g.byLikeness(open, booked.Keys, taken), taken)
	if len(open) == 0 {
		return nil
	}
	if !rows[0].trade {
		if booked.Texts, err = g.im.ledger.Intake.BookedTexts(ctx, q, g.who, rows[0].day); err != nil {
			return err
		}
	}
	g.byText(open, booked.Texts, taken)
	return nil
}

func (g *recogniser) bookedKeys(ctx context.Context, q *queries.Queries, t trait) (booked intake.BookedDay, err error) {
	if t.trade {
		return g.im.ledger.Intake.BookedTrades(ctx, q, g.who, t.day)
	}
	booked.Keys, err = g.im.ledger.Intake.BookedKeys(ctx, q, g.who, t.day)
	return booked, err
}

// byKey settles the rows that source hashes settle, counts equal rows, and gives the rest.
func (g *recogniser) byKey(rows []trait, booked []intake.KnownRow, taken map[int64]bool) []candidate {
	keys := identities(booked)
	var open []candidate
	occurrence := int64(0)
	for i, t := range rows {
		if occurrence++; i == 0 || t.key != rows[i-1].key || t.account != rows[i-1].account {
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
		case booked && !g.claimed[found.key] && (ruled.Ruling != RulingNew || found.at >= ruled.CreatedAt): // what was booked since is what was called new
			g.agree += one(t.bank != 0)
			g.take(t, found.key, taken)
		case ruled.Ruling == RulingNew:
		default:
			open = append(open, candidate{t, ruled.Ruling})
		}
	}
	return open
}

func (g *recogniser) take(t trait, key int64, taken map[int64]bool) {
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
func (g *recogniser) byBankID(ctx context.Context, q *queries.Queries, open []candidate, taken map[int64]bool) ([]candidate, error) {
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
		case c.ruling != RulingSame && !c.isSameBooking(b):
			taken[b.Key] = true
			g.doubts = append(g.doubts, match{c.row, c.trade, b.Key})
		default:
			g.take(c.trait, b.Key, taken)
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
func (t *trait) isSameBooking(b intake.BookedBankID) bool {
	const days = 14 // after which a bank changes nothing any more, and what recurs monthly has not recurred yet
	switch {
	case packed(b.Currency) != t.currency || b.Minor > 0 != (t.minor > 0) || max(b.Date-t.day, t.day-b.Date) > days:
		return false
	}
	return b.Minor == t.minor || b.Text == t.text
}

// doubtRecurringIDs doubts what the ids of the bank say where most of them are booked with another day or amount: then the column
// has what recurs, such as the number of a contract, and not what is there once.
func (g *recogniser) doubtRecurringIDs() {
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
func (g *recogniser) bySettlement(open []candidate, taken map[int64]bool) []candidate {
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
		case same || c.ruling == RulingSame:
			g.take(c.trait, best, taken)
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
func (g *recogniser) byLikeness(open []candidate, booked []intake.KnownRow, taken map[int64]bool) []candidate {
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
			g.take(c.trait, keys[0], taken)
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
func (g *recogniser) byText(open []candidate, booked []intake.BookedText, taken map[int64]bool) {
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
			g.take(c.trait, key, taken)
		} else if len(like) > 0 {
			rest = append(rest, c)
		}
	}
	for _, c := range rest {
		like := entries[sameMoney{c.account, c.minor, c.currency}]
		key := g.first(like, taken, func(b intake.BookedText) bool { return c.bank == 0 || !b.HasID || g.foreign(b) }) // two ids of one bank are two bookings
		switch {
		case key == 0:
		case c.ruling == RulingSame:
			g.take(c.trait, key, taken)
		default:
			taken[key] = true
			g.doubts = append(g.doubts, match{c.row, c.trade, key})
		}
	}
}

// foreign says whether an entry came another way than from a file of this layout. Rows of one layout that differ
// are different rows.
func (g *recogniser) foreign(b intake.BookedText) bool {
	return b.ImportID == 0 || g.layouts[b.ImportID] != g.layout
}

func (g *recogniser) first(like []intake.BookedText, taken map[int64]bool, fits func(intake.BookedText) bool) int64 {
	for _, b := range like {
		if !taken[b.Key] && !g.claimed[b.Key] && fits(b) {
			return b.Key
		}
	}
	return 0
}
