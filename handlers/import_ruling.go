package handlers

import (
	"strconv"

	"finsvc/handlers/wire"
	matchpkg "finsvc/importer/match"
	"finsvc/ledger"
)

// ruleImportRow answers PATCH /imports/{id}/rows/{number}: what a person says of a row that may be booked already.
func (s *imports) ruleImportRow(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Import")
	if err != nil {
		return err
	}
	number, err := strconv.ParseInt(r.Params.ByName("number"), 10, 64)
	if err != nil || number < 1 {
		return ledger.NewNotFound("Row")
	}
	f, err := r.Fields()
	if err != nil {
		return err
	}
	ruling := f.Text("ruling")
	if !ruling.Set {
		f.Problems.Add("ruling", "is required: %s, %s or null", matchpkg.DecisionSame, matchpkg.DecisionNew)
	}
	if err := f.Err(); err != nil {
		return err
	}
	row, err := s.imports.Rule(r.Context(), r.Who(), id, number, ruling.Or(""))
	if err != nil {
		return err
	}
	imp, err := s.imports.Get(r.Context(), r.Who(), id)
	if err == nil {
		writeImportRow(a.Json, &row, imp.Status)
	}
	return err
}

// ruleImportRows answers PATCH /imports/{id}/rows: the same of all rows that may be booked already, with the import as it is then. It
// reads the body itself, as publishing does: rows that were held back are booked meanwhile.
func (s *imports) ruleImportRows(a *wire.Answer, r *wire.Request) error {
	id, f, err := readImportBody(r)
	if err != nil {
		return err
	}
	ruling := f.Text("ruling")
	if !ruling.Has() {
		f.Problems.Add("ruling", "is required: %s or %s", matchpkg.DecisionSame, matchpkg.DecisionNew)
	}
	if err := f.Err(); err != nil {
		return err
	}
	if _, err := s.imports.RuleAll(r.Context(), r.Who(), id, ruling.Value); err != nil {
		return err
	}
	imp, err := s.imports.Get(r.Context(), r.Who(), id)
	if err != nil {
		return err
	}
	return s.oneImport(a, r, &imp)
}
