package cmd

import (
	"errors"

	"github.com/spf13/cobra"

	"finsvc/cmd/doctor"
	"finsvc/cmd/lock"
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
	jsonFlag(c, &asJSON)
	c.Flags().BoolVar(&verbose, "verbose", false, "all details")
	a.config.AddFlags(c.Flags(), "listen")
	return c
}
