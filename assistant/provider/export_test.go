package provider

import (
	"context"
	"finsvc/assistant/model"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
)

// ResolveAt has the names of providers looked up at a server of the test's own.
func (r *Client) ResolveAt(address string) {
	transport, ok := r.transport.http.Transport.(*http.Transport)
	if !ok {
		panic("another transport")
	}
	dialer := newDialer(r.o)
	dialer.Resolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", address)
	}}
	transport.DialContext = dialer.DialContext
}

// LeaveOutThoughts gives what of the pieces of an answer belongs to it.
func LeaveOutThoughts(pieces ...string) string {
	var t thinkFilter
	var text strings.Builder
	for _, piece := range pieces {
		text.WriteString(t.leaveOut(piece))
	}
	return text.String()
}

// RetryAfter is what a provider's headers ask for.
func RetryAfter(h http.Header) time.Duration { return retryAfter(h) }

// Hear reads the body of an answer as a client does, without a connection.
func Hear(body string) (model.Reply, []string, error) {
	r, err := New(Options{URL: "http://localhost", Model: "small"})
	if err != nil {
		return model.Reply{}, nil, err
	}
	var pieces []string
	reply, err := r.listen(context.Background(), canned(body), model.Prompt{}, form{tools: true}, func(text string) error {
		pieces = append(pieces, text)
		return nil
	})
	return reply, pieces, err
}

// canned is the answer with a body that came without a connection.
func canned(text string) *events {
	never := time.AfterFunc(time.Hour, func() {})
	body := &guarded{body: io.NopCloser(strings.NewReader(text)), ctx: context.Background(), silence: never, patience: time.Hour, left: maxAnswer}
	body.end = func() { never.Stop() }
	return newEvents(body)
}
