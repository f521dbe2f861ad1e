package report

import (
	"bytes"
	"errors"
	"testing"

	"finsvc/ledger"
	"finsvc/queries"
)

// FuzzMonthSums: whatever lies in the file, it is refused, or sums that can be and days of the month are read.
func FuzzMonthSums(f *testing.F) {
	for _, seed := range []string{"\x00", "", "\x00\x03JPY\x00\x00\x98\x75\x00\x01", "\x02\x00\x033+4\x00EUR\x00\x01\x01\x02\x03\x1fUSD\x05\x00\x00\x00\x01", "\x01\xff", "\x00\x20EUR\x00\x00\x01\x00\x01",
		"\x00\x00EUR\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00\x01"} {
		f.Add([]byte(seed))
	}
	first := ledger.NewDate(2026, 3, 1)
	f.Fuzz(func(t *testing.T, kept []byte) {
		for _, part := range keptParts() {
			reader := monthReader{first: first, part: part, kept: bytes.Clone(kept)}
			err := reader.each(func(b *booking, sum incomeSum) error {
				if b.day < first || b.day > first.MonthEnd() || sum.income < 0 || sum.expenses < 0 || sum.count < 0 || b.category < 0 || b.account < 0 || b.merchant < 0 {
					t.Errorf("by %d: read %+v, %+v", part, *b, sum)
				}
				return nil
			})
			if err != nil && !errors.Is(err, errMonthSums) {
				t.Error(err)
			}
		}
	})
}

// TestMonthSumsAreReadAsTheyWereKept: on the first 3 USD went out, on the fourth 1 USD came in, with the tags 3 and 4; 1.00
// and 2.00 EUR came in and 0.50 went out in the month, which come first.
func TestMonthSumsAreReadAsTheyWereKept(t *testing.T) {
	t.Parallel()
	first := ledger.NewDate(2026, 3, 1)
	tally := newMonthTally(first, queries.PartTags, codeOf("EUR"))
	for _, b := range []booking{
		{day: first, minor: -300, currency: codeOf("USD"), category: 7}, {day: first, minor: 100, currency: codeOf("EUR"), category: 7},
		{day: first + 1, minor: 200, currency: codeOf("EUR"), category: 7}, {day: first + 3, minor: 100, currency: codeOf("USD"), tags: "3+4"},
		{day: first + 30, minor: -50, currency: codeOf("EUR"), category: 7},
	} {
		if err := tally.take(&b); err != nil {
			t.Fatal(err)
		}
	}
	want := "\x02\x00\x033+4" + "\x00EUR\x07\x00\xac\x02\x32\x03" + "\x01USD\x07\x00\x00\xac\x02\x01" + "\x04USD\x00\x01\x64\x00\x01"
	if got := string(tally.Bytes()); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	var read []monthSum
	reader := monthReader{first: first, part: queries.PartTags, kept: []byte(want)}
	err := reader.each(func(b *booking, sum incomeSum) error {
		read = append(read, monthSum{monthKey{int64(b.day - first), b.category, int64(len(b.tags)), b.currency}, sum})
		return nil
	})
	usd := codeOf("USD")
	if err != nil || len(read) != 3 || read[0] != (monthSum{monthKey{0, 7, 0, codeOf("EUR")}, incomeSum{300, 50, 3}}) ||
		read[1] != (monthSum{monthKey{0, 7, 0, usd}, incomeSum{0, 300, 1}}) || read[2] != (monthSum{monthKey{3, 0, 3, usd}, incomeSum{100, 0, 1}}) {
		t.Errorf("read %+v, %v", read, err)
	}
}
