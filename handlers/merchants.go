package handlers

import (
	"finsvc/ledger/catalog"
	"finsvc/queries"
)

// listMerchants answers GET /merchants: a bare list of all.
func (s *labels) listMerchants(a *answer, r *request) error {
	list, err := s.ledger.Catalog.ListMerchants(r.Context(), r.who())
	if err != nil {
		return err
	}
	a.json.list("")
	for i := range list {
		writeMerchant(a.json, &list[i])
	}
	a.json.endList()
	return nil
}

// createMerchant answers POST /merchants, with one merchant or a file of them.
func (s *labels) createMerchant(a *answer, r *request) error {
	if hasMerchantFile(r) {
		return s.importMerchants(a, r)
	}
	f, err := r.wrapped("merchant")
	if err != nil {
		return err
	}
	m, err := s.ledger.Catalog.CreateMerchant(r.Context(), r.who(), f.merchant())
	if err != nil {
		return err
	}
	a.created()
	writeMerchant(a.json, &m)
	return nil
}

// showMerchant answers GET /merchants/{id}.
func (s *labels) showMerchant(a *answer, r *request) error {
	id, err := r.pathID("id", "Merchant")
	if err != nil {
		return err
	}
	m, err := s.ledger.Catalog.GetMerchant(r.Context(), r.who(), id)
	if err != nil {
		return err
	}
	writeMerchant(a.json, &m)
	return nil
}

// updateMerchant answers PATCH /merchants/{id}.
func (s *labels) updateMerchant(a *answer, r *request) error {
	id, err := r.pathID("id", "Merchant")
	if err != nil {
		return err
	}
	f, err := r.wrapped("merchant")
	if err != nil {
		return err
	}
	m, err := s.ledger.Catalog.UpdateMerchant(r.Context(), r.who(), id, f.merchant())
	if err != nil {
		return err
	}
	writeMerchant(a.json, &m)
	return nil
}

// mergeMerchant answers POST /merchants/{id}/merge with {"target_id": ...}: the target.
func (s *labels) mergeMerchant(a *answer, r *request) error {
	id, err := r.pathID("id", "Merchant")
	if err != nil {
		return err
	}
	f, err := r.fields()
	if err != nil {
		return err
	}
	target := f.id("target_id")
	if !target.Has() && len(*f.problems) == 0 {
		f.problems.Add("target_id", "is required: the id of the merchant that remains")
	}
	if err := f.err(); err != nil {
		return err
	}
	m, err := s.ledger.Catalog.MergeMerchant(r.Context(), r.who(), id, target.Value)
	if err != nil {
		return err
	}
	writeMerchant(a.json, &m)
	return nil
}

// merchant reads the fields of a merchant, new or changed.
func (f *fields) merchant() catalog.MerchantInput {
	in := catalog.MerchantInput{Name: f.text("name"), Color: f.text("color"), WebsiteURL: f.text("website_url")}
	in.Problems = *f.problems
	return in
}

// writeMerchant writes a merchant. All are the household's own.
func writeMerchant(j *jsonWriter, m *queries.Merchant) {
	j.open("")
	j.id("id", m.PublicID)
	j.text("name", m.Name)
	j.text("type", "FamilyMerchant")
	j.filled("color", m.Color)
	j.filled("website_url", m.WebsiteUrl)
	j.stamp("created_at", m.CreatedAt)
	j.stamp("updated_at", m.UpdatedAt)
	j.close()
}
