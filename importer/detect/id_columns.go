package detect

import (
	"cmp"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"finsvc/importer/lexicon"
	"finsvc/importer/notation"
	"finsvc/importer/text"
	"finsvc/ledger/export"
)

// How sure a header is that its column identifies bookings.
const (
	notAnID    = iota
	mayBeAnID  // a reference: a bank's own, or what a payer has written
	sureToBeID // the id of a transaction
)

// idOf says how sure a header is that its column identifies bookings.
func idOf(header string) int {
	plain := text.Plain(lexicon.Parted(header))
	switch {
	case plain == "":
		return notAnID
	case lexicon.HasPlain(lexicon.IDHeader, plain):
		return sureToBeID
	case slices.ContainsFunc(lexicon.Words(lexicon.OtherNumber),
		func(part string) bool { return strings.Contains(plain, part) }):
		return notAnID
	case lexicon.HasPlain(lexicon.ReferenceHeader, plain):
		return mayBeAnID
	}
	id, booking := false, false
	for word := range strings.FieldsSeq(plain) {
		id = id || lexicon.HasPlain(lexicon.IDWord, word)
		booking = booking || lexicon.HasPlain(lexicon.BookingWord, word)
	}
	if id && booking {
		return sureToBeID
	}
	return notAnID
}

// idColumn is a column that may identify the bookings, and what its cells say of that. All cells are kept as hashes: a
// million are 8 MB.
type idColumn struct {
	at, sure       int
	dead           bool // a cell is blank, or is no id
	seed           maphash.Seed
	hashes         []uint64
	prefix         string // what stands before the digits of the first cell
	numbers        bool   // all cells are the prefix and a number
	least, most    uint64 // of these numbers
	shortest, long int    // cells, in bytes
}

// maxIDColumns is how many columns are looked at.
const maxIDColumns = 3

// watchIDs picks the columns that may identify the bookings by their headers and by the beginning of the file.
func watchIDs(p *profile) {
	p.ids = nil
	if at := p.givenColumn("id_col_label"); at >= 0 {
		p.ids = []*idColumn{newIDColumn(at, sureToBeID)}
		return
	}
	if !p.open("id_col_label") || p.sheet.header == nil {
		return
	}
	for i := range p.columns {
		sure := idOf(p.columns[i].header)
		if sure == notAnID || slices.Contains(p.sheet.header, export.TransactionIDColumn) {
			continue
		}
		p.ids = append(p.ids, newIDColumn(i, sure))
	}
	slices.SortStableFunc(p.ids, func(a, b *idColumn) int { return cmp.Compare(b.sure, a.sure) })
	p.ids = p.ids[:min(len(p.ids), maxIDColumns)]
}

func newIDColumn(at, sure int) *idColumn {
	return &idColumn{at: at, sure: sure, seed: maphash.MakeSeed(), numbers: true}
}

// take looks at the cell of a row.
func (c *idColumn) take(cell string) {
	const longest = 120
	if c.dead {
		return
	}
	if len(cell) > longest || !c.isID(cell) {
		c.dead, c.hashes = true, nil
		return
	}
	first := len(c.hashes) == 0
	c.hashes = append(c.hashes, maphash.String(c.seed, cell))
	c.long = max(c.long, len(cell))
	c.shortest = min(c.shortest, len(cell))
	if first {
		c.shortest = len(cell)
		c.prefix = strings.Clone(cell[:len(cell)-len(strings.TrimLeftFunc(cell,
			func(r rune) bool { return !notation.IsDigit(r) }))])
	}
	rest, found := strings.CutPrefix(cell, c.prefix)
	n, err := strconv.ParseUint(rest, 10, 64)
	if !found || err != nil {
		c.numbers = false
		return
	}
	c.most = max(c.most, n)
	c.least = min(c.least, n)
	if first {
		c.least = n
	}
}

// isID reports whether a cell may be an id: it has a digit, and is not a text of several words.
func (c *idColumn) isID(cell string) bool {
	if !strings.ContainsFunc(cell, notation.IsDigit) {
		return false
	}
	return c.sure == sureToBeID && len(strings.Fields(cell)) <= 3 || !strings.ContainsFunc(cell, unicode.IsSpace)
}

// counts reports whether the cells count the rows of the file, or few more than there are: every export begins anew then.
func (c *idColumn) counts() bool {
	n := uint64(len(c.hashes))
	return c.numbers && c.least <= 1 && c.most <= 2*n+1
}

// unique reports whether no cell is there twice.
func (c *idColumn) unique() bool {
	slices.Sort(c.hashes)
	for i := 1; i < len(c.hashes); i++ {
		if c.hashes[i] == c.hashes[i-1] {
			return false
		}
	}
	return true
}

// identifies reports whether the column tells bookings apart. A reference must do so in more than a few rows and look
// like one of a machine, for what payers write beside their payments may differ in a short file, too.
func (c *idColumn) identifies() bool {
	const few, short, enough = 4, 6, 10
	switch {
	case c.dead || len(c.hashes) == 0 || c.counts():
		return false
	case c.sure == sureToBeID:
		return (!c.numbers || c.prefix != "" || c.long >= few) && c.unique()
	}
	dense := c.numbers && c.most-c.least < 2*uint64(len(c.hashes)) // numbers the rows of something
	return len(c.hashes) >= enough && c.shortest == c.long && c.long >= short && !dense && c.unique()
}
