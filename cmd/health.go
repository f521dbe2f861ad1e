package cmd

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"finsvc/cmd/listen"
)

func newHealth(a *app) *cobra.Command {
	c := &cobra.Command{
		Use: "health", Short: "Ask the running server whether it is well", Args: cobra.NoArgs,
		Long: "Ask the server that listens at the address of the settings whether it and its database answer, and print ok;\n" +
			"exit status 1 when it does not within three seconds. It needs no key and does not look at the database file:\n" +
			"it is for the health check of a container.",
		Example: "  finsvc health\n  finsvc health --listen :8080",
		RunE: func(c *cobra.Command, _ []string) error {
			if err := checkHealth(c.Context(), a); err != nil {
				return err
			}
			return a.Print("ok")
		},
	}
	a.config.AddFlags(c.Flags(), "listen")
	return c
}

// checkHealth asks the server at the address of the settings.
func checkHealth(ctx context.Context, a *app) error {
	ctx, cancel := context.WithTimeout(ctx, listen.Patience)
	defer cancel()
	got, err := listen.AskHealth(ctx, listen.SiteOf(&a.config.Network), a.config.Listen)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("the server at %s did not answer within %s", a.config.Listen, listen.Patience)
	case err != nil:
		// The cause is told, not passed on: a server that cannot be reached is neither a missing file nor a missing
		// right.
		return fmt.Errorf("no server answers at %s: %s. Is it running there? Another address: --listen",
			a.config.Listen, err)
	case got.Code != http.StatusOK:
		return fmt.Errorf("the server at %s is not well: status %d, %s", a.config.Listen, got.Code, got.Message)
	}
	return nil
}
