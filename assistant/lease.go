package assistant

import (
	"context"
	"errors"
	"time"

	"finsvc/db"
	"finsvc/queries"
)

// flushEvery is how often the text of an answer is written to its row while it grows, and how soon a worker finds out
// that the answer is not wanted any more.
const flushEvery = 500 * time.Millisecond

// keepLease keeps the row of the answer up to date and its lease alive, and calls lose when the answer is not ours any
// more. Call what it gives when the work is done.
func (r *replyJob) keepLease(ctx context.Context, lose context.CancelFunc) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		again := time.NewTicker(flushEvery)
		defer again.Stop()
		for {
			select {
			case <-again.C:
				// of others the next write of the work has the same, and says so
				if err := r.keep(ctx); errors.Is(err, errLost) {
					lose()
				}
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

// keep writes what the row does not have yet, or renews the lease when it is time to, or else only looks whether the
// answer is still ours.
func (r *replyJob) keep(ctx context.Context) error {
	r.writing.Lock()
	defer r.writing.Unlock()
	text := r.state().Content
	left := time.UnixMilli(r.lease).Sub(r.Now())
	if text != r.stored || left < lease*2/3 || left > lease { // more is left only when the clock was put back
		return r.renew(ctx, text, nil)
	}
	return r.DB.Read(ctx, func(ctx context.Context, q *queries.Queries) error {
		n, err := q.HoldsAnswer(ctx, queries.HoldsAnswerParams{PublicID: r.msg.PublicID,
			HouseholdID: r.msg.HouseholdID, OldLease: r.lease})
		if err == nil && n == 0 {
			return errLost
		}
		return err
	})
}

// keepWith runs work, and writes the text with it, in one write that renews the lease; errLost when the answer is not
// ours.
func (r *replyJob) keepWith(ctx context.Context, text string, work db.Work) error {
	r.writing.Lock()
	defer r.writing.Unlock()
	return r.renew(ctx, text, work)
}

// renew is keepWith for whoever has locked writing.
func (r *replyJob) renew(ctx context.Context, text string, work db.Work) error {
	now := r.Now()
	until, changed := now.Add(lease).UnixMilli(), r.changed
	if text != r.stored || work != nil {
		changed = now.UnixMilli()
	}
	err := r.DB.WriteWhole(ctx, func(ctx context.Context, q *queries.Queries) error {
		n, err := q.KeepAnswer(ctx, queries.KeepAnswerParams{Content: text, LeaseUntil: until, UpdatedAt: changed,
			PublicID: r.msg.PublicID, HouseholdID: r.msg.HouseholdID, OldLease: r.lease})
		switch {
		case err != nil:
			return err
		case n == 0:
			return errLost
		case work == nil:
			return nil
		}
		return work(ctx, q)
	})
	if err == nil {
		r.lease, r.stored, r.changed = until, text, changed
	}
	return err
}
