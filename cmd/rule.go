package cmd

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"strconv"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
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
	shell.HouseholdFlag(c, &household)
	shell.JSONFlag(c, &asJSON)
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
			return shell.At(a.shell(), c, household, func(d *shell.Desk) error {
				out, err := d.Books.Entries.RunRules(d.Ctx, d.Who, only, dry)
				if err != nil {
					return err
				}
				if asJSON {
					return d.PrintJSON(asRuleOutcome(&out, dry))
				}
				return showRuleOutcome(d, &out, dry)
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	c.Flags().BoolVar(&dry, "dry-run", false, "change nothing and list the first changes")
	shell.JSONFlag(c, &asJSON)
	return c
}

// showRuleOutcome says what rules did, or would do.
func showRuleOutcome(d *shell.Desk, out *entry.RuleOutcome, dry bool) error {
	verb := "changed"
	if dry {
		verb = "would change"
	}
	d.Done(out.OperationID, "%s matched, %s %s.", transactionCount(out.Matched), transactionCount(out.Changed), verb)
	if len(out.Changes) == 0 {
		return nil
	}
	return d.Preview(out.Changes, out.Changed)
}

func newRuleAdd(a *app) *cobra.Command {
	var household, name, from, file string
	var dry, run, inactive, asJSON bool
	c := &cobra.Command{
		Use: "add [RULE]", Short: "Make a rule and print its id", Args: cobra.MaximumNArgs(1),
		Long: "Make a rule: conditions, an arrow, and what it does. Conditions, joined by and, are\n\n" +
			"  name contains rewe       name is \"REWE City\"      notes contains card     notes is blank\n" +
			"  amount > 50              (also >= < <= = !=)      is income               is expense, is transfer\n" +
			"  account is Everyday      category is blank        merchant is Rewe        tag is holiday\n\n" +
			"or: everything. What it does, joined by commas, is category NAME, merchant NAME, tag NAME, name TEXT and\n" +
			"transfer ACCOUNT. Names with and or a comma in them are put in double quotes. A rule in JSON, as the API has it, is\n" +
			"read from a file. With --dry-run nothing is made, and what it would change of what is there is listed; with --run it\n" +
			"is applied to that at once.",
		Example: "  finsvc rule add 'name contains rewe -> category Groceries' --dry-run\n" +
			"  finsvc rule add 'account is Everyday and amount = 12.99 -> name Music, tag subscription' --run\n" +
			"  finsvc rule add --file rule.json",
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case (file == "") == (len(args) == 0):
				return exit.Usagef("write the rule, such as 'name contains rewe -> category Groceries', or give --file FILE")
			case dry && run:
				return exit.Usagef("give --dry-run or --run, not both")
			}
			return shell.At(a.shell(), c, household, func(d *shell.Desk) error {
				in, err := readRule(d, args, file)
				if err != nil {
					return err
				}
				if name != "" {
					in.Name = ledger.Some(name)
				}
				if inactive {
					in.Active = ledger.Some(false)
				}
				in.EffectiveDate = shell.Parsed(c, &in.Problems, "from", from, ledger.ParseDate)
				if err := in.Problems.Err(); err != nil {
					return err
				}
				if dry {
					out, err := d.Books.Entries.PreviewRule(d.Ctx, d.Who, in)
					switch {
					case err != nil:
						return err
					case asJSON:
						return d.PrintJSON(asRuleOutcome(&out, true))
					}
					return showRuleOutcome(d, &out, true)
				}
				r, err := d.Books.Rules.CreateRule(d.Ctx, d.Who, in)
				if err != nil {
					return err
				}
				id := uuid.UUID(r.PublicID)
				if run {
					out, err := d.Books.Entries.RunRules(d.Ctx, d.Who, ledger.Some(id), false)
					if err != nil {
						return err
					}
					if err := showRuleOutcome(d, &out, false); err != nil {
						return err
					}
				} else {
					d.Say("The rule is for what comes. Apply it to what is there: %s", d.OnSameFile("rule", "run", id.String()))
				}
				if asJSON {
					return d.PrintJSON(asRuleJSON(r))
				}
				return d.Print(id.String())
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	flags := c.Flags()
	flags.StringVar(&name, "name", "", "what the rule is called")
	flags.StringVar(&from, "from", "", "first `DAY` whose transactions it is for (default: all)")
	flags.StringVar(&file, "file", "", "`FILE` with a rule in JSON as the API has it; - for standard input")
	flags.BoolVar(&inactive, "inactive", false, "do not apply it to what comes")
	flags.BoolVar(&dry, "dry-run", false, "make nothing and list what it would change")
	flags.BoolVar(&run, "run", false, "apply it to what is there as well")
	flags.BoolVar(&asJSON, "json", false, "print the rule, or what it would change, as JSON instead of its id")
	return c
}

// readRule reads a rule as people write it, or in JSON from a file.
func readRule(d *shell.Desk, args []string, file string) (in rule.Input, err error) {
	if len(args) > 0 {
		err = d.Books.WithRefs(d.Ctx, d.Books.DB.Read, d.Who, func(_ context.Context, tx *ledger.Tx) (err error) {
			in, err = rule.ParseText(tx.Refs, args[0])
			return err
		})
		return in, err
	}
	var source io.Reader = d.Stdin
	if file != "-" {
		f, err := os.Open(file)
		if err != nil {
			return in, err
		}
		defer f.Close()
		source = f
	}
	text, err := io.ReadAll(io.LimitReader(source, maxRuleFile))
	if err != nil {
		return in, err
	}
	return rule.ParseJSON(text)
}

// maxRuleFile is the longest file with a rule, in bytes.
const maxRuleFile = 1 << 20

func newRuleUpdate(a *app) *cobra.Command {
	var household, name, from string
	var active, inactive bool
	c := &cobra.Command{
		Use: "update ID [RULE]", Short: "Change a rule", Args: cobra.RangeArgs(1, 2),
		Long: "Change what a rule does, written as in finsvc rule add --help, or its name, its first day (an empty one: none), or\n" +
			"whether it is applied to what comes. What it has set stays.",
		Example: "  finsvc rule update 01a1fd73-b3e4-7b22-9d53-6f80a1c24e57 'name contains rewe -> category Food'\n" +
			"  finsvc rule update 01a1fd73-b3e4-7b22-9d53-6f80a1c24e57 --inactive",
		RunE: func(c *cobra.Command, args []string) error {
			only, err := ruleArgument(args)
			if err != nil {
				return err
			}
			if active && inactive {
				return exit.Usagef("give --active or --inactive, not both")
			}
			if len(args) == 1 {
				if err := shell.NeedChange(c, "name", "from", "active", "inactive"); err != nil {
					return err
				}
			}
			return shell.At(a.shell(), c, household, func(d *shell.Desk) error {
				var in rule.Input
				if len(args) == 2 {
					in, err = readRule(d, args[1:], "")
					if err != nil {
						return err
					}
				}
				in.Name = shell.Given(c, "name", name)
				if active || inactive {
					in.Active = ledger.Some(active)
				}
				in.EffectiveDate = shell.Parsed(c, &in.Problems, "from", from, ledger.ParseDate)
				if err := in.Problems.Err(); err != nil {
					return err
				}
				r, err := d.Books.Rules.UpdateRule(d.Ctx, d.Who, only.Value, in)
				if err != nil {
					return err
				}
				d.Say("Changed the rule %s.", ledger.Quote(cmp.Or(ledger.OrBlank(r.Name), args[0])))
				return nil
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	flags := c.Flags()
	flags.StringVar(&name, "name", "", "what the rule is called")
	flags.StringVar(&from, "from", "", "first `DAY` whose transactions it is for")
	flags.BoolVar(&active, "active", false, "apply it to what comes")
	flags.BoolVar(&inactive, "inactive", false, "do not apply it to what comes")
	return c
}

func newRuleDelete(a *app) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: "delete ID", Short: "Delete a rule", Args: cobra.ExactArgs(1),
		Long:    "Delete a rule. What it has set stays.",
		Example: "  finsvc rule delete 01a1fd73-b3e4-7b22-9d53-6f80a1c24e57",
		RunE: func(c *cobra.Command, args []string) error {
			only, err := ruleArgument(args)
			if err != nil {
				return err
			}
			return shell.At(a.shell(), c, household, func(d *shell.Desk) error {
				r, err := d.Books.Rules.GetRule(d.Ctx, d.Who, only.Value)
				if err != nil {
					return err
				}
				if err := d.Books.Entries.DeleteRule(d.Ctx, d.Who, only.Value); err != nil {
					return err
				}
				d.Say("Deleted the rule %s.", ledger.Quote(cmp.Or(ledger.OrBlank(r.Name), args[0])))
				return nil
			})
		},
	}
	shell.HouseholdFlag(c, &household)
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
	Preview  bool            `json:"preview"`
	Matched  int64           `json:"matched"`
	Changed  int64           `json:"changed"`
	ChangeID *string         `json:"change_id"`
	Changes  []shell.Changed `json:"changes,omitempty"`
}

func asRuleOutcome(out *entry.RuleOutcome, dry bool) ruleOutcomeJSON {
	j := ruleOutcomeJSON{Preview: dry, Matched: out.Matched, Changed: out.Changed, Changes: shell.AsChanged(out.Changes)}
	if out.OperationID != uuid.Nil {
		j.ChangeID = new(out.OperationID.String())
	}
	return j
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
