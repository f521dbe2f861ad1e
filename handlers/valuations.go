package handlers

import (
	"finsvc/ledger/catalog"
	"finsvc/ledger/money"
)

// listValuations answers GET /valuations.
func (s *accounts) listValuations(a *answer, r *request) error {
	q := r.query()
	page, filter := q.page(), catalog.ValuationFilter{AccountID: q.id("account_id"), StartDate: q.date("start_date"), EndDate: q.date("end_date")}
	if err := q.err(); err != nil {
		return err
	}
	list, total, err := s.ledger.Catalog.ListValuations(r.Context(), r.who(), filter, page)
	if err != nil {
		return err
	}
	format, err := s.formats.of(r)
	if err != nil {
		return err
	}
	listPage(a.json, "valuations", list, page, total, func(v *catalog.Valuation) { writeValuation(a.json, v, format) })
	return nil
}

// createValuation answers POST /valuations: 201, or 200 when upsert is wished for and the day had one. It is
// overwritten either way.
func (s *accounts) createValuation(a *answer, r *request) error {
	f, err := r.wrapped("valuation")
	if err != nil {
		return err
	}
	// Clients say upsert inside or beside the object.
	upsert := f.boolean("upsert").Or(f.beside(r).boolean("upsert").Value)
	v, created, err := s.ledger.Catalog.CreateValuation(r.Context(), r.who(), f.newValuation())
	if err != nil {
		return err
	}
	if created || !upsert {
		a.created()
	}
	return one(s.formats, writeValuation)(a, r, &v)
}

// updateValuation answers PATCH /valuations/{id}.
func (s *accounts) updateValuation(a *answer, r *request) error {
	id, err := r.pathID("id", "Valuation")
	if err != nil {
		return err
	}
	f, err := r.wrapped("valuation")
	if err != nil {
		return err
	}
	v, err := s.ledger.Catalog.UpdateValuation(r.Context(), r.who(), id, f.valuation())
	if err != nil {
		return err
	}
	return one(s.formats, writeValuation)(a, r, &v)
}

// newValuation reads the fields of a new valuation.
func (f *fields) newValuation() catalog.ValuationInput {
	account := f.id("account_id")
	in := f.valuation()
	in.AccountID = account
	return in
}

// valuation reads the fields of a valuation that can be changed.
func (f *fields) valuation() catalog.ValuationInput {
	in := catalog.ValuationInput{Amount: f.decimal("amount"), AmountIsNumber: f.isNumber("amount"), Date: f.date("date"), Notes: f.text("notes")}
	in.Problems = *f.problems
	return in
}

// writeValuation writes the Valuation of the contract. Of a liability the amount is what is owed.
func writeValuation(j *jsonWriter, v *catalog.Valuation, format *money.Formatter) {
	j.open("")
	j.id("id", v.PublicID)
	j.date("date", v.Day)
	j.money("amount", format, v.Minor, v.Account.Currency)
	j.text("currency", v.Account.Currency)
	j.textOrNull("notes", v.Notes)
	j.text("kind", v.Kind)
	writeAccountReference(j, "account", v.Account)
	j.stamp("created_at", v.CreatedAt)
	j.stamp("updated_at", v.UpdatedAt)
	j.close()
}
