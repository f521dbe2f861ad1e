package listen

import (
	"context"
	"log/slog"
	"net"
	"os"
	"strconv"
	"strings"
	"time"

	"finsvc/cmd/config"
	"finsvc/cmd/exit"
)

// firstPassed is the number of the first file that a service manager passes, as of sd_listen_fds(3).
const firstPassed = 3

// longestStart is how long the service manager is asked to wait for a start: a large file may be copied, upgraded and
// checked.
const longestStart = time.Hour

// passedSocket is the socket that the service manager has opened for the server; nil where it has not. The variables
// are given, and no process that is started from here gets any.
func passedSocket(env config.Environment) (net.Listener, error) {
	count, _ := strconv.Atoi(env["LISTEN_FDS"])
	if env["LISTEN_PID"] != strconv.Itoa(os.Getpid()) || count == 0 {
		return nil, nil
	}
	if count != 1 {
		return nil, exit.Usagef("the service manager passes %d sockets; one is possible: leave one ListenStream= in the socket's unit", count)
	}
	file := os.NewFile(firstPassed, "the socket of the service manager")
	listener, err := net.FileListener(file) // a copy, which children do not get
	_ = file.Close()
	if err != nil {
		return nil, exit.Usagef("what the service manager passes is no socket to listen at: %s. The socket's unit needs ListenStream= and Accept=no", err)
	}
	return listener, nil
}

// Manager is the service manager that has started the process, if there is one that wants to be told.
type Manager struct {
	socket string
	every  time.Duration // of the watchdog; 0 for none
}

// NewManager is the service manager that the variables name.
func NewManager(env config.Environment) Manager {
	m := Manager{socket: env["NOTIFY_SOCKET"]}
	limit, err := strconv.ParseInt(env["WATCHDOG_USEC"], 10, 64)
	if pid := env["WATCHDOG_PID"]; err == nil && limit > 0 && (pid == "" || pid == strconv.Itoa(os.Getpid())) {
		m.every = time.Duration(limit) * time.Microsecond / 2
	}
	return m
}

// notify tells the service manager, as of sd_notify(3).
func (m Manager) notify(log *slog.Logger, states ...string) {
	if m.socket == "" {
		return
	}
	conn, err := net.Dial("unixgram", m.socket)
	if err == nil {
		_, err = conn.Write([]byte(strings.Join(states, "\n")))
		_ = conn.Close() // nothing is left to be sent
	}
	if err != nil {
		log.Warn("the service manager cannot be told", "states", states, "error", err.Error())
	}
}

// Starting asks for patience while the file is opened.
func (m Manager) Starting(log *slog.Logger) {
	m.notify(log, "STATUS=Opening the database", "EXTEND_TIMEOUT_USEC="+strconv.FormatInt(longestStart.Microseconds(),
		10))
}

// Run says that the server runs and, at half the time after which the service manager would take it for dead, that it
// is well, until ctx ends. It is well when well is nil.
func (m Manager) Run(ctx context.Context, log *slog.Logger, well func(context.Context) error) error {
	m.notify(log, "READY=1", "STATUS=Serving")
	defer m.notify(log, "STOPPING=1", "STATUS=Stopping")
	if m.socket == "" || m.every == 0 {
		<-ctx.Done()
		return nil
	}
	ticker := time.NewTicker(m.every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			m.beat(ctx, log, well)
		}
	}
}

// beat is one sign of life, or the reason why there is none.
func (m Manager) beat(ctx context.Context, log *slog.Logger, well func(context.Context) error) {
	ctx, cancel := context.WithTimeout(ctx, m.every)
	defer cancel()
	switch err := well(ctx); {
	case err == nil:
		m.notify(log, "WATCHDOG=1")
	case ctx.Err() == nil || context.Cause(ctx) == context.DeadlineExceeded:
		log.Error("not well; the service manager is not told otherwise", "error", err.Error())
		m.notify(log, "STATUS=Not well: "+strings.ReplaceAll(err.Error(), "\n", " "))
	}
}
