package handlers

import (
	"strconv"

	matchpkg "finsvc/importer/match"
	"finsvc/ledger"
)

// ruleImportRow answers PATCH /imports/{id}/rows/{number}: what a person says of a row that may be booked already.
func (s *imports) ruleImportRow(a *answer, r *request) error {
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
		f.problems.Add("ruling", "is required: %s, %s or null", matchpkg.DecisionSame, matchpkg.DecisionNew)
	}
	if err := f.err(); err != nil {
		return err
	}
	row, err := s.imports.Rule(r.Context(), r.who(), id, number, ruling.Or(""))
	if err != nil {
		return err
	}
	imp, err := s.imports.Get(r.Context(), r.who(), id)
	if err == nil {
		writeImportRow(a.json, &row, imp.Status)
	}
	return err
}

// ruleImportRows answers PATCH /imports/{id}/rows: the same of all rows that may be booked already, with the import as it is then. It
// reads the body itself, as publishing does: rows that were held back are booked meanwhile.
func (s *imports) ruleImportRows(a *answer, r *request) error {
	id, f, err := r.importBody()
	if err != nil {
		return err
	}
	ruling := f.text("ruling")
	if !ruling.Has() {
		f.problems.Add("ruling", "is required: %s or %s", matchpkg.DecisionSame, matchpkg.DecisionNew)
	}
	if err := f.err(); err != nil {
		return err
	}
	if _, err := s.imports.RuleAll(r.Context(), r.who(), id, ruling.Value); err != nil {
		return err
	}
	imp, err := s.imports.Get(r.Context(), r.who(), id)
	if err != nil {
		return err
	}
	return s.oneImport(a, r, &imp)
}
