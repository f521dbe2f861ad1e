package importer_test

import "testing"

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
