// Package history is the commands that show what was done to the books and take it back.
package history

import (
	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/history"
)

// New are the commands.
func New(sh shell.Shell) *cobra.Command {
	return shell.Group("history", "Show what was done to the books, and take it back", newList(sh), newUndo(sh))
}

// operationJSON is an entry of the history in JSON, as the API has it but for the counts.
type operationJSON struct {
	ID        string  `json:"id"`
	Summary   string  `json:"summary"`
	Origin    string  `json:"origin"`
	User      string  `json:"user"`
	APIKey    string  `json:"api_key"`
	Undoable  bool    `json:"undoable"`
	Reason    string  `json:"reason"`
	CreatedAt *string `json:"created_at"`
}

func newList(sh shell.Shell) *cobra.Command {
	var household string
	var asJSON bool
	var limit int
	c := &cobra.Command{
		Use: "list", Short: "List what was done, newest first", Args: cobra.NoArgs,
		Long: "List what was done to the household's books, newest first: one line for each request of a program, command\n" +
			"or run of rules, whatever it changed. What can be taken back is taken back by: finsvc history undo ID",
		Example: "  finsvc history list\n  finsvc history list --limit 200 --json",
		RunE: func(c *cobra.Command, _ []string) error {
			if limit < 1 {
				return exit.Usagef("--limit must be 1 or more, got %d", limit)
			}
			return sh.InHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				list, more, err := l.History.List(c.Context(), who, ledger.Page{Number: 1, Size: limit})
				if err != nil {
					return err
				}
				if more {
					sh.Say("These are the newest %d. More: --limit %d", limit, 4*limit)
				}
				if asJSON {
					rows := []operationJSON{}
					for _, o := range list {
						rows = append(rows, operationJSON{o.ID.String(), o.Summary(), string(o.Origin), o.User, o.Key, o.Fixed == "",
							o.Fixed, term.Stamp(o.At)})
					}
					return sh.PrintJSON(rows)
				}
				return term.PrintTable(sh.Terminal, term.Columns("when", "what", "from", "who", "undo", "id"), list,
					func(o history.Operation) []string {
						undo := "yes"
						if o.Fixed != "" {
							undo = "no"
						}
						return []string{term.Moment(o.At), o.Summary(), string(o.Origin), term.Dash(o.User),
							undo, o.ID.String()}
					})
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
	c.Flags().IntVar(&limit, "limit", 25, "how many at most")
	return c
}

func newUndo(sh shell.Shell) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: "undo ID", Short: "Take back what was done at once", Args: cobra.ExactArgs(1),
		Long: "Take back what one entry of the history did, wholly or not at all. Where something has been changed since, that\n" +
			"is said and nothing is changed. To take it back is an entry of the history as well, and can be taken back.",
		Example: "  finsvc history list\n  finsvc history undo 01a20aad-3851-7407-8b5f-067685e5286f",
		RunE: func(c *cobra.Command, args []string) error {
			id, err := uuid.Parse(args[0])
			if err != nil {
				return exit.Usagef("%s is no id of the history. The ids: finsvc history list", ledger.Quote(args[0]))
			}
			return sh.InHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				before, err := l.History.Get(c.Context(), who, id)
				if err != nil {
					return err
				}
				undone, err := l.History.Undo(c.Context(), who, id)
				if err != nil {
					return err
				}
				sh.Say("Taken back: %s. Do it again: %s", before.Summary(),
					sh.OnSameFile("history", "undo", uuid.UUID(undone).String()))
				return nil
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	return c
}
