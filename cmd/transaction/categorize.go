package transaction

import (
	"bufio"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/names"
)

// NewCategorize is the command that gives categories to what has none, name by name.
func NewCategorize(sh shell.Shell) *cobra.Command {
	var household string
	c := &cobra.Command{
		Use: "categorize [SEARCH]", Short: "Go through what has no category, name by name", Args: cobra.ArbitraryArgs,
		Long: "Go through the transactions without a category, those of one name at a time, the most of them first: a digit or a\n" +
			"name picks the category, Enter goes on, q ends. A rule for what comes is offered. Transfers are left out.",
		Example: "  finsvc categorize\n  finsvc categorize '@everyday last month'",
		RunE: func(c *cobra.Command, args []string) error {
			return at(sh, c, household, func(d *desk) error {
				query, err := d.Books.Searches.Read(d.Ctx, d.Who, strings.Join(args, " "))
				if err != nil {
					return err
				}
				if err := query.Err("the search"); err != nil {
					return err
				}
				if query.Filter.HasCategory != nil || query.Filter.Transfers != nil && *query.Filter.Transfers {
					return exit.Usagef("the search is of what has no category and is no transfer: leave no:category and is:transfer out")
				}
				query.Filter.HasCategory, query.Filter.Transfers = new(false), new(false)
				groups, total, err := d.Books.Entries.GroupByName(d.Ctx, d.Who, query.Filter)
				if err != nil {
					return err
				}
				if total > entry.MostGrouped {
					d.Say("These are the newest %d of %d.", entry.MostGrouped, total)
				}
				return d.categorize(groups)
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	return c
}

// categorize asks about each group, until there is no answer any more.
func (d *desk) categorize(groups []*entry.NameGroup) error {
	all, err := d.Books.Names.List(d.Ctx, d.Who, names.Category)
	switch {
	case err != nil:
		return err
	case len(groups) == 0:
		d.Say("Everything has a category.")
		return nil
	case len(all) == 0:
		return exit.Usagef("there are no categories yet. Make one: finsvc category create NAME")
	}
	uses, err := d.Books.Entries.CountUses(d.Ctx, d.Who, ledger.EntityCategory)
	if err != nil {
		return err
	}
	offered := names.MostUsed(all, uses, names.Offered)
	answers, done := d.answers(), int64(0)
	for i, g := range groups {
		d.Say("\n%d of %d: %s, %s, %s, last on %s in %s", i+1, len(groups), ledger.Quote(g.Name), term.Count(int64(len(g.Rows)), "transaction"),
			d.Sum(g.Sum, g.Currency), ledger.Date(g.Rows[0].Date), g.Rows[0].Account.Name)
		var line strings.Builder
		for n, c := range offered {
			fmt.Fprintf(&line, "  %d %s", n+1, c.Name)
		}
		d.Say("%s", line.String())
		chosen, more, err := d.pick(answers, all, offered)
		if err != nil || !more {
			d.Say("%s categorized.", term.Count(done, "transaction"))
			return err
		}
		if chosen == nil {
			continue
		}
		rule, more, err := d.next(answers, "A rule: what comes under this name gets it as well? [y/N] ")
		if err != nil {
			return err
		}
		withRule := more && (strings.EqualFold(rule, "y") || strings.EqualFold(rule, "yes"))
		out, err := d.Books.Entries.Categorize(d.Ctx, d.Who, g, chosen.ID, withRule)
		if err != nil {
			return err
		}
		done += out.Changed
		d.Done(out.OperationID, "%s: %s%s.", chosen.Name, term.Count(out.Changed, "transaction"), map[bool]string{true: ", and a rule"}[withRule])
	}
	d.Say("%s categorized.", term.Count(done, "transaction"))
	return nil
}

// answers are the lines that are typed; the channel is closed at their end.
func (d *desk) answers() <-chan string {
	lines := make(chan string)
	go func() {
		defer close(lines)
		for scanner := bufio.NewScanner(d.Stdin); scanner.Scan(); {
			select {
			case lines <- strings.TrimSpace(scanner.Text()):
			case <-d.Ctx.Done():
				return
			}
		}
	}()
	return lines
}

// next is the next answer; there is none at the end of them.
func (d *desk) next(answers <-chan string, question string) (text string, more bool, err error) {
	fmt.Fprint(d.Stderr, question)
	select {
	case text, more = <-answers:
		return text, more, nil
	case <-d.Ctx.Done():
		return "", false, context.Cause(d.Ctx)
	}
}

// pick is the category that is answered, nil where the group is to be left; more is false at the end.
func (d *desk) pick(answers <-chan string, all, offered []names.Name) (chosen *names.Name, more bool, err error) {
	for {
		text, more, err := d.next(answers, "Category: ")
		if err != nil || !more || strings.EqualFold(text, "q") {
			return nil, false, err
		}
		if text == "" {
			return nil, true, nil
		}
		if n, err := strconv.Atoi(text); err == nil && n >= 1 && n <= len(offered) {
			return &offered[n-1], true, nil
		}
		found := names.Beginning(all, text)
		if len(found) == 1 {
			return &found[0], true, nil
		}
		var called []string
		for _, f := range found {
			called = append(called, f.Name)
		}
		if len(found) == 0 {
			d.Say("There is no category %s%s", ledger.Quote(text), names.Nearest(all, text))
		} else {
			d.Say("%s may be %s", ledger.Quote(text), strings.Join(called, ", "))
		}
	}
}
