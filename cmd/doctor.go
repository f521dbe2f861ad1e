package cmd

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/db"
	"finsvc/ledger"
)

// What a check of the doctor comes to.
const (
	statusOK   = "ok"
	statusWarn = "warn" // somebody should look at it
	statusFail = "fail" // something is broken, or would lose data
)

// finding is what a check came to.
type finding struct {
	Check   string   `json:"check"`
	Status  string   `json:"status"`
	Message string   `json:"message"`
	Details []string `json:"details"`
}

// examination is what the doctor looks at, and what was found so far.
type examination struct {
	config     *config
	env        environment
	now        func() time.Time
	copies     copyFolder
	version    string                           // of the program
	warn       func(format string, args ...any) // tells a person
	migrations []db.Option                      // other ones than the program's, for tests
	database   *db.DB                           // nil when it cannot be opened
	books      *ledger.Ledger
	findings   []finding
	tell       func(finding) // of each as it is found: the large checks take time
}

// run runs all checks, and tells of each.
func (x *examination) run(ctx context.Context) {
	x.ok("version", "finsvc %s, %s, %s/%s", x.version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	// What is read of a file that is not the one that its server has open would be wrong.
	if err := checkPlace(x.config.Data); err != nil {
		x.fail("database", nil, "%s", exit.Message(err))
	} else if database, err := db.View(ctx, x.config.Data, x.migrations...); err != nil {
		x.fail("database", nil, "%s%s", exit.Message(err), hint(err, x.copies))
	} else {
		defer database.Close()
		x.database, x.books = database, ledger.New(database, x.now)
		x.checkFile(ctx)
	}
	x.checkServer(ctx)
	x.checkNames()
	x.checkBackups(ctx)
	x.checkDisk()
	x.checkModes()
	x.checkClock()
	x.checkSettings()
	x.checkOutgoing()
}

// ok notes that nothing is wrong.
func (x *examination) ok(check, format string, args ...any) {
	x.note(check, statusOK, nil, format, args)
}

// caution notes what somebody should look at.
func (x *examination) caution(check string, details []string, format string, args ...any) {
	x.note(check, statusWarn, details, format, args)
}

// fail notes that something is broken, or would lose data.
func (x *examination) fail(check string, details []string, format string, args ...any) {
	x.note(check, statusFail, details, format, args)
}

func (x *examination) note(check, status string, details []string, format string, args []any) {
	if details == nil {
		details = []string{}
	}
	f := finding{check, status, fmt.Sprintf(format, args...), details}
	x.findings = append(x.findings, f)
	x.tell(f)
}

// errUnwell ends a doctor's visit that found something broken.
var errUnwell = errors.New("not all is well")

// verdict is the error of an examination that found something broken.
func (x *examination) verdict() error {
	n := statuses(x.findings)[statusFail]
	if n > 0 {
		return fmt.Errorf("%w: failed checks: %d", errUnwell, n)
	}
	return nil
}

func statuses(findings []finding) map[string]int {
	n := map[string]int{}
	for _, f := range findings {
		n[f.Status]++
	}
	return n
}

// someDetails is how many details of a check are shown, unless all are asked for.
const someDetails = 5

// findingPrinter prints findings for people.
type findingPrinter struct {
	*term.Terminal
	verbose, hidden bool
	failed          error
}

func (p *findingPrinter) print(f finding) {
	lines := append([]string{fmt.Sprintf("%-4s  %-10s  %s", f.Status, f.Check, hanging(f.Message))}, f.Details...)
	if !p.verbose && len(f.Details) > someDetails {
		lines, p.hidden = lines[:1+someDetails], true
	}
	for i, line := range lines {
		if i > 0 {
			line = hanging("\n" + line)[1:]
		}
		p.failed = errors.Join(p.failed, p.Print(line))
	}
}

// end sums up.
func (p *findingPrinter) end(findings []finding) error {
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
