package db

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"
)

// ErrBusy: too many reads that take long are running or waiting already. It is an ErrUnavailable; nothing was read.
var ErrBusy = fmt.Errorf("%w: busy with reads that take long", ErrUnavailable)

// heavyPatience is how long a heavy read waits for its turn unless [WithHeavyPatience] says otherwise.
const heavyPatience = 2 * time.Second

// maxWaiting is how many heavy reads of one owner wait at most; further ones are refused at once.
const maxWaiting = 32

// WithHeavyPatience says how long a heavy read waits for its turn before it is [ErrBusy].
func WithHeavyPatience(patience time.Duration) Option {
	return func(d *DB) { d.heavy.patience = patience }
}

// heavyKey marks the context of heavy reads.
type heavyKey struct{}

// Heavy marks the reads that are made with the context as ones that may take long, for an owner. Together these leave
// one reader free for all others, and one owner's leave one of their places free for other owners. What has to wait
// does so for a while, then it is [ErrBusy].
func Heavy(ctx context.Context, owner int64) context.Context {
	return context.WithValue(ctx, heavyKey{}, owner)
}

// heavyOwner is whose heavy read a context is for.
func heavyOwner(ctx context.Context) (owner int64, heavy bool) {
	owner, heavy = ctx.Value(heavyKey{}).(int64)
	return owner, heavy
}

// Places are for work of which only so much may be done at the same time, shared among owners: what one of them does
// leaves a place for another one. [DB] has those of heavy reads.
type Places struct {
	patience time.Duration

	mu      sync.Mutex
	free    int
	most    int // of one owner
	taken   map[int64]int
	waiting []*waiter // in the order in which they came
}

// waiter is a heavy read that waits for a place.
type waiter struct {
	owner int64
	turn  chan struct{} // closed when it has one
}

// NewPlaces makes places. Work waits for one as long as patience says, then it is [ErrBusy].
func NewPlaces(count int, patience time.Duration) *Places {
	p := &Places{patience: patience}
	p.open(count)
	return p
}

// open says how many places there are, of which one is kept from each owner if there are two.
func (p *Places) open(count int) {
	p.free, p.most, p.taken = count, max(1, count-1), map[int64]int{}
	if p.patience == 0 {
		p.patience = heavyPatience
	}
}

// try takes a place if there is one for the owner now.
func (p *Places) try(owner int64) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.take(owner)
}

func (p *Places) take(owner int64) bool {
	if p.free == 0 || p.taken[owner] >= p.most {
		return false
	}
	p.free--
	p.taken[owner]++
	return true
}

// Enter takes a place, or waits for one. Leave with the same owner gives it back.
func (p *Places) Enter(ctx context.Context, owner int64) error {
	p.mu.Lock()
	if p.take(owner) {
		p.mu.Unlock()
		return nil
	}
	if p.waitingOf(owner) >= maxWaiting {
		p.mu.Unlock()
		return ErrBusy
	}
	w := &waiter{owner, make(chan struct{})}
	p.waiting = append(p.waiting, w)
	p.mu.Unlock()
	patience := time.NewTimer(p.patience)
	defer patience.Stop()
	select {
	case <-w.turn:
		return nil
	case <-patience.C:
		return p.giveUp(w, ErrBusy)
	case <-ctx.Done():
		return p.giveUp(w, ctx.Err())
	}
}

func (p *Places) waitingOf(owner int64) (n int) {
	for _, w := range p.waiting {
		if w.owner == owner {
			n++
		}
	}
	return n
}

// giveUp ends waiting; a turn that came at the same moment is taken.
func (p *Places) giveUp(w *waiter, err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.Index(p.waiting, w)
	if at < 0 {
		return nil
	}
	p.waiting = slices.Delete(p.waiting, at, at+1)
	return err
}

// Leave gives a place back. It goes to the owner who has the fewest of those that wait, among these to who came first.
func (p *Places) Leave(owner int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free++
	if p.taken[owner]--; p.taken[owner] == 0 {
		delete(p.taken, owner)
	}
	for {
		next := -1
		for i, w := range p.waiting {
			if p.taken[w.owner] < p.most && (next < 0 || p.taken[w.owner] < p.taken[p.waiting[next].owner]) {
				next = i
			}
		}
		if next < 0 || !p.take(p.waiting[next].owner) {
			return
		}
		close(p.waiting[next].turn)
		p.waiting = slices.Delete(p.waiting, next, next+1)
	}
}
