package cmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime/debug"
	"syscall"

	"github.com/gofrs/flock"
	"github.com/spf13/cobra"

	"finsvc/db"
	"finsvc/handlers"
	"finsvc/importer"
	"finsvc/ledger"
)

// memoryLimit is what Go's own memory should stay below, in bytes, unless GOMEMLIMIT says otherwise.
// SQLite's caches come on top of it.
const memoryLimit = 64 << 20

// garbagePercent is how much garbage may gather, as a share of what is in use, unless GOGC says otherwise.
// What is in use is a few megabytes: to collect it at every doubling would cost a tenth of the requests.
const garbagePercent = 300

func newServe(a *app) *cobra.Command {
	c := &cobra.Command{
		Use: "serve", Short: "Serve the API", Args: cobra.NoArgs,
		Long: "Create or upgrade the database and serve the API until SIGINT or SIGTERM.",
		RunE: func(c *cobra.Command, _ []string) error { return a.serve(c.Context(), a.greet) },
	}
	a.settingFlags(c, "listen", "import-max", "log", "log-level", "backup-dir", "backup-keep", "backup-every")
	a.networkFlags(c)
	a.aiFlags(c)
	return c
}

// greeting is what a server does once it listens, before it answers.
type greeting func(ctx context.Context, log *slog.Logger, database *db.DB, books *ledger.Ledger, addr net.Addr) error

// serve opens everything in order, runs the service until ctx ends, and closes everything in the
// opposite order.
func (a *app) serve(ctx context.Context, greet greeting) (err error) {
	if _, set := a.env["GOMEMLIMIT"]; !set {
		debug.SetMemoryLimit(memoryLimit)
	}
	if _, set := a.env["GOGC"]; !set {
		debug.SetGCPercent(garbagePercent)
	}
	log, manager := a.newLogger(), a.manager()
	manager.starting(log)
	database, err := db.Open(ctx, a.config.Data, a.openOptions()...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	lock, err := lockServer(database.Path())
	if err != nil {
		return err
	}
	// The next server may come when the file is closed; the second Close, above, does nothing.
	defer func() { err = errors.Join(err, database.Close(), lock.Unlock()) }()
	books := ledger.New(database, a.now)
	chats, hangUp, err := a.newAssistant(database, books, log)
	if err != nil {
		return err
	}
	defer hangUp()
	door, err := a.openDoor(ctx, log)
	if err != nil {
		return err
	}
	defer door.Close() // again, unless something failed
	if err := greet(ctx, log, database, books, door.Addr()); err != nil {
		return err
	}
	imports := importer.New(importer.Options{DB: database, Ledger: books, Logger: log, Now: a.now, Max: int64(a.config.ImportMax), PDFText: pdfReader()})
	s := &service{database: database, ledger: books, imports: imports, chats: chats, log: log, copier: a.newCopier(database, books, log), beside: door.workers}
	h := handlers.New(handlers.Options{
		Ledger: books, Imports: imports, Assistant: chats, Logger: log, Health: database.Ping, Version: version(), Now: a.now,
		TrustedProxies: a.config.Network.TrustedProxies.ranges, BasePath: string(a.config.Network.BasePath),
	})
	if err := a.addMetrics(ctx, s, h); err != nil {
		return err
	}
	s.beside = append(s.beside, manager.worker(log, s.well))
	return s.run(ctx, door, h)
}

// lockServer keeps a second server off the same file; commands do not need the lock. The lock file
// stays: to remove it would let two servers in that start and stop at the same moment.
func lockServer(path string) (*flock.Flock, error) {
	lock := flock.New(path+".server-lock", flock.SetPermissions(0o600))
	ok, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the database for this server: %w", err)
	}
	if !ok {
		return nil, ledger.NewConflict("a server is running on %s already. Stop it first, or name another file with --data", path)
	}
	return lock, nil
}

func (a *app) listen(ctx context.Context) (net.Listener, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", a.config.Listen)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, ledger.NewConflict("the address %s is in use by another program. Choose another with --listen, such as --listen 127.0.0.1:7118", a.config.Listen)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("this user may not listen at %s; ports from 1024 need no right: %w", a.config.Listen, err)
	case err != nil:
		return nil, usagef("cannot listen at %s: %s. Give an address such as --listen 127.0.0.1:7117", a.config.Listen, err)
	}
	return listener, nil
}

// greet says where the service is and, as long as the file has no household, what to type next.
func (a *app) greet(ctx context.Context, log *slog.Logger, database *db.DB, books *ledger.Ledger, addr net.Addr) error {
	schema, err := database.SchemaVersion(ctx)
	if err != nil {
		return err
	}
	homes, err := books.ListHouseholds(ctx)
	if err != nil {
		return err
	}
	log.Info("listening", "addr", addr.String(), "database", database.Path(), "schema", schema, "version", version())
	if len(homes) > 0 {
		return nil
	}
	next := fmt.Sprintf("finsvc apikey create --data '%s'", database.Path())
	if !a.logsText() {
		log.Info("no household yet", "next", next)
		return nil
	}
	a.say("\nThis database is empty. In another terminal, make a household, its owner and a key:\n\n  %s\n\n"+
		"Then ask with the key it prints:\n\n  curl -H 'X-Api-Key: KEY' %s/api/v1/usage\n\nStop with Ctrl-C.\n", next, a.curlTo(addr))
	return nil
}

// reachable is an address to type on this machine: a server that listens everywhere has none of its own.
func reachable(addr net.Addr) string {
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return fmt.Sprintf("localhost:%d", tcp.Port)
	}
	return addr.String()
}
