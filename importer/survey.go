package importer

import (
	"fmt"
	"io"
	"slices"
)

// survey is what a file holds, as far as it decides whether it can be published.
type survey struct {
	rows, valid, invalid int64
	entities             map[string]int64 // how many rows there are of each
	pending              int64            // rows that are pending at the bank
	there                int64            // of the valid rows: what they say is there already
	content              int64            // a hash of the valid rows
	first                *Issue
	doubt                string          // why the file must not be published, whatever its rows are; see doubtful
	account              func(Row) int64 // inner key of a row's account, 0 when there is none yet
	traits               []trait         // of the rows that become transactions or trades, in the order of the file
}

func (s *survey) add(row Row) {
	s.rows++
	if s.entities == nil {
		s.entities = map[string]int64{}
	}
	s.entities[row.Entity()]++
	switch {
	case len(row.Issues) > 0:
		s.invalid++
		if s.first == nil {
			s.first = &row.Issues[0]
		}
	case row.Skipped == skippedPending:
		s.pending++
	case row.Planned():
		s.valid++
		s.content = s.content*31 + row.Key
		s.note(row)
	}
}

// measured is a file that knows how many of its bytes were read, and how many it has.
type measured interface{ measure() (read, size int64) }

// makeRoom gives traits the room that the rest of the file needs when it goes on as it began: growing step by step, they
// would be in memory twice.
func (s *survey) makeRoom(file io.Reader) {
	const enough = 1 << 16 // rows, to judge by
	if len(s.traits) < max(cap(s.traits), enough) {
		return
	}
	if m, ok := file.(measured); ok {
		read, size := m.measure()
		left := max(0, size-read)
		rows := left * int64(len(s.traits)) / max(1, read)
		s.traits = slices.Grow(s.traits, int(min(rows+rows/10, left/32))) // less than any usual row has
	}
}

func (s *survey) note(row Row) {
	switch {
	case row.There:
		s.there++
	case row.Entity() == "" || row.Trade() != nil:
		s.traits = append(s.traits, s.trait(row))
	}
}

// obstacle says why the file cannot be published; nil when it can.
func (s *survey) obstacle(skipInvalid bool) *string {
	switch {
	case s.doubt != "":
		return pointer(s.doubt)
	case s.rows == 0:
		return pointer("has a header but no rows: there is nothing to publish")
	case s.invalid > 0 && !skipInvalid:
		return pointer(fmt.Sprintf("%d of %d rows cannot be imported: correct the file or the settings, or publish the others with skip_invalid_rows. The first: %s",
			s.invalid, s.rows, s.first))

	case s.valid == 0 && s.pending > 0:
		return pointer(fmt.Sprintf("none of %d rows can be imported, for %d are pending at the bank: they come again when they are booked; pending_rows=%s books them now", s.rows, s.pending, bookAll))
	case s.valid == 0:
		return pointer(fmt.Sprintf("none of %d rows can be imported: there is nothing to publish", s.rows))
	}
	return nil
}
