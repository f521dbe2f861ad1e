package cmd

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/importer"
	"finsvc/ledger"
)

func newImportCancel(a *app) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: "cancel ID", Short: "Give up an import that is importing", Args: cobra.ExactArgs(1),
		Long: "Give up an import that is being published, or waits for that: what was written is taken back, nothing is\n" +
			"booked, and the import is pending again.",
		Example: "  finsvc import cancel 01a1fd73-afbb-7cb2-b7d0-0edff84a5395",
		RunE: func(c *cobra.Command, args []string) error {
			id, ok := ledger.ParseID(args[0])
			if !ok {
				return exit.Usagef("%s is not the id of an import; see: finsvc import list", ledger.Quote(args[0]))
			}
			return a.withImporter(c, household, func(j *importJob) error { return j.cancel(c.Context(), id) })
		},
	}
	householdFlag(c, &household)
	return c
}

// cancel gives an import up, and works until it is settled where no server does that. Its end is the only progress
// that is shown: there is little to see.
func (j *importJob) cancel(ctx context.Context, id uuid.UUID) error {
	imp, err := j.im.Cancel(ctx, j.who, id)
	if err == nil && imp.Status == importer.StatusImporting {
		imp, err = j.work(ctx, id)
	}
	if err != nil && ctx.Err() != nil {
		j.Say("Import %s is to be given up, but not yet: a server that runs on this file does it, else the next start of one or the next command on imports.", id)
	}
	if err != nil {
		return err
	}
	if imp.Status != importer.StatusPending {
		return fmt.Errorf("import %s is %s", id, imp.Status)
	}
	j.Say("Cancelled. The import is pending again: remove it with: finsvc import delete %s", id)
	return nil
}
