package qif

import (
	"strconv"
	"testing"
	"time"

	"finsvc/importer/lexicon"
	"finsvc/ledger"
)

// Every month that the lexicon has is read.
func TestEveryMonthOfQIF(t *testing.T) {
	t.Parallel()
	for _, entry := range lexicon.Entries(lexicon.Months) {
		number, _ := strconv.Atoi(entry.Key)
		want := ledger.NewDate(2026, time.Month(number), 17)
		for _, name := range entry.Words {
			written := "17 " + name + " 2026"
			cut, ok := cutDate(written)
			got, exists := cut.in(monthFirst)
			if !ok || !exists || got != want {
				t.Errorf("%s is %v", written, got)
			}
		}
	}
}
