package report

import (
	"context"
	"maps"
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
	"finsvc/queries"
)

// booking is what is added up, in the ledger's sign. Tags are keys with a plus between.
type booking struct {
	day                         ledger.Date
	minor                       int64
	currency                    currencyCode
	category, merchant, account int64
	tags                        string
}

// extraBooking is what counts besides the transactions themselves, or a transaction that does not count after all.
type extraBooking struct {
	booking
	undone bool
}

// currencyCode is the three letters of a currency, and nothing. It is this long so that an [incomeKey] has no padding,
// with which looking one up takes three times as long.
type currencyCode [8]byte

func codeOf(text string) (code currencyCode) {
	copy(code[:], text[:3])
	return code
}

func (c currencyCode) String() string { return string(c[:3]) }

// incomeKey is what the amounts of a day are added up by: group is what the parts are told apart by; amounts of a
// category and a currency are converted as one sum.
type incomeKey struct {
	group, category int64
	currency        currencyCode
}

// incomeSum is in minor units; expenses are positive.
type incomeSum struct{ income, expenses, count int64 }

// sum is that of the booking alone.
func (b *booking) sum() incomeSum {
	if b.minor < 0 {
		return incomeSum{0, -b.minor, 1}
	}
	return incomeSum{b.minor, 0, 1}
}

// grow adds a sum; false, and nothing is added but the count, when the result is no amount.
func (s *incomeSum) grow(by incomeSum) bool {
	s.count += by.count
	income, fits := money.AddMinor(s.income, by.income)
	expenses, also := money.AddMinor(s.expenses, by.expenses)
	if !fits || !also {
		return false
	}
	s.income, s.expenses = income, expenses
	return true
}

type keyedSum struct {
	incomeKey
	incomeSum
}

// incomeDays adds up bookings that come day by day. When a day is over, its sums are converted and nothing is kept of
// it but what the groups have grown by: so memory does not grow with the bookings, and two halves of the days can be
// added up side by side.
type incomeDays struct {
	by     string
	extras []extraBooking // still to come, by day
	day    ledger.Date
	month  int64      // of the day, as [ledger.Date.Month] counts them
	sums   []keyedSum // of the day, in the order in which they began; places say where each is
	places map[incomeKey]int
	totals map[int64]*incomeSum // of the groups, in the household's currency
	sets   tagSets

	// distinct says that what comes of a day has been added up by what it is told apart by.
	distinct bool
	incomeExchange
}

func (m *incomeMaker) newDays(q *queries.Queries, days fx.Span, extras []extraBooking) *incomeDays {
	return &incomeDays{by: m.by, extras: extras, places: map[incomeKey]int{}, totals: map[int64]*incomeSum{},
		incomeExchange: m.newExchange(q, days)}
}

// take adds a booking; those of earlier days were taken before.
func (d *incomeDays) take(ctx context.Context, b *booking) error { return d.takeSum(ctx, b, b.sum()) }

// takeSum adds a booking that stands for several, which come to a sum.
func (d *incomeDays) takeSum(ctx context.Context, b *booking, sum incomeSum) error {
	if b.day != d.day {
		if err := d.advance(ctx, b.day); err != nil {
			return err
		}
	}
	d.add(b, sum)
	return nil
}

// advance ends the days before a day.
func (d *incomeDays) advance(ctx context.Context, to ledger.Date) error {
	for {
		d.takeExtras()
		if err := d.endDay(ctx); err != nil {
			return err
		}
		if len(d.extras) == 0 || d.extras[0].day >= to {
			d.begin(to)
			return nil
		}
		d.begin(d.extras[0].day)
	}
}

func (d *incomeDays) begin(day ledger.Date) { d.day, d.month = day, day.Month() }

// takeExtras adds what there is besides the transactions of the day.
func (d *incomeDays) takeExtras() {
	for len(d.extras) > 0 && d.extras[0].day == d.day {
		if e := &d.extras[0]; e.undone {
			b := &e.booking
			sum, of := d.sum(b), b.sum()
			sum.income, sum.expenses, sum.count = sum.income-of.income, sum.expenses-of.expenses, sum.count-of.count
		} else {
			d.add(&e.booking, e.sum())
		}
		d.extras = d.extras[1:]
	}
}

// endDay converts the sums of the day.
func (d *incomeDays) endDay(ctx context.Context) error {
	for i := range d.sums {
		sum := &d.sums[i]
		if sum.count == 0 {
			continue // all of it was split
		}
		converted, err := d.convert(ctx, d.day, sum)
		if err != nil {
			return err
		}
		d.grow(sum.group, converted)
	}
	d.sums = d.sums[:0]
	clear(d.places)
	d.nextDay()
	return nil
}

// add adds a sum of a booking's kind, or leaves it out where that would be no amount.
func (d *incomeDays) add(b *booking, sum incomeSum) {
	if !d.sum(b).grow(sum) {
		d.leaveOut(b.currency.String(), sum, true)
	}
}

// sum is the one that a booking belongs to. What needs no rate belongs to its group at once.
func (d *incomeDays) sum(b *booking) *incomeSum {
	group := d.group(b)
	if b.currency == d.own {
		return d.total(group)
	}
	key := incomeKey{group, b.category, b.currency}
	if d.distinct && (len(d.extras) == 0 || d.extras[0].day > d.day) {
		d.sums = append(d.sums, keyedSum{incomeKey: key})
		return &d.sums[len(d.sums)-1].incomeSum
	}
	place, known := d.places[key]
	if !known {
		place = len(d.sums)
		d.places[key] = place
		d.sums = append(d.sums, keyedSum{incomeKey: key})
	}
	return &d.sums[place].incomeSum
}

// group is what the parts are told apart by.
func (d *incomeDays) group(b *booking) int64 {
	switch d.by {
	case ByCategory:
		return b.category
	case ByMerchant:
		return b.merchant
	case ByTag:
		return d.sets.number(b.tags)
	case ByAccount:
		return b.account
	case ByMonth:
		return d.month
	}
	return 0
}

func (d *incomeDays) total(group int64) *incomeSum {
	sum := d.totals[group]
	if sum == nil {
		sum = &incomeSum{}
		d.totals[group] = sum
	}
	return sum
}

func (d *incomeDays) grow(group int64, by incomeSum) {
	if !d.total(group).grow(by) {
		d.leaveOut(d.home.Code, by, true)
	}
}

// merge adds what later days add up to.
func (d *incomeDays) merge(later *incomeDays) {
	for _, group := range slices.Sorted(maps.Keys(later.totals)) { // in an order, for what does not fit is left out
		into := group
		if d.by == ByTag {
			into = d.sets.number(later.sets.texts[group])
		}
		d.grow(into, *later.totals[group])
	}
	for _, gap := range later.gaps {
		d.leaveOut(gap.Currency, incomeSum{income: gap.Income, expenses: gap.Expenses}, gap.Excess)
	}
	d.used = append(d.used, later.used...)
	d.stale = d.stale.And(later.stale...)
}

func byDay(a, b extraBooking) int { return int(a.day - b.day) }
