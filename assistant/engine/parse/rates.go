package parse

import (
	"slices"
	"strings"

	"finsvc/assistant/engine/token"
	"finsvc/ledger/calendar"
)

// Rate is the unit of the calendar for which figures are wanted: "per week", "a month", "by quarter". It is a month
// when nothing is said.
type Rate struct {
	Unit calendar.Unit
	Said string
}

// Of is the unit, which is a month when nothing is said.
func (r Rate) Of() calendar.Unit {
	if r.Said == "" {
		return calendar.Month
	}
	return r.Unit
}

// IsList reports whether each unit is asked for and not what one has on average: "by month".
func (r Rate) IsList() bool { return strings.HasPrefix(r.Said, "by ") }

// IsByDays reports whether there are only averages for the unit: the tools tell months apart, and nothing shorter.
func (r Rate) IsByDays() bool { return r.Of() < calendar.Month }

// IsOfMonths reports whether the unit is made of months.
func (r Rate) IsOfMonths() bool { return r.Of() > calendar.Month }

// readRates reads "per week", "a year", "daily". Months are left to the phrases, which know more about them.
func readRates(r *reader) {
	for i := range r.words {
		u, words := rateAt(r, i)
		if words == 0 || r.words[i].Quote != 0 {
			continue
		}
		if r.Rate.Said != "" && r.Rate.Unit != u {
			r.Missing = append(r.Missing, r.Rate.Said+" and "+token.Joined(r.words[i:i+words]))
		}
		r.Rate = Rate{u, token.Joined(r.words[i : i+words])}
		m := Month
		switch {
		case u == calendar.Month:
			continue
		case r.Rate.IsByDays() && r.Rate.IsList():
			r.Missing = append(r.Missing, r.Rate.Said)
		case r.Rate.IsByDays():
			m = Average
		}
		r.Cues |= m
		r.Phrases = append(r.Phrases, SaidPhrase{m, r.Rate.Said})
		r.use(i, words)
	}
}

// readGroups finds two ways to tell figures apart at once: "by category and month".
func readGroups(r *reader) {
	isGroup := func(i int) bool {
		_, isUnit := token.UnitNamed(r.text(i))
		_, isKind := kindNamed(r.text(i))
		return isUnit || isKind
	}
	for i := range r.words {
		at := i + 2
		for at < len(r.words) && r.are(at, "and|by|per") {
			at++
		}
		if r.are(i, "by|per") && isGroup(i+1) && at > i+2 && isGroup(at) {
			r.Missing = append(r.Missing, token.Joined(r.words[i:at+1]))
			r.use(i, at+1-i)
		}
	}
}

// rateAt gives the unit of a rate and how many words it is.
func rateAt(r *reader, i int) (calendar.Unit, int) {
	adverbs := map[string]calendar.Unit{"daily": calendar.Day, "weekly": calendar.Week, "monthly": calendar.Month,
		"quarterly": calendar.Quarter,
		"yearly":    calendar.Year, "annual": calendar.Year, "annually": calendar.Year}
	adverb, isAdverb := adverbs[r.text(i)]
	if isAdverb {
		return adverb, 1
	}
	u, isUnit := token.UnitNamed(r.text(i + 1))
	isLed := r.are(i, "per|by|each|every|average|avg|typical") ||
		r.are(i, "a") && !slices.Contains([]string{"for", "half", "of", "over", "than"}, r.before(i))
	if !isUnit || !isLed || r.are(i+2, "ago|before|by|to") {
		return 0, 0
	}
	return u, 2
}
