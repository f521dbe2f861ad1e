package report

import (
	"context"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

// Trends are the balances of the accounts in use at the ends of some days, and when something last happened in each.
type Trends struct {
	Days      []ledger.Date
	ByAccount map[uuid.UUID]Trend
}

// Trend is that of one account. Balances are in minor units of its currency and in the written sign, one for each day.
// Newest is the day of its newest entry, or of a balance that was stated later; nil where nothing was ever booked, as of a
// house of which only the worth is stated.
type Trend struct {
	Balances []int64
	Newest   *ledger.Date
}

// trendPoints and trendStep are how many balances a trend has, and how many days lie between them: a quarter of a year.
const (
	trendPoints = 16
	trendStep   = 6
)

// Trends gives the trends up to today. They come from what is kept by day and month, never from entries.
func (s *Service) Trends(ctx context.Context, who ledger.Actor) (t Trends, err error) {
	err = s.ReadTx(ctx, who, func(ctx context.Context, tx *ledger.Tx) error {
		m, err := NewSheet(ctx, tx)
		if err != nil {
			return err
		}
		t = Trends{ByAccount: map[uuid.UUID]Trend{}}
		for i := range ledger.Date(trendPoints) {
			t.Days = append(t.Days, m.today-trendStep*(trendPoints-1-i))
		}
		newest, err := m.newestDays(ctx, t.Days[0])
		if err != nil {
			return err
		}
		if err := m.begin(ctx, t.Days[0], m.today); err != nil {
			return err
		}
		if err := m.prefetch(ctx, t.Days); err != nil {
			return err
		}
		for _, a := range m.accounts {
			trend := Trend{Newest: newest[a.ID]}
			for _, day := range t.Days {
				if err := a.advance(ctx, m.book, day); err != nil {
					return err
				}
				b, err := a.running.Balance(ctx, m.book, day)
				if err != nil {
					return err
				}
				trend.Balances = append(trend.Balances, a.sign*b.Minor)
			}
			t.ByAccount[uuid.UUID(a.PublicID)] = trend
		}
		return nil
	})
	return t, err
}

// newestDays are the days on which something last happened in the accounts that have entries, by their keys. Balances that
// were stated count from a day on.
func (m *networth) newestDays(ctx context.Context, from ledger.Date) (map[int64]*ledger.Date, error) {
	rows, err := m.tx.ListAccountActivity(ctx, m.tx.HouseholdID)
	if err != nil {
		return nil, err
	}
	newest := make(map[int64]*ledger.Date, len(rows))
	for _, row := range rows {
		newest[row.ID] = new(ledger.Date(row.LastDay))
	}
	stated, err := m.tx.ListValuationDays(ctx, queries.ListValuationDaysParams{HouseholdID: m.tx.HouseholdID,
		FirstDay: int64(from), LastDay: int64(m.today)})
	for _, v := range stated {
		if day := newest[v.AccountID]; day != nil {
			*day = max(*day, ledger.Date(v.Day))
		}
	}
	return newest, err
}
