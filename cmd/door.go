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
	"syscall"
	"time"

	"finsvc/cmd/exit"
	"finsvc/handlers"
	"finsvc/ledger"
)

// unixPrefix begins an address that is a file.
const unixPrefix = "unix:"

// listenOptions say where a server listens, and how it is called.
type listenOptions struct {
	address string
	network *networkConfig
	env     environment
	now     func() time.Time
	again   func(flag, value string) string // the command line as it was given, with another value of one flag
}

// listener is where clients come in.
type listener struct {
	net.Listener
	connections *handlers.Connections
	keep        func(ctx context.Context) error // must run beside the server; nil where nothing must
}

// openListener opens the server's socket: the one that the service manager has opened for it, else that of the settings.
func openListener(ctx context.Context, o listenOptions, log *slog.Logger) (*listener, error) {
	var keeper *certificate
	if o.network.TLSCert != "" || o.network.TLSKey != "" {
		var err error
		if keeper, err = newCertificate(o.network, o.now, log); err != nil {
			return nil, err
		}
	}
	socket, err := openSocket(ctx, o)
	if err != nil {
		return nil, err
	}
	l := &listener{connections: handlers.NewConnections(handlers.DefaultConnectionLimits(), o.network.TrustedProxies.ranges, log)}
	l.Listener = l.connections.Limit(socket)
	if keeper != nil {
		l.Listener, l.keep = tls.NewListener(l.Listener, keeper.config()), keeper.keep()
	}
	return l, nil
}

func openSocket(ctx context.Context, o listenOptions) (net.Listener, error) {
	passed, err := passedSocket(o.env)
	if passed != nil || err != nil {
		return passed, err
	}
	if path, isUnix := strings.CutPrefix(o.address, unixPrefix); isUnix {
		return listenUnix(ctx, path)
	}
	var lc net.ListenConfig
	socket, err := lc.Listen(ctx, "tcp", o.address)
	if err != nil {
		return nil, listenProblem(ctx, o, err)
	}
	return socket, nil
}

// listenUnix makes a socket that is a file, for the user and the group. One that a crash has left is replaced. The file goes when
// the listener is closed.
func listenUnix(ctx context.Context, path string) (net.Listener, error) {
	if path == "" || path[0] == '@' { // a name that is no file: anybody could connect
		return nil, exit.Usagef("unix: needs the path of a file, such as --listen unix:/run/finsvc.sock, got %q", path)
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
		return nil, exit.Usagef("cannot listen at %s: %s. Give an address such as --listen 127.0.0.1:7117 or --listen unix:/run/finsvc.sock", unixPrefix+path, err)
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

// openMetrics opens the address of the metrics; nil where none is set.
func openMetrics(ctx context.Context, o listenOptions) (net.Listener, error) {
	address := o.network.Metrics
	if address == "" || address == noMetrics {
		return nil, nil
	}
	var lc net.ListenConfig
	socket, err := lc.Listen(ctx, "tcp", address)
	switch {
	case isErrno(err, syscall.EADDRINUSE, 10048):
		return nil, ledger.NewConflict("the address %s is in use by another program. Choose another with --metrics:\n  %s",
			address, o.again("metrics", freeBeside(ctx, address)))
	case err != nil:
		return nil, exit.Usagef("metrics cannot be served at %s: %s. Give an address such as --metrics 127.0.0.1:9117, or off", address, err)
	}
	return socket, nil
}
