package assistant

import (
	"context"
	"testing"
	"testing/synctest"

	"finsvc/queries"
)

func waiting(text string) Answer {
	return Answer{Message: queries.Message{PublicID: queries.PublicID{7}, Status: StatusPending, Content: text}}
}

func settled(text string) Answer {
	a := waiting(text)
	a.Status = StatusComplete
	return a
}

// rows is a message whose row says what look is given each time it is looked at.
type rows struct {
	begun chan struct{}
	row   chan Answer
}

func newRows() *rows { return &rows{begun: make(chan struct{}), row: make(chan Answer)} }

func (r *rows) look(context.Context) (Answer, error) {
	r.begun <- struct{}{}
	return <-r.row, nil
}

// knows is how many answers the hub takes for ones that are written in this process.
func (h *hub) knows() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.written)
}

// How a message is followed is tested in db; here is what a hub knows of answers beside their rows. A bubble of
// synctest does not end as long as a goroutine of it runs.

// TestHubIsAheadOfTheRow: what was read from the row before more was said does not come behind it.
func TestHubIsAheadOfTheRow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, r := newHub(), newRows()
		states, stop := h.Listen(t.Context(), queries.PublicID{7}, r.look)
		defer stop()
		<-r.begun
		r.row <- waiting("")
		if got := <-states; got.Content != "" {
			t.Errorf("the first state is %q", got.Content)
		}
		<-r.begun
		for _, text := range []string{"You", "You have 3"} {
			h.send(waiting(text))
			if got := <-states; got.Content != text {
				t.Errorf("what was said at once is %q", got.Content)
			}
		}
		r.row <- waiting("You")
		if got := <-states; got.Content != "You have 3" {
			t.Errorf("behind it came %q", got.Content)
		}
		<-r.begun
		late, leave := h.Listen(t.Context(), queries.PublicID{7}, r.look)
		if got := <-late; got.Content != "You have 3" {
			t.Errorf("who came later got %q", got.Content)
		}
		leave()
		h.send(settled("You have 3 EUR"))
		r.row <- waiting("You have 3")
		if got := <-states; got.Content != "You have 3 EUR" || got.Status != StatusComplete {
			t.Errorf("the end is %+v", got)
		}
		if got, more := <-states; more || h.knows() != 0 {
			t.Errorf("behind the end came %+v, and the hub knows of %d answers", got, h.knows())
		}
	})
}

// TestHubBelievesTheRow: where it is settled, and when the work on an answer has ended.
func TestHubBelievesTheRow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, r := newHub(), newRows()
		h.send(waiting("You have 3"))
		states, stop := h.Listen(t.Context(), queries.PublicID{7}, r.look)
		defer stop()
		if got := <-states; got.Content != "You have 3" {
			t.Errorf("the first state is %q", got.Content)
		}
		h.forget(queries.PublicID{7}) // handed back
		<-r.begun
		r.row <- waiting("")
		if got := <-states; got.Content != "" {
			t.Errorf("when it was handed back came %q", got.Content)
		}
		h.send(waiting("You"))
		<-states
		<-r.begun
		r.row <- settled("") // cancelled
		if got := <-states; got.Status != StatusComplete {
			t.Errorf("when it was cancelled came %+v", got)
		}
		if got, more := <-states; more {
			t.Errorf("behind the end came %+v", got)
		}
	})
}
