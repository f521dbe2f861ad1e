package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/ledger"
)

// listenProblem says why the server cannot listen at its address, and what to type instead.
func (a *app) listenProblem(ctx context.Context, err error) error {
	address := a.config.Listen
	switch {
	case isErrno(err, syscall.EADDRINUSE, 10048):
		return ledger.NewConflict("the address %s is in use by %s.\n  Use another port:  %s", address, a.whoListens(ctx, address), a.again("listen", a.freeBeside(ctx, address)))
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("this user may not listen at %s: %w.\n  Ports from 1024 need no right:  %s", address, err, a.again("listen", a.freeBeside(ctx, address)))
	case isErrno(err, syscall.EADDRNOTAVAIL, 10049):
		return exit.Usagef("cannot listen at %s: this machine does not have that address.\n  Use all that it has:  %s", address, a.again("listen", onPort(":", portOf(address))))
	}
	return exit.Usagef("cannot listen at %s: %s. Give an address such as --listen 127.0.0.1:7117", address, err)
}

// again is the command line as it was given, with another value of one flag. A database that only a variable names is named
// too: the variable may have been set for the one command.
func (a *app) again(flag, value string) string {
	words, given := []string{a.command.CommandPath()}, a.command.Flags()
	given.Visit(func(f *pflag.Flag) {
		switch {
		case f.Name == flag:
		case f.NoOptDefVal != "":
			words = append(words, "--"+f.Name+"="+term.ShellWord(f.Value.String()))
		default:
			words = append(words, "--"+f.Name, term.ShellWord(f.Value.String()))
		}
	})
	if data := a.env[a.config.setting("data").variable()]; data != "" && !given.Changed("data") && a.command.Name() != demoCommand {
		words = append(words, "--data", term.ShellWord(data))
	}
	for _, arg := range given.Args() {
		words = append(words, term.ShellWord(arg))
	}
	return strings.Join(append(words, "--"+flag, term.ShellWord(value)), " ")
}

// onSameFile is another command on the file, and in the household, that this command was told of.
func (a *app) onSameFile(words ...string) string {
	words = append([]string{"finsvc"}, words...)
	for _, name := range []string{"household", "data"} {
		if f := a.command.Flag(name); f != nil && f.Changed {
			words = append(words, "--"+name, term.ShellWord(f.Value.String()))
		}
	}
	return strings.Join(words, " ")
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
func (a *app) freeBeside(ctx context.Context, address string) string {
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
func (a *app) whoListens(ctx context.Context, address string) string {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	got, err := a.askHealth(ctx, address)
	if err != nil || got.Version == "" {
		return "another program"
	}
	return "another finsvc (version " + got.Version + ")"
}
