package importing

import (
	"context"

	"github.com/google/uuid"

	"finsvc/cmd/term"
	"finsvc/importer"
	"finsvc/importer/match"
)

// DecideAll says the same of all rows of an import that may be booked already.
func (j *Job) DecideAll(ctx context.Context, id uuid.UUID, decision string) error {
	n, err := j.Importer.DecideAll(ctx, j.Who, id, decision)
	if err != nil {
		return err
	}
	imp, err := j.Importer.Get(ctx, j.Who, id)
	switch {
	case err != nil:
		return err
	case n == 0:
		j.Say("No row of this import may be booked already.")
	case imp.Status == importer.StatusComplete && decision == match.DecisionNew:
		j.Say("Booked %s that had been held back.", term.Count(n, "row"))
	default:
		j.Say("Said of %s: %s.", term.Count(n, "row"), decision)
	}
	if imp.DoubtfulRowsCount > 0 {
		j.Say("Still held back: %s, for what they were found to be is gone. Book them with: finsvc import rule %s --all new", term.Count(imp.DoubtfulRowsCount, "row"), id)
	}
	return nil
}
