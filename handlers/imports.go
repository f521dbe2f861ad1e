package handlers

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/google/uuid"

	"finsvc/handlers/middleware"
	"finsvc/handlers/wire"
	"finsvc/importer"
	"finsvc/importer/record"
	"finsvc/ledger/books"
	"finsvc/queries"
)

// imports answers for imports, from the upload to the revert.
type imports struct {
	imports *importer.Importer
	ledger  *books.Books
	streams *middleware.Streams
}

// createImport answers POST /imports. The file comes as raw_file_content of a JSON body or a form, or
// as the part named file of a multipart body, which is stored while it arrives.
func (s *imports) createImport(a *wire.Answer, r *wire.Request) error {
	upload, err := s.imports.Receive(r.Context(), r.Who())
	if err != nil {
		return err
	}
	in, err := receiveImport(r, upload)
	if err != nil {
		return errors.Join(err, upload.Discard(r.Context()))
	}
	_, err = upload.Finish(r.Context(), in, s.answerWith(a, r, http.StatusCreated))
	return err
}

// answerWith answers with an import that is being changed, and keeps the answer for repeats, by the write that changes it.
func (s *imports) answerWith(a *wire.Answer, r *wire.Request, status int) importer.Also {
	return func(ctx context.Context, imp queries.Import) error {
		within := *r
		within.Request = r.WithContext(ctx)
		a.Status = status
		if err := s.oneImport(a, &within, &imp); err != nil || r.Keep == nil {
			return err
		}
		return r.Keep(ctx)
	}
}

// listImports answers GET /imports. A status or type that does not exist matches nothing.
func (s *imports) listImports(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page, filter := q.Page(), importer.Filter{Statuses: q.List("status"), Types: q.List("type")}
	if err := q.Err(); err != nil {
		return err
	}
	for i, name := range filter.Types {
		filter.Types[i], _ = record.TypeNamed(name)
	}
	list, total, err := s.imports.List(r.Context(), r.Who(), filter, page)
	if err != nil {
		return err
	}
	accounts, err := s.ledger.Entries.AccountIDs(r.Context(), r.Who())
	if err != nil {
		return err
	}
	j := a.Json
	j.Open("")
	j.List("data")
	for i := range list {
		// Write the Import list item of the contract, with what pollers need besides.
		imp := &list[i]
		j.Open("")
		writeImportHead(j, imp, accounts)
		j.Int("rows_count", imp.RowsCount)
		j.Close()
	}
	j.EndList()
	wire.ImportMeta(j, page, total)
	j.Close()
	return nil
}

// publishImport answers POST /imports/{id}/publish: 202, for the work goes on after the answer. It reads
// the body itself so that an Idempotency-Key does not make one write of it: the file is read meanwhile.
func (s *imports) publishImport(a *wire.Answer, r *wire.Request) error {
	id, f, err := readImportBody(r)
	if err != nil {
		return err
	}
	how := importer.Publication{SkipInvalidRows: f.Boolean("skip_invalid_rows").Or(false), Plan: f.Text("plan").Or(""),
		Duplicates: f.Text("possible_duplicates").Or("")}
	if err := f.Err(); err != nil {
		return err
	}
	_, err = s.imports.Publish(r.Context(), r.Who(), id, how, s.answerWith(a, r, http.StatusAccepted))
	return err
}

// readImportBody reads the id of an import and the fields of a body that the server has left unread.
func readImportBody(r *wire.Request) (uuid.UUID, *wire.Fields, error) {
	id, err := r.PathID("id", "Import")
	if err != nil {
		return id, nil, err
	}
	if err := r.DecodeBody(); err != nil {
		return id, nil, err
	}
	f, err := r.Fields()
	return id, f, err
}

func (s *imports) oneImport(a *wire.Answer, r *wire.Request, imp *queries.Import) error {
	accounts, err := s.ledger.Entries.AccountIDs(r.Context(), r.Who())
	if err != nil {
		return err
	}
	j := a.Json
	j.Open("")
	writeImportDetail(j, "data", imp, accounts)
	j.Close()
	return nil
}

func writeImportHead(j *wire.Writer, imp *queries.Import, accounts map[int64]uuid.UUID) {
	j.Id("id", imp.PublicID)
	j.Text("type", imp.Type)
	j.Text("status", imp.Status)
	j.Stamp("created_at", imp.CreatedAt)
	j.Stamp("updated_at", imp.UpdatedAt)
	if id, ok := accounts[orZero(imp.AccountID)]; ok {
		j.Id("account_id", id)
	} else {
		j.Null("account_id")
	}
	j.TextOrNull("error", imp.Error)
	ended := imp.Status == importer.StatusComplete || imp.Status == importer.StatusFailed ||
		imp.Status == importer.StatusRevertFailed
	j.Open("status_detail")
	j.Bool("uploaded", imp.ByteSize > 0)
	j.Bool("configured", imp.RowsCount > 0)
	j.Bool("terminal", ended)
	j.Close()
}

func orZero(key *int64) int64 {
	if key == nil {
		return 0
	}
	return *key
}

// writeImportDetail writes the Import detail of the contract.
func writeImportDetail(j *wire.Writer, name string, imp *queries.Import, accounts map[int64]uuid.UUID) {
	j.Open(name)
	writeImportHead(j, imp, accounts)
	j.Raw("configuration", imp.Settings)
	j.Raw("configuration_reasons", imp.Reasons)
	j.Open("stats")
	j.Int("rows_count", imp.RowsCount)
	j.Int("valid_rows_count", imp.ValidRowsCount)
	j.Int("invalid_rows_count", imp.InvalidRowsCount)
	j.Int("done_rows_count", imp.DoneRowsCount)
	j.Int("already_imported_rows_count", imp.MatchedRowsCount)
	j.Int("possible_duplicates", imp.DoubtfulRowsCount)
	j.Int("pending_rows_count", imp.PendingRowsCount)
	j.Close()
	if imp.Reconciliation == nil {
		j.Raw("reconciliation", "[]")
	} else {
		j.Raw("reconciliation", *imp.Reconciliation)
	}
	writeImportProgress(j, imp)
	if imp.Status == importer.StatusPending || imp.Status == importer.StatusFailed {
		j.TextOrNull("plan", blankAsNull(imp.Plan))
	} else {
		j.Null("plan")
	}
	if imp.Report == nil {
		j.Null("verification")
	} else {
		j.Raw("verification", *imp.Report)
	}
	j.Close()
}

// configureImport answers PATCH /imports/{id}: the file of a pending or failed import is read again with the settings
// of the body added to those that were given before, and for the account of the body, if there is one. It reads the
// body itself, see publishImport.
func (s *imports) configureImport(a *wire.Answer, r *wire.Request) error {
	id, f, err := readImportBody(r)
	if err != nil {
		return err
	}
	in := readImportRequest(f, "")
	if err := f.Err(); err != nil {
		return err
	}
	_, err = s.imports.Configure(r.Context(), r.Who(), id, in, s.answerWith(a, r, http.StatusOK))
	return err
}

// receiveImport writes the file to the upload and reads the fields beside it.
func receiveImport(r *wire.Request, upload io.Writer) (importer.Request, error) {
	f, fileName, err := r.ReceiveFile(upload)
	if err != nil {
		return importer.Request{}, err
	}
	return readImportRequest(f, fileName), nil
}

func readImportRequest(f *wire.Fields, fileName string) importer.Request {
	in := importer.Request{
		Type: f.Text("type").Or(""), AccountID: f.Id("account_id"), FileName: fileName,
		Publish: f.Boolean("publish").Or(false), SkipInvalidRows: f.Boolean("skip_invalid_rows").Or(false),
		Plan:       f.Text("plan").Or(""),
		Duplicates: f.Text("possible_duplicates").Or(""), Wait: f.Boolean("wait_for_answers").Or(false),
	}
	for name, setting := range in.Settings.Members() {
		*setting = f.Setting(name)
	}
	in.Problems = *f.Problems
	return in
}

// revertImport answers POST /imports/{id}/revert: 202, for rows are still being removed after the answer, though
// they count no longer. It reads the body itself, as publishing does.
func (s *imports) revertImport(a *wire.Answer, r *wire.Request) error {
	id, f, err := readImportBody(r)
	if err != nil {
		return err
	}
	q := r.Query()
	force := f.Boolean("force").Or(q.Flag("force").Or(false))
	if err := f.Err(); err != nil {
		return err
	}
	if err := q.Err(); err != nil {
		return err
	}
	_, err = s.imports.Revert(r.Context(), r.Who(), id, force, s.answerWith(a, r, http.StatusAccepted))
	return err
}
