package cmd

import (
	"context"
	"fmt"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/importer"
	"finsvc/ledger"
)

func newImportRevert(a *app) *cobra.Command {
	var household string
	var force, yes bool
	c := &cobra.Command{
		Use: "revert ID", Short: "Take back what an import booked", Args: cobra.ExactArgs(1),
		Long: "Take back what an import booked: its transactions, and the accounts, categories and tags that it created\n" +
			"and nothing else uses. The import is pending again. Transactions that were changed after the import are\n" +
			"listed and keep it from being reverted, unless you say --force: then they go, too.",
		Example: "  finsvc import revert 01a1fd73-afbb-7cb2-b7d0-0edff84a5395",
		RunE: func(c *cobra.Command, args []string) error {
			return a.onImport(c, household, args[0], yes, "Revert", func(j *importJob, id uuid.UUID) error { return j.revert(c.Context(), id, force) })
		},
	}
	householdFlag(c, &household)
	c.Flags().BoolVar(&force, "force", false, "remove transactions that were changed after the import, too")
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

func newImportDelete(a *app) *cobra.Command {
	var household string
	var yes bool
	c := &cobra.Command{
		Use: "delete ID", Short: "Remove an import that is pending or failed, with its file", Args: cobra.ExactArgs(1),
		Example: "  finsvc import delete 01a1fd73-afbb-7cb2-b7d0-0edff84a5395 --yes",
		RunE: func(c *cobra.Command, args []string) error {
			return a.onImport(c, household, args[0], yes, "Delete", func(j *importJob, id uuid.UUID) error {
				err := j.im.Delete(c.Context(), j.who, id)
				if err == nil {
					j.Say("Deleted import %s and its file.", id)
				}
				return err
			})
		},
	}
	householdFlag(c, &household)
	c.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return c
}

// onImport does something to one import; it asks before, unless yes is set.
func (a *app) onImport(c *cobra.Command, household, text string, yes bool, verb string, do func(j *importJob, id uuid.UUID) error) error {
	id, ok := ledger.ParseID(text)
	if !ok {
		return exit.Usagef("%s is not the id of an import; see: finsvc import list", ledger.Quote(text))
	}
	if !yes && !a.CanAsk() {
		return exit.Usagef("nobody can be asked here: say --yes")
	}
	return a.withImporter(c, household, func(j *importJob) error {
		j.flags = &importFlags{yes: yes}
		imp, err := j.im.Get(c.Context(), j.who, id)
		if err != nil {
			return err
		}
		if !yes {
			agreed, err := a.Confirm(c.Context(), fmt.Sprintf("%s the import of %s, %s?", verb, term.Dash(orBlank(imp.FileName)), term.Count(imp.ValidRowsCount, "row")))
			if err != nil || !agreed {
				return err
			}
		}
		return do(j, id)
	})
}

// revert takes an import back and says what became of it.
func (j *importJob) revert(ctx context.Context, id uuid.UUID, force bool) error {
	before, err := j.im.Made(ctx, j.who, id)
	if err != nil {
		return err
	}
	imp, err := j.im.Revert(ctx, j.who, id, force)
	if err != nil {
		j.sayEdits(err)
		return err
	}
	if imp, err = j.settle(ctx, id); err != nil {
		return err
	}
	if imp.Status != importer.StatusPending {
		return fmt.Errorf("import %s is %s", id, imp.Status)
	}
	after, err := j.im.Made(ctx, j.who, id)
	if err != nil {
		return err
	}
	j.Say("Taken back: %s. The import is pending again: publish it anew, or remove it with: finsvc import delete %s", gone(before, after), id)
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
func (j *importJob) sayEdits(err error) {
	e := ledger.AsError(err)
	if e == nil {
		return
	}
	rows, _ := e.Details["edited"].([]map[string]string) // other conflicts have none
	for _, row := range rows {
		j.Say("Changed after the import: %s  %s  %s", row["date"], row["name"], row["id"])
	}
	imports, _ := e.Details["relying_imports"].([]map[string]any)
	for _, row := range imports {
		name, _ := row["file"].(*string)
		j.Say("Left out %v of its rows: %s. Take that back first: finsvc import revert %v", row["rows"], term.Dash(orBlank(name)), row["id"])
	}
}
