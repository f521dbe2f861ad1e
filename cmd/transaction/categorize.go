package transaction

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"github.com/spf13/cobra"

	"finsvc/cmd/exit"
	"finsvc/cmd/shell"
	"finsvc/cmd/term"
	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
	"finsvc/ledger/names"
	"finsvc/ledger/rule"
)

// mostSorted is how many of the newest transactions without a category are gone through at once.
const mostSorted = 20_000

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
				groups, err := d.groups(query.Filter)
				if err != nil {
					return err
				}
				return d.categorize(groups)
			})
		},
	}
	shell.HouseholdFlag(c, &household)
	return c
}

// group is the transactions of one name and currency.
type group struct {
	name, currency string
	ids            []uuid.UUID
	newest         ledger.Date
	account        string // of the newest
	sum            money.Sum
}

// groups are what a filter selects by name, the most transactions first.
func (d *desk) groups(f entry.TransactionFilter) ([]*group, error) {
	list, total, err := d.Books.Entries.ListTransactions(d.Ctx, d.Who, f, ledger.Page{Number: 1, Size: mostSorted})
	if err != nil {
		return nil, err
	}
	if total > int64(len(list)) {
		d.Say("These are the newest %d of %d.", len(list), total)
	}
	byName, groups := map[string]*group{}, []*group{}
	for _, t := range list {
		key := ledger.Fold(t.Name) + "\x00" + t.Currency
		g := byName[key]
		if g == nil {
			g = &group{name: t.Name, currency: t.Currency, newest: ledger.Date(t.Date), account: t.Account.Name}
			byName[key] = g
			groups = append(groups, g)
		}
		g.ids = append(g.ids, uuid.UUID(t.PublicID))
		g.sum.Add(t.Amount)
	}
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(len(b.ids), len(a.ids)) })
	return groups, nil
}

// categorize asks about each group, until there is no answer any more.
func (d *desk) categorize(groups []*group) error {
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
	offered, err := d.mostUsed(all)
	if err != nil {
		return err
	}
	answers, done := d.answers(), int64(0)
	for i, g := range groups {
		d.Say("\n%d of %d: %s, %s, %s, last on %s in %s", i+1, len(groups), ledger.Quote(g.name), term.Count(int64(len(g.ids)), "transaction"),
			d.Sum(g.sum, g.currency), g.newest, g.account)
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
		out, err := d.Books.Entries.ChangeTransactions(d.Ctx, d.Who, entry.ManyChange{IDs: g.ids,
			Fields: entry.TransactionInput{CategoryID: ledger.Some(chosen.ID)}}, false)
		if err != nil {
			return err
		}
		done += out.Changed
		d.Done(out.OperationID, "%s: %s.", chosen.Name, term.Count(out.Changed, "transaction"))
		if err := d.offerRule(answers, g, chosen); err != nil {
			return err
		}
	}
	d.Say("%s categorized.", term.Count(done, "transaction"))
	return nil
}

// mostUsed are the nine categories that most transactions have.
func (d *desk) mostUsed(all []names.Name) ([]names.Name, error) {
	used := map[uuid.UUID]int64{}
	for _, c := range all {
		_, n, err := d.Books.Entries.ListTransactions(d.Ctx, d.Who, entry.TransactionFilter{CategoryIDs: []uuid.UUID{c.ID}}, ledger.Page{Number: 1, Size: 1})
		if err != nil {
			return nil, err
		}
		used[c.ID] = n
	}
	most := slices.Clone(all)
	slices.SortStableFunc(most, func(a, b names.Name) int { return cmp.Compare(used[b.ID], used[a.ID]) })
	return most[:min(9, len(most))], nil
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

// offerRule asks whether what comes under the name is to have the category as well.
func (d *desk) offerRule(answers <-chan string, g *group, chosen *names.Name) error {
	text, more, err := d.next(answers, fmt.Sprintf("A rule for what comes as %s? [y/N] ", ledger.Quote(g.name)))
	if err != nil || !more || !strings.EqualFold(text, "y") && !strings.EqualFold(text, "yes") {
		return err
	}
	r, err := d.Books.Rules.CreateRule(d.Ctx, d.Who, rule.Input{Name: ledger.Some(ledger.ClipText(g.name, 100)),
		Conditions: ledger.Some([]rule.Condition{{Type: "transaction_name", Operator: "=", Value: g.name}}),
		Actions:    ledger.Some([]rule.Action{{Type: "set_transaction_category", Value: chosen.ID.String()}})})
	if err == nil {
		d.Say("Made the rule %s. Delete it: %s", ledger.Quote(ledger.OrBlank(r.Name)), d.OnSameFile("rule", "delete", uuid.UUID(r.PublicID).String()))
	}
	return err
}
