package web

import (
	"cmp"
	"slices"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
	"finsvc/ledger/names"
	"finsvc/ledger/rule"
)

// mostSorted is how many of the newest transactions without a category are looked at.
const mostSorted = 5000

// offered is how many categories are a digit away.
const offered = 9

// sortView is the transactions of one name that have no category, and what they could have.
type sortView struct {
	Name, Currency string
	Rows           []entry.Transaction // the newest of them
	Count          int
	Sum            int64
	Left           int // names that follow
	Skip           int // names that were left as they are
	Offered        []option
	Categories     []option
}

// group is the transactions of one name and currency.
type group struct {
	rows []entry.Transaction
	sum  money.Sum
}

// groups are what has no category, by name, the most transactions first.
func (v *visit) groups() (groups []*group, err error) {
	found, err := v.site.Ledger.Searches.Read(v.Context(), v.who(), "no:category")
	if err != nil {
		return nil, err
	}
	found.Filter.Transfers = new(false)
	list, _, err := v.site.Ledger.Entries.ListTransactions(v.Context(), v.who(), found.Filter, ledger.Page{Number: 1, Size: mostSorted})
	if err != nil {
		return nil, err
	}
	byName := map[[2]string]*group{}
	for _, t := range list {
		key := [2]string{ledger.Fold(t.Name), t.Currency}
		g := byName[key]
		if g == nil {
			g = &group{}
			byName[key] = g
			groups = append(groups, g)
		}
		g.rows = append(g.rows, t)
		g.sum.Add(t.Amount)
	}
	slices.SortStableFunc(groups, func(a, b *group) int { return cmp.Compare(len(b.rows), len(a.rows)) })
	return groups, nil
}

// showSort answers GET /sort: the next name of what has no category.
func showSort(v *visit) error {
	groups, err := v.groups()
	if err != nil {
		return err
	}
	view := sortView{Skip: int(max(0, number(v.URL.Query().Get("skip"))))}
	if view.Skip < len(groups) {
		g := groups[view.Skip]
		view.Name, view.Currency, view.Count = g.rows[0].Name, g.rows[0].Currency, len(g.rows)
		view.Rows, view.Left = g.rows[:min(8, len(g.rows))], len(groups)-view.Skip-1
		view.Sum, _ = g.sum.Minor()
	}
	view.Categories, err = v.options(names.Category)
	if err != nil {
		return err
	}
	view.Offered, err = v.mostUsed(view.Categories)
	if err != nil {
		return err
	}
	return v.render("sort", "Sort", view)
}

// mostUsed are the categories that the newest transactions have most often.
func (v *visit) mostUsed(all []option) ([]option, error) {
	has := true
	list, _, err := v.site.Ledger.Entries.ListTransactions(v.Context(), v.who(),
		entry.TransactionFilter{Narrowing: entry.Narrowing{HasCategory: &has}}, ledger.Page{Number: 1, Size: 500})
	if err != nil {
		return nil, err
	}
	used := map[string]int{}
	for _, t := range list {
		if t.Category != nil {
			used[t.Category.ID.String()]++
		}
	}
	most := slices.Clone(all)
	slices.SortStableFunc(most, func(a, b option) int { return cmp.Compare(used[b.ID], used[a.ID]) })
	return most[:min(offered, len(most))], nil
}

// sortName answers POST /sort: all of a name that have no category get one, and what comes under that name as well where a
// rule was wanted.
func sortName(v *visit) error {
	f := &form{visit: v}
	category, name := f.chosen("category_id"), f.FormValue("name")
	f.problems.Require(category.Has(), "category_id", "must be chosen")
	if err := f.problems.Err(); err != nil {
		return err
	}
	groups, err := v.groups()
	if err != nil {
		return err
	}
	at := slices.IndexFunc(groups, func(g *group) bool {
		return g.rows[0].Name == name && g.rows[0].Currency == f.text("currency")
	})
	if at < 0 {
		return ledger.NewConflict("nothing that is called %s lacks a category any more", ledger.Quote(name))
	}
	change := entry.ManyChange{Fields: entry.TransactionInput{CategoryID: category}}
	for _, t := range groups[at].rows {
		change.IDs = append(change.IDs, uuid.UUID(t.PublicID))
	}
	if _, err := v.site.Ledger.Entries.ChangeTransactions(v.Context(), v.who(), change, false); err != nil {
		return err
	}
	if f.text("rule") == "true" {
		_, err := v.site.Ledger.Rules.CreateRule(v.Context(), v.who(), rule.Input{Name: ledger.Some(ledger.ClipText(name, 100)),
			Conditions: ledger.Some([]rule.Condition{{Type: "transaction_name", Operator: "=", Value: name}}),
			Actions:    ledger.Some([]rule.Action{{Type: "set_transaction_category", Value: category.Value.String()}})})
		if err != nil {
			return err
		}
	}
	return v.goOn("/sort?skip=" + f.text("skip"))
}
