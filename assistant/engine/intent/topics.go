package intent

import (
	"slices"

	"finsvc/assistant/engine/dates"
	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/parse"
)

// topicOf finds out what a question is about by itself.
func topicOf(a parse.Parsed) Topic {
	flow, listed := a.Says(parse.Spending|parse.Income|parse.Saved), a.Says(parse.Transactions|parse.Find|parse.When)
	grouped := a.Says(parse.Category | parse.Merchant | parse.Tag | parse.Month)
	switch {
	case a.Says(parse.NetWorth), a.Says(parse.Worth) && len(a.Mentions) == 0 && !a.Says(parse.Holdings|parse.Account):
		return NetWorth
	case a.Says(parse.Debts) && len(a.Mentions) > 0:
		return Balances
	case a.Says(parse.Debts):
		return Debts
	case a.Says(parse.Count) && (flow || listed):
		return HowMany
	case a.Says(parse.Most) && a.Says(parse.Often):
		return Sums
	case a.Says(parse.Largest|parse.Most|parse.Latest) && (flow || listed) && !grouped && !a.Says(parse.Account):
		if a.Says(parse.Most) && flow && !listed {
			return Sums
		}
		return Entries
	case flow && (a.Least != nil || a.Most != nil) && !a.Says(parse.HowMuch|parse.Average|parse.Saved):
		return Entries
	case grouped && a.Says(parse.Largest|parse.Most) && !listed && !flow:
		return Sums
	case !a.Says(parse.Find|parse.When) &&
		(listed && a.Says(parse.HowMuch|parse.Average|parse.Total) || flow && (grouped || !listed)):
		return Sums
	case listed:
		return Entries
	}
	isOverDays := func(p dates.Period) bool { return p.First < p.Last || len(a.Mentions) == 0 }
	switch {
	case a.Says(parse.Holdings), only(a, household.SecurityKind):
		return Holdings
	case a.Says(parse.Average) && len(a.Mentions) > 0:
		return Sums
	case a.Says(parse.Category|parse.Merchant|parse.Tag) && !a.Apart && len(a.Mentions) == 0 && len(a.Periods) == 0 &&
		!a.Says(parse.Largest|parse.Most|parse.OverTime|parse.Compare):
		return NameLists
	case a.Says(parse.Balance | parse.Worth | parse.Account):
		return Balances
	case a.Says(parse.Count) && len(a.Mentions) > 0:
		return HowMany
	case a.Says(parse.Latest|parse.Largest) && len(a.Mentions) > 0:
		return Entries
	case a.Says(parse.Total) && (a.Least != nil || a.Most != nil || slices.ContainsFunc(a.Periods, isOverDays)) &&
		(len(a.Mentions) == 0 || only(a, household.AccountKind)):
		return Sums
	}
	return noTopic
}

// weakTopic is what a question that names something or a period, and nothing more, is about.
func weakTopic(a parse.Parsed) Topic {
	switch {
	case only(a, household.AccountKind) && a.Search == "":
		return Balances
	case a.Having && only(a, household.CategoryKind) && !a.Says(parse.HowMuch):
		return Entries
	case len(a.Mentions) > 0, a.Says(parse.Average), a.Search != "" && (a.Says(parse.HowMuch) || len(a.Periods) > 0),
		a.Says(parse.Month|parse.Compare|parse.Change) && len(a.Periods) > 0:
		return Sums
	case a.Says(parse.Hello):
		return Greeting
	}
	return noTopic
}

// only reports whether everything that is named can be of one kind, and of no other.
func only(a parse.Parsed, k household.Kind) bool {
	return len(a.Mentions) > 0 && !slices.ContainsFunc(a.Mentions,
		func(m parse.Mention) bool { return len(m.Of(k)) < len(m.Options) })
}
