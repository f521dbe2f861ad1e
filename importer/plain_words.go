package importer

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// plainWord is a text in small letters without accents and signs, for comparison; words are parted by single spaces.
func plainWord(text string) string { return baseLetters(strings.Join(wordsOf(text), " ")) }

// wordsOf are the words of a text, of letters with their marks and digits.
func wordsOf(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) })
}

// baseLetters writes small letters without their marks. In Cyrillic and Japanese a mark makes another letter.
func baseLetters(text string) string {
	text = strings.ToLower(text)
	if !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) {
		return text
	}
	text = strings.NewReplacer("ß", "ss", "ø", "o", "ł", "l", "æ", "ae", "đ", "d", "ı", "i", "œ", "oe", "ς", "σ").Replace(text)
	if wide(text) || strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Cyrillic, r) }) {
		return norm.NFC.String(text)
	}
	return norm.NFC.String(strings.Map(func(r rune) rune { // Hangul is whole again
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(text)))
}
