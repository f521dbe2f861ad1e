package importer

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// plainWord is a text in small letters without accents and signs, for comparison; words are parted by single spaces.
func plainWord(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == 'ß':
			return 's'
		case r == 'ı':
			return 'i'
		case r == 'ł' || r == 'Ł':
			return 'l'
		case r == 'ø' || r == 'Ø':
			return 'o'
		case unicode.Is(unicode.Mn, r):
			return -1
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return ' '
	}, norm.NFD.String(text))
	return strings.Join(strings.Fields(text), " ")
}
