package cmd_test

import (
	"fmt"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

// manyLargest are rows of an import file: count times the largest amount on each of some days.
func manyLargest(count int, currency string, days ...string) string {
	var file strings.Builder
	file.WriteString("date,amount,currency,name\n")
	for _, day := range days {
		for i := range count {
			fmt.Fprintf(&file, "%s,90000000000000.00,%s,%s %d\n", day, currency, day, i)
		}
	}
	return file.String()
}

// TestLargeSumsAreCountedASecondTime: the books of a household whose sums 64 bits do not hold are sound, in what the program
// counts a second time for doctor and in every exported text: two accounts that are too much together, one that a later
// rate has made too large, one of which it has made a single day too large, and one that leaves out more pounds than one
// number holds.
func TestLargeSumsAreCountedASecondTime(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org", "--currency", "EUR", "--no-categories")
	s.OK("rates", "import", s.Write("one.csv", "date,from,to,rate\n2026-01-01,USD,EUR,1\n"))
	for _, name := range []string{"First", "Second", "Rated", "One day", "Left out"} {
		s.OK("account", "create", name, "--type", "depository", "--currency", "EUR")
	}
	for name, file := range map[string]string{
		"First":    manyLargest(1000, "EUR", "2026-01-05"),
		"Second":   manyLargest(1000, "EUR", "2026-01-05"),
		"Rated":    manyLargest(400, "USD", "2026-01-05", "2026-01-06"),
		"One day":  manyLargest(600, "USD", "2026-01-05"),
		"Left out": manyLargest(700, "GBP", "2026-01-05", "2026-02-05"),
	} {
		s.OK("import", s.Write("rows.csv", file), "--account", name, "--set", "signage_convention=inflows_positive", "--yes")
	}
	s.OK("rates", "import", s.Write("two.csv", "date,from,to,rate\n2026-01-01,USD,EUR,2\n"))
	if got := s.Do("doctor", "--verbose"); got.Status != 0 || !strings.Contains(got.Stdout, "every invariant holds") ||
		!strings.Contains(got.Stdout, `USD to EUR (at its rate, or with the rest, it is more than can be counted)`) {
		t.Errorf("status %d\n%s\n%s", got.Status, got.Stdout, got.Stderr)
	}
	s.Verifies("Home", 5)
}
