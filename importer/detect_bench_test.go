package importer_test

import (
	"bytes"
	"fmt"
	"io"
	"testing"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
)

// BenchmarkDetect reads a million rows of a usual file.
func BenchmarkDetect(b *testing.B) {
	var file bytes.Buffer
	file.WriteString("Buchungstag;Valuta;Empfänger;Verwendungszweck;Betrag;Saldo;Währung\n")
	for i := range 1_000_000 {
		fmt.Fprintf(&file, "%02d.%02d.2026;%02d.%02d.2026;Bäckerei %d;Einkauf %d;-%d,%02d;%d,%02d;EUR\n", i/12%28+1,
			i%12+1, i/12%28+1, i%12+1, i%50, i, i%900, i%100, i%70000, i%100)
	}
	b.SetBytes(int64(file.Len()))
	for b.Loop() {
		_, open, err := importer.Detect(func() (io.Reader, error) { return bytes.NewReader(file.Bytes()), nil },
			recordpkg.Settings{}, euro(b))
		if err != nil || len(open) > 0 {
			b.Fatal(open, err)
		}
	}
}
