package importer

import (
	"slices"

	"finsvc/ledger"
)

// holdRows is how many planned rows are kept in memory at most, to be put in order.
const holdRows = 100_000

// pass is a range of days, both included, whose rows are written together.
//
// The table lies in the order of days; a large file that does not would touch all of it for every batch. So such
// a file is read several times, and each time the rows of some days are taken.
type pass struct{ first, last ledger.Date }

// passes are one for a file that is in order, or that can be held as a whole; else as many as have
// holdRows rows each. One day's rows are never parted. hold is how many rows are put in order before they are
// written.
func passes(days []ledger.Date) (list []pass, hold int) {
	all := []pass{{ledger.MinDate, ledger.MaxDate}}
	if len(days) <= holdRows {
		return all, holdRows
	}
	if inOrder(days) {
		return all, batchRows
	}
	slices.Sort(days)
	for first := ledger.MinDate; first <= ledger.MaxDate; {
		last := ledger.MaxDate
		if at, _ := slices.BinarySearch(days, first); at+holdRows < len(days) {
			last = max(first, days[at+holdRows]-1)
		}
		list = append(list, pass{first, last})
		first = last + 1
	}
	return list, 2 * holdRows // a day that many rows share may go beyond holdRows
}

// inOrder says whether the batches of a file, as it stands, cover few days each: newest first and oldest
// first are in order, and so are a few such files behind one another.
func inOrder(days []ledger.Date) bool {
	const overlaps = 8
	covered := 0
	for batch := range slices.Chunk(days, batchRows) {
		covered += int(slices.Max(batch) - slices.Min(batch))
	}
	return covered <= overlaps*int(slices.Max(days)-slices.Min(days))
}
