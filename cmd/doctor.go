package cmd

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/spf13/cobra"

	"finsvc/cmd/doctor"
	"finsvc/cmd/listen"
	"finsvc/cmd/lock"
	"finsvc/cmd/shell"
)

func newDoctor(a *app) *cobra.Command {
	var asJSON, verbose bool
	c := &cobra.Command{
		Use: "doctor", Short: "Examine the database, the backups and what they lie on", Args: cobra.NoArgs,
		Long: "Prove that the file is sound and that its books add up, and look for what is missing, old or dangerous:\n" +
			"rates, prices, silent accounts, backups, room on the disk, the clock, who may read the files, where the\n" +
			"program connects to. A line each: ok, warn or fail. Nothing is changed; a server may run on the file.\n\n" +
			"The exit status is 1 when a check failed, and 0 when there are warnings only.\n\nMore: finsvc help backups",
		Example: "  finsvc doctor\n  finsvc doctor --verbose\n  finsvc doctor --json",
		RunE: func(c *cobra.Command, _ []string) error {
			if err := a.needFile(); err != nil && lock.CheckPlace(a.config.Data) == nil {
				return err
			}
			x := &doctor.Examination{Config: &a.config, Env: a.env, Now: a.now, Copies: a.copies(), Version: version(),
				Warn: a.Say, Migrations: a.migrations}
			if asJSON {
				x.Tell = func(doctor.Finding) {}
				x.Run(c.Context())
				return errors.Join(a.PrintJSON(x.Findings), x.Err())
			}
			p := doctor.FindingPrinter{Terminal: &a.Terminal, Verbose: verbose}
			x.Tell = p.Show
			x.Run(c.Context())
			return errors.Join(p.End(x.Findings), x.Err())
		},
	}
	shell.JSONFlag(c, &asJSON)
	c.Flags().BoolVar(&verbose, "verbose", false, "all details")
	a.config.AddFlags(c.Flags(), "listen")
	return c
}

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
