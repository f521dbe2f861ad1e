// Package listen is where clients come in: the server's socket, be it an address, a file or one that systemd passes,
// its certificate, and how the server is reached from here and from elsewhere.
//
// It promises an error that says what to type instead when an address cannot be had, and that a renewed certificate
// counts without a restart. It knows nothing of what is served.
package listen

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

	"finsvc/cmd/config"
	"finsvc/cmd/exit"
	"finsvc/handlers/middleware"
	"finsvc/ledger"
)

// UnixPrefix begins an address that is a file.
const UnixPrefix = "unix:"

// Options say where a server listens, and how it is called.
type Options struct {
	Address string
	Network *config.Network
	Env     config.Environment
	Now     func() time.Time
	Again   func(flag, value string) string // the command line as it was given, with another value of one flag
}

// Listener is where clients come in.
type Listener struct {
	net.Listener
	Connections *middleware.Connections
	Keep        func(ctx context.Context) error // must run beside the server; nil where nothing must
}

// Open opens the server's socket: the one that the service manager has opened for it, else that of the settings.
func Open(ctx context.Context, o Options, log *slog.Logger) (*Listener, error) {
	var keeper *certificate
	if o.Network.TLSCert != "" || o.Network.TLSKey != "" {
		var err error
		keeper, err = newCertificate(o.Network, o.Now, log)
		if err != nil {
			return nil, err
		}
	}
	socket, err := openSocket(ctx, o)
	if err != nil {
		return nil, err
	}
	l := &Listener{Connections: middleware.NewConnections(middleware.DefaultConnectionLimits(),
		o.Network.TrustedProxies.Ranges, log)}
	l.Listener = l.Connections.Limit(socket)
	if keeper != nil {
		l.Listener, l.Keep = tls.NewListener(l.Listener, keeper.config()), keeper.keep()
	}
	return l, nil
}

func openSocket(ctx context.Context, o Options) (net.Listener, error) {
	passed, err := passedSocket(o.Env)
	if passed != nil || err != nil {
		return passed, err
	}
	if path, isUnix := strings.CutPrefix(o.Address, UnixPrefix); isUnix {
		return listenUnix(ctx, path)
	}
	var lc net.ListenConfig
	socket, err := lc.Listen(ctx, "tcp", o.Address)
	if err != nil {
		return nil, listenProblem(ctx, o, err)
	}
	return socket, nil
}

// listenUnix makes a socket that is a file, for the user and the group. One that a crash has left is replaced. The
// file goes when the listener is closed.
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
		return nil, exit.Usagef("cannot listen at %s: %s. Give an address such as --listen 127.0.0.1:7117 or --listen unix:/run/finsvc.sock", UnixPrefix+path, err)
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

// OpenMetrics opens the address of the metrics; nil where none is set.
func OpenMetrics(ctx context.Context, o Options) (net.Listener, error) {
	address := o.Network.Metrics
	if address == "" || address == config.NoMetrics {
		return nil, nil
	}
	var lc net.ListenConfig
	socket, err := lc.Listen(ctx, "tcp", address)
	switch {
	case isErrno(err, syscall.EADDRINUSE, 10048):
		return nil, ledger.NewConflict("the address %s is in use by another program. Choose another with --metrics:\n  %s",
			address, o.Again("metrics", freeBeside(ctx, address)))
	case err != nil:
		return nil, exit.Usagef("metrics cannot be served at %s: %s. Give an address such as --metrics 127.0.0.1:9117, or off", address, err)
	}
	return socket, nil
}
