package importer

import (
	"cmp"
	"context"
	"slices"

	"finsvc/ledger"
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
// the id elsewhere, see externals; the raw row with its occurrence number, as it was booked from a file before; the same account, day, amount,
// currency and text, booked through the API or from a file of another layout; what a person has said. The same
// account, day, amount and currency alone is a doubt: such a row is new unless a person says otherwise.
type recogniser struct {
	im      *Importer
	who     ledger.Actor
	layout  int64
	layouts map[int64]int64 // of the household's imports
	rulings map[rowIdentity]string
	moved   map[bool]map[rowIdentity]int64 // what people have put on another day, of trades and of transactions
	booked  matches
	doubts  matches
	repeats repeats
	ruled   map[int]string // rows that a person has ruled on

	external map[int32]int64 // rows that their id elsewhere has settled
	claimed  map[int64]bool  // what those are
}

// candidate is a row that no raw key has settled.
type candidate struct {
	trait
	ruling string
}

// recognise sorts the traits.
func (im *Importer) recognise(ctx context.Context, who ledger.Actor, layout int64, traits []trait, external map[int32]int64) (*recogniser, error) {
	g := &recogniser{im: im, who: who, layout: layout, layouts: map[int64]int64{}, rulings: map[rowIdentity]string{}, moved: map[bool]map[rowIdentity]int64{}, ruled: map[int]string{},
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
	g.booked.sort()
	g.doubts.sort()
	slices.SortFunc(g.repeats, func(a, b repeat) int { return int(a.row) - int(b.row) })
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
		moved, err := g.im.ledger.MovedKeys(ctx, q, g.who, trades)
		if err != nil {
			return err
		}
		g.moved[trades] = identities(moved)
	}
	rulings, err := q.ListRulings(ctx, g.who.HouseholdID)
	for _, r := range rulings {
		g.rulings[rowIdentity{r.AccountID, r.RawKey, r.Occurrence}] = r.Ruling
	}
	return err
}

func identities(booked []ledger.BookedKey) map[rowIdentity]int64 {
	keys := make(map[rowIdentity]int64, len(booked))
	for _, b := range booked {
		keys[rowIdentity{b.AccountID, b.RawKey, b.Occurrence}] = b.Key
	}
	return keys
}

// day settles the rows of one day. What is booked is read as far as it is needed: a file that is imported again
// needs the raw keys only.
func (g *recogniser) day(ctx context.Context, q *queries.Queries, rows []trait) error {
	booked, err := g.bookedKeys(ctx, q, rows[0])
	if err != nil {
		return err
	}
	slices.SortFunc(rows, trait.compareRows)
	taken := map[int64]bool{}
	open := g.byKey(rows, booked.Keys, taken)
	if len(open) == 0 {
		return nil
	}
	if !rows[0].trade {
		if booked.Texts, err = g.im.ledger.BookedTexts(ctx, q, g.who, rows[0].day); err != nil {
			return err
		}
	}
	g.byText(open, booked.Texts, taken)
	return nil
}

func (g *recogniser) bookedKeys(ctx context.Context, q *queries.Queries, t trait) (booked ledger.BookedDay, err error) {
	if t.trade {
		return g.im.ledger.BookedTrades(ctx, q, g.who, t.day)
	}
	booked.Keys, err = g.im.ledger.BookedKeys(ctx, q, g.who, t.day)
	return booked, err
}

// byKey settles the rows that raw keys settle, counts equal rows, and gives the rest.
func (g *recogniser) byKey(rows []trait, booked []ledger.BookedKey, taken map[int64]bool) []candidate {
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
		ruling := g.rulings[id]
		if ruling != "" {
			g.ruled[int(t.row)] = ruling
		}
		if key := g.external[t.row]; key != 0 {
			g.take(t, key, taken)
			continue
		}
		key, found := keys[id]
		if !found {
			key, found = g.moved[t.trade][id]
		}
		switch {
		case ruling == RulingNew:
		case found && !g.claimed[key]:
			g.take(t, key, taken)
		default:
			open = append(open, candidate{t, ruling})
		}
	}
	return open
}

func (g *recogniser) take(t trait, key int64, taken map[int64]bool) {
	taken[key] = true
	g.booked = append(g.booked, match{t.row, t.trade, key})
}

// sameMoney is what entries must share with a row to be the same.
type sameMoney struct {
	account, minor int64
	currency       uint32
}

// byText settles rows by what else is booked that day, in the order of the file.
func (g *recogniser) byText(open []candidate, booked []ledger.BookedText, taken map[int64]bool) {
	if len(booked) == 0 {
		return
	}
	slices.SortFunc(open, func(a, b candidate) int { return cmp.Compare(a.row, b.row) })
	entries := map[sameMoney][]ledger.BookedText{}
	for _, b := range booked {
		like := sameMoney{b.AccountID, b.Minor, packed(b.Currency)}
		entries[like] = append(entries[like], b)
	}
	var rest []candidate
	for _, c := range open {
		like := entries[sameMoney{c.account, c.minor, c.currency}]
		if key := g.first(like, taken, func(b ledger.BookedText) bool { return b.Text == c.text && g.foreign(b) }); key != 0 {
			g.take(c.trait, key, taken)
		} else if len(like) > 0 {
			rest = append(rest, c)
		}
	}
	for _, c := range rest {
		like := entries[sameMoney{c.account, c.minor, c.currency}]
		key := g.first(like, taken, func(ledger.BookedText) bool { return true })
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
func (g *recogniser) foreign(b ledger.BookedText) bool {
	return b.ImportID == 0 || g.layouts[b.ImportID] != g.layout
}

func (g *recogniser) first(like []ledger.BookedText, taken map[int64]bool, fits func(ledger.BookedText) bool) int64 {
	for _, b := range like {
		if !taken[b.Key] && !g.claimed[b.Key] && fits(b) {
			return b.Key
		}
	}
	return 0
}
