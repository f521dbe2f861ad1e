package middleware

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"

	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/tenant"
)

const (
	// requestsPerKey is how many requests of one key may be answered at a time. The database has one writer and a few
	// readers: more at once are answered no sooner.
	requestsPerKey = 128
	// streamsPerKey is how many of these may be streams: a page that is left open has one or two.
	streamsPerKey = 32
	// streamsMost is how many streams there may be of all keys, and streamsReserve how many of these are for keys that
	// have none.
	streamsMost    = 256
	streamsReserve = 64
	// checkKeyEvery is how often a stream looks whether its key is still valid. It costs a question to the database of
	// a few microseconds.
	checkKeyEvery = 500 * time.Millisecond
)

// inFlight are the requests that are being answered, by the id of their key.
type inFlight struct {
	mu      sync.Mutex
	keys    map[int64]*load
	streams int
}

// enter counts a request of a key, until leave. A request that came on a place of the reserve is one too many if its
// key has another one running.
func (f *inFlight) enter(a *wire.Answer, r *inbound) error {
	spare := onReserve(r.Request.Request)
	if spare {
		a.Header().Set("Connection", "close") // the place is for the next one
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	of := f.keys[r.Session.KeyID]
	switch {
	case of == nil:
		if f.keys == nil {
			f.keys = map[int64]*load{}
		}
		of = new(load)
		f.keys[r.Session.KeyID] = of
	case spare:
		return errTooManyConnections()
	case of.requests >= requestsPerKey:
		return tooManyAtOnce(a, "requests", requestsPerKey)
	}
	of.requests++
	r.load = of
	return nil
}

// stream counts a request that was entered as a stream, too, until the end that it gives.
func (f *inFlight) stream(a *wire.Answer, r *wire.Request) (end func(), err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	of := f.keys[r.Session.KeyID]
	switch {
	case of.streams >= streamsPerKey:
		return nil, tooManyAtOnce(a, "streams", streamsPerKey)
	case f.streams >= streamsMost, f.streams >= streamsMost-streamsReserve && of.streams > 0:
		return nil, &ledger.Error{Kind: ledger.Unavailable, Code: "unavailable",
			Message: "too many streams are open; close some, or ask for the state instead"}
	}
	of.streams++
	f.streams++
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		of.streams--
		f.streams--
	}, nil
}

// leave is the end of a request, whether it was entered or not.
func (f *inFlight) leave(r *inbound) {
	if r.load == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.load.requests--; r.load.requests == 0 {
		delete(f.keys, r.Session.KeyID)
	}
}

func tooManyAtOnce(a *wire.Answer, what string, most int) error {
	a.Header().Set("Retry-After", "1")
	return &ledger.Error{Kind: ledger.RateLimited, Code: "rate_limit_exceeded",
		Message: "this key may have " + strconv.Itoa(most) + " " + what + " open at a time; close some first",
		Details: map[string]any{"limit": most, "current": most, "reset_in_seconds": 1}}
}

func errTooManyConnections() error {
	return &ledger.Error{Kind: ledger.Unavailable, Code: "unavailable",
		Message: "too many connections are open; nothing was written, send it again in a moment"}
}

// Streams are answers that last: they are counted, and end with their key.
type Streams struct {
	inFlight *inFlight
	check    func(context.Context, *tenant.Session) error // whether a key still opens anything
}

// Begin counts a request as a stream, and ends its context when its key opens nothing any more: when it was revoked or
// has expired, or its user or household is gone. End, which must be called, waits until nothing uses the connection.
func (s *Streams) Begin(a *wire.Answer, r *wire.Request) (end func(), err error) {
	leave, err := s.inFlight.stream(a, r)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(r.Context())
	r.Request = r.WithContext(ctx)
	a.Request = r.Request
	var watching sync.WaitGroup
	watching.Go(func() { s.watchKey(ctx, cancel, a, r.Session) })
	return func() {
		cancel(nil)
		watching.Wait()
		leave()
		// for the end of the stream, and what comes on the connection
		_ = http.NewResponseController(a.W).SetWriteDeadline(time.Now().Add(wire.SendTimeout))
	}, nil
}

func (s *Streams) watchKey(ctx context.Context, cancel context.CancelCauseFunc, a *wire.Answer,
	session *tenant.Session) {
	ticker := time.NewTicker(checkKeyEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := s.check(ctx, session); ledger.IsKind(err, ledger.Unauthorized) {
			cancel(err)
			// for a client that does not read
			_ = http.NewResponseController(a.W).SetWriteDeadline(time.Now().Add(checkKeyEvery / 2))
			return
		}
	}
}
