package report

import (
	"context"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// incomeExchange converts the sums of one day after the other into the household's currency.
type incomeExchange struct {
	own    currencyCode // of the household; amounts in it need no rate
	home   money.Currency
	book   *fx.RateBook
	says   bool                       // by which rates amounts were converted
	today  []dayRate                  // those of the day that were looked up
	shared map[incomeKey]sharedIncome // of the day, without groups; nil when a sum has but one
	used   []fx.UsedRate
	stale  fx.StaleRates
	gaps   []UnconvertedFlow
}

// dayRate is the rate of a currency on a day.
type dayRate struct {
	code     currencyCode
	currency money.Currency
	rate     fx.Rate
	whole    fx.WholeRate
	known    bool
}

// sharedIncome is what of a sum that belongs to several parts was shared out.
type sharedIncome struct{ original, converted incomeSum }

func (m *incomeMaker) newExchange(q *queries.Queries, days fx.Span) incomeExchange {
	x := incomeExchange{own: codeOf(m.home.Code), home: m.home, book: fx.NewRateBook(q), says: m.says}
	x.book.Window = days
	if m.part() != queries.PartNone {
		x.shared = map[incomeKey]sharedIncome{}
	}
	return x
}

func (x *incomeExchange) nextDay() {
	x.today = x.today[:0]
	clear(x.shared)
}

// convert gives a sum in the household's currency. Without a rate, or where that is no amount, it is left out, and said
// to be.
func (x *incomeExchange) convert(ctx context.Context, day ledger.Date, sum *keyedSum) (incomeSum, error) {
	r, err := x.rate(ctx, day, sum.currency)
	if err != nil {
		return incomeSum{}, err
	}
	if r.known {
		if share, fits := x.share(r, sum); fits {
			return share, nil
		}
	}
	x.leaveOut(r.currency.Code, sum.incomeSum, r.known)
	return incomeSum{count: sum.count}, nil
}

// share is what the sum that a sum is converted with grows by when it is added.
func (x *incomeExchange) share(r *dayRate, sum *keyedSum) (incomeSum, bool) {
	if x.shared == nil {
		return r.both(sum.incomeSum, x.home)
	}
	key := sum.incomeKey
	key.group = 0
	before := x.shared[key]
	after := sharedIncome{original: before.original}
	if !after.original.grow(incomeSum{sum.income, sum.expenses, 0}) {
		return incomeSum{}, false
	}
	var fits bool
	after.converted, fits = r.both(after.original, x.home)
	if !fits {
		return incomeSum{}, false
	}
	x.shared[key] = after
	return incomeSum{after.converted.income - before.converted.income,
		after.converted.expenses - before.converted.expenses, sum.count}, true
}

// both converts the two sides of a sum.
func (r *dayRate) both(sum incomeSum, to money.Currency) (incomeSum, bool) {
	income, fits := r.convert(sum.income, to)
	expenses, also := r.convert(sum.expenses, to)
	return incomeSum{income, expenses, sum.count}, fits && also
}

func (r *dayRate) convert(minor int64, to money.Currency) (converted int64, fits bool) {
	converted, fits = r.whole.Of(minor)
	if fits {
		return converted, true
	}
	return r.rate.Convert(minor, r.currency, to)
}

// rate is the rate of a currency on the day, looked up once.
func (x *incomeExchange) rate(ctx context.Context, day ledger.Date, code currencyCode) (*dayRate, error) {
	for i := range x.today {
		if x.today[i].code == code {
			return &x.today[i], nil
		}
	}
	currency, _ := money.LookupCurrency(code.String()) // what is stored was looked up
	found, known, err := x.book.Find(ctx, currency.Code, x.home.Code, day)
	if err != nil {
		return nil, err
	}
	if known && x.says {
		x.used = append(x.used, found.Used(day)...)
	}
	x.stale = x.stale.With(currency.Code, x.home.Code, day, fx.Conversion{Known: known, Rated: found.Day})
	today := dayRate{code: code, currency: currency, rate: found, known: known}
	if known {
		today.whole = found.Whole(x.home.Exponent - currency.Exponent)
	}
	x.today = append(x.today, today)
	return &x.today[len(x.today)-1], nil
}

// leaveOut notes what does not count: there is no rate for it, or no amount that holds the sum with it. A currency has
// several gaps where one does not hold all that is left out.
func (x *incomeExchange) leaveOut(currency string, sum incomeSum, excess bool) {
	for i := range x.gaps {
		gap := &x.gaps[i]
		income, fits := money.AddMinor(gap.Income, sum.income)
		expenses, also := money.AddMinor(gap.Expenses, sum.expenses)
		if gap.Currency == currency && gap.Excess == excess && fits && also {
			gap.Income, gap.Expenses = income, expenses
			return
		}
	}
	x.gaps = append(x.gaps, UnconvertedFlow{currency, sum.income, sum.expenses, excess})
}
