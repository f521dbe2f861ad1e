package parse

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/token"
	"finsvc/ledger/calendar"
	"finsvc/ledger/money"
)

// MaxMentions is how many names a question may have.
const MaxMentions = 8

// readNames reads the names that stand in the question as they are, the longest first at each place. A name that is
// a word of the language as well, such as "Total" or "May", counts only where a name must stand.
func readNames(r *reader) {
	for i := 0; i < len(r.words); i++ {
		found := r.names.At(r.words, i)
		if len(found) == 0 {
			continue
		}
		length := len(found[0].Stems)
		types, n := r.accountType(i)
		if n == length && types != "" && r.are(i+n, "accounts") {
			continue // "checking accounts" are not the one that is called so
		}
		if (isLanguage(r, i, length) || isInPhrase(r, i, length)) && !mustBeName(r, i, length) {
			continue
		}
		r.mention(i, length, found, "")
		i += length - 1
	}
}

// isLanguage reports whether words mean something without being a name. A noun with a number behind it, such as
// "category 01", does not: numbers stand behind "top" and "last" only.
func isLanguage(r *reader, from, length int) bool {
	for i, w := range r.words[from : from+length] {
		if !r.single[w.Stem] && !token.IsCalendarWord(w.Text) {
			return false
		}
		_, isNumber := token.SmallNumber(w.Text)
		before := r.words[max(from, from+i-1)].Text
		if i > 0 && isNumber && !token.IsCalendarWord(before) &&
			!r.are(from+i-1, "top|last|past|first|largest|biggest|latest|previous") {
			return false
		}
	}
	return true
}

// mustBeName reports whether words stand where only a name can.
func mustBeName(r *reader, from, length int) bool {
	if r.words[from].Quote != 0 || r.are(from-1, "called|named|tagged|merchant|category|tag|account|shop|store") {
		return true
	}
	if r.are(from+length, "category|tag|merchant|account|shop|store") {
		return true
	}
	p, found := r.at(r.words, from)
	if found && p.cue == Cannot && r.are(from+length, "cost|costs|spending|expenses|bill|bills|payments") {
		return true // "Christmas spending", where that is a tag
	}
	if isNamedInList(r, from, length) || r.are(from-1, "at") && token.IsCalendarWord(r.words[from].Text) &&
		r.words[from].Text != "end" {
		return true
	}
	return r.are(from-1, "at|on|to|for|from") && r.flowAt(from) == "" && !token.IsCalendarWord(r.words[from].Text) &&
		r.single[r.words[from].Stem] && !isPhrase(r, from)
}

// isInPhrase reports whether words end a longer phrase of the language, as "saving" does in "are we saving".
func isInPhrase(r *reader, from, length int) bool {
	for i := max(0, from-3); i < from; i++ {
		p, found := r.at(r.words, i)
		if found && i+len(p.stems) >= from+length {
			return true
		}
	}
	return false
}

// isPhrase reports whether words behind a preposition are the beginning of a phrase of the language: "on average",
// "for the".
func isPhrase(r *reader, i int) bool {
	before, _ := r.at(r.words, i-1)
	here, found := r.at(r.words, i)
	return len(before.stems) > 1 || found &&
		(len(here.stems) > 1 || here.cue == 0 || here.cue == Account || here.cue == Month)
}

// mention takes names in, with the noun beside them that says what they are.
func (r *reader) mention(from, length int, options []household.Item, said string) {
	r.use(from, length)
	m := Mention{Options: options, Said: said, Leading: r.leading(from), at: from, words: length}
	for _, at := range []int{from - 1, from + length} {
		k, isNoun := kindNamed(r.text(at))
		of := m.Of(k)
		if isNoun && len(of) > 0 && !r.are(at-1, "by|per|each|every") {
			m.Options = of
			r.use(at, 1)
		}
	}
	isTag := len(m.Of(household.TagKind)) > 0
	if isTag && r.are(from+length, "trip|project|tour") {
		m.Options = m.Of(household.TagKind)
		r.use(from+length, 1)
	}
	r.Mentions = append(r.Mentions, m)
}

func kindNamed(text string) (household.Kind, bool) {
	switch token.Stem(text) {
	case "category":
		return household.CategoryKind, true
	case "merchant", "shop", "store", "payee", "vendor":
		return household.MerchantKind, true
	case "tag", "tagged", "label":
		return household.TagKind, true
	case "account":
		return household.AccountKind, true
	case "share", "stock", "unit", "security":
		return household.SecurityKind, true
	}
	return 0, false
}

// readPhrases reads what the question asks for. A word behind "at" that is not clearly grammar is left to be a name.
func readPhrases(r *reader) {
	for i := 0; i < len(r.words); i++ {
		if r.words[i].Shown == "#" {
			r.use(i, 1) // that of something that is no tag
		}
		if r.words[i].Used || r.words[i].Quote != 0 {
			continue
		}
		p, found := r.at(r.words, i)
		if !found || len(p.stems) == 1 && i > 0 && r.words[i-1].Text == "at" &&
			!slices.Contains([]string{"the", "my", "our", "all", "any", "which", "what", "most"}, r.words[i].Text) {
			continue
		}
		if p.cue&Cannot != 0 || p.cue == HowMuch && r.Cues&HowMuch != 0 {
			r.Missing = append(r.Missing, token.Joined(r.words[i:i+len(p.stems)]))
		}
		switch {
		case p.cue == Spending && isPayer(r, i):
			p.cue = Income
		case p.cue == Income && r.are(i, "money", "in") && isAccount(r, i+2):
			p.cue = Balance
		}
		r.Cues |= p.cue
		r.Phrases = append(r.Phrases, SaidPhrase{p.cue, token.Joined(r.words[i : i+len(p.stems)])})
		r.use(i, len(p.stems))
		i += len(p.stems) - 1
	}
}

// isAccount reports whether an account is named at a place, or one is by what it is.
func isAccount(r *reader, i int) bool {
	for r.isWord(i, "the", "my", "our") {
		i++
	}
	types := ""
	if i < len(r.words) {
		types, _ = r.accountType(i)
	}
	return types != "" || slices.ContainsFunc(r.Mentions,
		func(m Mention) bool { return m.at == i && len(m.Of(household.AccountKind)) == len(m.Options) })
}

// isPayer reports whether another than the user pays: "when did Acme last pay" asks for what came in.
func isPayer(r *reader, i int) bool {
	at := i - 1
	for at > 0 && !r.isWord(at, "did", "does", "has", "i", "we", "you") {
		at--
	}
	isName := func(w token.Word) bool { return !r.single[w.Stem] && !isFiller(w.Text) }
	return r.isWord(i, "pay", "pays", "paid") && r.isWord(max(at, 0), "did", "does", "has") &&
		slices.ContainsFunc(r.words[at+1:i], isName)
}

// accountOfType takes in the accounts of some types, which words mean.
func accountOfType(r *reader, i, words int, types string) {
	var accounts []household.Item
	for _, k := range r.names.All {
		if k.Kind == household.AccountKind && k.IsOfType(types) {
			accounts = append(accounts, k)
		}
	}
	if len(accounts) == 0 || isQualified(r, i, words, types) {
		return
	}
	m := Mention{Options: accounts, Said: token.Joined(r.words[i : i+words]), Leading: r.leading(i), ByType: true,
		at: i, words: words}
	isSpentFor := !slices.ContainsFunc(accounts,
		func(k household.Item) bool { return !k.IsOfType("loan property vehicle") })
	last := i + words - 1
	switch {
	case r.are(i+words, "account|accounts"):
		last, m.Noun = i+words, true
	case isSpentFor:
		for _, k := range r.names.WithPart(r.words[i : i+words]) {
			if k.Kind == household.CategoryKind && !slices.Contains(k.Stems, "interest") {
				m.Options = append(m.Options, k)
			}
		}
	}
	m.words = last + 1 - i
	m.One = !strings.HasSuffix(r.words[last].Text, "s") &&
		(m.Noun || slices.Contains([]string{"my", "our", "the", "that"}, r.before(i)))
	r.Mentions = append(r.Mentions, m)
	r.use(i, m.words)
}

// accountWords are the types and subtypes of accounts that words mean, by their stems.
func accountWords() map[string]string {
	return map[string]string{"credit card": "credit_card", "card": "credit_card", "saving": "savings",
		"checking": "checking", "giro": "checking",
		"brokerage": "brokerage investment", "broker": "brokerage investment", "investment": "investment",
		"current": "checking", "retirement": "retirement pension", "pension": "retirement pension",
		"mortgage": "mortgage", "loan": "loan", "crypto": "crypto", "property": "property", "house": "property",
		"home":    "property",
		"vehicle": "vehicle", "car": "vehicle"}
}

// accountType gives the types and subtypes of accounts that words mean, and how many words that are.
func (r *reader) accountType(i int) (types string, words int) {
	for words = r.run(i); words > 0; words-- {
		var stems []string
		for _, w := range r.words[i : i+words] {
			stems = append(stems, w.Stem)
		}
		types = accountWords()[strings.Join(stems, " ")]
		if types != "" {
			return types, words
		}
	}
	return "", 0
}

// guess looks for names in unread words that stand where a name may: with a letter wrong, or as a part of a name.
func guess(r *reader) {
	for i := 0; i < len(r.words); i++ {
		run := r.run(i)
		if run == 0 || !mayBeName(r, i, run) && !isListed(r, i, run) && !isSubject(r, i) {
			continue
		}
		words := r.words[i : i+run]
		found, length := r.names.Misspelt(words)
		if len(found) == 0 && words[0].Quote == 0 && len(words[0].Text) > 2 {
			found, length = r.names.Containing(words)
			accounts := r.accountsWith(words, false)
			if len(accounts) > 0 && (IsMeans(r.leading(i)) || len(found) == 0) {
				found, length = accounts, len(words) // "with the Visa", where a merchant has that in its name, too
			}
		}
		k, isNoun := kindNamed(r.before(i))
		if isNoun && len(Mention{Options: found}.Of(k)) == 0 {
			found = nil // "the merchant X" is no category
		}
		if len(found) > 0 {
			r.mention(i, length, found, token.Joined(words[:length]))
			r.Mentions[len(r.Mentions)-1].One = !strings.HasSuffix(words[length-1].Text, "s")
		}
		i += max(length, 1) - 1
	}
}

// mayBeName reports whether unread words stand where a name may: behind a preposition or a verb, or before what is
// paid.
func mayBeName(r *reader, from, length int) bool {
	isOther := func(m Mention) bool { return len(m.Of(household.AccountKind)) < len(m.Options) }
	isAmongAccounts := r.Cues&^(Compare|Average) == 0 && len(r.Periods)+len(r.Mentions) > 0 &&
		!slices.ContainsFunc(r.Mentions, isOther) // "royalties this year"
	if r.words[from].Quote != 0 || from == 0 && (length == len(r.words) || isAmongAccounts) {
		return true
	}
	before := []string{"on", "at", "for", "to", "from", "with", "in", "of", "called", "named", "by", "about",
		"tagged", "find", "pay", "paid", "search", "did", "merchant", "category", "tag", "shop", "store", "containing",
		"and", "payment", "payments", "transaction", "transactions", "does", "has", "much"}
	behind := []string{"cost", "costs", "payment", "payments", "transaction", "transactions", "bill", "bills",
		"expense", "expenses", "spending", "purchase", "purchases", "account", "accounts", "share", "shares", "stock",
		"balance", "pay", "paid", "charge", "worth"}
	return slices.Contains(before, r.leading(from)) ||
		from+length < len(r.words) && slices.Contains(behind, r.words[from+length].Text)
}

// isSubject reports whether words stand where the subject of a question does: "what is my rent".
func isSubject(r *reader, from int) bool {
	return slices.Contains([]string{"is", "are", "was", "were", "whats", "hows"}, r.leading(from))
}

// isText reports whether something can be looked for in texts: letters, and at least three characters. Who names a
// currency does not want to search for it.
func isText(said string) bool {
	_, isCurrency := money.LookupCurrency(said)
	_, isDay := calendar.DayNumber(token.Plain(said))
	return !isDay && utf8.RuneCountInString(said) > 2 && strings.ContainsFunc(said, unicode.IsLetter) && !isCurrency
}

// readRest makes a search of what is left, when it stands where a name may and is all that is left; else it was not
// understood.
func readRest(r *reader) {
	for i := 0; i < len(r.words); i++ {
		run := r.run(i)
		if run == 0 {
			continue
		}
		said := token.Joined(r.words[i : i+run])
		if r.Search == "" && isText(said) && isSought(r, i, run) {
			r.Search = said
		} else {
			r.Missing = append(r.Missing, said)
		}
		r.use(i, run)
		i += run - 1
	}
	if len(r.Mentions) > MaxMentions {
		r.Missing = append(r.Missing, "so many names")
	}
}

// isSought reports whether words are to be looked for in texts. What there is, and what is grouped, has no text: "how
// much cash do I have", "income by source".
func isSought(r *reader, i, run int) bool {
	isOwned := r.Having && r.Cues&(Spending|Income|Transactions|Find) == 0
	isGroup := r.before(i) == "by" && !r.isWord(max(0, i-2), "charged", "paid", "billed", "made")
	isMy := slices.Contains([]string{"my", "our"}, r.before(i))
	isAmongNames := len(r.Mentions) > 0 && slices.Contains([]string{"and", "or", "plus"}, r.leading(i))
	return !isOwned && !isGroup && !isMy && !isAmongNames &&
		(mayBeName(r, i, run) || r.Cues&HowMuch != 0 && isSubject(r, i))
}
