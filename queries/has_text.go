package queries

import (
	"bytes"
	"database/sql/driver"
	"errors"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// TextFunction is the name of the SQL function [TextFinder.Find], which every connection that searches has to know.
const TextFunction = "has_text"

// TextFinder looks for a text in others. It takes time by the length of the texts alone, whatever they repeat: LIKE,
// GLOB and a phrase of the full-text index look at each letter as often as the search is long where both repeat
// themselves. It is safe for concurrent use.
type TextFinder struct{ buffers sync.Pool }

// Find is the SQL function: has_text(folded, text, ...) reports as 1 or 0 whether one of the texts has the first
// argument in it, which [foldText] has made. Texts may be NULL.
func (f *TextFinder) Find(args []driver.Value) (driver.Value, error) {
	if len(args) == 0 {
		return nil, errors.New(TextFunction + " needs what to look for")
	}
	folded, ok := args[0].(string)
	if !ok {
		return nil, errors.New(TextFunction + " looks for a text")
	}
	for _, arg := range args[1:] {
		if text, ok := arg.(string); ok && f.has(text, folded) {
			return int64(1), nil
		}
	}
	return int64(0), nil
}

func (f *TextFinder) has(text, folded string) bool {
	if len(text) == 0 {
		return folded == ""
	}
	buffer, _ := f.buffers.Get().(*[]byte)
	if buffer == nil {
		buffer = new([]byte)
	}
	defer f.buffers.Put(buffer)
	*buffer = appendFolded((*buffer)[:0], text)
	return bytes.Contains(*buffer, []byte(folded))
}

// foldText is a text in the form in which texts are compared: the normal form of Unicode (NFC), without regard to case.
func foldText(text string) string { return string(appendFolded(nil, text)) }

func appendFolded(to []byte, text string) []byte {
	if !isASCII(text) && !norm.NFC.IsNormalString(text) {
		text = norm.NFC.String(text)
	}
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if 'A' <= c && c <= 'Z' {
				c += 'a' - 'A'
			}
			to = append(to, c)
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		to = utf8.AppendRune(to, foldRune(r))
		i += size
	}
	return to
}

// foldRune is one and the same rune of all that differ by their case alone: the least of them, in ASCII a small letter.
func foldRune(r rune) rune {
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	if 'A' <= least && least <= 'Z' {
		least += 'a' - 'A'
	}
	return least
}
