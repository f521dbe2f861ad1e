package handlers

import (
	"io"
	"net/http"

	"finsvc/importer"
)

// configureImport answers PATCH /imports/{id}: the file of a pending or failed import is read again with the settings of
// the body added to those that were given before, and for the account of the body, if there is one. It reads the body itself, see publishImport.
func (s *imports) configureImport(a *answer, r *request) error {
	id, f, err := r.importBody()
	if err != nil {
		return err
	}
	in := f.importRequest("")
	if err := f.err(); err != nil {
		return err
	}
	_, err = s.imports.Configure(r.Context(), r.who(), id, in, s.tell(a, r, http.StatusOK))
	return err
}

// receiveImport writes the file to the upload and reads the fields beside it.
func receiveImport(r *request, upload io.Writer) (importer.Request, error) {
	f, fileName, err := r.receiveFile(upload)
	if err != nil {
		return importer.Request{}, err
	}
	return f.importRequest(fileName), nil
}

func (f *fields) importRequest(fileName string) importer.Request {
	in := importer.Request{
		Type: f.text("type").Or(""), AccountID: f.id("account_id"), FileName: fileName,
		Publish: f.boolean("publish").Or(false), SkipInvalidRows: f.boolean("skip_invalid_rows").Or(false), Plan: f.text("plan").Or(""),
		Duplicates: f.text("possible_duplicates").Or(""), Wait: f.boolean("wait_for_answers").Or(false),
	}
	for name, setting := range in.Settings.Members() {
		*setting = f.setting(name)
	}
	in.Problems = *f.problems
	return in
}
