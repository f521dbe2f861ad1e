package importing

import (
	"fmt"
	"strings"

	"github.com/google/uuid"

	"finsvc/cmd/term"
	"finsvc/importer"
	"finsvc/importer/match"
	"finsvc/ledger"
	"finsvc/ledger/intake"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// shownIssues is how many bad rows are listed to a person.
const shownIssues = 10

// show tells what importing the file would do: people on standard error, programs in JSON lines.
func show(j *Job, file string, out *importer.Preflight) error {
	if j.Options.JSONLine {
		if err := j.PrintJSONLine(newPreflightJSON(file, out)); err != nil {
			return err
		}
		for _, i := range out.Issues {
			if err := j.PrintJSONLine(rowErrorJSON{"row_error", i.Row, i.Line, i.Column, i.Cell,
				i.Message}); err != nil {
				return err
			}
		}
		return nil
	}
	if out.Broken != nil {
		return nil // the error that follows says it
	}
	j.Say("%s: %s%s", file, term.Count(out.Rows, "row"), lacking(out))
	if err := j.showReading(out); err != nil {
		return err
	}
	for _, sum := range out.Sums {
		j.Say("  In %s   Out %s", j.format.Money(sum.In, sum.Currency), j.format.Money(sum.Out, sum.Currency))
	}
	if len(out.Sums) > 0 {
		j.Say("  From %s to %s", out.First, out.Last)
	}
	for _, b := range out.Balances {
		j.Say("  %s: %s now, %s afterwards", b.Before.Name, term.Formatted(j.format, b.Before.BalanceMinor,
			b.Before.Currency), term.Formatted(j.format, b.After.BalanceMinor, b.After.Currency))
	}
	for _, r := range out.Reconciliations {
		lines := reconciliationLines(j.format, r)
		j.Say("  %s", lines[0])
		for _, line := range lines[1:] {
			j.Say("    %s", line)
		}
	}
	for _, warning := range out.Warnings() {
		j.Say("  Careful: %s", warning)
	}
	// List what would be made, and what becomes of categories that are there.
	creates := out.Creates
	for _, kind := range []struct{ entity, one, many string }{{"account", "account", "accounts"},
		{"category", "category", "categories"}, {"tag", "tag", "tags"},
		{"merchant", "merchant", "merchants"}, {"security", "security", "securities"}} {
		var names []string
		for _, c := range creates {
			switch {
			case c.Entity == kind.entity && c.Currency != "":
				names = append(names, ledger.Quote(c.Name)+" ("+c.Currency+")")
			case c.Entity == kind.entity:
				names = append(names, ledger.Quote(c.Name))
			}
		}
		switch len(names) {
		case 0:
		case 1:
			j.Say("  New %s: %s", kind.one, names[0])
		default:
			j.Say("  %d new %s: %s", len(names), kind.many, strings.Join(names, ", "))
		}
	}
	for _, c := range creates {
		if c.Entity == intake.ChangedCategory {
			j.Say("  Changed category %s: %s", ledger.Quote(c.Name), strings.Join(c.Changes, "; "))
		}
	}
	showPossibleDuplicates(j, out)
	for _, issue := range out.Issues[:min(len(out.Issues), shownIssues)] {
		j.Say("  %s", issue)
	}
	if len(out.Issues) > shownIssues {
		j.Say("  and more: %s cannot be imported", term.Count(out.Invalid, "row"))
	}
	return nil
}

// lacking says how many rows would not be imported; blank when all would.
func lacking(out *importer.Preflight) string {
	text := ""
	if out.Invalid > 0 {
		text += fmt.Sprintf(", of which %d cannot be imported", out.Invalid)
	}
	if out.Skipped > 0 {
		text += fmt.Sprintf(", of which %d are left out by the settings", out.Skipped)
	}
	if out.Pending > 0 {
		text += fmt.Sprintf(", of which %d are pending at the bank and left out (--set pending_rows=book imports them)",
			out.Pending)
	}
	if out.Matched > 0 {
		text += fmt.Sprintf(", of which %d are there already", out.Matched)
	}
	return text
}

// reconciliationLines say what a file proves of the balances of an account, beside what that shows; the first line is
// the figures.
func reconciliationLines(format *money.Formatter, r importer.Reconciliation) []string {
	money := func(minor int64) string { return term.Formatted(format, minor, r.Currency) }
	lines := []string{fmt.Sprintf("%s: %s before %s and %s after %s by the file; %s then by the account",
		r.Account, money(r.Opening), r.FirstDay, money(r.Closing), r.LastDay, money(r.Shown))}
	if r.OpeningTaken {
		lines = append(lines, fmt.Sprintf("The opening balance of %s is taken from the file.", money(r.Opening)))
	}
	if r.Difference == 0 {
		return lines
	}
	from := ""
	if r.From != nil {
		from = ", from " + *r.From + " on"
	}
	why := ""
	if r.Held > 0 {
		why += fmt.Sprintf("; %s held back", term.Count(r.Held, "row"))
	}
	if r.Pending > 0 {
		why += fmt.Sprintf("; %s pending and left out", term.Count(r.Pending, "row"))
	}
	return append(lines, fmt.Sprintf("Careful: file and account differ by %s%s%s. Rows may be missing that no file has brought yet.", money(r.Difference), from, why))
}

// showPossibleDuplicates lists rows that may be there already, and those that are and that the bank has changed since.
func showPossibleDuplicates(j *Job, out *importer.Preflight) {
	switch {
	case out.Held > 0:
		j.Say("  %s may be there already, and would be held back until you say what they are (see: finsvc import rule --help):", term.Count(out.Possible, "row"))
	case out.Possible > 0:
		j.Say("  %s may be there already, and would be imported all the same:", term.Count(out.Possible, "row"))
	}
	showDifferences(j, out.PossibleDuplicates)
	if len(out.Changed) > 0 {
		j.Say("  The bank has changed rows that are there already. The books keep what they have:")
		showDifferences(j, out.Changed)
	}
}

func showDifferences(j *Job, list []importer.PossibleDuplicate) {
	for _, d := range list[:min(len(list), shownIssues)] {
		j.Say("    row %d: %s %s %s%s", d.Row.Number, d.Row.Date, j.format.Money(d.Row.Minor, d.Row.Currency),
			ledger.Quote(d.Row.Name), differing(d.Differs))
	}
	if more := len(list) - shownIssues; more > 0 {
		j.Say("    and more")
	}
}

// differing says what the books have otherwise than a row.
func differing(list []match.Difference) string {
	var parts []string
	for _, d := range list {
		parts = append(parts, fmt.Sprintf("%s was %s, is %s", d.Column, ledger.Quote(d.Booked), ledger.Quote(d.File)))
	}
	if len(parts) == 0 {
		return ""
	}
	return "; " + strings.Join(parts, ", ")
}

// The JSON lines of an import.
type (
	preflightJSON struct {
		Type      string          `json:"type"`
		File      string          `json:"file"`
		Valid     bool            `json:"valid"`
		Error     *string         `json:"error"`
		Settings  any             `json:"configuration"`
		Reasons   any             `json:"configuration_reasons"`
		Unused    []string        `json:"unused_columns"`
		Rows      int64           `json:"rows"`
		ValidRows int64           `json:"valid_rows"`
		Invalid   int64           `json:"invalid_rows"`
		Skipped   int64           `json:"skipped_rows"`
		Matched   int64           `json:"already_imported_rows"`
		Doubtful  int64           `json:"possible_duplicates"`
		Pending   int64           `json:"pending_rows"`
		Plan      string          `json:"plan"`
		Sums      []sumJSON       `json:"sums"`
		FirstDate *string         `json:"first_date"`
		LastDate  *string         `json:"last_date"`
		Creates   []creationJSON  `json:"creates"`
		Balances  []balanceChange `json:"balances"`
		Proved    any             `json:"reconciliation"`
	}
	sumJSON struct {
		Currency string `json:"currency"`
		In       int64  `json:"in_cents"`
		Out      int64  `json:"out_cents"`
	}
	creationJSON struct {
		Type    string   `json:"type"`
		Name    string   `json:"name"`
		Changes []string `json:"changes,omitempty"`
	}
	balanceChange struct {
		Account  string `json:"account"`
		Currency string `json:"currency"`
		Before   int64  `json:"before_cents"`
		After    int64  `json:"after_cents"`
	}
	rowErrorJSON struct {
		Type    string `json:"type"`
		Row     int    `json:"row"`
		Line    int    `json:"line"`
		Column  string `json:"column"`
		Cell    string `json:"cell"`
		Message string `json:"message"`
	}
	progressJSON struct {
		Type    string `json:"type"`
		Done    int64  `json:"done"`
		Total   int64  `json:"total"`
		Seconds int64  `json:"seconds_remaining"`
	}
	summaryJSON struct {
		Type     string  `json:"type"`
		ImportID *string `json:"import_id"`
		Status   string  `json:"status"`
		Imported int64   `json:"imported"`
		Matched  int64   `json:"already_imported"`
		Held     int64   `json:"possible_duplicates"`
		Skipped  int64   `json:"skipped"`
		Errors   int64   `json:"errors"`
	}
)

func newPreflightJSON(file string, out *importer.Preflight) preflightJSON {
	line := preflightJSON{Type: "preflight", File: file, Valid: out.Obstacle == "", Rows: out.Rows,
		ValidRows: out.Valid, Invalid: out.Invalid, Skipped: out.Skipped,
		Matched: out.Matched, Doubtful: out.Possible, Pending: out.Pending, Plan: out.Plan,
		Proved:   append([]importer.Reconciliation{}, out.Reconciliations...),
		Settings: out.Settings, Reasons: out.Reasons, Unused: append([]string{}, out.Unused...),
		Sums: []sumJSON{}, Creates: []creationJSON{}, Balances: []balanceChange{}}
	if out.Obstacle != "" {
		line.Error = &out.Obstacle
	}
	if len(out.Sums) > 0 {
		line.FirstDate, line.LastDate = new(out.First.String()), new(out.Last.String())
	}
	for _, s := range out.Sums {
		line.Sums = append(line.Sums, sumJSON{s.Currency.Code, s.In, s.Out})
	}
	for _, c := range out.Creates {
		line.Creates = append(line.Creates, creationJSON{c.Entity, c.Name, c.Changes})
	}
	for _, b := range out.Balances {
		line.Balances = append(line.Balances, balanceChange{b.Before.Name, b.Before.Currency, b.Before.BalanceMinor,
			b.After.BalanceMinor})
	}
	return line
}

// bookedRows counts the rows that an import has booked which is complete.
func bookedRows(imp *queries.Import) int64 {
	return imp.ValidRowsCount - imp.MatchedRowsCount - imp.DoubtfulRowsCount
}

// summary is what standard output says at the end of a file: its import's id, or the last JSON line.
// Without an import nothing was stored.
func summary(j *Job, imp *queries.Import, out *importer.Preflight) error {
	line := summaryJSON{Type: "summary", Status: "dry_run", Skipped: out.Skipped, Errors: out.Invalid}
	if out.Obstacle != "" {
		line.Status = "refused"
	}
	if imp != nil {
		line.ImportID, line.Status = new(uuid.UUID(imp.PublicID).String()), imp.Status
		if imp.Status == importer.StatusComplete {
			line.Imported, line.Matched, line.Held = bookedRows(imp), imp.MatchedRowsCount, imp.DoubtfulRowsCount
		}
	}
	switch {
	case j.Options.JSONLine:
		return j.PrintJSONLine(line)
	case imp != nil:
		_, err := fmt.Fprintln(j.Stdout, *line.ImportID)
		return err
	}
	return nil
}
