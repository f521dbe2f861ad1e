// Package household is what a household has that questions may name: categories, merchants, tags, accounts and
// securities. It finds them at words of a text, also where a letter is wrong or only a part is said. It knows names
// only: no amounts, and not what is asked.
package household

import (
	"slices"
	"strings"

	"finsvc/assistant/engine/token"
	"finsvc/ledger"
)

// Kind is what of a household has a name. The order is that in which a name that several things have is understood.
type Kind int

const (
	CategoryKind Kind = iota
	MerchantKind
	TagKind
	AccountKind
	SecurityKind
	FlowKind // all that came in, or all that went out: no name of the household
)

// String is the word for one.
func (k Kind) String() string {
	return [...]string{"category", "merchant", "tag", "account", "security", "flow"}[k]
}

// Plural is the word for several.
func (k Kind) Plural() string {
	return [...]string{"categories", "merchants", "tags", "accounts", "securities", "flows"}[k]
}

// The sides of money.
const (
	Expense = "expense"
	Income  = "income"
)

// Item is something of the household that questions may name.
type Item struct {
	Kind   Kind
	Name   string
	Parent string      // of a category
	Parted bool        // it is a category with sub-categories
	Class  string      // of a category: income or expense
	Types  string      // of an account: its type and subtype
	begins ledger.Date // of an account: the first day in its books; 0 when there is nothing in them
	Stems  []string
}

// IsOfType reports whether an account is of one of some types.
func (k Item) IsOfType(types string) bool {
	return slices.ContainsFunc(strings.Fields(types),
		func(t string) bool { return slices.Contains(strings.Fields(k.Types), t) })
}

// isAt reports whether a name stands at a word.
func (k Item) isAt(words []token.Word, i int) bool {
	if i+len(k.Stems) > len(words) {
		return false
	}
	for n, s := range k.Stems {
		w := words[i+n]
		if w.Used || w.Stem != s || w.Quote != words[i].Quote {
			return false
		}
	}
	return true
}

// Has reports whether the name has words in it, one after the other.
func (k Item) Has(words []token.Word) bool {
	for i := range k.Stems {
		rest := k.Stems[i:]
		if len(rest) >= len(words) && slices.EqualFunc(rest[:len(words)], words,
			func(s string, w token.Word) bool { return s == w.Stem }) {
			return true
		}
	}
	return false
}

// Names are all that a household has, by the first word.
type Names struct {
	All     []Item
	byFirst map[string][]int
	ByWord  map[string][]int
	Begins  ledger.Date // the first day in the books; 0 when there is nothing in them
}

// add takes a name in. One without letters and digits cannot be said and is left out.
func (n *Names) add(k Item) {
	for _, w := range token.Split(k.Name) {
		if w.Shown != "#" {
			k.Stems = append(k.Stems, w.Stem)
		}
	}
	if len(k.Stems) == 0 {
		return
	}
	at := len(n.All)
	n.All = append(n.All, k)
	n.byFirst[k.Stems[0]] = append(n.byFirst[k.Stems[0]], at)
	for i, s := range k.Stems {
		if !slices.Contains(k.Stems[:i], s) {
			n.ByWord[s] = append(n.ByWord[s], at)
		}
	}
}

// BeginOf is the first day in the books of some accounts, or of all when none are named; 0 when there is nothing in
// them.
func (n *Names) BeginOf(accounts []string) (begins ledger.Date) {
	if len(accounts) == 0 {
		return n.Begins
	}
	for _, k := range n.All {
		for _, name := range accounts {
			if k.Kind == AccountKind && k.Name == name && k.begins != 0 && (begins == 0 || k.begins < begins) {
				begins = k.begins
			}
		}
	}
	return begins
}

// At gives the longest names that stand at a word.
func (n *Names) At(words []token.Word, i int) (found []Item) {
	for _, at := range n.byFirst[words[i].Stem] {
		k := n.All[at]
		if !k.isAt(words, i) || len(found) > 0 && len(k.Stems) < len(found[0].Stems) {
			continue
		}
		if len(found) > 0 && len(k.Stems) > len(found[0].Stems) {
			found = nil
		}
		found = append(found, k)
	}
	return found
}

// Misspelt gives the names that words are with one letter wrong; the longest run of them that is one, and how long it
// is.
func (n *Names) Misspelt(words []token.Word) (found []Item, length int) {
	for length = len(words); length > 0 && len(found) == 0; length-- {
		for _, k := range n.All {
			if len(k.Stems) == length && isMisspelt(k.Stems, words[:length]) {
				found = append(found, k)
			}
		}
	}
	return found, length + 1
}

func isMisspelt(stems []string, words []token.Word) bool {
	typos := 0
	for i, s := range stems {
		switch {
		case words[i].Stem == s:
		case token.IsTypo(words[i].Stem, s):
			typos++
		default:
			return false
		}
	}
	return typos == 1
}

// maxParts is how many names may have a word in them for it to stand for all of them.
const maxParts = 5

// Containing gives the names that have words in them, one after the other: those of the first kind that has any, and
// how many words it is. Words that too many names have stand for none.
func (n *Names) Containing(words []token.Word) (found []Item, length int) {
	for length = len(words); length > 0; length-- {
		found = n.WithPart(words[:length])
		if len(found) > 0 && len(found) <= maxParts {
			return found, length
		}
	}
	return nil, 0
}

// WithPart gives those of the first kind, at most one more than may be meant. Names are kept kind by kind.
func (n *Names) WithPart(words []token.Word) (found []Item) {
	for _, at := range n.ByWord[words[0].Stem] {
		k := n.All[at]
		if len(found) > 0 && k.Kind != found[0].Kind || len(found) > maxParts {
			break
		}
		if k.Has(words) {
			found = append(found, k)
		}
	}
	return found
}
