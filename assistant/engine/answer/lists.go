package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/intent"
	"finsvc/assistant/engine/parse"
	"finsvc/assistant/engine/prose"
	"finsvc/ledger"
)

// answerEntries lists transactions.
func answerEntries(q intent.Question, r figures) []string {
	what, order := entry(q), ""
	switch {
	case q.Says(parse.Largest | parse.Most):
		order = "largest "
	case q.Says(parse.Latest | parse.When):
		order = "latest "
	}
	where := scope(q) + " " + prose.During(q.Spans[0])
	switch {
	case r.TotalResults == 0:
		return []string{fmt.Sprintf("There is no %s%s.", what, where)}
	case len(r.Transactions) == 1 && (rows(q) == 1 || r.TotalResults == 1):
		return []string{fmt.Sprintf("Your %s%s%s: %s.", order, what, where, r.Transactions[0])}
	}
	lines := []string{fmt.Sprintf("Your %s%ss%s:", order, what, where)}
	for _, e := range r.Transactions {
		lines = append(lines, "- "+e.String())
	}
	return append(lines, moreRows(len(r.Transactions), r.TotalResults)...)
}

// String is a transaction in a list.
func (e listedEntry) String() string {
	way := e.Direction
	switch e.Type {
	case household.Income:
		way = "in"
	case household.Expense:
		way = "out"
	case "transfer":
		way += " by a transfer"
	}
	return fmt.Sprintf("%s, %s %s, %s, account %s", e.Date, prose.Money(e.Amount, e.Currency), way,
		ledger.Quote(e.Name), ledger.Quote(e.Account))
}

// answerHowMany counts transactions.
func answerHowMany(q intent.Question, results []figures) (lines []string) {
	if len(q.Subjects) > 0 {
		return answerHowManyEach(q, results)
	}
	for i, r := range results {
		lines = append(lines, fmt.Sprintf("%s%s %s.", prose.Counted(r.howMany(), entry(q)), scope(q),
			prose.During(q.Spans[i])))
	}
	return lines
}

// maxNames is how many names are listed.
const maxNames = 50

// answerNames lists what has a name.
func answerNames(q intent.Question, results []figures) (lines []string) {
	for i, k := range q.Lists() {
		names := results[i].names(k)
		if results[i].TotalResults == 0 {
			lines = append(lines, "There are no "+k.Plural()+".")
			continue
		}
		shown := min(len(names), maxNames)
		if results[i].TotalResults == 1 {
			lines = append(lines, "There is 1 "+k.String()+":")
		} else {
			lines = append(lines, fmt.Sprintf("There are %d %s:", results[i].TotalResults, k.Plural()))
		}
		for _, name := range names[:shown] {
			lines = append(lines, "- "+ledger.Quote(name))
		}
		lines = append(lines, moreRows(shown, results[i].TotalResults)...)
	}
	return lines
}

// answerHoldings says what is held.
func answerHoldings(q intent.Question, r figures) []string {
	if r.TotalResults == 0 {
		return []string{strings.TrimSuffix("You hold no securities"+held(q), " ") + " on " + r.Date + "."}
	}
	var lines, totals []string
	for _, t := range r.TotalValue {
		totals = append(totals, prose.Money(t.Value, t.Currency))
	}
	lines = append(lines, fmt.Sprintf("Your holdings%s are worth %s on %s.", held(q), prose.Listed(totals), r.Date))
	lines = append(lines, largestHoldings(q, r)...)
	shown := min(len(r.Holdings), max(usualRows, q.Limit))
	for _, h := range r.Holdings[:shown] {
		lines = append(lines, "- "+h.String())
	}
	return append(lines, moreRows(shown, r.TotalResults)...)
}

// largestHoldings puts holdings in order and says which comes first, in each currency.
func largestHoldings(q intent.Question, r figures) (lines []string) {
	if !q.Says(parse.Largest) || int64(len(r.Holdings)) < r.TotalResults {
		return nil
	}
	slices.SortStableFunc(r.Holdings, func(a, b listedHolding) int {
		return cmp.Or(cmp.Compare(a.Currency, b.Currency), b.Value.Cmp(a.Value))
	})
	for i, h := range r.Holdings {
		if i == 0 || r.Holdings[i-1].Currency != h.Currency {
			lines = append(lines, fmt.Sprintf("The largest in %s is %s with %s.", h.Currency, h.Ticker,
				prose.Money(h.Value, h.Currency)))
		}
	}
	return lines
}

// held says what holdings are narrowed to.
func held(q intent.Question) (text string) {
	names := q.Filter[household.SecurityKind]
	if len(names) > 0 {
		text += " of " + prose.Quoted(names)
	}
	names = q.Filter[household.AccountKind]
	if len(names) > 0 {
		text += " in " + prose.Quoted(names)
	}
	return text
}

// String is a holding in a list.
func (h listedHolding) String() string {
	name := ""
	if h.Name != "" && h.Name != h.Ticker {
		name = " " + ledger.Quote(h.Name)
	}
	return fmt.Sprintf("%s%s: %s at %s (%s), %s, account %s", h.Ticker, name, prose.Grouped(h.Quantity),
		prose.Money(h.Price, h.Currency), h.PriceDate,
		prose.Money(h.Value, h.Currency), ledger.Quote(h.Account))
}
