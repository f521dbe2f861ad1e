package middleware

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// Limits of connections. The longest import must fit through a slow line: 64 MiB in 15 minutes is 75 kB
// a second. There is no limit for writing here; each answer sets its own, as streams have none.
const (
	headerTimeout = 10 * time.Second
	bodyTimeout   = 15 * time.Minute
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10
)

// NewHTTPServer makes the server of a listener, with limits for slow and greedy clients. Every request's
// context descends from ctx: ending it, with a cause of its own, ends streams and long requests. Its Shutdown does not
// wait for requests that do not arrive. The connections are those of the listener where it limits them, else nil.
func NewHTTPServer(ctx context.Context, h http.Handler, addr string, log *slog.Logger,
	connections *Connections) *http.Server {
	return newHTTPServer(ctx, h, addr, log, connections, usualPace())
}

func newHTTPServer(ctx context.Context, h http.Handler, addr string, log *slog.Logger, connections *Connections,
	pace pace) *http.Server {
	server := &http.Server{
		Addr:              addr,
		Handler:           h,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       bodyTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	arrivals := &arrivals{pace: pace}
	// Has the arrivals of a server noted, and cut short when it is told to stop.
	arrivals.coming = map[interruptible]bool{}
	server.Handler = arrivals.noting(server.Handler)
	server.ConnContext = func(ctx context.Context, conn net.Conn) context.Context {
		return context.WithValue(ctx, arrivalKey{}, conn)
	}
	server.ConnState = arrivals.noteConn
	server.RegisterOnShutdown(arrivals.end)
	if connections != nil {
		server.ConnState = func(conn net.Conn, state http.ConnState) {
			connections.note(conn, state)
			arrivals.noteConn(conn, state)
		}
	}
	return server
}
