package ledgertest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"slices"
	"testing"

	"finsvc/ledger/fx"
)

// Zipped packs files, given as name and content in turn.
func Zipped(t testing.TB, files ...string) string {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for pair := range slices.Chunk(files, 2) {
		w, err := archive.Create(pair[0])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(pair[1])); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func (b *Fixture) ImportRates(file string) string {
	b.tb.Helper()
	rates, err := fx.ParseRates([]byte(file))
	if err != nil {
		b.tb.Fatal(err)
	}
	done, err := b.Rates.ImportRates(b.Ctx(), rates)
	if err != nil {
		b.tb.Fatal(err)
	}
	return fmt.Sprint(done.Added, done.Replaced, done.Unchanged)
}
