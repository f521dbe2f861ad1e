package token

// typoLength is how many letters a word has at least that may have a wrong one.
const typoLength = 4

// IsTypo reports whether a word becomes the other when a letter is changed, added, left out or swapped with the next.
func IsTypo(a, b string) bool {
	if len(a) < typoLength || len(b) < typoLength || a == b || len(a) == typoLength && a[0] != b[0] {
		return false
	}
	// a single mistake leaves one of the ends, which tells nearly all others
	if a[0] != b[0] && a[len(a)-1] != b[len(b)-1] {
		return false
	}
	x, y := []rune(a), []rune(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	at := 0
	for at < len(x) && x[at] == y[at] {
		at++
	}
	switch len(y) - len(x) {
	case 0:
		swapped := at+1 < len(x) && x[at] == y[at+1] && x[at+1] == y[at] && string(x[at+2:]) == string(y[at+2:])
		return swapped || string(x[at+1:]) == string(y[at+1:])
	case 1:
		return string(x[at:]) == string(y[at+1:])
	}
	return false
}
