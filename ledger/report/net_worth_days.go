package report

import (
	"context"
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/balance"
	"finsvc/ledger/fx"
	"finsvc/queries"
)

// sheetDays are what moves the balance of an account, by day, as far as it has not been counted yet.
type sheetDays struct {
	flows   []balance.DaySum       // what was booked in its currency, or sums of several days by their last
	foreign []balance.CurrencyDays // what was booked in others
	levels  []balance.CurrencyDays // what is held from a day on
	values  []balance.DayAmount    // valuations
}

// prefetch reads what happens after the first of some days, up to the last.
func (m *networth) prefetch(ctx context.Context, days []ledger.Date) error {
	first, last := days[0], days[len(days)-1]
	days = slices.Clone(days)
	values, err := m.tx.ListValuationDays(ctx, queries.ListValuationDaysParams{HouseholdID: m.tx.HouseholdID,
		FirstDay: int64(first + 1), LastDay: int64(last)})
	if err != nil {
		return err
	}
	for _, v := range values {
		days = append(days, ledger.Date(v.Day))
		if a := m.account(v.AccountID); a != nil {
			a.ahead.values = append(a.ahead.values, balance.DayAmount{Day: ledger.Date(v.Day), Minor: v.Amount})
		}
	}
	for _, a := range m.accounts {
		slices.SortFunc(a.ahead.values, func(a, b balance.DayAmount) int { return int(a.Day - b.Day) })
	}
	slices.Sort(days)
	days = slices.Compact(days)
	if apart(days) {
		m.book.Days = days
	}
	if err := m.readFlows(ctx, days); err != nil {
		return err
	}
	return m.readLevels(ctx, days)
}

// account is that with a key; nil when it does not count.
func (m *networth) account(key int64) *sheetAccount {
	at := slices.IndexFunc(m.accounts, func(a *sheetAccount) bool { return a.ID == key })
	if at < 0 {
		return nil
	}
	return m.accounts[at]
}

// readFlows reads what was booked between days. Where they are far from each other it comes in sums.
func (m *networth) readFlows(ctx context.Context, days []ledger.Date) error {
	rows, err := m.packFlows(ctx, days)
	if err != nil {
		return err
	}
	since := make([][2]int64, len(rows))
	for i, row := range rows {
		since[i] = [2]int64{row.ID, int64(days[0])}
		m.account(row.ID).ahead.flows, err = balance.UnpackSums(row.Flows)
		if err != nil {
			return err
		}
	}
	foreign, err := balance.ReadForeign(ctx, m.tx, since, days[len(days)-1])
	if err != nil {
		return err
	}
	for _, a := range m.accounts {
		a.ahead.foreign = foreign[a.ID]
		for _, f := range a.ahead.foreign {
			if err := m.book.Expect(ctx, f.Currency, a.Currency, f.Span()); err != nil {
				return err
			}
		}
	}
	return nil
}

// apart says that days are so far from each other that it is quicker to read of each what it needs than to read
// what lies between.
func apart(days []ledger.Date) bool { return int(days[len(days)-1]-days[0]) > 4*len(days) }

func (m *networth) packFlows(ctx context.Context, days []ledger.Date) ([]queries.PackSheetDaysRow, error) {
	first, last := days[0], days[len(days)-1]
	if !apart(days) {
		return m.tx.PackSheetDays(ctx, queries.PackSheetDaysParams{HouseholdID: m.tx.HouseholdID, After: int64(first),
			LastDay: int64(last)})
	}
	spans := make([][3]int64, len(days)-1)
	for i := range spans {
		spans[i] = [3]int64{int64(days[i]), int64(days[i+1]), wholeMonth(days[i], days[i+1])}
	}
	sums, err := m.tx.PackSheetSums(ctx, queries.PackSheetSumsParams{HouseholdID: m.tx.HouseholdID,
		Spans: ledger.JSONArray(spans)})
	rows := make([]queries.PackSheetDaysRow, len(sums))
	for i, s := range sums {
		rows[i] = queries.PackSheetDaysRow(s)
	}
	return rows, err
}

// wholeMonth is the month whose days lie after one day, up to another; 0 when there are others or not all of
// them.
func wholeMonth(after, last ledger.Date) int64 {
	if first := last.MonthStart(); after+1 != first || (last+1).MonthStart() != last+1 {
		return 0
	}
	return last.Month()
}

func (m *networth) readLevels(ctx context.Context, days []ledger.Date) error {
	rows, err := m.packLevels(ctx, days)
	for _, row := range rows {
		days, err := balance.UnpackDays(row.Days)
		if err != nil {
			return err
		}
		if a := m.account(row.AccountID); a != nil {
			a.ahead.levels = append(a.ahead.levels, balance.CurrencyDays{Currency: row.Currency, Days: days})
		}
	}
	return err
}

func (m *networth) packLevels(ctx context.Context, days []ledger.Date) ([]queries.PackHoldingLevelsRow, error) {
	if !apart(days) {
		return m.tx.PackHoldingLevels(ctx, queries.PackHoldingLevelsParams{
			HouseholdID: m.tx.HouseholdID, After: int64(days[0]), LastDay: int64(days[len(days)-1])})
	}
	levels, err := m.tx.PackHoldingLevelsOn(ctx, queries.PackHoldingLevelsOnParams{HouseholdID: m.tx.HouseholdID,
		Days: ledger.JSONArray(days)})
	rows := make([]queries.PackHoldingLevelsRow, len(levels))
	for i, row := range levels {
		rows[i] = queries.PackHoldingLevelsRow(row)
	}
	return rows, err
}

// advance takes the balance to the end of a day.
func (a *sheetAccount) advance(ctx context.Context, book *fx.RateBook, day ledger.Date) error {
	for len(a.ahead.values) > 0 && a.ahead.values[0].Day <= day {
		v := a.ahead.values[0]
		a.ahead.values = a.ahead.values[1:]
		if err := a.move(ctx, book, v.Day); err != nil {
			return err
		}
		if err := a.running.State(ctx, book, v.Minor, v.Day); err != nil {
			return err
		}
	}
	return a.move(ctx, book, day)
}

// move counts what was booked until a day, and what is held then.
func (a *sheetAccount) move(ctx context.Context, book *fx.RateBook, day ledger.Date) error {
	for len(a.ahead.flows) > 0 && a.ahead.flows[0].Day <= day {
		a.running.Cash = a.running.Cash.Plus(a.ahead.flows[0].Sum)
		a.ahead.flows = a.ahead.flows[1:]
	}
	for i := range a.ahead.foreign {
		f := &a.ahead.foreign[i]
		if err := a.running.BookDays(ctx, book, f.Currency, until(&f.Days, day)); err != nil {
			return err
		}
	}
	for i := range a.ahead.levels {
		l := &a.ahead.levels[i]
		if passed := until(&l.Days, day); len(passed) > 0 {
			a.running.Hold(l.Currency, passed[len(passed)-1].Minor)
		}
	}
	return nil
}

// until takes the amounts up to a day from the front of a list.
func until(list *[]balance.DayAmount, day ledger.Date) []balance.DayAmount {
	n := 0
	for n < len(*list) && (*list)[n].Day <= day {
		n++
	}
	passed := (*list)[:n]
	*list = (*list)[n:]
	return passed
}
