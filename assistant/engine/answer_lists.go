package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"finsvc/ledger"
)

// answerEntries lists transactions.
func (q question) answerEntries(r found) []string {
	what, order := q.entry(), ""
	switch {
	case q.says(saysLargest | saysMost):
		order = "largest "
	case q.says(saysLatest | saysWhen):
		order = "latest "
	}
	where := q.scope() + " " + during(q.spans[0])
	switch {
	case r.TotalResults == 0:
		return []string{fmt.Sprintf("There is no %s%s.", what, where)}
	case len(r.Transactions) == 1 && (q.rows() == 1 || r.TotalResults == 1):
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
	case incomeSide:
		way = "in"
	case expenseSide:
		way = "out"
	case "transfer":
		way += " by a transfer"
	}
	return fmt.Sprintf("%s, %s %s, %s, account %s", e.Date, moneyText(e.Amount, e.Currency), way, ledger.Quote(e.Name), ledger.Quote(e.Account))
}

// answerHowMany counts transactions.
func (q question) answerHowMany(results []found) (lines []string) {
	if len(q.subjects) > 0 {
		return q.answerHowManyEach(results)
	}
	for i, r := range results {
		lines = append(lines, fmt.Sprintf("%s%s %s.", counted(r.howMany(), q.entry()), q.scope(), during(q.spans[i])))
	}
	return lines
}

// maxNames is how many names are listed.
const maxNames = 50

// answerNames lists what has a name.
func (q question) answerNames(results []found) (lines []string) {
	for i, k := range q.lists() {
		names := results[i].names(k)
		if results[i].TotalResults == 0 {
			lines = append(lines, "There are no "+k.plural()+".")
			continue
		}
		shown := min(len(names), maxNames)
		lines = append(lines, fmt.Sprintf("%s:", plainCount(results[i].TotalResults, k)))
		for _, name := range names[:shown] {
			lines = append(lines, "- "+ledger.Quote(name))
		}
		lines = append(lines, moreRows(shown, results[i].TotalResults)...)
	}
	return lines
}

func plainCount(n int64, k kind) string {
	if n == 1 {
		return "There is 1 " + k.String()
	}
	return fmt.Sprintf("There are %d %s", n, k.plural())
}

// answerHoldings says what is held.
func (q question) answerHoldings(r found) []string {
	if r.TotalResults == 0 {
		return []string{strings.TrimSuffix("You hold no securities"+q.held(), " ") + " on " + r.Date + "."}
	}
	var lines, totals []string
	for _, t := range r.TotalValue {
		totals = append(totals, moneyText(t.Value, t.Currency))
	}
	lines = append(lines, fmt.Sprintf("Your holdings%s are worth %s on %s.", q.held(), listed(totals), r.Date))
	lines = append(lines, q.largestHoldings(r)...)
	shown := min(len(r.Holdings), max(usualRows, q.limit))
	for _, h := range r.Holdings[:shown] {
		lines = append(lines, "- "+h.String())
	}
	return append(lines, moreRows(shown, r.TotalResults)...)
}

// largestHoldings puts holdings in order and says which comes first, in each currency.
func (q question) largestHoldings(r found) (lines []string) {
	if !q.says(saysLargest) || int64(len(r.Holdings)) < r.TotalResults {
		return nil
	}
	slices.SortStableFunc(r.Holdings, func(a, b listedHolding) int {
		return cmp.Or(cmp.Compare(a.Currency, b.Currency), b.Value.Cmp(a.Value))
	})
	for i, h := range r.Holdings {
		if i == 0 || r.Holdings[i-1].Currency != h.Currency {
			lines = append(lines, fmt.Sprintf("The largest in %s is %s with %s.", h.Currency, h.Ticker, moneyText(h.Value, h.Currency)))
		}
	}
	return lines
}

// held says what holdings are narrowed to.
func (q question) held() (text string) {
	if names := q.filter[securityKind]; len(names) > 0 {
		text += " of " + quoted(names)
	}
	if names := q.filter[accountKind]; len(names) > 0 {
		text += " in " + quoted(names)
	}
	return text
}

// String is a holding in a list.
func (h listedHolding) String() string {
	name := ""
	if h.Name != "" && h.Name != h.Ticker {
		name = " " + ledger.Quote(h.Name)
	}
	return fmt.Sprintf("%s%s: %s at %s (%s), %s, account %s", h.Ticker, name, grouped(h.Quantity), moneyText(h.Price, h.Currency), h.PriceDate,
		moneyText(h.Value, h.Currency), ledger.Quote(h.Account))
}
