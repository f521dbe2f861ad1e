package cmd

import (
	"context"
	"io"

	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/ledger"
)

func newExportBackup(a *app) *cobra.Command {
	var f exportFlags
	var canonical bool
	c := &cobra.Command{
		Use: "ndjson", Short: "Write a household as lines of JSON that can be imported again", Args: cobra.NoArgs,
		Long: "Write the whole household as lines of JSON, one record each. The type of import ServiceImport reads them back\n" +
			"without loss. Exchange rates belong to no household and are not among them. For a copy of the whole file, with\n" +
			"keys, chats and imports, make a backup.\n\n" +
			"With --canonical ids are numbers in the order in which they are first named, and instants are left out: then\n" +
			"the same books always give the same bytes, whatever file they lie in, and two texts can be compared.",
		Example: "  finsvc export ndjson -o home.ndjson --verify\n" +
			"  finsvc import home.ndjson --type ServiceImport --data other.db\n" +
			"  finsvc export ndjson --canonical | sha256sum",
		RunE: func(c *cobra.Command, _ []string) error {
			if canonical && f.verify {
				return exit.Usagef("--canonical has no ids by which accounts could be found again; verify the text without it")
			}
			return writeExport(a, c, f, export{
				write: func(ctx context.Context, s *ledger.Snapshot, w io.Writer) (string, error) {
					write := s.Backup
					if canonical {
						write = s.CanonicalBackup
					}
					n, err := write(ctx, w)
					return term.Count(n, "record"), err
				},
				read: func(ctx context.Context, s *ledger.Snapshot, text *io.SectionReader) (*recount, error) {
					rates, err := s.Rates(ctx)
					if err != nil {
						return nil, err
					}
					return readRecords(text, rates)
				},
			})
		},
	}
	f.add(c)
	c.Flags().BoolVar(&canonical, "canonical", false, "number the ids and leave out instants, so that the same books give the same bytes")
	return c
}
