package importer

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"sync"

	"finsvc/db"
	"finsvc/ledger"
)

// How far is read ahead: aheadBatches batches of up to aheadSize things wait to be used, besides the one that is in
// use and the one that is being read.
const (
	aheadSize    = 256
	aheadBatches = 1
)

// prefetched is some of the things that were read ahead, and the error that came instead of another one.
type prefetched[T any] struct {
	things []T
	err    error
}

// prefetch uses all that next gives, in its order, while another goroutine reads what follows. It ends with the first
// error of use, or with that of next when all before it was used; io.EOF is none. The other goroutine has ended by
// then: the context that next is given ends when nothing more is wanted.
func prefetch[T any](ctx context.Context, next func(context.Context) (T, error), use func(T) error) error {
	reading, stop := context.WithCancel(ctx)
	batches, free := make(chan prefetched[T], aheadBatches), make(chan []T, aheadBatches+2)
	var reader sync.WaitGroup
	reader.Go(func() {
		defer close(batches)
		fillAhead(reading, next, batches, free)
	})
	defer reader.Wait()
	defer stop()
	for b := range batches {
		for _, thing := range b.things {
			if err := use(thing); err != nil {
				return err
			}
		}
		switch {
		case errors.Is(b.err, io.EOF):
			return nil
		case b.err != nil:
			return b.err
		}
		free <- b.things // has room for all there are
	}
	return ctx.Err()
}

// fillAhead reads until an error, which is in the last batch, or until nobody wants more.
func fillAhead[T any](ctx context.Context, next func(context.Context) (T, error), batches chan<- prefetched[T],
	free <-chan []T) {
	for b := (prefetched[T]{}); b.err == nil; {
		b.things = emptied(free)
		b.err = db.Recovered("panic", func() error {
			for len(b.things) < aheadSize {
				thing, err := next(ctx)
				if err != nil {
					return err
				}
				b.things = append(b.things, thing)
			}
			return nil
		})
		select {
		case batches <- b:
		case <-ctx.Done():
			return
		}
	}
}

// emptied is room for a batch: that of one that was used, if there is any.
func emptied[T any](free <-chan []T) []T {
	select {
	case room := <-free:
		return room[:0]
	default:
		return make([]T, 0, aheadSize)
	}
}

// bigImport is from how many rows on an import is tidied up after.
const bigImport = 10_000

// useBulk gives an import of more rows than a few a connection for bulk writes. Call what it gives when the work is
// done. It is for speed only, so it may fail.
func useBulk(ctx context.Context, p *publisher) (end func()) {
	if p.imp.RowsCount <= stepRows {
		return func() {}
	}
	bulk, err := p.im.db.Bulk(ctx)
	if err != nil {
		p.im.log.LogAttrs(ctx, slog.LevelWarn, "opening a connection for an import", slog.String("error", err.Error()))
		return func() {}
	}
	p.write = bulk.Write
	return func() { _ = bulk.Close() } // nothing is unwritten
}

// How many rows are written or removed in one transaction: firstBatch to begin with, batchRows at most, and stepRows
// before it is asked whether somebody waits for it to end, some 10 ms. Each transaction costs as much as hundreds of
// rows, and the longer it is, the more rows share a page that is written.
const (
	firstBatch = 4_000
	batchRows  = 16_000
	stepRows   = 400
)

// fewRows is the least that is written before it is asked whether somebody waits, however slow the machine.
const fewRows = 10

// steps does up to n things, in parts, and says how many are done. A transaction may be an eighth longer than the one
// before, which comes to an eighth of what was done since somebody waited; the next one is one part then. So who writes
// often waits for little, and who writes seldom waits longer.
func steps(p *publisher, n int, do func(from, to int) error) (done int, err error) {
	n = min(n, p.pace)
	p.pace = min(p.pace+p.pace/8, batchRows)
	for done < n && !(done > 0 && awaited(p)) {
		to := min(done+p.part, n)
		if err := do(done, to); err != nil {
			return done, err
		}
		done = to
	}
	awaited(p)
	return done, nil
}

// awaited reports whether somebody waits for the transaction to end, and remembers it.
func awaited(p *publisher) bool {
	if !p.im.db.Awaited() {
		return false
	}
	p.pace = p.part
	return true
}

// piece does one of many writes, which others do not wait for longer than for any write: one that took too long is done
// again in smaller parts. So work must begin anew each time.
func piece(ctx context.Context, p *publisher, work db.Work) error {
	for {
		err := p.write(ctx, work)
		if !ledger.IsOverBudget(err) || p.part == fewRows {
			return err
		}
		p.part = max(p.part/2, fewRows)
		p.pace = p.part
	}
}

// holdRows is how many planned rows are kept in memory at most, to be put in order.
const holdRows = 100_000

// dayRange is a range of days, both included, whose rows are written together.
//
// The table lies in the order of days; a large file that does not would touch all of it for every batch. So such
// a file is read several times, and each time the rows of some days are taken.
type dayRange struct{ first, last ledger.Date }

// dayRanges are one for a file that is in order, or that can be held as a whole; else as many as have
// holdRows rows each. One day's rows are never parted. hold is how many rows are put in order before they are
// written.
func dayRanges(days []ledger.Date) (list []dayRange, hold int) {
	all := []dayRange{{ledger.MinDate, ledger.MaxDate}}
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
		list = append(list, dayRange{first, last})
		first = last + 1
	}
	return list, 2 * holdRows // a day that many rows share may go beyond holdRows
}

// inOrder reports whether the batches of a file, as it stands, cover few days each: newest first and oldest
// first are in order, and so are a few such files behind one another.
func inOrder(days []ledger.Date) bool {
	const overlaps = 8
	covered := 0
	for batch := range slices.Chunk(days, batchRows) {
		covered += int(slices.Max(batch) - slices.Min(batch))
	}
	return covered <= overlaps*int(slices.Max(days)-slices.Min(days))
}
