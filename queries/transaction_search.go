package queries

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// trigram is the shortest text that the full-text index can find.
const trigram = 3

func isIndexed(text string) bool { return utf8.RuneCountInString(text) >= trigram }

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

// globsOf are the patterns of what has a text in it, in both forms of Unicode: rows have their texts as they were written.
func globsOf(text string) []string {
	if apart := norm.NFD.String(text); apart != text {
		return []string{globOf(text), globOf(apart)}
	}
	return []string{globOf(text)}
}

// globOf is the pattern of what has a text in it, whatever the case of its letters.
func globOf(text string) string {
	pattern := []rune{'*'}
	for _, r := range text {
		folded := unicode.SimpleFold(r)
		if folded == r && !strings.ContainsRune("*?[]", r) {
			pattern = append(pattern, r)
			continue
		}
		pattern = append(pattern, '[', r)
		for ; folded != r; folded = unicode.SimpleFold(folded) {
			pattern = append(pattern, folded)
		}
		pattern = append(pattern, ']')
	}
	return string(append(pattern, '*'))
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

// escapeLike makes a text mean itself in a LIKE pattern.
func escapeLike(text string) string {
	return strings.NewReplacer(`\`, `\\`, "%", `\%`, "_", `\_`).Replace(text)
}
