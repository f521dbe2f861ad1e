package cmd

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"finsvc/assistant"
	"finsvc/db"
	"finsvc/handlers"
	"finsvc/importer"
	"finsvc/ledger"
)

// How long a stop waits: with what SQLite needs to end its log it is less than the ten seconds after which a container is killed.
const (
	drainTimeout = 5 * time.Second // for requests
	tidyTimeout  = 2 * time.Second // for the last writes
)

// errStopping is the cause with which the contexts of requests end that did not end in time.
var errStopping = errors.New("the server is stopping")

// service is the running server: the HTTP server and what runs beside it.
type service struct {
	database *db.DB
	ledger   *ledger.Ledger
	imports  *importer.Importer
	chats    *assistant.Assistant
	schedule *schedule
	log      *slog.Logger
	beside   []worker // what the way of serving needs
	roster   roster
	place    *placeWatch
}

// worker is something that runs until its context ends. What it has begun then it finishes or leaves
// for the next start.
type worker struct {
	name string
	run  func(context.Context) error
}

// workers are all that run beside the HTTP server. Each is started once, and waited for at the end.
func (s *service) workers() []worker {
	return append([]worker{
		{"key use", func(ctx context.Context) error {
			return s.every(ctx, time.Minute, "write down key use", s.ledger.FlushKeyUse)
		}},
		{"upkeep", s.upkeep},
		{"sums", s.keepSums},
		{"copies", func(ctx context.Context) error { return s.every(ctx, dueEvery, "copy the database", s.schedule.tick) }},
		{"place", func(ctx context.Context) error {
			return s.every(ctx, placeEvery, "look for the database file", s.place.look)
		}},
		{"rest", s.rest},
		{"removal of households", s.removal},
		{"imports", s.imports.Run},
		{"assistant", s.chats.Run},
	}, s.beside...)
}

// run serves until ctx ends or something fails that nothing works without. Then it stops taking work,
// lets requests end, waits for the workers and writes down what is only in memory.
func (s *service) run(ctx context.Context, l *listener, h http.Handler) error {
	// Requests outlive the signal to stop; their contexts end only when they take too long. No request fails because a worker
	// waits to write.
	requests, cut := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cut(nil)
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var all sync.WaitGroup
	for _, w := range s.workers() {
		ended := s.roster.begin(w.name)
		all.Go(func() {
			defer ended()
			if err := w.run(db.Background(running)); err != nil && running.Err() == nil {
				s.log.Error("worker ended", "worker", w.name, "error", err.Error())
				stop(err)
			}
		})
	}
	server := handlers.NewHTTPServer(requests, h, l.Addr().String(), s.log, l.connections)
	all.Go(func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			stop(err)
		}
	})
	<-running.Done()
	s.log.Info("stopping")
	s.drain(server, cut)
	all.Wait()
	if ctx.Err() != nil {
		return s.tidy()
	}
	return errors.Join(context.Cause(running), s.tidy())
}

// drain lets requests end, and cuts off those that take too long.
func (s *service) drain(server *http.Server, cut context.CancelCauseFunc) {
	patience, cancel := context.WithTimeout(context.Background(), drainTimeout)
	defer cancel()
	if err := server.Shutdown(patience); err != nil {
		s.log.Warn("requests were cut off", "error", err.Error())
		cut(errStopping)
		_ = server.Close() // its error is that of a connection that is cut anyway
	}
}

// tidy is the last use of the database.
func (s *service) tidy() error {
	ctx, cancel := context.WithTimeout(context.Background(), tidyTimeout)
	defer cancel()
	return cmp.Or(s.ledger.FlushKeyUse(ctx), s.database.Optimize(ctx)) // where neither can be done, it is for one reason
}

// upkeep daily has the planner's statistics refreshed.
func (s *service) upkeep(ctx context.Context) error {
	return s.every(ctx, 24*time.Hour, "upkeep", s.database.Optimize)
}

// keepSums keeps the sums of months, of what was changed in the last minute.
func (s *service) keepSums(ctx context.Context) error {
	seen := int64(-1)
	return s.every(ctx, time.Minute, "keep the sums of months", func(ctx context.Context) error {
		version, err := s.database.Version(ctx)
		if err != nil || version == seen {
			return err
		}
		err = s.ledger.KeepSums(ctx, ledger.LargeMonth)
		if err == nil {
			seen = version
		}
		return err
	})
}

// removal deletes abandoned households, and the books of those that were emptied. It looks often, so that the clock is soon
// contradicted if it was wrong, such as at each start.
func (s *service) removal(ctx context.Context) error {
	s.try(ctx, "delete abandoned households", s.purge)
	return s.every(ctx, time.Hour, "delete abandoned households", s.purge)
}

func (s *service) purge(ctx context.Context) error {
	n, err := s.ledger.PurgeAbandoned(ctx)
	if n > 0 {
		s.log.Info("abandoned households deleted", "households", n)
	}
	return err
}

// every does something at intervals until ctx ends. A failure is logged and tried again the next time.
func (s *service) every(ctx context.Context, interval time.Duration, what string, do func(context.Context) error) error {
	ticker := time.NewTicker(interval)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
			s.try(ctx, what, do)
		}
	}
}

func (s *service) try(ctx context.Context, what string, do func(context.Context) error) {
	if err := do(ctx); err != nil && ctx.Err() == nil {
		s.log.Error("task failed", "task", what, "error", err.Error())
	}
}
