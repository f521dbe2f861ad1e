package cmd

import (
	"fmt"
	"strconv"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/entry"
	"finsvc/ledger/rule"
)

// ruleJSON is a rule in JSON; its lists have the shape of the API's.
type ruleJSON struct {
	ID            string           `json:"id"`
	Name          *string          `json:"name"`
	ResourceType  string           `json:"resource_type"`
	Active        bool             `json:"active"`
	EffectiveDate *string          `json:"effective_date"`
	Conditions    []rule.Condition `json:"conditions"`
	Actions       []rule.Action    `json:"actions"`
}

func asRuleJSON(r rule.Rule) ruleJSON {
	j := ruleJSON{ID: uuid.UUID(r.PublicID).String(), Name: r.Name, ResourceType: r.ResourceType, Active: r.Active == 1,
		Conditions: r.Conditions, Actions: r.Actions}
	if r.EffectiveDate != nil {
		j.EffectiveDate = new(ledger.Date(*r.EffectiveDate).String())
	}
	return j
}

func newRuleList(a *app) *cobra.Command {
	var household string
	var asJSON bool
	c := &cobra.Command{
		Use: "list", Short: "List the rules in the order in which they run", Args: cobra.NoArgs,
		Example: "  finsvc rule list",
		RunE: func(c *cobra.Command, _ []string) error {
			return a.inHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				list, _, err := l.Rules.ListRules(c.Context(), who, rule.Filter{}, everyRow())
				if err != nil {
					return err
				}
				if asJSON {
					rows := []ruleJSON{}
					for _, r := range list {
						rows = append(rows, asRuleJSON(r))
					}
					return a.PrintJSON(rows)
				}
				return term.PrintTable(&a.Terminal, term.Columns("name", "active", "from", "#conditions", "#actions",
					"id"), list,
					func(r rule.Rule) []string {
						name, active, from := "-", "no", "-"
						if r.Name != nil {
							name = *r.Name
						}
						if r.Active == 1 {
							active = "yes"
						}
						if r.EffectiveDate != nil {
							from = ledger.Date(*r.EffectiveDate).String()
						}
						return []string{name, active, from, strconv.Itoa(len(r.Conditions)),
							strconv.Itoa(len(r.Actions)),
							uuid.UUID(r.PublicID).String()}
					})
			})
		},
	}
	householdFlag(c, &household)
	jsonFlag(c, &asJSON)
	return c
}

func newRuleRun(a *app) *cobra.Command {
	var household string
	var dry, asJSON bool
	c := &cobra.Command{
		Use: "run [ID]", Short: "Apply the rules to the transactions that are there", Args: cobra.MaximumNArgs(1),
		Long: "Apply one rule, be it active or not, or all active ones, to the transactions that are there. What a person\n" +
			"or a file has set stays. With --dry-run nothing is changed, and the first changes are listed.",
		Example: "  finsvc rule run --dry-run",
		RunE: func(c *cobra.Command, args []string) error {
			only, err := ruleArgument(args)
			if err != nil {
				return err
			}
			return a.inHousehold(c, household, func(l *books.Books, who ledger.Actor) error {
				out, err := l.Entries.RunRules(c.Context(), who, only, dry)
				if err != nil {
					return err
				}
				if asJSON {
					j := ruleOutcomeJSON{Preview: dry, Matched: out.Matched, Changed: out.Changed}
					for _, c := range out.Changes {
						j.Changes = append(j.Changes, ruleChangeJSON{c.TransactionID.String(), c.Field.String(),
							c.Before, c.After})
					}
					return a.PrintJSON(j)
				}
				verb := "changed"
				if dry {
					verb = "would change"
				}
				a.Say("%s matched, %s %s.", transactionCount(out.Matched), transactionCount(out.Changed), verb)
				if len(out.Changes) == 0 {
					return nil
				}
				return term.PrintTable(&a.Terminal, term.Columns("field", "before", "after", "transaction"),
					out.Changes,
					func(c entry.RuleChange) []string {
						return []string{c.Field.String(), orDash(c.Before), orDash(c.After), c.TransactionID.String()}
					})
			})
		},
	}
	householdFlag(c, &household)
	c.Flags().BoolVar(&dry, "dry-run", false, "change nothing and list the first changes")
	jsonFlag(c, &asJSON)
	return c
}

func ruleArgument(args []string) (only ledger.Opt[uuid.UUID], err error) {
	if len(args) == 0 {
		return only, nil
	}
	id, ok := ledger.ParseID(args[0])
	if !ok {
		return only, exit.Usagef("ID must be the id of a rule, see finsvc rule list; got %s", ledger.Quote(args[0]))
	}
	return ledger.Some(id), nil
}

// ruleOutcomeJSON is what a run did, or would do, in JSON.
type ruleOutcomeJSON struct {
	Preview bool             `json:"preview"`
	Matched int64            `json:"matched"`
	Changed int64            `json:"changed"`
	Changes []ruleChangeJSON `json:"changes,omitempty"`
}

type ruleChangeJSON struct {
	TransactionID string  `json:"transaction_id"`
	Field         string  `json:"field"`
	Before        *string `json:"before"`
	After         *string `json:"after"`
}

func transactionCount(n int64) string {
	if n == 1 {
		return "1 transaction"
	}
	return fmt.Sprintf("%d transactions", n)
}

func orDash(text *string) string {
	if text == nil {
		return "-"
	}
	return *text
}
