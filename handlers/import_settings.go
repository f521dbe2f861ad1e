package handlers

import "net/http"

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
