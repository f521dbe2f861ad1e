package cmd

import (
	"errors"

	"github.com/spf13/cobra"
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
			if err := a.needFile(); err != nil && checkPlace(a.config.Data) == nil {
				return err
			}
			x := &examination{config: &a.config, env: a.env, now: a.now, copies: a.copies(), version: version(), warn: a.Say, migrations: a.migrations}
			if asJSON {
				x.tell = func(finding) {}
				x.run(c.Context())
				return errors.Join(a.PrintJSON(x.findings), x.verdict())
			}
			p := findingPrinter{Terminal: &a.Terminal, verbose: verbose}
			x.tell = p.print
			x.run(c.Context())
			return errors.Join(p.end(x.findings), x.verdict())
		},
	}
	jsonFlag(c, &asJSON)
	c.Flags().BoolVar(&verbose, "verbose", false, "all details")
	a.config.addFlags(c.Flags(), "listen")
	return c
}
