package middleware

import (
	"context"
	"log/slog"
	"net"
	"testing"

	"finsvc/handlers/apitest"
	"finsvc/handlers/wire"
)

// listening is a rig behind a listener of its own, with the limits that a test wants.
type listening struct {
	*rig
	apitest.Dialer
	connections *Connections
}

// listen serves the rig as the program does.
func (g *rig) listen(t *testing.T, limits ConnectionLimits, pace pace) *listening {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	quiet := slog.New(slog.DiscardHandler)
	connections := NewConnections(limits, nil, quiet)
	server := newHTTPServer(context.WithoutCancel(t.Context()), g.Server, "", quiet, connections, pace)
	go func() { _ = server.Serve(connections.Limit(listener)) }()
	t.Cleanup(func() { _ = server.Close() })
	return &listening{g, apitest.Dialer{Address: listener.Addr().String()}, connections}
}

// blocking answers when it is let go.
func blocking(began chan<- bool, release <-chan struct{}) Handler {
	return func(a *wire.Answer, _ *wire.Request) error {
		began <- true
		<-release
		a.Message("done")
		return nil
	}
}
