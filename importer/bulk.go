package importer

import (
	"context"
	"log/slog"

	"finsvc/db"
	"finsvc/ledger"
)

// bigImport is from how many rows on an import is tidied up after.
const bigImport = 10_000

// useBulk gives an import of more rows than a few a connection for bulk writes. Call what it gives when the work is
// done. It is for speed only, so it may fail.
func (p *publisher) useBulk(ctx context.Context) (end func()) {
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
// before it is asked whether somebody waits for it to end, some 10 ms. Each transaction costs as much as hundreds of rows,
// and the longer it is, the more rows share a page that is written.
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
func (p *publisher) steps(n int, do func(from, to int) error) (done int, err error) {
	n = min(n, p.pace)
	p.pace = min(p.pace+p.pace/8, batchRows)
	for done < n && !(done > 0 && p.awaited()) {
		to := min(done+p.part, n)
		if err := do(done, to); err != nil {
			return done, err
		}
		done = to
	}
	p.awaited()
	return done, nil
}

// awaited says whether somebody waits for the transaction to end, and remembers it.
func (p *publisher) awaited() bool {
	if !p.im.db.Awaited() {
		return false
	}
	p.pace = p.part
	return true
}

// piece does one of many writes, which others do not wait for longer than for any write: one that took too long is done
// again in smaller parts. So work must begin anew each time.
func (p *publisher) piece(ctx context.Context, work db.Work) error {
	for {
		err := p.write(ctx, work)
		if !ledger.IsOverBudget(err) || p.part == fewRows {
			return err
		}
		p.part = max(p.part/2, fewRows)
		p.pace = p.part
	}
}
