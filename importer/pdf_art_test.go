package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"finsvc/importer/pdf"
	"finsvc/importer/pdf/extract"
	moneypkg "finsvc/ledger/money"
)

// wordsOf makes words of pages that are drawn as text: a character is 5 points wide, a line 12 points high. A tilde
// is a space that parts no words for people but does for PDF, such as between groups of digits.
func wordsOf(pages ...string) []extract.Word {
	var words []extract.Word
	for page, art := range pages {
		for number, line := range strings.Split(strings.Trim(art, "\n"), "\n") {
			runes := []rune(line)
			for at := 0; at < len(runes); {
				if runes[at] == ' ' {
					at++
					continue
				}
				end := at
				for end < len(runes) && runes[end] != ' ' {
					end++
				}
				words = append(words, extract.Word{Page: page + 1, X: 40 + 5*float64(at), Y: 800 - 12*float64(number),
					Width: 5 * float64(end-at), Size: 10, Text: string(runes[at:end])})
				at = end
			}
		}
	}
	return words
}

func currency(t testing.TB, code string) moneypkg.Currency {
	t.Helper()
	c, ok := moneypkg.LookupCurrency(code)
	if !ok {
		t.Fatal(code)
	}
	return c
}

// rowLines are the rows of a statement, one a line: date, minor units, name, and after bars the lines of the notes.
func rowLines(s pdf.Statement) []string {
	lines := []string{}
	for _, row := range s.Rows {
		text := fmt.Sprintf("%s %d %s", row.Date, row.Minor, row.Name)
		if row.Notes != "" {
			text += "|" + strings.ReplaceAll(row.Notes, "\n", "|")
		}
		lines = append(lines, text)
	}
	return lines
}
