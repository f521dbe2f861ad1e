package handlers

import (
	"github.com/google/uuid"

	"finsvc/handlers/wire"
	"finsvc/ledger/books"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/ledger/report"
)

// reports answers for the balance sheet, net worth, income, and where a figure comes from.
type reports struct {
	ledger  *books.Books
	formats *wire.Formatters
}

// showBalanceSheet answers GET /balance_sheet, of today or of as_of.
func (s *reports) showBalanceSheet(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	day := q.Date("as_of")
	if err := q.Err(); err != nil {
		return err
	}
	sheet, err := s.ledger.Reports.BalanceSheet(r.Context(), r.Who(), day)
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	writeBalanceSheet(a.Json, &sheet, format)
	return nil
}

// showNetWorth answers GET /net_worth: a series from start_date to end_date.
func (s *reports) showNetWorth(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	in := report.SeriesInput{StartDate: q.Date("start_date"), EndDate: q.Date("end_date"),
		Interval: q.OneOf("interval", report.IntervalDay, report.IntervalWeek, report.IntervalMonth)}
	if err := q.Err(); err != nil {
		return err
	}
	series, err := s.ledger.Reports.NetWorth(r.Context(), r.Who(), in)
	if err != nil {
		return err
	}
	writeNetWorth(a.Json, &series)
	return nil
}

func writeBalanceSheet(j *wire.Writer, s *report.BalanceSheet, format *money.Formatter) {
	j.Open("")
	j.Text("currency", s.Currency)
	j.Date("as_of", s.AsOf)
	writeSum(j, "net_worth", s.NetWorth, s.Currency, format)
	writeSum(j, "assets", s.Assets, s.Currency, format)
	writeSum(j, "liabilities", s.Liabilities, s.Currency, format)
	writeGaps(j, "unconverted", s.Unconverted)
	writeRates(j, "rates", s.Rates)
	writeStaleRates(j, s.Stale)
	j.Close()
}

// writeGaps writes what is left out of a sum.
func writeGaps(j *wire.Writer, name string, gaps []report.Unconverted) {
	j.List(name)
	for _, gap := range gaps {
		j.Open("")
		j.Text("currency", gap.Currency)
		j.Int("amount_cents", gap.Minor)
		j.Text("reason", gap.Reason())
		writeIdList(j, "accounts", gap.Accounts)
		j.Close()
	}
	j.EndList()
}

// writeRates writes exchange rates as they were published, and whether they were old when they were used.
func writeRates(j *wire.Writer, name string, rates []fx.UsedRate) {
	j.List(name)
	for _, r := range rates {
		j.Open("")
		j.Text("from", r.From)
		j.Text("to", r.To)
		j.Date("date", r.Date)
		j.Text("rate", r.Rate.String())
		j.Bool("stale", r.Stale)
		j.Close()
	}
	j.EndList()
}

// writeSum writes an amount for programs and for people.
func writeSum(j *wire.Writer, name string, minor int64, code string, format *money.Formatter) {
	currency, _ := money.LookupCurrency(code) // what is stored was looked up
	j.Open(name)
	j.Text("amount", currency.Plain(minor))
	j.Text("currency", code)
	j.Money("formatted", format, minor, code)
	j.Int("amount_cents", minor)
	j.Close()
}

func writeNetWorth(j *wire.Writer, s *report.NetWorthSeries) {
	j.Open("")
	j.Text("currency", s.Currency)
	j.Text("interval", s.Interval)
	j.List("points")
	for _, p := range s.Points {
		j.Open("")
		j.Date("date", p.Date)
		j.Int("net_worth_cents", p.NetWorth)
		j.Int("assets_cents", p.Assets)
		j.Int("liabilities_cents", p.Liabilities)
		j.Close()
	}
	j.EndList()
	j.List("unconverted")
	for _, gap := range s.Unconverted {
		j.Open("")
		j.Text("currency", gap.Currency)
		j.Int("amount_cents", gap.Minor)
		j.Text("reason", gap.Reason())
		writeIdList(j, "accounts", gap.Accounts)
		j.Int("points", int64(gap.Points))
		j.Date("first_date", gap.First)
		j.Date("last_date", gap.Last)
		j.Close()
	}
	j.EndList()
	writeStaleRates(j, s.Stale)
	j.Close()
}

func writeIdList(j *wire.Writer, name string, ids []uuid.UUID) {
	j.List(name)
	for _, id := range ids {
		j.Id("", id)
	}
	j.EndList()
}

// showIncomeStatement answers GET /income_statement, of this month to date or of a range.
func (s *reports) showIncomeStatement(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	in := report.IncomeInput{StartDate: q.Date("start_date"), EndDate: q.Date("end_date"),
		AccountIDs: idsOrOne(q, "account_ids", "account_id")}
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
