package assistant

import (
	"context"
	"sync"
	"time"

	"finsvc/queries"
)

// How often a watched message is looked at: at most so often when something may have happened to it, and at least so
// often in case another process answers.
const (
	lookMost  = 200 * time.Millisecond
	lookLeast = time.Second
)

// hub passes answers on to who watches them: those that are written in this process at once, ahead of their rows;
// those of others, and those that wait, from their rows. However many watch a message, its row is looked at once.
type hub struct {
	mu      sync.Mutex
	written map[queries.PublicID]Answer // in this process, just now
	watches map[queries.PublicID]*watch
	ended   bool
}

func newHub() *hub {
	return &hub{written: map[queries.PublicID]Answer{}, watches: map[queries.PublicID]*watch{}}
}

// watch follows one message.
type watch struct {
	listeners map[chan Answer]bool
	kicked    chan struct{}
	stop      context.CancelFunc
}

// tell passes on how far the worker is; behind a settled answer nothing comes.
func (h *hub) tell(a Answer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if a.Status == StatusPending {
		h.written[a.PublicID] = a
	} else {
		delete(h.written, a.PublicID)
	}
	h.deliver(a)
}

// forget is told when the work on an answer has ended in whatever way: its row says what there is to know.
func (h *hub) forget(id queries.PublicID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.written, id)
	h.kick(id)
}

// deliver passes a state on to all who watch the message; the caller holds the lock.
func (h *hub) deliver(a Answer) {
	id := a.PublicID
	w := h.watches[id]
	if w == nil {
		return
	}
	for listener := range w.listeners {
		select {
		case <-listener: // a state that nobody has taken is out of date
		default:
		}
		listener <- a
	}
	if a.Status != StatusPending {
		h.drop(id, w)
	}
}

// listen adds a listener to a message; the first one begins to look.
func (h *hub) listen(ctx context.Context, id queries.PublicID, look func(context.Context) (Answer, error)) (<-chan Answer, func()) {
	listener := make(chan Answer, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		close(listener)
		return listener, func() {}
	}
	w := h.watches[id]
	if w == nil {
		ctx, stop := context.WithCancel(context.WithoutCancel(ctx)) // others may listen when the first is gone
		w = &watch{listeners: map[chan Answer]bool{}, kicked: make(chan struct{}, 1), stop: stop}
		h.watches[id] = w
		go h.follow(ctx, id, w, look)
	}
	w.listeners[listener] = true
	if a, ok := h.written[id]; ok {
		listener <- a
	}
	w.kick() // who comes later wants to know the state, too
	return listener, func() { h.leave(id, w, listener) }
}

// leave takes a listener away; without any, nobody looks.
func (h *hub) leave(id queries.PublicID, w *watch, listener chan Answer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if w.listeners[listener] {
		delete(w.listeners, listener)
		close(listener)
	}
	if len(w.listeners) == 0 {
		h.drop(id, w)
	}
}

// drop ends a watch; the caller holds the lock.
func (h *hub) drop(id queries.PublicID, w *watch) {
	w.stop()
	for listener := range w.listeners {
		close(listener)
	}
	clear(w.listeners)
	if h.watches[id] == w {
		delete(h.watches, id)
	}
}

// follow looks at a message until it is settled, gone, or nobody listens. Whoever listens need not know which.
func (h *hub) follow(ctx context.Context, id queries.PublicID, w *watch, look func(context.Context) (Answer, error)) {
	for {
		a, err := look(ctx)
		h.looked(id, w, a, err)
		if !w.pause(ctx) {
			return
		}
	}
}

// looked passes on what the row says, unless the worker is in this process and knows more.
func (h *hub) looked(id queries.PublicID, w *watch, a Answer, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.watches[id] != w {
		return
	}
	if err != nil {
		h.drop(id, w)
		return
	}
	if fresh, ok := h.written[id]; ok && a.Status == StatusPending {
		a = fresh
	}
	h.deliver(a)
}

// pause waits until it is time to look again; false when nobody listens any more.
func (w *watch) pause(ctx context.Context) bool {
	soonest, latest := time.After(lookMost), time.After(lookLeast)
	select {
	case <-soonest:
	case <-ctx.Done():
		return false
	}
	select {
	case <-w.kicked:
	case <-latest:
	case <-ctx.Done():
		return false
	}
	return true
}

func (w *watch) kick() {
	select {
	case w.kicked <- struct{}{}:
	default: // it knows already
	}
}

// kick has the row of a message looked at; the caller holds the lock.
func (h *hub) kick(id queries.PublicID) {
	if w := h.watches[id]; w != nil {
		w.kick()
	}
}

// kickAll has every watched row looked at: something may have happened to it.
func (h *hub) kickAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, w := range h.watches {
		w.kick()
	}
}

// begin lets people watch, end closes every watch, and those that come later at once.
func (h *hub) begin() { h.set(false) }
func (h *hub) end()   { h.set(true) }

func (h *hub) set(ended bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = ended
	for id, w := range h.watches {
		if ended {
			h.drop(id, w)
		}
	}
}
