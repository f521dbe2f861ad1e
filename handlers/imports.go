package handlers

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strings"

	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/queries"

	"github.com/google/uuid"
)

// createImport answers POST /imports. The file comes as raw_file_content of a JSON body or a form, or
// as the part named file of a multipart body, which is stored while it arrives.
func (s *Server) createImport(a *answer, r *request) error {
	upload, err := s.imports.Receive(r.Context(), r.who())
	if err != nil {
		return err
	}
	in, err := receiveImport(r, upload)
	if err != nil {
		return errors.Join(err, upload.Discard(r.Context()))
	}
	imp, err := upload.Finish(r.Context(), in)
	if err != nil {
		return err
	}
	a.created()
	return s.oneImport(a, r, imp)
}

// receiveImport writes the file to the upload and reads the fields beside it.
func receiveImport(r *request, upload io.Writer) (importer.Request, error) {
	media, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if media == "multipart/form-data" && params["boundary"] != "" {
		return receiveParts(r, multipart.NewReader(r.Body, params["boundary"]), upload)
	}
	if err := r.decodeBody(); err != nil {
		return importer.Request{}, err
	}
	if r.tree.shape == isNothing {
		return importer.Request{}, ledger.NewMalformed(`the body is missing: expected {"raw_file_content": "...", ...} or a multipart form with a part named file`)
	}
	f, err := r.fields()
	if err != nil {
		return importer.Request{}, err
	}
	if content := f.content("raw_file_content"); content.Has() {
		if _, err := upload.Write(content.Value); err != nil {
			return importer.Request{}, err
		}
	}
	return f.importRequest(""), nil
}

// maxImportField is the longest field beside a file, in bytes.
const maxImportField = 64 << 10

// receiveParts takes the parts of a form in whatever order they come.
func receiveParts(r *request, parts *multipart.Reader, upload io.Writer) (importer.Request, error) {
	root, fileName := value{shape: isObject, members: map[string]value{}}, ""
	for i := 0; ; i++ {
		part, err := parts.NextPart()
		if err == io.EOF { // bare: wrapped, it is a body without its last boundary
			break
		}
		if err != nil {
			return importer.Request{}, partError(err)
		}
		if name := part.FormName(); name == "file" || name == "raw_file_content" {
			fileName = part.FileName()
			if _, err := io.Copy(upload, part); err != nil {
				return importer.Request{}, partError(err)
			}
			continue
		}
		content, err := io.ReadAll(io.LimitReader(part, maxImportField+1))
		if err != nil || len(content) > maxImportField {
			return importer.Request{}, errors.Join(partError(err), ledger.NewMalformed("part %d of the multipart body is longer than a field may be", i+1))
		}
		if err := root.insert(i, part.FormName(), value{shape: isText, bytes: content}); err != nil {
			return importer.Request{}, err
		}
	}
	f := &fields{members: root.members, problems: new(ledger.Problems)}
	return f.importRequest(fileName), nil
}

// partError keeps an error that is meant for the client, and calls the rest what it is.
func partError(err error) error {
	if err == nil || ledger.AsError(err) != nil {
		return err
	}
	if tooLong := bodyError(err); ledger.AsError(tooLong) != nil && ledger.AsError(tooLong).Code == codeTooLarge {
		return tooLong
	}
	return ledger.NewMalformed("the multipart body is malformed or cut off")
}

func (f *fields) importRequest(fileName string) importer.Request {
	in := importer.Request{
		Type: f.text("type").Or(""), AccountID: f.id("account_id"), FileName: fileName,
		Publish: f.boolean("publish").Or(false), SkipInvalidRows: f.boolean("skip_invalid_rows").Or(false),
	}
	for name, setting := range in.Settings.Members() {
		*setting = f.setting(name)
	}
	in.Problems = *f.problems
	return in
}

// setting reads a setting, which clients also write as a number or as true and false.
func (f *fields) setting(name string) *string {
	v := readField(f, name, func(v value) (string, error) {
		if v.shape == isText || v.shape == isNumber || v.shape == isBoolean {
			return string(v.bytes), nil
		}
		return "", expect(v, isText, "text")
	})
	if !v.Has() || v.Value == "" {
		return nil
	}
	return &v.Value
}

// listImports answers GET /imports. A status or type that does not exist matches nothing.
func (s *Server) listImports(a *answer, r *request) error {
	q := r.query()
	page, filter := q.page(), importer.Filter{Statuses: q.words("status"), Types: q.words("type")}
	if err := q.err(); err != nil {
		return err
	}
	for i, name := range filter.Types {
		filter.Types[i], _ = importer.TypeNamed(name)
	}
	list, total, err := s.imports.List(r.Context(), r.who(), filter, page)
	if err != nil {
		return err
	}
	accounts, err := s.ledger.AccountIDs(r.Context(), r.who())
	if err != nil {
		return err
	}
	j := a.json
	j.open("")
	j.list("data")
	for i := range list {
		j.importItem(&list[i], accounts)
	}
	j.endList()
	j.importMeta(page, total)
	j.close()
	return nil
}

// words reads a list of words; nil when absent.
func (q *query) words(name string) []string { return q.list(name) }

// showImport answers GET /imports/{id}.
func (s *Server) showImport(a *answer, r *request) error {
	id, err := r.pathID("id", "Import")
	if err != nil {
		return err
	}
	imp, err := s.imports.Get(r.Context(), r.who(), id)
	if err != nil {
		return err
	}
	return s.oneImport(a, r, imp)
}

// publishImport answers POST /imports/{id}/publish: 202, for the work goes on after the answer.
func (s *Server) publishImport(a *answer, r *request) error {
	id, err := r.pathID("id", "Import")
	if err != nil {
		return err
	}
	f, err := r.fields()
	if err != nil {
		return err
	}
	skip := f.boolean("skip_invalid_rows").Or(false)
	if err := f.err(); err != nil {
		return err
	}
	imp, err := s.imports.Publish(r.Context(), r.who(), id, skip)
	if err != nil {
		return err
	}
	a.status = http.StatusAccepted
	return s.oneImport(a, r, imp)
}

func (s *Server) oneImport(a *answer, r *request, imp queries.Import) error {
	accounts, err := s.ledger.AccountIDs(r.Context(), r.who())
	if err != nil {
		return err
	}
	j := a.json
	j.open("")
	j.importDetail("data", &imp, accounts)
	j.close()
	return nil
}

// importItem writes the Import list item of the contract, with what pollers need besides.
func (j *jsonWriter) importItem(imp *queries.Import, accounts map[int64]uuid.UUID) {
	j.open("")
	j.importHead(imp, accounts)
	j.int("rows_count", imp.RowsCount)
	j.close()
}

func (j *jsonWriter) importHead(imp *queries.Import, accounts map[int64]uuid.UUID) {
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

// importDetail writes the Import detail of the contract.
func (j *jsonWriter) importDetail(name string, imp *queries.Import, accounts map[int64]uuid.UUID) {
	j.open(name)
	j.importHead(imp, accounts)
	j.raw("configuration", imp.Settings)
	j.open("stats")
	j.int("rows_count", imp.RowsCount)
	j.int("valid_rows_count", imp.ValidRowsCount)
	j.int("invalid_rows_count", imp.InvalidRowsCount)
	j.int("done_rows_count", imp.DoneRowsCount)
	j.close()
	j.close()
}

// listImportRows answers GET /imports/{id}/rows: every row of the file and what became of it.
func (s *Server) listImportRows(a *answer, r *request) error {
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
		j.importRow(&list[i], imp.Status)
	}
	j.endList()
	j.importMeta(page, imp.RowsCount)
	j.close()
	return nil
}

func (j *jsonWriter) importRow(row *importer.Result, status string) {
	j.open("")
	j.id("id", row.ID)
	j.int("row_number", int64(row.Number))
	j.int("line", int64(row.Line))
	j.bool("valid", len(row.Issues) == 0)
	j.text("status", rowStatus(row, status))
	j.list("errors")
	for _, issue := range row.Issues {
		j.text("", issue.Column+" "+issue.Message)
	}
	j.endList()
	j.list("issues")
	for _, issue := range row.Issues {
		j.open("")
		j.text("column", issue.Column)
		j.text("cell", issue.Cell)
		j.text("message", issue.Message)
		j.close()
	}
	j.endList()
	j.importFields(row)
	if row.EntryID == uuid.Nil {
		j.null("transaction_id")
	} else {
		j.id("transaction_id", row.EntryID)
	}
	j.close()
}

// rowStatus is the fate of a row: invalid, skipped, imported, or pending until the import is published.
func rowStatus(row *importer.Result, status string) string {
	switch {
	case len(row.Issues) > 0:
		return "invalid"
	case row.Skipped != "":
		return "skipped"
	case status == importer.StatusComplete && row.EntryID != uuid.Nil:
		return "imported"
	case status == importer.StatusComplete:
		return "deleted"
	}
	return "pending"
}

func (j *jsonWriter) importFields(row *importer.Result) {
	j.open("fields")
	j.text("account", row.Account)
	if len(row.Issues) == 0 && row.Skipped == "" {
		j.date("date", row.Date)
		j.text("amount", row.Currency.Plain(row.Minor))
	} else {
		j.null("date")
		j.null("amount")
	}
	j.text("currency", row.Currency.Code)
	j.text("name", row.Name)
	j.text("category", row.Category)
	j.text("tags", strings.Join(row.Tags, ","))
	j.text("notes", row.Notes)
	j.list("raw")
	for _, cell := range row.Raw {
		j.text("", cell)
	}
	j.endList()
	j.close()
}
