package qif

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// books are defaults of a household in dollars with some accounts; own is the import's account, if it has one.
func books(own string, accounts ...string) record.Defaults {
	named := map[string]*ledger.AccountRef{}
	for _, text := range accounts { // name:type:currency
		parts := strings.Split(text, ":")
		named[ledger.Fold(parts[0])] = &ledger.AccountRef{Name: parts[0], AccountType: parts[1], Currency: parts[2]}
	}
	d := record.Defaults{Type: record.QifImport, Named: func(name string) *ledger.AccountRef { return named[ledger.Fold(name)] }, Account: named[ledger.Fold(own)]}
	d.Currency, _ = money.LookupCurrency("USD")
	if d.Account != nil {
		d.Currency, _ = money.LookupCurrency(d.Account.Currency)
	}
	return d
}

// checking is an import into an account of type depository.
func checking() record.Defaults { return books("Checking", "Checking:depository:USD") }

// broker is an import into an account of type investment.
func broker() record.Defaults { return books("Broker", "Broker:investment:USD") }

func readQIF(file string, s record.Settings, d record.Defaults) ([]record.Record, error) {
	rows, err := Format{}.Open(source.Text(file), s, d)
	if err != nil {
		return nil, err
	}
	var list []record.Record
	err = record.Each(rows, func(row record.Record) error {
		list = append(list, row)
		return nil
	})
	return list, err
}

// qifSketch is a row in one line.
func qifSketch(r record.Record) string {
	if r.Skipped != "" {
		return "skipped " + r.Skipped
	}
	if len(r.Issues) > 0 {
		var list []string
		for _, issue := range r.Issues {
			list = append(list, issue.Column+" "+issue.Message)
		}
		return "issue " + strings.Join(list, " & ")
	}
	out := strings.TrimSpace(fmt.Sprintf("%s %s %s %s", r.Entity(), r.Date, r.Currency.Plain(r.Minor), r.Name))
	for _, more := range []struct{ name, text string }{{"in", r.Account}, {"type", strings.Trim(r.AccountType, " ")}, {"cat", r.Category},
		{"tags", strings.Join(r.Tags, "+")}, {"notes", strings.ReplaceAll(r.Notes, "\n", "/")}, {"told", strings.Join(r.Remarks, "; ")}} {
		if more.text != "" && (more.name != "type" || r.ByName) {
			out += " |" + more.name + " " + more.text
		}
	}
	if r.Opposite != 0 {
		out += fmt.Sprintf(" |opposite %d", r.Opposite)
	}
	for _, line := range r.Lines {
		out += fmt.Sprintf(" |line %s %s", r.Currency.Plain(line.Minor), strings.TrimSpace(strings.Join([]string{line.Name, line.Category, strings.Join(line.Tags, "+"), line.Notes}, " ")))
	}
	t := r.Trade()
	if split, ok := r.Body.(*record.Split); ok {
		t = &record.Trade{Instrument: split.Instrument}
	}
	if t != nil {
		out += fmt.Sprintf(" |%s %s %s at %s fee %d", t.Kind, t.Quantity, t.Ticker, t.Price, t.Fee)
	}
	return out
}

func qifSketches(t *testing.T, file string, s record.Settings, d record.Defaults) string {
	t.Helper()
	rows, err := readQIF(file, s, d)
	var list []string
	for i, row := range rows {
		if row.Number != i+1 {
			t.Errorf("row %d has number %d", i+1, row.Number)
		}
		list = append(list, qifSketch(row))
	}
	if err != nil {
		list = append(list, err.Error())
	}
	return strings.Join(list, "\n")
}

// qifLines writes a file: fields parted by semicolons.
func qifLines(fields string) string { return strings.ReplaceAll(fields, ";", "\n") + "\n" }

func TestQIFEntries(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, want string }{
		"one":              {"!Type:Bank;D1/31/2026;T-12.50;PBakery;MTwo loaves;LFood:Bread;CX;^", "2026-01-31 -12.50 Bakery |cat Food:Bread |notes Two loaves"},
		"no last ^":        {"!Type:Bank;D1/31/2026;T5", "2026-01-31 5.00 Imported item"},
		"blank records":    {"!Type:Bank;^;^;D1/31/2026;T5;^;;^", "2026-01-31 5.00 Imported item"},
		"odd headers":      {"# a comment;;! type: oth l ;D1/31/2026;T5;^;!TYPE:CCARD;D1/30/2026;T6", "account_id must be given for each account by itself: the section ! type: oth l (line 3) is not the only one that does not say which account it belongs to. Send one file per account"},
		"odd spacing":      {"! type : oth  l ; D1/31/2026; T5; ^ ", "2026-01-31 5.00 Imported item"},
		"U without T":      {"!Type:Cash;D1/31/2026;U-1,234.50;^", "2026-01-31 -1234.50 Imported item"},
		"number, address":  {"!Type:Bank;D1/31/2026;T-5;PJo;N1005;M;AStreet 1;ATown;A;^", "2026-01-31 -5.00 Jo |notes Number 1005/Street 1, Town"},
		"memo as name":     {"!Type:Bank;D1/31/2026;T5;MHello;^", "2026-01-31 5.00 Hello |notes Hello"},
		"category as name": {"!Type:Bank;D1/31/2026;T5;LFood;^", "2026-01-31 5.00 Food |cat Food"},
		"classes":          {"!Type:Bank;D1/31/2026;T5;PA;LFood:Bread/Trip:Sea/trip;^", "2026-01-31 5.00 A |cat Food:Bread |tags Trip+Sea"},
		"class alone":      {"!Type:Bank;D1/31/2026;T5;PA;L/Trip;^", "2026-01-31 5.00 A |tags Trip"},
		"transfer":         {"!Type:Bank;D1/31/2026;T5;PA;L[Savings]/Trip;^", "2026-01-31 5.00 A |tags Trip |notes Transfer [Savings]"},
		"transfer alone":   {"!Type:Bank;D1/31/2026;T5;L[Savings];^", "2026-01-31 5.00 [Savings] |notes Transfer [Savings]"},
		"split":            {"!Type:Bank;D1/31/2026;T-10;PA;LFood;SFood/Trip;EBread;$-7;S[Loan];$-4;SBack;$1;^", "2026-01-31 -10.00 A |told the part [Loan] -4 is no transfer, as only whole entries are joined: it counts as spent or earned, and so does its other side |line -7.00 Food Trip Bread |line -4.00 [Loan] |line 1.00 Back"},
		"split of one":     {"!Type:Bank;D1/31/2026;T-10;PA;SFood;EBread;$-10;^", "2026-01-31 -10.00 A |cat Food |notes Bread"},
		"--Split--":        {"!Type:Bank;D1/31/2026;T-10;PA;L--Split--;SFood;$-6;SFuel;$-4;^", "2026-01-31 -10.00 A |line -6.00 Food |line -4.00 Fuel"},
		"split, wrong sum": {"!Type:Bank;D1/31/2026;T-10;PA;LFood;SFood;$-6;SFuel;EGas;$-3;^", "2026-01-31 -10.00 A |cat Food |notes Split Food, -6/Split Fuel, Gas, -3 |told split is not imported, its parts are in the notes: its parts come to -9.00, the amount is -10.00"},
		"split, no number": {"!Type:Bank;D1/31/2026;T-10;PA;SFood;$=6;SFuel;%40;^", `2026-01-31 -10.00 A |notes Split Food, =6/Split Fuel, 40 |told split is not imported, its parts are in the notes: the amount of part 1 must be a number written as 1,234.56, got "=6"`},
		"date in a split":  {"!Type:Bank;D1/31/2026;T-10;PA;SFood;D1/30/2026;$-6;SFuel;$-4;^", "2026-01-31 -10.00 A |line -6.00 Food |line -4.00 Fuel"},
		"opening balance":  {"!Type:Bank;D1/31/2026;T100;POpening Balance;L[Mine];^;D1/31/2026;T5;PA;^", "valuation 2026-01-31 100.00 Opening Balance\n2026-01-31 5.00 A"},
		"of another word":  {"!Type:Bank;D1/31/2026;T100;PAnfangssaldo;L[Mine];^", "valuation 2026-01-31 100.00 Anfangssaldo"},
		"only the word":    {"!Type:Bank;D1/31/2026;T100;PSolde initial;^", "2026-01-31 100.00 Solde initial"},
		"lists":            {"!Type:Cat;NFood;E;^;!Type:Class;NTrip;^;!Type:Tag;Nx;^;!Type:Security;NA;SB;^;!Type:Bank;D1/31/2026;T5;PA;^", "2026-01-31 5.00 A"},
		"unread":           {"!Type:Memorized;KP;T5;^;KP;T6;^;!Type:Bank;D1/31/2026;T5;PA;^;!Type:Budget;A1;^", "skipped section !Type:Memorized is not read\n2026-01-31 5.00 A\nskipped section !Type:Budget is not read"},
		"no date":          {"!Type:Bank;T5;^", "issue date is required and must not be blank"},
		"no amount":        {"!Type:Bank;D1/31/2026;PA;^", "issue amount is required and must not be blank"},
		"no such day":      {"!Type:Bank;D2/31/2026;T5;^;D1/31/2026;T6;^", "issue date must be a date written as %m/%d/%Y, got \"2/31/2026\"\n2026-01-31 6.00 Imported item"},
		"no number":        {"!Type:Bank;D1/31/2026;Tfive;^", `issue amount must be a number written as 1,234.56, got "five"`},
		"cents of cents":   {"!Type:Bank;D1/31/2026;T1.25;^;D1/31/2026;T1.234,50;^", "number_format must be given: the numbers of the file fit no format all together; \"1.25\" (line 2) fits only 1,234.56, \"1.234,50\" (line 5) fits only 1.234,56"},
		"a ^ is missing":   {"!Type:Bank;D1/31/2026;T5;PA;D1/30/2026;T6;PB;^", "issue date stands more than once in the record: is a line with ^ missing between two records? & amount stands more than once in the record: is a line with ^ missing between two records?"},
		"NUL":              {"!Type:Bank;D1/31/2026;T5;PA\x00B;^", "issue line P has bytes that are not text in us-ascii"},
		"no QIF":           {"date,amount;1,2", "line 1 must be a header such as !Type:Bank: this is no QIF file, or it is in another character set"},
		"empty":            {"", ""},
		"only a header":    {"!Type:Bank", ""},
		"long category":    {"!Type:Bank;D1/31/2026;T5;L" + strings.Repeat("x", 256) + ";^", "issue category must have at most 255 characters, has 256"},
		"long class":       {"!Type:Bank;D1/31/2026;T5;L/" + strings.Repeat("x", 256) + ";^", "issue category must have at most 255 characters, has 256"},
		"long memo":        {"!Type:Bank;D1/31/2026;T5;PA;M" + strings.Repeat("x", 10_001) + ";^", "issue memo must have at most 10000 characters, has 10001"},
		"long payee":       {"!Type:Bank;D1/31/2026;T5;P" + strings.Repeat("x", 256) + ";^", "2026-01-31 5.00 " + strings.Repeat("x", 255) + " |notes " + strings.Repeat("x", 256)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := qifLines(c.file)
			for _, end := range []string{"\n", "\r\n", "\r"} {
				if diff := cmp.Diff(c.want, qifSketches(t, strings.ReplaceAll(file, "\n", end), record.Settings{}, checking())); diff != "" {
					t.Errorf("%q: %s", end, diff)
				}
			}
		})
	}
}

func TestQIFEncodings(t *testing.T) {
	t.Parallel()
	const file = "!Type:Bank\nD1/31/2026\nT5\nPCaf%s\n^\n"
	for name, text := range map[string]string{
		"utf-8":        fmt.Sprintf(file, "é"),
		"windows-1252": fmt.Sprintf(file, "\xE9"),
		"utf-8 mark":   "\xEF\xBB\xBF" + fmt.Sprintf(file, "é"),
	} {
		if got, want := qifSketches(t, text, record.Settings{}, checking()), "2026-01-31 5.00 Café"; got != want {
			t.Errorf("%s: got %s", name, got)
		}
	}
}

// TestQIFDates: what a date is where the file proves the order by another one, 31 January.
func TestQIFDates(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"6/4/2020": "2020-06-04", "6/ 4'20": "2020-06-04", "6/ 4/20": "2020-06-04", "1/ 1'00": "2000-01-01", "06.04.2020": "2020-06-04",
		"06-04-2020": "2020-06-04", "2020-06-04": "2020-06-04", "2020/6/4": "2020-06-04", "20200604": "2020-06-04", "4 Jun 2020": "2020-06-04",
		"26 January 2026": "2026-01-26", "Jan 26, 2026": "2026-01-26", "2026 Jan 26": "2026-01-26", "4-Sept-98": "1998-09-04", "8/25/93": "1993-08-25",
		"2/29/2024": "2024-02-29", "6/4'2020": "2020-06-04", "6 4 2020": "2020-06-04",
		"2/29/2023": "", "13/13/2020": "", "6/4": "", "6/4/2020/1": "", "6/4/020": "", "6/4/20200": "", "six/4/2020": "", "Jan Feb 2020": "",
		"0/4/2020": "", "6/0/2020": "", "2020": "", "202006041": "", "6/4/-2020": "2020-06-04", "6 Jan": "", "1 2 3 Jan": "", "20é0604": "",
	} {
		got := qifSketches(t, qifLines("!Type:Bank;D01/31/2020;T1;^;D"+text+";T2;^"), record.Settings{}, checking())
		_, got, _ = strings.Cut(got, "\n")
		switch {
		case want == "" && got != `issue date must be a date written as %m/%d/%Y, got `+ledger.Quote(text):
			t.Errorf("%s: got %s", text, got)
		case want != "" && got != want+" 2.00 Imported item":
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

func TestQIFDateOrder(t *testing.T) {
	t.Parallel()
	const open = "date_format must be given: "
	for name, c := range map[string]struct{ dates, given, want string }{
		"day first":           {"1/2/2020;25/3/2020", "", "2020-02-01 2020-03-25 %d/%m/%Y"},
		"month first":         {"1/2/2020;3/25/2020", "", "2020-01-02 2020-03-25 %m/%d/%Y"},
		"either":              {"3/3/2020;1/2/2020;4/5/2020", "", open + `"1/2/2020" (line 5) and all other dates of the file fit %d/%m/%Y and %m/%d/%Y`},
		"both":                {"25/3/2020;3/25/2020", "", open + `the dates of the file fit no order all together; "25/3/2020" (line 2) fits only %d/%m/%Y, "3/25/2020" (line 5) fits only %m/%d/%Y`},
		"no difference":       {"3/3/2020;12/12/20", "", "2020-03-03 2020-12-12 %d/%m/%Y"},
		"year first":          {"2020-01-02", "", "2020-01-02 %d/%m/%Y"},
		"short year first":    {"99-01-02;98-03-04", "", "1999-01-02 1998-03-04 %y/%m/%d"},
		"year first, closer":  {"26/01/30;26/02/01", "", open + "all dates of the file fit %d/%m/%Y, and %y/%m/%d, which puts them closer together"},
		"day first, sorted":   {"15/01/24;15/06/24;15/01/25;15/01/26", "", "2024-01-15 2024-06-15 2025-01-15 2026-01-15 %d/%m/%Y"},
		"word":                {"2 Jan 2020", "", "2020-01-02 %d/%m/%Y"},
		"given day":           {"1/2/2020", "%d.%m.%Y", "2020-02-01 %d.%m.%Y"},
		"given month":         {"1/2/2020", "%m/%d/%Y", "2020-01-02 %m/%d/%Y"},
		"given year":          {"05-06-07", "%y-%m-%d", "2005-06-07 %y-%m-%d"},
		"given as a word":     {"2 Jan 20", "%d %b %Y", "2020-01-02 %d %b %Y"},
		"given without parts": {"02012020", "%d%m%Y", "2020-01-02 %d%m%Y"},
	} {
		var file strings.Builder
		file.WriteString("!Type:Bank\n")
		for date := range strings.SplitSeq(c.dates, ";") {
			file.WriteString("D" + date + "\nT1\n^\n")
		}
		var s record.Settings
		record.Otherwise(&s.DateFormat, c.given)
		rows, err := Format{}.Open(source.Text(file.String()), s, checking())
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			_ = record.Each(rows, func(row record.Record) error {
				got += row.Date.String() + " "
				return nil
			})
			got += *record.SettledBy(rows, record.Settings{}).DateFormat
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
