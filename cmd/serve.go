package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"finsvc/assistant"
	"finsvc/assistant/engine"
	"finsvc/assistant/mcp"
	"finsvc/assistant/provider"
	"finsvc/cmd/config"
	"finsvc/cmd/listen"
	"finsvc/cmd/lock"
	"finsvc/cmd/server"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/handlers"
	"finsvc/importer"
	"finsvc/ledger/books"
)

// printBanner says where the service is, what it has and, as long as the file has no household, what to type next: to a
// person on a terminal, else in the log.
func printBanner(ctx context.Context, a *app, log *slog.Logger, database *db.DB, books *books.Books, addr net.Addr) error {
	f, err := factsOf(ctx, a, database, books, addr)
	if err != nil {
		return err
	}
	if a.config.Log != config.LogJSON && term.IsTerminal(a.Stderr) {
		_, err := fmt.Fprint(a.Stderr, f.Text())
		return err
	}
	f.Log(log)
	return nil
}

func factsOf(ctx context.Context, a *app, database *db.DB, books *books.Books, addr net.Addr) (f server.Banner,
	err error) {
	f = server.Banner{Version: version(), Database: database.Path(), Created: a.created, Addr: addr,
		Site:    listen.SiteOf(&a.config.Network),
		Machine: listen.ThisMachine(a.env), Now: a.now(), BackupFolder: a.copies().Path, Assistant: a.config.AI.Words()}
	f.Schema, err = database.SchemaVersion(ctx)
	if err != nil {
		return f, err
	}
	f.Backup, _ = a.copies().LastProved()
	f.Households, f.Size, err = books.Audits.CountBooks(ctx)
	if err != nil || !bool(a.config.Network.Web) {
		return f, err
	}
	needed, err := books.SignIn.NeedsSetUp(ctx)
	if err == nil && needed {
		f.SetUpCode, f.SetUpUntil, err = books.SignIn.NewSetUpCode(ctx)
	}
	return f, err
}

// memoryLimit is what Go's own memory should stay below, in bytes, unless GOMEMLIMIT says otherwise.
// SQLite's caches come on top of it. Judging a file of a million rows keeps some 60 MB; closer to that, collecting
// garbage takes as long as the work.
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
		RunE: func(c *cobra.Command, _ []string) error { return serve(c.Context(), a, printBanner) },
	}
	a.config.AddFlags(c.Flags(), "listen", "import-max", "log", "log-level", "backup-dir", "backup-keep",
		"backup-every", "mcp")
	a.config.Network.AddFlags(c.Flags())
	a.config.AI.AddFlags(c.Flags())
	return c
}

// greeting is what a server does once it listens, before it answers.
type greeting func(ctx context.Context, a *app, log *slog.Logger, database *db.DB, books *books.Books,
	addr net.Addr) error

// limitMemory keeps the memory of what works on many rows small.
func limitMemory(env config.Environment) {
	if _, set := env["GOMEMLIMIT"]; !set {
		debug.SetMemoryLimit(memoryLimit)
	}
	if _, set := env["GOGC"]; !set {
		debug.SetGCPercent(garbagePercent)
	}
}

// serve opens everything in order, runs the service until ctx ends, and closes everything in the
// opposite order. Whatever can fail is tried before the database is made or upgraded: a start that fails leaves things
// as they were.
func serve(ctx context.Context, a *app, greet greeting) (err error) {
	limitMemory(a.env)
	if err := a.config.Network.Check(); err != nil {
		return err
	}
	log, manager := newLogger(a), listen.NewManager(a.env)
	manager.Starting(log)
	provider, err := a.config.AI.Provider(a.Say)
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
	if err := a.copies().RefuseBeginning(path); err != nil {
		return err
	}
	held, err := lock.Take(path)
	if err != nil {
		return err
	}
	place := &lock.Watch{Backups: a.copies().Path, Now: a.now, Log: log, Lock: held}
	defer func() { err = errors.Join(err, place.Lock.Release()) }() // the next server may come when the file is closed
	where := listen.Options{Address: a.config.Listen, Network: &a.config.Network, Env: a.env, Now: a.now,
		Again: a.again}
	listener, err := listen.Open(ctx, where, log)
	if err != nil {
		return err
	}
	defer listener.Close() // again, unless something failed
	metrics, err := listen.OpenMetrics(ctx, where)
	if err != nil {
		return err
	}
	if metrics != nil {
		defer metrics.Close() // likewise
	}
	place.By = lock.Owner{PID: os.Getpid(), Addr: listener.Addr().String(), Since: a.now().UTC().Truncate(time.Second),
		Path: path}
	place.By.Write(held)
	_, missing := os.Stat(path)
	a.created = errors.Is(missing, fs.ErrNotExist)
	database, err := db.Open(ctx, path, append(a.openOptions(), db.AsServer())...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, database.Close()) }()
	place.Begin(database)
	defer place.End()
	books := books.New(database, a.now)
	chats, hangUp, err := assistantOf(a, provider, database, books, log)
	if err != nil {
		return err
	}
	defer hangUp()
	chats.Server = true
	pages, err := pagesOf(ctx, a, books)
	if err != nil {
		return err
	}
	if err := greet(ctx, a, log, database, books, listener.Addr()); err != nil {
		return err
	}
	imports := importer.New(importer.Options{DB: database, Ledger: books, Logger: log, Now: a.now,
		Max: int64(a.config.ImportMax), PDFText: pdfReader(), Server: true})
	schedule := newSchedule(a, database, books, log)
	if pages != nil {
		pages.Machine = &keeper{a, database, books, schedule, log}
	}
	s := &server.Service{Database: database, Ledger: books, Imports: imports, Chats: chats, Log: log,
		Schedule: schedule, Place: place}
	if listener.Keep != nil {
		s.Beside = append(s.Beside, server.Worker{Name: "certificate", Run: listener.Keep})
	}
	var models *mcp.Service
	if a.config.MCP != config.MCPOff {
		models = mcp.New(mcp.Options{Ledger: books, Importer: imports, Version: version(), Write: a.config.MCP == config.MCPWrite})
	}
	h := handlers.New(handlers.Options{MCP: models, Web: pages,
		Ledger: books, Imports: imports, Assistant: chats, Logger: log, Health: s.Ready, Version: version(), Now: a.now,
		TrustedProxies: a.config.Network.TrustedProxies.Ranges, BasePath: string(a.config.Network.BasePath),
	})
	if metrics != nil {
		page := &server.MetricsPage{Service: s, Listener: metrics, API: h, Version: version(), Now: a.now,
			Started: a.now(), Copies: a.copies()}
		s.Beside = append(s.Beside, server.Worker{Name: "metrics", Run: page.Run})
		log.Info("metrics", "addr", metrics.Addr().String())
	}
	s.Beside = append(s.Beside, server.Worker{Name: "service manager",
		Run: func(ctx context.Context) error { return manager.Run(ctx, log, s.Well) }})
	return s.Run(ctx, listener, h)
}

// pagesOf is what the pages are told of where they are; nil when they are off.
func pagesOf(ctx context.Context, a *app, books *books.Books) (*handlers.Web, error) {
	network := &a.config.Network
	if !network.Web {
		return nil, nil
	}
	instance, err := books.SignIn.Instance(ctx)
	return &handlers.Web{PublicURL: string(network.PublicURL), AuthHeader: string(network.AuthHeader), Instance: instance,
		Timezone: a.env.Timezone()}, err
}

// newAssistant makes the assistant as it is set up; call what it returns when nobody asks it any more.
func newAssistant(a *app, database *db.DB, books *books.Books, log *slog.Logger) (*assistant.Assistant, func(), error) {
	remote, err := a.config.AI.Provider(a.Say)
	if err != nil {
		return nil, nil, err
	}
	return assistantOf(a, remote, database, books, log)
}

// assistantOf is newAssistant for whoever has asked for the provider before.
func assistantOf(a *app, options *provider.Options, database *db.DB, books *books.Books,
	log *slog.Logger) (*assistant.Assistant, func(), error) {
	builtin := engine.New(books)
	o := assistant.Options{DB: database, Ledger: books, Logger: log, Now: a.now, Model: builtin,
		Context: a.config.AI.PromptTokens(), Rounds: a.config.AI.Rounds.Value, Off: !bool(a.config.AI.Assistant)}
	if options == nil {
		return assistant.New(o), func() {}, nil
	}
	options.Engine = builtin
	remote, err := provider.New(*options)
	if err != nil {
		return nil, nil, err
	}
	o.Model = remote
	log.Info("questions go to a provider", "host", remote.Host(), "model", remote.Name(), "context", o.Context,
		"local_only", bool(a.config.AI.LocalOnly))
	return assistant.New(o), remote.Close, nil
}

// newLogger writes to standard error, in the form and from the level that the settings say.
func newLogger(a *app) *slog.Logger {
	options := &slog.HandlerOptions{Level: a.config.LogLevel}
	if a.config.Log == config.LogText || a.config.Log == config.LogAuto && term.IsTerminal(a.Stderr) {
		return slog.New(slog.NewTextHandler(a.Stderr, options))
	}
	return slog.New(slog.NewJSONHandler(a.Stderr, options))
}
