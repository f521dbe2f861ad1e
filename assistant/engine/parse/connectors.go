package parse

import (
	"cmp"
	"slices"

	"finsvc/assistant/engine/household"
	"finsvc/assistant/engine/token"
)

// Connector is how a name is joined to the one before it.
type Connector int

const (
	Alone   Connector = iota // by nothing but, perhaps, a comma
	With                     // by "and"
	Either                   // by "or"
	Opposed                  // by "vs", "than", "compared with"
)

// joinMentions puts the mentions in the order in which they were said, and finds out how each is joined to the one
// before it. What is compared with something that is no name was not understood.
func joinMentions(r *reader) {
	// Find where all income or all spending is set against something that has a name: "income vs rent".
	for i := range r.words {
		if !r.opposes(i, true) && (r.words[i].Text != "and" || !r.mentionsAny("compare")) {
			continue
		}
		before, behind := besides(r, i-1, -1), besides(r, i+1, 1)
		switch {
		case r.isNamed(before) == r.isNamed(behind):
		case isFlow(r, before):
			mentionFlow(r, before)
		case isFlow(r, behind):
			mentionFlow(r, behind)
		}
	}
	slices.SortStableFunc(r.Mentions, func(a, b Mention) int { return cmp.Compare(a.at, b.at) })
	behind := 0
	for i := range r.Mentions {
		m := &r.Mentions[i]
		m.Connector, m.From = connectorOf(r, m.at, behind)
		behind = m.at + m.words
	}
	// Make "A at B or C" of "A at B or A at C".
	for i := len(r.Mentions) - 2; i > 1; i-- {
		again, next := r.Mentions[i], &r.Mentions[i+1]
		isAgain := slices.ContainsFunc(r.Mentions[:i-1], func(m Mention) bool {
			return m.Options[0].Kind == again.Options[0].Kind && m.Options[0].Name == again.Options[0].Name
		})
		isLike := slices.ContainsFunc(next.Options,
			func(k household.Item) bool { return len(r.Mentions[i-1].Of(k.Kind)) > 0 })
		if isAgain && isLike && again.Connector != Alone && next.Connector == Alone {
			next.Connector, next.From = again.Connector, again.From
			r.Mentions = slices.Delete(r.Mentions, i, i+1)
		}
	}
	if len(r.Mentions) > 0 && r.Mentions[0].Connector > With && r.Search != "" {
		r.Missing, r.Search = append(r.Missing, r.Search), ""
	}
	for i := range r.words {
		checkOpposed(r, i)
	}
}

// connectorOf looks for what joins a name to the one that ends before behind, and says where that is.
func connectorOf(r *reader, at, behind int) (Connector, int) {
	first := at - 1
	for _, p := range r.Periods {
		if p.At+p.Words == at && p.At > behind && behind > 0 {
			first = p.At - 1 // "groceries in May, April restaurants"
		}
	}
	for i := first; i >= behind; i-- {
		text := r.words[i].Text
		switch {
		case r.words[i].Quote != 0:
			return Alone, at
		case text == "and", text == "plus":
			return With, i
		case text == "or":
			return Either, i
		case r.opposes(i, behind > 0):
			return Opposed, i
		case !isFiller(text):
			return Alone, at
		}
	}
	return Alone, at
}

// opposes reports whether a word sets what comes behind it against something. In "compare A with B" it is the "with",
// which without an A stands directly behind "compare".
func (r *reader) opposes(i int, second bool) bool {
	switch r.words[i].Text {
	case "vs", "versus", "than", "against":
		return true
	case "with", "to":
		return slices.Contains([]string{"compare", "compared", "comparison", "relative", "opposed"}, r.before(i)) ||
			second && r.mentionsAny("compare")
	}
	return false
}

// isFiller reports whether a word may stand between a name and what joins it to another.
func isFiller(text string) bool {
	_, isNoun := kindNamed(text)
	return isNoun || slices.Contains([]string{"the", "my", "our", "a", "all", "any", "total", "on", "at", "in",
		"from", "for", "to", "with", "by", "of", "i", "we", "did",
		"do", "have", "spend", "spent", "spending", "pay", "paid", "tagged"}, text)
}

// checkOpposed finds what is set against all income or all expenses, which are no names.
func checkOpposed(r *reader, i int) {
	text := r.words[i].Text
	if len(r.Mentions) == 0 || len(r.Periods) > 1 ||
		text != "vs" && text != "versus" && text != "than" && text != "against" {
		return
	}
	at := i + 1
	for at < len(r.words) && isFiller(r.words[at].Text) {
		at++
	}
	isName := slices.ContainsFunc(r.Mentions, func(m Mention) bool { return m.at <= at && at < m.at+m.words })
	switch {
	case at == len(r.words):
		r.Missing = append(r.Missing, token.Joined(r.words[i:]))
	case !isName && slices.Contains([]string{"income", "earning", "expense"}, r.words[at].Stem):
		r.Missing = append(r.Missing, token.Joined(r.words[i:at+1]))
	}
}

// isListed reports whether unread words stand where one of several names does: beside what joins names, or behind a
// name.
func isListed(r *reader, from, length int) bool {
	before := []string{"compare", "compared", "or", "vs", "versus", "than", "between", "against", "either", "more",
		"less"}
	if slices.Contains(before, r.leading(from)) || r.isWord(from+length, "or", "vs", "versus", "than", "compared") {
		return true
	}
	isBehind := from == 0 || slices.ContainsFunc(r.Mentions, func(m Mention) bool { return m.at+m.words == from })
	isBefore := slices.ContainsFunc(r.Mentions, func(m Mention) bool { return m.at == from+length })
	return isBehind && r.isWord(from+length, "and", "plus") ||
		isBefore && r.mentionsAny("compare", "or", "vs", "versus")
}

// isNamedInList reports whether a word that the engine can make nothing of, such as "holiday", is a name among several.
func isNamedInList(r *reader, from, length int) bool {
	p, found := r.at(r.words, from)
	if !found || p.cue != Cannot || len(p.stems) != length {
		return false
	}
	before := []string{"and", "or", "vs", "versus", "than", "compare", "categories", "merchants", "tags", "accounts"}
	return slices.Contains(before, r.before(from)) || r.isWord(from+length, "and", "or", "vs", "versus")
}
