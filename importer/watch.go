package importer

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// How often a watched import is looked at: at most so often when the worker is in this process and says that it got
// on, and at least so often in case another process does the work.
const (
	lookMost  = 200 * time.Millisecond
	lookLeast = time.Second
)

// watches are the imports that somebody watches, by inner key. However many listen to an import, it is looked at once.
type watches struct {
	mu    sync.Mutex
	of    map[int64]*watch
	ended bool
}

// watch follows one import.
type watch struct {
	listeners map[chan queries.Import]bool
	kicked    chan struct{}
	stop      context.CancelFunc
}

// Watch follows an import: what comes out of the channel is its present state, then each newer one, at most five a
// second; who is slow gets the newest. The channel is closed behind a state in which nothing is to be done, and
// when stop is called, which it must be, or [Importer.Run] ends.
func (im *Importer) Watch(ctx context.Context, who ledger.Actor, id uuid.UUID) (states <-chan queries.Import, stop func(), err error) {
	imp, err := im.Get(ctx, who, id)
	if err != nil {
		return nil, nil, err
	}
	states, stop = im.watches.listen(ctx, imp.ID, func(ctx context.Context) (queries.Import, error) { return im.Get(ctx, who, id) })
	return states, stop, nil
}

// listen adds a listener to an import; the first one begins to look.
func (ws *watches) listen(ctx context.Context, key int64, look func(context.Context) (queries.Import, error)) (<-chan queries.Import, func()) {
	listener := make(chan queries.Import, 1)
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
		ctx, stop := context.WithCancel(context.WithoutCancel(ctx)) // others may listen when the first is gone
		w = &watch{listeners: map[chan queries.Import]bool{}, kicked: make(chan struct{}, 1), stop: stop}
		ws.of[key] = w
		go ws.follow(ctx, key, w, look)
	}
	w.listeners[listener] = true
	return listener, func() { ws.leave(key, w, listener) }
}

// leave takes a listener away; without any, nobody looks.
func (ws *watches) leave(key int64, w *watch, listener chan queries.Import) {
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
func (ws *watches) drop(key int64, w *watch) {
	w.stop()
	for listener := range w.listeners {
		close(listener)
	}
	clear(w.listeners)
	if ws.of[key] == w {
		delete(ws.of, key)
	}
}

// follow looks at an import until it is settled or nobody listens. An import that is gone ends the watch; it makes
// no difference to a listener why.
func (ws *watches) follow(ctx context.Context, key int64, w *watch, look func(context.Context) (queries.Import, error)) {
	for {
		imp, err := look(ctx)
		if !ws.tell(key, w, imp, err) || !w.pause(ctx) {
			return
		}
	}
}

// tell passes a state on; false when it was the last one.
func (ws *watches) tell(key int64, w *watch, imp queries.Import, err error) bool {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	for listener := range w.listeners {
		if err != nil {
			break
		}
		select {
		case <-listener: // a state that nobody has taken is out of date
		default:
		}
		listener <- imp
	}
	if err != nil || !Working(&imp) {
		ws.drop(key, w)
		return false
	}
	return true
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

// kick says that an import got on.
func (ws *watches) kick(key int64) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if w := ws.of[key]; w != nil {
		w.kick()
	}
}

// end closes every watch, and those that come later at once; begin undoes that.
func (ws *watches) end() {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.ended = true
	for key, w := range ws.of {
		ws.drop(key, w)
	}
}

func (ws *watches) begin() {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	ws.ended = false
}
