package listen

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strconv"
	"syscall"
	"time"

	"finsvc/cmd/exit"
	"finsvc/ledger"
)

// listenProblem says why the server cannot listen at its address, and what to type instead.
func listenProblem(ctx context.Context, o Options, err error) error {
	address := o.Address
	switch {
	case isErrno(err, syscall.EADDRINUSE, 10048):
		return ledger.NewConflict("the address %s is in use by %s.\n  Use another port:  %s", address,
			whoListens(ctx, SiteOf(o.Network), address), o.Again("listen", freeBeside(ctx, address)))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("this user may not listen at %s: %w.\n  Ports from 1024 need no right:  %s", address, err,
			o.Again("listen", freeBeside(ctx, address)))
	case isErrno(err, syscall.EADDRNOTAVAIL, 10049):
		return exit.Usagef("cannot listen at %s: this machine does not have that address.\n  Use all that it has:  %s",
			address, o.Again("listen", onPort(":", portOf(address))))
	}
	return exit.Usagef("cannot listen at %s: %s. Give an address such as --listen 127.0.0.1:7117", address, err)
}

// isErrno looks for a number of the system; Windows has numbers of its own for its network.
func isErrno(err error, unix syscall.Errno, windows syscall.Errno) bool {
	got, ok := errors.AsType[syscall.Errno](err)
	return ok && (got == unix || got == windows)
}

func portOf(address string) string {
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		return "7117"
	}
	return port
}

// onPort is an address with another port.
func onPort(address, port string) string {
	host, _, _ := net.SplitHostPort(address) // what is no address has no host
	if host == "" {
		return ":" + port
	}
	return net.JoinHostPort(host, port)
}

// portsTried is how many ports beside the wanted one are tried.
const portsTried = 100

// freeBeside is the address with the next port at which one can listen now, or with any that the system has.
func freeBeside(ctx context.Context, address string) string {
	wanted, err := strconv.Atoi(portOf(address))
	if err != nil || wanted < 1024 || wanted+portsTried > 65535 {
		wanted = 7116
	}
	var lc net.ListenConfig
	for port := wanted + 1; port <= wanted+portsTried; port++ {
		next := onPort(address, strconv.Itoa(port))
		if listener, err := lc.Listen(ctx, "tcp", next); err == nil {
			_ = listener.Close() // nobody has come
			return next
		}
	}
	return onPort(address, "0")
}

// whoListens asks who is there: a finsvc answers as one.
func whoListens(ctx context.Context, s Site, address string) string {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	got, err := AskHealth(ctx, s, address)
	if err != nil || got.Version == "" {
		return "another program"
	}
	return "another finsvc (version " + got.Version + ")"
}
