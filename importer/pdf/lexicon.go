package pdf

import (
	"strings"

	"finsvc/importer/lexicon"
	"finsvc/importer/pdf/extract"
	"finsvc/importer/text"
)

// role is what a column of a statement holds.
type role int

const (
	pdfRoleNone role = iota
	pdfRoleDate
	pdfRoleValue // the day on which interest begins, which is not the booking's
	pdfRoleText
	pdfRoleAmount
	pdfRoleDebit
	pdfRoleCredit
	pdfRoleBalance
)

// balanceKind is what a balance in the text is.
type balanceKind int

const (
	noBalance balanceKind = iota
	openingBalance
	closingBalance
	plainBalance   // of a day: the first is the opening one, the last the closing one
	carriedBalance // from page to page
)

// wordCache remembers what the words of the statement that is read mean: the same words come in most lines, and every
// line is looked at several times.
type wordCache struct {
	months  map[string]int  // by names, whole or not
	roles   map[string]role // by headers
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

func newPDFLexicon() *wordCache {
	l := &wordCache{months: map[string]int{}, roles: map[string]role{}, plains: map[string]string{},
		phrases: map[string][]balancePhrase{}, dates: newDatePatterns()}
	l.addPhrases(openingBalance, lexicon.BookedOpeningBalance, lexicon.OpeningBalance, lexicon.PrintedOpening)
	l.addPhrases(closingBalance, lexicon.ClosingBalance, lexicon.PrintedClosing)
	l.addPhrases(plainBalance, lexicon.PrintedDayBalance)
	l.addPhrases(carriedBalance, lexicon.PrintedCarried)
	return l
}

func (l *wordCache) addPhrases(kind balanceKind, lists ...lexicon.Meaning) {
	for _, list := range lists {
		for _, phrase := range lexicon.Words(list) {
			phrase = text.Plain(phrase)
			first, _, _ := strings.Cut(phrase, " ")
			l.phrases[first] = append(l.phrases[first], balancePhrase{kind, phrase, strings.Count(phrase, " ") + 1})
		}
	}
}

// remembered is what is known of a text; it is found out once.
func remembered[T any](known map[string]T, text string, find func(string) T) T {
	found, ok := known[text]
	if !ok {
		found = find(text)
		known[text] = found
	}
	return found
}

// month is the number of a month by its name; 0 when it is none.
func (l *wordCache) month(name string) int { return remembered(l.months, name, lexicon.MonthBegun) }

func roleOf(header string) role {
	switch lexicon.PrintedRole(header) {
	case lexicon.RoleDate:
		return pdfRoleDate
	case lexicon.RoleOtherDate:
		return pdfRoleValue
	case lexicon.RoleText:
		return pdfRoleText
	case lexicon.RoleAmount:
		return pdfRoleAmount
	case lexicon.RoleDebit:
		return pdfRoleDebit
	case lexicon.RoleCredit:
		return pdfRoleCredit
	case lexicon.RoleBalance:
		return pdfRoleBalance
	}
	return pdfRoleNone
}

// balance is what the words from the first on call a balance, and how many words that are.
func (l *wordCache) balance(words []extract.Word) (kind balanceKind, n int) {
	first, _, _ := strings.Cut(remembered(l.plains, words[0].Text, text.Plain), " ")
	candidates := l.phrases[first]
	if len(candidates) == 0 {
		return noBalance, 0
	}
	const most = 8 // words, as phrases have at most
	phrases := text.Plain(joinedWords(words[:min(len(words), most)]))
	for _, phrase := range candidates {
		if phrase.words > n && beginsWith(phrases, phrase.text) {
			kind, n = phrase.kind, phrase.words
		}
	}
	return kind, n
}

// beginsWith reports whether the text begins with the words, whole.
func beginsWith(text, words string) bool {
	rest, ok := strings.CutPrefix(text, words)
	return ok && (rest == "" || rest[0] == ' ')
}

// sectionOf is the direction of the rows below a heading: 1 for money in, -1 for money out, 0 when it says none.
func sectionOf(heading string) int64 {
	heading = strings.TrimPrefix(text.Plain(heading), "your ")
	switch {
	case lexicon.Begins(lexicon.PrintedCredits, heading):
		return 1
	case lexicon.Begins(lexicon.PrintedDebits, heading):
		return -1
	}
	return 0
}

// isTotal reports whether a line sums up others, so that it is no row of its own.
func isTotal(line string) bool {
	first, _, _ := strings.Cut(line, " ")
	return lexicon.HasPlain(lexicon.Total, first) || lexicon.HasPlain(lexicon.PrintedTotal, first)
}
