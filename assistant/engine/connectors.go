package engine

import (
	"cmp"
	"slices"
)

// connector is how a name is joined to the one before it.
type connector int

const (
	alone   connector = iota // by nothing but, perhaps, a comma
	with                     // by "and"
	either                   // by "or"
	opposed                  // by "vs", "than", "compared with"
)

// joinMentions puts the mentions in the order in which they were said, and finds out how each is joined to the one
// before it. What is compared with something that is no name was not understood.
func (r *reader) joinMentions() {
	r.readFlows()
	slices.SortStableFunc(r.mentions, func(a, b mention) int { return cmp.Compare(a.at, b.at) })
	behind := 0
	for i := range r.mentions {
		m := &r.mentions[i]
		m.joint, m.from = r.jointOf(m.at, behind)
		behind = m.at + m.words
	}
	r.dropRepeated()
	if len(r.mentions) > 0 && r.mentions[0].joint > with && r.search != "" {
		r.missing, r.search = append(r.missing, r.search), ""
	}
	for i := range r.words {
		r.checkOpposed(i)
	}
}

// dropRepeated makes "A at B or C" of "A at B or A at C".
func (r *reader) dropRepeated() {
	for i := len(r.mentions) - 2; i > 1; i-- {
		again, next := r.mentions[i], &r.mentions[i+1]
		isAgain := slices.ContainsFunc(r.mentions[:i-1], func(m mention) bool {
			return m.options[0].kind == again.options[0].kind && m.options[0].name == again.options[0].name
		})
		isLike := slices.ContainsFunc(next.options, func(k thing) bool { return len(r.mentions[i-1].of(k.kind)) > 0 })
		if isAgain && isLike && again.joint != alone && next.joint == alone {
			next.joint, next.from = again.joint, again.from
			r.mentions = slices.Delete(r.mentions, i, i+1)
		}
	}
}

// jointOf looks for what joins a name to the one that ends before behind, and says where that is.
func (r *reader) jointOf(at, behind int) (connector, int) {
	first := at - 1
	for _, p := range r.periods {
		if p.at+p.words == at && p.at > behind && behind > 0 {
			first = p.at - 1 // "groceries in May, April restaurants"
		}
	}
	for i := first; i >= behind; i-- {
		switch text := r.words[i].text; {
		case r.words[i].quote != 0:
			return alone, at
		case text == "and", text == "plus":
			return with, i
		case text == "or":
			return either, i
		case r.opposes(i, behind > 0):
			return opposed, i
		case !isFiller(text):
			return alone, at
		}
	}
	return alone, at
}

// opposes says whether a word sets what comes behind it against something. In "compare A with B" it is the "with", which
// without an A stands directly behind "compare".
func (r *reader) opposes(i int, second bool) bool {
	switch r.words[i].text {
	case "vs", "versus", "than", "against":
		return true
	case "with", "to":
		return slices.Contains([]string{"compare", "compared", "comparison", "relative", "opposed"}, r.before(i)) || second && r.mentionsAny("compare")
	}
	return false
}

// isFiller says whether a word may stand between a name and what joins it to another.
func isFiller(text string) bool {
	_, isNoun := kindNamed(text)
	return isNoun || slices.Contains([]string{"the", "my", "our", "a", "all", "any", "total", "on", "at", "in", "from", "for", "to", "with", "by", "of", "i", "we", "did",
		"do", "have", "spend", "spent", "spending", "pay", "paid", "tagged"}, text)
}

// checkOpposed finds what is set against all income or all expenses, which are no names.
func (r *reader) checkOpposed(i int) {
	text := r.words[i].text
	if len(r.mentions) == 0 || len(r.periods) > 1 || text != "vs" && text != "versus" && text != "than" && text != "against" {
		return
	}
	at := i + 1
	for at < len(r.words) && isFiller(r.words[at].text) {
		at++
	}
	isName := slices.ContainsFunc(r.mentions, func(m mention) bool { return m.at <= at && at < m.at+m.words })
	switch {
	case at == len(r.words):
		r.missing = append(r.missing, joined(r.words[i:]))
	case !isName && slices.Contains([]string{"income", "earning", "expense"}, r.words[at].stem):
		r.missing = append(r.missing, joined(r.words[i:at+1]))
	}
}

// isListed says whether unread words stand where one of several names does: beside what joins names, or behind a name.
func (r *reader) isListed(from, length int) bool {
	before := []string{"compare", "compared", "or", "vs", "versus", "than", "between", "against", "either", "more", "less"}
	if slices.Contains(before, r.leading(from)) || r.isWord(from+length, "or", "vs", "versus", "than", "compared") {
		return true
	}
	isBehind := from == 0 || slices.ContainsFunc(r.mentions, func(m mention) bool { return m.at+m.words == from })
	isBefore := slices.ContainsFunc(r.mentions, func(m mention) bool { return m.at == from+length })
	return isBehind && r.isWord(from+length, "and", "plus") || isBefore && r.mentionsAny("compare", "or", "vs", "versus")
}

// isNamedInList says whether a word that the engine can make nothing of, such as "holiday", is a name among several.
func (r *reader) isNamedInList(from, length int) bool {
	p, found := r.at(r.words, from)
	if !found || p.mark != saysCannot || len(p.stems) != length {
		return false
	}
	before := []string{"and", "or", "vs", "versus", "than", "compare", "categories", "merchants", "tags", "accounts"}
	return slices.Contains(before, r.before(from)) || r.isWord(from+length, "and", "or", "vs", "versus")
}

// isWord says whether one of some words stands at a place, read or not.
func (r *reader) isWord(i int, texts ...string) bool {
	return i < len(r.words) && slices.Contains(texts, r.words[i].text)
}
