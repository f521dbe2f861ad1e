package cmd

import (
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"finsvc/cmd/config"
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
