package middleware

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"finsvc/handlers/wire"
)

const (
	// arrivalTime is how long a server that stops waits for the rest of bodies.
	arrivalTime = 2 * time.Second
	// arrivalTick is how often it looks whether there are any.
	arrivalTick = 50 * time.Millisecond
)

// pace is how slowly a body may arrive. A client has credit, which time takes and bytes give back; without any, its
// request is given up.
type pace struct {
	floor int           // bytes a second that keep the credit as it is
	begin time.Duration // credit at first
	most  time.Duration
	rest  time.Duration // for what nobody reads of a body, from the end of the work on
}

// usualPace lets an honest client through on a line of the slowest kind that is still in use: GPRS has 2 to 5 kB a
// second. A phone may take seconds to wake its radio, and half a minute to change its cell or network once it has sent
// something. Whoever sends less holds a connection and a goroutine, and costs nobody more than that for as long as the
// credit lasts.
func usualPace() pace {
	return pace{floor: 1 << 10, begin: 10 * time.Second, most: 30 * time.Second, rest: 2 * time.Second}
}

// arrivals are the requests that have not arrived as a whole. A server that stops finishes what it was asked, and does
// not wait for clients that are slow, or stuck in the middle of a request.
type arrivals struct {
	pace   pace
	mu     sync.Mutex
	coming map[interruptible]bool // true: the head was read
	cut    bool
}

// interruptible is what a request is read from: a connection, or a stream of one.
type interruptible interface{ SetReadDeadline(time.Time) error }

// arrivalKey finds the connection of a request in its context.
type arrivalKey struct{}

// noteConn follows a connection: it is new until the head of its first request was read, active until that is
// answered, and idle before the next one.
func (c *arrivals) noteConn(conn net.Conn, state http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch state {
	case http.StateNew:
		c.coming[conn] = false
	case http.StateActive:
		c.coming[conn] = true
	default:
		delete(c.coming, conn)
	}
	if secure, ok := conn.(*tls.Conn); ok && state == http.StateActive &&
		secure.ConnectionState().NegotiatedProtocol == "h2" {
		delete(c.coming, conn) // other requests are answered on it; each is noted for itself
	}
}

// noting is the handler, with bodies watched until they are read.
func (c *arrivals) noting(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		from, _ := r.Context().Value(arrivalKey{}).(interruptible)
		if r.ProtoMajor > 1 {
			from = http.NewResponseController(w)
		}
		if r.ContentLength == 0 {
			c.arrived(from)
			h.ServeHTTP(w, r)
			return
		}
		if r.ProtoMajor > 1 {
			c.begin(from)
			defer c.arrived(from)
		}
		watched := *r
		watched.Body = &arrivingBody{ReadCloser: r.Body, arrivals: c, from: from, credit: c.pace.begin,
			until: time.Now().Add(bodyTimeout)}
		h.ServeHTTP(w, &watched)
	})
}

func (c *arrivals) begin(from interruptible) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.coming[from] = true
}

func (c *arrivals) arrived(from interruptible) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.coming, from)
}

// end cuts heads short at once, as the server no longer answers what is behind them, and bodies after a while.
func (c *arrivals) end() {
	ticker := time.NewTicker(arrivalTick)
	defer ticker.Stop()
	late := time.Now().Add(arrivalTime)
	for c.interrupt(time.Now().After(late)) {
		<-ticker.C
	}
}

// interrupt cuts short what has not arrived, and reports whether anything is still coming.
func (c *arrivals) interrupt(bodies bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cut = c.cut || bodies
	for from, headRead := range c.coming {
		if bodies || !headRead {
			_ = from.SetReadDeadline(time.Unix(1, 0)) // one that cannot is closed already
		}
	}
	return len(c.coming) > 0
}

// allow gives a body until then to bring something, unless it was cut short.
func (c *arrivals) allow(from interruptible, until time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.cut {
		_ = from.SetReadDeadline(until) // one that cannot is closed already
	}
}

func (c *arrivals) wasCut() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cut
}

// arrivingBody notes when a body has arrived, and ends one that arrives too slowly.
type arrivingBody struct {
	io.ReadCloser
	arrivals *arrivals
	from     interruptible
	credit   time.Duration
	until    time.Time // the body must be there by then, however fast it is
	ended    bool
}

// Read reads the body. The time between reads is not the client's.
func (b *arrivingBody) Read(p []byte) (int, error) {
	if b.ended {
		return b.ReadCloser.Read(p)
	}
	began := time.Now()
	late := began.Add(b.credit)
	if b.until.Before(late) {
		late = b.until
	}
	b.arrivals.allow(b.from, late)
	n, err := b.ReadCloser.Read(p)
	b.credit += time.Duration(n)*time.Second/time.Duration(b.arrivals.pace.floor) - time.Since(began)
	b.credit = min(b.credit, b.arrivals.pace.most)
	if err == io.EOF {
		b.ended = true
		b.arrivals.allow(b.from, b.until) // what is read from now on is whether the client is still there
		b.arrivals.arrived(b.from)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) && b.arrivals.wasCut() {
		return n, wire.ErrStopping(err)
	}
	return n, err
}
