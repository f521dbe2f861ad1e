package handlers

import (
	"finsvc/ledger/money"
	"finsvc/ledger/report"
)

// showIncomeStatement answers GET /income_statement, of this month to date or of a range.
func (s *reports) showIncomeStatement(a *answer, r *request) error {
	q := r.query()
	in := report.IncomeInput{StartDate: q.date("start_date"), EndDate: q.date("end_date"), AccountIDs: q.idsOrOne("account_ids", "account_id")}
	if err := q.err(); err != nil {
		return err
	}
	statement, err := s.ledger.Reports.IncomeStatement(r.Context(), r.who(), in)
	if err != nil {
		return err
	}
	format, err := s.formats.of(r)
	if err != nil {
		return err
	}
	writeIncomeStatement(a.json, &statement, format)
	return nil
}

func writeIncomeStatement(j *jsonWriter, s *report.IncomeStatement, format *money.Formatter) {
	j.open("")
	j.text("currency", s.Currency)
	j.date("start_date", s.StartDate)
	j.date("end_date", s.EndDate)
	writeSum(j, "income", s.Income, s.Currency, format)
	writeSum(j, "expenses", s.Expenses, s.Currency, format)
	writeSum(j, "net", s.Net, s.Currency, format)
	j.list("by_category")
	for _, part := range s.ByCategory {
		j.open("")
		writeCategoryOf(j, part.Category)
		writeSum(j, "income", part.Income, s.Currency, format)
		writeSum(j, "expenses", part.Expenses, s.Currency, format)
		j.int("count", part.Count)
		j.close()
	}
	j.endList()
	j.int("transfers_left_out", s.TransfersLeftOut)
	j.list("unconverted")
	for _, gap := range s.Unconverted {
		j.open("")
		j.text("currency", gap.Currency)
		j.int("amount_cents", gap.Income-gap.Expenses)
		j.int("income_cents", gap.Income)
		j.int("expenses_cents", gap.Expenses)
		j.text("reason", gap.Reason())
		j.close()
	}
	j.endList()
	writeRates(j, "rates", s.Rates)
	writeStaleRates(j, s.Stale)
	j.close()
}
