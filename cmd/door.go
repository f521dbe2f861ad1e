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

	"finsvc/cmd/exit"
	"finsvc/handlers"
	"finsvc/ledger"
)

// unixPrefix begins an address that is a file.
const unixPrefix = "unix:"

// door is where clients come in, and what must run for it beside the server.
type door struct {
	net.Listener
	connections *handlers.Connections
	workers     []worker
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
	d := &door{connections: handlers.NewConnections(handlers.DefaultConnectionLimits(), a.config.Network.TrustedProxies.ranges, log)}
	d.Listener = d.connections.Limit(listener)
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
