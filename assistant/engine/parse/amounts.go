package parse

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/assistant/engine/dates"
	"finsvc/assistant/engine/token"
	"finsvc/ledger"
	"finsvc/ledger/calendar"
)

// saidAmount is an amount as it stands in a question.
type saidAmount struct {
	decimal.Decimal
	money bool // with its currency
	end   int  // the word behind it
}

// amountRange reads "between 20 and 50", and "from 20 to 50 EUR", "20-50 euros", which without a currency may be
// anything. What may be days as well as amounts is asked about.
func amountRange(r *reader, i int) bool {
	start, isBetween := i, r.are(i, "between")
	if isBetween || r.are(i, "from|of") {
		start++
	}
	least, ok := r.amountAt(start)
	if !ok || !r.are(least.end, "and|to|through") || r.are(least.end, "and") && !isBetween {
		return false
	}
	most, ok := r.amountAt(least.end + 1)
	isMoney := least.money || most.money
	if !ok || !isMoney && (!isBetween || calendar.IsYear(least.String()) || calendar.IsYear(most.String()) ||
		r.isCounted(most.end)) {
		return false
	}
	_, isPeriod := r.calendar.At(i)
	switch {
	case isMoney:
	case isPeriod:
		return false
	case mayBeDays(r, i, least.Decimal, most.Decimal, most.end):
		said := token.Joined(r.words[i:most.end])
		r.Unclear = append(r.Unclear, fmt.Sprintf("%s may be days or amounts; say for example %s or %s.",
			ledger.Quote(said),
			ledger.Quote(fmt.Sprintf("from the %s to the %s", ordinal(least.IntPart()),
				ordinal(most.IntPart()))), ledger.Quote(said+" "+r.currency)))
	}
	r.Least, r.Most = &least.Decimal, &most.Decimal
	r.use(i, most.end-i)
	return true
}

// mayBeDays reports whether two numbers without a currency may be days of a month that is said beside them.
func mayBeDays(r *reader, from int, least, most decimal.Decimal, end int) bool {
	isDay := func(n decimal.Decimal) bool { _, is := calendar.DayNumber(n.String()); return is }
	isMonth := func(p dates.Period, found bool) bool { return found && p.Unit == calendar.Month }
	before := slices.IndexFunc(r.words,
		func(w token.Word) bool { return calendar.MonthNamed(w.Text) != 0 || w.Text == "month" })
	return isDay(least) && isDay(most) && (isMonth(r.calendar.Plain(end)) ||
		before >= 0 && before < from && before >= from-2)
}

// ordinal is a day of a month as it is said: 3rd, 17th.
func ordinal(n int64) string {
	ending := map[int64]string{1: "st", 2: "nd", 3: "rd"}[n%10]
	if ending == "" || n/10 == 1 {
		ending = "th"
	}
	return fmt.Sprint(n, ending)
}

// amountAt reads an amount at a place, with its currency before or after it.
func (r *reader) amountAt(i int) (a saidAmount, ok bool) {
	if r.isCurrency(i) {
		i, a.money = i+1, true
	}
	a.Decimal, ok = token.AmountOf(r.text(i))
	if i++; r.isCurrency(i) {
		i, a.money = i+1, true
	}
	a.end = i
	return a, ok
}

// isCounted reports whether the number before a place counts something that is no money.
func (r *reader) isCounted(i int) bool {
	_, isUnit := token.UnitNamed(r.text(i))
	return isUnit || r.are(i, "times|percent|shares|transactions|payments|purchases|accounts|categories|merchants")
}

func (r *reader) bounded(i, words int, bound **decimal.Decimal) {
	if r.bound(i+words, bound) {
		r.use(i, words)
	}
}

// exact reads "of 42 EUR", "for 15.99": a number that can only be an amount.
func exact(r *reader, i int) {
	var amount *decimal.Decimal
	isMoney := r.isCurrency(i+1) || r.isCurrency(i+2) ||
		strings.Contains(r.text(i+1), ".") && strings.Count(r.text(i+1), ".") == 1
	if isMoney && r.bound(i+1, &amount) {
		r.Least, r.Most = amount, amount
		r.use(i, 1)
	}
}

// bound reads an amount at the first unread word from i on. Part of a date it is not, and a year may be one: "over
// 2025".
func (r *reader) bound(i int, bound **decimal.Decimal) bool {
	for i < len(r.words) && r.words[i].Used {
		i++
	}
	a, ok := r.amountAt(i)
	p, isPeriod := r.calendar.Point(i)
	switch {
	case !ok, r.isCounted(a.end):
		return false
	case a.money, !isPeriod:
	case p.Words > 1 || r.before(i) != "over":
		if p.Words > 1 {
			return false
		}
	case calendar.IsYear(a.String()) && p.First <= r.calendar.Today && p.Last >= r.names.Begins:
		r.Unclear = append(r.Unclear, fmt.Sprintf("%s may be the year or an amount; say %s or %s.",
			ledger.Quote("over "+a.String()),
			ledger.Quote("in "+a.String()), ledger.Quote("over "+a.String()+" "+r.currency)))
	}
	*bound = &a.Decimal
	r.use(i, a.end-i)
	return true
}

// isCurrency reports whether a word is the household's currency.
func (r *reader) isCurrency(i int) bool {
	t := r.text(i)
	if t == "" {
		return false
	}
	common := map[string]string{"EUR": "€ euro euros", "USD": "$ dollar dollars bucks", "GBP": "£ pound pounds quid",
		"JPY": "¥ yen", "CHF": "franken francs",
		"CAD": "$ dollar dollars", "AUD": "$ dollar dollars"}
	return strings.EqualFold(t, r.currency) || slices.Contains(strings.Fields(common[r.currency]), t)
}

// maxRows is how many rows an answer has at most, when more are asked for.
const maxRows = 50

// readLimit reads the number in "top 5", "last ten transactions", "5 largest".
func readLimit(r *reader) {
	const order = "top|last|latest|recent|newest|first|oldest|largest|biggest|highest|smallest|lowest|cheapest"
	const things = "|most|transactions|payments|expenses|purchases|incomes|merchants|categories|tags|shops|stores|entries|bookings|months"
	for i := range r.words {
		n, isNumber := token.SmallNumber(r.text(i))
		_, isUnit := token.UnitNamed(r.text(i + 1))
		_, isPeriod := token.UnitNamed(r.text(i + 2)) // "category 5 last month" wants no five rows
		isPeriod = isPeriod && r.are(i+1, "last|first|latest")
		if !isNumber || n == 0 || isUnit || isPeriod || r.endsName(i) ||
			!r.are(i-1, order) && !r.are(i+1, order+things) {
			continue
		}
		r.Limit = min(n, maxRows)
		r.use(i, 1)
	}
}
