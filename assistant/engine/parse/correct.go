package parse

import (
	"fmt"
	"slices"

	"finsvc/assistant/engine/token"
	"finsvc/ledger"
)

// Words of these many letters are taken for misspelt words of the language. Shorter ones are too often words of their
// own.
const (
	longWord    = 7
	longOfMonth = 6 // of the calendar there are few words
)

// correct reads a word that is no name as the one word of the language that it is but for one letter,
// and notes it.
func correct(r *reader) {
	for i, w := range r.words {
		if w.Quote != 0 || len(w.Stem) < longOfMonth || r.all[w.Stem] || token.IsCalendarWord(w.Text) {
			continue
		}
		meant := misspelt(r, i, w.Stem)
		if len(meant) != 1 || isOfName(r, w.Stem) {
			continue
		}
		read := token.New(meant[0])
		if w.Stem != w.Text {
			read = token.New(meant[0] + "s")
		}
		r.words[i].Text, r.words[i].Stem = read.Text, read.Stem
		r.Notes = append(r.Notes, fmt.Sprintf("I took %s as %s.", ledger.Quote(w.Shown), ledger.Quote(read.Text)))
	}
}

// isOfName reports whether a word is part of a name, or may be one that is misspelt.
func isOfName(r *reader, stem string) bool {
	_, is := r.names.ByWord[stem]
	if is {
		return true
	}
	for of := range r.names.ByWord {
		if token.IsTypo(stem, of) {
			return true
		}
	}
	return false
}

// misspelt are the words of the language that a word is but for one letter, which is not the first. Behind a
// preposition names and texts stand, such as "on a charger", and periods.
func misspelt(r *reader, i int, stem string) (meant []string) {
	of := func(word string, least int) {
		if len(word) >= least && word[0] == stem[0] && token.IsTypo(stem, word) && !slices.Contains(meant, word) {
			meant = append(meant, word)
		}
	}
	if !slices.Contains([]string{"at", "on", "for", "from", "to", "with", "of", "by", "called", "named"},
		r.leading(i)) {
		for word := range r.all {
			of(word, longWord)
		}
	}
	for _, word := range token.CalendarNames() {
		of(word, longOfMonth)
	}
	return meant
}
