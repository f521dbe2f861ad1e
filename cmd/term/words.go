package term

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
)

// Count is a number of things in words.
func Count(n int64, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	if stem, ends := strings.CutSuffix(thing, "y"); ends && !strings.HasSuffix(stem, "a") { // a category, but a day
		thing = stem + "ie"
	}
	return humanize.Comma(n) + " " + thing + "s"
}

// Size is a number of bytes in words.
func Size(bytes int64) string { return humanize.IBytes(uint64(max(0, bytes))) }

// Stamp is an instant in JSON; null when it is zero.
func Stamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	text := t.UTC().Format("2006-01-02T15:04:05.000Z")
	return &text
}

// Moment is an instant in a table, in the zone of the machine; a dash when it is zero.
func Moment(t time.Time) string {
	if t.IsZero() {
		return "-"
	}
	return t.Local().Format("2006-01-02 15:04")
}

// Dash is the text of a cell; a dash when it is empty.
func Dash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

// ShellQuote makes one word of a text, for a shell.
func ShellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// ShellWord is the text as one word of a command line; in quotes only where it needs them.
func ShellWord(text string) string {
	plain := func(c rune) bool {
		return c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("-_./:,@%+=", c))
	}
	if text != "" && !strings.ContainsFunc(text, func(c rune) bool { return !plain(c) }) {
		return text
	}
	return ShellQuote(text)
}
