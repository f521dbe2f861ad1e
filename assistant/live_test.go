package assistant

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"finsvc/queries"
)

// looks counts how often the row of a message is looked at, which waits for its answer unless told otherwise.
type looks struct {
	mu    sync.Mutex
	count int
	row   Answer
	err   error
}

func (l *looks) look(context.Context) (Answer, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.count++
	return l.row, l.err
}

func (l *looks) set(row Answer, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.row, l.err = row, err
}

func (l *looks) times() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.count
}

func waiting(text string) Answer {
	return Answer{Message: queries.Message{PublicID: queries.PublicID{7}, Status: StatusPending, Content: text}}
}

func settled(text string) Answer {
	a := waiting(text)
	a.Status = StatusComplete
	return a
}

func TestHubLooksAtRows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, l := newHub(), &looks{row: waiting("")}
		var stops []func()
		for range 100 {
			states, stop := h.listen(t.Context(), queries.PublicID{7}, l.look)
			stops = append(stops, stop)
			go func() {
				for range states {
				}
			}()
		}
		for range 10_000 { // ten seconds
			time.Sleep(time.Millisecond) // of the bubble's clock
			h.kickAll()
		}
		if n := l.times(); n < 49 || n > 51 {
			t.Errorf("looked %d times in ten seconds", n)
		}
		before := l.times()
		time.Sleep(10*time.Second + lookMost) // nobody kicks any more
		if slow := l.times() - before; slow < 10 || slow > 12 {
			t.Errorf("looked %d times in ten seconds without a worker here", slow)
		}
		for _, stop := range stops {
			stop()
			stop() // does no harm
		}
		if len(h.watches) != 0 {
			t.Error("a watch is left")
		}
	})
}

func TestHubIsAheadOfTheRow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, l := newHub(), &looks{row: waiting("")}
		states, stop := h.listen(t.Context(), queries.PublicID{7}, l.look)
		defer stop()
		if got := <-states; got.Content != "" {
			t.Errorf("the first state is %q", got.Content)
		}
		h.tell(waiting("You"))
		if got := <-states; got.Content != "You" {
			t.Errorf("what was said at once is %q", got.Content)
		}
		h.tell(waiting("You have"))
		h.tell(waiting("You have 3"))
		time.Sleep(2 * time.Second) // the row, which says less, is looked at
		if got := <-states; got.Content != "You have 3" {
			t.Errorf("who was slow got %q", got.Content)
		}
		late, leave := h.listen(t.Context(), queries.PublicID{7}, l.look)
		if got := <-late; got.Content != "You have 3" {
			t.Errorf("who came later got %q", got.Content)
		}
		leave()
		h.tell(settled("You have 3 EUR"))
		for got := range states {
			if got.Content == "You have 3" {
				continue // it was looked at for who came later
			}
			if got.Content != "You have 3 EUR" {
				t.Errorf("the end is %q", got.Content)
			}
		}
		if len(h.watches)+len(h.written) != 0 {
			t.Error("something is left")
		}
	})
}

func TestHubEnds(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*hub, *looks){
		"the service stops":        func(h *hub, _ *looks) { h.end() },
		"the message is gone":      func(h *hub, l *looks) { l.set(Answer{}, errors.New("gone")); h.forget(queries.PublicID{7}) },
		"the message is cancelled": func(h *hub, l *looks) { l.set(settled(""), nil); h.tell(waiting("You")); h.kickAll() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				h, l := newHub(), &looks{row: waiting("")}
				states, stop := h.listen(t.Context(), queries.PublicID{7}, l.look)
				defer stop()
				<-states
				synctest.Wait()
				end(h, l)
				for range states { // ends
				}
			})
		})
	}
}

func TestHubBeginsAgain(t *testing.T) {
	t.Parallel()
	h := newHub()
	h.end()
	states, stop := h.listen(t.Context(), queries.PublicID{7}, new(looks).look)
	stop()
	if _, more := <-states; more {
		t.Error("a service that has stopped has a state")
	}
	h.begin()
	states, stop = h.listen(t.Context(), queries.PublicID{7}, (&looks{row: settled("Yes")}).look)
	defer stop()
	if got := <-states; got.Content != "Yes" {
		t.Errorf("the state is %q", got.Content)
	}
	if _, more := <-states; more {
		t.Error("it goes on after the end")
	}
}
