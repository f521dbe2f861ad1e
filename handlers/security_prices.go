package handlers

import (
	"finsvc/ledger"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
)

// priceBodyMax is the longest list of prices, in bytes: ten thousand of them are shorter.
const priceBodyMax = 4 << 20

// listPrices answers GET /security_prices: market prices, the newest day first. None is provisional.
func (s *securities) listPrices(a *answer, r *request) error {
	q := r.query()
	page, filter, provisional := q.page(), q.priceFilter(), q.flag("provisional")
	if err := q.err(); err != nil {
		return err
	}
	if provisional.Value {
		listPage(a.json, "security_prices", []market.Price{}, page, 0, func(*market.Price) {})
		return nil
	}
	list, total, err := s.ledger.Market.ListPrices(r.Context(), r.who(), filter, page)
	if err != nil {
		return err
	}
	format, err := s.formats.of(r)
	if err != nil {
		return err
	}
	listPage(a.json, "security_prices", list, page, total, func(p *market.Price) { writeSecurityPrice(a.json, p, format) })
	return nil
}

func (q *query) priceFilter() market.PriceFilter {
	return market.PriceFilter{SecurityID: q.id("security_id"), Currency: readParam(q, "currency", parseCurrency).Value.Code, StartDate: q.date("start_date"), EndDate: q.date("end_date")}
}

// putPrices answers POST /security_prices, with one price or a list: how many were new, changed or there already.
func (s *securities) putPrices(a *answer, r *request) error {
	f, err := r.fields()
	if err != nil {
		return err
	}
	if f.has("security_price") {
		return s.putPrice(a, r)
	}
	inputs, err := f.prices()
	if err != nil {
		return err
	}
	done, err := s.ledger.Market.PutPrices(r.Context(), r.who(), inputs)
	if err != nil {
		return err
	}
	a.created()
	return a.encode(done)
}

func (s *securities) putPrice(a *answer, r *request) error {
	f, err := r.wrapped("security_price")
	if err != nil {
		return err
	}
	done, err := s.ledger.Market.PutPrice(r.Context(), r.who(), f.price())
	if err != nil {
		return err
	}
	a.created()
	return a.encode(done)
}

// prices reads a list of prices, each with problems of its own.
func (f *fields) prices() ([]market.PriceInput, error) {
	var inputs []market.PriceInput
	for _, one := range f.objects("security_prices") {
		inputs = append(inputs, one.apart().price())
	}
	if len(inputs) == 0 && len(*f.problems) == 0 {
		return nil, ledger.NewMalformed(`the body lacks the prices: expected {"security_prices": [{...}]} or {"security_price": {...}}`)
	}
	return inputs, f.err()
}

// price reads the fields of a price.
func (f *fields) price() market.PriceInput {
	in := market.PriceInput{Security: f.securityRef(), Date: f.date("date"), Price: f.decimal("price"), Currency: f.text("currency")}
	in.Problems = *f.problems
	return in
}

// showPrice answers GET /security_prices/{id}.
func (s *securities) showPrice(a *answer, r *request) error {
	id, err := r.pathID("id", "Security price")
	if err != nil {
		return err
	}
	p, err := s.ledger.Market.GetPrice(r.Context(), r.who(), id)
	if err != nil {
		return err
	}
	format, err := s.formats.of(r)
	if err != nil {
		return err
	}
	writeSecurityPrice(a.json, &p, format)
	return nil
}

// writeSecurityPrice writes a market price. None is provisional: it is what somebody said it was.
func writeSecurityPrice(j *jsonWriter, p *market.Price, format *money.Formatter) {
	j.open("")
	j.id("id", p.ID)
	j.date("date", p.Date)
	writePrice(j, "price", format, p.Price, p.Currency)
	j.text("price_amount", p.Price.String())
	j.text("currency", p.Currency)
	j.bool("provisional", false)
	j.text("source", p.Source)
	writeSecurityReference(j, "security", p.Security)
	j.stamp("created_at", p.CreatedAt)
	j.stamp("updated_at", p.UpdatedAt)
	j.close()
}
