package handlers

import (
	"finsvc/handlers/wire"
	"finsvc/ledger/catalog"
	"finsvc/queries"
)

// listTags answers GET /tags: a bare list of all.
func (s *labels) listTags(a *wire.Answer, r *wire.Request) error {
	list, err := s.ledger.Labels.ListTags(r.Context(), r.Who())
	if err != nil {
		return err
	}
	a.Json.List("")
	for i := range list {
		writeTag(a.Json, &list[i])
	}
	a.Json.EndList()
	return nil
}

// createTag answers POST /tags.
func (s *labels) createTag(a *wire.Answer, r *wire.Request) error {
	f, err := r.Wrapped("tag")
	if err != nil {
		return err
	}
	t, err := s.ledger.Labels.CreateTag(r.Context(), r.Who(), readTag(f))
	if err != nil {
		return err
	}
	a.Created()
	writeTag(a.Json, &t)
	return nil
}

// showTag answers GET /tags/{id}.
func (s *labels) showTag(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Tag")
	if err != nil {
		return err
	}
	t, err := s.ledger.Labels.GetTag(r.Context(), r.Who(), id)
	if err != nil {
		return err
	}
	writeTag(a.Json, &t)
	return nil
}

// updateTag answers PATCH /tags/{id}.
func (s *labels) updateTag(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Tag")
	if err != nil {
		return err
	}
	f, err := r.Wrapped("tag")
	if err != nil {
		return err
	}
	t, err := s.ledger.Labels.UpdateTag(r.Context(), r.Who(), id, readTag(f))
	if err != nil {
		return err
	}
	writeTag(a.Json, &t)
	return nil
}

// deleteTag answers DELETE /tags/{id}.
func (s *labels) deleteTag(a *wire.Answer, r *wire.Request) error {
	id, err := r.PathID("id", "Tag")
	if err != nil {
		return err
	}
	if err := s.ledger.Labels.DeleteTag(r.Context(), r.Who(), id); err != nil {
		return err
	}
	a.NoContent()
	return nil
}

// readTag reads the fields of a tag, new or changed.
func readTag(f *wire.Fields) catalog.TagInput {
	in := catalog.TagInput{Name: f.Text("name"), Color: f.Text("color")}
	in.Problems = *f.Problems
	return in
}

// writeTag writes the Tag of the contract.
func writeTag(j *wire.Writer, t *queries.Tag) {
	j.Open("")
	j.Id("id", t.PublicID)
	j.Text("name", t.Name)
	j.Text("color", t.Color)
	j.Stamp("created_at", t.CreatedAt)
	j.Stamp("updated_at", t.UpdatedAt)
	j.Close()
}
