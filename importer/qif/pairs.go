package qif

import (
	"cmp"
	"encoding/binary"
	"errors"
	"hash/fnv"
	"io"
	"slices"

	"finsvc/ledger"
)

// qifSide is one side of a movement between two accounts. Both sides have the same key.
type qifSide struct {
	key    uint64
	number int
	out    bool
}

// qifPair joins two rows.
type qifPair struct{ row, other int }

// SideOf is false for a row that moves nothing between two accounts of the file.
func sideOf(item qifItem) (qifSide, bool) {
	own, other := ledger.Fold(item.own), ledger.Fold(item.other)
	row := item.row
	if own == "" || other == "" || own == other || row.Entity() != "" || row.Minor == 0 || !row.Planned() {
		return qifSide{}, false
	}
	from, to, minor := own, other, -row.Minor
	if row.Minor > 0 {
		from, to, minor = other, own, row.Minor
	}
	h := fnv.New64a()
	for _, text := range []string{from, "\x00", to, "\x00", row.Currency.Code} {
		_, _ = io.WriteString(h, text) // a hash takes everything
	}
	_ = binary.Write(h, binary.BigEndian, []int64{int64(row.Date), minor})
	return qifSide{h.Sum64(), row.Number, row.Minor < 0}, true
}

// pairs reads all rows for those that are two sides of one movement: each names the account of the other, on the
// same day with the opposite amount. Of equal ones the first goes with the first. They come in the order of rows.
func (r *rowReader) pairs() ([]qifPair, error) {
	var sides []qifSide
	for {
		item, err := r.item()
		if errors.Is(err, io.EOF) {
			return join(sides), nil
		}
		if err != nil {
			return nil, err
		}
		if side, ok := sideOf(item); ok {
			sides = append(sides, side)
		}
	}
}

func join(sides []qifSide) (pairs []qifPair) {
	slices.SortFunc(sides, func(a, b qifSide) int {
		return cmp.Or(cmp.Compare(a.key, b.key),
			cmp.Compare(a.number, b.number))
	})
	for len(sides) > 0 {
		n := 1
		for n < len(sides) && sides[n].key == sides[0].key {
			n++
		}
		var out, in []int
		for _, side := range sides[:n] {
			if side.out {
				out = append(out, side.number)
			} else {
				in = append(in, side.number)
			}
		}
		for i := range min(len(out), len(in)) {
			pairs = append(pairs, qifPair{out[i], in[i]}, qifPair{in[i], out[i]})
		}
		sides = sides[n:]
	}
	slices.SortFunc(pairs, func(a, b qifPair) int { return cmp.Compare(a.row, b.row) })
	return pairs
}
