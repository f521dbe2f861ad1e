package handlers

import (
	"strconv"
	"strings"

	"github.com/google/uuid"

	"finsvc/handlers/wire"
	"finsvc/importer"
	matchpkg "finsvc/importer/match"
	"finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/money"
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
	decision := f.Text("decision")
	if !decision.Set {
		f.Problems.Add("decision", "is required: %s, %s or null", matchpkg.DecisionSame, matchpkg.DecisionNew)
	}
	if err := f.Err(); err != nil {
		return err
	}
	row, err := s.imports.Decide(r.Context(), r.Who(), id, number, decision.Or(""))
	if err != nil {
		return err
	}
	imp, err := s.imports.Get(r.Context(), r.Who(), id)
	if err == nil {
		writeImportRow(a.Json, &row, imp.Status)
	}
	return err
}

// ruleImportRows answers PATCH /imports/{id}/rows: the same of all rows that may be booked already, with the import as
// it is then. It reads the body itself, as publishing does: rows that were held back are booked meanwhile.
func (s *imports) ruleImportRows(a *wire.Answer, r *wire.Request) error {
	id, f, err := readImportBody(r)
	if err != nil {
		return err
	}
	decision := f.Text("decision")
	if !decision.Has() {
		f.Problems.Add("decision", "is required: %s or %s", matchpkg.DecisionSame, matchpkg.DecisionNew)
	}
	if err := f.Err(); err != nil {
		return err
	}
	if _, err := s.imports.DecideAll(r.Context(), r.Who(), id, decision.Value); err != nil {
		return err
	}
	imp, err := s.imports.Get(r.Context(), r.Who(), id)
	if err != nil {
		return err
	}
	return s.oneImport(a, r, &imp)
}

// writeImportTrade writes what a row says of a trade. As in trades the quantity of a sale is negative.
func writeImportTrade(j *wire.Writer, currency money.Currency, t *record.Trade) {
	quantity := t.Quantity
	if t.Kind == "sell" {
		quantity = quantity.Neg()
	}
	j.Text("type", t.Kind)
	j.Text("qty", quantity.String())
	j.Text("ticker", t.Ticker)
	j.Text("exchange_operating_mic", t.MIC)
	j.Text("price", t.Price.String())
	j.Text("fee", currency.Plain(t.Fee))
}

// listImportRows answers GET /imports/{id}/rows: every row of the file and what became of it.
func (s *imports) listImportRows(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Import")
	if err != nil {
		return err
	}
	q := r.Query()
	page := q.Page()
	if err := q.Err(); err != nil {
		return err
	}
	imp, list, err := s.imports.Results(r.Context(), r.Who(), id, page)
	if err != nil {
		return err
	}
	j := a.Json
	j.Open("")
	j.List("data")
	for i := range list {
		writeImportRow(j, &list[i], imp.Status)
	}
	j.EndList()
	wire.ImportMeta(j, page, imp.RowsCount)
	j.Close()
	return nil
}

func writeImportRow(j *wire.Writer, row *importer.Result, status string) {
	j.Open("")
	j.Id("id", row.ID)
	j.Int("row_number", int64(row.Number))
	j.Int("line", int64(row.Line))
	j.Bool("valid", len(row.Issues) == 0)
	j.Text("status", row.Fate(status))
	j.Texts("errors", row.Sentences())
	j.List("issues")
	for _, issue := range row.Issues {
		j.Open("")
		j.Text("column", issue.Column)
		j.Text("cell", issue.Cell)
		j.Text("message", issue.Message)
		j.Close()
	}
	j.EndList()
	j.Texts("remarks", row.Remarks)
	writeImportFields(j, row)
	// Write which transaction or which trade a row became, and why the row is left out.
	j.TextOrNull("skipped", blankAsNull(row.Skipped))
	name, other := "transaction_id", "trade_id"
	if row.Trade() != nil {
		name, other = other, name
	}
	if row.EntryID == uuid.Nil {
		j.Null(name)
	} else {
		j.Id(name, row.EntryID)
	}
	j.Null(other)
	j.IdOrNull("may_be_transaction_id", row.DoubtID)
	writeDifferences(j, row.Differs)
	j.TextOrNull("decision", blankAsNull(row.Decision))
	j.Close()
}

func writeImportFields(j *wire.Writer, row *importer.Result) {
	j.Open("fields")
	j.Text("account", row.Account)
	if row.Dated() {
		j.Date("date", row.Date)
	} else {
		j.Null("date")
	}
	if row.Valued() {
		j.Text("amount", row.Currency.Plain(row.Minor))
	} else {
		j.Null("amount")
	}
	j.Text("currency", row.Currency.Code)
	j.Text("name", row.Name)
	j.Text("category", row.Category)
	j.Text("tags", strings.Join(row.Tags, ","))
	j.Text("notes", row.Notes)
	// Write what only rows of some kinds have.
	switch body := row.Body.(type) {
	case *record.Category:
		writeImportCategory(j, *body)
	case *record.RestoredCategory:
		writeImportCategory(j, body.Category)
	case *record.Account:
		j.Text("account_type", body.Type)
		j.Text("subtype", body.Subtype)
	case *record.RestoredAccount:
		j.Text("account_type", row.AccountType)
		j.Text("subtype", "")
	case *record.Trade:
		writeImportTrade(j, row.Currency, body)
	}
	j.Texts("raw", row.Raw)
	j.Close()
}

func writeImportCategory(j *wire.Writer, c record.Category) {
	j.Text("parent", c.Parent)
	j.Text("color", c.Color)
	j.Text("icon", c.Icon)
	j.Text("classification", c.Classification)
}
