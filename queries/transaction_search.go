package queries

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// trigram is the shortest text that the full-text index can find.
const trigram = 3

func isIndexed(text string) bool { return utf8.RuneCountInString(text) >= trigram }

// quoteMatch makes a text a literal phrase of the full-text query language.
func quoteMatch(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }

// spellings gives each mix of upper and lower case of a short text.
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
	return out
}
