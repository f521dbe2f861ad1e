package fx_test

import (
	"fmt"
	"strings"
	"testing"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/money"
)

// The shapes in which the central bank publishes, with invented rates.
const (
	ecbHistory = "Date,USD,JPY,TRL,BGN,\n2026-11-20,1.0825,160.25,N/A,1.9558,\n2026-11-19,1.08,N/A,1500000,1.9558,\n"
	ecbDay     = "Date, USD, JPY, \n20 November 2026, 1.0825, 160.25, \n"
	ecbXML     = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<Cube>
		<Cube time='2026-11-20'>
			<Cube currency='USD' rate='1.0825'/>
			<Cube currency='JPY' rate='160.25'/></Cube>
		<Cube time="2026-11-19"><Cube currency="USD" rate="1.0800"/></Cube>
	</Cube>
</gesmes:Envelope>`
)

func TestParseRates(t *testing.T) {
	t.Parallel()
	const history = "[{EUR USD 2026-11-20 1.0825} {EUR JPY 2026-11-20 160.25} {EUR BGN 2026-11-20 1.9558} {EUR USD 2026-11-19 1.08} {EUR BGN 2026-11-19 1.9558}] ecb [TRL]"
	const day = "[{EUR USD 2026-11-20 1.0825} {EUR JPY 2026-11-20 160.25}] ecb []"
	const fromXML = "[{EUR USD 2026-11-20 1.0825} {EUR JPY 2026-11-20 160.25} {EUR USD 2026-11-19 1.08}] ecb []"
	for name, c := range map[string]struct{ file, want string }{
		"plain":             {"date,from,to,rate\n2026-11-20,USD,EUR,0.92378752886836027713625866050808314\n", "[{USD EUR 2026-11-20 0.92378752886836027713625866050808314}] csv []"},
		"plain with frills": {"\ufeffDate, From, To, Rate\r\n\r\n2024-02-29, usd ,\"eur\",1e-2,,\r\n,,,\r\n2024-02-29,USD,EUR,0.010", "[{USD EUR 2024-02-29 0.01}] csv []"},
		"both ways":         {"date,from,to,rate\n2026-11-20,USD,EUR,2\n2026-11-20,EUR,USD,3\n", "[{USD EUR 2026-11-20 2} {EUR USD 2026-11-20 3}] csv []"},
		"history":           {ecbHistory, history},
		"history in zip":    {ledgertest.Zipped(t, "eurofxref-hist.csv", ecbHistory), history},
		"day":               {ecbDay, day},
		"day in zip":        {ledgertest.Zipped(t, "README.txt", "x", "eurofxref.csv", ecbDay), day},
		"XML":               {ecbXML, fromXML},
		"XML in zip":        {ledgertest.Zipped(t, "eurofxref-hist.XML", "\ufeff\n"+strings.TrimPrefix(ecbXML, `<?xml version="1.0" encoding="UTF-8"?>`)), fromXML},
	} {
		got, err := fx.ParseRates([]byte(c.file))
		if text := fmt.Sprintf("%v %s %v", got.Rates, got.Source, got.Unknown); err != nil || text != c.want {
			t.Errorf("%s: got %s, %v\nwant %s", name, text, err, c.want)
		}
	}
}

func TestParseRatesSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	const plain = "date,from,to,rate\n2026-11-20,USD,EUR,0.5\n"
	const cube = "<a><Cube time='2026-11-20'>\n<Cube currency='USD' rate='%s'/></Cube></a>"
	for _, c := range []struct {
		file string
		want string // all problems
	}{
		{"", "file must not be empty"},
		{"\n \n", `line 2 must be the header "date,from,to,rate", or "Date, USD, JPY, ..." as the European Central Bank writes it, got ""`},
		{"date,from,to,rate\n", "file must hold at least one rate, has none"},
		{"day;from;to;rate\n", `line 1 must be the header "date,from,to,rate", or "Date, USD, JPY, ..." as the European Central Bank writes it, got "day;from;to;rate"`},
		{"Date,USD,USD\n", `line 1 must be the header "date,from,to,rate", or "Date, USD, JPY, ..." as the European Central Bank writes it, got "Date,USD,USD"`},
		{plain + "2026-02-30,USD,EUR,1\n", `line 3, column date must be a calendar date such as 2026-01-31, got "2026-02-30"`},
		{plain + "1899-12-31,USD,EUR,1\n", "line 3, column date must lie between 1900-01-01 and 2199-12-31, got 1899-12-31"},
		{plain + "2026-11-20,US,EUR,1\n", `line 3, column from must be the code of a currency such as EUR, got "US"`},
		{plain + "2026-11-20,USD,XXQ,1\n", `line 3, column to must be the code of a currency such as EUR, got "XXQ"`},
		{plain + "2026-11-20,USD,usd,1\n", `line 3, column to must be another currency than from, got "usd"`},
		{plain + "2026-11-20,USD,EUR,\"1,5\"\n", `line 3, column rate must be a number such as 12.50, got "1,5"`},
		{plain + "2026-11-20,USD,EUR,0\n", `line 3, column rate must be greater than 0, got "0"`},
		{plain + "2026-11-20,USD,EUR,-1\n", `line 3, column rate must be greater than 0, got "-1"`},
		{plain + "2026-11-20,USD,EUR,1e999999999\n", `line 3, column rate must be a number of at most 40 digits, got "1e999999999"`},
		{plain + "2026-11-20,USD,EUR\n", "line 3 must have 4 cells (date,from,to,rate), has 3"},
		{plain + "\n2026-11-20,USD,EUR,1,x\n", "line 4 must have 4 cells (date,from,to,rate), has 5"},
		{plain + "2026-11-20,USD,EUR,0.6\n", "line 3, column rate must not differ from line 2: USD to EUR on 2026-11-20 is 0.5 there, here 0.6"},
		{plain + "2026-11-20,USD,\"EUR,1\n", `line 3 cannot be read at byte 23: extraneous or missing " in quoted-field`},
		{plain + "x,y,z,w\n", `line 3, column date must be a calendar date such as 2026-01-31, got "x"; line 3, column from must be the code of a currency such as EUR, got "y"; ` +
			`line 3, column to must be the code of a currency such as EUR, got "z"; line 3, column rate must be a number such as 12.50, got "w"`},
		{"Date,USD,JPY,\n2026-11-20,1.1,abc,\n20 Novembre 2026,1,2,\n", `line 2, column JPY must be a number such as 12.50, got "abc"; line 3, column Date must be a calendar date such as 2026-01-31, got "20 Novembre 2026"`},
		{"Date,USD,\n31 February 2026,1.1,\n", `line 2, column Date must be a calendar date such as 2026-01-31, got "31 February 2026"`},
		{"Date,USD,\n2026-11-20,1.1,2,\n", "line 2 must have at most 2 cells, as the header has, has 3"},
		{"Date,EUR,USD\n2026-11-20,1,1.1\n", "line 2, column EUR must not be EUR: the rates are those of one euro"},
		{"Date,USD,TRL,\n2026-11-20,N/A,5,\n", "file must hold at least one rate, has none"},
		{fmt.Sprintf(cube, "x"), `line 2, column rate must be a number such as 12.50, got "x"`},
		{fmt.Sprintf(cube, "1'/>\n<Cube currency='USD' rate='2"), "line 3, column rate must not differ from line 2: EUR to USD on 2026-11-20 is 1 there, here 2"},
		{"<a><Cube time='2026-13-20'><Cube currency='USD' rate='1'/></Cube></a>", `line 1, column time must be a calendar date such as 2026-01-31, got "2026-13-20"`},
		{"<a><Cube time='2026-11-20'/><Cube currency='USD' rate='1'/></a>", "line 1, column currency must lie in a Cube with a time, USD does not"},
		{"<a><Cube time='2026-11-20'><Cube currency='euro' rate='1'/></Cube></a>", `line 1, column currency must be the code of a currency such as USD, got "euro"`},
		{"<a>\n<b></a>", "line 2 cannot be read: element <b> closed by </a>"},
		{"<a>\n&lol;</a>", "line 2 cannot be read: invalid character entity &lol;"},
		{"<html/>", "file must hold at least one rate, has none"},
		{ledgertest.Zipped(t, "a.csv", plain, "b.csv", plain), "file must hold one .csv or .xml file, this zip file holds 2"},
		{ledgertest.Zipped(t, "a.txt", plain), "file must hold one .csv or .xml file, this zip file holds 0"},
		{"PK\x03\x04rest", "file must be a whole zip file: zip: not a valid zip file"},
		{ledgertest.Zipped(t, "a.csv", plain+strings.Repeat("\n", fx.MaxTableFile)), "file must have at most 64 MiB, packed or not"},
	} {
		_, err := fx.ParseRates([]byte(c.file))
		if e := ledger.AsError(err); e == nil || e.Kind != ledger.Invalid || e.Message != c.want {
			t.Errorf("%.100q:\n got %v\nwant %s", c.file, err, c.want)
		}
	}
	_, err := fx.ParseRates([]byte("date,from,to,rate\n" + strings.Repeat("x\n", 1000)))
	if e := ledger.AsError(err); e == nil || len(e.Fields) != 20 {
		t.Errorf("got %v, want the first 20 problems", err)
	}
}

func TestImportRates(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	b.OpenWith("Yen", "depository", "JPY", "16025")
	for _, c := range []struct{ file, want string }{
		{ecbHistory, "5 0 0"},
		{ecbHistory, "0 0 5"},
		{"Date,USD,CHF,\n2026-11-20,1.0900,0.93,\n2026-11-19,1.0800,N/A,\n", "1 1 1"},
		{"date,from,to,rate\n2026-11-19,EUR,USD,1.08\n2026-11-19,USD,EUR,0.9\n", "1 1 0"}, // another source
	} {
		if got := b.ImportRates(c.file); got != c.want {
			t.Errorf("%q: got %s, want %s", c.file, got, c.want)
		}
	}
	spans, err := b.Rates.ListRates(b.Ctx())
	want := "[{EUR BGN 2 2026-11-19 2026-11-20 1.9558 0} {EUR CHF 1 2026-11-20 2026-11-20 0.93 0} {EUR JPY 1 2026-11-20 2026-11-20 160.25 0} " +
		"{EUR USD 2 2026-11-19 2026-11-20 1.09 0} {USD EUR 1 2026-11-19 2026-11-19 0.9 0}]"
	if got := fmt.Sprint(spans); err != nil || got != want {
		t.Errorf("got %s, %v\nwant %s", got, err, want)
	}
	for day, want := range map[string]string{"2026-11-27": "7 false 8 true", "2026-11-28": "8 true 9 true"} {
		b.Tick = ledgertest.DayOf(day).Value.Time()
		spans, err := b.Rates.ListRates(b.Ctx())
		if got := fmt.Sprint(spans[0].DaysOld, spans[0].Stale(), spans[4].DaysOld, spans[4].Stale()); err != nil || got != want {
			t.Errorf("on %s the first and the last are %s, %v, want %s", day, got, err, want)
		}
	}
	if got := ledgertest.Totals(b.Sheet("2026-11-20")); got != "10000 10000 0" {
		t.Errorf("16025 yen are %s", got)
	}
}

// FuzzParseRates: whatever the file, it is refused with a reason or gives rates that can be kept, each once.
func FuzzParseRates(f *testing.F) {
	for _, seed := range []string{ecbHistory, ecbDay, ecbXML, "date,from,to,rate\n2026-11-20,USD,EUR,0.5\n", "date,from,to,rate\n2026-11-20,USD,EUR,1e40\n", "PK\x03\x04", "<a>", "\ufeff", "",
		ledgertest.Zipped(f, "a.csv", ecbDay), ledgertest.Zipped(f, "a.xml", ecbXML)} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		file, err := fx.ParseRates(content)
		if err != nil {
			if !ledger.IsKind(err, ledger.Invalid) || len(ledger.AsError(err).Fields) > 24 {
				t.Fatalf("got %v", err)
			}
			return
		}
		seen := map[string]bool{}
		for _, r := range file.Rates {
			key := fmt.Sprint(r.From, r.To, r.Date)
			_, from := money.LookupCurrency(r.From)
			_, to := money.LookupCurrency(r.To)
			if again, err := money.ParseDecimal(r.Rate.String()); err != nil || !again.Equal(r.Rate) || !again.IsPositive() {
				t.Fatalf("%s is read again as %s, %v", r.Rate, again, err)
			}
			if r.Date.Check() != nil || !from || !to || r.From == r.To || seen[key] {
				t.Fatalf("got %+v", r)
			}
			seen[key] = true
		}
		if len(file.Rates) == 0 {
			t.Fatal("a file without rates was taken")
		}
	})
}
