package cmd

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"finsvc/cmd/term"
	"finsvc/importer"
)

// ruleAll says the same of all rows of an import that may be booked already.
func (j *importJob) ruleAll(ctx context.Context, id uuid.UUID, ruling string) error {
	n, err := j.im.RuleAll(ctx, j.who, id, ruling)
	if err != nil {
		return err
	}
	imp, err := j.im.Get(ctx, j.who, id)
	switch {
	case err != nil:
		return err
	case n == 0:
		j.Say("No row of this import may be booked already.")
	case imp.Status == importer.StatusComplete && ruling == importer.RulingNew:
		j.Say("Booked %s that had been held back.", term.Count(n, "row"))
	default:
		j.Say("Said of %s: %s.", term.Count(n, "row"), ruling)
	}
	if imp.DoubtfulRowsCount > 0 {
		j.Say("Still held back: %s, for what they were found to be is gone. Book them with: finsvc import rule %s --all new", term.Count(imp.DoubtfulRowsCount, "row"), id)
	}
	return nil
}

// kept says how to go on with an import that was stored and not published.
func (j *importJob) kept(id uuid.UUID) error {
	j.Say("Kept as pending. See its rows with: finsvc import show %s --rows; book it with: finsvc import publish %s", id, id)
	_, err := fmt.Fprintln(j.Stdout, id)
	return err
}
