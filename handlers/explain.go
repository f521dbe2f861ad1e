package handlers

import (
	"fmt"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
	"finsvc/ledger/report"
)

// showExplanation answers GET /explain: the parts that add up to a figure, or with from to what it changed by.
func (s *reports) showExplanation(a *answer, r *request) error {
	q := r.query()
	page, ask := q.page(), q.explanation()
	if err := q.err(); err != nil {
		return err
	}
	e, err := ask.of(r, s.ledger, page)
	if err != nil {
		return err
	}
	format, err := s.formats.of(r)
	if err != nil {
		return err
	}
	writeExplanation(a.json, &e, page, format)
	return nil
}

// explanationQuery is what a request wants to have explained.
type explanationQuery struct {
	figure            string
	account, security uuid.UUID
	days              report.ExplainDays
}

func (q *query) explanation() explanationQuery {
	ask := explanationQuery{figure: q.oneOf("figure", report.FigureBalance, report.FigureNetWorth, report.FigureHolding),
		days: report.ExplainDays{Date: q.date("date"), From: q.date("from")}}
	switch ask.figure {
	case "":
		if !q.problems.Has("figure") {
			q.problems.Add("figure", "is required: %s, %s or %s", report.FigureBalance, report.FigureNetWorth, report.FigureHolding)
		}
	case report.FigureHolding:
		ask.account, ask.security = q.needID("account_id", ask.figure), q.needID("security_id", ask.figure)
	case report.FigureBalance:
		ask.account = q.needID("account_id", ask.figure)
	}
	return ask
}

// needID reads an id that a figure cannot do without.
func (q *query) needID(name, figure string) uuid.UUID {
	id := q.id(name)
	if !id.Has() && !q.problems.Has(name) {
		q.problems.Add(name, "is required for the figure %s", figure)
	}
	return id.Value
}

func (ask explanationQuery) of(r *request, l *books.Books, page ledger.Page) (report.Explanation, error) {
	switch ask.figure {
	case report.FigureBalance:
		return l.Reports.ExplainBalance(r.Context(), r.who(), ask.account, ask.days, page)
	case report.FigureNetWorth:
		return l.Reports.ExplainNetWorth(r.Context(), r.who(), ask.days)
	case report.FigureHolding:
		return l.Reports.ExplainHolding(r.Context(), r.who(), ask.account, ask.security, ask.days, page)
	}
	return report.Explanation{}, fmt.Errorf("nothing explains %q", ask.figure)
}

func writeExplanation(j *jsonWriter, e *report.Explanation, page ledger.Page, format *money.Formatter) {
	j.open("")
	j.text("figure", e.Figure)
	writeAccountReference(j, "account", e.Account)
	writeSecurityReference(j, "security", e.Security)
	j.date("date", e.Date)
	j.text("currency", e.Currency)
	writeSum(j, "total", e.Minor, e.Currency, format)
	if e.From == nil {
		j.null("from")
		j.null("difference")
	} else {
		j.open("from")
		j.date("date", e.From.Date)
		writeSum(j, "total", e.From.Minor, e.Currency, format)
		j.close()
		writeSum(j, "difference", e.Explained(), e.Currency, format)
	}
	writeSum(j, "sum_of_parts", e.Sum(), e.Currency, format)
	writeParts(j, "parts", e.Parts, e.Currency, format)
	writeGaps(j, "unconverted", e.Unconverted)
	writeStaleRates(j, e.Stale)
	writeParts(j, "entries", e.Entries, e.Currency, format)
	j.pagination(page, e.EntryCount)
	j.close()
}

func writeParts(j *jsonWriter, name string, parts []report.Part, currency string, format *money.Formatter) {
	j.list(name)
	for i := range parts {
		writePart(j, &parts[i], currency, format)
	}
	j.endList()
}

// writePart writes what adds to a figure; a member that does not apply is not there.
func writePart(j *jsonWriter, p *report.Part, currency string, format *money.Formatter) {
	j.open("")
	writePartNames(j, p)
	if p.Units == nil || p.Units.Held == nil {
		j.money("amount", format, p.Minor, currency)
		j.int("amount_cents", p.Minor)
	}
	if p.Cash != nil {
		j.open("cash")
		writeAmountIn(j, p.Cash, format)
		j.close()
	}
	if p.Original != nil {
		j.open("original")
		writeAmountIn(j, p.Original, format)
		writeRates(j, "rates", p.Original.Rates)
		j.close()
	}
	writeUnits(j, p.Units, format)
	j.close()
}

// writePartNames writes what a part is of.
func writePartNames(j *jsonWriter, p *report.Part) {
	j.text("kind", p.Kind)
	if p.ID != uuid.Nil {
		j.id("id", p.ID)
	}
	if p.Date.Has() {
		j.date("date", p.Date.Value)
	}
	if p.Name != "" {
		j.text("name", p.Name)
	}
	if p.Account != nil {
		writeAccountReference(j, "account", p.Account)
	}
	if p.Security != nil {
		writeSecurityReference(j, "security", p.Security)
	}
	if p.Kind == report.PartEntries || p.Kind == report.PartTrades {
		j.int("count", p.Count)
	}
}

// writeAmountIn writes the members of an amount in a currency of its own.
func writeAmountIn(j *jsonWriter, o *report.Original, format *money.Formatter) {
	j.money("amount", format, o.Minor, o.Currency)
	j.int("amount_cents", o.Minor)
	j.text("currency", o.Currency)
}

// writeUnits writes the quantity behind a part.
func writeUnits(j *jsonWriter, u *position.Units, format *money.Formatter) {
	if u == nil {
		return
	}
	if u.Ratio != "" {
		j.text("ratio", u.Ratio)
	} else {
		j.raw("qty", u.Quantity.String())
		writePrice(j, "price", format, u.Price, u.Currency)
		j.text("price_currency", u.Currency)
	}
	if u.PriceDate.Has() {
		j.date("price_date", u.PriceDate.Value)
		j.text("price_source", u.PriceSource)
	}
	if u.Held != nil {
		j.raw("qty_after", u.Held.String())
	}
	if u.Cost != nil {
		j.text("cost", u.Cost.String())
		j.text("cost_currency", u.CostIn)
	}
}
