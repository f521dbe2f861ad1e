package importer

import (
	"context"
	"time"

	"finsvc/db"
	"finsvc/queries"
)

// holds is how often a lease is renewed before it runs out.
const holds = 3

// holdOn renews the lease of the import while its file is read, which may take longer than a lease on a small machine.
// The work itself finds out when the lease is lost. Call what it gives when the work is done.
func (p *publisher) holdOn(ctx context.Context) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		again := time.NewTicker(lease / holds)
		defer again.Stop()
		last := time.Now()
		for {
			select {
			case now := <-again.C:
				// the next write of the work has the same trouble, and says so
				_ = p.im.db.Write(ctx, p.keep(now.Sub(last)))
				last = now
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}

// keep puts the end of the lease off by what has passed. It runs, like all that touches the lease, in a write: one
// after the other.
func (p *publisher) keep(passed time.Duration) db.Work {
	return func(ctx context.Context, q *queries.Queries) error {
		until := p.leaseUntil + passed.Milliseconds()
		n, err := q.RenewLease(ctx, queries.RenewLeaseParams{LeaseUntil: until, ImportID: p.imp.ID,
			HouseholdID: p.who.HouseholdID, OldLease: p.leaseUntil})
		if err == nil && n > 0 {
			p.leaseUntil = until
		}
		return err
	}
}
