package assistant

import (
	"sync"

	"finsvc/db/watch"
	"finsvc/queries"
)

// hub passes answers on to who watches them: those that are written in this process at once, ahead of their rows;
// those of others, and those that wait, from their rows.
type hub struct {
	*watch.Hub[queries.PublicID, Answer]

	mu      sync.Mutex                  // taken while the watches hold their own lock, never the other way round
	written map[queries.PublicID]Answer // in this process, just now
}

func newHub() *hub {
	h := &hub{written: map[queries.PublicID]Answer{}}
	h.Hub = watch.New(func(a Answer) bool { return a.Status != StatusPending }, h.newest)
	return h
}

// newest is how far the worker is, if it is in this process.
func (h *hub) newest(id queries.PublicID) (Answer, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	a, ok := h.written[id]
	return a, ok
}

// send passes on how far the worker is; behind a settled answer nothing comes. The order keeps a row that was read
// before from coming between: a text is known before it is told, and known until the settled answer is told.
func (h *hub) send(a Answer) {
	if a.Status == StatusPending {
		h.remember(a)
		h.Tell(a.PublicID, a)
		return
	}
	h.Tell(a.PublicID, a)
	h.forget(a.PublicID)
}

func (h *hub) remember(a Answer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.written[a.PublicID] = a
}

// forget is told when the work on an answer has ended in whatever way: its row says what there is to know.
func (h *hub) forget(id queries.PublicID) {
	h.mu.Lock()
	delete(h.written, id)
	h.mu.Unlock()
	h.Kick(id)
}
