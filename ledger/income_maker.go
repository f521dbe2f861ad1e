package ledger

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"finsvc/db"
	"finsvc/queries"
)

// incomeMaker adds up one breakdown.
type incomeMaker struct {
	incomeSums
	q      *queries.Queries
	who    Actor
	filter *selection
	only   bool // transactions
	home   Currency
	out    *Breakdown

	book   *rateBook
	rates  map[dayCurrency]*rate // nil where none is known
	says   bool                  // by which rates amounts were converted
	shared map[incomeKey]sharedIncome
}

// sharedIncome is what of a sum that belongs to several parts was shared out.
type sharedIncome struct{ original, converted incomeSum }

type dayCurrency struct {
	day      Date
	currency currencyCode
}

// gather reads everything that counts.
func (m *incomeMaker) gather(ctx context.Context) error {
	state, err := m.q.GetListState(ctx, m.who.HouseholdID)
	if err != nil {
		return err
	}
	m.filter.Transfers, m.filter.Splits = new(false), state.HasSplits != 0
	steps := []func(context.Context) error{m.gatherTransactions}
	if m.filter.Splits {
		steps = append(steps, m.gatherLines)
	}
	if f := m.filter; !m.only && f.Search == "" && f.Amounts == nil && f.Incomes == nil {
		steps = append(steps, m.gatherTrades, m.gatherTransfers)
	}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// gatherTransactions reads those between the first and the last of the days that are asked for.
func (m *incomeMaker) gatherTransactions(ctx context.Context) error {
	f := m.filter.TransactionFilter
	first, err := m.q.GetFirstBooked(ctx, queries.GetFirstBookedParams{HouseholdID: f.HouseholdID, FirstKey: f.FirstKey, LastKey: f.LastKey})
	if errors.Is(err, db.ErrNotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	last, err := m.q.GetLastBooked(ctx, queries.GetLastBookedParams{HouseholdID: f.HouseholdID, FirstKey: f.FirstKey, LastKey: f.LastKey})
	if err != nil {
		return err
	}
	read := m.readPacked
	if m.plain() {
		read = m.readDays
	}
	return m.inHalves(ctx, keyRange{first, last}, read)
}

// plain says that day and category are all that matters of a transaction.
func (m *incomeMaker) plain() bool {
	f := &m.filter.TransactionFilter
	return m.part() == queries.PartNone && !m.labelled() && f.Search == "" && f.Amounts == nil && f.Incomes == nil
}

// labelled says whether an index of labels finds the transactions.
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

// addUp converts the sums and makes the breakdown of them.
func (m *incomeMaker) addUp(ctx context.Context, names *labels) error {
	if m.tooMuch {
		return errTotalRange
	}
	if m.part() != queries.PartNone {
		m.shared = map[incomeKey]sharedIncome{}
	}
	list := &parts{by: m.by, names: names, sets: &m.sets, byName: map[int64]*BreakdownPart{}}
	for _, sum := range m.sums {
		if sum.count == 0 {
			continue // all of it was split
		}
		converted, err := m.convert(ctx, sum.incomeKey, sum.incomeSum)
		if err != nil {
			return err
		}
		if !m.count(converted, list.of(sum.group)) {
			return errTotalRange
		}
	}
	return m.finish(list)
}

// count adds a converted sum to the totals and to its parts; false when one of them does not fit.
func (m *incomeMaker) count(sum incomeSum, among []*BreakdownPart) bool {
	m.out.Count += sum.count
	fits := addTo(&m.out.Income, sum.income) && addTo(&m.out.Expenses, sum.expenses)
	for _, part := range among {
		part.Count += sum.count
		fits = fits && addTo(&part.Income, sum.income) && addTo(&part.Expenses, sum.expenses)
	}
	return fits
}

func (m *incomeMaker) finish(list *parts) error {
	m.out.Net = m.out.Income - m.out.Expenses
	m.out.Parts = list.sorted()
	slices.SortFunc(m.out.Unconverted, func(a, b IncomeGap) int { return cmp.Compare(a.Currency, b.Currency) })
	slices.SortFunc(m.out.Rates, compareRates)
	m.out.Rates = slices.CompactFunc(m.out.Rates, func(a, b ExchangeRate) bool { return compareRates(a, b) == 0 })
	return nil
}
