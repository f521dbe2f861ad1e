package ledger

import (
	"context"
	"slices"
)

// convert gives a sum in the household's currency. Without a rate it is left out, and said to be.
func (m *incomeMaker) convert(ctx context.Context, key incomeKey, sum incomeSum) (incomeSum, error) {
	if key.currency == m.own {
		return sum, nil
	}
	r, err := m.rate(ctx, dayCurrency{key.day, key.currency})
	if err != nil {
		return sum, err
	}
	if r != nil {
		if share, fits := m.share(r, key, sum); fits {
			return share, nil
		}
	}
	return incomeSum{count: sum.count}, m.leaveOut(key.currency.String(), sum)
}

// share is what the sum that a sum is converted with grows by when it is added.
func (m *incomeMaker) share(r *rate, key incomeKey, sum incomeSum) (incomeSum, bool) {
	key.group = 0
	before := m.shared[key]
	after := sharedIncome{original: incomeSum{before.original.income + sum.income, before.original.expenses + sum.expenses, sum.count}}
	if after.original.income < 0 || after.original.expenses < 0 {
		return sum, false
	}
	var fits bool
	if after.converted, fits = r.both(after.original, currencyOf(key.currency), m.home); !fits {
		return sum, false
	}
	if m.shared != nil {
		m.shared[key] = after
	}
	return incomeSum{after.converted.income - before.converted.income, after.converted.expenses - before.converted.expenses, sum.count}, true
}

func currencyOf(code currencyCode) Currency {
	currency, _ := LookupCurrency(code.String()) // what is stored was looked up
	return currency
}

// both converts the two sides of a sum.
func (r rate) both(sum incomeSum, from, to Currency) (incomeSum, bool) {
	income, fits := r.convert(sum.income, from, to)
	expenses, also := r.convert(sum.expenses, from, to)
	return incomeSum{income, expenses, sum.count}, fits && also
}

// rate is the rate of a currency on a day, looked up once.
func (m *incomeMaker) rate(ctx context.Context, key dayCurrency) (*rate, error) {
	if m.book == nil {
		m.book, m.rates = newRateBook(m.q), map[dayCurrency]*rate{}
		m.book.window = span{m.out.StartDate, m.out.EndDate}
	}
	if r, seen := m.rates[key]; seen {
		return r, nil
	}
	found, known, err := m.book.find(ctx, key.currency.String(), m.home.Code, key.day)
	if err != nil || !known {
		m.rates[key] = nil
		return nil, err
	}
	m.rates[key] = &found
	if m.says {
		m.out.Rates = append(m.out.Rates, found.parts...)
	}
	return &found, nil
}

func (m *incomeMaker) leaveOut(currency string, sum incomeSum) error {
	gaps := &m.out.Unconverted
	at := slices.IndexFunc(*gaps, func(g IncomeGap) bool { return g.Currency == currency })
	if at < 0 {
		at = len(*gaps)
		*gaps = append(*gaps, IncomeGap{Currency: currency})
	}
	if gap := &(*gaps)[at]; !addTo(&gap.Income, sum.income) || !addTo(&gap.Expenses, sum.expenses) {
		return errTotalRange
	}
	return nil
}
