package intent

import (
	"fmt"
	"slices"
	"strings"

	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/parse"
	"finsvc/assistant/engine/prose"
	"finsvc/ledger"
)

// choose decides what the names of a question mean. Names of one kind widen what is asked for, those of another narrow
// it; so names that are joined by "and" must be of one kind.
func choose(q *Question) {
	last := household.Kind(-1)
	for _, m := range q.Mentions {
		flow := m.Of(household.FlowKind)
		if len(flow) > 0 {
			q.named = append(q.named, namedItems{m, flow})
			continue
		}
		kinds := q.Topic.kinds(m.Leading)
		if m.IsSpentFor() && q.IsOfMoney() && !q.Says(parse.Interest) {
			kinds = []household.Kind{household.CategoryKind}
		} else if m.ByType && (m.Noun || q.Says(parse.Interest)) {
			kinds = []household.Kind{household.AccountKind}
		} else if m.ByType && q.Topic != Balances && q.Topic != Holdings &&
			!slices.Contains([]string{"with", "from", "on", "in", "by", "of", "to"}, m.Leading) {
			kinds = nil // "savings on groceries" are no account
		}
		if m.Connector != parse.Alone && last >= 0 && (!m.ByType || m.Connector > parse.With) {
			kinds = []household.Kind{last}
		}
		at := slices.IndexFunc(kinds, func(k household.Kind) bool { return len(m.Of(k)) > 0 })
		if at < 0 {
			q.Missing = append(q.Missing, m.Shown())
			continue
		}
		last = kinds[at]
		if last == household.AccountKind {
			checkOneAccount(q, m)
		}
		take(q, m, last)
		q.named = append(q.named, namedItems{m, m.Of(last)})
	}
}

// takeAll means all accounts, where each is looked up by itself and they are few.
func takeAll(q *Question, n *household.Names) {
	var all []string
	for _, k := range n.All {
		if k.Kind == household.AccountKind {
			all = append(all, k.Name)
		}
	}
	if len(all) <= parse.MaxMentions {
		q.Filter[household.AccountKind] = all
	}
}

// take narrows a question to what a mention means.
func take(q *Question, m parse.Mention, k household.Kind) {
	var quoted []string
	for _, o := range m.Of(k) {
		if !slices.Contains(q.Filter[k], o.Name) {
			q.Filter[k] = append(q.Filter[k], o.Name)
		}
		q.parted = q.parted || o.Parted
		if q.Side == "" && k == household.CategoryKind {
			q.Side = o.Class
		}
		quoted = append(quoted, ledger.Quote(o.Name))
	}
	switch {
	case m.Said == "" || m.ByType && k == household.AccountKind || ledger.Fold(m.Said) == ledger.Fold(m.Of(k)[0].Name):
	case len(quoted) == 1:
		q.Notes = append(q.Notes, fmt.Sprintf("I took %s as the %s %s.", ledger.Quote(m.Said), k, quoted[0]))
	default:
		q.Notes = append(q.Notes, fmt.Sprintf("I took %s as the %s %s.", ledger.Quote(m.Said), k.Plural(),
			prose.Listed(quoted)))
	}
	for _, o := range m.Options {
		if o.Kind != k && m.Said == "" && slices.Contains(q.Topic.kinds(""), o.Kind) {
			q.Notes = append(q.Notes, fmt.Sprintf("There is a %s of that name, too: ask for %s.", o.Kind,
				ledger.Quote(o.Kind.String()+" "+o.Name)))
		}
	}
}

// direct decides whether money out, money in or both is meant: what is said, else what the category is for.
func direct(q *Question) {
	out, in := q.Says(parse.Spending), q.Says(parse.Income)
	// Find what is no spending: money that goes to an account of the household is a transfer, and what is
	// bought for one that holds securities is a trade.
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
	if q.Says(parse.Saved) && len(q.Mentions) > 0 && !isFlowOfAccount(q) {
		q.Missing = append(q.Missing, "savings on "+q.Mentions[0].Shown())
	}
	switch {
	case q.Topic != Sums && q.Topic != Entries && q.Topic != HowMany, out && in, q.Says(parse.Saved):
		q.Side = ""
	case out:
		q.Side = household.Expense
	case in:
		q.Side = household.Income
	case q.Topic == Sums && q.Says(parse.Largest|parse.Most):
		q.Side = household.Expense
	case q.Topic == Sums && (q.Says(parse.Transactions) || len(q.Filter[household.CategoryKind]) == 0):
		q.Side = ""
	case q.Topic == Entries && q.Says(parse.Largest|parse.Most) || q.Topic == Sums:
	default:
		q.Side = ""
	}
	// Decide whether interest was paid or earned where the question does not say it: that of a loan or a card
	// is paid, that of any other account earned. Without either it is both.
	accounts := slices.DeleteFunc(slices.Clone(q.named),
		func(n namedItems) bool { return n.Items[0].Kind != household.AccountKind })
	isOwed := func(n namedItems) bool {
		return !slices.ContainsFunc(n.Items,
			func(k household.Item) bool { return !k.IsOfType("loan credit_card other_liability") })
	}
	switch {
	case !q.Says(parse.Interest) || q.Says(parse.Spending|parse.Income) || !q.IsOfMoney():
	case len(accounts) > 0 && !slices.ContainsFunc(accounts, func(n namedItems) bool { return !isOwed(n) }):
		q.Side = household.Expense
	case len(accounts) > 0 && !slices.ContainsFunc(accounts, isOwed):
		q.Side = household.Income
	default:
		q.Side = ""
	}
}

// isFlowOfAccount reports whether what came in and went out of accounts is asked for. What was saved in one is a
// transfer.
func isFlowOfAccount(q *Question) bool {
	isSaving := func(p parse.SaidPhrase) bool {
		return p.Cue&parse.Saved != 0 && (strings.Contains(strings.ToLower(p.Text), "sav") ||
			strings.Contains(strings.ToLower(p.Text), "aside"))
	}
	isOther := func(n namedItems) bool {
		return n.Items[0].Kind != household.AccountKind && n.Items[0].Kind != household.TagKind
	}
	return !slices.ContainsFunc(q.Phrases, isSaving) && !slices.ContainsFunc(q.named, isOther)
}

// groupBy decides what sums are told apart by.
func groupBy(q *Question) {
	for _, g := range []struct {
		cue  parse.Cue
		name string
	}{{parse.Month | parse.OverTime, "month"}, {parse.Category, "category"}, {parse.Merchant, "merchant"},
		{parse.Tag, "tag"}, {parse.Account, "account"}} {
		if q.Group == "" && q.Says(g.cue) {
			q.Group = g.name
		}
	}
	if q.Topic != Sums || q.Says(parse.Average) {
		q.Group = ""
		return
	}
	if q.Group == "" && (q.Says(parse.Often) || q.Says(parse.Where) && q.Says(parse.Most|parse.Largest)) {
		q.Group = household.MerchantKind.String()
	}
}

// groupByItself tells a single sum apart by what it has several names of, and a sum of everything by category.
func groupByItself(q *Question) {
	if q.Topic != Sums || q.Says(parse.Average) || q.Group != "" || q.BySearch() || len(q.Spans) > 1 {
		return
	}
	for k := household.CategoryKind; k <= household.AccountKind; k++ {
		if q.Group == "" && (len(q.Filter[k]) > 1 || k == household.CategoryKind && q.parted) {
			q.Group = k.String()
		}
	}
	if q.Group == "" && q.Side != "" && len(q.Filter) == 0 {
		q.Group = household.CategoryKind.String()
	}
}
