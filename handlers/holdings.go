package handlers

import (
	"github.com/shopspring/decimal"

	"finsvc/handlers/wire"
	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
)

// listHoldings answers GET /holdings: what each account holds of each security on each day.
func (s *trades) listHoldings(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page, filter := q.Page(), holdingFilter(q)
	if err := q.Err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Positions.ListHoldings(r.Context(), r.Who(), filter, page)
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	wire.ListPage(a.Json, "holdings", list, page, total, func(h *position.Holding) { writeHolding(a.Json, h, format) })
	return nil
}

func holdingFilter(q *wire.Query) position.HoldingFilter {
	return position.HoldingFilter{
		AccountIDs: idsOrOne(q, "account_ids", "account_id"), SecurityIDs: idsOrOne(q, "security_ids", "security_id"),
		Date: q.Date("date"), StartDate: q.Date("start_date"), EndDate: q.Date("end_date"),
	}
}

// showHolding answers GET /holdings/{id}.
func (s *trades) showHolding(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Holding")
	if err != nil {
		return err
	}
	h, err := s.ledger.Positions.GetHolding(r.Context(), r.Who(), id)
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	writeHolding(a.Json, &h, format)
	return nil
}

// writeHolding writes the Holding of the contract, and where its price comes from.
func writeHolding(j *wire.Writer, h *position.Holding, format *money.Formatter) {
	j.Open("")
	j.Id("id", h.ID)
	j.Date("date", h.Date)
	j.Raw("qty", h.Quantity.String())
	writePrice(j, "price", format, h.Price, h.Currency)
	j.Date("price_date", h.PriceDate)
	j.Text("price_source", h.PriceSource)
	j.Money("amount", format, h.Minor, h.Currency)
	j.Int("amount_cents", h.Minor)
	j.Text("currency", h.Currency)
	if h.AvgCost == nil {
		j.Null("cost_basis_source")
		j.Null("avg_cost")
	} else {
		j.Text("cost_basis_source", "calculated")
		writePrice(j, "avg_cost", format, *h.AvgCost, h.CostCurrency)
	}
	writeAccountReference(j, "account", h.Account)
	writeSecurityReference(j, "security", h.Security)
	j.Stamp("created_at", h.CreatedAt)
	j.Stamp("updated_at", h.UpdatedAt)
	j.Close()
}

// writePrice writes a formatted price of a unit.
func writePrice(j *wire.Writer, name string, f *money.Formatter, price decimal.Decimal, currency string) {
	c, _ := money.LookupCurrency(currency) // what is stored was looked up
	j.Text(name, f.Price(price, c))
}

// writeSecurityReference writes how a security is shown beside what is held and traded, or null.
func writeSecurityReference(j *wire.Writer, name string, security *ledger.SecurityRef) {
	if security == nil {
		j.Null(name)
		return
	}
	j.Open(name)
	j.Id("id", security.ID)
	j.Text("ticker", security.Ticker)
	j.TextOrNull("name", security.Name)
	j.Close()
}
