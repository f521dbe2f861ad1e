package handlers

import (
	"finsvc/handlers/wire"
	"finsvc/ledger/books"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
)

// securities answers for securities, their prices and their splits.
type securities struct {
	ledger  *books.Books
	formats *wire.Formatters
}

// listSecurities answers GET /securities.
func (s *securities) listSecurities(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page, filter := q.Page(), securityFilter(q)
	if err := q.Err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Market.ListSecurities(r.Context(), r.Who(), filter, page)
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	wire.ListPage(a.Json, "securities", list, page, total, func(security *market.Security) { writeSecurity(a.Json, security, format) })
	return nil
}

// securityFilter reads the filters of the list. A ticker with a market filters by both.
func securityFilter(q *wire.Query) market.SecurityFilter {
	f := market.SecurityFilter{Kind: q.OneOf("kind", "standard", "cash"), Manual: q.Flag("offline")}
	read := func(name string) [2]string {
		return wire.ReadParam(q, name, func(text string) (named [2]string, err error) {
			named[0], named[1], err = market.ParseTicker(text)
			return named, err
		}).Value
	}
	ticker := read("ticker")
	f.Ticker, f.MIC = ticker[0], ticker[1]
	if mic := wire.ReadParam(q, "exchange_operating_mic", market.ParseMIC); mic.Has() {
		f.MIC = mic.Value
	}
	return f
}

// createSecurity answers POST /securities.
func (s *securities) createSecurity(a *wire.Answer, r *wire.Request) error {
	f, err := r.Wrapped("security")
	if err != nil {
		return err
	}
	security, err := s.ledger.Market.CreateSecurity(r.Context(), r.Who(), readSecurity(f))
	if err != nil {
		return err
	}
	a.Created()
	return one(s.formats, writeSecurity)(a, r, &security)
}

// updateSecurity answers PATCH /securities/{id}.
func (s *securities) updateSecurity(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Security")
	if err != nil {
		return err
	}
	f, err := r.Wrapped("security")
	if err != nil {
		return err
	}
	security, err := s.ledger.Market.UpdateSecurity(r.Context(), r.Who(), id, readSecurity(f))
	if err != nil {
		return err
	}
	return one(s.formats, writeSecurity)(a, r, &security)
}

// readSecurity reads the fields of a security, new or changed.
func readSecurity(f *wire.Fields) market.SecurityInput {
	in := market.SecurityInput{Ticker: f.Text("ticker"), MIC: f.Text("exchange_operating_mic"), Name: f.Text("name"), Manual: f.Boolean("manual")}
	in.Problems = *f.Problems
	return in
}

// readSecurityRef reads the fields that name a security.
func readSecurityRef(f *wire.Fields) market.SecurityName {
	return market.SecurityName{ID: f.Id("security_id"), Ticker: f.Text("ticker")}
}

// writeSecurity writes a security with its newest market price.
func writeSecurity(j *wire.Writer, s *market.Security, format *money.Formatter) {
	j.Open("")
	j.Id("id", s.PublicID)
	j.Text("ticker", s.Ticker)
	j.TextOrNull("name", s.Name)
	j.Filled("exchange_operating_mic", s.Mic)
	j.Text("kind", s.Kind)
	j.Bool("offline", s.Manual == 1)
	if s.Newest == nil {
		j.Null("price")
		j.Null("price_date")
	} else {
		writePrice(j, "price", format, s.Newest.Price, s.Newest.Currency)
		j.Date("price_date", s.Newest.Date)
	}
	j.Stamp("created_at", s.CreatedAt)
	j.Stamp("updated_at", s.UpdatedAt)
	j.Close()
}
