package lexicon

import (
	"strings"

	"finsvc/importer/text"
)

// Direction is a pair of words for money that comes in and that goes out.
type Direction struct{ In, Out string }

// Directions are the pairs of the table, in its order.
func Directions() []Direction { return words().directions }

func pairsOf(l *list) []Direction {
	pairs := make([]Direction, 0, len(l.words))
	for _, pair := range l.words {
		in, out, _ := strings.Cut(pair, " | ")
		pairs = append(pairs, Direction{in, out})
	}
	return pairs
}

// KnownLetters reports whether two letters are those for credit and debit in English or in a language.
func KnownLetters(language, in, out string) bool {
	in, out = text.Fold(in), text.Fold(out)
	if (in == "c" || in == "k") && out == "d" { // credit or kredit, debit or debet
		return true
	}
	for _, entry := range Entries(letterPairs) {
		for _, pair := range entry.Words {
			if entry.Key == language && pair == in+" | "+out {
				return true
			}
		}
	}
	return false
}
