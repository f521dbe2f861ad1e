package importer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"finsvc/ledger"
)

// money is how an export writes its numbers.
type money struct{ decimal, group string }

func (m money) write(cents int64) string {
	sign := ""
	if cents < 0 {
		sign, cents = "-", -cents
	}
	whole := fmt.Sprint(cents / 100)
	for at := len(whole) - 3; at > 0 && m.group != ""; at -= 3 {
		whole = whole[:at] + m.group + whole[at:]
	}
	return fmt.Sprintf("%s%s%s%02d", sign, whole, m.decimal, cents%100)
}

// dialect is a way to write a month of bookings.
type dialect struct {
	separator, date string
	numbers         money
	words           headers
	style           string // of the signs
	balance, newest bool
	preamble, tail  int
}

type headers struct{ date, name, amount, debit, credit, balance, mark, in, out string }

func drawDialect(t *rapid.T) dialect {
	d := dialect{
		separator: rapid.SampledFrom([]string{",", ";", "\t", "|"}).Draw(t, "separator"),
		date: rapid.SampledFrom([]string{"2006-01-02", "02.01.2006", "02/01/2006", "01/02/2006", "02-01-2006",
			"20060102", "02.01.06", "2 Jan 2006", "2006/01/02", "01/02/06", "2006-01-02 15:04:05"}).Draw(t, "date"),
		numbers: rapid.SampledFrom([]money{{".", ""}, {".", ","}, {",", ""}, {",", "."}, {",", " "},
			{".", "'"}}).Draw(t, "numbers"),
		words: rapid.SampledFrom([]headers{
			{"Date", "Description", "Amount", "Debit", "Credit", "Balance", "Type", "credit", "debit"},
			{"Buchungstag", "Verwendungszweck", "Betrag", "Soll", "Haben", "Saldo", "Soll/Haben", "H", "S"},
			{"Date opération", "Libellé", "Montant", "Débit", "Crédit", "Solde", "Sens", "Crédit", "Débit"},
			{"Datum", "Omschrijving", "Bedrag", "Af", "Bij", "Saldo", "Af Bij", "Bij", "Af"},
			{"Data operacji", "Opis operacji", "Kwota", "Obciążenia", "Uznania", "Saldo po operacji",
				"Uznanie/Obciążenie", "Uznanie", "Obciążenie"},
			{"交易日期", "摘要", "交易金额", "支出", "收入", "余额", "收/支", "收入", "支出"},
		}).Draw(t, "words"),
		style: rapid.SampledFrom([]string{"signed", "pair", "words", "unsigned", "reversed", "nameless"}).Draw(t,
			"style"),
		balance:  rapid.Bool().Draw(t, "balance"),
		newest:   rapid.Bool().Draw(t, "newest"),
		preamble: rapid.IntRange(0, 4).Draw(t, "preamble"),
		tail:     rapid.IntRange(0, 2).Draw(t, "tail"),
	}
	if strings.HasPrefix(d.date, "01/02") { // nobody writes the month first but in English
		d.words = headers{"Date", "Description", "Amount", "Debit", "Credit", "Balance", "Type", "credit", "debit"}
	}
	d.balance = d.balance || d.style == "reversed" // nothing else tells a reversed file from a usual one
	return d
}

type booking struct {
	date           ledger.Date
	cents, balance int64
	name           string
}

func drawMonth(t *rapid.T) []booking {
	day, balance := ledger.NewDate(2026, 1, 1)+ledger.Date(rapid.IntRange(0, 300).Draw(t, "start")), int64(500_000)
	list := make([]booking, rapid.IntRange(4, 25).Draw(t, "rows"))
	for i := range list {
		day += ledger.Date(rapid.IntRange(0, 3).Draw(t, "days"))
		cents := -int64(rapid.IntRange(1, 300_000).Draw(t, "cents"))
		if rapid.IntRange(0, 3).Draw(t, "in") == 0 {
			cents = -cents
		}
		balance += cents
		list[i] = booking{day, cents, balance, rapid.SampledFrom([]string{"Harbour Lettings", "Corner, Bakery",
			"Kiosk; 44", "Waterworks 12/2", "Ärzte"}).Draw(t, "name")}
	}
	return list
}

// row writes a booking in the order date, name, amounts, balance.
func (d dialect) row(b booking) []string {
	cells, size := []string{b.date.Time().Format(d.date), b.name}, max(b.cents, -b.cents)
	switch d.style {
	case "signed", "nameless":
		cells = append(cells, d.numbers.write(b.cents))
	case "reversed":
		cells = append(cells, d.numbers.write(-b.cents))
	case "unsigned":
		cells = append(cells, d.numbers.write(size))
	case "pair":
		if b.cents < 0 {
			cells = append(cells, d.numbers.write(size), "")
		} else {
			cells = append(cells, "", d.numbers.write(size))
		}
	case "words":
		mark := d.words.out
		if b.cents > 0 {
			mark = d.words.in
		}
		cells = append(cells, d.numbers.write(size), mark)
	}
	if d.balance {
		cells = append(cells, d.numbers.write(b.balance))
	}
	return cells
}

func (d dialect) header() []string {
	cells := []string{d.words.date, d.words.name}
	switch d.style {
	case "pair":
		cells = append(cells, d.words.debit, d.words.credit)
	case "words":
		cells = append(cells, d.words.amount, d.words.mark)
	default:
		cells = append(cells, d.words.amount)
	}
	if d.balance {
		cells = append(cells, d.words.balance)
	}
	return cells
}

func (d dialect) line(cells []string) string {
	quoted := slices.Clone(cells)
	for i, cell := range quoted {
		if strings.ContainsAny(cell, d.separator+"\"") {
			quoted[i] = `"` + strings.ReplaceAll(cell, `"`, `""`) + `"`
		}
	}
	return strings.Join(quoted, d.separator) + "\n"
}

func (d dialect) file(list []booking) string {
	var b strings.Builder
	for i := range d.preamble {
		b.WriteString([]string{"Statement of account\n", "Account" + d.separator + "DE12 3456\n", "\n",
			"Period" + d.separator + "01.01.2026 - 31.12.2026\n"}[i])
	}
	if d.style != "nameless" {
		b.WriteString(d.line(d.header()))
	}
	for _, booked := range list {
		b.WriteString(d.line(d.row(booked)))
	}
	for i := range d.tail {
		b.WriteString([]string{"\n", "Total" + d.separator + d.separator + "12\n"}[i])
	}
	return b.String()
}

// Whatever a file is written like, it is read as it was meant, or a question is asked. It is never read otherwise.
func TestDetectedRowsAreThoseThatWereWritten(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		d, list := drawDialect(r), drawMonth(r)
		if d.newest {
			slices.Reverse(list)
		}
		var want []string
		for _, b := range list {
			want = append(want, fmt.Sprintf("%s %d.%02d %s", b.date.String()[2:], b.cents/100,
				max(b.cents, -b.cents)%100, b.name))
			if b.cents < 0 && b.cents > -100 {
				want[len(want)-1] = fmt.Sprintf("%s -0.%02d %s", b.date.String()[2:], -b.cents, b.name)
			}
		}
		file := d.file(list)
		if got := readDetected(t, file, "EUR"); got != strings.Join(want, "; ") && !strings.HasPrefix(got, "asked ") {
			r.Fatalf("file:\n%s\ngot  %s\nwant %s", file, got, strings.Join(want, "; "))
		}
	})
}

// FuzzDetect: whatever the bytes, detection ends without a panic, and what it answers without a question is a setting
// that the reader obeys.
func FuzzDetect(f *testing.F) {
	for _, c := range detectCases() {
		f.Add(c.file)
	}
	f.Fuzz(func(t *testing.T, content string) {
		if got := readDetected(t, content, "EUR"); strings.HasPrefix(got, "refused ") &&
			strings.Contains(got, "must be") {
			t.Errorf("%q: %s", content, got)
		}
	})
}
