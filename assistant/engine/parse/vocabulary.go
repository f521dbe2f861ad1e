package parse

import (
	"slices"
	"strings"

	"finsvc/assistant/engine/token"
	"finsvc/embed"
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

// cuesOf are the cues by what the list of phrases calls them.
func cuesOf() map[string]Cue {
	return map[string]Cue{
		"grammar":      0,
		"spending":     Spending,
		"income":       Income,
		"saved":        Saved,
		"balance":      Balance,
		"net worth":    NetWorth,
		"debts":        Debts,
		"holdings":     Holdings,
		"transactions": Transactions,
		"find":         Find,
		"largest":      Largest,
		"most":         Most,
		"smallest":     Smallest,
		"latest":       Latest,
		"oldest":       Oldest,
		"when":         When,
		"count":        Count,
		"average":      Average,
		"over time":    OverTime,
		"change":       Change,
		"compare":      Compare,
		"more":         More,
		"worth":        Worth,
		"where":        Where,
		"how much":     HowMuch,
		"total":        Total,
		"ever":         Ever,
		"often":        Often,
		"interest":     Interest,
		"category":     Category,
		"merchant":     Merchant,
		"tag":          Tag,
		"account":      Account,
		"month":        Month,
		"list":         List,
		"hello":        Hello,
		"follow up":    FollowUp,
		"cannot":       Cannot,
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

// NewVocabulary reads the phrases from the list that is embedded. A meaning that has no cue is a mistake of who wrote
// the list, and ends the program.
func NewVocabulary() Vocabulary {
	v := Vocabulary{map[string][]phrase{}, map[string]bool{}, map[string]bool{}}
	cues, cue := cuesOf(), Cue(0)
	for line := range strings.Lines(embed.Questions) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			cue = 0
			for name := range strings.SplitSeq(strings.Trim(line, "[]"), " + ") {
				one, found := cues[name]
				if !found {
					panic("the list of phrases has no cue " + name)
				}
				cue |= one
			}
		default:
			for text := range strings.SplitSeq(line, ";") {
				v.add(text, cue)
			}
		}
	}
	for _, list := range v.byFirst {
		slices.SortStableFunc(list, func(a, b phrase) int { return len(b.stems) - len(a.stems) })
	}
	return v
}

func (v Vocabulary) add(text string, cue Cue) {
	p := phrase{cue: cue}
	for _, w := range token.Split(text) {
		p.stems = append(p.stems, w.Stem)
		v.all[w.Stem] = true
	}
	v.byFirst[p.stems[0]] = append(v.byFirst[p.stems[0]], p)
	if len(p.stems) == 1 {
		v.single[p.stems[0]] = true
	}
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
