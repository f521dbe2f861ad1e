package db

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

// Watches are the things that somebody watches, rows as a rule, by key: their states are of type T. However many
// listen to a thing, it is looked at once, at most five times a second. Make them with [NewWatches]. All methods may
// be called at the same time.
type Watches[K comparable, T any] struct {
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

// NewWatches makes watches of things that change no more once they are settled. Ahead, which may be nil, gives what
// this process knows of a thing that is newer than what looking at it finds, unless that is settled. It must not call
// the watches.
func NewWatches[K comparable, T any](settled func(T) bool, ahead func(K) (T, bool)) *Watches[K, T] {
	if ahead == nil {
		ahead = func(K) (none T, ok bool) { return none, false }
	}
	return &Watches[K, T]{settled: settled, ahead: ahead, of: map[K]*watch[T]{}}
}

// Listen follows a thing: what comes out of the channel is its present state, then newer ones; who is slow gets the
// newest. The channel is closed behind a state that is settled, when look fails, at [Watches.End], and when stop is
// called, which it must be. Of those who listen to a thing at the same time the first one's look is used; its context
// has the values of ctx but not its end.
func (ws *Watches[K, T]) Listen(ctx context.Context, key K, look func(context.Context) (T, error)) (states <-chan T, stop func()) {
	listener := make(chan T, 1)
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if ws.ended {
		close(listener)
		return listener, func() {}
	}
	w := ws.of[key]
	if w != nil {
		w.kick() // who comes later wants to know the state, too
	} else {
		w = ws.begin(ctx, key, look)
	}
	w.listeners[listener] = true
	if state, ok := ws.ahead(key); ok {
		listener <- state
	}
	return listener, func() { ws.leave(key, w, listener) }
}

// begin begins to look at a thing; the caller holds the lock.
func (ws *Watches[K, T]) begin(ctx context.Context, key K, look func(context.Context) (T, error)) *watch[T] {
	ctx, stop := context.WithCancel(context.WithoutCancel(ctx)) // others may listen when the first is gone
	w := &watch[T]{listeners: map[chan T]bool{}, kicked: make(chan struct{}, 1), stop: stop}
	ws.of[key] = w
	go ws.follow(ctx, key, w, look)
	return w
}

// leave takes a listener away; without any, nobody looks.
func (ws *Watches[K, T]) leave(key K, w *watch[T], listener chan T) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if w.listeners[listener] {
		delete(w.listeners, listener)
		close(listener)
	}
	if len(w.listeners) == 0 {
		ws.drop(key, w)
	}
}

// drop ends a watch; the caller holds the lock.
func (ws *Watches[K, T]) drop(key K, w *watch[T]) {
	w.stop()
	for listener := range w.listeners {
		close(listener)
	}
	clear(w.listeners)
	if ws.of[key] == w {
		delete(ws.of, key)
	}
}

// follow looks at a thing until it is settled, gone, or nobody listens. Whoever listens need not know which.
func (ws *Watches[K, T]) follow(ctx context.Context, key K, w *watch[T], look func(context.Context) (T, error)) {
	for {
		state, err := look(ctx)
		ws.looked(key, w, state, err)
		if !w.pause(ctx) {
			return
		}
	}
}

// looked passes on what was found, unless more is known by now: that is asked under the lock, for a newer state may
// have been told since the look began.
func (ws *Watches[K, T]) looked(key K, w *watch[T], state T, err error) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if err != nil {
		ws.drop(key, w)
		return
	}
	if !ws.settled(state) {
		if newer, ok := ws.ahead(key); ok {
			state = newer
		}
	}
	ws.deliver(key, w, state)
}

// deliver passes a state on to all who listen; the caller holds the lock.
func (ws *Watches[K, T]) deliver(key K, w *watch[T], state T) {
	for listener := range w.listeners {
		select {
		case <-listener: // a state that nobody has taken is out of date
		default:
		}
		listener <- state
	}
	if ws.settled(state) {
		ws.drop(key, w)
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
func (ws *Watches[K, T]) Tell(key K, state T) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if w := ws.of[key]; w != nil {
		ws.deliver(key, w, state)
	}
}

// Kick has a thing looked at: something may have happened to it.
func (ws *Watches[K, T]) Kick(key K) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if w := ws.of[key]; w != nil {
		w.kick()
	}
}

// KickAll has everything looked at that is watched.
func (ws *Watches[K, T]) KickAll() {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for _, w := range ws.of {
		w.kick()
	}
}

// Begin lets people listen, which they may from the first; it undoes [Watches.End].
func (ws *Watches[K, T]) Begin() {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.ended = false
}

// End closes every watch, and those that come later at once.
func (ws *Watches[K, T]) End() {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.ended = true
	for key, w := range ws.of {
		ws.drop(key, w)
	}
}
