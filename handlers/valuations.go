package handlers

import (
	"finsvc/handlers/wire"
	"finsvc/ledger/catalog"
	"finsvc/ledger/money"
)

// listValuations answers GET /valuations.
func (s *accounts) listValuations(a *wire.Answer, r *wire.Request) error {
	q := r.Query()
	page, filter := q.Page(), catalog.ValuationFilter{AccountID: q.Id("account_id"), StartDate: q.Date("start_date"),
		EndDate: q.Date("end_date")}
	if err := q.Err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Accounts.ListValuations(r.Context(), r.Who(), filter, page)
	if err != nil {
		return err
	}
	format, err := s.formats.Of(r)
	if err != nil {
		return err
	}
	wire.ListPage(a.Json, "valuations", list, page, total, func(v *catalog.Valuation) {
		writeValuation(a.Json, v,
			format)
	})
	return nil
}

// createValuation answers POST /valuations: 201, or 200 when upsert is wished for and the day had one. It is
// overwritten either way.
func (s *accounts) createValuation(a *wire.Answer, r *wire.Request) error {
	f, err := r.Wrapped("valuation")
	if err != nil {
		return err
	}
	// Clients say upsert inside or beside the object.
	upsert := f.Boolean("upsert").Or(f.OfBody(r).Boolean("upsert").Value)
	v, created, err := s.ledger.Accounts.CreateValuation(r.Context(), r.Who(), readNewValuation(f))
	if err != nil {
		return err
	}
	if created || !upsert {
		a.Created()
	}
	return one(s.formats, writeValuation)(a, r, &v)
}

// updateValuation answers PATCH /valuations/{id}.
func (s *accounts) updateValuation(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Valuation")
	if err != nil {
		return err
	}
	f, err := r.Wrapped("valuation")
	if err != nil {
		return err
	}
	v, err := s.ledger.Accounts.UpdateValuation(r.Context(), r.Who(), id, readValuation(f))
	if err != nil {
		return err
	}
	return one(s.formats, writeValuation)(a, r, &v)
}

// readNewValuation reads the fields of a new valuation.
func readNewValuation(f *wire.Fields) catalog.ValuationInput {
	account := f.Id("account_id")
	in := readValuation(f)
	in.AccountID = account
	return in
}

// readValuation reads the fields of a valuation that can be changed.
func readValuation(f *wire.Fields) catalog.ValuationInput {
	in := catalog.ValuationInput{Amount: f.Decimal("amount"), AmountIsNumber: f.IsNumber("amount"),
		Date: f.Date("date"), Notes: f.Text("notes")}
	in.Problems = *f.Problems
	return in
}

// writeValuation writes the Valuation of the contract. Of a liability the amount is what is owed.
func writeValuation(j *wire.Writer, v *catalog.Valuation, format *money.Formatter) {
	j.Open("")
	j.Id("id", v.PublicID)
	j.Date("date", v.Day)
	j.Money("amount", format, v.Minor, v.Account.Currency)
	j.Text("currency", v.Account.Currency)
	j.TextOrNull("notes", v.Notes)
	j.Text("kind", v.Kind)
	writeAccountReference(j, "account", v.Account)
	j.Stamp("created_at", v.CreatedAt)
	j.Stamp("updated_at", v.UpdatedAt)
	j.Close()
}
