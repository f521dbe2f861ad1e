package engine

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/assistant/model"
	"finsvc/ledger"
)

// tooMuch is said when there was no room for all the figures that an answer needs.
const tooMuch = "These were more figures than I can look up for one answer. Please ask for less at once."

// answer puts the figures that the tools gave into sentences: the figure first, then what it is made of, then what
// should be known about it.
func (q question) answer(calls []model.Call) string {
	results, err := readResults(calls)
	switch {
	case err != nil:
		return "The figures came back in a form that I cannot read. Please ask again."
	case len(results) != len(q.calls()):
		return tooMuch
	}
	for _, r := range results {
		if r.Error != "" {
			return strings.TrimSpace("I could not look that up: " + r.Error + ". " + r.Hint)
		}
	}
	q.foldAll(results)
	switch {
	case len(q.pair) > 0:
		return strings.Join(append(q.answerPair(results), q.remarksOn(results)...), "\n")
	case q.behind != nil:
		return strings.Join(append(q.answerBehind(results), q.remarksOn(results)...), "\n")
	}
	var elsewhere []string
	if q.isInterestOfAccount() {
		elsewhere = q.interestElsewhere(results)
		results = results[:1]
	}
	if len(q.subjects) > 0 && q.topic == sums && slices.ContainsFunc(results, found.isPartial) {
		return q.cannotCompare(results)
	}
	var lines []string
	switch q.topic {
	case sums:
		lines = q.answerSums(results)
	case entries:
		lines = q.answerEntries(results[0])
	case howMany:
		lines = q.answerHowMany(results)
	case balances:
		lines = q.answerBalances(results)
	case netWorth:
		lines = q.answerNetWorth(results)
	case debts:
		lines = q.answerDebts(results)
	case holdings:
		lines = q.answerHoldings(results[0])
	case nameLists:
		lines = q.answerNames(results)
	}
	return strings.Join(slices.Concat(lines, elsewhere, q.remarks(results)), "\n")
}

// entry is the word for a transaction of the side that is asked for.
func (q question) entry() string { return cmp.Or(q.side, "transaction") }

// remarks are what was made of names, and what the figures leave out.
func (q question) remarks(results []found) (lines []string) {
	if q.search != "" {
		text := "; these are the transactions that have it in their text"
		if !slices.ContainsFunc(results, func(r found) bool { return r.TotalResults > 0 }) {
			text = fmt.Sprintf(", and no %s%s has it in its text", q.entry(), q.days())
		}
		lines = append(lines, fmt.Sprintf("No category, merchant, tag or account is called %s%s.", ledger.Quote(q.search), text))
	}
	if q.spans[0].first > q.today {
		lines = append(lines, "Those days are still to come.")
	}
	if first := q.spans[0]; len(q.spans) > 1 && first.last == q.today && first.unit != aDay && first.unit.whole(first.first).last > first.last {
		lines = append(lines, "The first of them is not over yet.")
	}
	if q.topic == sums && !q.said && len(q.spans) == 1 && q.spans[0].first > ledger.MinDate && !slices.ContainsFunc(results, func(r found) bool { return q.hasMoney(r) }) {
		lines = append(lines, `You named no days, so I looked at the latest; ask for others, such as "this year".`)
	}
	return append(lines, q.remarksOn(results)...)
}

// remarksOn are what was made of names, where the books begin, and what figures leave out.
func (q question) remarksOn(results []found) (lines []string) {
	lines = append(lines, q.notes...)
	lines = append(lines, q.beginning()...)
	for i, r := range results {
		of := ""
		if r.TransfersLeftOut > 0 && len(q.filter[accountKind]) > 0 && i == 0 {
			lines = append(lines, "Transfers between your own accounts do not count.")
		}
		if len(q.spans) == len(results) && len(results) > 1 {
			of = ", " + q.spans[i].String()
		}
		if texts := gapTexts(r.LeftOut, r.SeriesLeftOut); len(texts) > 0 {
			lines = append(lines, fmt.Sprintf("Left out, because there is no exchange rate at all: %s%s.", strings.Join(texts, "; "), of))
		}
		if texts := gapTexts(r.TooLarge, r.SeriesTooLarge); len(texts) > 0 {
			lines = append(lines, fmt.Sprintf("Left out, because the total with it is too large to be counted: %s%s.", strings.Join(texts, "; "), of))
		}
	}
	return append(lines, oldRates(results)...)
}

// oldRates says by which old rates figures were converted.
func oldRates(results []found) []string {
	var texts []string
	for _, r := range results {
		for _, o := range r.Stale {
			text := fmt.Sprintf("%s to %s by the rate of %s, %s old on %s", o.From, o.To, o.Date, counted(o.DaysOld, "day"), o.UsedFor)
			if !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	if len(texts) == 0 {
		return nil
	}
	return []string{"Converted at an old exchange rate: " + strings.Join(texts, "; ") + "."}
}

// hasMoney says whether there is anything on the side that is asked for; things that are compared have sides of their own.
func (q question) hasMoney(r found) bool {
	p, isAny := r.sums().total(), len(q.subjects) > 0
	return (isAny || q.side != incomeSide) && !p.Expenses.IsZero() || (isAny || q.side != expenseSide) && !p.Income.IsZero()
}

// isPartial says whether figures leave anything out.
func (r found) isPartial() bool { return len(r.LeftOut)+len(r.TooLarge) > 0 }

// gapTexts are the amounts that figures leave out, and of how many points of a series.
func gapTexts(gaps, series []gap) (texts []string) {
	for _, g := range gaps {
		var parts []string
		for _, side := range []struct {
			amount decimal.Decimal
			word   string
		}{{g.Income, " in"}, {g.Expenses, " out"}, {g.Amount, ""}} {
			if !side.amount.IsZero() {
				parts = append(parts, moneyText(side.amount, g.Currency)+side.word)
			}
		}
		texts = append(texts, strings.Join(parts, " and "))
	}
	for _, g := range series {
		texts = append(texts, fmt.Sprintf("%s on %d of the days from %s to %s", g.Currency, g.Points, g.From, g.To))
	}
	return texts
}

// scope says what a question is narrowed to: ` on "Groceries" at "Aldi"`.
func (q question) scope() (text string) {
	for _, k := range []struct {
		kind  kind
		words string
	}{{categoryKind, " on "}, {merchantKind, " at "}, {tagKind, " tagged "}, {accountKind, " in the account "}} {
		if names := q.filter[k.kind]; len(names) > 0 {
			words := k.words
			switch {
			case k.kind == merchantKind && q.side == incomeSide:
				words = " from "
			case k.kind == categoryKind && q.side != expenseSide:
				words = " for "
			case k.kind == accountKind && len(names) > 1:
				words = " in the accounts "
			}
			text += words + quoted(names)
		}
	}
	switch {
	case q.search != "" && q.topic == sums:
		text += " by transactions with " + ledger.Quote(q.search) + " in their text"
	case q.search != "":
		text += " with " + ledger.Quote(q.search) + " in the text"
	}
	return text + q.bounds()
}

// bounds are the amounts that transactions may have.
func (q question) bounds() string {
	switch {
	case q.least != nil && q.least == q.most:
		return " of exactly " + grouped(*q.least)
	case q.least != nil && q.most != nil:
		return " of " + grouped(*q.least) + " to " + grouped(*q.most)
	case q.least != nil:
		return " of at least " + grouped(*q.least)
	case q.most != nil:
		return " of at most " + grouped(*q.most)
	}
	return ""
}

func quoted(names []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = ledger.Quote(name)
	}
	return listed(list)
}

// during is a span in a sentence.
func during(s span) string {
	switch {
	case s.first == ledger.MinDate && s.begins > 0 && s.begins <= s.last:
		return fmt.Sprintf("from the beginning of your books, %s, to %s", s.begins, s.last)
	case s.first == ledger.MinDate:
		return "until " + s.last.String()
	case s.first == s.last:
		return "on " + s.String()
	case strings.HasSuffix(s.String(), ")"):
		return "in " + s.String()
	}
	return "from " + s.String()
}

// moreRows says how many more there are than are shown.
func moreRows(shown int, total int64) []string {
	if more := total - int64(shown); more > 0 {
		return []string{fmt.Sprintf("- and %d more", more)}
	}
	return nil
}

// counted is a number of things: "1 transaction", "1,200 transactions".
func counted(n int64, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return grouped(decimal.NewFromInt(n)) + " " + thing
}
