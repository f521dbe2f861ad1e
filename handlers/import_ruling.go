package handlers

import (
	"strconv"

	"finsvc/importer"
	"finsvc/ledger"
)

// ruleImportRow answers PATCH /imports/{id}/rows/{number}: what a person says of a row that may be booked already.
func (s *Server) ruleImportRow(a *answer, r *request) error {
	id, err := r.pathID("id", "Import")
	if err != nil {
		return err
	}
	number, err := strconv.ParseInt(r.params.ByName("number"), 10, 64)
	if err != nil || number < 1 {
		return ledger.NewNotFound("Row")
	}
	f, err := r.fields()
	if err != nil {
		return err
	}
	ruling := f.text("ruling")
	if !ruling.Set {
		f.problems.Add("ruling", "is required: %s, %s or null", importer.RulingSame, importer.RulingNew)
	}
	if err := f.err(); err != nil {
		return err
	}
	row, err := s.imports.Rule(r.Context(), r.who(), id, number, ruling.Or(""))
	if err != nil {
		return err
	}
	a.json.importRow(&row, importer.StatusPending)
	return nil
}
