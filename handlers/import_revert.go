package handlers

import "net/http"

// revertImport answers POST /imports/{id}/revert: 202, for rows are still being removed after the answer, though
// they count no longer. It reads the body itself, as publishing does.
func (s *imports) revertImport(a *answer, r *request) error {
	id, f, err := r.importBody()
	if err != nil {
		return err
	}
	q := r.query()
	force := f.boolean("force").Or(q.flag("force").Or(false))
	if err := f.err(); err != nil {
		return err
	}
	if err := q.err(); err != nil {
		return err
	}
	_, err = s.imports.Revert(r.Context(), r.who(), id, force, s.tell(a, r, http.StatusAccepted))
	return err
}
