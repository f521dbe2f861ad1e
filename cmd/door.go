package cmd

import (
	"context"
	"crypto/tls"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"strings"
	"sync"
	"syscall"

	"finsvc/ledger"
)

// unixPrefix begins an address that is a file.
const unixPrefix = "unix:"

// maxConnections is how many connections there may be at a time; more wait. Each has a file handle, and some ten kilobytes.
const maxConnections = 1000

// door is where clients come in, and what must run for it beside the server.
type door struct {
	net.Listener
	workers []worker
}

// openDoor opens the server's socket: the one that the service manager has opened for it, else that of the settings.
func (a *app) openDoor(ctx context.Context, log *slog.Logger) (*door, error) {
	var keeper *certificate
	if a.config.Network.TLSCert != "" || a.config.Network.TLSKey != "" {
		var err error
		if keeper, err = a.newCertificate(log); err != nil {
			return nil, err
		}
	}
	listener, err := a.openSocket(ctx)
	if err != nil {
		return nil, err
	}
	d := &door{Listener: limitConnections(listener, maxConnections)}
	if keeper != nil {
		d.Listener, d.workers = tls.NewListener(d.Listener, keeper.config()), []worker{keeper.worker()}
	}
	return d, nil
}

func (a *app) openSocket(ctx context.Context) (net.Listener, error) {
	listener, err := a.passedSocket()
	if listener != nil || err != nil {
		return listener, err
	}
	if path, isUnix := strings.CutPrefix(a.config.Listen, unixPrefix); isUnix {
		return listenUnix(ctx, path)
	}
	return a.listen(ctx)
}

// listenUnix makes a socket that is a file, for the user and the group. One that a crash has left is replaced. The file goes when
// the listener is closed.
func listenUnix(ctx context.Context, path string) (net.Listener, error) {
	if path == "" || path[0] == '@' { // a name that is no file: anybody could connect
		return nil, usagef("unix: needs the path of a file, such as --listen unix:/run/finsvc.sock, got %q", path)
	}
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "unix", path)
	if errors.Is(err, syscall.EADDRINUSE) {
		if err := removeStale(ctx, path); err != nil {
			return nil, err
		}
		listener, err = lc.Listen(ctx, "unix", path)
	}
	switch {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist):
		return nil, err // which names the file
	case err != nil:
		return nil, usagef("cannot listen at %s: %s. Give an address such as --listen 127.0.0.1:7117 or --listen unix:/run/finsvc.sock", unixPrefix+path, err)
	}
	if err := os.Chmod(path, 0o660); err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return listener, nil
}

// removeStale removes a socket on which nobody listens.
func removeStale(ctx context.Context, path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Type() != fs.ModeSocket:
		return ledger.NewConflict("%s is there already and is no socket. Choose another path with --listen, or remove it", path)
	}
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", path)
	switch {
	case err == nil:
		return errors.Join(ledger.NewConflict("another program listens at %s. Stop it first, or choose another path with --listen", path), conn.Close())
	case errors.Is(err, syscall.ECONNREFUSED):
		return os.Remove(path)
	}
	return err
}

// limitedListener gives out a bounded number of connections.
type limitedListener struct {
	net.Listener
	taken  chan struct{}
	closed chan struct{}
	once   sync.Once
}

func limitConnections(inner net.Listener, most int) net.Listener {
	return &limitedListener{Listener: inner, taken: make(chan struct{}, most), closed: make(chan struct{})}
}

// Accept waits for a connection, and before that until there may be another one.
func (l *limitedListener) Accept() (net.Conn, error) {
	select {
	case l.taken <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	conn, err := l.Listener.Accept()
	if err != nil {
		<-l.taken
		return nil, err
	}
	return &limitedConn{Conn: conn, leave: sync.OnceFunc(func() { <-l.taken })}, nil
}

// Close ends the waiting, too.
func (l *limitedListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

// limitedConn makes room for another one when it is closed.
type limitedConn struct {
	net.Conn
	leave func()
}

// Close closes the connection.
func (c *limitedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
