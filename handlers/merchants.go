package handlers

import (
	"strings"

	"github.com/dustin/go-humanize"

	"finsvc/handlers/wire"
	"finsvc/importer/table"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/intake"
	"finsvc/queries"
)

// listMerchants answers GET /merchants: a bare list of all.
func (s *labels) listMerchants(a *wire.Answer, r *wire.Request) error {
	list, err := s.ledger.Labels.ListMerchants(r.Context(), r.Who())
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
	m, err := s.ledger.Labels.CreateMerchant(r.Context(), r.Who(), readMerchant(f))
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
	m, err := s.ledger.Labels.GetMerchant(r.Context(), r.Who(), id)
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
	m, err := s.ledger.Labels.UpdateMerchant(r.Context(), r.Who(), id, readMerchant(f))
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

// The longest list of merchants, and the longest body that may have one in it, in bytes.
const (
	merchantFileMax = 1 << 20
	merchantBodyMax = 2 << 20
)

// hasMerchantFile reports whether the body of POST /merchants is a list: a multipart form, or one that names a file.
func hasMerchantFile(r *wire.Request) bool {
	return !r.Holds("merchant") && (r.Holds("file") || strings.HasPrefix(strings.ToLower(r.Header.Get("Content-Type")),
		"multipart/"))
}

// importMerchants answers POST /merchants with a CSV file in the part named file: 201 with what was made. Merchants
// that are there already are skipped.
func (s *labels) importMerchants(a *wire.Answer, r *wire.Request) error {
	f, err := r.Fields()
	if err != nil {
		return err
	}
	content := f.Content("file")
	if err := checkMerchantFile(f, content); err != nil {
		return err
	}
	rows, err := table.ReadMerchants(f.FileName("file"), content.Value)
	if err != nil {
		return err
	}
	done, err := s.ledger.Intake.ImportMerchants(r.Context(), r.Who(), rows)
	if err != nil {
		return err
	}
	a.Created()
	j := a.Json
	j.Open("")
	j.Int("imported", int64(len(done.Created)))
	j.Int("skipped", int64(done.Skipped))
	j.List("merchants")
	for i := range done.Created {
		writeMerchant(j, &done.Created[i])
	}
	j.EndList()
	j.Close()
	return nil
}

func checkMerchantFile(f *wire.Fields, content ledger.Opt[[]byte]) error {
	if err := f.Err(); err != nil {
		return err
	}
	switch n := int64(len(content.Value)); {
	case !content.Has():
		return intake.NewFileError("missing_file", `is required: a CSV file in the part named file, or {"merchant": {...}} for a single one`)
	case n > merchantFileMax:
		return intake.NewFileError("file_too_large", "must have at most %s (%d bytes), has %s",
			humanize.IBytes(merchantFileMax), merchantFileMax, humanize.Comma(n))
	}
	return nil
}
