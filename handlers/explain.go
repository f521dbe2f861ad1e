package handlers

import (
	"fmt"

	"github.com/google/uuid"

	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
	"finsvc/ledger/report"
)

// showExplanation answers GET /explain: the parts that add up to a figure, or with from to what it changed by.
func (s *reports) showExplanation(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page, ask := q.Page(), readExplanation(q)
	if err := q.Err(); err != nil {
		return err
	}
	e, err := ask.of(r, s.ledger, page)
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	writeExplanation(a.Json, &e, page, format)
	return nil
}

// explanationQuery is what a request wants to have explained.
type explanationQuery struct {
	figure            string
	account, security uuid.UUID
	days              report.ExplainDays
}

func readExplanation(q *wire.Query) explanationQuery {
	ask := explanationQuery{figure: q.OneOf("figure", report.FigureBalance, report.FigureNetWorth,
		report.FigureHolding),
		days: report.ExplainDays{Date: q.Date("date"), From: q.Date("from")}}
	switch ask.figure {
	case "":
		if !q.Problems.Has("figure") {
			q.Problems.Add("figure", "is required: %s, %s or %s", report.FigureBalance, report.FigureNetWorth,
				report.FigureHolding)
		}
	case report.FigureHolding:
		ask.account, ask.security = needID(q, "account_id", ask.figure), needID(q, "security_id", ask.figure)
	case report.FigureBalance:
		ask.account = needID(q, "account_id", ask.figure)
	}
	return ask
}

// needID reads an id that a figure cannot do without.
func needID(q *wire.Query, name, figure string) uuid.UUID {
	id := q.Id(name)
	if !id.Has() && !q.Problems.Has(name) {
		q.Problems.Add(name, "is required for the figure %s", figure)
	}
	return id.Value
}

func (ask explanationQuery) of(r *wire.Request, l *books.Books, page ledger.Page) (report.Explanation, error) {
	switch ask.figure {
	case report.FigureBalance:
		return l.Reports.ExplainBalance(r.Context(), r.Who(), ask.account, ask.days, page)
	case report.FigureNetWorth:
		return l.Reports.ExplainNetWorth(r.Context(), r.Who(), ask.days)
	case report.FigureHolding:
		return l.Reports.ExplainHolding(r.Context(), r.Who(), ask.account, ask.security, ask.days, page)
	}
	return report.Explanation{}, fmt.Errorf("nothing explains %q", ask.figure)
}

func writeExplanation(j *wire.Writer, e *report.Explanation, page ledger.Page, format *money.Formatter) {
	j.Open("")
	j.Text("figure", e.Figure)
	writeAccountReference(j, "account", e.Account)
	writeSecurityReference(j, "security", e.Security)
	j.Date("date", e.Date)
	j.Text("currency", e.Currency)
	writeSum(j, "total", e.Minor, e.Currency, format)
	if e.From == nil {
		j.Null("from")
		j.Null("difference")
	} else {
		j.Open("from")
		j.Date("date", e.From.Date)
		writeSum(j, "total", e.From.Minor, e.Currency, format)
		j.Close()
		writeSum(j, "difference", e.Explained(), e.Currency, format)
	}
	writeSum(j, "sum_of_parts", e.Sum(), e.Currency, format)
	writeParts(j, "parts", e.Parts, e.Currency, format)
	writeGaps(j, "unconverted", e.Unconverted)
	writeStaleRates(j, e.Stale)
	writeParts(j, "entries", e.Entries, e.Currency, format)
	wire.Pagination(j, page, e.EntryCount)
	j.Close()
}

func writeParts(j *wire.Writer, name string, parts []report.Part, currency string, format *money.Formatter) {
	j.List(name)
	for i := range parts {
		writePart(j, &parts[i], currency, format)
	}
	j.EndList()
}

// writePart writes what adds to a figure; a member that does not apply is not there.
func writePart(j *wire.Writer, p *report.Part, currency string, format *money.Formatter) {
	j.Open("")
	// Write what a part is of.
	j.Text("kind", p.Kind)
	if p.ID != uuid.Nil {
		j.Id("id", p.ID)
	}
	if p.Date.Has() {
		j.Date("date", p.Date.Value)
	}
	if p.Name != "" {
		j.Text("name", p.Name)
	}
	if p.Account != nil {
		writeAccountReference(j, "account", p.Account)
	}
	if p.Security != nil {
		writeSecurityReference(j, "security", p.Security)
	}
	if p.Kind == report.PartEntries || p.Kind == report.PartTrades {
		j.Int("count", p.Count)
	}
	if p.Units == nil || p.Units.Held == nil {
		j.Money("amount", format, p.Minor, currency)
		j.Int("amount_cents", p.Minor)
	}
	if p.Cash != nil {
		j.Open("cash")
		writeAmountIn(j, p.Cash, format)
		j.Close()
	}
	if p.Original != nil {
		j.Open("original")
		writeAmountIn(j, p.Original, format)
		writeRates(j, "rates", p.Original.Rates)
		j.Close()
	}
	writeUnits(j, p.Units, format)
	j.Close()
}

// writeAmountIn writes the members of an amount in a currency of its own.
func writeAmountIn(j *wire.Writer, o *report.Original, format *money.Formatter) {
	j.Money("amount", format, o.Minor, o.Currency)
	j.Int("amount_cents", o.Minor)
	j.Text("currency", o.Currency)
}

// writeUnits writes the quantity behind a part.
func writeUnits(j *wire.Writer, u *position.Units, format *money.Formatter) {
	if u == nil {
		return
	}
	if u.Ratio != "" {
		j.Text("ratio", u.Ratio)
	} else {
		j.Raw("qty", u.Quantity.String())
		writePrice(j, "price", format, u.Price, u.Currency)
		j.Text("price_currency", u.Currency)
	}
	if u.PriceDate.Has() {
		j.Date("price_date", u.PriceDate.Value)
		j.Text("price_source", u.PriceSource)
	}
	if u.Held != nil {
		j.Raw("qty_after", u.Held.String())
	}
	if u.Cost != nil {
		j.Text("cost", u.Cost.String())
		j.Text("cost_currency", u.CostIn)
	}
}
