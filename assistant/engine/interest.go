package engine

import (
	"context"
	"fmt"
	"slices"

	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/intent"
	"finsvc/assistant/engine/parse"
	"finsvc/assistant/engine/prose"
	"finsvc/assistant/tools"
	"finsvc/ledger"
	"finsvc/ledger/money"
	"finsvc/ledger/trade"
)

// interestOfTrades says what interest investment accounts have booked as trades, which have no category that was
// asked for.
func (e *Engine) interestOfTrades(ctx context.Context, who ledger.Actor, q intent.Question) ([]string, error) {
	if !q.Says(parse.Interest) || q.Side == household.Expense || q.Topic != intent.Sums || len(q.Spans) != 1 {
		return nil, nil
	}
	s := q.Spans[0]
	f := trade.Filter{Kind: "interest", StartDate: ledger.Some(s.First), EndDate: ledger.Some(s.Last)}
	list, _, err := e.ledger.Trades.ListTrades(ctx, who, f, household.PageOfAll())
	if err != nil {
		return nil, err
	}
	totals := map[string]int64{}
	for _, t := range list {
		isAsked := t.Category != nil && slices.Contains(q.Filter[household.CategoryKind], t.Category.Name)
		isElsewhere := len(q.Filter[household.AccountKind]) > 0 &&
			!slices.Contains(q.Filter[household.AccountKind], t.Account.Name)
		if !isAsked && !isElsewhere {
			totals[t.Currency] += t.Amount
		}
	}
	var amounts []string
	for _, currency := range tools.SortedNames(totals) {
		c, _ := money.LookupCurrency(currency) // what is stored was looked up
		amounts = append(amounts, prose.Money(c.Decimal(totals[currency]), currency))
	}
	if len(amounts) == 0 {
		return nil, nil
	}
	return []string{fmt.Sprintf("Interest that is booked as trades is not among it: %s.", prose.Listed(amounts))}, nil
}
