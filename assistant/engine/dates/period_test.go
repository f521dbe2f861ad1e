package dates

import (
	"strings"
	"testing"

	"finsvc/assistant/engine/token"
	"finsvc/ledger"
	"finsvc/ledger/calendar"
)

func mustDate(t testing.TB, text string) ledger.Date {
	t.Helper()
	d, err := ledger.ParseDate(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// TestPeriods reads periods as of Saturday, 2026-11-21. The days were taken from a calendar by hand.
func TestPeriods(t *testing.T) {
	t.Parallel()
	today := mustDate(t, "2026-11-21")
	for text, want := range map[string]string{
		"today":                           "2026-11-21 2026-11-21",
		"yesterday":                       "2026-11-20 2026-11-20",
		"the day before yesterday":        "2026-11-19 2026-11-19",
		"this week":                       "2026-11-16 2026-11-21", // Monday to today
		"last week":                       "2026-11-09 2026-11-15", // Monday to Sunday
		"this month":                      "2026-11-01 2026-11-21",
		"the current month":               "2026-11-01 2026-11-21",
		"last month":                      "2026-10-01 2026-10-31",
		"this quarter":                    "2026-10-01 2026-11-21",
		"last quarter":                    "2026-07-01 2026-09-30",
		"this year so far":                "2026-01-01 2026-11-21",
		"year to date":                    "2026-01-01 2026-11-21",
		"ytd":                             "2026-01-01 2026-11-21",
		"last year":                       "2025-01-01 2025-12-31",
		"in the last year":                "2025-11-22 2026-11-21",
		"past year":                       "2025-11-22 2026-11-21",
		"the past month":                  "2026-10-22 2026-11-21",
		"last 7 days":                     "2026-11-15 2026-11-21",
		"in the last 30 days":             "2026-10-23 2026-11-21", // 9 days of October, 21 of November
		"last two weeks":                  "2026-11-08 2026-11-21",
		"over the last 3 months":          "2026-08-22 2026-11-21",
		"last 12 months":                  "2025-11-22 2026-11-21",
		"last 2 years":                    "2024-11-22 2026-11-21",
		"three days ago":                  "2026-11-18 2026-11-18",
		"two weeks ago":                   "2026-11-02 2026-11-08",
		"a month ago":                     "2026-10-01 2026-10-31",
		"a year ago":                      "2025-01-01 2025-12-31",
		"May":                             "2026-05-01 2026-05-31",
		"in november":                     "2026-11-01 2026-11-21",
		"december":                        "2025-12-01 2025-12-31", // this year's has not begun
		"dec":                             "2025-12-01 2025-12-31",
		"sept":                            "2026-09-01 2026-09-30",
		"last november":                   "2025-11-01 2025-11-30", // this year's is not over
		"last may":                        "2026-05-01 2026-05-31",
		"May 2025":                        "2025-05-01 2025-05-31",
		"May of 2025":                     "2025-05-01 2025-05-31",
		"May last year":                   "2025-05-01 2025-05-31",
		"the month of May":                "2026-05-01 2026-05-31",
		"february 2024":                   "2024-02-01 2024-02-29",
		"february 2025":                   "2025-02-01 2025-02-28",
		"in 2024":                         "2024-01-01 2024-12-31",
		"the year 2024":                   "2024-01-01 2024-12-31",
		"2026":                            "2026-01-01 2026-11-21",
		"2027":                            "2027-01-01 2027-12-31",
		"2026-02":                         "2026-02-01 2026-02-28",
		"since March":                     "2026-03-01 2026-11-21",
		"since December":                  "2025-12-01 2026-11-21",
		"since 2024":                      "2024-01-01 2026-11-21",
		"since 2024-02-29":                "2024-02-29 2026-11-21",
		"since last week":                 "2026-11-09 2026-11-21",
		"since a year ago":                "2025-11-21 2026-11-21",
		"since the beginning of the year": "2026-01-01 2026-11-21",
		"since yesterday":                 "2026-11-20 2026-11-21",
		"until May":                       "1900-01-01 2026-05-31",
		"up to 2025":                      "1900-01-01 2025-12-31",
		"before 2025":                     "1900-01-01 2024-12-31",
		"before May 3":                    "1900-01-01 2026-05-02",
		"after May":                       "2026-06-01 2026-11-21",
		"after 2026-02-28":                "2026-03-01 2026-11-21",
		"from 2026-01-01 to 2026-02-28":   "2026-01-01 2026-02-28",
		"between March and May":           "2026-03-01 2026-05-31",
		"between 2024 and 2025":           "2024-01-01 2025-12-31",
		"from November to February":       "2025-11-01 2026-02-28",
		"May to July":                     "2026-05-01 2026-07-31",
		"May to July 2025":                "2025-05-01 2025-07-31",
		"from May 2025 to July":           "2025-05-01 2025-07-31",
		"from december 2025 to january":   "2025-12-01 2026-01-31",
		"from november 2024 to february":  "2024-11-01 2025-02-28",
		"from May 3 to May 9":             "2026-05-03 2026-05-09",
		"from 3 May until today":          "2026-05-03 2026-11-21",
		"Q2":                              "2026-04-01 2026-06-30",
		"Q4":                              "2026-10-01 2026-11-21",
		"Q2 2025":                         "2025-04-01 2025-06-30",
		"2025 Q3":                         "2025-07-01 2025-09-30",
		"H1 2025":                         "2025-01-01 2025-06-30",
		"the first quarter of 2025":       "2025-01-01 2025-03-31",
		"second half of last year":        "2025-07-01 2025-12-31",
		"the third quarter":               "2026-07-01 2026-09-30",
		"2026-05-03":                      "2026-05-03 2026-05-03",
		"2026/05/03":                      "2026-05-03 2026-05-03",
		"3.5.2026":                        "2026-05-03 2026-05-03",
		"25/05/2026":                      "2026-05-25 2026-05-25",
		"05/25/2026":                      "2026-05-25 2026-05-25",
		"05/05/2026":                      "2026-05-05 2026-05-05",
		"May 3":                           "2026-05-03 2026-05-03",
		"May 3rd":                         "2026-05-03 2026-05-03",
		"on May 3rd, 2024":                "2024-05-03 2024-05-03",
		"3 May":                           "2026-05-03 2026-05-03",
		"the 3rd of May 2025":             "2025-05-03 2025-05-03",
		"December 24":                     "2025-12-24 2025-12-24",
		"November 21":                     "2026-11-21 2026-11-21",
		"November 22":                     "2025-11-22 2025-11-22",
		"February 29 2024":                "2024-02-29 2024-02-29",
		"from 3 to 9 May":                 "2026-05-03 2026-05-09",
		"3rd to 9th of May 2025":          "2025-05-03 2025-05-09",
		"between 1 and 15 november":       "2026-11-01 2026-11-15",
		"the 3rd to the 9th of May":       "2026-05-03 2026-05-09",
		"the last week of October":        "2026-10-25 2026-10-31",
		"first week of November":          "2026-11-01 2026-11-07",
		"the last 3 days of May":          "2026-05-29 2026-05-31",
		"the first two months of 2025":    "2025-01-01 2025-02-28",
		"the last quarter of 2025":        "2025-10-01 2025-12-31",
		"first 40 days in february 2024":  "2024-02-01 2024-02-29", // it has no more
		"the last week of this year":      "2026-12-25 2026-12-31", // all of it is to come
		"10/2026":                         "2026-10-01 2026-10-31",
		"the weekend":                     "2026-11-21 2026-11-21", // it is Saturday
		"this weekend":                    "2026-11-21 2026-11-21",
		"last weekend":                    "2026-11-14 2026-11-15",
		"on Monday":                       "2026-11-16 2026-11-16",
		"saturday":                        "2026-11-21 2026-11-21",
		"last saturday":                   "2026-11-14 2026-11-14",
		"end of 2024":                     "2024-12-31 2024-12-31",
		"at the end of May":               "2026-05-31 2026-05-31",
		"at the beginning of last month":  "2026-10-01 2026-10-01",
		"end of last year":                "2025-12-31 2025-12-31",
		"all time":                        "1900-01-01 2026-11-21",
		"in all years":                    "1900-01-01 2026-11-21",
		"ever":                            "1900-01-01 2026-11-21",
	} {
		words := token.Split(text)
		p, found := Reader{Words: words, Today: today}.At(0)
		if got := p.First.String() + " " + p.Last.String(); !found || got != want || p.Words != len(words) {
			t.Errorf("%s: got %s, %d of %d words, want %s", text, got, p.Words, len(words), want)
		}
	}
}

// TestPeriodsOfOtherDays reads on leap days, and at the ends of months and years.
func TestPeriodsOfOtherDays(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ today, text, want string }{
		{"2028-02-29", "last year", "2027-01-01 2027-12-31"},
		{"2028-02-29", "past year", "2027-03-01 2028-02-29"}, // a year before is 28 February
		{"2028-02-29", "this month", "2028-02-01 2028-02-29"},
		{"2028-02-29", "february", "2028-02-01 2028-02-29"},
		{"2028-02-29", "a year ago", "2027-01-01 2027-12-31"},
		{"2026-05-31", "past 3 months", "2026-03-01 2026-05-31"}, // from the day after 28 February
		{"2026-05-31", "last month", "2026-04-01 2026-04-30"},
		{"2026-03-31", "past month", "2026-03-01 2026-03-31"},
		{"2026-12-31", "last 365 days", "2026-01-01 2026-12-31"},
		{"2024-12-31", "last 366 days", "2024-01-01 2024-12-31"},
		{"2026-01-01", "last week", "2025-12-22 2025-12-28"}, // a Thursday
		{"2026-01-01", "this week", "2025-12-29 2026-01-01"},
		{"2026-01-01", "last month", "2025-12-01 2025-12-31"},
		{"2026-01-01", "last quarter", "2025-10-01 2025-12-31"},
		{"2026-01-01", "yesterday", "2025-12-31 2025-12-31"},
		{"2026-01-01", "this year", "2026-01-01 2026-01-01"},
		{"2026-01-01", "december", "2025-12-01 2025-12-31"},
		{"2024-03-01", "yesterday", "2024-02-29 2024-02-29"},
		{"2025-03-01", "yesterday", "2025-02-28 2025-02-28"},
		{"2026-11-22", "this week", "2026-11-16 2026-11-22"}, // a Sunday
		{"2026-11-23", "this week", "2026-11-23 2026-11-23"}, // a Monday
		{"2026-11-23", "last week", "2026-11-16 2026-11-22"},
		{"2026-11-23", "last monday", "2026-11-16 2026-11-16"},
		{"2026-11-22", "last weekend", "2026-11-14 2026-11-15"},
		{"2026-11-23", "last weekend", "2026-11-21 2026-11-22"},
		{"2026-11-23", "the weekend", "2026-11-21 2026-11-22"},
		{"2026-11-23", "this weekend", "2026-11-28 2026-11-29"},
		{"2026-07-01", "q3", "2026-07-01 2026-07-01"},
		{"2026-06-30", "q3", "2025-07-01 2025-09-30"},
	} {
		p, found := Reader{Words: token.Split(c.text), Today: mustDate(t, c.today)}.At(0)
		if got := p.First.String() + " " + p.Last.String(); !found || got != c.want {
			t.Errorf("%s on %s: got %s, want %s", c.text, c.today, got, c.want)
		}
	}
}

// TestNoPeriods: what is no day, or could be two, is not read as one.
func TestNoPeriods(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "next month", "tomorrow", "February 30", "31 April 2026", "2026-13-01",
		"2026-02-29", "03/05/2026", "the 3rd", "Q5", "H3", "may I",
		"month", "a year", "3", "12345", "1899", "2200", "last", "last 0 days", "in", "from", "from May", "between",
		"since", "end of", "summer", "20260101", "9 to 3 May",
		"31 to 9 May", "weekends", "next weekend"} {
		words := token.Split(text)
		if p, found := (Reader{Words: words, Today: mustDate(t, "2026-11-21")}).At(0); found && p.Words == len(words) {
			t.Errorf("%s: got %s to %s, want nothing", text, p.First, p.Last)
		}
	}
}

// TestDayOfPeriod: where only a day can be meant, it is the last that is over; and the same day where units are
// counted back.
func TestDayOfPeriod(t *testing.T) {
	t.Parallel()
	today := mustDate(t, "2026-11-21")
	for text, want := range map[string]string{"a year ago": "2025-11-21", "3 months ago": "2026-08-21",
		"last month": "2026-10-31", "this month": "2026-11-21", "2025": "2025-12-31", "2027": "2027-12-31"} {
		p, _ := Reader{Words: token.Split(text), Today: today}.At(0)
		if got := p.Day(today).String(); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// TestSpanBefore: before a unit lies the whole unit, before other days lie as many.
func TestSpanBefore(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"this month": "2026-10-01 2026-10-31", "march": "2026-02-01 2026-02-28", "this week": "2026-11-09 2026-11-15",
		"2025": "2024-01-01 2024-12-31",
		"q1":   "2025-10-01 2025-12-31", "h1 2026": "2025-07-01 2025-12-31", "last 7 days": "2026-11-08 2026-11-14",
		"yesterday":                     "2026-11-19 2026-11-19",
		"from 2026-03-01 to 2026-03-31": "2026-01-29 2026-02-28", // 31 days
	} {
		p, _ := Reader{Words: token.Split(text), Today: mustDate(t, "2026-11-21")}.At(0)
		if b := p.Before(); b.First.String()+" "+b.Last.String() != want {
			t.Errorf("%s: got %s to %s, want %s", text, b.First, b.Last, want)
		}
	}
}

func TestSpanInYear(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"february 2024", "2023-02-01 2023-02-28"}, {"2024-02-29", "2023-02-28 2023-02-28"},
		{"this month", "2025-11-01 2025-11-21"},
		{"february 2025", "2024-02-01 2024-02-29"}, {"2025-02-28", "2024-02-28 2024-02-28"},
		{"q1 2025", "2024-01-01 2024-03-31"},
	} {
		p, _ := Reader{Words: token.Split(c.text), Today: mustDate(t, "2026-11-21")}.At(0)
		if s := p.InYear(p.First.Time().Year() - 1); s.First.String()+" "+s.Last.String() != c.want {
			t.Errorf("%s: got %s to %s, want %s", c.text, s.First, s.Last, c.want)
		}
	}
}

func TestWholeMonths(t *testing.T) {
	t.Parallel()
	today := mustDate(t, "2026-11-21")
	for text, want := range map[string]string{
		"last 6 months": "2026-05-01 2026-10-31", "this year": "2026-01-01 2026-10-31",
		"2025": "2025-01-01 2025-12-31", "this month": "",
		"from 2026-01-15 to 2026-04-15": "2026-02-01 2026-03-31", "last week": "", "may": "2026-05-01 2026-05-31",
	} {
		p, _ := Reader{Words: token.Split(text), Today: today}.At(0)
		s, found := p.WholeMonths(today)
		if got := s.First.String() + " " + s.Last.String(); found != (want != "") || found && got != want {
			t.Errorf("%s: got %s, %t, want %s", text, got, found, want)
		}
	}
	if s := (calendar.Span{First: mustDate(t, "2025-11-01"), Last: mustDate(t, "2026-10-31")}); s.Months() != 12 {
		t.Errorf("got %d months, want 12", s.Months())
	}
}

func TestSpanString(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"may 2026":   "May 2026 (2026-05-01 to 2026-05-31)",
		"q2 2026":    "Q2 2026 (2026-04-01 to 2026-06-30)",
		"2025":       "2025 (2025-01-01 to 2025-12-31)",
		"yesterday":  "2026-11-20",
		"this month": "2026-11-01 to 2026-11-21",
		"last week":  "2026-11-09 to 2026-11-15",
		"ever":       "all time until 2026-11-21",
	} {
		p, _ := Reader{Words: token.Split(text), Today: mustDate(t, "2026-11-21")}.At(0)
		if got := p.Span.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if !strings.Contains(calendar.Span{First: 0, Last: 1}.String(), "1970-01-01 to 1970-01-02") {
		t.Error("two days are not said")
	}
}
