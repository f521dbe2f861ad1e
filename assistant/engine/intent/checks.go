package intent

import (
	"fmt"
	"slices"
	"strings"

	"finsvc/assistant/engine/calendar"
	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/parse"
	"finsvc/assistant/engine/prose"
	"finsvc/ledger"
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

// checkMoneyTo finds what is no spending: money that goes to an account of the household is a transfer, and what is
// bought for one that holds securities is a trade.
func checkMoneyTo(q *Question) {
	isCharge := func(p parse.SaidPhrase) bool { return strings.HasPrefix(strings.ToLower(p.Text), "charge") }
	isCharged := slices.ContainsFunc(q.Phrases, isCharge) // what is "charged to" an account is spent with it
	for _, n := range q.named {
		isTrading := strings.HasPrefix(n.Items[0].Types, "investment") || strings.HasPrefix(n.Items[0].Types, "crypto")
		isLoan := !slices.ContainsFunc(n.Items, func(k household.Item) bool { return !k.IsOfType("loan") })
		switch {
		case n.Items[0].Kind != household.AccountKind:
		case isLoan && q.IsOfMoney() && q.Says(parse.Spending) && !q.Says(parse.Interest) &&
			slices.Contains([]string{"on", "for", "to", "off"}, n.Leading):
			q.Unclear = append(q.Unclear,
				fmt.Sprintf("what is paid to %s is a transfer and not spent; ask for its balance, its interest, or for what was spent in the account.", ledger.Quote(n.Shown())))
		case q.Topic == Sums && !q.Says(parse.Income) && !isCharged &&
			slices.Contains([]string{"to", "into"}, n.Leading):
			q.Missing = append(q.Missing, "money to "+n.Shown())
		case isTrading && q.Says(parse.Transactions) && q.Says(parse.Spending):
			q.Missing = append(q.Missing, "trades of "+n.Shown())
		}
	}
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
