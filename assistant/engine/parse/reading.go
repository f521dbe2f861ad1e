package parse

import (
	"slices"
	"strings"

	"finsvc/assistant/engine/dates"
	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/token"
	"finsvc/ledger"
)

// reader takes a question apart.
type reader struct {
	Parsed
	words []token.Word
	names *household.Names
	Vocabulary
	calendar dates.Reader
	currency string
}

// Question finds out what each word of a question says. The order matters: what is read has one meaning only.
func Question(text string, n *household.Names, v Vocabulary, today ledger.Date, currency string) Parsed {
	words := token.Split(text)
	r := &reader{words: words, names: n, Vocabulary: v, calendar: dates.Reader{Words: words, Today: today},
		currency: currency}
	r.Singular = r.mentionsAny("transaction", "payment", "purchase", "expense", "income", "booking", "entry", "bill",
		"thing", "item", "amount")
	r.Apart = r.mentionsAny("by", "per", "each", "every")
	r.Having = r.mentionsAny("have")
	r.them = asksThem(r)
	r.Pointing = r.mentionsAny("them", "those", "these", "ones", "they")
	nouns := strings.Fields("transaction payment purchase expense income booking entry bill category merchant shop store tag account " +
		"month week day quarter year holding stock share position investment thing item debt balance spending")
	r.Bare = !slices.ContainsFunc(r.words, func(w token.Word) bool { return slices.Contains(nouns, w.Stem) })
	r.PerEntry = r.mentionsAny("bill", "purchase", "payment", "transaction", "price")
	correct(r)
	// Read "over 100 euros", "at least 20", "between 50 and 100 EUR". A number that is part of a date is no
	// amount.
	for i := range r.words {
		switch {
		case amountRange(r, i):
		case r.are(i, "over|above|exceeding"):
			r.bounded(i, 1, &r.Least)
		case r.are(i, "of|for|exactly"):
			exact(r, i)
		case r.are(i, "more|less", "than") && r.are(0, "did|do|have|has|was|were|is"): // asks about a sum
		case r.are(i, "more|greater|larger|bigger|higher", "than"), r.are(i, "at", "least"):
			r.bounded(i, 2, &r.Least)
		case r.are(i, "under|below"):
			r.bounded(i, 1, &r.Most)
		case r.are(i, "less|smaller|lower|cheaper", "than"), r.are(i, "at", "most"), r.are(i, "up", "to"):
			r.bounded(i, 2, &r.Most)
		}
	}
	readLimit(r)
	readMost(r)
	readInterest(r)
	// Read accounts that are called by a part of their name: "the US account", "my joint account", "the Visa
	// card". Such a part may be a word of the language. What stands before the noun and is part of no name is
	// not left out: the figure would be that of other accounts.
	for i := 0; i < len(r.words); i++ {
		words, isCard := accountNoun(r, i)
		if words > 0 && r.words[i].Quote == 0 {
			accountBefore(r, i, words, isCard)
			i += words - 1
		}
	}
	for i := range r.words {
		if isCapitalName(r, i) {
			accountInCapitals(r, i)
		}
	}
	readNames(r)
	readPeriods(r)
	readGroups(r)
	readRates(r)
	readPhrases(r)
	// Read accounts that are meant by what they are: "my savings account", "credit cards".
	for i := range r.words {
		if r.words[i].Used {
			continue
		}
		types, words := r.accountType(i)
		accountOfType(r, i, words, types)
	}
	guess(r)
	readRest(r)
	joinMentions(r)
	if len(words) > 0 && (words[0].Text == "and" || words[0].Text == "now") {
		r.Cues |= FollowUp
	}
	if len(words) > token.MaxWords {
		r.Missing = []string{"so long a question"}
	}
	_, more, _ := strings.Cut(text, "?")
	if len(token.Split(more)) > 0 {
		r.Missing = append(r.Missing, "more than one question at once")
	}
	return r.Parsed
}

// asksThem reports whether "the transactions" or "them" are asked for.
func asksThem(r *reader) bool {
	if r.mentionsAny("them", "those", "these", "ones", "they", "details", "detail") {
		return true
	}
	at := slices.IndexFunc(r.words, func(w token.Word) bool {
		return slices.Contains([]string{"transaction", "payment", "purchase", "booking", "expense", "entry"}, w.Stem)
	})
	isAll := r.mentionsAny("my", "our", "last", "latest", "recent", "largest", "biggest", "top", "how", "many", "when")
	return at >= 0 && !isAll && (at == 0 && len(r.words) <= 2 ||
		r.isWord(max(0, at-1), "the", "which", "what", "and", "underlying", "single", "individual", "show", "list",
			"see"))
}

// readMost reads "the most I ever paid", which is the largest of several amounts and not what they come to.
func readMost(r *reader) {
	for i := range r.words {
		at := i + 1
		if !r.are(i, "most") || !r.are(at, "i|we|ive|weve") {
			continue
		}
		for at++; r.are(at, "have|had|ever|did"); at++ {
		}
		if !r.are(at, "spent|spend|paid|pay|earned|received|got") || r.are(at+1, "on") && at+2 >= len(r.words) ||
			r.are(at+1, "on|at|for") && r.mentionsAny("which", "category", "merchant") {
			continue
		}
		r.Singular = true
		r.Cues |= Largest
		r.Phrases = append(r.Phrases, SaidPhrase{Largest, "most"})
		r.use(i, 1)
	}
}

// text is an unread word; empty where there is none.
func (r *reader) text(i int) string {
	if i < 0 || i >= len(r.words) || r.words[i].Used {
		return ""
	}
	return r.words[i].Text
}

// mentionsAny reports whether the question has one of some words.
func (r *reader) mentionsAny(texts ...string) bool {
	return slices.ContainsFunc(r.words, func(w token.Word) bool { return slices.Contains(texts, w.Text) })
}

func (r *reader) use(from, words int) {
	for i := from; i < min(from+words, len(r.words)); i++ {
		r.words[i].Used = true
	}
}

// are reports whether words stand at a place, each "|" parting what may stand there.
func (r *reader) are(i int, texts ...string) bool {
	for n, choice := range texts {
		t := r.text(i + n)
		if t == "" || !slices.Contains(strings.Split(choice, "|"), t) {
			return false
		}
	}
	return true
}

// endsName reports whether a number belongs to a name that begins before it.
func (r *reader) endsName(i int) bool {
	if i == 0 {
		return false
	}
	found := r.names.At(r.words, i-1)
	return len(found) > 0 && len(found[0].Stems) > 1
}

// leading is the preposition before a name.
func (r *reader) leading(i int) string {
	for i--; i >= 0; i-- {
		t := r.words[i].Text
		switch t {
		case "the", "my", "our", "a", "all", "any":
		default:
			return t
		}
	}
	return ""
}

// before is the word before a place, read or not.
func (r *reader) before(i int) string {
	if i == 0 {
		return ""
	}
	return r.words[i-1].Text
}

// run is how many unread words follow each other from a place on; a quotation is a run of its own.
func (r *reader) run(i int) (length int) {
	for n, w := range r.words[i:] {
		if w.Used || w.Quote != r.words[i].Quote {
			break
		}
		length = n + 1
	}
	return length
}

// isWord reports whether one of some words stands at a place, read or not.
func (r *reader) isWord(i int, texts ...string) bool {
	return i < len(r.words) && slices.Contains(texts, r.words[i].Text)
}
