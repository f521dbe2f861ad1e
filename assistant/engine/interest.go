package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"finsvc/assistant/tools"
	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/trade"
)

// readInterest reads "interest", which is paid and earned: the categories that have the word in their name mean the one or the other,
// and which it is says the rest of the question. A category with a longer name that is said in full is read as any name.
func (r *reader) readInterest() {
	for i, w := range r.words {
		if w.used || w.quote != 0 || w.stem != "interest" || r.isOfLongerName(i) {
			continue
		}
		r.marks |= saysInterest
		r.phrases = append(r.phrases, heardPhrase{saysInterest, w.shown})
		var found []thing
		for _, k := range r.names.all {
			if k.kind == categoryKind && slices.Contains(k.stems, "interest") {
				found = append(found, k)
			}
		}
		if len(found) > 0 {
			r.mentions = append(r.mentions, mention{options: found, said: w.shown, leading: r.leading(i), at: i, words: 1})
		} else if r.search == "" {
			r.search = w.shown
		}
		r.use(i, 1)
		return
	}
}

// isOfLongerName says whether a name of several words has the word at a place in it.
func (r *reader) isOfLongerName(i int) bool {
	for from := max(0, i-mostOfAccount); from <= i; from++ {
		if found := r.names.at(r.words, from); len(found) > 0 && len(found[0].stems) > 1 && from+len(found[0].stems) > i {
			return true
		}
	}
	return false
}

// directInterest decides whether interest was paid or earned where the question does not say it: that of a loan or a card is paid,
// that of any other account earned. Without either it is both.
func (q *question) directInterest() {
	accounts := slices.DeleteFunc(slices.Clone(q.named), func(n namedThings) bool { return n.things[0].kind != accountKind })
	isOwed := func(n namedThings) bool {
		return !slices.ContainsFunc(n.things, func(k thing) bool { return !k.isOfType("loan credit_card other_liability") })
	}
	switch {
	case !q.says(saysInterest) || q.says(saysSpending|saysIncome) || !q.isOfMoney():
	case len(accounts) > 0 && !slices.ContainsFunc(accounts, func(n namedThings) bool { return !isOwed(n) }):
		q.side = expenseSide
	case len(accounts) > 0 && !slices.ContainsFunc(accounts, isOwed):
		q.side = incomeSide
	default:
		q.side = ""
	}
}

// isInterestOfAccount says whether the interest of some accounts is added up, of which some may be booked in others: a loan is paid
// from elsewhere.
func (q question) isInterestOfAccount() bool {
	return q.topic == sums && q.says(saysInterest) && len(q.filter[accountKind]) > 0 && len(q.filter[categoryKind]) > 0 && len(q.spans) == 1 &&
		len(q.subjects) == 0 && len(q.pair) == 0 && q.behind == nil && q.group != "month" && !q.says(saysAverage) && !q.bySearch()
}

// interestElsewhere says what the interest of all accounts is, where that is more.
func (q question) interestElsewhere(results []found) []string {
	here, all := results[0].sums().total(), results[1].sums().total()
	if (q.side == expenseSide || here.Income.Equal(all.Income)) && (q.side == incomeSide || here.Expenses.Equal(all.Expenses)) {
		return nil
	}
	owner := strings.TrimPrefix(question{filter: q.filter}.scopeOfAccounts(), " ")
	return []string{fmt.Sprintf("In all accounts together it is %s; what is booked elsewhere does not say whether it is for what is %s.", q.short(all, results[1].Currency), owner)}
}

// scopeOfAccounts says in which accounts something is.
func (q question) scopeOfAccounts() string {
	q.topic, q.filter = sums, map[kind][]string{accountKind: q.filter[accountKind]}
	return q.scope()
}

// interestOfTrades says what interest investment accounts have booked as trades, which have no category that was asked for.
func (e *Engine) interestOfTrades(ctx context.Context, who ledger.Actor, q question) ([]string, error) {
	if !q.says(saysInterest) || q.side == expenseSide || q.topic != sums || len(q.spans) != 1 {
		return nil, nil
	}
	s := q.spans[0]
	f := trade.Filter{Kind: "interest", StartDate: ledger.Some(s.first), EndDate: ledger.Some(s.last)}
	list, _, err := e.ledger.Trades.ListTrades(ctx, who, f, pageOfAll())
	if err != nil {
		return nil, err
	}
	totals := map[string]int64{}
	for _, t := range list {
		isAsked := t.Category != nil && slices.Contains(q.filter[categoryKind], t.Category.Name)
		isElsewhere := len(q.filter[accountKind]) > 0 && !slices.Contains(q.filter[accountKind], t.Account.Name)
		if !isAsked && !isElsewhere {
			totals[t.Currency] += t.Amount
		}
	}
	var amounts []string
	for _, currency := range tools.SortedNames(totals) {
		c, _ := money.LookupCurrency(currency) // what is stored was looked up
		amounts = append(amounts, moneyText(c.Decimal(totals[currency]), currency))
	}
	if len(amounts) == 0 {
		return nil, nil
	}
	return []string{fmt.Sprintf("Interest that is booked as trades is not among it: %s.", listed(amounts))}, nil
}
