package importing

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"finsvc/importer"
)

// Cancel gives an import up, and works until it is settled where no server does that. Its end is the only progress
// that is shown: there is little to see.
func (j *Job) Cancel(ctx context.Context, id uuid.UUID) error {
	imp, err := j.Importer.Cancel(ctx, j.Who, id)
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
