package report

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// incomeMaker adds up one breakdown.
type incomeMaker struct {
	tx     *ledger.Tx
	filter *entry.Selection
	state  queries.GetListStateRow
	by     string
	only   bool // transactions
	home   money.Currency
	says   bool // by which rates amounts were converted
	extras []extraBooking
	months bool         // sums that are kept of them are of use
	kept   queries.Part // which of these
	out    *Breakdown
}

// make reads everything that counts and adds it up.
func (m *incomeMaker) make(ctx context.Context, refs *ledger.Refs) error {
	if err := m.gatherExtras(ctx); err != nil {
		return err
	}
	days, err := m.addDays(ctx)
	if err != nil {
		return err
	}
	// Make the breakdown of what the days add up to.
	list := &parts{by: m.by, refs: refs, sets: &days.sets, byName: map[int64]*BreakdownPart{}}
	for _, group := range slices.Sorted(maps.Keys(days.totals)) { // in an order, for what does not fit is left out
		if sum := days.totals[group]; sum.count != 0 {
			m.count(days, *sum, list.of(group))
		}
	}
	m.out.Net = m.out.Income - m.out.Expenses
	m.out.Parts = list.sorted()
	m.out.Unconverted, m.out.Rates, m.out.Stale = days.gaps, days.used, days.stale
	slices.SortStableFunc(m.out.Unconverted, func(a, b UnconvertedFlow) int { return cmp.Compare(a.Currency, b.Currency) })
	m.out.Rates = fx.CompactUsed(m.out.Rates)
	return nil
}

// gatherExtras reads what counts besides the transactions themselves, which is little.
func (m *incomeMaker) gatherExtras(ctx context.Context) (err error) {
	m.state, err = m.tx.GetListState(ctx, m.tx.HouseholdID)
	if err != nil {
		return err
	}
	m.filter.Transfers, m.filter.Splits = new(false), m.state.HasSplits != 0
	var steps []func(context.Context) error
	if m.filter.Splits {
		steps = append(steps, m.gatherLines)
	}
	if !m.only && !m.searched() {
		steps = append(steps, m.gatherTrades, m.gatherTransfers)
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	slices.SortStableFunc(m.extras, byDay)
	return nil
}

// addDays reads the transactions and adds up all days. Where the view has a second reader, that reads the later half
// meanwhile.
func (m *incomeMaker) addDays(ctx context.Context) (*incomeDays, error) {
	booked, err := m.booked(ctx)
	if err != nil {
		return nil, err
	}
	m.kept, m.months, err = m.keptPart(ctx)
	if err != nil {
		return nil, err
	}
	early, late := booked.halves(m.tx.HouseholdID)
	second := db.SecondReader(ctx)
	if second == nil || late.isEmpty() {
		return addRange(ctx, m, m.tx.Queries, booked, m.extras)
	}
	extras := m.extras
	last := ledger.Key(early.Last).Day()
	at, _ := slices.BinarySearchFunc(extras, last+1, func(e extraBooking,
		day ledger.Date) int {
		return int(e.day - day)
	})
	some, more := extras[:at], extras[at:]
	var later *incomeDays
	done := make(chan error, 1)
	go func() {
		done <- db.Recovered("panic beside", func() (err error) {
			later,
				err = addRange(ctx, m, second, late, more)
			return err
		})
	}()
	days, err := addRange(ctx, m, m.tx.Queries, early, some)
	if err = errors.Join(err, <-done); err == nil {
		days.merge(later)
	}
	return days, err
}

// booked is from the month of the first to that of the last of the transactions of the days that are asked for, as far
// as these go; empty where there is none.
func (m *incomeMaker) booked(ctx context.Context) (r keyRange, err error) {
	f := m.filter.TransactionFilter
	r.First, err = m.tx.GetFirstBooked(ctx, queries.GetFirstBookedParams{HouseholdID: f.HouseholdID,
		FirstKey: f.FirstKey, LastKey: f.LastKey})
	if errors.Is(err, db.ErrNotFound) {
		return keyRange{1, 0}, nil
	}
	if err == nil {
		r.Last, err = m.tx.GetLastBooked(ctx, queries.GetLastBookedParams{HouseholdID: f.HouseholdID,
			FirstKey: f.FirstKey, LastKey: f.LastKey})
	}
	earliest, latest := MonthRange(f.HouseholdID, ledger.Key(r.First).Day().MonthStart()),
		MonthRange(f.HouseholdID, ledger.Key(r.Last).Day().MonthStart())
	return keyRange{max(f.FirstKey, earliest.First), min(f.LastKey, latest.Last)}, err
}

// searched reports whether a text, an amount or a type is asked for.
func (m *incomeMaker) searched() bool { return m.filter.Searched() }

// labelled reports whether an index of labels finds the transactions.
func (m *incomeMaker) labelled() bool {
	return m.filter.CategoryIDs != nil || m.filter.MerchantIDs != nil || m.filter.TagIDs != nil
}

// part is what the database has to tell of a transaction besides day and category.
func (m *incomeMaker) part() queries.Part {
	switch m.by {
	case ByAccount:
		return queries.PartAccount
	case ByMerchant:
		return queries.PartMerchant
	case ByTag:
		return queries.PartTags
	}
	return queries.PartNone
}

// count adds a converted sum to the totals and to its parts. What a total has no room for is left out of it, and said
// to be; its parts have it all the same, and of a part that has no room for it only the total can tell.
func (m *incomeMaker) count(days *incomeDays, sum incomeSum, among []*BreakdownPart) {
	total := incomeSum{m.out.Income, m.out.Expenses, m.out.Count}
	fits := total.grow(sum)
	for _, part := range among {
		of := incomeSum{part.Income, part.Expenses, part.Count}
		fits = of.grow(sum) && fits
		part.Income, part.Expenses, part.Count = of.income, of.expenses, of.count
	}
	m.out.Income, m.out.Expenses, m.out.Count = total.income, total.expenses, total.count
	if !fits {
		days.leaveOut(m.home.Code, sum, true)
	}
}
