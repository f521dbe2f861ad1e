package engine

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"finsvc/ledger/money"
)

// maxMentions is how many names a question may have.
const maxMentions = 8

// readNames reads the names that stand in the question as they are, the longest first at each place. A name that is
// a word of the language as well, such as "Total" or "May", counts only where a name must stand.
func (r *reader) readNames() {
	for i := 0; i < len(r.words); i++ {
		found := r.names.at(r.words, i)
		if len(found) == 0 {
			continue
		}
		length := len(found[0].stems)
		if types, n := r.accountType(i); n == length && types != "" && r.are(i+n, "accounts") {
			continue // "checking accounts" are not the one that is called so
		}
		if (r.isLanguage(i, length) || r.isInPhrase(i, length)) && !r.mustBeName(i, length) {
			continue
		}
		r.mention(i, length, found, "")
		i += length - 1
	}
}

// isLanguage says whether words mean something without being a name. A noun with a number behind it, such as "category
// 01", does not: numbers stand behind "top" and "last" only.
func (r *reader) isLanguage(from, length int) bool {
	for i, w := range r.words[from : from+length] {
		if !r.single[w.stem] && !isCalendarWord(w.text) {
			return false
		}
		_, isNumber := smallNumber(w.text)
		if before := r.words[max(from, from+i-1)].text; i > 0 && isNumber && !isCalendarWord(before) && !r.are(from+i-1, "top|last|past|first|largest|biggest|latest|previous") {
			return false
		}
	}
	return true
}

func isCalendarWord(text string) bool {
	_, isUnit := unitNamed(text)
	_, isNumber := smallNumber(text)
	days := strings.Fields("monday tuesday wednesday thursday friday saturday sunday today yesterday ever ago time so far")
	return isUnit || isNumber || monthNamed(text) != 0 || slices.Contains(days, text)
}

// mustBeName says whether words stand where only a name can.
func (r *reader) mustBeName(from, length int) bool {
	if r.words[from].quote != 0 || r.are(from-1, "called|named|tagged|merchant|category|tag|account|shop|store") {
		return true
	}
	if r.are(from+length, "category|tag|merchant|account|shop|store") {
		return true
	}
	if p, found := r.at(r.words, from); found && p.mark == saysCannot && r.are(from+length, "cost|costs|spending|expenses|bill|bills|payments") {
		return true // "Christmas spending", where that is a tag
	}
	if r.isNamedInList(from, length) || r.are(from-1, "at") && isCalendarWord(r.words[from].text) && r.words[from].text != "end" {
		return true
	}
	return r.are(from-1, "at|on|to|for|from") && r.flowAt(from) == "" && !isCalendarWord(r.words[from].text) && r.single[r.words[from].stem] && !r.isPhrase(from)
}

// isInPhrase says whether words end a longer phrase of the language, as "saving" does in "are we saving".
func (r *reader) isInPhrase(from, length int) bool {
	for i := max(0, from-3); i < from; i++ {
		if p, found := r.at(r.words, i); found && i+len(p.stems) >= from+length {
			return true
		}
	}
	return false
}

// isPhrase says whether words behind a preposition are the beginning of a phrase of the language: "on average", "for the".
func (r *reader) isPhrase(i int) bool {
	before, _ := r.at(r.words, i-1)
	here, found := r.at(r.words, i)
	return len(before.stems) > 1 || found && (len(here.stems) > 1 || here.mark == 0 || here.mark == saysAccount || here.mark == saysMonth)
}

// mention takes names in, with the noun beside them that says what they are.
func (r *reader) mention(from, length int, options []thing, said string) {
	r.use(from, length)
	m := mention{options: options, said: said, leading: r.leading(from), at: from, words: length}
	for _, at := range []int{from - 1, from + length} {
		k, isNoun := kindNamed(r.text(at))
		if of := m.of(k); isNoun && len(of) > 0 && !r.are(at-1, "by|per|each|every") {
			m.options = of
			r.use(at, 1)
		}
	}
	if isTag := len(m.of(tagKind)) > 0; isTag && r.are(from+length, "trip|project|tour") {
		m.options = m.of(tagKind)
		r.use(from+length, 1)
	}
	r.mentions = append(r.mentions, m)
}

// leading is the preposition before a name.
func (r *reader) leading(i int) string {
	for i--; i >= 0; i-- {
		switch t := r.words[i].text; t {
		case "the", "my", "our", "a", "all", "any":
		default:
			return t
		}
	}
	return ""
}

// of are the options of a kind.
func (m mention) of(k kind) (of []thing) {
	for _, o := range m.options {
		if o.kind == k {
			of = append(of, o)
		}
	}
	return of
}

func kindNamed(text string) (kind, bool) {
	switch stem(text) {
	case "category":
		return categoryKind, true
	case "merchant", "shop", "store", "payee", "vendor":
		return merchantKind, true
	case "tag", "tagged", "label":
		return tagKind, true
	case "account":
		return accountKind, true
	case "share", "stock", "unit", "security":
		return securityKind, true
	}
	return 0, false
}

// readPhrases reads what the question asks for. A word behind "at" that is not clearly grammar is left to be a name.
func (r *reader) readPhrases() {
	for i := 0; i < len(r.words); i++ {
		if r.words[i].shown == "#" {
			r.use(i, 1) // that of something that is no tag
		}
		if r.words[i].used || r.words[i].quote != 0 {
			continue
		}
		p, found := r.at(r.words, i)
		if !found || len(p.stems) == 1 && i > 0 && r.words[i-1].text == "at" && !slices.Contains([]string{"the", "my", "our", "all", "any", "which", "what", "most"}, r.words[i].text) {
			continue
		}
		if p.mark&saysCannot != 0 || p.mark == saysHowMuch && r.marks&saysHowMuch != 0 {
			r.missing = append(r.missing, joined(r.words[i:i+len(p.stems)]))
		}
		switch {
		case p.mark == saysSpending && r.isPayer(i):
			p.mark = saysIncome
		case p.mark == saysIncome && r.are(i, "money", "in") && r.isAccount(i+2):
			p.mark = saysBalance
		}
		r.marks |= p.mark
		r.phrases = append(r.phrases, heardPhrase{p.mark, joined(r.words[i : i+len(p.stems)])})
		r.use(i, len(p.stems))
		i += len(p.stems) - 1
	}
}

// isAccount says whether an account is named at a place, or one is by what it is.
func (r *reader) isAccount(i int) bool {
	for r.isWord(i, "the", "my", "our") {
		i++
	}
	types := ""
	if i < len(r.words) {
		types, _ = r.accountType(i)
	}
	return types != "" || slices.ContainsFunc(r.mentions, func(m mention) bool { return m.at == i && len(m.of(accountKind)) == len(m.options) })
}

// isPayer says whether somebody else pays: "when did Acme last pay" asks for what came in.
func (r *reader) isPayer(i int) bool {
	at := i - 1
	for at > 0 && !r.isWord(at, "did", "does", "has", "i", "we", "you") {
		at--
	}
	isName := func(w word) bool { return !r.single[w.stem] && !isFiller(w.text) }
	return r.isWord(i, "pay", "pays", "paid") && r.isWord(max(at, 0), "did", "does", "has") && slices.ContainsFunc(r.words[at+1:i], isName)
}

// readTypes reads accounts that are meant by what they are: "my savings account", "credit cards".
func (r *reader) readTypes() {
	for i := range r.words {
		if r.words[i].used {
			continue
		}
		types, words := r.accountType(i)
		r.accountOfType(i, words, types)
	}
}

// accountOfType takes in the accounts of some types, which words mean.
func (r *reader) accountOfType(i, words int, types string) {
	var accounts []thing
	for _, k := range r.names.all {
		if k.kind == accountKind && k.isOfType(types) {
			accounts = append(accounts, k)
		}
	}
	if len(accounts) == 0 || r.isQualified(i, words, types) {
		return
	}
	m := mention{options: accounts, said: joined(r.words[i : i+words]), leading: r.leading(i), byType: true, at: i, words: words}
	isSpentFor := !slices.ContainsFunc(accounts, func(k thing) bool { return !k.isOfType("loan property vehicle") })
	last := i + words - 1
	switch {
	case r.are(i+words, "account|accounts"):
		last, m.noun = i+words, true
	case isSpentFor:
		for _, k := range r.names.withPart(r.words[i : i+words]) {
			if k.kind == categoryKind && !slices.Contains(k.stems, "interest") {
				m.options = append(m.options, k)
			}
		}
	}
	m.words = last + 1 - i
	m.one = !strings.HasSuffix(r.words[last].text, "s") && (m.noun || slices.Contains([]string{"my", "our", "the", "that"}, r.before(i)))
	r.mentions = append(r.mentions, m)
	r.use(i, m.words)
}

// accountWords are the types and subtypes of accounts that words mean, by their stems.
func accountWords() map[string]string {
	return map[string]string{"credit card": "credit_card", "card": "credit_card", "saving": "savings", "checking": "checking", "giro": "checking",
		"brokerage": "brokerage investment", "broker": "brokerage investment", "investment": "investment", "current": "checking", "retirement": "retirement pension", "pension": "retirement pension",
		"mortgage": "mortgage", "loan": "loan", "crypto": "crypto", "property": "property", "house": "property", "home": "property",
		"vehicle": "vehicle", "car": "vehicle"}
}

// accountType gives the types and subtypes of accounts that words mean, and how many words that are.
func (r *reader) accountType(i int) (types string, words int) {
	for words = r.run(i); words > 0; words-- {
		var stems []string
		for _, w := range r.words[i : i+words] {
			stems = append(stems, w.stem)
		}
		if types = accountWords()[strings.Join(stems, " ")]; types != "" {
			return types, words
		}
	}
	return "", 0
}

// guess looks for names in unread words that stand where a name may: with a letter wrong, or as a part of a name.
func (r *reader) guess() {
	for i := 0; i < len(r.words); i++ {
		run := r.run(i)
		if run == 0 || !r.mayBeName(i, run) && !r.isListed(i, run) && !r.isSubject(i) {
			continue
		}
		words := r.words[i : i+run]
		found, length := r.names.misspelt(words)
		if len(found) == 0 && words[0].quote == 0 && len(words[0].text) > 2 {
			found, length = r.names.containing(words)
			if accounts := r.accountsWith(words, false); len(accounts) > 0 && (isMeans(r.leading(i)) || len(found) == 0) {
				found, length = accounts, len(words) // "with the Visa", where a merchant has that in its name, too
			}
		}
		if k, isNoun := kindNamed(r.before(i)); isNoun && len(mention{options: found}.of(k)) == 0 {
			found = nil // "the merchant X" is no category
		}
		if len(found) > 0 {
			r.mention(i, length, found, joined(words[:length]))
			r.mentions[len(r.mentions)-1].one = !strings.HasSuffix(words[length-1].text, "s")
		}
		i += max(length, 1) - 1
	}
}

// before is the word before a place, read or not.
func (r *reader) before(i int) string {
	if i == 0 {
		return ""
	}
	return r.words[i-1].text
}

// run is how many unread words follow each other from a place on; a quotation is a run of its own.
func (r *reader) run(i int) (length int) {
	for n, w := range r.words[i:] {
		if w.used || w.quote != r.words[i].quote {
			break
		}
		length = n + 1
	}
	return length
}

// mayBeName says whether unread words stand where a name may: behind a preposition or a verb, or before what is paid.
func (r *reader) mayBeName(from, length int) bool {
	if r.words[from].quote != 0 || from == 0 && (length == len(r.words) || r.isTextAlone()) {
		return true
	}
	before := []string{"on", "at", "for", "to", "from", "with", "in", "of", "called", "named", "by", "about", "tagged", "find", "pay", "paid", "search", "did",
		"merchant", "category", "tag", "shop", "store", "containing", "and", "payment", "payments", "transaction", "transactions", "does", "has", "much"}
	behind := []string{"cost", "costs", "payment", "payments", "transaction", "transactions", "bill", "bills", "expense", "expenses", "spending", "purchase",
		"purchases", "account", "accounts", "share", "shares", "stock", "balance", "pay", "paid", "charge", "worth"}
	return slices.Contains(before, r.leading(from)) || from+length < len(r.words) && slices.Contains(behind, r.words[from+length].text)
}

// isSubject says whether words stand where the subject of a question does: "what is my rent".
func (r *reader) isSubject(from int) bool {
	return slices.Contains([]string{"is", "are", "was", "were", "whats", "hows"}, r.leading(from))
}

// isTextAlone says whether nothing but accounts and periods stands beside words: "royalties this year".
func (r *reader) isTextAlone() bool {
	isAccount := func(m mention) bool { return len(m.of(accountKind)) == len(m.options) }
	return r.marks&^(saysCompare|saysAverage) == 0 && len(r.periods)+len(r.mentions) > 0 && !slices.ContainsFunc(r.mentions, func(m mention) bool { return !isAccount(m) })
}

// isText says whether something can be looked for in texts: letters, and at least three characters. Who names a currency
// does not want to search for it.
func isText(said string) bool {
	_, isCurrency := money.LookupCurrency(said)
	_, isDay := dayNumber(plainText(said))
	return !isDay && utf8.RuneCountInString(said) > 2 && strings.ContainsFunc(said, unicode.IsLetter) && !isCurrency
}

// readRest makes a search of what is left, when it stands where a name may and is all that is left; else it was not
// understood.
func (r *reader) readRest() {
	for i := 0; i < len(r.words); i++ {
		run := r.run(i)
		if run == 0 {
			continue
		}
		said := joined(r.words[i : i+run])
		if r.search == "" && isText(said) && r.isSought(i, run) {
			r.search = said
		} else {
			r.missing = append(r.missing, said)
		}
		r.use(i, run)
		i += run - 1
	}
	if len(r.mentions) > maxMentions {
		r.missing = append(r.missing, "so many names")
	}
}

// isSought says whether words are to be looked for in texts. What there is, and what is grouped, has no text: "how much
// cash do I have", "income by source".
func (r *reader) isSought(i, run int) bool {
	isOwned := r.having && r.marks&(saysSpending|saysIncome|saysTransactions|saysFind) == 0
	isGroup := r.before(i) == "by" && !r.isWord(max(0, i-2), "charged", "paid", "billed", "made")
	isMy := slices.Contains([]string{"my", "our"}, r.before(i))
	isAmongNames := len(r.mentions) > 0 && slices.Contains([]string{"and", "or", "plus"}, r.leading(i))
	return !isOwned && !isGroup && !isMy && !isAmongNames && (r.mayBeName(i, run) || r.marks&saysHowMuch != 0 && r.isSubject(i))
}
