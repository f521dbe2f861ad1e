package cmd

import (
	"io"
	"strings"
	"unicode"

	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"

	"finsvc/cmd/term"
	"finsvc/embed"
)

// How wide the lines of a page are: as a terminal is, but no wider than is read with ease; and where it goes elsewhere.
const (
	widestPage = 100
	plainPage  = 80
)

// handbookTopics are the pages of the handbook as topics of the help.
func handbookTopics(a *app) (all []*cobra.Command) {
	for _, topic := range embed.HandbookTopics() {
		c := &cobra.Command{Use: topic.Name, Short: "Handbook: " + topic.Title, Long: topic.Title}
		c.SetHelpFunc(func(c *cobra.Command, _ []string) {
			if err := printHandbook(a, c.Name()); err != nil {
				a.Say("finsvc: the page could not be shown: %s", err) // cobra's helps cannot fail
			}
		})
		all = append(all, c)
	}
	return all
}

// printHandbook prints a page, wrapped.
func printHandbook(a *app, name string) error {
	page, err := embed.Handbook(name + ".txt")
	if err != nil {
		return err
	}
	width := plainPage
	if columns := term.Width(a.Stdout); columns > 0 {
		width = min(columns, widestPage)
	}
	var b strings.Builder
	for line := range strings.Lines(string(page)) {
		wrapLine(&b, strings.TrimSuffix(line, "\n"), width)
	}
	_, err = io.WriteString(a.Stdout, b.String())
	return err
}

// wrapLine writes a line of a page, see [embed.Handbook], in as many lines as it needs. What goes on stands below where the text
// began, behind the mark of an item of a list. What is to stand as it is, is only moved in.
func wrapLine(b *strings.Builder, line string, width int) {
	if rest, asItIs := strings.CutPrefix(line, "\t"); asItIs {
		b.WriteString(strings.TrimRight("    "+rest, " ") + "\n")
		return
	}
	text := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(text)]
	next := indent + strings.Repeat(" ", listMark(text))
	column := len(indent)
	b.WriteString(indent)
	for i, word := range strings.Fields(text) {
		wide := uniseg.StringWidth(word)
		switch {
		case i == 0:
		case column+1+wide > width:
			b.WriteString("\n" + next)
			column = len(next)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += wide
	}
	b.WriteByte('\n')
}

// listMark is how long the mark is with which an item of a list begins: "- " or "12. ".
func listMark(text string) int {
	number := strings.TrimLeftFunc(text, unicode.IsDigit)
	switch {
	case strings.HasPrefix(text, "- "):
		return len("- ")
	case len(number) < len(text) && strings.HasPrefix(number, ". "):
		return len(text) - len(number) + len(". ")
	}
	return 0
}
