package db

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// WriteBudget is how long others wait for one write at most, unless [WithWriteBudget] says otherwise. Nobody is held
// up by a write that nobody waits for, so that one may take as long as it needs.
const WriteBudget = 250 * time.Millisecond

// groupTime is for how long writes are taken into one commit: those that wait behind them wait for all of it.
const groupTime = 50 * time.Millisecond

// ErrOverBudget: the write was undone because others had waited for it for as long as they have to. It is an
// ErrUnavailable: the same write may succeed when fewer write, or in smaller parts.
var ErrOverBudget = fmt.Errorf("%w: other writes have waited too long for this one, and it was undone", ErrUnavailable)

// backgroundKey marks the context of work in the background.
type backgroundKey struct{}

// Background gives a context for work that no caller waits for, such as a worker's: its writes take their turn, but no
// write in the foreground is undone or parted because they wait. Without it a bulk create on a slow machine would fail
// whenever the server wrote down which keys were used.
func Background(ctx context.Context) context.Context {
	return context.WithValue(ctx, backgroundKey{}, true)
}

func isBackground(ctx context.Context) bool { return ctx.Value(backgroundKey{}) != nil }

// WithWriteBudget says how long others wait for one write at most.
func WithWriteBudget(budget time.Duration) Option {
	return func(d *DB) { d.budget = budget }
}

// Briefly is for a command that is over soon and seldom needs more than one reader: the others are opened when they are
// needed, as each of them reads the schema anew.
func Briefly() Option {
	return func(d *DB) { d.brief = true }
}

// looks is how often it is asked within a budget whether others wait.
const looks = 5

// patience ends a write by its context when others have waited for it for the whole budget.
type patience struct {
	budget  time.Duration
	awaited func() bool
	end     context.CancelCauseFunc

	mu     sync.Mutex
	timer  *time.Timer
	waited int // looks in a row at which others waited
	over   bool
}

// watchOver gives a context for one write, which ends with its caller's and when the budget is used up. Call stop when
// the write is done.
func watchOver(ctx context.Context, d *DB, budget time.Duration) (_ context.Context, stop func()) {
	ctx, end := context.WithCancelCause(ctx)
	p := &patience{budget: budget, awaited: d.Awaited, end: end}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.timer = time.AfterFunc(p.budget/looks, p.look)
	return ctx, p.stop
}

func (p *patience) look() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over {
		return
	}
	if p.waited++; !p.awaited() {
		p.waited = 0
	}
	if p.waited >= looks {
		p.end(ErrOverBudget)
		return
	}
	p.timer.Reset(p.budget / looks)
}

func (p *patience) stop() {
	p.mu.Lock()
	p.over = true
	p.timer.Stop()
	p.mu.Unlock()
	p.end(nil)
}
