// Package text reads the files of people as text: bytes of any character set to lines, lines to cells, and words in
// the form in which they are compared.
//
// It knows no word of any language, and nothing of what a cell may mean.
package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Plain is a text in small letters without accents and signs, for comparison; words are parted by single spaces.
func Plain(text string) string { return Fold(strings.Join(Words(text), " ")) }

// Words are the words of a text, of letters with their marks and digits.
func Words(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) &&
			!unicode.IsMark(r)
	})
}

// whole are letters that are not made of another one and a mark.
var whole = strings.NewReplacer("ß", "ss", "ø", "o", "ł", "l", "æ", "ae", "đ", "d", "ı", "i", "œ", "oe", "ς", "σ")

// Fold writes small letters without their marks. In Cyrillic and Japanese a mark makes another letter.
func Fold(text string) string {
	text = strings.ToLower(text)
	if !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
		return text
	}
	text = whole.Replace(text)
	if Wide(text) || strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) {
		return norm.NFC.String(text)
	}
	return norm.NFC.String(strings.Map(func(r rune) rune { // Hangul is whole again
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text)))
}

// Wide reports whether a text has characters of Chinese or Japanese.
func Wide(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana,
			unicode.Katakana)
	})
}
