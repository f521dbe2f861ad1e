// Package watch follows rows that change: many requests listen to one, and it is read once for all of them. It promises
// that a listener gets the newest state and nothing older behind it. It must not know what a state is, nor how it is
// read.
package watch

import (
	"context"
	"sync"
	"time"
)

// How often a watched thing is looked at: at most so often when this process says that something may have happened
// to it, and at least so often in case another process does the work.
const (
	lookMost  = 200 * time.Millisecond
	lookLeast = time.Second
)

// Hub passes the states of things on to those that listen, by key: the states are of type T. However many listen to a
// thing, it is looked at once, at most five times a second. Make one with [New]. All methods may be called at the same
// time.
type Hub[K comparable, T any] struct {
	settled func(T) bool
	ahead   func(K) (T, bool)

	mu    sync.Mutex
	of    map[K]*watch[T]
	ended bool
}

// watch follows one thing.
type watch[T any] struct {
	listeners map[chan T]bool
	kicked    chan struct{}
	stop      context.CancelFunc
}

// New makes a hub of things that change no more once they are settled. Ahead, which may be nil, gives what
// this process knows of a thing that is newer than what looking at it finds, unless that is settled. It must not call
// the hub.
func New[K comparable, T any](settled func(T) bool, ahead func(K) (T, bool)) *Hub[K, T] {
	if ahead == nil {
		ahead = func(K) (none T, ok bool) { return none, false }
	}
	return &Hub[K, T]{settled: settled, ahead: ahead, of: map[K]*watch[T]{}}
}

// Listen follows a thing: what comes out of the channel is its present state, then newer ones; who is slow gets the
// newest. The channel is closed behind a state that is settled, when look fails, at [Hub.End], and when stop is
// called, which it must be. Of those who listen to a thing at the same time the first one's look is used; its context
// has the values of ctx but not its end.
func (h *Hub[K, T]) Listen(ctx context.Context, key K, look func(context.Context) (T, error)) (states <-chan T,
	stop func()) {
	listener := make(chan T, 1)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.ended {
		close(listener)
		return listener, func() {}
	}
	w := h.of[key]
	if w != nil {
		w.kick() // who comes later wants to know the state, too
	} else {
		w = h.begin(ctx, key, look)
	}
	w.listeners[listener] = true
	if state, ok := h.ahead(key); ok {
		listener <- state
	}
	return listener, func() { h.leave(key, w, listener) }
}

// begin begins to look at a thing; the caller holds the lock.
func (h *Hub[K, T]) begin(ctx context.Context, key K, look func(context.Context) (T, error)) *watch[T] {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx)) // others may listen when the first is gone
	w := &watch[T]{listeners: map[chan T]bool{}, kicked: make(chan struct{}, 1), stop: stop}
	h.of[key] = w
	go h.follow(ctx, key, w, look)
	return w
}

// leave takes a listener away; without any, nobody looks.
func (h *Hub[K, T]) leave(key K, w *watch[T], listener chan T) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if w.listeners[listener] {
		delete(w.listeners, listener)
		close(listener)
	}
	if len(w.listeners) == 0 {
		h.drop(key, w)
	}
}

// drop ends a watch; the caller holds the lock.
func (h *Hub[K, T]) drop(key K, w *watch[T]) {
	w.stop()
	for listener := range w.listeners {
		close(listener)
	}
	clear(w.listeners)
	if h.of[key] == w {
		delete(h.of, key)
	}
}

// follow looks at a thing until it is settled, gone, or nobody listens. Whoever listens need not know which.
func (h *Hub[K, T]) follow(ctx context.Context, key K, w *watch[T], look func(context.Context) (T, error)) {
	for {
		state, err := look(ctx)
		h.looked(key, w, state, err)
		if !w.pause(ctx) {
			return
		}
	}
}

// looked passes on what was found, unless more is known by now: that is asked under the lock, for a newer state may
// have been told since the look began.
func (h *Hub[K, T]) looked(key K, w *watch[T], state T, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err != nil {
		h.drop(key, w)
		return
	}
	if !h.settled(state) {
		if newer, ok := h.ahead(key); ok {
			state = newer
		}
	}
	h.deliver(key, w, state)
}

// deliver passes a state on to all who listen; the caller holds the lock.
func (h *Hub[K, T]) deliver(key K, w *watch[T], state T) {
	for listener := range w.listeners {
		select {
		case <-listener: // a state that nobody has taken is out of date
		default:
		}
		listener <- state
	}
	if h.settled(state) {
		h.drop(key, w)
	}
}

// pause waits until it is time to look again; false when nobody listens any more.
func (w *watch[T]) pause(ctx context.Context) bool {
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

func (w *watch[T]) kick() {
	select {
	case w.kicked <- struct{}{}:
	default: // it knows already
	}
}

// Tell passes a state on at once; nothing comes behind one that is settled. Any other must be what ahead gives before
// it is told, and until a newer one or the row has it: then nothing older comes behind it.
func (h *Hub[K, T]) Tell(key K, state T) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if w := h.of[key]; w != nil {
		h.deliver(key, w, state)
	}
}

// Kick has a thing looked at: something may have happened to it.
func (h *Hub[K, T]) Kick(key K) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if w := h.of[key]; w != nil {
		w.kick()
	}
}

// KickAll has everything looked at that is watched.
func (h *Hub[K, T]) KickAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, w := range h.of {
		w.kick()
	}
}

// Begin lets requests listen, which they may from the first; it undoes [Hub.End].
func (h *Hub[K, T]) Begin() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = false
}

// End closes every watch, and those that come later at once.
func (h *Hub[K, T]) End() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.ended = true
	for key, w := range h.of {
		h.drop(key, w)
	}
}
