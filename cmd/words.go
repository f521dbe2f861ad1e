package cmd

import (
	"strings"

	"github.com/dustin/go-humanize"
)

// size is a number of bytes for people.
func size(bytes int64) string { return humanize.IBytes(uint64(max(0, bytes))) }

// shellQuote makes one word of a text, for a shell.
func shellQuote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
