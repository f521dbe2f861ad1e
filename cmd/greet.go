package cmd

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/ledger"
)

// greetingFacts is what a server says when it begins.
type greetingFacts struct {
	version, database string
	schema            int64
	created           bool // the file was, at this start
	households        int64
	size              ledger.Size
	addr              net.Addr
	site              site
	machine           machine
	now, backup       time.Time // the newest backup; zero for none
	backupFolder      string
	assistant         string
}

// greet says where the service is, what it has and, as long as the file has no household, what to type next: to a
// person on a terminal, else in the log.
func greet(ctx context.Context, a *app, log *slog.Logger, database *db.DB, books *ledger.Ledger, addr net.Addr) error {
	f, err := factsOf(ctx, a, database, books, addr)
	if err != nil {
		return err
	}
	if a.config.Log != logJSON && term.IsTerminal(a.Stderr) {
		_, err := fmt.Fprint(a.Stderr, f.banner())
		return err
	}
	f.log(log)
	return nil
}

func factsOf(ctx context.Context, a *app, database *db.DB, books *ledger.Ledger, addr net.Addr) (f greetingFacts, err error) {
	f = greetingFacts{version: version(), database: database.Path(), created: a.created, addr: addr, site: siteOf(&a.config.Network),
		machine: thisMachine(a.env), now: a.now(), backupFolder: a.copies().path, assistant: a.config.AI.words()}
	if f.schema, err = database.SchemaVersion(ctx); err != nil {
		return f, err
	}
	f.backup, _ = a.copies().lastProved()
	f.households, f.size, err = books.CountBooks(ctx)
	return f, err
}

// next is what to type while there is no household.
func (f greetingFacts) next() string {
	return "finsvc apikey create --data " + term.ShellQuote(f.database)
}

// log writes the facts for machines.
func (f greetingFacts) log(log *slog.Logger) {
	if f.created {
		log.Info("database created", "path", f.database, "schema", f.schema)
	}
	reached := f.reach()
	attrs := []any{"addr", f.addr.String(), "urls", strings.Join(reached.all(), ","), "database", f.database, "schema", f.schema, "version", f.version,
		"households", f.households, "people", f.size.People, "accounts", f.size.Accounts, "transactions", f.size.Transactions,
		"backups", f.backupFolder, "assistant", f.assistant}
	if !f.backup.IsZero() {
		attrs = append(attrs, "last_backup", f.backup)
	}
	log.Info("listening", attrs...)
	if f.households == 0 {
		log.Info("no household yet", "next", f.next())
	}
}

func (f greetingFacts) reach() reach { return f.site.reachOf(f.addr, f.machine) }

// banner is the text for people.
func (f greetingFacts) banner() string {
	if f.households == 0 {
		return f.firstBanner()
	}
	has := []string{term.Count(f.households, "household"), people(f.size.People), term.Count(f.size.Accounts, "account"), term.Count(f.size.Transactions, "transaction")}
	where := strings.Join(f.reach().all(), "   ")
	if tcp, ok := f.addr.(*net.TCPAddr); ok && f.machine.container && !tcp.IP.IsLoopback() {
		where = f.site.containerWords(tcp.Port)
	}
	return fmt.Sprintf("\n  finsvc %s   %s   %s\n  %s\n  %s Assistant: %s.\n\n", f.version, f.database, strings.Join(has, ", "), where, f.lastBackup(), f.assistant)
}

// people is how many of them there are.
func people(n int64) string {
	if n == 1 {
		return "1 person"
	}
	return humanize.Comma(n) + " people"
}

func (f greetingFacts) lastBackup() string {
	if f.backup.IsZero() {
		return "No backup yet."
	}
	return "Last backup " + humanize.RelTime(f.backup, f.now, "ago", "from now") + "."
}

// firstBanner is that of a file without a household.
func (f greetingFacts) firstBanner() string {
	var b strings.Builder
	verb := "Opened"
	if f.created {
		verb = "Created"
	}
	fmt.Fprintf(&b, "\n  finsvc %s\n\n  %s %s (schema %d).\n", f.version, verb, f.database, f.schema)
	fmt.Fprintf(&b, "  Listening on %s.\n\n", f.listening())
	f.writeReach(&b)
	first := f.reach().all()[0]
	fmt.Fprintf(&b, "\n  It is empty. In another terminal, make a household, its owner and a key:\n\n    %s\n", f.next())
	fmt.Fprintf(&b, "\n  Then ask with the key it prints, or read how in a browser:\n\n    %s\n    %s/api/docs\n", f.ask(), first)
	fmt.Fprintf(&b, "\n  Stop with Ctrl-C. Your data is that one file; copies of it go to %s.\n\n", f.backupFolder)
	return b.String()
}

// ask is a first request.
func (f greetingFacts) ask() string {
	option, url := f.site.curl(f.addr)
	return "curl " + option + "-H 'X-Api-Key: KEY' " + url + "/api/v1/usage"
}

func (f greetingFacts) listening() string {
	tcp, ok := f.addr.(*net.TCPAddr)
	switch {
	case !ok:
		return f.addr.String()
	case tcp.IP.IsLoopback():
		return fmt.Sprintf("port %d, for this machine only", tcp.Port)
	case tcp.IP.IsUnspecified():
		return fmt.Sprintf("port %d, all interfaces", tcp.Port)
	}
	return fmt.Sprintf("port %d of %s", tcp.Port, tcp.IP)
}

// writeReach lists the addresses, or says how to be reached from elsewhere.
func (f greetingFacts) writeReach(b *strings.Builder) {
	reached, here, there := f.reach(), "On this machine", "On your network"
	if f.machine.container {
		here, there = "In here", "From outside"
	}
	line := func(head, text string) { fmt.Fprintf(b, "    %-15s   %s\n", head, text) }
	for _, url := range reached.here {
		line(here, url)
	}
	tcp, _ := f.addr.(*net.TCPAddr)
	switch {
	case tcp == nil:
	case tcp.IP.IsLoopback():
		line(there, fmt.Sprintf("not reachable; to be: finsvc serve --listen :%d", tcp.Port))
	case f.machine.container:
		line(there, f.site.containerWords(tcp.Port))
	}
	for _, url := range reached.network {
		line(there, url)
		there = ""
	}
}
