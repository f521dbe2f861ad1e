package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"finsvc/importer"
	"finsvc/ledger"
)

// TestForecastOfWhatIsBooked: a preflight counts the rows that are new and no others, whether none of them is booked
// already, some are, all are, or one may be.
func TestForecastOfWhatIsBooked(t *testing.T) {
	t.Parallel()
	const broken = "2026-02-30,-1.00,No day\n"
	filter := "name!=Nothing"
	for name, c := range map[string]struct{ before, file, want string }{
		"none":  {"", january, "[-1900] 1 1 0 0 2026-01-30 2026-01-31 -1900"},
		"some":  {january, overlapping, "[-1000] 1 1 3 0 2026-01-31 2026-02-01 -2900"},
		"all":   {january, january, "[] 1 1 4 0 0 0 -1900"},
		"doubt": {"day,sum,what\n2026-01-30,-3.00,Espresso\n", january, "[-1600] 1 1 0 1 2026-01-31 2026-01-31 -1900"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			if c.before != "" {
				k.bookFile(c.before)
			}
			in := importer.Request{AccountID: ledger.Some(k.account), SkipInvalidRows: true}
			in.Settings.RowFilter = &filter
			out := k.preflight(c.file+broken+"2026-01-31,-1.00,Nothing\n", in)
			var sums []int64
			for _, sum := range out.Sums {
				sums = append(sums, sum.In+sum.Out)
			}
			day := func(d ledger.Date) string { return strings.Replace(d.String(), "1970-01-01", "0", 1) }
			got := fmt.Sprint(sums, len(out.Issues), out.Skipped, out.Matched, out.Possible, " ", day(out.First), " ",
				day(out.Last))
			for _, b := range out.Balances {
				got += fmt.Sprint(" ", b.After.BalanceMinor)
			}
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}
