package handlers

import (
	"io"
	"net/http"

	"finsvc/handlers/wire"
	"finsvc/importer"
)

// configureImport answers PATCH /imports/{id}: the file of a pending or failed import is read again with the settings of
// the body added to those that were given before, and for the account of the body, if there is one. It reads the body itself, see publishImport.
func (s *imports) configureImport(a *wire.Answer, r *wire.Request) error {
	id, f, err := readImportBody(r)
	if err != nil {
		return err
	}
	in := readImportRequest(f, "")
	if err := f.Err(); err != nil {
		return err
	}
	_, err = s.imports.Configure(r.Context(), r.Who(), id, in, s.tell(a, r, http.StatusOK))
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
		Publish: f.Boolean("publish").Or(false), SkipInvalidRows: f.Boolean("skip_invalid_rows").Or(false), Plan: f.Text("plan").Or(""),
		Duplicates: f.Text("possible_duplicates").Or(""), Wait: f.Boolean("wait_for_answers").Or(false),
	}
	for name, setting := range in.Settings.Members() {
		*setting = f.Setting(name)
	}
	in.Problems = *f.Problems
	return in
}
