package handlers

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/google/uuid"

	"finsvc/importer"
	"finsvc/importer/record"
	"finsvc/ledger/books"
	"finsvc/queries"
)

// imports answers for imports, from the upload to the revert.
type imports struct {
	imports *importer.Importer
	ledger  *books.Books
	streams *streams
}

// createImport answers POST /imports. The file comes as raw_file_content of a JSON body or a form, or
// as the part named file of a multipart body, which is stored while it arrives.
func (s *imports) createImport(a *answer, r *request) error {
	upload, err := s.imports.Receive(r.Context(), r.who())
	if err != nil {
		return err
	}
	in, err := receiveImport(r, upload)
	if err != nil {
		return errors.Join(err, upload.Discard(r.Context()))
	}
	_, err = upload.Finish(r.Context(), in, s.tell(a, r, http.StatusCreated))
	return err
}

// tell answers with an import that is being changed, and keeps the answer for repeats, by the write that changes it.
func (s *imports) tell(a *answer, r *request, status int) importer.Also {
	return func(ctx context.Context, imp queries.Import) error {
		within := *r
		within.Request = r.WithContext(ctx)
		a.status = status
		if err := s.oneImport(a, &within, &imp); err != nil || r.keep == nil {
			return err
		}
		return r.keep(ctx)
	}
}

// listImports answers GET /imports. A status or type that does not exist matches nothing.
func (s *imports) listImports(a *answer, r *request) error {
	q := r.query()
	page, filter := q.page(), importer.Filter{Statuses: q.list("status"), Types: q.list("type")}
	if err := q.err(); err != nil {
		return err
	}
	for i, name := range filter.Types {
		filter.Types[i], _ = record.TypeNamed(name)
	}
	list, total, err := s.imports.List(r.Context(), r.who(), filter, page)
	if err != nil {
		return err
	}
	accounts, err := s.ledger.Entries.AccountIDs(r.Context(), r.who())
	if err != nil {
		return err
	}
	j := a.json
	j.open("")
	j.list("data")
	for i := range list {
		writeImportItem(j, &list[i], accounts)
	}
	j.endList()
	j.importMeta(page, total)
	j.close()
	return nil
}

// publishImport answers POST /imports/{id}/publish: 202, for the work goes on after the answer. It reads
// the body itself so that an Idempotency-Key does not make one write of it: the file is read meanwhile.
func (s *imports) publishImport(a *answer, r *request) error {
	id, f, err := r.importBody()
	if err != nil {
		return err
	}
	how := importer.Publication{SkipInvalidRows: f.boolean("skip_invalid_rows").Or(false), Plan: f.text("plan").Or(""), Duplicates: f.text("possible_duplicates").Or("")}
	if err := f.err(); err != nil {
		return err
	}
	_, err = s.imports.Publish(r.Context(), r.who(), id, how, s.tell(a, r, http.StatusAccepted))
	return err
}

// importBody reads the id of an import and the fields of a body that the server has left unread.
func (r *request) importBody() (uuid.UUID, *fields, error) {
	id, err := r.pathID("id", "Import")
	if err != nil {
		return id, nil, err
	}
	if err := r.decodeBody(); err != nil {
		return id, nil, err
	}
	f, err := r.fields()
	return id, f, err
}

func (s *imports) oneImport(a *answer, r *request, imp *queries.Import) error {
	accounts, err := s.ledger.Entries.AccountIDs(r.Context(), r.who())
	if err != nil {
		return err
	}
	j := a.json
	j.open("")
	writeImportDetail(j, "data", imp, accounts)
	j.close()
	return nil
}

// writeImportItem writes the Import list item of the contract, with what pollers need besides.
func writeImportItem(j *jsonWriter, imp *queries.Import, accounts map[int64]uuid.UUID) {
	j.open("")
	writeImportHead(j, imp, accounts)
	j.int("rows_count", imp.RowsCount)
	j.close()
}

func writeImportHead(j *jsonWriter, imp *queries.Import, accounts map[int64]uuid.UUID) {
	j.id("id", imp.PublicID)
	j.text("type", imp.Type)
	j.text("status", imp.Status)
	j.stamp("created_at", imp.CreatedAt)
	j.stamp("updated_at", imp.UpdatedAt)
	if id, ok := accounts[orZero(imp.AccountID)]; ok {
		j.id("account_id", id)
	} else {
		j.null("account_id")
	}
	j.textOrNull("error", imp.Error)
	ended := imp.Status == importer.StatusComplete || imp.Status == importer.StatusFailed || imp.Status == importer.StatusRevertFailed
	j.open("status_detail")
	j.bool("uploaded", imp.ByteSize > 0)
	j.bool("configured", imp.RowsCount > 0)
	j.bool("terminal", ended)
	j.close()
}

func orZero(key *int64) int64 {
	if key == nil {
		return 0
	}
	return *key
}

// writeImportDetail writes the Import detail of the contract.
func writeImportDetail(j *jsonWriter, name string, imp *queries.Import, accounts map[int64]uuid.UUID) {
	j.open(name)
	writeImportHead(j, imp, accounts)
	j.raw("configuration", imp.Settings)
	j.raw("configuration_reasons", imp.Reasons)
	j.open("stats")
	j.int("rows_count", imp.RowsCount)
	j.int("valid_rows_count", imp.ValidRowsCount)
	j.int("invalid_rows_count", imp.InvalidRowsCount)
	j.int("done_rows_count", imp.DoneRowsCount)
	j.int("already_imported_rows_count", imp.MatchedRowsCount)
	j.int("possible_duplicates", imp.DoubtfulRowsCount)
	j.int("pending_rows_count", imp.PendingRowsCount)
	j.close()
	if imp.Reconciliation == nil {
		j.raw("reconciliation", "[]")
	} else {
		j.raw("reconciliation", *imp.Reconciliation)
	}
	writeImportProgress(j, imp)
	if imp.Status == importer.StatusPending || imp.Status == importer.StatusFailed {
		j.textOrNull("plan", blankAsNull(imp.Plan))
	} else {
		j.null("plan")
	}
	if imp.Report == nil {
		j.null("verification")
	} else {
		j.raw("verification", *imp.Report)
	}
	j.close()
}

// listImportRows answers GET /imports/{id}/rows: every row of the file and what became of it.
func (s *imports) listImportRows(a *answer, r *request) error {
	id, err := r.pathID("id", "Import")
	if err != nil {
		return err
	}
	q := r.query()
	page := q.page()
	if err := q.err(); err != nil {
		return err
	}
	imp, list, err := s.imports.Results(r.Context(), r.who(), id, page)
	if err != nil {
		return err
	}
	j := a.json
	j.open("")
	j.list("data")
	for i := range list {
		writeImportRow(j, &list[i], imp.Status)
	}
	j.endList()
	j.importMeta(page, imp.RowsCount)
	j.close()
	return nil
}

func writeImportRow(j *jsonWriter, row *importer.Result, status string) {
	j.open("")
	j.id("id", row.ID)
	j.int("row_number", int64(row.Number))
	j.int("line", int64(row.Line))
	j.bool("valid", len(row.Issues) == 0)
	j.text("status", row.Fate(status))
	j.texts("errors", row.Sentences())
	j.list("issues")
	for _, issue := range row.Issues {
		j.open("")
		j.text("column", issue.Column)
		j.text("cell", issue.Cell)
		j.text("message", issue.Message)
		j.close()
	}
	j.endList()
	j.texts("remarks", row.Remarks)
	writeImportFields(j, row)
	writeImportEntry(j, row)
	j.idOrNull("may_be_transaction_id", row.DoubtID)
	writeDifferences(j, row.Differs)
	j.textOrNull("ruling", blankAsNull(row.Ruling))
	j.close()
}

func writeImportFields(j *jsonWriter, row *importer.Result) {
	j.open("fields")
	j.text("account", row.Account)
	if row.Dated() {
		j.date("date", row.Date)
	} else {
		j.null("date")
	}
	if row.Valued() {
		j.text("amount", row.Currency.Plain(row.Minor))
	} else {
		j.null("amount")
	}
	j.text("currency", row.Currency.Code)
	j.text("name", row.Name)
	j.text("category", row.Category)
	j.text("tags", strings.Join(row.Tags, ","))
	j.text("notes", row.Notes)
	writeImportEntity(j, row)
	j.texts("raw", row.Raw)
	j.close()
}

// writeImportEntity writes what only rows of some kinds have.
func writeImportEntity(j *jsonWriter, row *importer.Result) {
	switch body := row.Body.(type) {
	case *record.Category:
		writeImportCategory(j, *body)
	case *record.RestoredCategory:
		writeImportCategory(j, body.Category)
	case *record.Account:
		j.text("account_type", body.Type)
		j.text("subtype", body.Subtype)
	case *record.RestoredAccount:
		j.text("account_type", row.AccountType)
		j.text("subtype", "")
	case *record.Trade:
		writeImportTrade(j, row.Currency, body)
	}
}

func writeImportCategory(j *jsonWriter, c record.Category) {
	j.text("parent", c.Parent)
	j.text("color", c.Color)
	j.text("icon", c.Icon)
	j.text("classification", c.Classification)
}
