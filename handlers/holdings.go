package handlers

import (
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/position"
)

// listHoldings answers GET /holdings: what each account holds of each security on each day.
func (s *trades) listHoldings(a *answer, r *request) error {
	q := r.query()
	page, filter := q.page(), q.holdingFilter()
	if err := q.err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Positions.ListHoldings(r.Context(), r.who(), filter, page)
	if err != nil {
		return err
	}
	format, err := s.formats.of(r)
	if err != nil {
		return err
	}
	listPage(a.json, "holdings", list, page, total, func(h *position.Holding) { writeHolding(a.json, h, format) })
	return nil
}

func (q *query) holdingFilter() position.HoldingFilter {
	return position.HoldingFilter{
		AccountIDs: q.idsOrOne("account_ids", "account_id"), SecurityIDs: q.idsOrOne("security_ids", "security_id"),
		Date: q.date("date"), StartDate: q.date("start_date"), EndDate: q.date("end_date"),
	}
}

// showHolding answers GET /holdings/{id}.
func (s *trades) showHolding(a *answer, r *request) error {
	id, err := r.pathID("id", "Holding")
	if err != nil {
		return err
	}
	h, err := s.ledger.Positions.GetHolding(r.Context(), r.who(), id)
	if err != nil {
		return err
	}
	format, err := s.formats.of(r)
	if err != nil {
		return err
	}
	writeHolding(a.json, &h, format)
	return nil
}

// writeHolding writes the Holding of the contract, and where its price comes from.
func writeHolding(j *jsonWriter, h *position.Holding, format *money.Formatter) {
	j.open("")
	j.id("id", h.ID)
	j.date("date", h.Date)
	j.raw("qty", h.Quantity.String())
	writePrice(j, "price", format, h.Price, h.Currency)
	j.date("price_date", h.PriceDate)
	j.text("price_source", h.PriceSource)
	j.money("amount", format, h.Minor, h.Currency)
	j.int("amount_cents", h.Minor)
	j.text("currency", h.Currency)
	if h.AvgCost == nil {
		j.null("cost_basis_source")
		j.null("avg_cost")
	} else {
		j.text("cost_basis_source", "calculated")
		writePrice(j, "avg_cost", format, *h.AvgCost, h.CostCurrency)
	}
	writeAccountReference(j, "account", h.Account)
	writeSecurityReference(j, "security", h.Security)
	j.stamp("created_at", h.CreatedAt)
	j.stamp("updated_at", h.UpdatedAt)
	j.close()
}

// writePrice writes a formatted price of a unit.
func writePrice(j *jsonWriter, name string, f *money.Formatter, price decimal.Decimal, currency string) {
	c, _ := money.LookupCurrency(currency) // what is stored was looked up
	j.text(name, f.Price(price, c))
}

// writeSecurityReference writes how a security is shown beside what is held and traded, or null.
func writeSecurityReference(j *jsonWriter, name string, security *ledger.SecurityRef) {
	if security == nil {
		j.null(name)
		return
	}
	j.open(name)
	j.id("id", security.ID)
	j.text("ticker", security.Ticker)
	j.textOrNull("name", security.Name)
	j.close()
}
