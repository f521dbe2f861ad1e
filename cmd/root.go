// Package cmd is the command line: the tree of commands, where settings come from, what is printed, the
// exit status. It wires the other rooms together and contains no rules.
//
// A command is a function that takes an [app] and gives a cobra command; one file holds the commands of
// one noun. To add a noun, write such a file and name its function in newRoot.
package cmd

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"finsvc/db"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"finsvc/cmd/config"
	"finsvc/cmd/doctor"
	"finsvc/cmd/exit"
	"finsvc/cmd/term"
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

// Main runs the program with its arguments (without its own name) and its environment (as of
// [os.Environ]) and gives the exit status, see [exit.Status]. It ends when ctx ends, as it does on SIGINT
// and SIGTERM; a second signal ends the process at once.
func Main(ctx context.Context, args, environ []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return newApp(environ, stdin, stdout, stderr).main(ctx, args)
}

func newApp(environ []string, stdin io.Reader, stdout, stderr io.Writer) *app {
	env := config.NewEnvironment(environ)
	return &app{Terminal: term.New(stdin, stdout, stderr, env), now: time.Now, env: env}
}

func (a *app) main(ctx context.Context, args []string) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	// From the first signal on, signals have their ordinary effect again.
	context.AfterFunc(ctx, stop)
	err := a.execute(ctx, args)
	if err != nil {
		fmt.Fprintln(a.Stderr, "finsvc: "+exit.Message(err)+doctor.Hint(err, a.copies()))
	}
	return exit.Status(err)
}

func (a *app) execute(ctx context.Context, args []string) error {
	var err error
	if a.config, err = config.FromEnvironment(a.env); err != nil {
		return err
	}
	root := newRoot(a)
	root.SetArgs(questionArguments(root, args))
	root.SetIn(a.Stdin)
	root.SetErr(a.Stderr)
	command, err := root.ExecuteContextC(ctx)
	if err != nil && !a.running {
		return exit.Usagef("%s\nSee: %s --help", err, command.CommandPath())
	}
	return err
}

// newRoot is the tree of commands.
func newRoot(a *app) *cobra.Command {
	root := group("finsvc", "Keeps a household's books and serves them over HTTP",
		newServe(a),
		newAPIKey(a),
		newHousehold(a),
		newUser(a),
		newAccount(a),
		newImport(a),
		newRates(a),
		newPrices(a),
		newSecurity(a),
		newRule(a),
		newExplain(a),
		newChat(a),
		newExport(a),
		newBackup(a),
		newRestore(a),
		newDemo(a),
		newDoctor(a),
		newHealth(a),
		newShowConfig(a),
		newOpenAPI(a),
		newVersion(a),
		newPDFText(a),
	)
	root.SilenceErrors, root.SilenceUsage = true, true
	a.config.Setting("data").AddTo(root.PersistentFlags())
	root.SetOut(a.Stdout) // before the commands of completion keep where that is
	root.InitDefaultCompletionCmd()
	addHelp(a, root)
	addCompletion(a, root)
	watch(a, root)
	return root
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
		return exit.Usagef("name one of its commands: %s\nSee: %s --help", names(c.Commands()), c.CommandPath())
	}
	text := fmt.Sprintf("there is no command %q in %s", args[0], c.CommandPath())
	if near := c.SuggestionsFor(args[0]); len(near) > 0 {
		text += fmt.Sprintf("; did you mean %s?", near[0])
	}
	return exit.Usagef("%s\nSee: %s --help", text, c.CommandPath())
}

func names(commands []*cobra.Command) string {
	var out []string
	for _, c := range commands {
		if c.IsAvailableCommand() {
			out = append(out, c.Name())
		}
	}
	return strings.Join(out, ", ")
}

// watch notes when a command begins: errors before that are about how it was called.
func watch(a *app, c *cobra.Command) {
	if begin := c.RunE; begin != nil {
		c.RunE = func(c *cobra.Command, args []string) error {
			a.running, a.command = true, c
			return begin(c, args)
		}
	}
	for _, child := range c.Commands() {
		watch(a, child)
	}
}

// jsonFlag lets a reading command print JSON.
func jsonFlag(c *cobra.Command, asJSON *bool) {
	c.Flags().BoolVar(asJSON, "json", false, "print JSON instead of a table")
}

// again is the command line as it was given, with another value of one flag. A database that only a variable names is named
// too: the variable may have been set for the one command.
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
	if data := a.env[a.config.Setting("data").Variable()]; data != "" && !given.Changed("data") && a.command.Name() != demoCommand {
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
