// Package server is the running server: the HTTP server and the workers beside it, how they start and stop, what is
// said of them when they begin, and the metrics.
//
// A stop lets requests end, waits for the workers and writes down what is only in memory, within the ten seconds after
// which a container is killed. What is served, and of which database, is given to it.
package server

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"finsvc/assistant"
	"finsvc/cmd/copies"
	"finsvc/cmd/listen"
	"finsvc/cmd/lock"
	"finsvc/db"
	"finsvc/handlers/middleware"
	"finsvc/importer"
	"finsvc/ledger/books"
	"finsvc/ledger/report"
)

// How long a stop waits: with what SQLite needs to end its log it is less than the ten seconds after which a container
// is killed.
const (
	drainTimeout = 5 * time.Second // for requests
	tidyTimeout  = 2 * time.Second // for the last writes
)

// errStopping is the cause with which the contexts of requests end that did not end in time.
var errStopping = errors.New("the server is stopping")

// Service is the running server: the HTTP server and what runs beside it.
type Service struct {
	Database *db.DB
	Ledger   *books.Books
	Imports  *importer.Importer
	Chats    *assistant.Assistant
	Schedule *copies.Schedule
	Log      *slog.Logger
	Beside   []Worker // what the way of serving needs
	status   workerStatus
	Place    *lock.Watch
}

// Worker is something that runs until its context ends. What it has begun then it finishes or leaves
// for the next start.
type Worker struct {
	Name string
	Run  func(context.Context) error
}

// workers are all that run beside the HTTP server. Each is started once, and waited for at the end.
func (s *Service) workers() []Worker {
	return append([]Worker{
		{"key use", func(ctx context.Context) error {
			return s.every(ctx, time.Minute, "write down key use", s.Ledger.Keys.FlushKeyUse)
		}},
		{"changes cut short", func(ctx context.Context) error {
			return s.every(ctx, time.Minute, "take back changes that were cut short", s.Ledger.History.Recover)
		}},
		{"upkeep", s.upkeep},
		{"sums", s.keepSums},
		{"copies", func(ctx context.Context) error {
			return s.every(ctx, copies.DueEvery, "copy the database", s.Schedule.Tick)
		}},
		{"place", func(ctx context.Context) error {
			return s.every(ctx, lock.WatchEvery, "look for the database file", s.Place.Tick)
		}},
		{"rest", s.trimWhenIdle},
		{"removal of households", s.removal},
		{"imports", s.Imports.Run},
		{"assistant", s.Chats.Run},
	}, s.Beside...)
}

// Run serves until ctx ends or something fails that nothing works without. Then it stops taking work,
// lets requests end, waits for the workers and writes down what is only in memory.
func (s *Service) Run(ctx context.Context, l *listen.Listener, h http.Handler) error {
	// Requests outlive the signal to stop; their contexts end only when they take too long. No request fails because a
	// worker waits to write.
	requests, cut := context.WithCancelCause(context.WithoutCancel(ctx))
	defer cut(nil)
	running, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var all sync.WaitGroup
	for _, w := range s.workers() {
		ended := s.status.begin(w.Name)
		all.Go(func() {
			defer ended()
			if err := w.Run(db.Background(running)); err != nil && running.Err() == nil {
				s.Log.Error("worker ended", "worker", w.Name, "error", err.Error())
				stop(err)
			}
		})
	}
	server := middleware.NewHTTPServer(requests, h, l.Addr().String(), s.Log, l.Connections)
	all.Go(func() {
		if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
			stop(err)
		}
	})
	<-running.Done()
	s.Log.Info("stopping")
	s.drain(server, cut)
	all.Wait()
	if ctx.Err() != nil {
		return s.tidy()
	}
	return errors.Join(context.Cause(running), s.tidy())
}

// drain lets requests end, and cuts off those that take too long.
func (s *Service) drain(server *http.Server, cut context.CancelCauseFunc) {
	patience, cancel := context.WithTimeout(context.Background(), drainTimeout)
	defer cancel()
	if err := server.Shutdown(patience); err != nil {
		s.Log.Warn("requests were cut off", "error", err.Error())
		cut(errStopping)
		_ = server.Close() // its error is that of a connection that is cut anyway
	}
}

// tidy is the last use of the database.
func (s *Service) tidy() error {
	ctx, cancel := context.WithTimeout(context.Background(), tidyTimeout)
	defer cancel()
	// where neither can be done, it is for one reason
	return cmp.Or(s.Ledger.Keys.FlushKeyUse(ctx), s.Database.Optimize(ctx))
}

// upkeep daily has the planner's statistics refreshed.
func (s *Service) upkeep(ctx context.Context) error {
	return s.every(ctx, 24*time.Hour, "upkeep", s.Database.Optimize)
}

// keepSums keeps the sums of months, of what was changed in the last minute.
func (s *Service) keepSums(ctx context.Context) error {
	seen := int64(-1)
	return s.every(ctx, time.Minute, "keep the sums of months", func(ctx context.Context) error {
		version, err := s.Database.Version(ctx)
		if err != nil || version == seen {
			return err
		}
		err = s.Ledger.Reports.KeepSums(ctx, report.LargeMonth)
		if err == nil {
			seen = version
		}
		return err
	})
}

// removal deletes abandoned households, and the books of those that were emptied. It looks often, so that the clock is
// soon contradicted if it was wrong, such as at each start.
func (s *Service) removal(ctx context.Context) error {
	s.try(ctx, "delete abandoned households", s.purge)
	return s.every(ctx, time.Hour, "delete abandoned households", s.purge)
}

func (s *Service) purge(ctx context.Context) error {
	n, err := s.Ledger.Tenants.PurgeAbandoned(ctx)
	if n > 0 {
		s.Log.Info("abandoned households deleted", "households", n)
	}
	return err
}

// every does something at intervals until ctx ends. A failure is logged and tried again the next time.
func (s *Service) every(ctx context.Context, interval time.Duration, what string,
	do func(context.Context) error) error {
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

func (s *Service) try(ctx context.Context, what string, do func(context.Context) error) {
	if err := do(ctx); err != nil && ctx.Err() == nil {
		s.Log.Error("task failed", "task", what, "error", err.Error())
	}
}
