package importer_test

import (
	"strings"
	"testing"
)

// TestDetectLastRows: a last row that is called a total or a balance is left out where arithmetic proves that it is
// one, a payment where it proves that it is none, and asked about where neither is sure.
func TestDetectLastRows(t *testing.T) {
	t.Parallel()
	const (
		rows    = "Date,What,Amount\n2026-01-13,Grocer,-5.00\n2026-01-14,Acme,20.00\n"
		german  = "Datum;Text;Betrag\n13.01.2026;Kiosk;-5,00\n14.01.2026;Lohn;20,00\n"
		balance = "Date,What,Amount,Balance\n2026-01-13,Grocer,-5.00,95.00\n2026-01-14,Acme,20.00,115.00\n"
		pair    = "Date,What,Debit,Credit\n2026-01-13,Grocer,5.00,\n2026-01-14,Acme,,20.00\n"
		words   = "Date,What,Amount,Type\n2026-01-13,Grocer,5.00,Debit\n2026-01-14,Acme,20.00,Credit\n"
		two     = "26-01-13 -5.00; 26-01-14 20.00"
	)
	for name, c := range map[string]struct{ file, want string }{
		"a petrol station":                      {rows + "2026-01-15,Total,-30.00\n", two + "; 26-01-15 -30.00"},
		"a petrol station with its town":        {german + "15.01.2026;Total;-30,00\n", two + "; 26-01-15 -30.00"},
		"the sum":                               {rows + "2026-01-15,Total,15.00\n", two},
		"the sum in German":                     {german + "15.01.2026;Summe;15,00\n", two},
		"the sum without regard to signs":       {rows + "2026-01-15,Total,25.00\n", two},
		"as much as one of two rows, by chance": {rows + "2026-01-15,Total,-20.00\n", "asked row_filter"},
		"as much as the only row":               {"Date,What,Amount\n2026-01-13,Grocer,-5.00\n2026-01-14,Total,-5.00\n", "asked row_filter"},
		"a payment that moves the balance": {balance + "2026-01-15,Total,15.00,130.00\n",
			two + "; 26-01-15 15.00"},
		"a sum that does not move the balance": {balance + "2026-01-15,Total,15.00,115.00\n", two},
		"the balance itself":                   {balance + "2026-01-15,Current Balance,115.00,115.00\n", two},
		"a payment that is called a balance": {balance + "2026-01-15,Saldo,-15.00,100.00\n",
			two + "; 26-01-15 -15.00"},
		"a balance that nothing tells from others": {rows + "2026-01-15,Solde,-30.00\n", "asked row_filter"},
		"sums of two columns":                      {pair + "2026-01-15,Total,5.00,20.00\n", two},
		"a payment in one of two columns":          {pair + "2026-01-15,Total,30.00,\n", two + "; 26-01-15 -30.00"},
		"a sum without a word for its side":        {words + "2026-01-15,Total,15.00,\n", two},
		"a payment with a word for its side": {words + "2026-01-15,Total,30.00,Debit\n",
			two + "; 26-01-15 -30.00"},
		"the first of all": {"Date,What,Amount\n2026-01-15,Total,-30.00\n2026-01-14,Acme,20.00\n2026-01-13,Grocer,-5.00\n", "26-01-15 -30.00; 26-01-14 20.00; 26-01-13 -5.00"},
		"more behind it":   {rows + "2026-01-15,Total,15.00\n\nPrinted by the bank\n", two},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := figures(readDetected(t, c.file, "EUR")); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// A filter that was given for something else is no answer about the last row; one about its column is, and so is the
// footer.
func TestDetectLastRowAnswered(t *testing.T) {
	t.Parallel()
	const file = "Date,What,Amount,State\n2026-01-13,Grocer,-5.00,done\n2026-01-14,Acme,20.00,done\n2026-01-15,Total,-20.00,done\n"
	for given, want := range map[string]string{
		`{}`:                               "asked row_filter",
		`{"row_filter":"State=done"}`:      "asked footer",
		`{"row_filter":"What!=Total"}`:     "26-01-13 -5.00; 26-01-14 20.00",
		`{"row_filter":"What!=something"}`: "26-01-13 -5.00; 26-01-14 20.00; 26-01-15 -20.00",
		`{"footer":"1"}`:                   "26-01-13 -5.00; 26-01-14 20.00",
		`{"footer":"0"}`:                   "26-01-13 -5.00; 26-01-14 20.00; 26-01-15 -20.00",
	} {
		if got := figures(readGiven(t, file, settings(t, given), euro(t))); got != want {
			t.Errorf("%s: got  %s\nwant %s", given, got, want)
		}
	}
}

// A sum that 64 bits do not hold proves nothing: 2,049 of the largest amounts and what is missing to two to the power
// of 64 go round to nothing, and with the last but one row to that row's amount.
func TestDetectLastRowBehindLargeSums(t *testing.T) {
	t.Parallel()
	const around = "2026-01-14,Acme,57440737095516.16\n2026-01-14,Acme,12.34\n"
	large := strings.Repeat("2026-01-13,Grocer,90000000000000.00\n", 2049)
	for name, file := range map[string]string{
		"of one side": "Date,What,Amount\n" + large + around + "2026-01-15,Total,12.34\n",
		"of two sides": "Date,What,Amount\n" + large + "2026-01-13,Rent,-1.00\n2026-01-13,Rent,-1.00\n" + around +
			"2026-01-15,Total,10.34\n",
	} {
		if got := figures(readGiven(t, file, settings(t, `{"signage_convention":"inflows_positive"}`),
			euro(t))); !strings.Contains(got, "; 26-01-15 1") {
			t.Errorf("%s: the last row is missing in %s", name, got[max(0, len(got)-200):])
		}
	}
}
