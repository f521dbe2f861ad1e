package engine

import (
	"fmt"
	"slices"
	"strings"

	"finsvc/ledger"
)

// mostOfAccount is how many words before a noun may be part of an account's name.
const mostOfAccount = 3

// accountNoun is how many words are a noun for an account at a place, and whether it is one for a card.
func (r *reader) accountNoun(i int) (words int, isCard bool) {
	stemAt := func(i int) string {
		if r.text(i) == "" {
			return ""
		}
		return r.words[i].stem
	}
	switch {
	case (stemAt(i) == "credit" || stemAt(i) == "debit") && stemAt(i+1) == "card":
		return 2, true
	case stemAt(i) == "bank" && stemAt(i+1) == "account":
		return 2, false
	case stemAt(i) == "card":
		return 1, true
	case stemAt(i) == "account":
		return 1, false
	}
	return 0, false
}

// readAccounts reads accounts that are called by a part of their name: "the US account", "my joint account", "the Visa card". Such a
// part may be a word of the language. What stands before the noun and is part of no name is not left out: the figure would be that
// of other accounts.
func (r *reader) readAccounts() {
	for i := 0; i < len(r.words); i++ {
		if words, isCard := r.accountNoun(i); words > 0 && r.words[i].quote == 0 {
			r.accountBefore(i, words, isCard)
			i += words - 1
		}
	}
	for i := range r.words {
		if r.isCapitalName(i) {
			r.accountInCapitals(i)
		}
	}
}

// accountBefore reads what stands before a noun for an account.
func (r *reader) accountBefore(i, words int, isCard bool) {
	isPlural := strings.HasSuffix(r.words[i+words-1].text, "s")
	if i > 0 && isPlural && !r.words[i-1].used && (i < 2 || isBeforeNoun(r.words[i-2])) {
		if types := accountWords()[r.words[i-1].stem]; types != "" {
			r.accountOfType(i-1, 1, types) // "checking accounts", whatever one of them is called
			return
		}
	}
	for n := min(mostOfAccount, i); n > 0; n-- {
		run := r.words[i-n : i]
		if !r.mayNameAccount(run) {
			continue
		}
		found := r.accountsWith(run, isCard)
		if exact := r.names.at(r.words, i-n); len(exact) > 0 && (len(exact[0].stems) > n || len(exact[0].stems) == n && !slices.ContainsFunc(exact, isOther)) {
			return // read as the name that it is
		}
		if len(found) == 0 {
			continue
		}
		said := joined(run)
		if len(found) == 1 && ledger.Fold(found[0].name) == ledger.Fold(said) {
			said = ""
		}
		r.mentions = append(r.mentions, mention{options: found, said: said, leading: r.leading(i - n), one: !isPlural, at: i - n, words: n + words})
		r.use(i-n, n+words)
		return
	}
	r.checkUnknownAccount(i, words)
}

func isOther(k thing) bool { return k.kind != accountKind }

// mayNameAccount says whether words before a noun can be part of a name: those that stand before any noun are not.
func (r *reader) mayNameAccount(run []word) bool {
	return !slices.ContainsFunc(run, func(w word) bool { return w.used || w.quote != 0 || isBeforeNoun(w) })
}

// isBeforeNoun says whether a word is one that stands before any noun. "US" in capitals is not.
func isBeforeNoun(w word) bool {
	return slices.Contains(strings.Fields(`the my our a an all any which what whats each every per by from on in with using via through of to into at for and or vs versus
		this that is are was were new bank total other one single two many list show how me i we you do did have has had account card balance most`), w.text)
}

// accountsWith are the accounts that have words in their name; of those with cards the cards, if any is one.
func (r *reader) accountsWith(run []word, isCard bool) (found []thing) {
	for _, k := range r.names.all {
		if k.kind == accountKind && k.has(run) {
			found = append(found, k)
		}
	}
	isOfCard := func(k thing) bool { return strings.Contains(k.types, "credit_card") }
	if isCard && slices.ContainsFunc(found, isOfCard) {
		found = slices.DeleteFunc(found, func(k thing) bool { return !isOfCard(k) })
	}
	return found
}

// checkUnknownAccount finds "the Chase account" where no account is called so. Words of the language stand before the noun as well,
// as in "spending account"; but "the us account" and "the current account" are names.
func (r *reader) checkUnknownAccount(i, words int) {
	if i == 0 || r.words[i-1].used || r.words[i-1].quote != 0 || isBeforeNoun(r.words[i-1]) {
		return
	}
	w := r.words[i-1]
	isName := !r.single[w.stem] && !isCalendarWord(w.text)
	if w.text == "us" || w.text == "current" {
		isName = r.isWord(max(0, i-2), "the", "my", "our", "from", "on", "in", "with")
	}
	if w.text == "current" && isName {
		r.accountOfType(i-1, words+1, "checking")
		return
	}
	if types := accountWords()[w.stem]; types != "" && r.are(i, "account|accounts") {
		r.accountOfType(i-1, 1, types)
		return
	}
	if accountWords()[w.stem] != "" || r.isOfAccounts(i-1) || !isName || r.isTypo(w) {
		return
	}
	r.missing = append(r.missing, joined(r.words[i-1:i+words]))
	r.use(i-1, words+1)
}

// isOfAccounts says whether an account has the name that stands at a place.
func (r *reader) isOfAccounts(i int) bool {
	return slices.ContainsFunc(r.names.at(r.words, i), func(k thing) bool { return k.kind == accountKind })
}

// isTypo says whether a word may be part of an account's name with a letter wrong.
func (r *reader) isTypo(w word) bool {
	return slices.ContainsFunc(r.names.all, func(k thing) bool {
		return k.kind == accountKind && slices.ContainsFunc(k.stems, func(s string) bool { return isTypo(s, w.stem) })
	})
}

// isCapitalName says whether a word of the language is written as a name: "US" in a question that is not all capitals.
func (r *reader) isCapitalName(i int) bool {
	w := r.words[i]
	isLow := func(w word) bool { return strings.ToLower(w.shown) == w.shown && strings.ToUpper(w.shown) != w.shown }
	return w.text == "us" && w.shown == "US" && !w.used && w.quote == 0 && slices.ContainsFunc(r.words, isLow)
}

func (r *reader) accountInCapitals(i int) {
	if found := r.names.at(r.words, i); len(found) > 0 {
		return
	}
	found := r.accountsWith(r.words[i:i+1], false)
	if len(found) == 0 {
		r.missing = append(r.missing, r.words[i].shown)
		r.use(i, 1)
		return
	}
	r.mentions = append(r.mentions, mention{options: found, said: r.words[i].shown, leading: r.leading(i), one: true, at: i, words: 1})
	r.use(i, 1)
}

// isQualified says whether words for a kind of account stand beside an account that has a name of its own, and says no more of it:
// "the Visa Gold credit card". One of another kind was not understood.
func (r *reader) isQualified(i, words int, types string) bool {
	for n := range r.mentions {
		m := &r.mentions[n]
		isBeside := m.at+m.words == i || i+words == m.at
		if !isBeside || m.byType || len(m.of(accountKind)) == 0 {
			continue
		}
		m.options = m.of(accountKind)
		if fitting := slices.DeleteFunc(slices.Clone(m.options), func(k thing) bool { return !k.isOfType(types) }); len(fitting) > 0 {
			m.options = fitting
		} else {
			r.missing = append(r.missing, joined(r.words[i:i+words]))
		}
		r.use(i, words)
		return true
	}
	return false
}

// isOfType says whether an account is of one of some types.
func (k thing) isOfType(types string) bool {
	return slices.ContainsFunc(strings.Fields(types), func(t string) bool { return slices.Contains(strings.Fields(k.types), t) })
}

// isSpentFor says whether a mention means what money is owed for or was spent for, rather than what it was paid from: money that
// goes to a loan, a house or a car is none that its account spends.
func (m mention) isSpentFor() bool {
	return m.byType && !slices.ContainsFunc(m.of(accountKind), func(k thing) bool { return !k.isOfType("loan property vehicle") })
}

// checkOneAccount asks which account is meant where several may be.
func (q *question) checkOneAccount(m mention) {
	if of := m.of(accountKind); m.one && len(of) > 1 && q.isOfMoney() {
		var list []string
		for _, k := range of {
			list = append(list, k.name)
		}
		q.unclear = append(q.unclear, fmt.Sprintf("%s may be the accounts %s; say which.", ledger.Quote(m.shown()), quoted(list)))
	}
}
