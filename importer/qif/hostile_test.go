package qif

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"finsvc/importer/record"
	"finsvc/importer/source"
	"finsvc/importer/text"
	"finsvc/ledger"
	"finsvc/ledger/money"
)

// repeated is a long text that is nowhere in memory: a head, and a body many times. It can be read again.
type repeated struct {
	head, body string
	times      int
	rest       string
}

func (r repeated) reader() *repeated { return &repeated{r.head, r.body, r.times, r.head} }

func (r *repeated) Read(p []byte) (int, error) {
	if r.rest == "" && r.times == 0 {
		return 0, io.EOF
	}
	if r.rest == "" {
		r.rest = r.body
		r.times--
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (r repeated) file() *source.File {
	return source.New(0, func() (io.Reader, error) { return r.reader(), nil })
}

func TestQIFHostile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file repeated
		want string
	}{
		"a long line":      {repeated{head: "!Type:Bank\nD1/31/2026\nP", body: strings.Repeat("x", 1<<16), times: 32}, "line 3 is longer than 1 MiB; is col_sep or the file right?"},
		"a long record":    {repeated{head: "!Type:Bank\n", body: "D1/31/2026\nT1\nPx\n", times: 100_000}, "line 2 begins a record that is longer than 1 MiB; is a line with ^ missing?"},
		"a long memorized": {repeated{head: "!Type:Memorized\n", body: "KP\nT1\nPx\n", times: 200_000}, ""},
		"only headers":     {repeated{body: "!Type:Bank\n", times: 100_000}, ""},
		"only ends":        {repeated{head: "!Type:Bank\n", body: "^\n", times: 500_000}, ""},
		"only blanks":      {repeated{head: "!Type:Bank\n", body: " \n", times: 500_000}, ""},
		"zeros":            {repeated{body: "\x00\x00\x00\n", times: 1000}, "line 1 must be a header such as !Type:Bank: this is no QIF file, or it is in another character set"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			rows, err := openQIF(c.file.file(), record.Settings{}, checking())
			if err == nil {
				err = record.Each(rows, func(record.Record) error { return nil })
			}
			if got := fmt.Sprint(cmp.Or(err, errors.New(""))); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

// TestQIFMemory: a file of many records is read in constant memory.
//
// Decision, Imports: no limit of rows, constant memory.
func TestQIFMemory(t *testing.T) {
	const records = 100_000
	file := repeated{head: "!Type:Bank\n", body: "D1/31/2026\nT-1,234.56\nPCorner Bakery\nMTwo loaves\nLFood:Bread\nCX\n^\n", times: records}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	rows, err := openQIF(file.file(), record.Settings{}, checking())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	if err := record.Each(rows, func(record.Record) error { n++; return nil }); err != nil || n != records {
		t.Errorf("got %d rows, %v", n, err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 8<<20 {
		t.Errorf("%d bytes are still held", grown)
	}
	runtime.KeepAlive(rows)
}

func FuzzQIF(f *testing.F) {
	for _, seed := range []string{
		"!Type:Bank\nD1/31/2026\nT-5\nPA\nLFood/Trip\nSFood\n$-2\nS[B]\n$-3\n^\n", "!Account\nNA\nTInvst\n^\n!Type:Invst\nD1/31'26\nNBuyX\nYZ\nI1.5\nQ2\nT3\nL[B]\n$3\n^\n",
		"!Option:AutoSwitch\n!Account\nNA\nTBank\n^\n!Clear:AutoSwitch\n", "!Type:Bank\nD2026-01-01\nT1.234,50\nPOpening Balance\nL[A]\n", "\xFF\xFE!\x00T\x00",
		"!Type:Security\nNA\nSB\n^\n!Type:Invst\nD1/31/2026\nNReinvDiv\nYA\nQ0.1\nT1\n^\n",
	} {
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, content []byte, own bool) {
		d := books("")
		if own {
			d = checking()
		}
		rows, err := readQIF(string(content), record.Settings{}, d)
		var question *record.OpenQuestion
		var broken *text.FileError
		if err != nil && !errors.As(err, &question) && !errors.As(err, &broken) {
			t.Fatalf("%v", err)
		}
		checkQIFRows(t, rows, bytes.Count(content, []byte{'^'})+bytes.Count(content, []byte{'!'})+1)
	})
}

// checkQIFRows wants what holds for the rows of every file; a record becomes two rows at most.
func checkQIFRows(t *testing.T, rows []record.Record, records int) {
	t.Helper()
	if len(rows) > 2*records {
		t.Errorf("%d rows of %d records", len(rows), records)
	}
	for i, row := range rows {
		sum := int64(0)
		for _, line := range row.Lines {
			sum += line.Minor
		}
		switch {
		case row.Number != i+1 || row.Line < 1:
			t.Errorf("row %d: number %d, line %d", i+1, row.Number, row.Line)
		case !row.Planned():
		case row.Name == "" || row.Date.Check() != nil || text.Longer(row.Name, ledger.MaxName) || text.Longer(row.Notes, ledger.MaxNotes):
			t.Errorf("row %d is planned without a name or date: %+v", i+1, row)
		case len(row.Lines) > 0 && (sum != row.Minor || len(row.Lines) < 2):
			t.Errorf("row %d: lines come to %d, not %d", i+1, sum, row.Minor)
		case (row.Entity() == "trade") != (row.Trade() != nil):
			t.Errorf("row %d: %s with %v", i+1, row.Entity(), row.Trade())
		case row.Opposite != 0 && (rows[row.Opposite-1].Opposite != row.Number || rows[row.Opposite-1].Minor != -row.Minor || rows[row.Opposite-1].Date != row.Date):
			t.Errorf("row %d: its opposite is %+v", i+1, rows[row.Opposite-1])
		}
	}
}

// TestQIFRoundTrip: what is written as QIF, in whatever manner, is read as it was, or a question is asked.
func TestQIFRoundTrip(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		style := drawQIFStyle(r)
		var file strings.Builder
		file.WriteString("!Type:Bank" + style.end)
		var want []string
		for range rapid.IntRange(1, 20).Draw(r, "records") {
			row := drawQIFRow(r)
			style.write(&file, row)
			want = append(want, qifSketch(row))
		}
		rows, err := readQIF(file.String(), record.Settings{}, checking())
		var question *record.OpenQuestion
		if errors.As(err, &question) {
			return
		}
		var got []string
		for _, row := range rows {
			got = append(got, qifSketch(row))
		}
		if diff := gocmp.Diff(want, got); diff != "" || err != nil {
			r.Fatalf("%s: %v %s", file.String(), err, diff)
		}
	})
}

// qifStyle is the manner in which a program writes.
type qifStyle struct {
	end, date      string
	point, grouped bool
}

func drawQIFStyle(r *rapid.T) qifStyle {
	return qifStyle{rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(r, "end"),
		rapid.SampledFrom([]string{"01/02/2006", "1/2/2006", " 1/ 2'06", "02.01.2006", "2006-01-02", "2 Jan 2006", "02-01-06"}).Draw(r, "date"),
		rapid.Bool().Draw(r, "point"), rapid.Bool().Draw(r, "grouped")}
}

func drawQIFRow(r *rapid.T) record.Record {
	word := rapid.StringMatching(`[A-Za-zé][A-Za-zé .&-]{0,10}[a-z]`)
	usd, _ := money.LookupCurrency("USD")
	row := record.Record{Date: ledger.NewDate(2001, 1, 1).AddDays(rapid.IntRange(0, 9000).Draw(r, "day")), Minor: rapid.Int64Range(-500_000_000, 500_000_000).Draw(r, "amount"),
		Currency: usd, Name: text.OneLine(word.Draw(r, "payee"))}
	if ledger.Fold(row.Name) == "opening balance" {
		row.Name = "A"
	}
	row.Notes = rapid.SampledFrom([]string{"", "a memo"}).Draw(r, "memo")
	if rapid.Bool().Draw(r, "split") {
		first := rapid.Int64Range(-500_000_000, 500_000_000).Draw(r, "first")
		row.Lines = []record.SplitLine{{Minor: first, Category: "Food", Notes: "bread"}, {Minor: row.Minor - first, Category: "Fuel"}}
		return row
	}
	row.Category = rapid.SampledFrom([]string{"", "Food", "Food:Bread"}).Draw(r, "category")
	row.Tags = rapid.SampledFrom([][]string{nil, {"Trip"}, {"Trip", "Sea"}}).Draw(r, "tags")
	return row
}

func (s qifStyle) write(file *strings.Builder, row record.Record) {
	line := func(text string) { file.WriteString(text + s.end) }
	line("D" + row.Date.Time().Format(s.date))
	line("T" + s.number(row.Currency.Plain(row.Minor)))
	line("P" + row.Name)
	if row.Notes != "" {
		line("M" + row.Notes)
	}
	if row.Category != "" || row.Tags != nil {
		line(strings.TrimSuffix("L"+row.Category+"/"+strings.Join(row.Tags, ":"), "/"))
	}
	for _, part := range row.Lines {
		line("S" + part.Category)
		line("E" + part.Notes)
		line("$" + s.number(row.Currency.Plain(part.Minor)))
	}
	line("^")
}

// number writes a plain number in the style.
func (s qifStyle) number(plain string) string {
	whole, fraction, _ := strings.Cut(plain, ".")
	digits, negative := strings.CutPrefix(whole, "-")
	for at := len(digits) - 3; s.grouped && at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	if negative {
		digits = "-" + digits
	}
	text := digits + "." + fraction
	if s.point {
		return text
	}
	return strings.NewReplacer(",", ".", ".", ",").Replace(text)
}
