package importer_test

import "testing"

// TestDetectSkippedLines: lines that are told to be skipped do not keep the header from being found behind them.
func TestDetectSkippedLines(t *testing.T) {
	t.Parallel()
	const (
		rows     = "13.01.2026;Kiosk;-5,00\n14.01.2026;Lohn;6,00\n"
		table    = "Datum;Text;Betrag\n" + rows
		preamble = "Konto;DE12\nZeitraum;2026\n\n"
		want     = "26-01-13 -5.00 Kiosk; 26-01-14 6.00 Lohn"
	)
	for name, c := range map[string]struct{ given, file, want string }{
		"none, and none stand before":         {`{"rows_to_skip":"0"}`, table, want},
		"none, and some stand before":         {`{"rows_to_skip":"0"}`, preamble + table, want},
		"one of three":                        {`{"rows_to_skip":"1"}`, preamble + table, want},
		"all":                                 {`{"rows_to_skip":"3"}`, preamble + table, want},
		"none, and there is no header":        {`{"rows_to_skip":"0"}`, rows, want},
		"some, and there is no header":        {`{"rows_to_skip":"2"}`, preamble + rows, want},
		"a header of words that nobody knows": {`{"rows_to_skip":"3"}`, preamble + "Wann;Was;Wieviel\n" + rows, want},
		"where the header was told to be": {`{"rows_to_skip":"2","has_header":"true"}`,
			"x;y;z\nu;v;w\nDatum;Text;Betrag\n" + rows, want},
		"no header was told, lines before are": {`{"rows_to_skip":"3","has_header":"false"}`, preamble + rows, want},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := readGiven(t, c.file, settings(t, c.given), euro(t)); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestDetectWideRows: cells beyond the header are texts where most rows have them, and a mistake of the row else.
func TestDetectWideRows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]detectCase{
		"in all rows": {"Date,Amount,Payee\n2026-01-13,-5.00,Bar,Berlin\n2026-01-14,6.00,Acme,Bonn\n", "",
			"26-01-13 -5.00 Bar; 26-01-14 6.00 Acme"},
		"in most, and two of them": {"Date,Amount,Payee\n2026-01-13,-5.00,Bar,Berlin,north\n2026-01-14,6.00,Acme\n2026-01-15,-7.00,Shop,,south\n", "",
			"26-01-13 -5.00 Bar; 26-01-14 6.00 Acme; 26-01-15 -7.00 Shop"},
		"more than in the first ones": {"Date,Amount,Payee\n2026-01-13,-5.00,Bar,Berlin\n2026-01-14,6.00,Acme,Bonn\n2026-01-15,-7.00,Shop,Rome,2\n", "",
			"bad; bad; bad"},
		"in one": {"Date,Amount,Payee\n2026-01-13,-5.00,Bar, Berlin\n2026-01-14,6.00,Acme\n2026-01-15,-7.00,Shop\n", "", "bad; 26-01-14 6.00 Acme; 26-01-15 -7.00 Shop"},
		"behind a decimal comma": {"Date,Payee,Amount\n2026-01-13,Bar,-5,50\n2026-01-14,Acme,6,00\n", "",
			"bad; bad"},
		"the name stands in no name": {"Date,Amount,Currency\n2026-01-13,-5.00,EUR,Bar of Berlin\n2026-01-14,6.00,EUR,Acme of Bonn\n", "", "26-01-13 -5.00 Bar of Berlin; 26-01-14 6.00 Acme of Bonn"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := readDetected(t, c.file, "EUR"); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// TestDetectOneSide: of two columns for the two sides one may be blank in all rows.
func TestDetectOneSide(t *testing.T) {
	t.Parallel()
	const want = "26-01-13 -5.00 Kiosk; 26-01-14 -6.00 Bar"
	for _, headers := range []string{"Soll;Haben", "Debit;Credit", "Ausgang;Eingang", "Paid out;Paid in",
		"Belastung in CHF;Gutschrift in CHF", "Amount debited;Amount credited"} {
		if got := readDetected(t, "Datum;Text;"+headers+"\n13.01.2026;Kiosk;5,00;\n14.01.2026;Bar;6,00;\n",
			"EUR"); got != want {
			t.Errorf("%s: got  %s\nwant %s", headers, got, want)
		}
	}
	if got := readDetected(t, "Datum;Text;Soll;Haben\n13.01.2026;Kiosk;;5,00\n14.01.2026;Bar;;6,00\n",
		"EUR"); got != "26-01-13 5.00 Kiosk; 26-01-14 6.00 Bar" {
		t.Error(got)
	}
}
