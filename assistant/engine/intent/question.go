// Package intent makes a question of what was read: what it is about, what it is narrowed to, which spans of days and
// which subjects it puts side by side, and what of it comes from the questions before. What may mean more than one
// thing, or cannot be answered, is in the question as missing or unclear; nothing is guessed. It neither looks
// figures up nor words an answer.
package intent

import (
	"maps"
	"slices"

	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/parse"
	"finsvc/assistant/engine/prose"
	"finsvc/ledger"
	"finsvc/ledger/calendar"
)

// Topic is what a question is about.
type Topic int

// The topics.
const (
	noTopic   Topic = iota
	Sums            // what was spent and earned
	Entries         // which transactions there are
	HowMany         // how many transactions there are
	Balances        // what is in accounts
	NetWorth        // what the household is worth
	Debts           // what it owes
	Holdings        // which securities it holds
	NameLists       // which categories, merchants and tags there are
	Greeting
)

// allowed are the cues that a topic can make something of.
func (t Topic) allowed() parse.Cue {
	const always = parse.HowMuch | parse.Total | parse.Ever | parse.List | parse.FollowUp | parse.Hello
	return always | [...]parse.Cue{
		noTopic: 0,
		Sums: parse.Spending | parse.Income | parse.Saved | parse.Transactions | parse.Average | parse.Month | parse.Category | parse.Merchant | parse.Tag | parse.Account |
			parse.Compare | parse.More | parse.Change | parse.Largest | parse.Most | parse.Often | parse.Where | parse.OverTime | parse.Interest,
		Entries:   parse.Interest | parse.Transactions | parse.Find | parse.Largest | parse.Most | parse.Latest | parse.When | parse.Spending | parse.Income,
		HowMany:   parse.Interest | parse.Often | parse.Count | parse.Transactions | parse.Spending | parse.Income | parse.Compare | parse.More | parse.Find,
		Balances:  parse.Debts | parse.Count | parse.Balance | parse.Account | parse.Worth | parse.Compare | parse.Change | parse.More,
		NetWorth:  parse.NetWorth | parse.Worth | parse.OverTime | parse.Change | parse.Compare | parse.More | parse.Month | parse.Debts,
		Debts:     parse.Debts | parse.Account | parse.Balance,
		Holdings:  parse.Holdings | parse.Worth | parse.Count | parse.Balance | parse.Largest | parse.Compare,
		NameLists: parse.Category | parse.Merchant | parse.Tag | parse.Count | parse.Balance,
		Greeting:  parse.Hello,
	}[t]
}

// kinds are what a topic may be narrowed to, in the order in which a name is understood.
func (t Topic) kinds(leading string) []household.Kind {
	switch t {
	case Sums, Entries, HowMany:
		switch {
		case slices.Contains([]string{"at", "to", "from", "did", "pay", "paid"}, leading):
			return []household.Kind{household.MerchantKind, household.AccountKind, household.CategoryKind,
				household.TagKind}
		case parse.IsMeans(leading):
			return []household.Kind{household.AccountKind, household.MerchantKind, household.CategoryKind,
				household.TagKind}
		}
		return []household.Kind{household.CategoryKind, household.MerchantKind, household.TagKind,
			household.AccountKind}
	case Balances, Debts:
		return []household.Kind{household.AccountKind}
	case Holdings:
		return []household.Kind{household.SecurityKind, household.AccountKind}
	}
	return nil
}

// isOfDay reports whether a topic is about what there is on a day, and not about what happened in a period.
func (t Topic) isOfDay() bool {
	return slices.Contains([]Topic{Balances, NetWorth, Debts, Holdings}, t)
}

// Question is a question that was understood, unless something is missing.
type Question struct {
	parse.Parsed
	Topic  Topic
	Side   string // of sums and transactions: expense, income or both when empty
	Group  string // of sums: category, merchant, tag, account, month, or none
	Filter map[household.Kind][]string
	Spans  []calendar.Span // the period, and those that it is compared with
	Said   bool            // the period was said
	parted bool            // a category of the filter has sub-categories
	Today  ledger.Date

	named    []namedItems   // the mentions, and what they were taken for
	Subjects []Subject      // what is put side by side, if it is not periods
	Versus   household.Kind // of the subjects
	contrast bool           // the subjects are to be put side by side, by the question before if not by this one
	borrowed bool           // the mentions or the periods are those of the question before
	Begins   ledger.Date    // the first day in the books of what is asked for; 0 when they are empty
	Pair     []Question     // two questions whose figures are compared
	Behind   *Question      // of a list: the question whose figure the transactions are of
}

// Understood reports whether a question can be answered.
func (q Question) Understood() bool {
	return q.Topic != noTopic && q.Topic != Greeting && len(q.Missing)+len(q.Unclear) == 0
}

// IsOfMoney reports whether a question is about what was spent and earned, added up, listed or counted.
func (q Question) IsOfMoney() bool {
	return q.Topic == Sums || q.Topic == Entries || q.Topic == HowMany
}

// BySearch reports whether texts or amounts narrow a question.
func (q Question) BySearch() bool { return q.Search != "" || q.Least != nil || q.Most != nil }

// IsBothWays reports whether what came in and what went out are both asked for.
func (q Question) IsBothWays() bool { return q.Says(parse.Income) && q.Says(parse.Spending) }

// IsTogether reports whether one call gives the figures of all subjects.
func (q Question) IsTogether() bool {
	return len(q.Subjects) > 0 && len(q.Spans) == 1 && q.Topic == Sums && !q.hasFlow() && q.Group != "month" &&
		!q.BySearch() && !q.Says(parse.Average)
}

// IsEach reports whether each subject is a call of its own.
func (q Question) IsEach() bool {
	return len(q.Subjects) > 0 && !q.IsTogether() && (q.Topic != Balances || q.Said)
}

// Only is the question about one of its subjects.
func (q Question) Only(s Subject) Question {
	q.Filter = maps.Clone(q.Filter)
	q.Filter[q.Versus] = s.Called()
	if s.IsFlow() {
		delete(q.Filter, q.Versus)
	}
	q.Side, q.Spans, q.Subjects = s.Side, []calendar.Span{s.Span}, nil
	if q.Group != "month" {
		q.Group = ""
	}
	return q
}

// longest is how many days a span may have that stands for its last day where only one can be.
const longest = 62

// IsSeries reports whether net worth is asked for over time.
func (q Question) IsSeries(s calendar.Span) bool {
	return q.Topic == NetWorth && len(q.Spans) == 1 && s.Moment == 0 &&
		(s.Last-s.First > longest || s.Last > s.First && q.Says(parse.OverTime|parse.Month))
}

// IsInterestOfAccount reports whether the interest of some accounts is added up, of which some may be booked in
// others: a loan is paid from elsewhere.
func (q Question) IsInterestOfAccount() bool {
	return q.Topic == Sums && q.Says(parse.Interest) && len(q.Filter[household.AccountKind]) > 0 &&
		len(q.Filter[household.CategoryKind]) > 0 && len(q.Spans) == 1 &&
		len(q.Subjects) == 0 && len(q.Pair) == 0 && q.Behind == nil && q.Group != "month" && !q.Says(parse.Average) &&
		!q.BySearch()
}

// Lists are the kinds of names that are asked for.
func (q Question) Lists() (kinds []household.Kind) {
	for _, k := range []household.Kind{household.CategoryKind, household.MerchantKind, household.TagKind} {
		if q.Says([]parse.Cue{parse.Category, parse.Merchant, parse.Tag}[k]) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// Books begins a sentence about the first day in the books that a question is about.
func (q Question) Books() string {
	names := q.Filter[household.AccountKind]
	if len(names) > 0 {
		return "The books of " + prose.Quoted(names) + " begin"
	}
	return "Your books begin"
}

// SidesBehind are the ways of the money of a figure; both where it is what is left.
func (q Question) SidesBehind() []string {
	if q.Side != "" {
		return []string{q.Side}
	}
	if q.Behind.Topic == HowMany {
		return []string{""}
	}
	return []string{household.Income, household.Expense}
}

// hasFlow reports whether all income or spending is among what a question puts side by side.
func (q Question) hasFlow() bool {
	return slices.ContainsFunc(q.named, func(n namedItems) bool { return n.Items[0].Kind == household.FlowKind })
}

// unit is what the one figure of an answer counts; empty where there is none or more than one.
func (q Question) unit() string {
	isOne := len(q.Spans) == 1 && len(q.Subjects) == 0 && len(q.Pair) == 0 &&
		(!q.Says(parse.Largest|parse.Most) || q.Topic != Sums)
	switch {
	case !isOne || q.Behind != nil:
	case q.Topic == Sums && q.Rate.IsList(), q.Topic == NetWorth && q.IsSeries(q.Spans[0]),
		q.Topic == Balances && len(q.Filter[household.AccountKind]) != 1:
	case q.Topic == Sums && q.Says(parse.Average):
		return "money a " + q.Rate.Of().String()
	case q.Topic == Sums:
		return "money"
	case q.Topic == Balances, q.Topic == NetWorth, q.Topic == Debts:
		return "worth"
	case q.Topic == HowMany:
		return "transactions"
	}
	return ""
}

// class says what the category that is named first is for: income or expense; empty when none is named.
func (q Question) class() string {
	for _, m := range q.Mentions {
		for _, k := range m.Of(household.CategoryKind) {
			return k.Class
		}
	}
	return ""
}

// flow is what is set against a name that is the only one.
func (q *Question) flow() string {
	switch {
	case q.Says(parse.Income) && !q.Says(parse.Spending):
		return "all income"
	case q.Says(parse.Spending) && !q.Says(parse.Income):
		return "all spending"
	}
	return "nothing"
}
