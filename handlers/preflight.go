package handlers

import (
	"encoding/json"
	"fmt"
	"mime"

	"finsvc/importer"
	"finsvc/importer/record"
	"finsvc/importer/source"
)

// preflightImport answers POST /imports/preflight: what creating and publishing the import would do.
// Nothing is stored, so a key that may only read may ask. What is wrong with the content is part of the
// answer, not an error.
func (s *imports) preflightImport(a *answer, r *request) error {
	spool := s.imports.NewSpool()
	in, err := receiveImport(r, &countedSpool{Buffer: spool, share: r.share})
	if err != nil {
		return err
	}
	if spool.Size() == 0 {
		in.Problems.Add("file", "is missing: send it as raw_file_content, or as the part named file of a form")
		return in.Problems.Err()
	}
	out, err := s.imports.Preflight(r.Context(), r.who(), in, spool.File())
	if err != nil {
		return err
	}
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")) // blank when it is none
	j := a.json
	j.open("")
	j.open("data")
	j.text("type", out.Type)
	j.bool("valid", out.Obstacle == "")
	writePreflightContent(j, in.FileName, media, spool.Size())
	writePreflightOutcome(j, out)
	j.close()
	j.close()
	return nil
}

// countedSpool takes the memory of the file that it keeps.
type countedSpool struct {
	*source.Buffer
	share *share
	taken int64
}

// Write keeps bytes.
func (s *countedSpool) Write(p []byte) (int, error) {
	n, err := s.Buffer.Write(p)
	if err != nil {
		return n, err
	}
	more := s.Held() - s.taken
	if err := s.share.take(more); err != nil {
		return 0, err
	}
	s.taken += more
	return n, nil
}

func writePreflightContent(j *jsonWriter, fileName, contentType string, size int64) {
	j.open("content")
	j.textOrNull("filename", blankAsNull(fileName))
	j.textOrNull("content_type", blankAsNull(contentType))
	j.int("byte_size", size)
	j.close()
}

func blankAsNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// writePreflightOutcome writes what a preflight found: first what clients of other services of this kind know,
// then the rest.
func writePreflightOutcome(j *jsonWriter, out *importer.Outcome) {
	settings, _ := json.Marshal(out.Settings) // texts always have a JSON form
	j.raw("configuration", string(settings))
	if out.Reasons == nil {
		out.Reasons = map[string]string{} // nothing was found: no settings, no reasons
	}
	reasons, _ := json.Marshal(out.Reasons)
	j.raw("configuration_reasons", string(reasons))
	writePreflightStats(j, out)
	j.textOrNull("plan", blankAsNull(out.Plan))
	j.texts("headers", out.Header)
	j.texts("unused_columns", out.Unused)
	j.texts("required_headers", out.Required)
	j.texts("missing_required_headers", out.Missing)
	writePreflightErrors(j, out)
	j.texts("warnings", warnings(out))
	writePreflightIssues(j, out.Issues)
	writePreflightDoubts(j, "possible_duplicates", "may_be_transaction_id", out.Doubts)
	writePreflightDoubts(j, "changed", "transaction_id", out.Changed)
	writePreflightSums(j, out)
	writePreflightCreates(j, out.Creates)
	reconciliation, _ := json.Marshal(append([]importer.Reconciliation{}, out.Reconciliations...)) // numbers and texts always have a JSON form
	j.raw("reconciliation", string(reconciliation))
	j.list("balances")
	for i := range out.Balances {
		writePreflightBalance(j, &out.Balances[i])
	}
	j.endList()
}

func writePreflightStats(j *jsonWriter, out *importer.Outcome) {
	j.open("stats")
	j.int("rows_count", out.Rows)
	j.int("valid_rows_count", out.Valid)
	j.int("invalid_rows_count", out.Invalid)
	j.int("skipped_rows_count", out.Skipped)
	j.int("already_imported_rows_count", out.Matched)
	j.int("possible_duplicates", out.Doubtful)
	j.int("pending_rows_count", out.Pending)
	j.close()
}

func writePreflightCreates(j *jsonWriter, list []importer.Creation) {
	j.list("creates")
	for _, c := range list {
		j.open("")
		j.text("type", c.Entity)
		j.text("name", c.Name)
		j.textOrNull("currency", blankAsNull(c.Currency))
		j.list("changes")
		for _, change := range c.Changes {
			j.text("", change)
		}
		j.endList()
		j.close()
	}
	j.endList()
}

// writePreflightErrors writes why the import would not be published, with a code for programs.
func writePreflightErrors(j *jsonWriter, out *importer.Outcome) {
	j.list("errors")
	if out.Obstacle != "" {
		j.open("")
		j.text("code", obstacleCode(out))
		j.text("message", out.Obstacle)
		j.close()
	}
	j.endList()
}

func obstacleCode(out *importer.Outcome) string {
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

func warnings(out *importer.Outcome) []string {
	var list []string
	if out.Invalid > 0 && out.Obstacle == "" {
		list = append(list, fmt.Sprintf("%d of %d rows cannot be imported and would be left out", out.Invalid, out.Rows))
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
	if out.Doubtful > out.Held {
		list = append(list, fmt.Sprintf("%d of %d rows may be there already, and would be booked all the same: see possible_duplicates", out.Doubtful-out.Held, out.Rows))
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

func writePreflightIssues(j *jsonWriter, issues []record.Issue) {
	j.list("issues")
	for _, issue := range issues {
		j.open("")
		j.int("row_number", int64(issue.Row))
		j.int("line", int64(issue.Line))
		j.text("column", issue.Column)
		j.text("cell", issue.Cell)
		j.text("message", issue.Message)
		j.close()
	}
	j.endList()
}

// writePreflightDoubts writes rows that are, or may be, booked already, as what, and what differs.
func writePreflightDoubts(j *jsonWriter, name, as string, doubts []importer.PossibleDuplicate) {
	j.list(name)
	for _, d := range doubts {
		j.open("")
		j.int("row_number", int64(d.Row.Number))
		j.date("date", d.Row.Date)
		j.text("name", d.Row.Name)
		j.idOrNull(as, d.EntryID)
		writeDifferences(j, d.Differs)
		j.close()
	}
	j.endList()
}

// writeDifferences writes what a row and the entry that it is, or may be, do not share.
func writeDifferences(j *jsonWriter, list []importer.Difference) {
	j.list("differences")
	for _, d := range list {
		j.open("")
		j.text("column", d.Column)
		j.text("booked", d.Booked)
		j.text("file", d.File)
		j.close()
	}
	j.endList()
}

func writePreflightSums(j *jsonWriter, out *importer.Outcome) {
	j.list("sums")
	for _, sum := range out.Sums {
		j.open("")
		j.text("currency", sum.Currency.Code)
		j.int("in_cents", sum.In)
		j.int("out_cents", sum.Out)
		j.close()
	}
	j.endList()
	if len(out.Sums) == 0 {
		j.null("first_date")
		j.null("last_date")
		return
	}
	j.date("first_date", out.First)
	j.date("last_date", out.Last)
}

func writePreflightBalance(j *jsonWriter, change *importer.BalanceChange) {
	j.open("")
	j.id("account_id", change.Before.PublicID)
	j.text("account_name", change.Before.Name)
	j.text("currency", change.Before.Currency)
	j.int("before_cents", change.Before.BalanceMinor)
	j.int("after_cents", change.After.BalanceMinor)
	writeUnconverted(j, change.After.Unconverted)
	writeStaleRates(j, change.After.Stale)
	j.close()
}
