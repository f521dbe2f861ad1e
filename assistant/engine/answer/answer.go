// Package answer is the calls of tools that a question needs, and the sentences that their figures make: the figure
// first, then what it is made of, then what should be known about it. It shows no figure that a tool did not give, or
// that follows from two of them, and says what figures leave out. What the question means was decided before.
package answer

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/intent"
	"finsvc/assistant/engine/prose"
	"finsvc/assistant/model"
	"finsvc/ledger"
	"finsvc/ledger/calendar"
)

// tooMuch is said when there was no room for all the figures that an answer needs.
const tooMuch = "These were more figures than I can look up for one answer. Please ask for less at once."

// Text puts the figures that the tools gave into sentences: the figure first, then what it is made of, then what
// should be known about it.
func Text(q intent.Question, calls []model.Call) string {
	results, err := readResults(calls)
	switch {
	case err != nil:
		return "The figures came back in a form that I cannot read. Please ask again."
	case len(results) != len(Calls(q)):
		return tooMuch
	}
	for _, r := range results {
		if r.Error != "" {
			return strings.TrimSpace("I could not look that up: " + r.Error + ". " + r.Hint)
		}
	}
	if q.Rate.IsOfMonths() {
		for i := range results {
			results[i].ByMonth = byUnit(results[i].ByMonth, q.Rate.Unit)
		}
	}
	switch {
	case len(q.Pair) > 0:
		return strings.Join(append(answerPair(q, results), remarksOn(q, results)...), "\n")
	case q.Behind != nil:
		return strings.Join(append(answerBehind(q, results), remarksOn(q, results)...), "\n")
	}
	var elsewhere []string
	if q.IsInterestOfAccount() {
		elsewhere = interestElsewhere(q, results)
		results = results[:1]
	}
	if len(q.Subjects) > 0 && q.Topic == intent.Sums && slices.ContainsFunc(results, figures.isPartial) {
		return cannotCompare(q, results)
	}
	var lines []string
	switch q.Topic {
	case intent.Sums:
		lines = answerSums(q, results)
	case intent.Entries:
		lines = answerEntries(q, results[0])
	case intent.HowMany:
		lines = answerHowMany(q, results)
	case intent.Balances:
		lines = answerBalances(q, results)
	case intent.NetWorth:
		lines = answerNetWorth(q, results)
	case intent.Debts:
		lines = answerDebts(q, results)
	case intent.Holdings:
		lines = answerHoldings(q, results[0])
	case intent.NameLists:
		lines = answerNames(q, results)
	}
	return strings.Join(slices.Concat(lines, elsewhere, remarks(q, results)), "\n")
}

// entry is the word for a transaction of the side that is asked for.
func entry(q intent.Question) string { return cmp.Or(q.Side, "transaction") }

// remarks are what was made of names, and what the figures leave out.
func remarks(q intent.Question, results []figures) (lines []string) {
	if q.Search != "" {
		text := "; these are the transactions that have it in their text"
		if !slices.ContainsFunc(results, func(r figures) bool { return r.TotalResults > 0 }) {
			text = fmt.Sprintf(", and no %s%s has it in its text", entry(q), days(q))
		}
		lines = append(lines, fmt.Sprintf("No category, merchant, tag or account is called %s%s.",
			ledger.Quote(q.Search), text))
	}
	if q.Spans[0].First > q.Today {
		lines = append(lines, "Those days are still to come.")
	}
	first := q.Spans[0]
	if len(q.Spans) > 1 && first.Last == q.Today && first.Unit != calendar.Day &&
		first.Unit.Whole(first.First).Last > first.Last {
		lines = append(lines, "The first of them is not over yet.")
	}
	hasMoney := func(r figures) bool { // things that are compared have sides of their own
		p, isAny := r.sums().total(), len(q.Subjects) > 0
		return (isAny || q.Side != household.Income) && !p.Expenses.IsZero() ||
			(isAny || q.Side != household.Expense) && !p.Income.IsZero()
	}
	if q.Topic == intent.Sums && !q.Said && len(q.Spans) == 1 && q.Spans[0].First > ledger.MinDate &&
		!slices.ContainsFunc(results, hasMoney) {
		lines = append(lines, `You named no days, so I looked at the latest; ask for others, such as "this year".`)
	}
	return append(lines, remarksOn(q, results)...)
}

// remarksOn are what was made of names, where the books begin, and what figures leave out.
func remarksOn(q intent.Question, results []figures) (lines []string) {
	lines = append(lines, q.Notes...)
	lines = append(lines, beginning(q)...)
	for i, r := range results {
		of := ""
		if r.TransfersLeftOut > 0 && len(q.Filter[household.AccountKind]) > 0 && i == 0 {
			lines = append(lines, "Transfers between your own accounts do not count.")
		}
		if len(q.Spans) == len(results) && len(results) > 1 {
			of = ", " + q.Spans[i].String()
		}
		texts := gapTexts(r.LeftOut, r.SeriesLeftOut)
		if len(texts) > 0 {
			lines = append(lines, fmt.Sprintf("Left out, because there is no exchange rate at all: %s%s.",
				strings.Join(texts, "; "), of))
		}
		texts = gapTexts(r.TooLarge, r.SeriesTooLarge)
		if len(texts) > 0 {
			lines = append(lines, fmt.Sprintf("Left out, because the total with it is too large to be counted: %s%s.",
				strings.Join(texts, "; "), of))
		}
	}
	return append(lines, oldRates(results)...)
}

// beginning says when the books begin where some of the days are before that.
func beginning(q intent.Question) []string {
	for _, s := range q.Spans {
		isOfMoney := q.IsOfMoney()
		if isOfMoney && q.Begins > 0 && s.First > ledger.MinDate && s.First < q.Begins {
			text := fmt.Sprintf("%s on %s", q.Books(), q.Begins)
			if len(q.Spans) > 1 {
				text += ", so not all of the days that are compared are in them"
			}
			return []string{text + "."}
		}
	}
	return nil
}

// oldRates says by which old rates figures were converted.
func oldRates(results []figures) []string {
	var texts []string
	for _, r := range results {
		for _, o := range r.Stale {
			text := fmt.Sprintf("%s to %s by the rate of %s, %s old on %s", o.From, o.To, o.Date,
				prose.Counted(o.DaysOld, "day"), o.UsedFor)
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

// gapTexts are the amounts that figures leave out, and of how many points of a series.
func gapTexts(gaps, series []gap) (texts []string) {
	for _, g := range gaps {
		var parts []string
		for _, side := range []struct {
			amount decimal.Decimal
			word   string
		}{{g.Income, " in"}, {g.Expenses, " out"}, {g.Amount, ""}} {
			if !side.amount.IsZero() {
				parts = append(parts, prose.Money(side.amount, g.Currency)+side.word)
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
func scope(q intent.Question) (text string) {
	for _, k := range []struct {
		kind  household.Kind
		words string
	}{{household.CategoryKind, " on "}, {household.MerchantKind, " at "}, {household.TagKind, " tagged "},
		{household.AccountKind, " in the account "}} {
		names := q.Filter[k.kind]
		if len(names) > 0 {
			words := k.words
			switch {
			case k.kind == household.MerchantKind && q.Side == household.Income:
				words = " from "
			case k.kind == household.CategoryKind && q.Side != household.Expense:
				words = " for "
			case k.kind == household.AccountKind && len(names) > 1:
				words = " in the accounts "
			}
			text += words + prose.Quoted(names)
		}
	}
	switch {
	case q.Search != "" && q.Topic == intent.Sums:
		text += " by transactions with " + ledger.Quote(q.Search) + " in their text"
	case q.Search != "":
		text += " with " + ledger.Quote(q.Search) + " in the text"
	}
	return text + bounds(q)
}

// bounds are the amounts that transactions may have.
func bounds(q intent.Question) string {
	switch {
	case q.Least != nil && q.Least == q.Most:
		return " of exactly " + prose.Grouped(*q.Least)
	case q.Least != nil && q.Most != nil:
		return " of " + prose.Grouped(*q.Least) + " to " + prose.Grouped(*q.Most)
	case q.Least != nil:
		return " of at least " + prose.Grouped(*q.Least)
	case q.Most != nil:
		return " of at most " + prose.Grouped(*q.Most)
	}
	return ""
}

// moreRows says how many more there are than are shown.
func moreRows(shown int, total int64) []string {
	more := total - int64(shown)
	if more > 0 {
		return []string{fmt.Sprintf("- and %d more", more)}
	}
	return nil
}

// interestElsewhere says what the interest of all accounts is, where that is more.
func interestElsewhere(q intent.Question, results []figures) []string {
	here, all := results[0].sums().total(), results[1].sums().total()
	if (q.Side == household.Expense || here.Income.Equal(all.Income)) &&
		(q.Side == household.Income || here.Expenses.Equal(all.Expenses)) {
		return nil
	}
	accounts := map[household.Kind][]string{household.AccountKind: q.Filter[household.AccountKind]}
	owner := strings.TrimPrefix(scope(intent.Question{Topic: intent.Sums, Filter: accounts}), " ")
	return []string{fmt.Sprintf("In all accounts together it is %s; "+
		"what is booked elsewhere does not say whether it is for what is %s.", short(q, all, results[1].Currency),
		owner)}
}
