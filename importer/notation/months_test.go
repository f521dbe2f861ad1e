package notation

import (
	"strconv"
	"testing"
	"time"

	"finsvc/importer/lexicon"
	"finsvc/ledger"
)

// Every month that the lexicon has is read.
func TestEveryMonthOfPatterns(t *testing.T) {
	t.Parallel()
	pattern, err := NewDatePattern("%d %b %Y")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range lexicon.Entries(lexicon.Months) {
		number, _ := strconv.Atoi(entry.Key)
		want := ledger.NewDate(2026, time.Month(number), 17)
		for _, name := range entry.Words {
			written := "17 " + name + " 2026"
			got, err := pattern.Parse(written)
			if err != nil || got != want {
				t.Errorf("%s is %v, %v", written, got, err)
			}
			patterns := PatternsOf(written)
			if len(patterns) != 1 || patterns[0] != "%d %b %Y" {
				t.Errorf("%s may be written as %q", written, patterns)
			}
		}
	}
}
