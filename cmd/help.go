package cmd

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/rivo/uniseg"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/embed"
)

// newHelp is the command help. Cobra puts it into the tree when that is executed, not before.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND-or-TOPIC...]", Short: "Show the help of a command, or a page of the handbook",
		ValidArgsFunction: completeCommands,
		RunE: func(c *cobra.Command, args []string) error {
			found, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 || found == c.Root() && len(args) > 0 {
				return exit.Usagef("there is no help about %q\nSee: finsvc help", strings.Join(args, " "))
			}
			found.InitDefaultHelpFlag() // so that it is shown
			return found.Help()
		},
	}
}

// completeCommands gives the names of the commands in what was typed so far.
func completeCommands(c *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []cobra.Completion
	if within, _, err := c.Root().Find(args); err == nil {
		for _, child := range within.Commands() {
			if !child.Hidden {
				found = append(found, cobra.CompletionWithDesc(child.Name(), child.Short))
			}
		}
	}
	return found, cobra.ShellCompDirectiveNoFileComp
}

// exitTopic explains the exit statuses. A topic is a command that does nothing but have a help.
func exitTopic() *cobra.Command {
	return &cobra.Command{
		Use: "exit-status", Short: "What the exit statuses mean",
		Long: fmt.Sprintf("Exit statuses:\n\n"+
			"  %d  done\n"+
			"  %d  failed, or interrupted\n"+
			"  %d  wrong usage, or a value that cannot be\n"+
			"  %d  done, but some rows were rejected; or nothing was done because of them\n"+
			"  %d  not allowed\n"+
			"  %d  not found\n"+
			"  %d  conflict: it is there already, in use, locked, or cannot be written at present\n\n"+
			"More may be added: take any that you do not know for a failure. A command that fails prints no data, but for\n"+
			"what --json says of the failure.",
			exit.Done, exit.Failed, exit.Usage, exit.Rejected, exit.Denied, exit.Missing, exit.Conflict),
	}
}

// environmentTopic lists the variables.
func environmentTopic(a *app) *cobra.Command {
	var b strings.Builder
	b.WriteString("A flag wins over its variable, a variable over the default. A variable that begins with FINSVC_ and means nothing is\n" +
		"an error. What is in force says: finsvc config\n\n")
	table := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, s := range a.config.Settings() {
		fmt.Fprintf(table, "  %s\t%s\n", s.Variable(), s.Meaning)
	}
	for _, other := range [][2]string{
		{"LC_ALL, LC_MONETARY, LANG", "locale and currency of a new household; without UTF-8 in it, plain characters on a terminal"},
		{"TZ", "time zone of a new household, and of instants in tables"},
		{"TERM", "dumb: no progress bars; there are no colours, so NO_COLOR changes nothing"},
		{"GOMEMLIMIT, GOGC", "how the memory of the server and of imports is managed, instead of its own choice"},
	} {
		fmt.Fprintf(table, "  %s\t%s\n", other[0], other[1])
	}
	_ = table.Flush() // it writes to memory
	return &cobra.Command{Use: "environment", Short: "The variables that are read", Long: b.String()}
}

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

// wrapLine writes a line of a page, see [embed.Handbook], in as many lines as it needs. What goes on stands below
// where the text began, behind the mark of an item of a list. What is to stand as it is, is only moved in.
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
