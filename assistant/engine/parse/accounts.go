package parse

import (
	"slices"
	"strings"

	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/token"
	"finsvc/ledger"
)

// mostOfAccount is how many words before a noun may be part of an account's name.
const mostOfAccount = 3

// accountNoun is how many words are a noun for an account at a place, and whether it is one for a card.
func accountNoun(r *reader, i int) (words int, isCard bool) {
	stemAt := func(i int) string {
		if r.text(i) == "" {
			return ""
		}
		return r.words[i].Stem
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

// accountBefore reads what stands before a noun for an account.
func accountBefore(r *reader, i, words int, isCard bool) {
	isPlural := strings.HasSuffix(r.words[i+words-1].Text, "s")
	if i > 0 && isPlural && !r.words[i-1].Used && (i < 2 || isBeforeNoun(r.words[i-2])) {
		types := accountWords()[r.words[i-1].Stem]
		if types != "" {
			accountOfType(r, i-1, 1, types) // "checking accounts", whatever one of them is called
			return
		}
	}
	for n := min(mostOfAccount, i); n > 0; n-- {
		run := r.words[i-n : i]
		if slices.ContainsFunc(run, func(w token.Word) bool { return w.Used || w.Quote != 0 || isBeforeNoun(w) }) {
			continue
		}
		found := r.accountsWith(run, isCard)
		exact := r.names.At(r.words, i-n)
		isOther := func(k household.Item) bool { return k.Kind != household.AccountKind }
		if len(exact) > 0 && (len(exact[0].Stems) > n || len(exact[0].Stems) == n &&
			!slices.ContainsFunc(exact, isOther)) {
			return // read as the name that it is
		}
		if len(found) == 0 {
			continue
		}
		said := token.Joined(run)
		if len(found) == 1 && ledger.Fold(found[0].Name) == ledger.Fold(said) {
			said = ""
		}
		r.Mentions = append(r.Mentions, Mention{Options: found, Said: said, Leading: r.leading(i - n), One: !isPlural,
			at: i - n, words: n + words})
		r.use(i-n, n+words)
		return
	}
	// Find "the Chase account" where no account is called so. Words of the language stand before the noun as
	// well, as in "spending account"; but "the us account" and "the current account" are names.
	if i == 0 || r.words[i-1].Used || r.words[i-1].Quote != 0 || isBeforeNoun(r.words[i-1]) {
		return
	}
	w := r.words[i-1]
	isName := !r.single[w.Stem] && !token.IsCalendarWord(w.Text)
	if w.Text == "us" || w.Text == "current" {
		isName = r.isWord(max(0, i-2), "the", "my", "our", "from", "on", "in", "with")
	}
	if w.Text == "current" && isName {
		accountOfType(r, i-1, words+1, "checking")
		return
	}
	types := accountWords()[w.Stem]
	if types != "" && r.are(i, "account|accounts") {
		accountOfType(r, i-1, 1, types)
		return
	}
	isAccount := func(k household.Item) bool { return k.Kind == household.AccountKind }
	if accountWords()[w.Stem] != "" || !isName || isTypo(r, w) ||
		slices.ContainsFunc(r.names.At(r.words, i-1), isAccount) {
		return
	}
	r.Missing = append(r.Missing, token.Joined(r.words[i-1:i+words]))
	r.use(i-1, words+1)
}

// isBeforeNoun reports whether a word is one that stands before any noun. "US" in capitals is not.
func isBeforeNoun(w token.Word) bool {
	return slices.Contains(strings.Fields(`the my our a an all any which what whats each every per by from on in with using via through of to into at for and or vs versus
		this that is are was were new bank total other one single two many list show how me i we you do did have has had account card balance most`), w.Text)
}

// accountsWith are the accounts that have words in their name; of those with cards the cards, if any is one.
func (r *reader) accountsWith(run []token.Word, isCard bool) (found []household.Item) {
	for _, k := range r.names.All {
		if k.Kind == household.AccountKind && k.Has(run) {
			found = append(found, k)
		}
	}
	isOfCard := func(k household.Item) bool { return strings.Contains(k.Types, "credit_card") }
	if isCard && slices.ContainsFunc(found, isOfCard) {
		found = slices.DeleteFunc(found, func(k household.Item) bool { return !isOfCard(k) })
	}
	return found
}

// isTypo reports whether a word may be part of an account's name with a letter wrong.
func isTypo(r *reader, w token.Word) bool {
	return slices.ContainsFunc(r.names.All, func(k household.Item) bool {
		return k.Kind == household.AccountKind &&
			slices.ContainsFunc(k.Stems, func(s string) bool { return token.IsTypo(s, w.Stem) })
	})
}

// isCapitalName reports whether a word of the language is written as a name: "US" in a question that is not all
// capitals.
func isCapitalName(r *reader, i int) bool {
	w := r.words[i]
	isLow := func(w token.Word) bool {
		return strings.ToLower(w.Shown) == w.Shown && strings.ToUpper(w.Shown) != w.Shown
	}
	return w.Text == "us" && w.Shown == "US" && !w.Used && w.Quote == 0 && slices.ContainsFunc(r.words, isLow)
}

func accountInCapitals(r *reader, i int) {
	if len(r.names.At(r.words, i)) > 0 {
		return
	}
	found := r.accountsWith(r.words[i:i+1], false)
	if len(found) == 0 {
		r.Missing = append(r.Missing, r.words[i].Shown)
		r.use(i, 1)
		return
	}
	r.Mentions = append(r.Mentions, Mention{Options: found, Said: r.words[i].Shown, Leading: r.leading(i), One: true,
		at: i, words: 1})
	r.use(i, 1)
}

// isQualified reports whether words for a kind of account stand beside an account that has a name of its own, and
// says no more of it: "the Visa Gold credit card". One of another kind was not understood.
func isQualified(r *reader, i, words int, types string) bool {
	for n := range r.Mentions {
		m := &r.Mentions[n]
		isBeside := m.at+m.words == i || i+words == m.at
		if !isBeside || m.ByType || len(m.Of(household.AccountKind)) == 0 {
			continue
		}
		m.Options = m.Of(household.AccountKind)
		fitting := slices.DeleteFunc(slices.Clone(m.Options), func(k household.Item) bool { return !k.IsOfType(types) })
		if len(fitting) > 0 {
			m.Options = fitting
		} else {
			r.Missing = append(r.Missing, token.Joined(r.words[i:i+words]))
		}
		r.use(i, words)
		return true
	}
	return false
}
