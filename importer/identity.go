package importer

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/ledger"
	"finsvc/ledger/intake"
)

// identityVersion is the version of the rules by which a row is recognised. Version 1 knew the source hash only, see sourceHash. Version 2
// keeps it, so that what was booked under version 1 is recognised by it, and knows the key of the bank's id and the like key
// besides, see likeness.
const identityVersion = 2

// trait is what a row is recognised by when it is booked already. account is 0 when the account does not exist
// yet: then nothing can be booked there.
type trait struct {
	key, minor, account int64
	day                 ledger.Date
	row                 int32
	text, currency      uint32
	trade, pending      bool  // pending at the bank, and booked all the same
	bank                int64 // of the bank's own id; 0 where the file has none
	like                int64 // of what does not change of a row; key where all of it does not
}

func (s *survey) trait(row Row) trait {
	t := trait{key: row.Key, bank: row.Bank, like: cmp.Or(row.Like, row.Key), pending: row.State == statePending, minor: row.Minor, account: s.account(row), day: row.Date, row: int32(row.Number), currency: packed(row.Currency.Code)}
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

// sourceHash is the first eight bytes, big-endian, of the SHA-256 of the cells joined by U+001F; room is used to
// join them in and given back. It is stored, so it must never change.
func sourceHash(room []byte, cells []string) (int64, []byte) {
	room = room[:0]
	for i, cell := range cells {
		if i > 0 {
			room = append(room, 0x1F)
		}
		room = append(room, cell...)
	}
	sum := sha256.Sum256(room)
	return int64(binary.BigEndian.Uint64(sum[:8])), room
}

// likeness says which cells of a row a bank may change in a later export without making another booking of it: balances, states of
// booking, notes and categories. What it says rests on headers and settings only, never on cells, so that it is the same for all exports
// of one make.
type likeness struct {
	aside []bool   // by column
	cells []string // room for what is left
}

// newLikeness is for the rows of a file.
func newLikeness(c columns) likeness {
	l := likeness{aside: make([]bool, len(c.header))}
	for i, header := range c.header {
		roles := lexicon.ReadHeader(header).Roles
		plain, _ := lexicon.PlainHeader(header)
		aside := max(roles[lexicon.RoleBalance], roles[lexicon.RoleStatus], roles[lexicon.RoleCategory], roles[lexicon.RoleTags])
		told := max(roles[lexicon.RoleDate], roles[lexicon.RoleAmount], roles[lexicon.RoleDebit], roles[lexicon.RoleCredit], roles[lexicon.RolePayee], roles[lexicon.RoleText])
		l.aside[i] = aside >= 900 && told < 900 || lexicon.HasPlain(lexicon.NoteHeader, plain)
	}
	for _, f := range []field{fieldBalance, fieldStatus} {
		at := c.at[f]
		for at >= len(l.aside) {
			l.aside = append(l.aside, false)
		}
		if at >= 0 {
			l.aside[at] = true
		}
	}
	for _, f := range []field{fieldDate, fieldAmount, fieldDebit, fieldCredit, fieldName, fieldAccount, fieldDirection, fieldCurrency, fieldID} {
		if at := c.at[f]; at >= 0 && at < len(l.aside) {
			l.aside[at] = false
		}
	}
	if !slices.Contains(l.aside, true) {
		l.aside = nil
	}
	return l
}

// key is that of the cells that do not change, in one form of Unicode; the source hash where those are all.
func (l *likeness) key(room []byte, cells []string, raw int64) (int64, []byte) {
	plain := true
	l.cells = l.cells[:0]
	for i, cell := range cells {
		if i < len(l.aside) && l.aside[i] {
			plain, cell = false, ""
		} else if normal := ledger.NormalText(cell); normal != cell {
			plain, cell = false, normal
		}
		l.cells = append(l.cells, cell)
	}
	if plain {
		return raw, room
	}
	return sourceHash(room, l.cells)
}

// layoutOf tells kinds of files apart: by type and header. Rows of one layout are compared as they stand.
func layoutOf(kind string, header []string) int64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(kind)) // never fails
	for _, label := range header {
		_, _ = h.Write([]byte("\x1F" + normalLabel(label)))
	}
	return int64(h.Sum64())
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
