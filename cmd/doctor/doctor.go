// Package doctor examines a database, its backups and what they lie on, and says what to type where something is
// wrong. It changes nothing, and a server may run on the file meanwhile.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"finsvc/cmd/config"
	"finsvc/cmd/copies"
	"finsvc/cmd/exit"
	"finsvc/cmd/lock"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/db/disk"
	"finsvc/ledger/books"
)

// What a check of the doctor comes to.
const (
	statusOK   = "ok"
	statusWarn = "warn" // somebody should look at it
	statusFail = "fail" // something is broken, or would lose data
)

// Finding is what a check came to.
type Finding struct {
	Check   string   `json:"check"`
	Status  string   `json:"status"`
	Message string   `json:"message"`
	Details []string `json:"details"`
}

// Examination is what the doctor looks at, and what was found so far.
type Examination struct {
	Config     *config.Config
	Env        config.Environment
	Now        func() time.Time
	Copies     copies.Folder
	Version    string                           // of the program
	Warn       func(format string, args ...any) // tells a person
	Migrations []db.Option                      // other ones than the program's, for tests
	database   *db.DB                           // nil when it cannot be opened
	books      *books.Books
	Findings   []Finding
	Tell       func(Finding) // of each as it is found: the large checks take time
}

// Run runs all checks, and tells of each.
func (x *Examination) Run(ctx context.Context) {
	x.ok("version", "finsvc %s, %s, %s/%s", x.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	// What is read of a file that is not the one that its server has open would be wrong.
	if err := lock.CheckPlace(x.Config.Data); err != nil {
		x.fail("database", nil, "%s", exit.Message(err))
	} else if database, err := db.View(ctx, x.Config.Data, x.Migrations...); err != nil {
		x.fail("database", nil, "%s%s", exit.Message(err), Hint(err, x.Copies))
	} else {
		defer database.Close()
		x.database, x.books = database, books.New(database, x.Now)
		x.checkFile(ctx)
	}
	// Say who serves the file, and look at the log beside it.
	by, running, err := lock.ServerOn(x.Config.Data)
	unwell := ""
	if running && by.Addr != "" {
		unwell = x.complaint(ctx, by.Addr)
	}
	switch {
	case unwell != "":
		x.fail("server", nil, "one runs on the file (%s), and says: %s", by, unwell)
	case running && by.Path != "" && !sameFile(by.Path, x.Config.Data):
		x.fail("server", nil, "one runs on this file (%s) that was started on %s, which no longer leads to it. Put the file back; or stop the server, and start it on this path", by, by.Path)
	case err != nil:
		x.caution("server", nil, "cannot tell whether a server runs on the file: %s", err)
	case running && by.Since.IsZero():
		x.ok("server", "one runs on the file: %s", by)
	case running:
		x.ok("server", "one runs on the file: %s, since %s", by, term.Moment(by.Since))
	default:
		x.ok("server", "none runs on the file")
	}
	if n := sizeOf(x.Config.Data + "-wal"); n > largeLog {
		x.caution("log", nil, "%s-wal has grown to %s: something has been reading the file for very long. Restart the server", x.Config.Data, term.Size(n))
	}
	info, err := os.Stat(x.Config.Data)
	if err == nil && disk.Names(info) > 1 {
		x.caution("names", nil, "the file has %d names (hard links): what is written by two of them damages it, and one is no copy. Remove the others: find / -xdev -samefile %s", disk.Names(info), term.ShellQuote(x.Config.Data))
	}
	x.checkBackups(ctx)
	x.checkDisk()
	x.checkModes()
	// Compare the clock with what must have been before.
	now := x.Now()
	built, known := builtAt()
	changed := time.Time{}
	if info, err := os.Stat(x.Config.Data); err == nil {
		changed = info.ModTime()
	}
	switch {
	case known && now.Before(built):
		x.fail("clock", nil, "it says %s, and this program was made later (%s). Set it, or wait for the network time",
			term.Moment(now), term.Moment(built))
	case changed.Sub(now) > clockTolerance:
		x.caution("clock", nil, "it says %s, and the file was written later (%s): the clock was ahead, or is behind now", term.Moment(now), term.Moment(changed))
	default:
		x.ok("clock", "%s, time zone %s", term.Moment(now), x.Env.Timezone())
	}
	x.checkSettings()
	// Name every place that the program may connect to.
	var details []string
	for _, s := range x.Config.Settings() {
		if !strings.HasSuffix(s.Flag, "-url") || s.Value.String() == "" {
			continue
		}
		if s.Flag == "ai-url" && !bool(x.Config.AI.Assistant) {
			continue
		}
		details = append(details, config.HostOf(s.Value.String())+" ("+s.Variable()+")")
	}
	if len(details) == 0 {
		x.ok("outgoing", "none: the program connects to nothing")
		return
	}
	x.ok("outgoing", "%s", strings.Join(details, ", "))
}

// ok notes that nothing is wrong.
func (x *Examination) ok(check, format string, args ...any) {
	x.note(check, statusOK, nil, format, args)
}

// caution notes what somebody should look at.
func (x *Examination) caution(check string, details []string, format string, args ...any) {
	x.note(check, statusWarn, details, format, args)
}

// fail notes that something is broken, or would lose data.
func (x *Examination) fail(check string, details []string, format string, args ...any) {
	x.note(check, statusFail, details, format, args)
}

func (x *Examination) note(check, status string, details []string, format string, args []any) {
	if details == nil {
		details = []string{}
	}
	f := Finding{check, status, fmt.Sprintf(format, args...), details}
	x.Findings = append(x.Findings, f)
	x.Tell(f)
}

// errUnwell ends a doctor's visit that found something broken.
var errUnwell = errors.New("not all is well")

// Err is the error of an examination that found something broken.
func (x *Examination) Err() error {
	n := statuses(x.Findings)[statusFail]
	if n > 0 {
		return fmt.Errorf("%w: failed checks: %d", errUnwell, n)
	}
	return nil
}

func statuses(findings []Finding) map[string]int {
	n := map[string]int{}
	for _, f := range findings {
		n[f.Status]++
	}
	return n
}

// someDetails is how many details of a check are shown, unless all are asked for.
const someDetails = 5

// FindingPrinter prints findings for people.
type FindingPrinter struct {
	*term.Terminal
	Verbose, hidden bool
	failed          error
}

func (p *FindingPrinter) Show(f Finding) {
	lines := append([]string{fmt.Sprintf("%-4s  %-10s  %s", f.Status, f.Check, hanging(f.Message))}, f.Details...)
	if !p.Verbose && len(f.Details) > someDetails {
		lines, p.hidden = lines[:1+someDetails], true
	}
	for i, line := range lines {
		if i > 0 {
			line = hanging("\n" + line)[1:]
		}
		p.failed = errors.Join(p.failed, p.Terminal.Print(line))
	}
}

// End sums up.
func (p *FindingPrinter) End(findings []Finding) error {
	more := ""
	if p.hidden {
		more = " All details: finsvc doctor --verbose"
	}
	n := statuses(findings)
	p.Say("%s, %d failed.%s", term.Count(int64(n[statusWarn]), "warning"), n[statusFail], more)
	return p.failed
}

// hanging lets the lines of a text stand below the first.
func hanging(text string) string {
	return strings.ReplaceAll(text, "\n", "\n"+strings.Repeat(" ", 18))
}
