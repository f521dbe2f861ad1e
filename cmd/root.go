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
	"syscall"

	"github.com/spf13/cobra"

	"finsvc/cmd/config"
	"finsvc/cmd/doctor"
	"finsvc/cmd/exit"
)

// Main runs the program with its arguments (without its own name) and its environment (as of
// [os.Environ]) and gives the exit status, see [exit.Status]. It ends when ctx ends, as it does on SIGINT
// and SIGTERM; a second signal ends the process at once.
func Main(ctx context.Context, args, environ []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return newApp(environ, stdin, stdout, stderr).main(ctx, args)
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
