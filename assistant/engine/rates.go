package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
)

// rate is the unit of the calendar for which figures are wanted: "per week", "a month", "by quarter". It is a month when
// nothing is said.
type rate struct {
	unit unit
	said string
}

func (r rate) of() unit {
	if r.said == "" {
		return aMonth
	}
	return r.unit
}

// isList says whether each unit is asked for and not what one has on average: "by month".
func (r rate) isList() bool { return strings.HasPrefix(r.said, "by ") }

// isByDays says whether there are only averages for the unit: the tools tell months apart, and nothing shorter.
func (r rate) isByDays() bool { return r.of() < aMonth }

// isFolded says whether the unit is made of months.
func (r rate) isFolded() bool { return r.of() > aMonth }

// readRates reads "per week", "a year", "daily". Months are left to the phrases, which know more about them.
func (r *reader) readRates() {
	for i := range r.words {
		u, words := r.rateAt(i)
		if words == 0 || r.words[i].quote != 0 {
			continue
		}
		if r.rate.said != "" && r.rate.unit != u {
			r.missing = append(r.missing, r.rate.said+" and "+joined(r.words[i:i+words]))
		}
		r.rate = rate{u, joined(r.words[i : i+words])}
		m := saysMonth
		switch {
		case u == aMonth:
			continue
		case r.rate.isByDays() && r.rate.isList():
			r.missing = append(r.missing, r.rate.said)
		case r.rate.isByDays():
			m = saysAverage
		}
		r.marks |= m
		r.phrases = append(r.phrases, heardPhrase{m, r.rate.said})
		r.use(i, words)
	}
}

// readGroups finds two ways to tell figures apart at once: "by category and month".
func (r *reader) readGroups() {
	isGroup := func(i int) bool {
		_, isUnit := unitNamed(r.text(i))
		_, isKind := kindNamed(r.text(i))
		return isUnit || isKind
	}
	for i := range r.words {
		at := i + 2
		for at < len(r.words) && r.are(at, "and|by|per") {
			at++
		}
		if r.are(i, "by|per") && isGroup(i+1) && at > i+2 && isGroup(at) {
			r.missing = append(r.missing, joined(r.words[i:at+1]))
			r.use(i, at+1-i)
		}
	}
}

// rateAt gives the unit of a rate and how many words it is.
func (r *reader) rateAt(i int) (unit, int) {
	adverbs := map[string]unit{"daily": aDay, "weekly": aWeek, "monthly": aMonth, "quarterly": aQuarter, "yearly": aYear, "annual": aYear, "annually": aYear}
	if u, isAdverb := adverbs[r.text(i)]; isAdverb {
		return u, 1
	}
	u, isUnit := unitNamed(r.text(i + 1))
	isLed := r.are(i, "per|by|each|every|average|avg|typical") || r.are(i, "a") && !slices.Contains([]string{"for", "half", "of", "over", "than"}, r.before(i))
	if !isUnit || !isLed || r.are(i+2, "ago|before|by|to") {
		return 0, 0
	}
	return u, 2
}

// String is the word for one.
func (u unit) String() string {
	return [...]string{"day", "week", "month", "quarter", "half", "year"}[u]
}

// averageRates makes averages of rates that are compared: "did I spend more per month in 2025 than in 2024".
func (q *question) averageRates() {
	isCompared := len(q.periods) > 1 || q.against && len(q.periods) > 0
	if q.topic == sums && q.rate.said != "" && !q.rate.isList() && q.rate.of() == aMonth && isCompared && q.says(saysMore|saysCompare|saysChange) {
		q.marks |= saysAverage
	}
}

// checkRates finds units that a topic cannot tell apart, and spans that are too short for an average.
func (q *question) checkRates(today ledger.Date) {
	isAverage := q.topic == sums && q.says(saysAverage)
	switch {
	case q.rate.said == "" && !isAverage:
	case isAverage && q.rate.said == "" && q.perEntry:
		q.missing = append(q.missing, "an average of single transactions")
	case q.rate.of() != aMonth && q.topic != sums && len(q.missing) == 0:
		q.missing = append(q.missing, q.rate.said)
	case q.rate.isFolded() && (isAverage || len(q.spans) > 1):
		q.missing = append(q.missing, "averages and comparisons by "+q.rate.unit.String())
	case isAverage && q.rate.isByDays():
		q.daysOnly(today)
	case isAverage:
		q.monthsOnly(today)
	}
}

// daysOnly ends spans today, and finds those that are shorter than the unit.
func (q *question) daysOnly(today ledger.Date) {
	for i, s := range q.spans {
		q.spans[i] = s.toDate(today)
		switch {
		case s.first == ledger.MinDate:
			q.missing = append(q.missing, "an average of all time")
		case q.rate.unit == aWeek && q.spans[i].days() < 7:
			q.missing = append(q.missing, "an average of less than a week")
		}
	}
}

// monthsOnly makes spans of whole months that are over.
func (q *question) monthsOnly(today ledger.Date) {
	for i, s := range q.spans {
		whole, found := s.wholeMonths(today)
		if !found {
			q.missing = append(q.missing, "an average of less than a month")
			return
		}
		q.spans[i] = whole
	}
}

// days is how many days a span has.
func (s span) days() int64 { return int64(s.last-s.first) + 1 }

// each is what the unit has on average: the total over the number of units, rounded once, half away from zero.
func (q question) each(r found, s span) sumPart {
	parts, units := int64(1), int64(s.months())
	if q.rate.isByDays() {
		parts, units = map[unit]int64{aDay: 1, aWeek: 7}[q.rate.unit], s.days()
	}
	c, _ := money.LookupCurrency(r.Currency)
	of := func(total decimal.Decimal) decimal.Decimal {
		return total.Mul(decimal.NewFromInt(parts)).DivRound(decimal.NewFromInt(units), int32(c.Exponent))
	}
	return sumPart{Income: of(r.Income), Expenses: of(r.Expenses)}
}

// average says what a unit has on average; of a single month that is all of it.
func (q question) average(r found, s span) string {
	units := counted(int64(s.months()), "month")
	if q.rate.isByDays() {
		units = counted(s.days(), "day")
	} else if s.months() == 1 {
		return fmt.Sprintf("In the only whole month you %s%s %s.", q.amounts(r), q.scope(), during(s))
	}
	part := q.each(r, s)
	each := found{Currency: r.Currency, Income: part.Income, Expenses: part.Expenses, Net: part.of("")}
	return fmt.Sprintf("On average you %s a %s%s %s: %s in %s.", q.amounts(each), q.rate.of(), q.scope(), during(s), q.short(r.total(), r.Currency), units)
}

// averagesCompared puts the averages of several spans side by side. With two of them it says the difference.
func (q question) averagesCompared(results []found) (lines []string) {
	for i, r := range results {
		lines = append(lines, q.average(r.sums(), q.spans[i]))
	}
	if len(results) > 2 {
		return lines
	}
	a, b, currency := q.each(results[0].sums(), q.spans[0]), q.each(results[1].sums(), q.spans[1]), results[0].Currency
	text := difference(a.of(q.side), b.of(q.side), currency)
	if q.side == "" {
		text = fmt.Sprintf("%s in and %s out", difference(a.Income, b.Income, currency), difference(a.Expenses, b.Expenses, currency))
	}
	return append(lines, fmt.Sprintf("The first is %s a %s.", text, q.rate.of()))
}

// folded adds up months to longer units.
func folded(months []sumPart, u unit) (parts []sumPart) {
	for _, p := range months {
		day, _ := ledger.ParseDate(p.Month + "-01") // what a tool gave
		year := day.Time().Year()
		name := fmt.Sprint(year)
		if u == aQuarter {
			name = fmt.Sprintf("%d Q%d", year, (int(day.Time().Month())+2)/3)
		}
		if last := len(parts) - 1; last >= 0 && parts[last].Month == name {
			parts[last].Income, parts[last].Expenses = parts[last].Income.Add(p.Income), parts[last].Expenses.Add(p.Expenses)
		} else {
			parts = append(parts, sumPart{Month: name, Income: p.Income, Expenses: p.Expenses})
		}
	}
	return parts
}

// foldAll adds up the months of all results, where a longer unit is asked for.
func (q question) foldAll(results []found) {
	for i := range results {
		if q.rate.isFolded() {
			results[i].ByMonth = folded(results[i].ByMonth, q.rate.unit)
		}
	}
}

// usualUnits are the last units of a question that does not say a period: twelve months, four quarters or three years.
func (q question) usualUnits(today ledger.Date) span {
	u := q.rate.of()
	n := cmp.Or(map[unit]int{aQuarter: 4, aYear: 3}[u], 12)
	return span{first: u.back(u.startOf(today), n-1), last: today}
}
