package engine

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/money"
)

// parsed is what a question says, word by word; a [question] is made of it.
type parsed struct {
	marks    cue
	periods  []period
	relation relation
	mentions []mention
	search   string           // words that are no name, to be looked for in texts
	least    *decimal.Decimal // bounds of amounts
	most     *decimal.Decimal
	limit    int           // how many rows are wanted; 0 when it is not said
	missing  []string      // words that nothing was made of
	singular bool          // one transaction is asked for
	against  bool          // a period is compared with
	phrases  []heardPhrase // those that have a mark
	apart    bool          // it says by what figures are to be told apart
	rate     rate          // for which unit of the calendar figures are wanted
	having   bool          // it asks what there is: "do I have"
	them     bool          // it asks for the transactions of what was said before
	bare     bool          // it has no noun for what is wanted: "and the largest?"
	pointing bool          // it says "them", "those"
	perEntry bool          // it has a noun for a single transaction
	notes    []string      // what was made of misspelt words
	unclear  []string      // sentences that say what may mean more than one thing
}

// heardPhrase is a phrase of a question.
type heardPhrase struct {
	mark cue
	text string
}

// mention is where a question names something. What several things are called like may mean any of them.
type mention struct {
	options []thing
	said    string    // the words, when they are not exactly the name
	leading string    // the preposition before it
	byType  bool      // accounts of a type, such as "credit card"
	noun    bool      // of accounts of a type: "savings account", not only "savings"
	one     bool      // a single thing is meant
	at      int       // its first word
	words   int       // how many it takes
	joint   connector // how it is joined to the one before it
	from    int       // where that is said; at when it is not
}

// relation says which other period a period is compared with.
type relation struct {
	before bool
	unit   unit // the unit before; day is the period itself
	years  int  // the same period years before
}

// reader takes a question apart.
type reader struct {
	parsed
	words []word
	names *names
	vocabulary
	calendar calendarReader
	currency string
}

// readQuestion finds out what each word of a question says. The order matters: what is read has one meaning only.
func readQuestion(text string, n *names, v vocabulary, today ledger.Date, currency string) parsed {
	words := splitWords(text)
	r := &reader{words: words, names: n, vocabulary: v, calendar: calendarReader{words: words, today: today}, currency: currency}
	r.singular = r.mentionsAny("transaction", "payment", "purchase", "expense", "income", "booking", "entry", "bill", "thing", "item", "amount")
	r.apart = r.mentionsAny("by", "per", "each", "every")
	r.having = r.mentionsAny("have")
	r.them = r.asksThem()
	r.pointing = r.mentionsAny("them", "those", "these", "ones", "they")
	r.bare = !slices.ContainsFunc(r.words, func(w word) bool { return isWanted(w.stem) })
	r.perEntry = r.mentionsAny("bill", "purchase", "payment", "transaction", "price")
	r.correct()
	r.readAmounts()
	r.readLimit()
	r.readMost()
	r.readInterest()
	r.readAccounts()
	r.readNames()
	r.readPeriods()
	r.readGroups()
	r.readRates()
	r.readPhrases()
	r.readTypes()
	r.guess()
	r.readRest()
	r.joinMentions()
	if len(words) > 0 && (words[0].text == "and" || words[0].text == "now") {
		r.marks |= saysFollowUp
	}
	if len(words) > maxWords {
		r.missing = []string{"so long a question"}
	}
	if _, more, _ := strings.Cut(text, "?"); len(splitWords(more)) > 0 {
		r.missing = append(r.missing, "more than one question at once")
	}
	return r.parsed
}

// isWanted says whether a word is a noun for what may be wanted.
func isWanted(stem string) bool {
	return slices.Contains(strings.Fields(`transaction payment purchase expense income booking entry bill category merchant shop store tag account month week day
		quarter year holding stock share position investment thing item debt balance spending`), stem)
}

// asksThem says whether "the transactions" or "them" are asked for.
func (r *reader) asksThem() bool {
	if r.mentionsAny("them", "those", "these", "ones", "they", "details", "detail") {
		return true
	}
	at := slices.IndexFunc(r.words, func(w word) bool {
		return slices.Contains([]string{"transaction", "payment", "purchase", "booking", "expense", "entry"}, w.stem)
	})
	isAll := r.mentionsAny("my", "our", "last", "latest", "recent", "largest", "biggest", "top", "how", "many", "when")
	return at >= 0 && !isAll && (at == 0 && len(r.words) <= 2 || r.isWord(max(0, at-1), "the", "which", "what", "and", "underlying", "single", "individual", "show", "list", "see"))
}

// readMost reads "the most I ever paid", which is the largest of several amounts and not what they come to.
func (r *reader) readMost() {
	for i := range r.words {
		at := i + 1
		if !r.are(i, "most") || !r.are(at, "i|we|ive|weve") {
			continue
		}
		for at++; r.are(at, "have|had|ever|did"); at++ {
		}
		if !r.are(at, "spent|spend|paid|pay|earned|received|got") || r.are(at+1, "on") && at+2 >= len(r.words) || r.are(at+1, "on|at|for") && r.mentionsAny("which", "category", "merchant") {
			continue
		}
		r.singular = true
		r.marks |= saysLargest
		r.phrases = append(r.phrases, heardPhrase{saysLargest, "most"})
		r.use(i, 1)
	}
}

// text is an unread word; empty where there is none.
func (r *reader) text(i int) string {
	if i < 0 || i >= len(r.words) || r.words[i].used {
		return ""
	}
	return r.words[i].text
}

// mentionsAny says whether the question has one of some words.
func (r *reader) mentionsAny(texts ...string) bool {
	return slices.ContainsFunc(r.words, func(w word) bool { return slices.Contains(texts, w.text) })
}

func (r *reader) use(from, words int) {
	for i := from; i < min(from+words, len(r.words)); i++ {
		r.words[i].used = true
	}
}

// are says whether words stand at a place, each "|" parting what may stand there.
func (r *reader) are(i int, texts ...string) bool {
	for n, choice := range texts {
		if t := r.text(i + n); t == "" || !slices.Contains(strings.Split(choice, "|"), t) {
			return false
		}
	}
	return true
}

// readAmounts reads "over 100 euros", "at least 20", "between 50 and 100 EUR". A number that is part of a date is no amount.
func (r *reader) readAmounts() {
	for i := range r.words {
		switch {
		case r.amountRange(i):
		case r.are(i, "over|above|exceeding"):
			r.bounded(i, 1, &r.least)
		case r.are(i, "of|for|exactly"):
			r.exact(i)
		case r.are(i, "more|less", "than") && r.are(0, "did|do|have|has|was|were|is"): // asks about a sum
		case r.are(i, "more|greater|larger|bigger|higher", "than"), r.are(i, "at", "least"):
			r.bounded(i, 2, &r.least)
		case r.are(i, "under|below"):
			r.bounded(i, 1, &r.most)
		case r.are(i, "less|smaller|lower|cheaper", "than"), r.are(i, "at", "most"), r.are(i, "up", "to"):
			r.bounded(i, 2, &r.most)
		}
	}
}

// amountRange reads "between 20 and 50", and "from 20 to 50 EUR", "20-50 euros", which without a currency may be anything. What may
// be days as well as amounts is asked about.
func (r *reader) amountRange(i int) bool {
	start, isBetween := i, r.are(i, "between")
	if isBetween || r.are(i, "from|of") {
		start++
	}
	least, ok := r.amountAt(start)
	if !ok || !r.are(least.end, "and|to|through") || r.are(least.end, "and") && !isBetween {
		return false
	}
	most, ok := r.amountAt(least.end + 1)
	isMoney := least.money || most.money
	if !ok || !isMoney && (!isBetween || isYear(least.String()) || isYear(most.String()) || r.isCounted(most.end)) {
		return false
	}
	_, isPeriod := r.calendar.at(i)
	switch {
	case isMoney:
	case isPeriod:
		return false
	case r.mayBeDays(i, least.Decimal, most.Decimal, most.end):
		said := joined(r.words[i:most.end])
		r.unclear = append(r.unclear, fmt.Sprintf("%s may be days or amounts; say for example %s or %s.", ledger.Quote(said),
			ledger.Quote(fmt.Sprintf("from the %s to the %s", ordinal(least.IntPart()), ordinal(most.IntPart()))), ledger.Quote(said+" "+r.currency)))
	}
	r.least, r.most = &least.Decimal, &most.Decimal
	r.use(i, most.end-i)
	return true
}

// mayBeDays says whether two numbers without a currency may be days of a month that is said beside them.
func (r *reader) mayBeDays(from int, least, most decimal.Decimal, end int) bool {
	isDay := func(n decimal.Decimal) bool { _, is := dayNumber(n.String()); return is }
	isMonth := func(p period, found bool) bool { return found && p.unit == aMonth }
	before := slices.IndexFunc(r.words, func(w word) bool { return monthNamed(w.text) != 0 || w.text == "month" })
	return isDay(least) && isDay(most) && (isMonth(r.calendar.plain(end)) || before >= 0 && before < from && before >= from-2)
}

// ordinal is a day of a month as it is said: 3rd, 17th.
func ordinal(n int64) string {
	ending := map[int64]string{1: "st", 2: "nd", 3: "rd"}[n%10]
	if ending == "" || n/10 == 1 {
		ending = "th"
	}
	return fmt.Sprint(n, ending)
}

// saidAmount is an amount as it stands in a question.
type saidAmount struct {
	decimal.Decimal
	money bool // with its currency
	end   int  // the word behind it
}

// amountAt reads an amount at a place, with its currency before or after it.
func (r *reader) amountAt(i int) (a saidAmount, ok bool) {
	if r.isCurrency(i) {
		i, a.money = i+1, true
	}
	a.Decimal, ok = amountOf(r.text(i))
	if i++; r.isCurrency(i) {
		i, a.money = i+1, true
	}
	a.end = i
	return a, ok
}

// isCounted says whether the number before a place counts something that is no money.
func (r *reader) isCounted(i int) bool {
	_, isUnit := unitNamed(r.text(i))
	return isUnit || r.are(i, "times|percent|shares|transactions|payments|purchases|accounts|categories|merchants")
}

func (r *reader) bounded(i, words int, bound **decimal.Decimal) {
	if r.bound(i+words, bound) {
		r.use(i, words)
	}
}

// exact reads "of 42 EUR", "for 15.99": a number that can only be an amount.
func (r *reader) exact(i int) {
	var amount *decimal.Decimal
	isMoney := r.isCurrency(i+1) || r.isCurrency(i+2) || strings.Contains(r.text(i+1), ".") && strings.Count(r.text(i+1), ".") == 1
	if isMoney && r.bound(i+1, &amount) {
		r.least, r.most = amount, amount
		r.use(i, 1)
	}
}

// bound reads an amount at the first unread word from i on. Part of a date it is not, and a year may be one: "over 2025".
func (r *reader) bound(i int, bound **decimal.Decimal) bool {
	for i < len(r.words) && r.words[i].used {
		i++
	}
	a, ok := r.amountAt(i)
	p, isPeriod := r.calendar.point(i)
	switch {
	case !ok, r.isCounted(a.end):
		return false
	case a.money, !isPeriod:
	case p.words > 1 || r.before(i) != "over":
		if p.words > 1 {
			return false
		}
	case isYear(a.String()) && p.first <= r.calendar.today && p.last >= r.names.begins:
		r.unclear = append(r.unclear, fmt.Sprintf("%s may be the year or an amount; say %s or %s.", ledger.Quote("over "+a.String()),
			ledger.Quote("in "+a.String()), ledger.Quote("over "+a.String()+" "+r.currency)))
	}
	*bound = &a.Decimal
	r.use(i, a.end-i)
	return true
}

// amountOf reads 1,234.50 and 1234.5.
func amountOf(text string) (decimal.Decimal, bool) {
	if text == "" || !isDigit(rune(text[0])) {
		return decimal.Zero, false
	}
	amount, err := money.ParseDecimal(strings.ReplaceAll(text, ",", ""))
	return amount, err == nil
}

// isCurrency says whether a word is the household's currency.
func (r *reader) isCurrency(i int) bool {
	t := r.text(i)
	if t == "" {
		return false
	}
	common := map[string]string{"EUR": "€ euro euros", "USD": "$ dollar dollars bucks", "GBP": "£ pound pounds quid", "JPY": "¥ yen", "CHF": "franken francs",
		"CAD": "$ dollar dollars", "AUD": "$ dollar dollars"}
	return strings.EqualFold(t, r.currency) || slices.Contains(strings.Fields(common[r.currency]), t)
}

// maxRows is how many rows an answer has at most, when more are asked for.
const maxRows = 50

// readLimit reads the number in "top 5", "last ten transactions", "5 largest".
func (r *reader) readLimit() {
	const order = "top|last|latest|recent|newest|first|oldest|largest|biggest|highest|smallest|lowest|cheapest"
	const things = "|most|transactions|payments|expenses|purchases|incomes|merchants|categories|tags|shops|stores|entries|bookings|months"
	for i := range r.words {
		n, isNumber := smallNumber(r.text(i))
		_, isUnit := unitNamed(r.text(i + 1))
		_, isPeriod := unitNamed(r.text(i + 2)) // "category 5 last month" wants no five rows
		isPeriod = isPeriod && r.are(i+1, "last|first|latest")
		if !isNumber || n == 0 || isUnit || isPeriod || r.endsName(i) || !r.are(i-1, order) && !r.are(i+1, order+things) {
			continue
		}
		r.limit = min(n, maxRows)
		r.use(i, 1)
	}
}

// endsName says whether a number belongs to a name that begins before it.
func (r *reader) endsName(i int) bool {
	if i == 0 {
		return false
	}
	found := r.names.at(r.words, i-1)
	return len(found) > 0 && len(found[0].stems) > 1
}

// readPeriods reads all periods, and what one is compared with.
func (r *reader) readPeriods() {
	r.calendar.comparing = r.mentionsAny("compare", "compared", "comparison", "versus", "vs", "difference", "against")
	r.calendar.things = r.comparesThings()
	r.calendar.changing = r.mentionsAny("grow", "grew", "grown", "growth", "change", "changed", "increase", "increased", "decrease", "decreased", "rise", "rose", "risen",
		"fall", "fell", "fallen", "drop", "dropped", "up", "down")
	for i := range r.words {
		if r.are(i, "in") && r.are(i-1, "came|come|coming") {
			continue // "came in last month"
		}
		if words := r.readRelation(i); words > 0 {
			r.use(i, words)
			continue
		}
		if p, found := r.calendar.at(i); found {
			p.at = i
			r.use(i, p.words)
			if !r.joinPeriod(p) {
				r.periods = append(r.periods, p)
				r.against = r.against || slices.Contains([]string{"with", "to", "than", "against", "versus", "vs"}, r.before(i))
			}
		}
	}
	r.shareYears()
	for i := range r.words {
		if r.are(i, "in") && r.isCurrency(i+1) {
			r.use(i, 2)
		}
	}
}

// joinPeriod makes one period of one that directly follows another and narrows it: "last year in May", "this year until the end
// of April", "in 2025 since March". A part of the one before that was not understood is not compared with it: "the last weekend
// of June".
func (r *reader) joinPeriod(p period) bool {
	if len(r.periods) == 0 {
		return false
	}
	last := &r.periods[len(r.periods)-1]
	isYear := last.unit == aYear && p.yearless && (p.unit != aYear || p.open)
	switch {
	case last.at+last.words != p.at:
		return false
	case last.unit == aMonth && p.unit == aHalf && p.yearless: // "May, first half"
		middle := last.first.MonthStart().AddDays(15)
		if last.words += p.words; p.first.Time().Month() == time.July {
			last.span = span{first: middle, last: last.last}
		} else {
			last.span = span{first: last.first, last: min(middle-1, last.last)}
		}
		return true
	case isYear:
		year := r.calendar
		year.today = min(aYear.whole(last.first).last, year.today)
		year.words = slices.Clone(r.words)
		for i := range year.words[p.at:] {
			year.words[p.at+i].used = false
		}
		if again, found := year.at(p.at); found && again.words == p.words {
			again.at = p.at
			p = again
		}
	case p.open || last.open:
	case last.unit == aYear && p.unit < aYear && last.covers(p.span):
	case r.isWord(p.at, "of", "in"):
		r.missing = append(r.missing, joined(r.words[last.at:p.at+p.words]))
		return true
	default:
		return false
	}
	s := span{first: max(last.first, p.first), last: min(last.last, p.last), unit: p.unit, moment: p.moment}
	if s.first > s.last && !p.edge {
		r.missing = append(r.missing, joined(r.words[last.at:p.at+p.words]))
	}
	last.span, last.words = s, last.words+p.words
	last.edge, last.open, last.yearless = p.edge, p.open && last.open, false
	return true
}

// comparesThings says whether something other than periods is set against each other.
func (r *reader) comparesThings() bool {
	for i := range r.words {
		if !r.opposes(i, true) && (r.words[i].text != "and" || !r.mentionsAny("compare")) {
			continue
		}
		at := i + 1
		_, isPeriod := r.calendar.plain(at)
		for ; !isPeriod && at < len(r.words) && isFiller(r.words[at].text); at++ {
			_, isPeriod = r.calendar.plain(at + 1)
		}
		if !isPeriod && at < len(r.words) {
			return true
		}
	}
	return false
}

// readRelation reads "the previous month", "the year before", "the same month last year", and says how many words
// that are. Without anything to compare with they are read as periods.
func (r *reader) readRelation(i int) int {
	if !r.calendar.comparing && !r.mentionsAny("than", "change", "changed", "grow", "increase", "decrease", "increased", "decreased") {
		return 0
	}
	skip := 0
	if r.are(i, "the") {
		skip = 1
	}
	u, known := unitNamed(r.text(i + skip + 1))
	isUnit := known || r.are(i+skip+1, "period|one")
	switch {
	case r.are(i+skip, "previous|prior|preceding") && isUnit:
		r.relation = relation{before: true, unit: u}
		return skip + 2
	case r.are(i+skip, "day|week|month|quarter|year|one|period", "before"):
		u, _ = unitNamed(r.text(i + skip))
		r.relation = relation{before: true, unit: u}
		return skip + 2
	case r.are(i+skip, "same", "day|week|month|quarter|period|time|months|days"):
		return r.readSame(i, skip+2)
	}
	return 0
}

// readSame reads which year "the same month" is of.
func (r *reader) readSame(i, words int) int {
	if r.are(i+words, "of|in|the") {
		words++
	}
	if r.are(i+words, "the") {
		words++
	}
	switch {
	case r.are(i+words, "last|previous|prior", "year"), r.are(i+words, "year", "before"):
		words += 2
	case r.are(i+words, "a|one", "year", "ago|before|earlier"):
		words += 3
	default:
		return 0
	}
	r.relation = relation{years: 1}
	return words
}
