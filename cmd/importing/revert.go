package importing

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"finsvc/cmd/term"
	"finsvc/importer"
	"finsvc/ledger"
)

// Revert takes an import back and says what became of it.
func (j *Job) Revert(ctx context.Context, id uuid.UUID, force bool) error {
	before, err := j.Importer.Made(ctx, j.Who, id)
	if err != nil {
		return err
	}
	imp, err := j.Importer.Revert(ctx, j.Who, id, force)
	if err != nil {
		sayEdits(j.Terminal, err)
		return err
	}
	imp, err = j.Settle(ctx, id)
	if err != nil {
		return err
	}
	if imp.Status != importer.StatusPending {
		return fmt.Errorf("import %s is %s", id, imp.Status)
	}
	after, err := j.Importer.Made(ctx, j.Who, id)
	if err != nil {
		return err
	}
	j.Say("Taken back: %s. The import is pending again: publish it anew, or remove it with: finsvc import delete %s",
		gone(before, after), id)
	if imp.Error != nil {
		j.Say("The import %s", *imp.Error)
	}
	return nil
}

// gone says what was there before and is not any more, in words.
func gone(before, after []importer.Made) string {
	left := map[string]int64{}
	for _, made := range after {
		left[made.Kind] = made.Count
	}
	var parts []string
	for _, made := range before {
		if n := made.Count - left[made.Kind]; n > 0 {
			parts = append(parts, term.Count(n, strings.ReplaceAll(made.Kind, "_", " ")))
		}
	}
	if len(parts) == 0 {
		return "nothing, as nothing of it was left"
	}
	return strings.Join(parts, ", ")
}

// sayEdits lists the transactions, and the later imports, that are in the way of a revert.
func sayEdits(t *term.Terminal, err error) {
	e := ledger.AsError(err)
	if e == nil {
		return
	}
	rows, _ := e.Details["edited"].([]map[string]string) // other conflicts have none
	for _, row := range rows {
		t.Say("Changed after the import: %s  %s  %s", row["date"], row["name"], row["id"])
	}
	imports, _ := e.Details["relying_imports"].([]map[string]any)
	for _, row := range imports {
		name, _ := row["file"].(*string)
		t.Say("Left out %v of its rows: %s. Take that back first: finsvc import revert %v", row["rows"],
			term.Dash(OrBlank(name)), row["id"])
	}
}
