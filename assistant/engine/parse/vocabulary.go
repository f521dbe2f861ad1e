package parse

import (
	"slices"
	"strings"

	"finsvc/assistant/engine/token"
)

// Cue is what a phrase of a question says.
type Cue uint64

// The cues. A phrase without any is grammar.
const (
	Spending Cue = 1 << iota
	Income
	Saved
	Balance
	NetWorth
	Debts
	Holdings
	Transactions
	Find
	Largest
	Most
	Smallest
	Latest
	Oldest
	When
	Count
	Average
	OverTime
	Change
	Compare
	More
	Worth
	Where
	HowMuch
	Total
	Ever
	Often
	Interest
	Category
	Merchant
	Tag
	Account
	Month
	List
	Hello
	FollowUp
	Cannot
)

// phrasesOf are the words of each cue; phrases are separated by commas, and each is there once. Plurals are understood
// without being here. What says saysCannot asks for more than figures of the past; it is never left out.
func phrasesOf() map[Cue]string {
	return map[Cue]string{
		0: `what, whats, wat, wats, hows, which, is, are, was, were, do, does, did, have, has, had, been, be, being, i, ive, me, my, we, weve, us, our, you,
			the, a, an, of, in, on, at, for, to, from, with, by, and, or, as, please, can you, could you, would you, tell, tell me about, give, give me,
			get me, let me know, let me see, i want to know, i want to see, i would like to know, i would like to see, id like to know, id like to see,
			may i ask, do you know, there, all, any, right now, now, at the moment, currently, current,
			am, single, still, already, yet, money, during, within, per, each, every, just, exactly, also, then, how much of, how, recorded, booked,
			broken down, grouped, sorted, exist, breakdown, distribution, using, via, through, out of, thing, stuff, item, amount`,
		HowMuch:            `how much, how much money, what amount, by how much`,
		HowMuch | Spending: `how much went out, how much money went out, how much goes out, how much money goes out`,
		Income | Spending:  `in and out, ins and outs, money in and out`,
		Total:              `sum, sum of, plus, summary, overview, report, together`,
		Total | Ever: `total, total amount, in total, in all, all in all, altogether, all together, overall, so far, to date, up to now, until now, till now, up to today,
			cumulative, cumulatively, lifetime, to this day, since the beginning, from the beginning, since forever`,
		Spending: `spend, spent, spending, expense, expenditure, cost, pay, paid, paying, outgoing, outflow, money out, charge, charged, bill,
			did my money go, does my money go, did the money go, did our money go, does our money go, money went, money goes, did all my money go, came out of, come out of, comes out of, went out of, goes out of, did i put on, did we put on, i put on, charged to, went on, went to, went for, go to, go on, goes to, did i put into`,
		Income: `income, earn, earned, earning, receive, received, got paid, get paid, been paid, was i paid, were we paid, was paid to me, paid me, paid us,
			pay me, pay us, paid to me, paid to us, did i make, did we make, have i made, have we made, come in, came in, coming in, come from, came from, coming from, incoming, inflow, money in, revenue,
			did i get, did we get, did i get from, did i get paid, have i been paid, came into, come into, comes into, went into, goes into, paid into`,
		Saved: `save, saved, net income, cash flow, cashflow, net cash flow, left over, money left over, surplus, put aside, income minus expense, income minus spending, income less expense,
			profit, profit or loss, profit and loss, up or down, we saving, i saving, we saving money, i saving money`,
		Balance: `balance, how much money do i have, how much money do we have, how much do i have, how much do we have, how much money did i have, how much did i have,
			how much money did we have, how much did we have, how much have i got, how much have we got, how much money have i got, how much money have we got,
			have i got in, have we got in, do i have in, do we have in,
			is in, is on, is there in, is there on, whats in, whats on, was in, was on, was there in, was there on, did i have in, did we have in, is left in, is left on, left in, left on`,
		NetWorth: `net worth, networth, total worth, am i worth, are we worth, was i worth, were we worth, wealth, asset, balance sheet`,
		Debts:    `debt, owe, owed, owing, liability`,
		Holdings: `holding, portfolio, share, stock, security, investment, own, owned, do i hold, hold, held, unit, fund, position, etf`,
		Transactions: `what happened, transaction, payment, booking, entry, posting, payment did i make, transaction did i make, everything, anything, payment have i made, payment made, transaction made,
			payment did we make, transaction did we make, show them, show me them, show those, show me those, list them, list those, all of them, list all of them, show all of them, show me all of them, all of those, see them, see those,
			those transaction, these transaction, which one, what are they, which are they, are they, were they, are those, were those, are these, were these, detail, underlying transaction, individual transaction`,
		Transactions | Spending: `purchase, did i shop, did we shop, have i shopped, have we shopped, i shop, buy, bought, did i buy, did we buy, purchase did i make, purchase did we make, purchase made`,
		Find:                    `find, search, search for, look for, look up, looking for`,
		Largest:                 `largest, biggest, highest, greatest, top, maximum, max`,
		Merchant | Spending:     `who did i pay, who do i pay, who did we pay, who do we pay`,
		Merchant | Income:       `who pays me, who paid me, who pays us, who paid us`,
		Saved | Average:         `average saving, average monthly saving`,
		Largest | Spending:      `most expensive, the most expensive`,
		Most:                    `most, the most, mostly`,
		Most | Often: `most often, the most often, most frequently, the most frequently, most frequent, the most frequent, most visited, the most visited, most used, the most used, most common, the most common,
			most regularly, most transaction, the most transaction, most payment, the most payment, most purchase, the most purchase, most visit, the most visit, most times, the most times, most entry, the most entry`,
		Often:    `visit, visited, do i use, did i use, do we use, did we use, have i used, frequent, frequently, often`,
		Smallest: `smallest, lowest, cheapest, least, minimum, min, least expensive`,
		Latest:   `last, latest, recent, most recent, newest, recently`,
		Oldest:   `first, oldest, earliest`,
		When:     `when, when did i last, when did we last, when was the last time i, when was the last time we, when was the last time, last time`,
		Count:    `how many, how often, how many times, number of, count, count of`,
		Average:  `average, avg, on average, typical, typically, usually`,
		OverTime: `over time, history, develop, developed, development, evolve, evolved, progress, progressed, trend, series, over the year, over the years, going up, going down, growing, shrinking, rising, falling`,
		Change:   `change, changed, grow, grew, grown, growth, gone up, increase, increased, rise, risen, fallen, gone down, go up, go down, went up, went down, decrease, decreased`,
		Compare: `compare, compared, compared to, compared with, compared against, comparison, versus, vs, than, against, relative to, difference, difference between,
			in comparison with, in comparison to, opposed to, as opposed to, compare them, compare the two, compare both, they compare, between them, between the two, between those,
			between these, between both, difference between them, difference between the two, difference between those, difference between these, difference between both, of the two`,
		More:     `more, less, more expensive, less expensive, cheaper, fewer, higher, lower, larger, bigger, greater, smaller`,
		Worth:    `worth, value, valued`,
		Where:    `where`,
		Category: `category`,
		Merchant: `merchant, shop, store, payee, vendor, retailer, supplier`,
		Tag:      `tag, label, tagged, tagged with, tagged as, labelled`,
		Account:  `account, bank account`,
		Month:    `month, monthly, month by month, month to month`,
		List:     `list, show, show me, display`,
		Hello: `hello, hi, hey, thanks, thank you, help, good morning, good evening, what can you do, what can i ask, who are you, what are you, ok, okay,
			how are you`,
		FollowUp: `what about, how about, same for, the same for, same thing for, the same thing for, same with, the same with, same but for, the same but for, now for, do the same for, do the same with`,
		Cannot: `why, should, would, will, could, can, if, not, no, except, without, excluding, forecast, predict, prediction, expect, afford, next, tomorrow,
			budget, plan, only, other, but, third, double, percent, percentage, rate, too, enough, few, some, better, worse, best, worst, weekend, have to,
			going to, need to, supposed to, want to, able to, planning, recommend, advice, advise, might, ought, must, summer, winter, autumn, spring, season, christmas, easter, holiday, minus, dividend, off, away, back, left, due, richer, poorer,
			monday, tuesday, wednesday, thursday, friday, saturday, sunday, untagged, recurring, upcoming, scheduled, pending, overdue, same, uncategorized, uncategorised, this, that, these, those, it,
			early, late, around, roughly, approximately, nearly, almost, circa, nothing, something, over, under, since, until, before, after, between`,
	}
}

// phrase is some words with a cue.
type phrase struct {
	stems []string
	cue   Cue
}

// Vocabulary has the phrases by their first word, the longest first.
type Vocabulary struct {
	byFirst map[string][]phrase
	single  map[string]bool // the words that mean something of their own
	all     map[string]bool // all words of phrases
}

func NewVocabulary() Vocabulary {
	v := Vocabulary{map[string][]phrase{}, map[string]bool{}, map[string]bool{}}
	for m, list := range phrasesOf() {
		for one := range strings.SplitSeq(list, ",") {
			var p phrase
			for _, w := range token.Split(one) {
				p.stems = append(p.stems, w.Stem)
				v.all[w.Stem] = true
			}
			p.cue = m
			v.byFirst[p.stems[0]] = append(v.byFirst[p.stems[0]], p)
			if len(p.stems) == 1 {
				v.single[p.stems[0]] = true
			}
		}
	}
	for _, list := range v.byFirst {
		slices.SortStableFunc(list, func(a, b phrase) int { return len(b.stems) - len(a.stems) })
	}
	return v
}

// at is the longest phrase that stands at a word.
func (v Vocabulary) at(words []token.Word, i int) (phrase, bool) {
	for _, p := range v.byFirst[words[i].Stem] {
		if len(p.stems) <= len(words)-i && p.isAt(words[i:]) {
			return p, true
		}
	}
	return phrase{}, false
}

func (p phrase) isAt(words []token.Word) bool {
	for n, s := range p.stems {
		if words[n].Used || words[n].Quote != 0 || words[n].Stem != s {
			return false
		}
	}
	return true
}
