package intent

import (
	"fmt"

	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/parse"
	"finsvc/assistant/engine/prose"
	"finsvc/ledger"
	"finsvc/ledger/calendar"
)

// checkOneAccount asks which account is meant where several may be.
func checkOneAccount(q *Question, m parse.Mention) {
	of := m.Of(household.AccountKind)
	if m.One && len(of) > 1 && q.IsOfMoney() {
		var list []string
		for _, k := range of {
			list = append(list, k.Name)
		}
		q.Unclear = append(q.Unclear, fmt.Sprintf("%s may be the accounts %s; say which.", ledger.Quote(m.Shown()),
			prose.Quoted(list)))
	}
}

// checkBegin looks for days before the books. What there was then is not known: it is not nothing. What grew since
// then is given from the first day of the books on; what is compared with days that are wholly before them is
// refused.
func checkBegin(q *Question) {
	if q.Begins == 0 || !q.Understood() {
		return
	}
	isOfDay := q.Topic == NetWorth || q.Topic == Balances || q.Topic == Debts
	if isOfDay && len(q.Spans) == 2 && q.Says(parse.Change) && q.Spans[1].Last < q.Begins &&
		q.Spans[0].Last > q.Begins {
		q.Spans[1] = calendar.Span{First: q.Begins, Last: q.Begins}
		q.Notes = append(q.Notes, fmt.Sprintf("%s on %s, so this is what changed since then.", q.Books(), q.Begins))
	}
	for i, s := range q.Spans {
		switch {
		case isOfDay && q.IsSeries(s) && s.First < q.Begins && q.Begins <= s.Last:
			q.Spans[i].First = q.Begins
			q.Notes = append(q.Notes, fmt.Sprintf("%s on %s, so this is what changed since then.", q.Books(), q.Begins))
		case s.Last < q.Begins && (isOfDay && q.Said || q.Topic == Sums && (len(q.Spans) > 1 || q.Says(parse.Average))):
			day := s.String()
			q.Unclear = append(q.Unclear, fmt.Sprintf("%s on %s, and have nothing of %s.", q.Books(), q.Begins, day))
		case q.Topic == Sums && s.First == ledger.MinDate:
			q.Spans[i].Begins = q.Begins
		}
	}
	for i := range q.Subjects {
		if q.Topic == Sums && q.Subjects[i].Span.First == ledger.MinDate {
			q.Subjects[i].Span.Begins = q.Begins
		}
	}
}

// checkCues finds what a question says that its topic can make nothing of.
func checkCues(q *Question) {
	rest := q.Cues &^ q.Topic.allowed()
	if rest == 0 || len(q.Missing) > 0 {
		return
	}
	for _, p := range q.Phrases {
		if q.Topic != noTopic && p.Cue&rest != 0 {
			q.Missing = append(q.Missing, p.Text)
		}
	}
	q.Topic = noTopic
}

// checkTexts finds texts and amounts that a topic can make nothing of: only transactions have them, and sums of those
// are not told apart.
func checkTexts(q *Question) {
	ofTransactions := q.Topic == Sums && q.Group == "" || q.Topic == Entries || q.Topic == HowMany
	switch {
	case ofTransactions:
	case q.Search != "":
		q.Missing = append(q.Missing, q.Search)
	case q.Least != nil || q.Most != nil:
		q.Missing = append(q.Missing, "an amount here")
	}
}
