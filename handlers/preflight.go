package handlers

import (
	"encoding/json"
	"fmt"
	"mime"

	"finsvc/handlers/wire"
	"finsvc/importer"
	"finsvc/importer/match"
	"finsvc/importer/record"
	"finsvc/importer/source"
)

// preflightImport answers POST /imports/preflight: what creating and publishing the import would do.
// Nothing is stored, so a key that may only read may ask. What is wrong with the content is part of the
// answer, not an error.
func (s *imports) preflightImport(a *wire.Answer, r *wire.Request) error {
	buffer := s.imports.NewBuffer()
	in, err := receiveImport(r, &countedBuffer{Buffer: buffer, share: r.Share})
	if err != nil {
		return err
	}
	if buffer.Size() == 0 {
		in.Problems.Add("file", "is missing: send it as raw_file_content, or as the part named file of a form")
		return in.Problems.Err()
	}
	out, err := s.imports.Preflight(r.Context(), r.Who(), in, buffer.File())
	if err != nil {
		return err
	}
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // blank when it is none
	j := a.Json
	j.Open("")
	j.Open("data")
	j.Text("type", out.Type)
	j.Bool("valid", out.Obstacle == "")
	fileName := in.FileName
	size := buffer.Size()
	j.Open("content")
	j.TextOrNull("filename", blankAsNull(fileName))
	j.TextOrNull("content_type", blankAsNull(media))
	j.Int("byte_size", size)
	j.Close()
	writePreflightOutcome(j, out)
	j.Close()
	j.Close()
	return nil
}

// countedBuffer takes the memory of the file that it keeps.
type countedBuffer struct {
	*source.Buffer
	share *wire.Share
	taken int64
}

// Write keeps bytes.
func (s *countedBuffer) Write(p []byte) (int, error) {
	n, err := s.Buffer.Write(p)
	if err != nil {
		return n, err
	}
	more := s.Held() - s.taken
	if err := s.share.Take(more); err != nil {
		return 0, err
	}
	s.taken += more
	return n, nil
}

func blankAsNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// writePreflightOutcome writes what a preflight found: first what clients of other services of this kind know,
// then the rest.
func writePreflightOutcome(j *wire.Writer, out *importer.Preflight) {
	settings, _ := json.Marshal(out.Settings) // texts always have a JSON form
	j.Raw("configuration", string(settings))
	if out.Reasons == nil {
		out.Reasons = map[string]string{} // nothing was found: no settings, no reasons
	}
	reasons, _ := json.Marshal(out.Reasons)
	j.Raw("configuration_reasons", string(reasons))
	j.Open("stats")
	j.Int("rows_count", out.Rows)
	j.Int("valid_rows_count", out.Valid)
	j.Int("invalid_rows_count", out.Invalid)
	j.Int("skipped_rows_count", out.Skipped)
	j.Int("already_imported_rows_count", out.Matched)
	j.Int("possible_duplicates", out.Possible)
	j.Int("pending_rows_count", out.Pending)
	j.Close()
	j.TextOrNull("plan", blankAsNull(out.Plan))
	j.Texts("headers", out.Header)
	j.Texts("unused_columns", out.Unused)
	j.Texts("required_headers", out.Required)
	j.Texts("missing_required_headers", out.Missing)
	// Write why the import would not be published, with a code for programs.
	j.List("errors")
	if out.Obstacle != "" {
		j.Open("")
		j.Text("code", obstacleCode(out))
		j.Text("message", out.Obstacle)
		j.Close()
	}
	j.EndList()
	j.Texts("warnings", warnings(out))
	issues := out.Issues
	j.List("issues")
	for _, issue := range issues {
		j.Open("")
		j.Int("row_number", int64(issue.Row))
		j.Int("line", int64(issue.Line))
		j.Text("column", issue.Column)
		j.Text("cell", issue.Cell)
		j.Text("message", issue.Message)
		j.Close()
	}
	j.EndList()
	writePossibleDuplicates(j, "possible_duplicates", "may_be_transaction_id", out.PossibleDuplicates)
	writePossibleDuplicates(j, "changed", "transaction_id", out.Changed)
	writePreflightSums(j, out)
	list := out.Creates
	j.List("creates")
	for _, c := range list {
		j.Open("")
		j.Text("type", c.Entity)
		j.Text("name", c.Name)
		j.TextOrNull("currency", blankAsNull(c.Currency))
		j.List("changes")
		for _, change := range c.Changes {
			j.Text("", change)
		}
		j.EndList()
		j.Close()
	}
	j.EndList()
	// numbers and texts always have a JSON form
	reconciliation, _ := json.Marshal(append([]importer.Reconciliation{}, out.Reconciliations...))
	j.Raw("reconciliation", string(reconciliation))
	j.List("balances")
	for i := range out.Balances {
		writePreflightBalance(j, &out.Balances[i])
	}
	j.EndList()
}

func obstacleCode(out *importer.Preflight) string {
	switch {
	case len(out.Open) > 0:
		return "missing_settings"
	case len(out.Missing) > 0:
		return "missing_required_headers"
	case out.Broken != nil && out.Type == record.PdfImport:
		return "invalid_pdf"
	case out.Broken != nil:
		return "invalid_csv"
	case out.Rows == 0:
		return "no_data_rows"
	}
	return "validation_failed"
}

func warnings(out *importer.Preflight) []string {
	var list []string
	if out.Invalid > 0 && out.Obstacle == "" {
		list = append(list, fmt.Sprintf("%d of %d rows cannot be imported and would be left out", out.Invalid,
			out.Rows))
	}
	if out.Skipped > 0 {
		list = append(list, fmt.Sprintf("%d of %d rows are left out by the settings", out.Skipped, out.Rows))
	}
	if out.Pending > 0 {
		list = append(list, fmt.Sprintf("%d of %d rows are pending at the bank and would be left out; pending_rows=book books them", out.Pending, out.Rows))
	}
	if out.Matched > 0 {
		list = append(list, fmt.Sprintf("%d of %d rows are there already and would be left out", out.Matched, out.Rows))
	}
	if out.Possible > out.Held {
		list = append(list, fmt.Sprintf("%d of %d rows may be there already, and would be booked all the same: see possible_duplicates", out.Possible-out.Held, out.Rows))
	}
	if out.Held > 0 {
		list = append(list, fmt.Sprintf("%d of %d rows may be there already, and would be held back until somebody says what they are: see possible_duplicates", out.Held, out.Rows))
	}
	if len(out.Changed) > 0 {
		list = append(list, "the bank has changed the amount or the day of rows that are there already, and the books keep what they have: see changed")
	}
	list = append(list, out.Warnings()...)
	if out.Unfinished {
		list = append(list, "the file has so many names that creates and balances are left empty")
	}
	return list
}

// writePossibleDuplicates writes rows that are, or may be, booked already, as what, and what differs.
func writePossibleDuplicates(j *wire.Writer, name, as string, doubts []importer.PossibleDuplicate) {
	j.List(name)
	for _, d := range doubts {
		j.Open("")
		j.Int("row_number", int64(d.Row.Number))
		j.Date("date", d.Row.Date)
		j.Text("name", d.Row.Name)
		j.IdOrNull(as, d.EntryID)
		writeDifferences(j, d.Differs)
		j.Close()
	}
	j.EndList()
}

// writeDifferences writes what a row and the entry that it is, or may be, do not share.
func writeDifferences(j *wire.Writer, list []match.Difference) {
	j.List("differences")
	for _, d := range list {
		j.Open("")
		j.Text("column", d.Column)
		j.Text("booked", d.Booked)
		j.Text("file", d.File)
		j.Close()
	}
	j.EndList()
}

func writePreflightSums(j *wire.Writer, out *importer.Preflight) {
	j.List("sums")
	for _, sum := range out.Sums {
		j.Open("")
		j.Text("currency", sum.Currency.Code)
		j.Int("in_cents", sum.In)
		j.Int("out_cents", sum.Out)
		j.Close()
	}
	j.EndList()
	if len(out.Sums) == 0 {
		j.Null("first_date")
		j.Null("last_date")
		return
	}
	j.Date("first_date", out.First)
	j.Date("last_date", out.Last)
}

func writePreflightBalance(j *wire.Writer, change *importer.BalanceChange) {
	j.Open("")
	j.Id("account_id", change.Before.PublicID)
	j.Text("account_name", change.Before.Name)
	j.Text("currency", change.Before.Currency)
	j.Int("before_cents", change.Before.BalanceMinor)
	j.Int("after_cents", change.After.BalanceMinor)
	writeUnconverted(j, change.After.Unconverted)
	writeStaleRates(j, change.After.Stale)
	j.Close()
}
