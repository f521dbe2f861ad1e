package cmd

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
)

// size is a number of bytes for people.
func size(bytes int64) string { return humanize.IBytes(uint64(max(0, bytes))) }

// shellQuote makes one word of a text, for a shell.
func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// shellWord is the text as one word of a command line; in quotes only where it needs them.
func shellWord(text string) string {
	plain := func(c rune) bool {
		return c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("-_./:,@%+=", c))
	}
	if text != "" && !strings.ContainsFunc(text, func(c rune) bool { return !plain(c) }) {
		return text
	}
	return shellQuote(text)
}

// wholeUnits is a time without units of which there are none, such as 24h or 1m30s.
func wholeUnits(d time.Duration) string {
	text := d.String()
	for _, none := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, none) {
			text = text[:len(text)-2]
		}
	}
	return text
}
