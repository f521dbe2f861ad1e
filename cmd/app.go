package cmd

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"finsvc/cmd/config"
	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/db"
)

// app is what every command is given.
type app struct {
	term.Terminal
	config config.Config
	now    func() time.Time
	env    config.Environment
	// migrations are other ones than the program's, for tests; none: the program's.
	migrations []db.Option
	created    bool           // the database file was made by this run
	running    bool           // a command has begun: its arguments and flags were right
	command    *cobra.Command // that has begun
}

func newApp(environ []string, stdin io.Reader, stdout, stderr io.Writer) *app {
	env := config.NewEnvironment(environ)
	return &app{Terminal: term.New(stdin, stdout, stderr, env), now: time.Now, env: env}
}

// group is a command that only holds others. To call it without one of them is wrong usage.
func group(name, short string, commands ...*cobra.Command) *cobra.Command {
	c := &cobra.Command{Use: name, Short: short, Args: cobra.ArbitraryArgs}
	c.RunE = withoutCommand
	c.SuggestionsMinimumDistance = 2
	c.AddCommand(commands...)
	return c
}

// withoutCommand says which command is missing, or what is wrong with the name that was given.
func withoutCommand(c *cobra.Command, args []string) error {
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

// jsonFlag lets a reading command print JSON.
func jsonFlag(c *cobra.Command, asJSON *bool) {
	c.Flags().BoolVar(asJSON, "json", false, "print JSON instead of a table")
}

// again is the command line as it was given, with another value of one flag. A database that only a variable names is
// named too: the variable may have been set for the one command.
func (a *app) again(flag, value string) string {
	words, given := []string{a.command.CommandPath()}, a.command.Flags()
	given.Visit(func(f *pflag.Flag) {
		switch {
		case f.Name == flag:
		case f.NoOptDefVal != "":
			words = append(words, "--"+f.Name+"="+term.ShellWord(f.Value.String()))
		default:
			words = append(words, "--"+f.Name, term.ShellWord(f.Value.String()))
		}
	})
	if data := a.env[a.config.Setting("data").Variable()]; data != "" && !given.Changed("data") &&
		a.command.Name() != demoCommand {
		words = append(words, "--data", term.ShellWord(data))
	}
	for _, arg := range given.Args() {
		words = append(words, term.ShellWord(arg))
	}
	return strings.Join(append(words, "--"+flag, term.ShellWord(value)), " ")
}

// onSameFile is another command on the file, and in the household, that this command was told of.
func (a *app) onSameFile(words ...string) string {
	words = append([]string{"finsvc"}, words...)
	for _, name := range []string{"household", "data"} {
		if f := a.command.Flag(name); f != nil && f.Changed {
			words = append(words, "--"+name, term.ShellWord(f.Value.String()))
		}
	}
	return strings.Join(words, " ")
}
