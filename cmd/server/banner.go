package server

import (
	"fmt"
	"log/slog"
	"net"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"finsvc/cmd/listen"
	"finsvc/cmd/term"
	"finsvc/ledger/audit"
)

// Banner is what a server says when it begins.
type Banner struct {
	Version, Database string
	Schema            int64
	Created           bool // the file was, at this start
	Households        int64
	Size              audit.Size
	Addr              net.Addr
	Site              listen.Site
	Machine           listen.Machine
	Now, Backup       time.Time // the newest backup; zero for none
	BackupFolder      string
	Assistant         string
	SetUpCode         string // with which the first household is made in a browser; empty: there is one, or no pages
	SetUpUntil        time.Time
}

// next is what to type while there is no household.
func (f Banner) next() string {
	return "finsvc apikey create --data " + term.ShellQuote(f.Database)
}

// Log writes the facts for machines.
func (f Banner) Log(log *slog.Logger) {
	if f.Created {
		log.Info("database created", "path", f.Database, "schema", f.Schema)
	}
	reached := f.reach()
	attrs := []any{"addr", f.Addr.String(), "urls", strings.Join(reached.All(), ","), "database", f.Database, "schema",
		f.Schema, "version", f.Version,
		"households", f.Households, "people", f.Size.People, "accounts", f.Size.Accounts, "transactions",
		f.Size.Transactions,
		"backups", f.BackupFolder, "assistant", f.Assistant}
	if !f.Backup.IsZero() {
		attrs = append(attrs, "last_backup", f.Backup)
	}
	log.Info("listening", attrs...)
	if f.Households == 0 {
		log.Info("no household yet", "next", f.next())
	}
	if f.SetUpCode != "" {
		log.Info("set-up needed", "code", f.SetUpCode, "expires", f.SetUpUntil,
			"help", "open one of the addresses above and enter the code")
	}
}

func (f Banner) reach() listen.Reach { return f.Site.ReachOf(f.Addr, f.Machine) }

// Text is the text for people.
func (f Banner) Text() string {
	if f.Households == 0 {
		return f.firstBanner()
	}
	has := []string{term.Count(f.Households, "household"), people(f.Size.People),
		term.Count(f.Size.Accounts, "account"), term.Count(f.Size.Transactions, "transaction")}
	where := strings.Join(f.reach().All(), "   ")
	if tcp, ok := f.Addr.(*net.TCPAddr); ok && f.Machine.Container && !tcp.IP.IsLoopback() {
		where = f.Site.ContainerWords(tcp.Port)
	}
	return fmt.Sprintf("\n  finsvc %s   %s   %s\n  %s\n  %s Assistant: %s.\n\n", f.Version, f.Database,
		strings.Join(has, ", "), where, f.lastBackup(), f.Assistant)
}

// people is how many of them there are.
func people(n int64) string {
	if n == 1 {
		return "1 person"
	}
	return humanize.Comma(n) + " people"
}

func (f Banner) lastBackup() string {
	if f.Backup.IsZero() {
		return "No backup yet."
	}
	return "Last backup " + humanize.RelTime(f.Backup, f.Now, "ago", "from now") + "."
}

// firstBanner is that of a file without a household.
func (f Banner) firstBanner() string {
	var b strings.Builder
	verb := "Opened"
	if f.Created {
		verb = "Created"
	}
	fmt.Fprintf(&b, "\n  finsvc %s\n\n  %s %s (schema %d).\n", f.Version, verb, f.Database, f.Schema)
	fmt.Fprintf(&b, "  Listening on %s.\n\n", f.listening())
	f.writeReach(&b)
	if f.SetUpCode != "" {
		all := f.reach()
		best := all.All()[0]
		if len(all.Network) > 0 {
			best = all.Network[0]
		}
		fmt.Fprintf(&b, "\n  Set-up code  %s   (30 minutes, one use)\n", f.SetUpCode)
		fmt.Fprintf(&b, "  Open an address above and enter the code, or go straight to\n  %s/setup?code=%s\n", best, f.SetUpCode)
		fmt.Fprintf(&b, "\n  No browser?  %s\n", f.next())
		fmt.Fprintf(&b, "  Stop with Ctrl-C. Your data is that one file; copies of it go to %s.\n\n", f.BackupFolder)
		return b.String()
	}
	first := f.reach().All()[0]
	fmt.Fprintf(&b, "\n  It is empty. In another terminal, make a household, its owner and a key:\n\n    %s\n",
		f.next())
	fmt.Fprintf(&b, "\n  Then ask with the key it prints, or read how in a browser:\n\n    %s\n    %s/api/docs\n",
		f.ask(), first)
	fmt.Fprintf(&b, "\n  Stop with Ctrl-C. Your data is that one file; copies of it go to %s.\n\n", f.BackupFolder)
	return b.String()
}

// ask is a first request.
func (f Banner) ask() string {
	option, url := f.Site.Curl(f.Addr)
	return "curl " + option + "-H 'X-Api-Key: KEY' " + url + "/api/v1/usage"
}

func (f Banner) listening() string {
	tcp, ok := f.Addr.(*net.TCPAddr)
	switch {
	case !ok:
		return f.Addr.String()
	case tcp.IP.IsLoopback():
		return fmt.Sprintf("port %d, for this machine only", tcp.Port)
	case tcp.IP.IsUnspecified():
		return fmt.Sprintf("port %d, all interfaces", tcp.Port)
	}
	return fmt.Sprintf("port %d of %s", tcp.Port, tcp.IP)
}

// writeReach lists the addresses, or says how to be reached from elsewhere.
func (f Banner) writeReach(b *strings.Builder) {
	reached, here, there := f.reach(), "On this machine", "On your network"
	if f.Machine.Container {
		here, there = "In here", "From outside"
	}
	line := func(head, text string) { fmt.Fprintf(b, "    %-15s   %s\n", head, text) }
	for _, url := range reached.Here {
		line(here, url)
	}
	tcp, _ := f.Addr.(*net.TCPAddr)
	switch {
	case tcp == nil:
	case tcp.IP.IsLoopback():
		line(there, fmt.Sprintf("not reachable; to be: finsvc serve --listen :%d", tcp.Port))
	case f.Machine.Container:
		line(there, f.Site.ContainerWords(tcp.Port))
	}
	for _, url := range reached.Network {
		line(there, url)
		there = ""
	}
}
