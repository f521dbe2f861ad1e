package importer_test

import (
	"io"
	"strings"
	"testing"

	"finsvc/importer"
	"finsvc/importer/source"
	"finsvc/importer/table"
)

// TestFees: 100.00 out and 1.50 besides is 101.50 out; 20.00 in and 0.30 besides is 19.70 in. A fee that cannot be read
// is an error of its row, and so is one with which the amount is too large.
func TestFees(t *testing.T) {
	t.Parallel()
	const file = "date,amount,name,costs\n2026-01-14,-100.00,Rent,1.50\n2026-01-15,20.00,Ana,-0.30\n2026-01-16,5.00,Jo,\n2026-01-17,5.00,Eve,free\n" +
		"2026-01-18,-90000000000000.00,Max,0.01\n"
	rows, err := table.NewRows(source.Text(file), settings(t, `{"fee_col_label":"costs"}`), euro(t))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for {
		row, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text := row.Currency.Plain(row.Minor) + " " + row.Name + strings.Join(row.Remarks, ";")
		for _, issue := range row.Issues {
			text = issue.String()
		}
		got = append(got, text)
	}
	want := []string{"-101.50 Rentthe fee of 1.50 is part of the amount",
		"19.70 Anathe fee of 0.30 is part of the amount", "5.00 Jo",
		`row 4 (line 5): costs must be a number written as 1,234.56, got "free"`,
		`row 5 (line 6): costs must leave an amount of at least -90000000000000.00 EUR together with the amount`}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q", got)
	}
}

// TestFeesThatNothingProves are left where they are, and it is said.
func TestFeesThatNothingProves(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	out := k.preflight("Date,Text,Amount,Fee\n01/14/2026,Rent,-100.00,1.50\n01/15/2026,Acme,500.00,0.00\n",
		importer.Request{})
	if got, want := out.Reasons["amount_col_label"], `"Amount" holds amounts in 2 of 2 rows; "Fee" is no part of the amounts, unless fee_col_label names it`; got != want {
		t.Errorf("got %q", got)
	}
}
