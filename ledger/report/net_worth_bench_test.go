package report_test

import (
	"testing"

	"finsvc/ledger"
	"finsvc/ledger/report"
)

// BenchmarkNetWorth is measured on ten years of a million transactions and 50,000 trades in twelve accounts of
// as many currencies, with rates of every working day. The file is made once and kept at the path in
// FINSVC_BENCH, if that is set.
func BenchmarkNetWorth(b *testing.B) {
	m := newMillion(b)
	l, who, filled := m.Books, m.who, m.Filled
	first, last := ledger.Date(filled.FirstDay), ledger.Date(filled.LastDay)
	for name, day := range map[string]ledger.Date{"last day": last, "five years back": last - 1826} {
		b.Run("balance sheet/"+name, func(b *testing.B) {
			for b.Loop() {
				if _, err := l.Reports.BalanceSheet(b.Context(), who, ledger.Some(day)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("trends", func(b *testing.B) {
		for b.Loop() {
			if _, err := l.Reports.Trends(b.Context(), who); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, interval := range []string{report.IntervalMonth, report.IntervalWeek, report.IntervalDay} {
		b.Run(interval, func(b *testing.B) {
			for b.Loop() {
				in := report.SeriesInput{StartDate: ledger.Some(first), EndDate: ledger.Some(last), Interval: interval}
				if _, err := l.Reports.NetWorth(b.Context(), who, in); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
