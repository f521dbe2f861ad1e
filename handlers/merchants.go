package handlers

import (
	"finsvc/handlers/wire"
	"finsvc/ledger/catalog"
	"finsvc/queries"
)

// listMerchants answers GET /merchants: a bare list of all.
func (s *labels) listMerchants(a *wire.Answer, r *wire.Request) error {
	list, err := s.ledger.Catalog.ListMerchants(r.Context(), r.Who())
	if err != nil {
		return err
	}
	a.Json.List("")
	for i := range list {
		writeMerchant(a.Json, &list[i])
	}
	a.Json.EndList()
	return nil
}

// createMerchant answers POST /merchants, with one merchant or a file of them.
func (s *labels) createMerchant(a *wire.Answer, r *wire.Request) error {
	if hasMerchantFile(r) {
		return s.importMerchants(a, r)
	}
	f, err := r.Wrapped("merchant")
	if err != nil {
		return err
	}
	m, err := s.ledger.Catalog.CreateMerchant(r.Context(), r.Who(), readMerchant(f))
	if err != nil {
		return err
	}
	a.Created()
	writeMerchant(a.Json, &m)
	return nil
}

// showMerchant answers GET /merchants/{id}.
func (s *labels) showMerchant(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Merchant")
	if err != nil {
		return err
	}
	m, err := s.ledger.Catalog.GetMerchant(r.Context(), r.Who(), id)
	if err != nil {
		return err
	}
	writeMerchant(a.Json, &m)
	return nil
}

// updateMerchant answers PATCH /merchants/{id}.
func (s *labels) updateMerchant(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Merchant")
	if err != nil {
		return err
	}
	f, err := r.Wrapped("merchant")
	if err != nil {
		return err
	}
	m, err := s.ledger.Catalog.UpdateMerchant(r.Context(), r.Who(), id, readMerchant(f))
	if err != nil {
		return err
	}
	writeMerchant(a.Json, &m)
	return nil
}

// mergeMerchant answers POST /merchants/{id}/merge with {"target_id": ...}: the target.
func (s *labels) mergeMerchant(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Merchant")
	if err != nil {
		return err
	}
	f, err := r.Fields()
	if err != nil {
		return err
	}
	target := f.Id("target_id")
	if !target.Has() && len(*f.Problems) == 0 {
		f.Problems.Add("target_id", "is required: the id of the merchant that remains")
	}
	if err := f.Err(); err != nil {
		return err
	}
	m, err := s.ledger.Catalog.MergeMerchant(r.Context(), r.Who(), id, target.Value)
	if err != nil {
		return err
	}
	writeMerchant(a.Json, &m)
	return nil
}

// readMerchant reads the fields of a merchant, new or changed.
func readMerchant(f *wire.Fields) catalog.MerchantInput {
	in := catalog.MerchantInput{Name: f.Text("name"), Color: f.Text("color"), WebsiteURL: f.Text("website_url")}
	in.Problems = *f.Problems
	return in
}

// writeMerchant writes a merchant. All are the household's own.
func writeMerchant(j *wire.Writer, m *queries.Merchant) {
	j.Open("")
	j.Id("id", m.PublicID)
	j.Text("name", m.Name)
	j.Text("type", "FamilyMerchant")
	j.Filled("color", m.Color)
	j.Filled("website_url", m.WebsiteUrl)
	j.Stamp("created_at", m.CreatedAt)
	j.Stamp("updated_at", m.UpdatedAt)
	j.Close()
}
