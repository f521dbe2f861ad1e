package cmd

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"finsvc/cmd/config"
	"finsvc/cmd/demo"
	"finsvc/cmd/exit"
	"finsvc/cmd/listen"
	"finsvc/db"
	"finsvc/ledger"
	"finsvc/ledger/books"
)

const demoCommand = "demo"

func newDemo(a *app) *cobra.Command {
	var keep string
	c := &cobra.Command{
		Use: demoCommand, Short: "Serve a temporary household with two years of made-up data", Args: cobra.NoArgs,
		Long: "Make a household with two years of plausible data in a temporary folder, print a key, and serve it until\n" +
			"SIGINT or SIGTERM. Then the folder is removed. It is the same household every time, but for its days, which\n" +
			"end today, and for the key. Its chats are answered by the program itself, whatever provider is set.",
		Example: "  finsvc demo\n  finsvc demo --keep demo.db && finsvc serve --data demo.db",
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("data") {
				return exit.Usagef("demo takes no --data: what it makes is in a temporary folder, or in the file of --keep. To serve your own file: finsvc serve --data FILE")
			}
			a.config.AI = config.DefaultAI() // nothing of a demonstration goes anywhere
			if keep != "" {
				return keepDemo(c.Context(), a, keep)
			}
			return serveDemo(c.Context(), a)
		},
	}
	a.config.AddFlags(c.Flags(), "listen")
	c.Flags().StringVar(&keep, "keep", "", "new `FILE` to write the household to, instead of serving it")
	return c
}

// serveDemo makes the household when nothing can come between any more, and serves it.
func serveDemo(ctx context.Context, a *app) (err error) {
	dir, err := os.MkdirTemp("", "finsvc-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	a.config.Data = filepath.Join(dir, "finance.db")
	a.config.Backup.Every = 0
	return serve(ctx, a, greetDemo)
}

// keepDemo makes the household in a folder beside the file, and puts the file in its place when it is whole.
func keepDemo(ctx context.Context, a *app, name string) (err error) {
	if err := mustBeNew(name); err != nil {
		return err
	}
	dir, err := os.MkdirTemp(filepath.Dir(name), ".finsvc-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	a.config.Data = filepath.Join(dir, "finance.db")
	plain := ""
	err = a.withNewDatabase(ctx, func(database *db.DB, books *books.Books) (err error) {
		plain, err = demo.Fill(ctx, database, books, a.now, a.warnings())
		return err
	})
	if err == nil {
		err = mustBeNew(name) // another program may have been here meanwhile
	}
	if err == nil {
		err = os.Rename(a.config.Data, name)
	}
	if err != nil {
		return err
	}
	a.Say("Wrote a household with two years of made-up data. Serve it with: finsvc serve --data '%s'. Its key:", name)
	return a.Print(plain)
}

// mustBeNew refuses the name of a file that is there.
func mustBeNew(name string) error {
	if _, err := os.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(err, ledger.NewConflict("%s is there already; choose another name", name))
	}
	return nil
}

// greetDemo fills the household and says what to do with it. The key goes to standard output.
func greetDemo(ctx context.Context, a *app, _ *slog.Logger, database *db.DB, books *books.Books, addr net.Addr) error {
	plain, err := demo.Fill(ctx, database, books, a.now, a.warnings())
	if err != nil {
		return err
	}
	option, url := listen.SiteOf(&a.config.Network).Curl(addr)
	browser := url + "/"
	if a.config.Network.Web {
		owner, err := activeUser(ctx, books, demo.Owner)
		if err != nil {
			return err
		}
		link, _, err := books.SignIn.NewLink(ctx, actor(owner.HouseholdID), owner.ID)
		if err != nil {
			return err
		}
		browser = url + "/link/" + link + "   (once, within ten minutes; another one: finsvc user link " + demo.Owner + " --data '" + a.config.Data + "')"
	}
	a.Say("A household with two years of made-up data is served at %s. Ask it in another terminal:\n\n"+
		"  curl -H 'X-Api-Key: %[2]s' %[1]s/api/v1/balance_sheet\n"+
		"  curl -H 'X-Api-Key: %[2]s' %[1]s/api/v1/accounts\n"+
		"  curl -H 'X-Api-Key: %[2]s' '%[1]s/api/v1/transactions?search=coffee'\n\n"+
		"Or with the commands, such as:\n\n  finsvc account list --data '%[3]s'\n"+
		"  finsvc chat 'What did I spend on groceries last month?' --data '%[3]s'\n"+
		"  finsvc import list --data '%[3]s'   (one is pending, to be published)\n\n"+
		"In a browser:\n\n  %[4]s\n\n"+
		"Ctrl-C stops it and removes the data. Its key:", option+url, plain, a.config.Data, browser)
	return a.Print(plain)
}
