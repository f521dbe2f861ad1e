package ledger

import (
	"cmp"
	"context"
	"slices"

	"github.com/google/uuid"

	"finsvc/queries"
)

// IncomeInput says what an income statement is to be of. Absent days are this month to date; a list of accounts
// that is nil is all of them.
type IncomeInput struct {
	StartDate, EndDate Opt[Date]
	AccountIDs         []uuid.UUID
}

// IncomeStatement is what a household earned and spent in a range of days, both included, in minor units of its
// currency; Expenses are positive, Net is Income less Expenses. Money that moves between accounts is neither:
// transfers are left out on both sides, pending ones too, but for the fee, which is an expense; and so are
// purchases and sales of securities. Dividends, interest and fees of trades count. Disabled accounts do not. Of a
// split transaction its lines count, each in its own category and direction.
//
// What is booked in another currency is added up per day, category and direction and converted once at the rate
// of that day; so the totals are the sums over the categories.
type IncomeStatement struct {
	Currency              string
	StartDate, EndDate    Date
	Income, Expenses, Net int64
	ByCategory            []CategoryIncome // by the category's name, those without one last
	TransfersLeftOut      int64
	Unconverted           []IncomeGap    // by currency
	Rates                 []ExchangeRate // those by which amounts were converted, by currencies and day
}

// CategoryIncome is the part of one category; Category is nil for what has none. Count is how many transactions,
// lines of split ones, trades and fees of transfers it is made of, those that were left out for want of a rate included.
type CategoryIncome struct {
	Category         *CategoryLabel
	Income, Expenses int64
	Count            int64
}

// IncomeGap is what is left out because no exchange rate is known for it, in minor units of the currency.
type IncomeGap struct {
	Currency         string
	Income, Expenses int64
}

// IncomeStatement adds up what was earned and spent.
func (l *Ledger) IncomeStatement(ctx context.Context, who Actor, in IncomeInput) (s IncomeStatement, err error) {
	err = l.withLabels(ctx, l.db.ReadTx, who, func(ctx context.Context, q *queries.Queries, names *labels) error {
		home, err := q.GetHousehold(ctx, who.HouseholdID)
		if err != nil {
			return missing(err, "Household")
		}
		currency, _ := LookupCurrency(home.Currency) // what is stored was looked up
		s = IncomeStatement{Currency: currency.Code}
		if s.StartDate, s.EndDate, err = in.days(l.Today(asHousehold(home))); err != nil {
			return err
		}
		accounts, err := in.accounts(ctx, q, who, names)
		if err != nil {
			return err
		}
		m := &incomeMaker{q: q, who: who, accounts: accounts, home: currency, sums: map[incomeKey]incomeSum{}, statement: &s,
			first: int64(FirstKey(who.HouseholdID, s.StartDate)), last: int64(LastKey(who.HouseholdID, s.EndDate))}
		if err := m.gather(ctx); err != nil {
			return err
		}
		return m.addUp(ctx, names)
	})
	return s, err
}

// days are those of the statement.
func (in IncomeInput) days(today Date) (start, end Date, err error) {
	end = in.EndDate.Or(max(today, in.StartDate.Or(today)))
	start = in.StartDate.Or(end.AddDays(1 - end.Time().Day()))
	if start > end {
		return 0, 0, NewInvalid("start_date", "must not be after end_date, which is %s, got %s", end, start)
	}
	return start, end, nil
}

// accounts are the keys of the accounts that count, as a JSON list; null when that is all there are.
func (in IncomeInput) accounts(ctx context.Context, q *queries.Queries, who Actor, names *labels) (string, error) {
	rows, err := q.ListSheetAccounts(ctx, who.HouseholdID)
	if err != nil || in.AccountIDs == nil && len(rows) == len(names.accounts.byKey) {
		return "null", err
	}
	keys := []int64{}
	for _, row := range rows {
		if in.AccountIDs == nil || slices.Contains(in.AccountIDs, uuid.UUID(row.PublicID)) {
			keys = append(keys, row.ID)
		}
	}
	return jsonArray(keys), nil
}

// addUp converts the sums and makes the statement of them.
func (m *incomeMaker) addUp(ctx context.Context, names *labels) error {
	if m.tooMuch {
		return errTotalRange
	}
	byCategory := map[int64]*CategoryIncome{}
	for key, sum := range m.sums {
		part := byCategory[key.category]
		if part == nil {
			part = &CategoryIncome{Category: names.categories.byKey[key.category]}
			byCategory[key.category] = part
		}
		part.Count += sum.count
		income, expenses, err := m.convert(ctx, key, sum)
		if err != nil {
			return err
		}
		if !addTo(&part.Income, income) || !addTo(&part.Expenses, expenses) {
			return errTotalRange
		}
	}
	return m.total(byCategory)
}

func (m *incomeMaker) total(byCategory map[int64]*CategoryIncome) error {
	s := m.statement
	for _, part := range byCategory {
		s.ByCategory = append(s.ByCategory, *part)
		if !addTo(&s.Income, part.Income) || !addTo(&s.Expenses, part.Expenses) {
			return errTotalRange
		}
	}
	s.Net = s.Income - s.Expenses
	slices.SortFunc(s.ByCategory, func(a, b CategoryIncome) int { return compareCategories(a.Category, b.Category) })
	slices.SortFunc(s.Unconverted, func(a, b IncomeGap) int { return cmp.Compare(a.Currency, b.Currency) })
	slices.SortFunc(s.Rates, compareRates)
	s.Rates = slices.CompactFunc(s.Rates, func(a, b ExchangeRate) bool { return compareRates(a, b) == 0 })
	return nil
}

func compareCategories(a, b *CategoryLabel) int {
	if a == nil || b == nil {
		return compareBools(a == nil, b == nil)
	}
	return cmp.Or(cmp.Compare(Fold(a.Name), Fold(b.Name)), slices.Compare(a.ID[:], b.ID[:]))
}

// addTo adds an amount that is not negative; false when the sum does not fit into 64 bits.
func addTo(sum *int64, minor int64) bool {
	*sum += minor
	return *sum >= 0
}
