package handlers

import (
	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/market"
	"finsvc/ledger/money"
)

// priceBodyMax is the longest list of prices, in bytes: ten thousand of them are shorter.
const priceBodyMax = 4 << 20

// listPrices answers GET /security_prices: market prices, the newest day first. None is provisional.
func (s *securities) listPrices(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page, filter, provisional := q.Page(), priceFilter(q), q.Flag("provisional")
	if err := q.Err(); err != nil {
		return err
	}
	if provisional.Value {
		wire.ListPage(a.Json, "security_prices", []market.Price{}, page, 0, func(*market.Price) {})
		return nil
	}
	list, total, err := s.ledger.Market.ListPrices(r.Context(), r.Who(), filter, page)
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	wire.ListPage(a.Json, "security_prices", list, page, total, func(p *market.Price) { writeSecurityPrice(a.Json, p, format) })
	return nil
}

func priceFilter(q *wire.Query) market.PriceFilter {
	return market.PriceFilter{SecurityID: q.Id("security_id"), Currency: wire.ReadParam(q, "currency", wire.ParseCurrency).Value.Code, StartDate: q.Date("start_date"), EndDate: q.Date("end_date")}
}

// putPrices answers POST /security_prices, with one price or a list: how many were new, changed or there already.
func (s *securities) putPrices(a *wire.Answer, r *wire.Request) error {
	f, err := r.Fields()
	if err != nil {
		return err
	}
	if f.Has("security_price") {
		return s.putPrice(a, r)
	}
	inputs, err := readPrices(f)
	if err != nil {
		return err
	}
	done, err := s.ledger.Market.PutPrices(r.Context(), r.Who(), inputs)
	if err != nil {
		return err
	}
	a.Created()
	return a.Encode(done)
}

func (s *securities) putPrice(a *wire.Answer, r *wire.Request) error {
	f, err := r.Wrapped("security_price")
	if err != nil {
		return err
	}
	done, err := s.ledger.Market.PutPrice(r.Context(), r.Who(), readPrice(f))
	if err != nil {
		return err
	}
	a.Created()
	return a.Encode(done)
}

// readPrices reads a list of prices, each with problems of its own.
func readPrices(f *wire.Fields) ([]market.PriceInput, error) {
	var inputs []market.PriceInput
	for _, one := range f.Objects("security_prices") {
		inputs = append(inputs, readPrice(one.Apart()))
	}
	if len(inputs) == 0 && len(*f.Problems) == 0 {
		return nil, ledger.NewMalformed(`the body lacks the prices: expected {"security_prices": [{...}]} or {"security_price": {...}}`)
	}
	return inputs, f.Err()
}

// readPrice reads the fields of a price.
func readPrice(f *wire.Fields) market.PriceInput {
	in := market.PriceInput{Security: readSecurityRef(f), Date: f.Date("date"), Price: f.Decimal("price"), Currency: f.Text("currency")}
	in.Problems = *f.Problems
	return in
}

// showPrice answers GET /security_prices/{id}.
func (s *securities) showPrice(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Security price")
	if err != nil {
		return err
	}
	p, err := s.ledger.Market.GetPrice(r.Context(), r.Who(), id)
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	writeSecurityPrice(a.Json, &p, format)
	return nil
}

// writeSecurityPrice writes a market price. None is provisional: it is what somebody said it was.
func writeSecurityPrice(j *wire.Writer, p *market.Price, format *money.Formatter) {
	j.Open("")
	j.Id("id", p.ID)
	j.Date("date", p.Date)
	writePrice(j, "price", format, p.Price, p.Currency)
	j.Text("price_amount", p.Price.String())
	j.Text("currency", p.Currency)
	j.Bool("provisional", false)
	j.Text("source", p.Source)
	writeSecurityReference(j, "security", p.Security)
	j.Stamp("created_at", p.CreatedAt)
	j.Stamp("updated_at", p.UpdatedAt)
	j.Close()
}
