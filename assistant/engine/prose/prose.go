// Package prose is the parts that sentences are made of: amounts with their currency, numbers of things, lists of
// names, days. It knows no questions and adds nothing up.
package prose

import (
	"fmt"
	"strings"

	"finsvc/ledger"
	"finsvc/ledger/calendar"
)

// Listed is parts of a sentence with commas and an "and".
func Listed(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

// Quoted is names in quotation marks as parts of a sentence.
func Quoted(names []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = ledger.Quote(name)
	}
	return Listed(list)
}

// During is a span in a sentence.
func During(s calendar.Span) string {
	switch {
	case s.First == ledger.MinDate && s.Begins > 0 && s.Begins <= s.Last:
		return fmt.Sprintf("from the beginning of your books, %s, to %s", s.Begins, s.Last)
	case s.First == ledger.MinDate:
		return "until " + s.Last.String()
	case s.First == s.Last:
		return "on " + s.String()
	case strings.HasSuffix(s.String(), ")"):
		return "in " + s.String()
	}
	return "from " + s.String()
}
