package parse

import (
	"slices"

	"finsvc/assistant/engine/household"
)

// readInterest reads "interest", which is paid and earned: the categories that have the word in their name mean the
// one or the other, and which it is says the rest of the question. A category with a longer name that is said in full
// is read as any name.
func readInterest(r *reader) {
	for i, w := range r.words {
		if w.Used || w.Quote != 0 || w.Stem != "interest" || isOfLongerName(r, i) {
			continue
		}
		r.Cues |= Interest
		r.Phrases = append(r.Phrases, SaidPhrase{Interest, w.Shown})
		var found []household.Item
		for _, k := range r.names.All {
			if k.Kind == household.CategoryKind && slices.Contains(k.Stems, "interest") {
				found = append(found, k)
			}
		}
		if len(found) > 0 {
			r.Mentions = append(r.Mentions, Mention{Options: found, Said: w.Shown, Leading: r.leading(i), at: i,
				words: 1})
		} else if r.Search == "" {
			r.Search = w.Shown
		}
		r.use(i, 1)
		return
	}
}

// isOfLongerName reports whether a name of several words has the word at a place in it.
func isOfLongerName(r *reader, i int) bool {
	for from := max(0, i-mostOfAccount); from <= i; from++ {
		found := r.names.At(r.words, from)
		if len(found) > 0 && len(found[0].Stems) > 1 && from+len(found[0].Stems) > i {
			return true
		}
	}
	return false
}
