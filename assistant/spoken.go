package assistant

import (
	"errors"
	"strings"
	"unicode"
)

// maxText is how many bytes of a model's text are kept; what more it says is not listened to.
const maxText = 64 << 10

// errEnough ends a reply that has become too long.
var errEnough = errors.New("the text is as long as it may be")

// spoken is what a model has said: valid UTF-8 without control characters and without white space in front. What has
// been shown of it stays as it is; it only grows.
type spoken struct {
	text strings.Builder
	full bool
}

// add takes a further piece; errEnough when there is no room for all of it.
func (s *spoken) add(piece string) error {
	if s.full {
		return errEnough
	}
	piece = strings.Map(printable, strings.ToValidUTF8(piece, "\uFFFD"))
	if s.text.Len() == 0 {
		piece = strings.TrimLeftFunc(piece, unicode.IsSpace)
	}
	fits := head(piece, maxText-s.text.Len())
	s.text.WriteString(fits)
	if len(fits) < len(piece) {
		s.full = true
		s.text.WriteString("…")
		return errEnough
	}
	return nil
}

func (s *spoken) String() string { return s.text.String() }

func (s *spoken) trimmed() string { return strings.TrimRightFunc(s.text.String(), unicode.IsSpace) }

// printable drops the control characters that no text may have, by its rune.
func printable(r rune) rune {
	if unicode.IsControl(r) && r != '\n' && r != '\t' {
		return -1
	}
	return r
}
