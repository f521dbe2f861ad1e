package engine

import (
	"fmt"

	"finsvc/ledger"
)

// beginOf is the first day in the books of some accounts, or of all when none are named; 0 when there is nothing in them.
func (n *names) beginOf(accounts []string) (begins ledger.Date) {
	if len(accounts) == 0 {
		return n.begins
	}
	for _, k := range n.all {
		for _, name := range accounts {
			if k.kind == accountKind && k.name == name && k.begins != 0 && (begins == 0 || k.begins < begins) {
				begins = k.begins
			}
		}
	}
	return begins
}

// books are those whose beginning is told.
func (q question) books() string {
	if names := q.filter[accountKind]; len(names) > 0 {
		return "The books of " + quoted(names) + " begin"
	}
	return "Your books begin"
}

// checkBegin looks for days before the books. What there was then nobody knows: it is not nothing. What grew since then is told
// from the first day of the books on; what is compared with days that are wholly before them is refused.
func (q *question) checkBegin() {
	if q.begins == 0 || !q.understood() {
		return
	}
	isOfDay := q.topic == netWorth || q.topic == balances || q.topic == debts
	if isOfDay && len(q.spans) == 2 && q.says(saysChange) && q.spans[1].last < q.begins && q.spans[0].last > q.begins {
		q.spans[1] = span{first: q.begins, last: q.begins}
		q.notes = append(q.notes, fmt.Sprintf("%s on %s, so this is what changed since then.", q.books(), q.begins))
	}
	for i, s := range q.spans {
		switch {
		case isOfDay && q.isSeries(s) && s.first < q.begins && q.begins <= s.last:
			q.spans[i].first = q.begins
			q.notes = append(q.notes, fmt.Sprintf("%s on %s, so this is what changed since then.", q.books(), q.begins))
		case s.last < q.begins && (isOfDay && q.said || q.topic == sums && (len(q.spans) > 1 || q.says(saysAverage))):
			day := s.String()
			q.unclear = append(q.unclear, fmt.Sprintf("%s on %s, and have nothing of %s.", q.books(), q.begins, day))
		case q.topic == sums && s.first == ledger.MinDate:
			q.spans[i].begins = q.begins
		}
	}
	for i := range q.subjects {
		if q.topic == sums && q.subjects[i].span.first == ledger.MinDate {
			q.subjects[i].span.begins = q.begins
		}
	}
}

// beginning says when the books begin where some of the days are before that.
func (q question) beginning() []string {
	for _, s := range q.spans {
		if isOfMoney := q.isOfMoney(); isOfMoney && q.begins > 0 && s.first > ledger.MinDate && s.first < q.begins {
			text := fmt.Sprintf("%s on %s", q.books(), q.begins)
			if len(q.spans) > 1 {
				text += ", so not all of the days that are compared are in them"
			}
			return []string{text + "."}
		}
	}
	return nil
}
