package handlers

import (
	"fmt"

	"finsvc/handlers/wire"
	"finsvc/ledger"
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
	wire.ListPage(a.Json, "securities", list, page, total, func(security *market.Security) {
		writeSecurity(a.Json,
			security, format)
	})
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
	in := market.SecurityInput{Ticker: f.Text("ticker"), MIC: f.Text("exchange_operating_mic"), Name: f.Text("name"),
		Manual: f.Boolean("manual")}
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
	wire.ListPage(a.Json, "security_prices", list, page, total,
		func(p *market.Price) { writeSecurityPrice(a.Json, p, format) })
	return nil
}

func priceFilter(q *wire.Query) market.PriceFilter {
	return market.PriceFilter{SecurityID: q.Id("security_id"),
		Currency: wire.ReadParam(q, "currency", wire.ParseCurrency).Value.Code, StartDate: q.Date("start_date"),
		EndDate: q.Date("end_date")}
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
	in := market.PriceInput{Security: readSecurityRef(f), Date: f.Date("date"), Price: f.Decimal("price"),
		Currency: f.Text("currency")}
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

// listSplits answers GET /security_splits.
func (s *securities) listSplits(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page, filter := q.Page(), market.SplitFilter{SecurityID: q.Id("security_id"), StartDate: q.Date("start_date"),
		EndDate: q.Date("end_date")}
	if err := q.Err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Market.ListSplits(r.Context(), r.Who(), filter, page)
	if err != nil {
		return err
	}
	wire.ListPage(a.Json, "security_splits", list, page, total, func(x *market.Split) { writeSplit(a.Json, x) })
	return nil
}

// createSplit answers POST /security_splits.
func (s *securities) createSplit(a *wire.Answer, r *wire.Request) error {
	f, err := r.Wrapped("security_split")
	if err != nil {
		return err
	}
	split, err := s.ledger.Market.CreateSplit(r.Context(), r.Who(), readSplit(f))
	if err != nil {
		return err
	}
	a.Created()
	writeSplit(a.Json, &split)
	return nil
}

// readSplit reads the fields of a split.
func readSplit(f *wire.Fields) market.SplitInput {
	in := market.SplitInput{Security: readSecurityRef(f), Date: f.Date("date"), Numerator: f.Integer("numerator"),
		Denominator: f.Integer("denominator"), Ratio: f.Text("ratio")}
	in.Problems = *f.Problems
	return in
}

// writeSplit writes a split.
func writeSplit(j *wire.Writer, s *market.Split) {
	j.Open("")
	j.Id("id", s.PublicID)
	j.Date("date", ledger.Date(s.Date))
	j.Text("ratio", fmt.Sprintf("%d:%d", s.Numerator, s.Denominator))
	j.Int("numerator", s.Numerator)
	j.Int("denominator", s.Denominator)
	writeSecurityReference(j, "security", s.Security)
	j.Stamp("created_at", s.CreatedAt)
	j.Stamp("updated_at", s.UpdatedAt)
	j.Close()
}
