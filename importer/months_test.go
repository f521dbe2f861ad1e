package importer

import (
	"strconv"
	"testing"
	"time"

	"finsvc/importer/lexicon"
	"finsvc/ledger"
)

// Every month that the lexicon has is read in CSV, QIF and PDF alike.
func TestMonthsAreReadInEveryFormat(t *testing.T) {
	t.Parallel()
	pattern, err := newDatePattern("%d %b %Y")
	if err != nil {
		t.Fatal(err)
	}
	dates := newPDFDates(newPDFLexicon(), true)
	for _, entry := range lexicon.Entries(lexicon.Months) {
		number, _ := strconv.Atoi(entry.Key)
		want := ledger.NewDate(2026, time.Month(number), 17)
		for _, name := range entry.Words {
			text := "17 " + name + " 2026"
			if got, err := pattern.parse(text); err != nil || got != want {
				t.Errorf("CSV: %s is %v, %v", text, got, err)
			}
			if patterns := patternsOf(text); len(patterns) != 1 || patterns[0] != "%d %b %Y" {
				t.Errorf("CSV: %s may be written as %q", text, patterns)
			}
			cut, ok := cutDate(text)
			if got, exists := cut.in(monthFirst); !ok || !exists || got != want {
				t.Errorf("QIF: %s is %v", text, got)
			}
			read, ok := dates.read(text, false)
			if got, exists := read.date(); !ok || !exists || got != want {
				t.Errorf("PDF: %s is %v", text, got)
			}
		}
	}
}
