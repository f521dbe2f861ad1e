package text

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"finsvc/ledger"
)

// AsName is a text as it is where it may be a name, white space within it included; else on one line.
func AsName(text string) string {
	if strings.TrimSpace(text) == text && !strings.ContainsFunc(text, unicode.IsControl) {
		return text
	}
	return OneLine(text)
}

// Longer reports whether a text has more than so many characters.
func Longer(text string, most int) bool {
	return len(text) > most && utf8.RuneCountInString(text) > most
}

func TooLong(text string, most int) string {
	return fmt.Sprintf("must have at most %d characters, has %d", most, utf8.RuneCountInString(text))
}

// OneLine makes control characters and runs of white space one space each.
func OneLine(text string) string {
	if tidy(text) {
		return text
	}
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
}

// tidy reports whether a text is ASCII without anything that OneLine would change, or close to it: the
// answer false only costs time.
func tidy(text string) bool {
	space := true
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c < ' ' || c == 0x7F || c == 0xC2 || c >= 0xE1 && c <= 0xE3 || c == ' ' && space {
			return false
		}
		space = c == ' '
	}
	return text == "" || !space
}

// Notes keeps lines and tabs; other control characters become spaces.
func Notes(text string) string {
	if tidy(text) {
		return text
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return ' '
		}
		return r
	}, text))
}

// CutName shortens a text at a word to the characters that a name may have.
func CutName(text string) string {
	short, _ := ledger.FitName(text, "")
	return short
}

// CategoryPath tidies "Parent:Child", which is split at its first colon.
func CategoryPath(text string) string {
	parent, child, found := strings.Cut(text, ":")
	if !found {
		return text
	}
	parent, child = strings.TrimSpace(parent), strings.TrimSpace(child)
	switch {
	case parent == "" || child == "":
		return parent + child
	case len(parent)+len(child)+1 == len(text):
		return text
	}
	return parent + ":" + child
}

// SplitTags cuts at commas that no backslash escapes, if there are any, else at such bars. Parts are
// trimmed; blank and repeated ones are dropped.
func SplitTags(cell string) []string {
	separator := '|'
	if len(cutUnescaped(cell, ',')) > 1 {
		separator = ','
	}
	tags := cutUnescaped(cell, separator)
	for i := range tags {
		tags[i] = OneLine(tags[i])
	}
	return Distinct(tags)
}

// Distinct leaves out blank texts, and those that differ from one before in case and white space at most.
func Distinct(texts []string) []string {
	seen := make(map[string]bool, len(texts))
	return slices.DeleteFunc(texts, func(text string) bool {
		key := ledger.Fold(text)
		again := text == "" || seen[key]
		seen[key] = true
		return again
	})
}

// cutUnescaped cuts at the separator and resolves the escapes of comma, bar and backslash.
func cutUnescaped(cell string, separator rune) []string {
	if strings.IndexByte(cell, '\\') < 0 {
		return strings.Split(cell, string(separator))
	}
	var parts []string
	var part strings.Builder
	escaped := false
	for _, r := range cell {
		switch {
		case escaped && r != ',' && r != '|' && r != '\\':
			part.WriteRune('\\')
			part.WriteRune(r)
			escaped = false
		case escaped:
			part.WriteRune(r)
			escaped = false
		case r == '\\':
			escaped = true
		case r == separator:
			parts = append(parts, part.String())
			part.Reset()
		default:
			part.WriteRune(r)
		}
	}
	if escaped {
		part.WriteRune('\\')
	}
	return append(parts, part.String())
}

func Quoted(list []string) string {
	var b strings.Builder
	for i, cell := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(ledger.Quote(cell))
	}
	return b.String()
}

// HasWord reports whether a text has a word and not only numbers, signs and the letters of codes.
func HasWord(cell string) bool {
	run := 0
	for _, r := range cell {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsMark(r):
			run = 0
		case r > unicode.MaxASCII:
			run += 2
		default:
			run++
		}
		if run >= 3 {
			return true
		}
	}
	return false
}
