package cmd

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

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
	*app
	database *db.DB // nil when it cannot be opened
	books    *ledger.Ledger
	findings []finding
	tell     func(finding) // of each as it is found: the large checks take time
}

func newDoctor(a *app) *cobra.Command {
	var asJSON, verbose bool
	c := &cobra.Command{
		Use: "doctor", Short: "Examine the database, the backups and what they lie on", Args: cobra.NoArgs,
		Long: "Prove that the file is sound and that its books add up, and look for what is missing, old or dangerous:\n" +
			"rates, prices, silent accounts, backups, room on the disk, the clock, who may read the files, where the\n" +
			"program connects to. A line each: ok, warn or fail. Nothing is changed; a server may run on the file.\n\n" +
			"The exit status is 1 when a check failed, and 0 when there are warnings only.\n\nMore: finsvc help backups",
		Example: "  finsvc doctor\n  finsvc doctor --verbose\n  finsvc doctor --json",
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.needFile(); err != nil && checkPlace(a.config.Data) == nil {
				return err
			}
			if asJSON {
				findings := a.examine(c.Context(), func(finding) {})
				return errors.Join(a.PrintJSON(findings), verdict(findings))
			}
			p := findingPrinter{app: a, verbose: verbose}
			findings := a.examine(c.Context(), p.print)
			return errors.Join(p.end(findings), verdict(findings))
		},
	}
	jsonFlag(c, &asJSON)
	c.Flags().BoolVar(&verbose, "verbose", false, "all details")
	a.config.addFlags(c.Flags(), "listen")
	return c
}

// examine runs all checks, and tells of each.
func (a *app) examine(ctx context.Context, tell func(finding)) []finding {
	x := &examination{app: a, tell: tell}
	x.ok("version", "finsvc %s, %s", version(), runtimeWords())
	// What is read of a file that is not the one that its server has open would be wrong.
	if err := checkPlace(a.config.Data); err != nil {
		x.fail("database", nil, "%s", exit.Message(err))
	} else if database, err := db.View(ctx, a.config.Data); err != nil {
		x.fail("database", nil, "%s%s", exit.Message(err), cure(a, err))
	} else {
		defer database.Close()
		x.database, x.books = database, ledger.New(database, a.now)
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
	return x.findings
}

// ok, warn and fail note what a check came to.

func (x *examination) ok(check, format string, args ...any) {
	x.note(check, statusOK, nil, format, args)
}

func (x *examination) warn(check string, details []string, format string, args ...any) {
	x.note(check, statusWarn, details, format, args)
}

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

// verdict is the error of an examination.
func verdict(findings []finding) error {
	if n := statuses(findings)[statusFail]; n > 0 {
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
	*app
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
