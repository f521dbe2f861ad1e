package handlers

import (
	"finsvc/ledger/books"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
)

// securities answers for securities, their prices and their splits.
type securities struct {
	ledger  *books.Books
	formats *formatters
}

// listSecurities answers GET /securities.
func (s *securities) listSecurities(a *answer, r *request) error {
	q := r.query()
	page, filter := q.page(), q.securityFilter()
	if err := q.err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Market.ListSecurities(r.Context(), r.who(), filter, page)
	if err != nil {
		return err
	}
	format, err := s.formats.of(r)
	if err != nil {
		return err
	}
	listPage(a.json, "securities", list, page, total, func(security *market.Security) { writeSecurity(a.json, security, format) })
	return nil
}

// securityFilter reads the filters of the list. A ticker with a market filters by both.
func (q *query) securityFilter() market.SecurityFilter {
	f := market.SecurityFilter{Kind: q.oneOf("kind", "standard", "cash"), Manual: q.flag("offline")}
	read := func(name string) [2]string {
		return readParam(q, name, func(text string) (named [2]string, err error) {
			named[0], named[1], err = market.ParseTicker(text)
			return named, err
		}).Value
	}
	ticker := read("ticker")
	f.Ticker, f.MIC = ticker[0], ticker[1]
	if mic := readParam(q, "exchange_operating_mic", market.ParseMIC); mic.Has() {
		f.MIC = mic.Value
	}
	return f
}

// createSecurity answers POST /securities.
func (s *securities) createSecurity(a *answer, r *request) error {
	f, err := r.wrapped("security")
	if err != nil {
		return err
	}
	security, err := s.ledger.Market.CreateSecurity(r.Context(), r.who(), f.security())
	if err != nil {
		return err
	}
	a.created()
	return one(s.formats, writeSecurity)(a, r, &security)
}

// updateSecurity answers PATCH /securities/{id}.
func (s *securities) updateSecurity(a *answer, r *request) error {
	id, err := r.pathID("id", "Security")
	if err != nil {
		return err
	}
	f, err := r.wrapped("security")
	if err != nil {
		return err
	}
	security, err := s.ledger.Market.UpdateSecurity(r.Context(), r.who(), id, f.security())
	if err != nil {
		return err
	}
	return one(s.formats, writeSecurity)(a, r, &security)
}

// security reads the fields of a security, new or changed.
func (f *fields) security() market.SecurityInput {
	in := market.SecurityInput{Ticker: f.text("ticker"), MIC: f.text("exchange_operating_mic"), Name: f.text("name"), Manual: f.boolean("manual")}
	in.Problems = *f.problems
	return in
}

// securityRef reads the fields that name a security.
func (f *fields) securityRef() market.SecurityName {
	return market.SecurityName{ID: f.id("security_id"), Ticker: f.text("ticker")}
}

// writeSecurity writes a security with its newest market price.
func writeSecurity(j *jsonWriter, s *market.Security, format *money.Formatter) {
	j.open("")
	j.id("id", s.PublicID)
	j.text("ticker", s.Ticker)
	j.textOrNull("name", s.Name)
	j.filled("exchange_operating_mic", s.Mic)
	j.text("kind", s.Kind)
	j.bool("offline", s.Manual == 1)
	if s.Newest == nil {
		j.null("price")
		j.null("price_date")
	} else {
		writePrice(j, "price", format, s.Newest.Price, s.Newest.Currency)
		j.date("price_date", s.Newest.Date)
	}
	j.stamp("created_at", s.CreatedAt)
	j.stamp("updated_at", s.UpdatedAt)
	j.close()
}
