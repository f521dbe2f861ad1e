// Package shell is what the commands of the program share: how they are grouped, the flags that many of them have, and
// what those in packages of their own are given, the books among it.
package shell

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/books"
)

// Shell is what a command in a package of its own is given.
type Shell struct {
	*term.Terminal

	// InHousehold opens the database file and chooses the household of that name, or the only one.
	InHousehold func(c *cobra.Command, household string, do func(l *books.Books, who ledger.Actor) error) error
	// OnSameFile is another command on the file and in the household that the command was told of.
	OnSameFile func(words ...string) string
}

// Group is a command that only holds others. To call it without one of them is wrong usage.
func Group(name, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: name, Short: short, Args: cobra.ArbitraryArgs}
	c.RunE = WithoutCommand
	c.SuggestionsMinimumDistance = 2
	c.AddCommand(commands...)
	return c
}

// WithoutCommand says which command is missing, or what is wrong with the name that was given.
func WithoutCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return exit.Usagef("name one of its commands: %s\nSee: %s --help", commandNames(c.Commands()), c.CommandPath())
	}
	text := fmt.Sprintf("there is no command %q in %s", args[0], c.CommandPath())
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		text += fmt.Sprintf("; did you mean %s?", near[0])
	}
	return exit.Usagef("%s\nSee: %s --help", text, c.CommandPath())
}

func commandNames(commands []*cobra.Command) string {
	var out []string
	for _, c := range commands {
		if c.IsAvailableCommand() {
			out = append(out, c.Name())
		}
	}
	return strings.Join(out, ", ")
}

// HouseholdFlag lets a command's user choose a household.
func HouseholdFlag(c *cobra.Command, name *string) {
	c.Flags().StringVar(name, "household", "", "household `NAME`; needed only where the file holds several")
}

// Limit is how many rows a list prints at most; 0: all.
type Limit int

// Flag lets a list's user choose the limit, which is 50 otherwise.
func (l *Limit) Flag(c *cobra.Command) {
	c.Flags().IntVar((*int)(l), "limit", 50, "how many at most; 0: all")
}

// Page is the page to read.
func (l Limit) Page() (ledger.Page, error) {
	page := ledger.Everything()
	switch {
	case l < 0:
		return page, exit.Usagef("--limit must be 0 or more, got %d", l)
	case l > 0:
		page.Size = int(l)
	}
	return page, nil
}

// SayCut says of a list that was cut how long it is.
func (s Shell) SayCut(shown int, total int64) {
	if int64(shown) < total {
		s.Say("These are %d of %d. All: --limit 0", shown, total)
	}
}

// JSONFlag lets a reading command print JSON.
func JSONFlag(c *cobra.Command, asJSON *bool) {
	c.Flags().BoolVar(asJSON, "json", false, "print JSON instead of a table")
}

// NeedChange refuses a change of nothing: one of the flags must be given.
func NeedChange(c *cobra.Command, flags ...string) error {
	if slices.ContainsFunc(flags, c.Flags().Changed) {
		return nil
	}
	return exit.Usagef("nothing to change: give --%s", strings.Join(flags, ", --"))
}

// Given is the value of a flag that was used, else absent.
func Given[T any](c *cobra.Command, flag string, value T) ledger.Opt[T] {
	if !c.Flags().Changed(flag) {
		return ledger.Opt[T]{}
	}
	return ledger.Some(value)
}

// Parsed is the value of a flag that was used, else absent; empty text is null.
func Parsed[T any](c *cobra.Command, problems *ledger.Problems, flag, text string,
	parse func(string) (T, error)) ledger.Opt[T] {
	if !c.Flags().Changed(flag) {
		return ledger.Opt[T]{}
	}
	if text == "" {
		return ledger.Opt[T]{Set: true, Null: true}
	}
	value, err := parse(text)
	if err != nil {
		problems.Add(flag, "%s", err)
		return ledger.Opt[T]{}
	}
	return ledger.Some(value)
}
