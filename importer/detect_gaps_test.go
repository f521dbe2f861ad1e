package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"finsvc/ledger"
)

// A blank cell does not spoil the dates below that are equal to the one above it.
func TestDetectBlankDates(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]detectCase{
		"in another column of dates": {"Date;Value date;Text;Amount\n13.01.2026;13.01.2026;A;-5,00\n14.01.2026;;B;-6,00\n14.01.2026;13.01.2026;C;-7,00\n13.01.2026;13.01.2026;D;8,00\n", "",
			"26-01-13 -5.00 A; 26-01-14 -6.00 B; 26-01-14 -7.00 C; 26-01-13 8.00 D"},
		"rows below count": {"Date;Text;D/C;Amount\n13.01.2026;A;D;5,00\n;B;D;6,00\n13.01.2026;C;C;7,00\n13.01.2026;D;C;8,00\n", "",
			"26-01-13 -5.00 A; bad; 26-01-13 7.00 C; 26-01-13 8.00 D"},
		"a second blank": {"Booked;Valued;Text;Amount\n13.01.2026;13.01.2026;A;-5,00\n;;B;-6,00\n13.01.2026;12.01.2026;C;-7,00\n13.01.2026;12.01.2026;D;8,00\n", "",
			"26-01-13 -5.00 A; bad; 26-01-13 -7.00 C; 26-01-13 8.00 D"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := readDetected(t, c.file, "EUR"); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

// gapFile has eight rows with two columns of dates, of which one (0 or 1) is blank in the third row and in the sixth.
// The rows are so many days apart.
func gapFile(header string, gap, apart int) string {
	var file strings.Builder
	if header != "" {
		file.WriteString(header + ";Text;Amount\n")
	}
	for i := range 8 {
		first := ledger.NewDate(2026, 1, 1).AddDays(i * apart)
		days := [2]string{first.String(), first.AddDays(1).String()}
		if i == 2 || i == 5 {
			days[gap] = ""
		}
		fmt.Fprintf(&file, "%s;%s;Shop %d;-%d,00\n", days[0], days[1], i+1, i+1)
	}
	return file.String()
}

// TestDetectDateWithGaps: of a column of dates with gaps and a complete one the complete one is the date, unless a
// blank day says that a payment is not booked yet; where nobody can tell it is asked. The dates of the second column
// are a day later.
func TestDetectDateWithGaps(t *testing.T) {
	t.Parallel()
	const (
		first   = "01-01 01-02 01-03 01-04 01-05 01-06 01-07 01-08"
		second  = "01-02 01-03 01-04 01-05 01-06 01-07 01-08 01-09"
		without = "01-01 01-02 01-04 01-05 01-07 01-08" // the rows with gaps are pending
		later   = "01-02 01-03 01-05 01-06 01-08 01-09"
	)
	for _, c := range []struct{ header, gap0, gap1 string }{
		// Days of purchase and of value with gaps say nothing; days of booking with gaps do.
		{"Transaction Date;Posting Date", second, without},
		{"Transaction Date;Value Date", second, first},
		{"Booking Date;Value Date", without, first},
		{"Value Date;Booking Date", second, later},
		{"Date;Transaction Date", without, first},
		{"Umsatzdatum;Buchungsdatum", second, without},
		{"Buchungstag;Wertstellung", without, first},
		{"Wertstellung;Buchungstag", second, later},
		{"Date de l'opération;Date de comptabilisation", second, without},
		{"Fecha operación;Fecha valor", second, first},
		{"Fecha de compra;Fecha", second, later},
		{"Data operazione;Data contabile", second, without},
		{"Transactiedatum;Boekdatum", second, without},
		{"Data operacji;Data księgowania", second, without},
		{"Дата операции;Дата проводки", second, without},
		// Nobody knows what these are.
		{"D1;D2", "asked", "asked"},
		{"", "asked", first},
	} {
		for gap, want := range []string{c.gap0, c.gap1} {
			got := readDetected(t, gapFile(c.header, gap, 1), "EUR")
			var days []string
			for part := range strings.SplitSeq(got, "; ") {
				days = append(days, strings.TrimPrefix(strings.Fields(part)[0], "26-"))
			}
			if text := strings.Join(days, " "); text != want {
				t.Errorf("%q with gaps in %d: got %s\nwant %s", c.header, gap, got, want)
			}
		}
	}
	for gap, want := range []string{"26-01-02 -1.00 Shop 1; 26-02-01 -2.00 Shop 2; 26-03-03 ",
		"26-01-01 -1.00 Shop 1; 26-01-31 -2.00 Shop 2; 26-03-02 "} {
		if got := readDetected(t, gapFile("D1;D2", gap, 30), "EUR"); !strings.HasPrefix(got, want) {
			t.Errorf("gaps in %d months before the newest row: got %s", gap, got)
		}
	}
	const balances = "Transaction Date;Posting Date;Text;Amount;Balance\n13.01.2026;13.01.2026;A;-5,00;95,00\n14.01.2026;;B;-6,00;89,00\n15.01.2026;15.01.2026;C;-7,00;82,00\n16.01.2026;17.01.2026;D;8,00;90,00\n"
	if got := readDetected(t, balances, "EUR"); got != "26-01-13 -5.00 A; 26-01-14 -6.00 B; 26-01-15 -7.00 C; 26-01-16 8.00 D" {
		t.Errorf("balances that include the row without a day of booking: got %s", got)
	}
}
