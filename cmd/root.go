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
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"finsvc/cmd/booking"
	"finsvc/cmd/config"
	"finsvc/cmd/doctor"
	"finsvc/cmd/exit"
	"finsvc/cmd/history"
	"finsvc/cmd/label"
	"finsvc/cmd/report"
	"finsvc/cmd/shell"
	"finsvc/cmd/transaction"
	"finsvc/db"
	"finsvc/embed"
)

// Main runs the program with its arguments (without its own name) and its environment (as of
// [os.Environ]) and gives the exit status, see [exit.Status]. It ends when ctx ends, as it does on SIGINT
// and SIGTERM; a second signal ends the process at once. Options are for tests, in which the program is of another
// version: they are those that the database is opened with.
func Main(ctx context.Context, args, environ []string, stdin io.Reader, stdout, stderr io.Writer,
	options ...db.Option) int {
	a := newApp(environ, stdin, stdout, stderr)
	a.migrations = options
	return a.main(ctx, args)
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
	a.config, err = config.FromEnvironment(a.env)
	if err != nil {
		return err
	}
	root := newRoot(a)
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) { // a shell asks; else it costs a tenth of a short command
		addCompletion(a, root, argumentWords())
	}
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
	root := shell.Group("finsvc", "Keeps a household's books and serves them over HTTP",
		newServe(a),
		newAPIKey(a),
		newHousehold(a),
		newUser(a),
		newSetUpCode(a),
		newAccount(a),
		newImport(a),
		newRates(a),
		newPrices(a),
		newSecurity(a),
		shell.Group("rule", "Make, list, change, run and delete rules", newRuleAdd(a), newRuleList(a), newRuleUpdate(a), newRuleRun(a), newRuleDelete(a)),
		newExplain(a),
		newChat(a),
		newExport(a),
		newBackup(a),
		newRestore(a),
		newDemo(a),
		newDoctor(a),
		newHealth(a),
		history.New(a.shell()),
		newMCP(a),
		transaction.New(a.shell()),
		transaction.NewCategorize(a.shell()),
		newShowConfig(a),
		newOpenAPI(a),
		newVersion(a),
		newPDFText(a),
	)
	root.AddCommand(label.Commands(a.shell())...)
	root.AddCommand(booking.Commands(a.shell())...)
	root.AddCommand(report.Commands(a.shell())...)
	root.SilenceErrors, root.SilenceUsage = true, true
	a.config.Setting("data").AddTo(root.PersistentFlags())
	root.SetOut(a.Stdout) // before the commands of completion keep where that is
	root.InitDefaultCompletionCmd()
	// Add the help command, the topics of the help, and --version.
	root.Long = "finsvc keeps a household's books in one file and serves them over HTTP.\n\n" +
		"Data goes to standard output, and what is said to people to standard error. All commands work on the file of\n" +
		"--data, also while a server runs on it. The handbook is in here: finsvc help getting-started"
	root.Example = "  finsvc serve                      # create the file and serve it\n" +
		"  KEY=$(finsvc apikey create phone) # in another terminal: a key for a program\n" +
		"  finsvc import october.csv --account Everyday\n" +
		"  finsvc demo                       # look around in made-up data"
	root.Version = version() // no template of our own: text/template would cost 2 MB of program
	root.AddCommand(exitTopic(), environmentTopic(a))
	root.AddCommand(handbookTopics(a)...)
	root.SetHelpCommand(newHelp())
	// Give cobra's own command for completion a help like that of the others, and make it wrong usage to call
	// it without one of its commands.
	all := root.Commands()
	c := all[slices.IndexFunc(all, func(c *cobra.Command) bool { return c.Name() == "completion" })]
	c.Args, c.RunE = cobra.ArbitraryArgs, shell.WithoutCommand
	c.Short, c.Long = "Print the script with which a shell completes commands",
		"Print the script with which a shell completes commands, flags, and names of your own accounts, keys and imports.\n"+
			"The help of each shell's command says how to load it."
	c.Example = "  source <(finsvc completion bash)\n  finsvc completion fish > ~/.config/fish/completions/finsvc.fish"
	bash := c.Commands()[slices.IndexFunc(c.Commands(), func(c *cobra.Command) bool { return c.Name() == "bash" })]
	script := bash.RunE
	bash.RunE = func(c *cobra.Command, args []string) error {
		if err := script(c, args); err != nil {
			return err
		}
		_, err := io.WriteString(a.Stdout, embed.BashCompletion)
		return err
	}
	bash.Long = "Print the script with which bash completes commands. It needs nothing but bash 4.1 or newer.\n\n" +
		"For this session: source <(finsvc completion bash)\nFor all of them, put that line into ~/.bashrc."
	bare := root.RunE
	root.RunE = func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			a.Say("%s\n\n%s", c.Long, c.UsageString())
			return exit.Usagef("name a command")
		}
		return bare(c, args)
	}
	watch(a, root)
	return root
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
