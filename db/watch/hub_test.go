package watch_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"finsvc/db/watch"
)

// thing is what is watched: how it is, and what says so, the count of the look or a text.
type thing struct {
	done bool
	look int
	text string
}

// things is one thing that is watched: its row, how often that was looked at, and what is known beside it.
type things struct {
	*watch.Hub[int, thing]
	mu    sync.Mutex
	row   thing
	err   error
	known *thing
}

const key = 7

func newThings() *things {
	ts := new(things)
	ts.Hub = watch.New(func(s thing) bool { return s.done }, func(k int) (thing, bool) {
		ts.mu.Lock()
		defer ts.mu.Unlock()
		if k != key || ts.known == nil {
			return thing{}, false
		}
		return *ts.known, true
	})
	return ts
}

func (ts *things) look(context.Context) (thing, error) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.row.look++
	return ts.row, ts.err
}

func (ts *things) looks() int {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.row.look
}

// becomes changes what there is to see.
func (ts *things) becomes(done bool, err error) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	ts.row.done, ts.err = done, err
}

// say tells what the row does not say yet.
func (ts *things) say(text string) {
	ts.mu.Lock()
	ts.known = &thing{text: text}
	ts.mu.Unlock()
	ts.Tell(key, thing{text: text})
}

// A bubble of synctest does not end as long as a goroutine of it runs: so each of these tests also says that
// nobody looks any more.

func TestWatchLooksFiveTimesASecondAtMost(t *testing.T) {
	t.Parallel()
	for name, kick := range map[string]func(*things){
		"kicked":    func(ts *things) { ts.Kick(key); ts.Kick(key + 1) },
		"all of it": func(ts *things) { ts.KickAll() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ts := newThings()
				var stops []func()
				for range 100 {
					states, stop := ts.Listen(t.Context(), key, ts.look)
					stops = append(stops, stop)
					go func() {
						for range states {
						}
					}()
				}
				for range 10_000 { // ten seconds
					time.Sleep(time.Millisecond) // of the bubble's clock
					kick(ts)
				}
				before := ts.looks()
				if before < 49 || before > 51 {
					t.Errorf("looked %d times in ten seconds", before)
				}
				time.Sleep(10*time.Second + 200*time.Millisecond) // nobody kicks any more
				if slow := ts.looks() - before; slow < 10 || slow > 12 {
					t.Errorf("looked %d times in ten seconds without a worker here", slow)
				}
				for _, stop := range stops {
					stop()
					stop() // does no harm
				}
			})
		})
	}
}

func TestWatchGivesTheNewestState(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ts := newThings()
		slow, stop := ts.Listen(t.Context(), key, ts.look)
		defer stop()
		time.Sleep(5500 * time.Millisecond)
		if got := <-slow; got.look != 6 {
			t.Errorf("who was slow got state %d of %d", got.look, ts.looks())
		}
		late, leave := ts.Listen(t.Context(), key, ts.look)
		if got := <-late; got.look != 7 {
			t.Errorf("who came later got state %d of %d", got.look, ts.looks())
		}
		leave()
		<-slow
		ts.becomes(true, nil)
		if got, more := <-slow; !more || !got.done {
			t.Errorf("the end: %+v, %t", got, more)
		}
		if _, more := <-slow; more {
			t.Error("it goes on after the end")
		}
	})
}

// TestWatchEnds: however a watch ends, whoever listens then begins another.
func TestWatchEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*things, func()){
		"the service stops":   func(ts *things, _ func()) { ts.End(); ts.Begin() },
		"the thing is gone":   func(ts *things, _ func()) { ts.becomes(false, errors.New("gone")); ts.Kick(key) },
		"the row is settled":  func(ts *things, _ func()) { ts.becomes(true, nil); ts.KickAll() },
		"the end is told":     func(ts *things, _ func()) { ts.Tell(key, thing{done: true}) },
		"nobody listens":      func(_ *things, stop func()) { stop() },
		"settled behind text": func(ts *things, _ func()) { ts.becomes(true, nil); ts.say("You") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ts := newThings()
				ctx, cancel := context.WithCancel(t.Context())
				states, stop := ts.Listen(ctx, key, ts.look)
				defer stop()
				<-states
				cancel() // others may listen when the first is gone
				synctest.Wait()
				end(ts, stop)
				for range states { // ends
				}
				ts.becomes(true, nil)
				again, leave := ts.Listen(t.Context(), key, ts.look)
				defer leave()
				var last thing
				for last = range again {
				}
				if !last.done {
					t.Errorf("who listens then gets %+v", last)
				}
			})
		})
	}
}

func TestWatchAfterTheEnd(t *testing.T) {
	t.Parallel()
	ts := newThings()
	ts.End()
	states, stop := ts.Listen(t.Context(), key, ts.look)
	stop()
	if _, more := <-states; more || ts.looks() != 0 {
		t.Error("a service that has stopped has a state")
	}
}

func TestWatchIsAheadOfTheRow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ts := newThings()
		ts.Tell(key, thing{text: "Nobody listens"})
		states, stop := ts.Listen(t.Context(), key, ts.look)
		defer stop()
		if got := <-states; got.text != "" {
			t.Errorf("the first state is %+v", got)
		}
		ts.say("You")
		if got := <-states; got.text != "You" {
			t.Errorf("what was said at once is %+v", got)
		}
		ts.say("You have")
		ts.say("You have 3")
		time.Sleep(2 * time.Second) // the row, which says less, is looked at
		if got := <-states; got.text != "You have 3" || got.look != 0 {
			t.Errorf("who was slow got %+v", got)
		}
		synctest.Wait() // until nobody looks
		late, leave := ts.Listen(t.Context(), key, ts.look)
		defer leave()
		select {
		case got := <-late:
			if got.text != "You have 3" {
				t.Errorf("who came later got %+v", got)
			}
		default:
			t.Error("who came later had to wait for what is known")
		}
		ts.Tell(key, thing{done: true})
	})
}

// TestWatchDeliversNothingOlder: a state that was looked up before a newer one was told does not come behind it.
func TestWatchDeliversNothingOlder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ts, begun, on := newThings(), make(chan struct{}), make(chan struct{})
		states, stop := ts.Listen(t.Context(), key, func(ctx context.Context) (thing, error) {
			state, err := ts.look(ctx)
			begun <- struct{}{}
			<-on
			return state, err
		})
		defer stop()
		<-begun
		ts.say("You have 3")
		if got := <-states; got.text != "You have 3" {
			t.Errorf("what was said is %+v", got)
		}
		on <- struct{}{}
		if got := <-states; got.text != "You have 3" {
			t.Errorf("behind it came %+v", got)
		}
		<-begun
		ts.Tell(key, thing{done: true})
		on <- struct{}{}
		if got := <-states; !got.done {
			t.Errorf("the end is %+v", got)
		}
		if got, more := <-states; more {
			t.Errorf("behind the end came %+v", got)
		}
	})
}
