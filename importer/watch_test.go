package importer

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"finsvc/queries"
)

// looks counts how often an import is looked at, which never ends unless told so.
type looks struct {
	mu    sync.Mutex
	count int
	imp   queries.Import
	err   error
}

func (l *looks) look(context.Context) (queries.Import, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count++
	l.imp.DoneRowsCount = int64(l.count)
	return l.imp, l.err
}

func (l *looks) counted() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count
}

// becomes changes what there is to see.
func (l *looks) becomes(status string, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.imp.Status, l.err = status, err
}

// left is how many imports are watched.
func (ws *watches) left() int {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	return len(ws.of)
}

func newWatches() *watches { return &watches{of: map[int64]*watch{}} }

// A bubble of synctest does not end as long as a goroutine of it runs: so each of these tests also says that
// nothing is left.

func TestWatchLooksFiveTimesASecondAtMost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ws, l := newWatches(), &looks{imp: queries.Import{Status: StatusImporting}}
		var stops []func()
		for range 100 {
			states, stop := ws.listen(t.Context(), 7, l.look)
			stops = append(stops, stop)
			go func() {
				for range states {
				}
			}()
		}
		for range 10_000 { // ten seconds
			time.Sleep(time.Millisecond) // of the bubble's clock
			ws.kick(7)
			ws.kick(8)
		}
		before := l.counted()
		if before < 49 || before > 51 {
			t.Errorf("looked %d times in ten seconds", before)
		}
		time.Sleep(10*time.Second + lookMost) // nobody kicks any more
		if slow := l.counted() - before; slow < 10 || slow > 12 {
			t.Errorf("looked %d times in ten seconds without a worker here", slow)
		}
		for _, stop := range stops {
			stop()
		}
		if ws.left() != 0 {
			t.Error("a watch is left")
		}
	})
}

func TestWatchGivesTheNewestState(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ws, l := newWatches(), &looks{imp: queries.Import{Status: StatusReverting}}
		slow, stop := ws.listen(t.Context(), 7, l.look)
		defer stop()
		time.Sleep(5500 * time.Millisecond)
		if got := <-slow; got.DoneRowsCount != 6 {
			t.Errorf("who was slow got state %d of %d", got.DoneRowsCount, l.counted())
		}
		late, leave := ws.listen(t.Context(), 7, l.look)
		if got := <-late; got.DoneRowsCount != 7 {
			t.Errorf("who came later got state %d of %d", got.DoneRowsCount, l.counted())
		}
		leave()
		leave() // does no harm
		<-slow
		l.becomes(StatusPending, nil)
		if got, more := <-slow; !more || got.Status != StatusPending {
			t.Errorf("the end: %+v, %t", got, more)
		}
		if _, more := <-slow; more || ws.left() != 0 {
			t.Error("it goes on after the end")
		}
	})
}

func TestWatchEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*watches, *looks){
		"the service stops": func(ws *watches, _ *looks) { ws.end() },
		"the import is gone": func(ws *watches, l *looks) {
			l.becomes(StatusImporting, errors.New("gone"))
			ws.kick(7)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ws, l := newWatches(), &looks{imp: queries.Import{Status: StatusImporting}}
				states, stop := ws.listen(t.Context(), 7, l.look)
				defer stop()
				<-states
				end(ws, l)
				if _, more := <-states; more {
					t.Error("it goes on")
				}
			})
		})
	}
	ws := newWatches()
	ws.end()
	states, stop := ws.listen(t.Context(), 7, new(looks).look)
	stop()
	if _, more := <-states; more {
		t.Error("a service that has stopped has a state")
	}
}
