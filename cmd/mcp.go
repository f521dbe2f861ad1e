package cmd

import (
	"context"
	"errors"
	"io"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"finsvc/assistant/mcp"
	"finsvc/cmd/shell"
	"finsvc/db"
	"finsvc/ledger/books"
)

func newMCP(a *app) *cobra.Command {
	var household string
	var write bool
	c := &cobra.Command{
		Use: "mcp", Short: "Let a desktop assistant ask about the books, on standard input and output", Args: cobra.NoArgs,
		Long: "Speak the Model Context Protocol on standard input and output, until the input ends: desktop assistants start this\n" +
			"command and put what they are asked to it. They read; with --write they also add, change, import and take back\n" +
			"transactions, which the history shows. A server speaks it over HTTP: finsvc serve --mcp\n\nMore: finsvc help assistant",
		Example: "  finsvc mcp --data /srv/finance.db\n  finsvc mcp --write",
		RunE: func(c *cobra.Command, _ []string) error {
			limitMemory(a.env)
			return a.withDatabase(c.Context(), func(database *db.DB, books *books.Books) error {
				home, err := chooseHousehold(c.Context(), books, household)
				if err != nil {
					return err
				}
				im := newImporter(a, database, books)
				server := mcp.New(mcp.Options{Ledger: books, Importer: im, Version: version(), Write: write}).Server(actor(home.ID), true)
				ctx, stop := context.WithCancel(c.Context())
				var worker sync.WaitGroup
				if write {
					worker.Go(func() { _ = im.Run(db.Background(ctx)) }) // what it cannot do it logs
				}
				err = server.Run(ctx, &sdk.IOTransport{Reader: io.NopCloser(a.Stdin), Writer: unclosed{a.Stdout}})
				stop()
				worker.Wait()
				if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) && c.Context().Err() != nil {
					return nil
				}
				return err
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	c.Flags().BoolVar(&write, "write", false, "let it add, change, import and take back transactions as well")
	return c
}

// unclosed is a writer that stays open.
type unclosed struct{ io.Writer }

// Close makes it an [io.WriteCloser].
func (unclosed) Close() error { return nil }
