package cmd

import (
	"errors"
	"net"
	"testing"
)

// TestConnectionsAreLimited: one more than there may be waits until another one has gone, and a listener that is closed ends the waiting.
func TestConnectionsAreLimited(t *testing.T) {
	t.Parallel()
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	listener := limitConnections(inner, 1)
	for range 3 {
		client, err := net.Dial("tcp", inner.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
	}
	accepted := make(chan net.Conn)
	failed := make(chan error)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				failed <- err
				return
			}
			accepted <- conn
		}
	}()
	for range 2 {
		conn := <-accepted
		if n := len(listener.(*limitedListener).taken); n != 1 {
			t.Errorf("%d connections are counted", n)
		}
		_ = conn.Close()
		_ = conn.Close() // counts once
	}
	last := <-accepted
	if err := listener.Close(); err != nil {
		t.Error(err)
	}
	if err := <-failed; !errors.Is(err, net.ErrClosed) {
		t.Errorf("got %v", err)
	}
	if err := last.Close(); err != nil {
		t.Error(err)
	}
}
