package importer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"finsvc/importer/pdf"
	recordpkg "finsvc/importer/record"
	"finsvc/ledger"
	moneypkg "finsvc/ledger/money"
)

// printer prints statements in one manner.
type printer struct {
	words    map[string]string // header words and the names of balances
	decimal  string
	dates    string // of time.Format
	columns  bool   // debits and credits apart
	balances bool   // beside the rows
	marks    bool   // S and H instead of signs
	details  int    // lines below each row
	perPage  int
}

// statedRow is what a statement says of a row.
type statedRow struct {
	date  ledger.Date
	minor int64
	name  string
}

func languages() []map[string]string {
	return []map[string]string{
		{"date": "Datum", "text": "Buchungstext", "amount": "Betrag", "out": "Soll", "in": "Haben", "balance": "Saldo",
			"opening": "Alter Saldo", "closing": "Neuer Saldo"},
		{"date": "Date", "text": "Description", "amount": "Amount", "out": "Paid out", "in": "Paid in",
			"balance": "Balance", "opening": "Opening balance", "closing": "Closing balance"},
		{"date": "Fecha", "text": "Concepto", "amount": "Importe", "out": "Cargo", "in": "Abono", "balance": "Saldo",
			"opening": "Saldo inicial", "closing": "Saldo final"},
		{"date": "Date", "text": "Libellé", "amount": "Montant", "out": "Débit", "in": "Crédit", "balance": "Solde",
			"opening": "Solde précédent", "closing": "Nouveau solde"},
	}
}

func drawPrinter(t *rapid.T) printer {
	return printer{
		words:   rapid.SampledFrom(languages()).Draw(t, "language"),
		decimal: rapid.SampledFrom([]string{",", "."}).Draw(t, "decimal"),
		dates: rapid.SampledFrom([]string{"02.01.2006", "02.01.", "2006-01-02", "02 Jan 2006", "02/01/2006",
			"02.01.06"}).Draw(t, "dates"),
		columns: rapid.Bool().Draw(t, "columns"), balances: rapid.Bool().Draw(t, "balances"),
		marks:   rapid.Bool().Draw(t, "marks"),
		details: rapid.IntRange(0, 2).Draw(t, "details"), perPage: rapid.IntRange(3, 12).Draw(t, "perPage"),
	}
}

func drawBookings(t *rapid.T) []statedRow {
	day := ledger.NewDate(2025, 12, 10)
	var list []statedRow
	for range rapid.IntRange(1, 20).Draw(t, "rows") {
		day = day.AddDays(rapid.IntRange(0, 3).Draw(t, "later"))
		minor := rapid.Int64Range(1, 2_000_000).Draw(t, "minor")
		if rapid.Bool().Draw(t, "out") {
			minor = -minor
		}
		name := rapid.SampledFrom([]string{"Bäckerei", "Rent", "Lohn 4711", "Transfer 12 of 30", "CARTE 1234",
			"Saldo wird gut"}).Draw(t, "name")
		list = append(list, statedRow{date: day, minor: minor, name: name})
	}
	return list
}

// amount is a number as the printer prints it.
func (p printer) amount(minor int64) string {
	whole := fmt.Sprint(minor / 100)
	group := map[string]string{",": ".", ".": ","}[p.decimal]
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + group + whole[at:]
	}
	return whole + p.decimal + fmt.Sprintf("%02d", minor%100)
}

func (p printer) signed(minor int64) string {
	text := p.amount(max(minor, -minor))
	switch {
	case p.marks && minor < 0:
		return text + " S"
	case p.marks:
		return text + " H"
	case minor < 0:
		return "-" + text
	}
	return text
}

// line puts cells where the columns are; numbers end there.
func line(date, text string, numbers ...string) string {
	out := fmt.Sprintf("%-14s%-28s", date, text)
	for _, number := range numbers {
		out += fmt.Sprintf("%18s", number)
	}
	return strings.TrimRight(out, " ")
}

// pages are the statement as text.
func (p printer) pages(opening int64, list []statedRow) []string {
	header := []string{p.words["amount"]}
	if p.columns {
		header = []string{p.words["out"], p.words["in"]}
	}
	if p.balances {
		header = append(header, p.words["balance"])
	}
	last := len(header) - 1
	top := "Kontoauszug 10.12.2025 - 31.01.2026\n" + line(p.words["date"], p.words["text"], header...) + "\n"
	balance := func(word string, minor int64) string {
		cells := make([]string, last+1)
		cells[last] = p.signed(minor)
		return line("", p.words[word], cells...) + "\n"
	}
	var pages []string
	page, sum := top+balance("opening", opening), opening
	for i, b := range list {
		if i > 0 && i%p.perPage == 0 {
			pages, page = append(pages, page+fmt.Sprintf("\n\n\nPage %d of 3", len(pages)+1)), top
		}
		sum += b.minor
		page += p.row(b, sum, len(header)) + "\n"
		for n := range p.details {
			page += line("", fmt.Sprintf("detail %d", n)) + "\n"
		}
	}
	return append(pages, page+balance("closing", sum))
}

func (p printer) row(b statedRow, sum int64, width int) string {
	cells := make([]string, width)
	switch {
	case p.columns && b.minor < 0:
		cells[0] = p.amount(-b.minor)
	case p.columns:
		cells[1] = p.amount(b.minor)
	default:
		cells[0] = p.signed(b.minor)
	}
	if p.balances {
		cells[width-1] = p.signed(sum)
	}
	return line(b.date.Time().Format(p.dates), b.name, cells...)
}

// TestStatementsAreReadOrRefused: whatever manner a statement is printed in, what is read without a doubt is what was
// printed; and such statements are read.
func TestStatementsAreReadOrRefused(t *testing.T) {
	t.Parallel()
	all, refused := 0, []string{}
	rapid.Check(t, func(t *rapid.T) {
		p, list := drawPrinter(t), drawBookings(t)
		opening := rapid.Int64Range(-500_000, 5_000_000).Draw(t, "opening")
		words := wordsOf(p.pages(opening, list)...)
		if rapid.Bool().Draw(t, "shuffled") {
			slices.Reverse(words)
		}
		got := pdf.Read(words, recordpkg.Settings{}, pdf.StatementAccount{Currency: moneypkg.Currency{Code: "EUR",
			Exponent: 2}})
		all++
		if got.Doubt != "" {
			refused = append(refused, fmt.Sprintf("%s: %+v\n%s", got.Doubt, p,
				strings.Join(p.pages(opening, list), "\f")))
			return
		}
		var want, read []string
		for _, b := range list {
			want = append(want, fmt.Sprintf("%s %d %s", b.date, b.minor, b.name))
		}
		for _, row := range got.Rows {
			read = append(read, fmt.Sprintf("%s %d %s", row.Date, row.Minor, row.Name))
		}
		if diff := cmp.Diff(want, read); diff != "" {
			t.Fatalf("%s\n%s", diff, strings.Join(p.pages(opening, list), "\f"))
		}
	})
	if len(refused)*5 > all {
		t.Errorf("%d of %d statements were refused, such as %s", len(refused), all, refused[0])
	}
}

// FuzzReadStatement: no page makes it panic, and what it reads without a doubt it reads again with what it found.
func FuzzReadStatement(f *testing.F) {
	for _, l := range append(layouts(), doubtfulLayouts()...) {
		f.Add(strings.Join(l.pages, "\f"), l.currency, l.liability)
	}
	f.Fuzz(func(t *testing.T, art, code string, liability bool) {
		c, ok := moneypkg.LookupCurrency(code)
		words := wordsOf(strings.Split(art, "\f")...)
		if !ok || len(words) > 2000 {
			return
		}
		account := pdf.StatementAccount{Currency: c, Liability: liability}
		got := pdf.Read(words, recordpkg.Settings{}, account)
		if got.Doubt != "" {
			return
		}
		for _, row := range got.Rows {
			if row.Date.Check() != nil || len(row.Raw) != 3 {
				t.Errorf("row %+v", row)
			}
		}
		again := pdf.Read(words, got.Found, account)
		if diff := cmp.Diff(rowLines(got), rowLines(again)); diff != "" || again.Doubt != "" {
			t.Errorf("read again: %s\n%s", again.Doubt, diff)
		}
	})
}
