package web

import (
	"slices"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/names"
)

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

// groups are what has no category, by name, the most transactions first.
func (v *visit) groups() ([]*entry.NameGroup, error) {
	none := entry.TransactionFilter{Transfers: new(false)}
	none.HasCategory = new(false)
	groups, _, err := v.site.Ledger.Entries.GroupByName(v.Context(), v.who(), none)
	return groups, err
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
		view.Name, view.Currency, view.Count = g.Name, g.Currency, len(g.Rows)
		view.Rows, view.Left = g.Rows[:min(8, len(g.Rows))], len(groups)-view.Skip-1
		view.Sum, _ = g.Sum.Minor()
	}
	view.Categories, err = v.options(names.Category)
	if err != nil {
		return err
	}
	all, err := v.site.Ledger.Names.List(v.Context(), v.who(), names.Category)
	if err != nil {
		return err
	}
	uses, err := v.site.Ledger.Entries.CountUses(v.Context(), v.who(), ledger.EntityCategory)
	if err != nil {
		return err
	}
	for _, n := range names.MostUsed(all, uses, names.Offered) {
		view.Offered = append(view.Offered, option{ID: n.ID.String(), Name: n.Name})
	}
	return v.render("sort", "Sort", view)
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
	at := slices.IndexFunc(groups, func(g *entry.NameGroup) bool {
		return g.Name == name && g.Currency == f.text("currency")
	})
	if at < 0 {
		return ledger.NewConflict("nothing that is called %s lacks a category any more", ledger.Quote(name))
	}
	if _, err := v.site.Ledger.Entries.Categorize(v.Context(), v.who(), groups[at], category.Value, f.text("rule") == "true"); err != nil {
		return err
	}
	return v.goOn("/sort?skip=" + f.text("skip"))
}
