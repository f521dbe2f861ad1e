package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strconv"
	"syscall"
	"time"

	"finsvc/ledger"
)

// listenProblem says why the server cannot listen at its address, and what to type instead.
func (a *app) listenProblem(ctx context.Context, err error) error {
	address := a.config.Listen
	switch {
	case isErrno(err, syscall.EADDRINUSE, 10048):
		return ledger.NewConflict("the address %s is in use by %s.\n  Use another port:  finsvc serve --listen %s", address, a.whoListens(ctx, address), besides(address))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("this user may not listen at %s; ports from 1024 need no right, such as --listen %s: %w", address, onPort(address, "7117"), err)
	case isErrno(err, syscall.EADDRNOTAVAIL, 10049):
		return usagef("cannot listen at %s: this machine does not have that address.\n  Use all that it has:  finsvc serve --listen %s", address, onPort(":", portOf(address)))
	}
	return usagef("cannot listen at %s: %s. Give an address such as --listen 127.0.0.1:7117", address, err)
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

// besides is the address with the next port.
func besides(address string) string {
	port, err := strconv.Atoi(portOf(address))
	if err != nil || port < 1024 || port >= 65535 {
		port = 7117
	}
	return onPort(address, strconv.Itoa(port+1))
}

// whoListens asks who is there: a finsvc answers as one.
func (a *app) whoListens(ctx context.Context, address string) string {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	got, err := a.askHealth(ctx, address)
	if err != nil || got.Version == "" {
		return "another program"
	}
	return "another finsvc (version " + got.Version + ")"
}
