package notation

import (
	"testing"
	"time"

	"finsvc/ledger"
)

// TestDates holds what was decided.
//
// Contract, POST /api/v1/imports: date_format is a pattern.
func TestDates(t *testing.T) {
	t.Parallel()
	tests := []struct {
		pattern, cell string
		want          string // blank: refused
	}{
		{"%Y-%m-%d", "2026-01-31", "2026-01-31"},
		{"%Y-%m-%d", "2026-1-3", "2026-01-03"},
		{"%F", "2026-01-31", "2026-01-31"},
		{"%d.%m.%Y", "31.01.2026", "2026-01-31"},
		{"%d.%m.%y", "22.02.18", "2018-02-22"},
		{"%m/%d/%y", "2/8/15", "2015-02-08"},
		{"%m/%d/%y", "12/31/69", "1969-12-31"},
		{"%m/%d/%y", "12/31/99", "1999-12-31"},
		{"%m/%d/%y", "12/31/68", "2068-12-31"},
		{"%m/%d/%y", "12/31/00", "2000-12-31"},
		{"%D", "12/31/00", "2000-12-31"},
		{"%Y%m%d", "20240229", "2024-02-29"},
		{"%e/%m/%Y", " 1/02/2024", "2024-02-01"},
		{"%e/%m/%Y", "1/02/2024", "2024-02-01"},
		{"%d %b %Y", "07 Nov 2013", "2013-11-07"},
		{"%d %b %Y", "7 NOVEMBER 2013", "2013-11-07"},
		{"%d %b %Y", "7  sept  2013", "2013-09-07"},
		{"%B %d, %Y", "January 5, 2020", "2020-01-05"},
		{"%a, %d %h %Y", "Fri, 13 Jan 2023", "2023-01-13"},
		{"%-m/%-d/%Y", "1/5/2020", "2020-01-05"},
		{"%Y-%j", "2024-366", "2024-12-31"},
		{"%Y%j", "2023001", "2023-01-01"},
		{"%Y-%m-%d %H:%M:%S", "2023-02-13 21:32:14", "2023-02-13"},
		{"%Y-%m-%dT%H:%M:%S%z", "2023-02-13T23:59:59-11:00", "2023-02-13"}, // no zone moves a day
		{"%Y-%m-%dT%H:%M:%SZ", "2023-02-13T23:59:59Z", "2023-02-13"},
		{"%FT%T.%f%z", "2023-02-13T23:59:59.123456Z", "2023-02-13"},
		{"%m/%d/%Y %I:%M %p", "01/10/2019 06:50 PM", "2019-01-10"},
		{"%Y年%m月%d日", "2024年3月1日", "2024-03-01"},
		{"%d%%%m%%%Y", "1%2%2024", "2024-02-01"},

		{"%Y-%m-%d", "", ""},
		{"%Y-%m-%d", "2026-02-30", ""},
		{"%Y-%m-%d", "2023-02-29", ""},
		{"%Y-%m-%d", "2026-13-01", ""},
		{"%Y-%m-%d", "2026-00-01", ""},
		{"%Y-%m-%d", "2026-01-00", ""},
		{"%Y-%m-%d", "26-01-01", ""},
		{"%Y-%m-%d", "2026-01-31 10:00", ""},
		{"%Y-%m-%d", "2026-01-31x", ""},
		{"%Y-%m-%d", "2026/01/31", ""},
		{"%Y-%m-%d", "0001-01-01", ""},
		{"%Y-%m-%d", "9999-12-31", ""},
		{"%Y-%m-%d", "２０２６-01-01", ""},
		{"%d.%m.%Y", "31.04.2026", ""},
		{"%d/%m/%Y", "01/13/2026", ""},
		{"%d/%m/%y", "01/12/2026", ""},
		{"%Y%m%d", "2024229", ""},
		{"%Y%m%d", "2024-02-29", ""},
		{"%d %b %Y", "7 Nove 2013", ""},
		{"%d %b %Y", "7Nov 2013", ""},
		{"%Y-%j", "2023-366", ""},
		{"%Y-%m-%d %H:%M", "2023-01-01 24:00", ""},
		{"%Y-%m-%d %H:%M", "2023-01-01 10:60", ""},
		{"%Y-%m-%d %H:%M", "2023-01-01", ""},
	}
	for _, test := range tests {
		t.Run(test.pattern+" "+test.cell, func(t *testing.T) {
			t.Parallel()
			pattern, err := NewDatePattern(test.pattern)
			if err != nil {
				t.Fatal(err)
			}
			got, err := pattern.Parse(test.cell)
			switch {
			case err != nil && test.want != "":
				t.Errorf("refused: %v", err)
			case err == nil && got.String() != test.want:
				t.Errorf("got %s, want %q", got, test.want)
			}
		})
	}
}

func TestDatePatternUnusable(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", "date", "%Y-%m", "%m-%d", "%d.%m.", "%Y-%d", "%Y-%m-%d%", "%Q%Y%m%d", "%Y-%m-%d %é", "%H:%M"} {
		if _, err := NewDatePattern(text); err == nil {
			t.Errorf("%q was taken", text)
		}
	}
}

func FuzzDate(f *testing.F) {
	f.Add("%Y-%m-%d", "2026-01-31")
	f.Add("%d %b %y", "1 feb 69")
	f.Add("%Y%j%H%M%S%z", "2024366235959+0200")
	f.Add("%-d%%%e%A", "\xFF%")
	f.Fuzz(func(t *testing.T, text, cell string) {
		pattern, err := NewDatePattern(text)
		if err != nil {
			return
		}
		got, err := pattern.Parse(cell)
		if err == nil && got.Check() != nil {
			t.Fatalf("%q by %q gave %s", cell, text, got)
		}
	})
}

// Every day is read back from each of the usual ways to write it.
func TestDatesRoundTrip(t *testing.T) {
	t.Parallel()
	patterns := map[string]string{
		"%Y-%m-%d": "2006-01-02", "%d.%m.%Y": "02.01.2006", "%e/%m/%Y": "2/01/2006", "%Y%m%d": "20060102",
		"%d %b %Y": "02 Jan 2006", "%B %d, %Y": "January 2, 2006", "%Y-%j": "2006-002",
	}
	for text, layout := range patterns {
		pattern, err := NewDatePattern(text)
		if err != nil {
			t.Fatal(err)
		}
		for day := ledger.NewDate(1999, time.January, 1); day < ledger.NewDate(2005, time.January, 1); day++ {
			written := day.Time().Format(layout)
			if got, err := pattern.Parse(written); err != nil || got != day {
				t.Fatalf("%s by %s: got %s (%v)", written, text, got, err)
			}
		}
	}
}
