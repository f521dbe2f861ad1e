package handlers

import (
	"strings"

	"github.com/dustin/go-humanize"

	"finsvc/handlers/wire"
	"finsvc/importer/table"
	"finsvc/ledger"
	"finsvc/ledger/intake"
)

// The longest list of merchants, and the longest body that may have one in it, in bytes.
const (
	merchantFileMax = 1 << 20
	merchantBodyMax = 2 << 20
)

// hasMerchantFile says whether the body of POST /merchants is a list: a multipart form, or one that names a file.
func hasMerchantFile(r *wire.Request) bool {
	return !r.Holds("merchant") && (r.Holds("file") || strings.HasPrefix(strings.ToLower(r.Header.Get("Content-Type")), "multipart/"))
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
		return intake.NewFileError("file_too_large", "must have at most %s (%d bytes), has %s", humanize.IBytes(merchantFileMax), merchantFileMax, humanize.Comma(n))
	}
	return nil
}
