package provider

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// Limits of what a provider may do.
const (
	dialTimeout    = 10 * time.Second
	maxAnswer      = 8 << 20  // bytes
	maxAnswerLine  = 1 << 20  // bytes
	maxErrorBody   = 64 << 10 // bytes of it that are looked at
	maxHeader      = 64 << 10 // bytes
	answerTimeouts = 10       // an answer may take as many times the timeout
	lastPatience   = 500 * time.Millisecond
)

// What a provider did wrong.
var (
	errQuiet    = errors.New("the provider was silent for too long")
	errEndless  = errors.New("the answer took too long")
	errTooLarge = errors.New("the answer is too large")
	errGarbled  = errors.New("the answer is not in the protocol")
	errNoChoice = errors.New("the answer has no choices")
	errNotLocal = errors.New("the provider's address is neither loopback nor private, and only such are allowed")
)

// cutError is a connection that broke while an answer came.
type cutError struct{ err error }

func (e cutError) Error() string { return "the answer was cut off: " + e.err.Error() }

func (e cutError) Unwrap() error { return e.err }

// transport sends requests and guards what comes back: its time, its size, its form.
type transport struct {
	http    *http.Client
	timeout time.Duration
}

// newTransport makes a client that stays where it is sent: it follows no redirects, as a key must not go to another
// host. It speaks HTTP/1.1 only: the errors of net/http's HTTP/2 have no types to tell them apart by.
func newTransport(o Options) *transport {
	way := &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: newDialer(o).DialContext, TLSHandshakeTimeout: dialTimeout,
		MaxIdleConnsPerHost: 16, IdleConnTimeout: 90 * time.Second,
		MaxResponseHeaderBytes: maxHeader,
		DisableCompression:     true, // a compressed stream comes late
	}
	if o.LocalOnly {
		way.Proxy = nil // it may stand anywhere, and it would dial
	}
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &transport{http: &http.Client{Transport: way, CheckRedirect: stay}, timeout: o.Timeout}
}

func newDialer(o Options) *net.Dialer {
	dialer := &net.Dialer{Timeout: dialTimeout}
	if o.LocalOnly {
		dialer.ControlContext = onlyLocal
	}
	return dialer
}

// onlyLocal looks at the address that is really dialed, whatever name led to it.
func onlyLocal(_ context.Context, _, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if err != nil || !isLocal(host) {
		return errNotLocal
	}
	return nil
}

// isLocal reports whether text is the number of this machine or of one in a private network. What is unspecified means
// this machine.
func isLocal(text string) bool {
	ip, err := netip.ParseAddr(text)
	ip = ip.Unmap()
	return err == nil && (ip.IsLoopback() || ip.IsPrivate() || ip.IsUnspecified())
}

// send sends a request. An answer with another status than 200 is an error, an [Error].
func (w *transport) send(req *http.Request) (*events, error) {
	ctx, cancel := context.WithCancelCause(req.Context())
	ctx, stop := context.WithTimeoutCause(ctx, answerTimeouts*w.timeout, errEndless)
	silence := time.AfterFunc(w.timeout, func() { cancel(errQuiet) })
	resp, err := w.http.Do(req.WithContext(ctx))
	silence.Stop()
	if err != nil {
		err = causeOf(ctx, err)
		stop()
		cancel(nil)
		return nil, err
	}
	body := &guarded{body: resp.Body, ctx: ctx, silence: silence, patience: w.timeout, left: maxAnswer}
	body.end = func() { silence.Stop(); stop(); cancel(nil) }
	if resp.StatusCode != http.StatusOK {
		defer body.Close()
		return nil, readProviderError(resp, body)
	}
	return newEvents(body), nil
}

// causeOf is why something ended: the reason that was given for its context, else its error.
func causeOf(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// guarded is a body whose reader waits only so long for each piece, and takes only so much.
type guarded struct {
	body     io.ReadCloser
	ctx      context.Context
	silence  *time.Timer
	patience time.Duration
	left     int
	broken   error // with which the body ended; io.EOF when it was well
	end      func()
}

// Read reads a piece.
func (g *guarded) Read(p []byte) (int, error) {
	if g.broken != nil {
		return 0, g.broken
	}
	g.silence.Reset(g.patience)
	n, err := g.body.Read(p)
	g.silence.Stop()
	g.left -= n
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		err = cutError{causeOf(g.ctx, err)}
	case g.left < 0:
		err = errTooLarge
	}
	g.broken = err
	return n, err
}

// Close ends the request.
func (g *guarded) Close() error {
	err := g.body.Close()
	g.end()
	return err
}
