package cmd

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"finsvc/db"
	"finsvc/ledger"
)

func newDemo(a *app) *cobra.Command {
	c := &cobra.Command{
		Use: "demo", Short: "Serve a temporary household with two years of made-up data", Args: cobra.NoArgs,
		Long: "Make a household with two years of plausible data in a temporary folder, print a key, and serve it until\n" +
			"SIGINT or SIGTERM. Then the folder is removed. It is the same household every time, but for its days, which\n" +
			"end today, and for the key.",
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("data") {
				return usagef("demo takes no --data: what it makes is in a temporary folder. To serve your own file: finsvc serve --data FILE")
			}
			return a.demo(c.Context())
		},
	}
	a.settingFlags(c, "listen")
	return c
}

// demo makes the household when nothing can come between any more, and serves it.
func (a *app) demo(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "finsvc-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	a.config.Data = filepath.Join(dir, "finance.db")
	a.config.Backup.Every = 0
	return a.serve(ctx, a.greetDemo)
}

// greetDemo fills the household and says what to do with it. The key goes to standard output.
func (a *app) greetDemo(ctx context.Context, _ *slog.Logger, _ *db.DB, books *ledger.Ledger, addr net.Addr) error {
	who, err := fillDemo(ctx, books)
	if err != nil {
		return err
	}
	plain, _, err := books.CreateAPIKey(ctx, who, ledger.KeyInput{Name: "demo"})
	if err != nil {
		return err
	}
	url := a.curlTo(addr)
	a.say("A household with two years of made-up data is served at %s. Ask it in another terminal:\n\n"+
		"  curl -H 'X-Api-Key: %[2]s' %[1]s/api/v1/balance_sheet\n"+
		"  curl -H 'X-Api-Key: %[2]s' %[1]s/api/v1/accounts\n"+
		"  curl -H 'X-Api-Key: %[2]s' '%[1]s/api/v1/transactions?search=coffee'\n\n"+
		"Or with the commands, such as:\n\n  finsvc account list --data '%[3]s'\n\n"+
		"Ctrl-C stops it and removes the data. Its key:", url, plain, a.config.Data)
	return a.printLine(plain)
}
