package importer

import (
	"strings"
)

// pdfLexicon knows the words of statements, and remembers those of the one that is read: the same words come in most
// lines, and every line is looked at several times.
type pdfLexicon struct {
	months  map[string]int     // by names, whole or not
	roles   map[string]pdfRole // by headers
	plains  map[string]string
	phrases map[string][]balancePhrase // by their first word
	dates   datePatterns
}

// balancePhrase is what statements call a balance.
type balancePhrase struct {
	kind  balanceKind
	text  string
	words int
}

func newPDFLexicon() *pdfLexicon {
	l := &pdfLexicon{months: map[string]int{}, roles: map[string]pdfRole{}, plains: map[string]string{}, phrases: map[string][]balancePhrase{}, dates: newDatePatterns()}
	for kind := openingBalance; kind <= carriedBalance; kind++ {
		for _, phrase := range balanceWords(kind) {
			first, _, _ := strings.Cut(phrase, " ")
			l.phrases[first] = append(l.phrases[first], balancePhrase{kind, phrase, strings.Count(phrase, " ") + 1})
		}
	}
	return l
}

// remembered gives what is known of a text, or finds it out.
func remembered[T any](known map[string]T, text string, find func(string) T) T {
	found, ok := known[text]
	if !ok {
		found = find(text)
		known[text] = found
	}
	return found
}

// plain is the plainWord of a text.
func (l *pdfLexicon) plain(text string) string { return remembered(l.plains, text, plainWord) }

// month is the number of a month by its name; 0 when it is none.
func (l *pdfLexicon) month(name string) int { return remembered(l.months, name, monthOf) }

// role is what a header says its column is.
func (l *pdfLexicon) role(header string) pdfRole { return remembered(l.roles, header, roleOf) }

// balance is what the words from the first on call a balance, and how many words that are.
func (l *pdfLexicon) balance(words []PDFWord) (kind balanceKind, n int) {
	first, _, _ := strings.Cut(l.plain(words[0].Text), " ")
	candidates := l.phrases[first]
	if len(candidates) == 0 {
		return noBalance, 0
	}
	const most = 8 // words, as phrases have at most
	text := plainWord(joinedWords(words[:min(len(words), most)]))
	for _, phrase := range candidates {
		if phrase.words > n && beginsWith(text, phrase.text) {
			kind, n = phrase.kind, phrase.words
		}
	}
	return kind, n
}
