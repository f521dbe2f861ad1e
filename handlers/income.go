package handlers

import (
	"finsvc/handlers/wire"
	"finsvc/ledger/money"
	"finsvc/ledger/report"
)

// showIncomeStatement answers GET /income_statement, of this month to date or of a range.
func (s *reports) showIncomeStatement(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	in := report.IncomeInput{StartDate: q.Date("start_date"), EndDate: q.Date("end_date"), AccountIDs: idsOrOne(q, "account_ids", "account_id")}
	if err := q.Err(); err != nil {
		return err
	}
	statement, err := s.ledger.Reports.IncomeStatement(r.Context(), r.Who(), in)
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	writeIncomeStatement(a.Json, &statement, format)
	return nil
}

func writeIncomeStatement(j *wire.Writer, s *report.IncomeStatement, format *money.Formatter) {
	j.Open("")
	j.Text("currency", s.Currency)
	j.Date("start_date", s.StartDate)
	j.Date("end_date", s.EndDate)
	writeSum(j, "income", s.Income, s.Currency, format)
	writeSum(j, "expenses", s.Expenses, s.Currency, format)
	writeSum(j, "net", s.Net, s.Currency, format)
	j.List("by_category")
	for _, part := range s.ByCategory {
		j.Open("")
		writeCategoryOf(j, part.Category)
		writeSum(j, "income", part.Income, s.Currency, format)
		writeSum(j, "expenses", part.Expenses, s.Currency, format)
		j.Int("count", part.Count)
		j.Close()
	}
	j.EndList()
	j.Int("transfers_left_out", s.TransfersLeftOut)
	j.List("unconverted")
	for _, gap := range s.Unconverted {
		j.Open("")
		j.Text("currency", gap.Currency)
		j.Int("amount_cents", gap.Income-gap.Expenses)
		j.Int("income_cents", gap.Income)
		j.Int("expenses_cents", gap.Expenses)
		j.Text("reason", gap.Reason())
		j.Close()
	}
	j.EndList()
	writeRates(j, "rates", s.Rates)
	writeStaleRates(j, s.Stale)
	j.Close()
}
