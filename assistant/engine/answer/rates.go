package answer

import (
	"fmt"

	"github.com/shopspring/decimal"

	"finsvc/assistant/engine/intent"
	"finsvc/assistant/engine/prose"
	"finsvc/ledger"
	"finsvc/ledger/calendar"
	"finsvc/ledger/money"
)

// each is what the unit has on average: the total over the number of units, rounded once, half away from zero.
func each(q intent.Question, r figures, s calendar.Span) sumPart {
	parts, units := int64(1), int64(s.Months())
	if q.Rate.IsByDays() {
		parts, units = map[calendar.Unit]int64{calendar.Day: 1, calendar.Week: 7}[q.Rate.Unit], s.Days()
	}
	c, _ := money.LookupCurrency(r.Currency)
	of := func(total decimal.Decimal) decimal.Decimal {
		return total.Mul(decimal.NewFromInt(parts)).DivRound(decimal.NewFromInt(units), int32(c.Exponent))
	}
	return sumPart{Income: of(r.Income), Expenses: of(r.Expenses)}
}

// average says what a unit has on average; of a single month that is all of it.
func average(q intent.Question, r figures, s calendar.Span) string {
	units := prose.Counted(int64(s.Months()), "month")
	if q.Rate.IsByDays() {
		units = prose.Counted(s.Days(), "day")
	} else if s.Months() == 1 {
		return fmt.Sprintf("In the only whole month you %s%s %s.", amounts(q, r), scope(q), prose.During(s))
	}
	part := each(q, r, s)
	each := figures{Currency: r.Currency, Income: part.Income, Expenses: part.Expenses, Net: part.of("")}
	return fmt.Sprintf("On average you %s a %s%s %s: %s in %s.", amounts(q, each), q.Rate.Of(), scope(q),
		prose.During(s), short(q, r.total(), r.Currency), units)
}

// averagesCompared puts the averages of several spans side by side. With two of them it says the difference.
func averagesCompared(q intent.Question, results []figures) (lines []string) {
	for i, r := range results {
		lines = append(lines, average(q, r.sums(), q.Spans[i]))
	}
	if len(results) > 2 {
		return lines
	}
	a, b, currency := each(q, results[0].sums(), q.Spans[0]), each(q, results[1].sums(), q.Spans[1]),
		results[0].Currency
	text := prose.Difference(a.of(q.Side), b.of(q.Side), currency)
	if q.Side == "" {
		text = fmt.Sprintf("%s in and %s out", prose.Difference(a.Income, b.Income, currency),
			prose.Difference(a.Expenses, b.Expenses, currency))
	}
	return append(lines, fmt.Sprintf("The first is %s a %s.", text, q.Rate.Of()))
}

// byUnit adds up months to longer units.
func byUnit(months []sumPart, u calendar.Unit) (parts []sumPart) {
	for _, p := range months {
		day, _ := ledger.ParseDate(p.Month + "-01") // what a tool gave
		year := day.Time().Year()
		name := fmt.Sprint(year)
		if u == calendar.Quarter {
			name = fmt.Sprintf("%d Q%d", year, (int(day.Time().Month())+2)/3)
		}
		last := len(parts) - 1
		if last >= 0 && parts[last].Month == name {
			parts[last].Income, parts[last].Expenses = parts[last].Income.Add(p.Income),
				parts[last].Expenses.Add(p.Expenses)
		} else {
			parts = append(parts, sumPart{Month: name, Income: p.Income, Expenses: p.Expenses})
		}
	}
	return parts
}
