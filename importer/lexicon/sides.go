package lexicon

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"finsvc/importer/text"
)

// Sides sorts the words of a column into in, out and neutral; ok when all are known, and one of each at most. A word
// that is missing is supplied by its pair.
func Sides(words map[string]int) (in, out, neutral string, ok bool) {
	rest := slices.Sorted(maps.Keys(words))
	for _, word := range rest {
		if Has(Neutral, word) || word == "/" {
			neutral = word
		}
	}
	rest = slices.DeleteFunc(rest, func(word string) bool { return word == neutral })
	if len(rest) == 0 || len(rest) > 2 {
		return "", "", "", false
	}
	for _, pair := range Directions() {
		in, out, ok = matchPair(rest, pair.In, pair.Out)
		if ok {
			return in, out, neutral, true
		}
	}
	return "", "", "", false
}

// SidesOfParts reads two cells that say their side several times over, such as "Cr (credit)": each part must say it,
// and all the same.
func SidesOfParts(words map[string]int) (in, out string, ok bool) {
	full := slices.Sorted(maps.Keys(words))
	if len(full) != 2 {
		return "", "", false
	}
	first, second := text.Words(full[0]), text.Words(full[1])
	if len(first) < 2 || len(first) != len(second) {
		return "", "", false
	}
	votes := 0
	for i := range first {
		part, _, _, known := Sides(map[string]int{first[i]: 1, second[i]: 1})
		if !known {
			return "", "", false
		}
		if part == first[i] {
			votes++
		}
	}
	switch votes {
	case len(first):
		return full[0], full[1], true
	case 0:
		return full[1], full[0], true
	}
	return "", "", false
}

// matchPair says which of the words is the one for in and which that for out; a single letter proves nothing alone.
func matchPair(words []string, a, b string) (in, out string, ok bool) {
	for i, word := range words {
		same := func(name string) bool {
			return strings.EqualFold(word, name) || text.Fold(word) == text.Fold(name)
		}
		other := ""
		if len(words) == 2 {
			other = words[1-i]
		}
		isOther := func(name string) bool {
			return other == "" && (len([]rune(word)) > 1 || text.Wide(word)) || text.Fold(other) == text.Fold(name)
		}
		switch {
		case same(a) && isOther(b):
			return word, cmp.Or(other, inCaseOf(word, b)), true
		case len(words) == 1 && same(b) && isOther(a):
			return inCaseOf(word, a), word, true
		}
	}
	return "", "", false
}

// inCaseOf writes the pair of a word the way the word is written.
func inCaseOf(word, pair string) string {
	switch {
	case word == strings.ToUpper(word):
		return strings.ToUpper(pair)
	case word[:1] == strings.ToUpper(word[:1]):
		return strings.ToUpper(pair[:1]) + pair[1:]
	}
	return pair
}

// SideBetween says which of two headers is that of money in, 0 or 1, when they differ in one word that says so.
func SideBetween(a, b []string) (in int, ok bool) {
	if len(a) < 2 || len(a) != len(b) {
		return 0, false
	}
	at := -1
	for i := range a {
		switch {
		case a[i] == b[i]:
		case at >= 0:
			return 0, false
		default:
			at = i
		}
	}
	if at < 0 || len(a[at]) < 2 || len(b[at]) < 2 {
		return 0, false
	}
	word, _, _, known := Sides(map[string]int{a[at]: 1, b[at]: 1})
	if word == b[at] {
		in = 1
	}
	return in, known
}

// KnownPair finds the words for in and out among others, and gives these; blank when there are none.
func KnownPair(words map[string]int) (in, out string, strange []string) {
	all := slices.Sorted(maps.Keys(words))
	for i, a := range all {
		for _, b := range all[i+1:] {
			if in, out, _, ok := Sides(map[string]int{a: 1, b: 1}); ok && words[in]*words[out] > 0 {
				return in, out, slices.DeleteFunc(all, func(word string) bool { return word == in || word == out })
			}
		}
	}
	return "", "", nil
}
