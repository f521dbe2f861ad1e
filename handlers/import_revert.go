package handlers

import (
	"net/http"

	"finsvc/handlers/wire"
)

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
	_, err = s.imports.Revert(r.Context(), r.Who(), id, force, s.tell(a, r, http.StatusAccepted))
	return err
}
