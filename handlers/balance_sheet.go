package handlers

import (
	"github.com/google/uuid"

	"finsvc/ledger/books"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/ledger/report"
)

// reports answers for the balance sheet, net worth, income, and where a figure comes from.
type reports struct {
	ledger  *books.Books
	formats *formatters
}

// showBalanceSheet answers GET /balance_sheet, of today or of as_of.
func (s *reports) showBalanceSheet(a *answer, r *request) error {
	q := r.query()
	day := q.date("as_of")
	if err := q.err(); err != nil {
		return err
	}
	sheet, err := s.ledger.Reports.BalanceSheet(r.Context(), r.who(), day)
	if err != nil {
		return err
	}
	format, err := s.formats.of(r)
	if err != nil {
		return err
	}
	writeBalanceSheet(a.json, &sheet, format)
	return nil
}

// showNetWorth answers GET /net_worth: a series from start_date to end_date.
func (s *reports) showNetWorth(a *answer, r *request) error {
	q := r.query()
	in := report.SeriesInput{StartDate: q.date("start_date"), EndDate: q.date("end_date"),
		Interval: q.oneOf("interval", report.IntervalDay, report.IntervalWeek, report.IntervalMonth)}
	if err := q.err(); err != nil {
		return err
	}
	series, err := s.ledger.Reports.NetWorth(r.Context(), r.who(), in)
	if err != nil {
		return err
	}
	writeNetWorth(a.json, &series)
	return nil
}

func writeBalanceSheet(j *jsonWriter, s *report.BalanceSheet, format *money.Formatter) {
	j.open("")
	j.text("currency", s.Currency)
	j.date("as_of", s.AsOf)
	writeSum(j, "net_worth", s.NetWorth, s.Currency, format)
	writeSum(j, "assets", s.Assets, s.Currency, format)
	writeSum(j, "liabilities", s.Liabilities, s.Currency, format)
	writeGaps(j, "unconverted", s.Unconverted)
	writeRates(j, "rates", s.Rates)
	writeStaleRates(j, s.Stale)
	j.close()
}

// writeGaps writes what is left out of a sum.
func writeGaps(j *jsonWriter, name string, gaps []report.SheetGap) {
	j.list(name)
	for _, gap := range gaps {
		j.open("")
		j.text("currency", gap.Currency)
		j.int("amount_cents", gap.Minor)
		j.text("reason", gap.Reason())
		writeIdList(j, "accounts", gap.Accounts)
		j.close()
	}
	j.endList()
}

// writeRates writes exchange rates as they were published, and whether they were old when they were used.
func writeRates(j *jsonWriter, name string, rates []fx.UsedRate) {
	j.list(name)
	for _, r := range rates {
		j.open("")
		j.text("from", r.From)
		j.text("to", r.To)
		j.date("date", r.Date)
		j.text("rate", r.Rate.String())
		j.bool("stale", r.Stale)
		j.close()
	}
	j.endList()
}

// writeSum writes an amount for programs and for people.
func writeSum(j *jsonWriter, name string, minor int64, code string, format *money.Formatter) {
	currency, _ := money.LookupCurrency(code) // what is stored was looked up
	j.open(name)
	j.text("amount", currency.Plain(minor))
	j.text("currency", code)
	j.money("formatted", format, minor, code)
	j.int("amount_cents", minor)
	j.close()
}

func writeNetWorth(j *jsonWriter, s *report.NetWorthSeries) {
	j.open("")
	j.text("currency", s.Currency)
	j.text("interval", s.Interval)
	j.list("points")
	for _, p := range s.Points {
		j.open("")
		j.date("date", p.Date)
		j.int("net_worth_cents", p.NetWorth)
		j.int("assets_cents", p.Assets)
		j.int("liabilities_cents", p.Liabilities)
		j.close()
	}
	j.endList()
	j.list("unconverted")
	for _, gap := range s.Unconverted {
		j.open("")
		j.text("currency", gap.Currency)
		j.int("amount_cents", gap.Minor)
		j.text("reason", gap.Reason())
		writeIdList(j, "accounts", gap.Accounts)
		j.int("points", int64(gap.Points))
		j.date("first_date", gap.First)
		j.date("last_date", gap.Last)
		j.close()
	}
	j.endList()
	writeStaleRates(j, s.Stale)
	j.close()
}

func writeIdList(j *jsonWriter, name string, ids []uuid.UUID) {
	j.list(name)
	for _, id := range ids {
		j.id("", id)
	}
	j.endList()
}
