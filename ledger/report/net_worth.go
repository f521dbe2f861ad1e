package report

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
)

// The intervals of a series.
const (
	IntervalDay   = "day"
	IntervalWeek  = "week"  // ends on Sundays
	IntervalMonth = "month" // ends on last days
)

// maxSeriesPoints is the most points a series may have.
const maxSeriesPoints = 4000

// SeriesInput says what a series is to be of. Absent days are the last twelve months, this one included;
// Interval is one of the constants, empty is a month.
type SeriesInput struct {
	StartDate, EndDate ledger.Opt[ledger.Date]
	Interval           string
}

// NetWorthSeries is the net worth of a household over time. Each point is the balance sheet of its day.
type NetWorthSeries struct {
	Currency, Interval string
	Points             []NetWorthPoint
	Unconverted        []UnconvertedDays // by currency
	Stale              []fx.StaleRate    // by which any point was converted, by currencies
}

// NetWorthPoint has the totals of a [BalanceSheet] at the end of a day.
type NetWorthPoint struct {
	Date                          ledger.Date
	NetWorth, Assets, Liabilities int64
	excess                        money.Sum // that of its balance sheet
}

// UnconvertedDays is what points leave out, see [Unconverted]: how many points, which is
// the first and which the last, the accounts that any of them leaves out, and what the last leaves out, as
// in a [Unconverted].
type UnconvertedDays struct {
	Currency    string
	Minor       int64
	Excess      bool
	Accounts    []uuid.UUID
	First, Last ledger.Date
	Points      int
}

// Reason says why it is left out, in a word.
func (g *UnconvertedDays) Reason() string { return balance.LeftOutReason(g.Excess) }

// NetWorth gives the net worth at the end of every day, week or month of a range. The last point is the
// range's last day, whatever the interval. A range that is upside down or has too many points is a
// validation error.
func (s *Service) NetWorth(ctx context.Context, who ledger.Actor, in SeriesInput) (series NetWorthSeries, err error) {
	err = s.ReadTx(ledger.Heavy(ctx, who), who, func(ctx context.Context, tx *ledger.Tx) error {
		sheets, err := NewSheet(ctx, tx)
		if err != nil {
			return err
		}
		days, err := in.days(sheets.today)
		if err != nil {
			return err
		}
		series = NetWorthSeries{Currency: sheets.currency.Code, Interval: cmp.Or(in.Interval, IntervalMonth)}
		return sheets.series(ctx, &series, days)
	})
	return series, err
}

// series fills in the points of days.
func (m *networth) series(ctx context.Context, series *NetWorthSeries, days []ledger.Date) error {
	m.plain = true
	if err := m.begin(ctx, days[0], days[len(days)-1]); err != nil {
		return err
	}
	if err := m.prefetch(ctx, days); err != nil {
		return err
	}
	series.Points = make([]NetWorthPoint, 0, len(days))
	for _, day := range days {
		for _, a := range m.accounts {
			if err := a.advance(ctx, m.book, day); err != nil {
				return err
			}
		}
		sheet, err := m.sheet(ctx, day)
		if err != nil {
			return err
		}
		point := NetWorthPoint{Date: day, NetWorth: sheet.NetWorth, Assets: sheet.Assets,
			Liabilities: sheet.Liabilities, excess: sheet.excess}
		for _, gap := range sheet.Unconverted {
			series.leaveOut(gap, day)
		}
		series.Points = append(series.Points, point)
		series.Stale = fx.StaleRates(series.Stale).And(sheet.Stale...)
	}
	slices.SortStableFunc(series.Unconverted, func(a, b UnconvertedDays) int { return cmp.Compare(a.Currency, b.Currency) })
	return nil
}

// days are those of the points.
func (in SeriesInput) days(today ledger.Date) ([]ledger.Date, error) {
	end := in.EndDate.Or(today)
	start := in.StartDate.Or(max(yearBefore(end), ledger.MinDate))
	if start > end {
		return nil, ledger.NewInvalid("start_date", "must not be after end_date, which is %s, got %s", end, start)
	}
	var days []ledger.Date
	for day := start; day <= end; day = days[len(days)-1] + 1 {
		if len(days) == maxSeriesPoints {
			return nil, ledger.NewInvalid("interval", "must give at most %d points; a %s gives more from %s to %s",
				maxSeriesPoints, cmp.Or(in.Interval, IntervalMonth), start, end)
		}
		days = append(days, min(in.endOf(day), end))
	}
	return days, nil
}

// yearBefore is the first day of the month eleven months before: twelve months end from then on.
func yearBefore(day ledger.Date) ledger.Date {
	year, month, _ := day.Time().Date()
	return ledger.NewDate(year, month-11, 1)
}

// endOf is the last day of the interval that a day lies in.
func (in SeriesInput) endOf(day ledger.Date) ledger.Date {
	t := day.Time()
	switch in.Interval {
	case IntervalDay:
		return day
	case IntervalWeek:
		return day.AddDays(int((7 - t.Weekday()) % 7))
	}
	return ledger.NewDate(t.Year(), t.Month()+1, 0)
}

func (s *NetWorthSeries) leaveOut(gap Unconverted, day ledger.Date) {
	at := slices.IndexFunc(s.Unconverted, func(g UnconvertedDays) bool {
		// several gaps of a point are several of the series
		return g.Currency == gap.Currency && g.Excess == gap.Excess && g.Last != day
	})
	if at < 0 {
		at = len(s.Unconverted)
		s.Unconverted = append(s.Unconverted, UnconvertedDays{Currency: gap.Currency, Excess: gap.Excess, First: day})
	}
	g := &s.Unconverted[at]
	g.Minor, g.Last = gap.Minor, day
	g.Points++
	for _, id := range gap.Accounts {
		if !slices.Contains(g.Accounts, id) {
			g.Accounts = append(g.Accounts, id)
		}
	}
}
