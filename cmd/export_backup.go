package cmd

import (
	"io"

	"github.com/spf13/cobra"

	"finsvc/ledger"
)

func newExportBackup(a *app) *cobra.Command {
	var f exportFlags
	c := &cobra.Command{
		Use: "ndjson", Short: "Write a household as lines of JSON that can be imported again", Args: cobra.NoArgs,
		Long: "Write the whole household as lines of JSON, one record each. The type of import ServiceImport reads them back\n" +
			"without loss. Exchange rates belong to no household and are not among them. For a copy of the whole file, with\n" +
			"keys and imports, copy the database.",
		Example: "  finsvc export ndjson -o home.ndjson\n" +
			"  finsvc import home.ndjson --type ServiceImport --data other.db",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.inHousehold(c, f.household, func(l *ledger.Ledger, who ledger.Actor) error {
				return a.writeOut(f.output, f.force, func(w io.Writer) error {
					n, err := l.WriteBackup(c.Context(), who, w)
					if err == nil && f.output != "" {
						a.say("Wrote %s to %s.", count(n, "record"), f.output)
					}
					return err
				})
			})
		},
	}
	f.add(c)
	return c
}
