package cmd

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"finsvc/db"
	"finsvc/handlers"
	"finsvc/importer"
	"finsvc/ledger"
)

// memoryLimit is what Go's own memory should stay below, in bytes, unless GOMEMLIMIT says otherwise.
// SQLite's caches come on top of it. Judging a file of a million rows keeps some 60 MB; closer to that, collecting garbage
// takes as long as the work.
const memoryLimit = 80 << 20

// garbagePercent is how much garbage may gather, as a share of what is in use, unless GOGC says otherwise.
// What is in use is a few megabytes: to collect it at every doubling would cost a tenth of the requests.
const garbagePercent = 300

func newServe(a *app) *cobra.Command {
	c := &cobra.Command{
		Use: "serve", Short: "Serve the API", Args: cobra.NoArgs,
		Long: "Create or upgrade the database and serve the API until SIGINT or SIGTERM.\n\nMore: finsvc help server",
		Example: "  finsvc serve\n" +
			"  finsvc serve --data /srv/finance.db --listen :7117",
		RunE: func(c *cobra.Command, _ []string) error { return serve(c.Context(), a, greet) },
	}
	a.config.addFlags(c.Flags(), "listen", "import-max", "log", "log-level", "backup-dir", "backup-keep", "backup-every")
	a.config.Network.addFlags(c.Flags())
	a.config.AI.addFlags(c.Flags())
	return c
}

// greeting is what a server does once it listens, before it answers.
type greeting func(ctx context.Context, a *app, log *slog.Logger, database *db.DB, books *ledger.Ledger, addr net.Addr) error

// limitMemory keeps the memory of what works on many rows small.
func limitMemory(env environment) {
	if _, set := env["GOMEMLIMIT"]; !set {
		debug.SetMemoryLimit(memoryLimit)
	}
	if _, set := env["GOGC"]; !set {
		debug.SetGCPercent(garbagePercent)
	}
}

// serve opens everything in order, runs the service until ctx ends, and closes everything in the
// opposite order. Whatever can fail is tried before the database is made or upgraded: a start that fails leaves things as
// they were.
func serve(ctx context.Context, a *app, greet greeting) (err error) {
	limitMemory(a.env)
	log, manager := newLogger(a), newManager(a.env)
	manager.starting(log)
	provider, err := a.config.AI.provider(a.Say)
	if err != nil {
		return err
	}
	path, err := filepath.Abs(a.config.Data)
	if err == nil {
		err = db.CheckPlace(path)
	}
	if err != nil {
		return err
	}
	if err := a.copies().refuseBeginning(path); err != nil {
		return err
	}
	lock, err := lockServer(path)
	if err != nil {
		return err
	}
	place := &placeWatch{backups: a.copies().path, now: a.now, log: log, lock: lock}
	defer func() { err = errors.Join(err, place.lock.Release()) }() // the next server may come when the file is closed
	where := listenOptions{address: a.config.Listen, network: &a.config.Network, env: a.env, now: a.now, again: a.again}
	listener, err := openListener(ctx, where, log)
	if err != nil {
		return err
	}
	defer listener.Close() // again, unless something failed
	metrics, err := openMetrics(ctx, where)
	if err != nil {
		return err
	}
	if metrics != nil {
		defer metrics.Close() // likewise
	}
	place.by = holder{PID: os.Getpid(), Addr: listener.Addr().String(), Since: a.now().UTC().Truncate(time.Second), Path: path}
	place.by.write(lock)
	_, missing := os.Stat(path)
	a.created = errors.Is(missing, fs.ErrNotExist)
	database, err := db.Open(ctx, path, append(a.openOptions(), db.AsServer())...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	place.begin(database)
	defer place.end()
	books := ledger.New(database, a.now)
	chats, hangUp, err := assistantOf(a, provider, database, books, log)
	if err != nil {
		return err
	}
	defer hangUp()
	chats.Server = true
	if err := greet(ctx, a, log, database, books, listener.Addr()); err != nil {
		return err
	}
	imports := importer.New(importer.Options{DB: database, Ledger: books, Logger: log, Now: a.now, Max: int64(a.config.ImportMax), PDFText: pdfReader(), Server: true})
	s := &service{database: database, ledger: books, imports: imports, chats: chats, log: log, schedule: newSchedule(a, database, books, log), place: place}
	if listener.keep != nil {
		s.beside = append(s.beside, worker{"certificate", listener.keep})
	}
	h := handlers.New(handlers.Options{
		Ledger: books, Imports: imports, Assistant: chats, Logger: log, Health: s.ready, Version: version(), Now: a.now,
		TrustedProxies: a.config.Network.TrustedProxies.ranges, BasePath: string(a.config.Network.BasePath),
	})
	if metrics != nil {
		page := &metricsPage{service: s, listener: metrics, api: h, version: version(), now: a.now, started: a.now(), copies: a.copies()}
		s.beside = append(s.beside, worker{"metrics", page.run})
		log.Info("metrics", "addr", metrics.Addr().String())
	}
	s.beside = append(s.beside, worker{"service manager", func(ctx context.Context) error { return manager.run(ctx, log, s.well) }})
	return s.run(ctx, listener, h)
}
