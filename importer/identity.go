package importer

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/fnv"
	"slices"
	"strings"

	"finsvc/ledger"
)

// identityVersion is the version of the rule that makes raw keys, see rawKey. Another rule would be another version,
// and rows would be looked up by both.
const identityVersion = 1

// trait is what a row is recognised by when it is booked already. account is 0 when the account does not exist
// yet: then nothing can be booked there.
type trait struct {
	key, minor, account int64
	day                 ledger.Date
	row                 int32
	text, currency      uint32
	trade               bool
}

func (s *survey) trait(row Row) trait {
	t := trait{key: row.Key, minor: row.Minor, account: s.account(row), day: row.Date, row: int32(row.Number), currency: packed(row.Currency.Code)}
	if row.Trade != nil {
		t.trade, t.text = true, ledger.TradeKey(row.Trade.Kind, strings.ToUpper(row.Trade.Ticker), row.Trade.Quantity)
	} else {
		t.text = ledger.TextKey(row.Name)
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

// rawKey is the first eight bytes, big-endian, of the SHA-256 of the cells joined by U+001F; room is used to
// join them in and given back. It is stored, so it must never change.
func rawKey(room []byte, cells []string) (int64, []byte) {
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
