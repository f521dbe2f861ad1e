package queries

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// trigram is the shortest text that the full-text index can find.
const trigram = 3

// quoteMatch makes a text a literal phrase of the full-text query language. A NUL would end the query
// in the middle of the phrase; it becomes the mark of an unreadable character, which finds nothing.
func quoteMatch(text string) string {
	return `"` + strings.NewReplacer(`"`, `""`, "\x00", "\uFFFD").Replace(text) + `"`
}

// spellings gives each mix of upper and lower case of a short text, in both forms of Unicode.
func spellings(text string) []string {
	out := []string{""}
	for _, r := range text {
		variants := []rune{unicode.ToLower(r)}
		if upper := unicode.ToUpper(r); upper != variants[0] {
			variants = append(variants, upper)
		}
		next := make([]string, 0, len(out)*len(variants))
		for _, prefix := range out {
			for _, v := range variants {
				next = append(next, prefix+string(v))
			}
		}
		out = next
	}
	for _, one := range out {
		if apart := norm.NFD.String(one); apart != one {
			out = append(out, apart)
		}
	}
	return out
}

// mostTerms is how many different trigrams of a text are looked for at most: with so many there are few rows that have
// them all and not the text.
const mostTerms = 32

// repeats reports whether a trigram comes twice in a text. The index finds such a phrase by comparing all places of
// each of its trigrams in a row: where the row repeats itself as well, that is the product of both lengths, and 255
// equal letters took minutes. A phrase whose trigrams are all different takes each place in a row once.
func repeats(text string) bool { return len(trigramsOf(text)) < utf8.RuneCountInString(text)-trigram+1 }

// trigramsOf are the trigrams of a text that differ by more than the case of their letters, in their order. The index
// sees to their case itself.
func trigramsOf(text string) (all []string) {
	runes, seen := []rune(text), map[string]bool{}
	for i := 0; i+trigram <= len(runes); i++ {
		one := string(runes[i : i+trigram])
		if folded := foldText(one); !seen[folded] {
			seen[folded] = true
			all = append(all, one)
		}
	}
	return all
}

// matchOf is the full-text query of a text: the text as a phrase or, where it repeats itself, its trigrams in any
// place. What these find may lack the text; for has_text to say.
func matchOf(text string) (query string, exact bool) {
	if !repeats(text) {
		return quoteMatch(text), true
	}
	terms := trigramsOf(text)
	for i, term := range terms {
		terms[i] = quoteMatch(term)
	}
	return strings.Join(terms[:min(len(terms), mostTerms)], " AND "), false
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

// escapeLike makes a text mean itself in a LIKE pattern.
func escapeLike(text string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text)
}
