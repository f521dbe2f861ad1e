package engine

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"finsvc/ledger"
)

// Words of these many letters are taken for misspelt words of the language. Shorter ones are too often words of their own.
const (
	longWord    = 7
	longOfMonth = 6 // of the calendar there are few words
)

// correct reads a word that nothing and nobody is called as the one word of the language that it is but for one letter,
// and notes it.
func (r *reader) correct() {
	for i, w := range r.words {
		if w.quote != 0 || len(w.stem) < longOfMonth || r.all[w.stem] || isCalendarWord(w.text) {
			continue
		}
		meant := r.misspelt(i, w.stem)
		if len(meant) != 1 || r.isOfName(w.stem) {
			continue
		}
		read := newWord(meant[0])
		if w.stem != w.text {
			read = newWord(meant[0] + "s")
		}
		r.words[i].text, r.words[i].stem = read.text, read.stem
		r.notes = append(r.notes, fmt.Sprintf("I took %s as %s.", ledger.Quote(w.shown), ledger.Quote(read.text)))
	}
}

// isOfName says whether a word is part of a name, or may be one that is misspelt.
func (r *reader) isOfName(stem string) bool {
	if _, is := r.names.byWord[stem]; is {
		return true
	}
	for of := range r.names.byWord {
		if isTypo(stem, of) {
			return true
		}
	}
	return false
}

// misspelt are the words of the language that a word is but for one letter, which is not the first. Behind a preposition
// names and texts stand, such as "on a charger", and periods.
func (r *reader) misspelt(i int, stem string) (meant []string) {
	of := func(word string, least int) {
		if len(word) >= least && word[0] == stem[0] && isTypo(stem, word) && !slices.Contains(meant, word) {
			meant = append(meant, word)
		}
	}
	if !slices.Contains([]string{"at", "on", "for", "from", "to", "with", "of", "by", "called", "named"}, r.leading(i)) {
		for word := range r.all {
			of(word, longWord)
		}
	}
	for _, word := range calendarNames() {
		of(word, longOfMonth)
	}
	return meant
}

// calendarNames are the names of the months and of the days of the week, and words that stand for a time as they do.
func calendarNames() []string {
	names := []string{"yesterday", "quarter", "weekend"}
	for m := time.January; m <= time.December; m++ {
		names = append(names, strings.ToLower(m.String()))
	}
	for d := time.Sunday; d <= time.Saturday; d++ {
		names = append(names, strings.ToLower(d.String()))
	}
	return names
}
