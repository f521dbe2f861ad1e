package cmd_test

import (
	"fmt"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

// statementPDF is a PDF with a line of text for each of those given.
func statementPDF(lines ...string) string {
	content := "BT /F1 10 Tf 14 TL 50 780 Td\n"
	for _, line := range lines {
		content += "(" + line + ") Tj T*\n"
	}
	content += "ET"
	var out strings.Builder
	out.WriteString("%PDF-1.4\n")
	var table strings.Builder
	for i, object := range []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >> >> >> /Contents 4 0 R >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(content), content),
	} {
		fmt.Fprintf(&table, "%010d 00000 n \n", out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	at := out.Len()
	fmt.Fprintf(&out, "xref\n0 5\n0000000000 65535 f \n%strailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", table.String(), at)
	return out.String()
}

func TestImportPDF(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	lines := []string{
		"Zeitraum 01.01.2026 - 31.01.2026",
		"Datum        Text            Betrag EUR",
		"Alter Saldo                    1.000,00",
		"05.01.2026   Brot                -12,50",
		"06.01.2026   Butter               -3,25",
		"Neuer Saldo                      984,25",
	}
	file := s.Write("january.PDF", statementPDF(lines...))
	s.Fails(2, []string{"import", file, "--yes"}, "account_id must be given: a statement is of one account", "--account NAME")
	got := s.Do("import", file, "--account", "Giro", "--yes")
	if got.Status != 0 {
		t.Fatalf("status %d: %s", got.Status, got.Stderr)
	}
	for _, want := range []string{"2 rows", "2026-01-05 to 2026-01-06", "984,25"} {
		if !strings.Contains(got.Stderr, want) {
			t.Errorf("said %q, want %q in it", got.Stderr, want)
		}
	}
	if s.Balance() != 98425.0 {
		t.Errorf("balance %v", s.Balance())
	}
	lines[5] = strings.Replace(lines[5], "984,25", "985,25", 1)
	wrong := s.Write("wrong.pdf", statementPDF(lines...))
	s.Fails(2, []string{"import", wrong, "--account", "Giro", "--yes", "--skip-invalid"}, "does not add up", "the difference is 1.00")
	s.Fails(2, []string{"import", s.Write("csv.pdf", good), "--account", "Giro", "--yes"}, "is no PDF")
}

func TestTypeByExtension(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	file := s.Write("rows.pdf", good)
	s.OK("import", file, "--type", "TransactionImport", "--account", "Giro", "--yes")
}
