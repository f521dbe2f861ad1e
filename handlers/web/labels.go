package web

import (
	"cmp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/names"
)

// labelKind is what the pages of categories, tags and merchants need to know of one of them.
type labelKind struct {
	Kind        names.Kind
	Title, Path string
	mark        string // of a search for what has one
	list        func(*visit) ([]label, error)
	save        func(v *visit, f *form, id uuid.UUID) (uuid.UUID, error) // the zero id makes one
	merge       func(v *visit, id, target uuid.UUID) error
	remove      func(v *visit, id uuid.UUID) error
}

// label is a category, a tag or a merchant, as it is or as it was typed. Below has the sub-categories of a category.
type label struct {
	ID, Name, Color, Website string
	ParentID, Classification string
	Uses, All                int64 // transactions that have it; and that have one below it
	Search                   string
	Below                    []label
	parent                   string // name
}

// labelsView is the list of a kind of labels, and what was typed of a new one.
type labelsView struct {
	labelKind
	Labels   []label
	Count    int
	New      label
	Parents  []option
	Problems formProblems
}

// labelView is one label: what it is, and what it can be merged into.
type labelView struct {
	labelKind
	label
	Parents, Others []option
	Problems        formProblems
}

// labelRoutes are the pages of all three.
func labelRoutes() (all []route) {
	for _, k := range []labelKind{categoryKind(), tagKind(), merchantKind()} {
		all = append(all,
			route{pattern: "GET " + k.Path, access: reads, handle: k.showAll},
			route{pattern: "POST " + k.Path, access: writes, handle: k.create},
			route{pattern: "GET " + k.Path + "/{id}", access: reads, handle: k.show},
			route{pattern: "POST " + k.Path + "/{id}", access: writes, handle: k.update},
			route{pattern: "POST " + k.Path + "/{id}/merge", access: writes, handle: k.mergeInto},
			route{pattern: "POST " + k.Path + "/{id}/delete", access: writes, handle: k.delete})
	}
	return all
}

func categoryKind() labelKind {
	return labelKind{Kind: names.Category, Title: "Categories", Path: "/categories", mark: "cat:",
		list: func(v *visit) (all []label, err error) {
			list, _, err := v.site.Ledger.Labels.ListCategories(v.Context(), v.who(), catalog.CategoryFilter{}, ledger.Everything())
			for _, c := range list {
				l := label{ID: uuid.UUID(c.PublicID).String(), Name: c.Name, Color: c.Color, Classification: c.Classification}
				if c.Parent != nil {
					l.ParentID, l.parent = c.Parent.ID.String(), c.Parent.Name
				}
				all = append(all, l)
			}
			return all, err
		},
		save: func(v *visit, f *form, id uuid.UUID) (uuid.UUID, error) {
			in := catalog.CategoryInput{Name: ledger.Some(f.text("name")), Color: f.color(), ParentID: f.chosen("parent_id"), Problems: f.problems}
			if kind := f.text("classification"); kind != "" && !in.ParentID.Has() {
				in.Classification = ledger.Some(kind)
			}
			if id != uuid.Nil {
				_, err := v.site.Ledger.Labels.UpdateCategory(v.Context(), v.who(), id, in)
				return id, err
			}
			c, err := v.site.Ledger.Labels.CreateCategory(v.Context(), v.who(), in)
			return uuid.UUID(c.PublicID), err
		},
		merge: func(v *visit, id, target uuid.UUID) error {
			_, err := v.site.Ledger.Labels.MergeCategory(v.Context(), v.who(), id, target)
			return err
		},
		remove: func(v *visit, id uuid.UUID) error {
			return v.site.Ledger.Labels.DeleteCategory(v.Context(), v.who(), id)
		}}
}

func tagKind() labelKind {
	return labelKind{Kind: names.Tag, Title: "Tags", Path: "/tags", mark: "#",
		list: func(v *visit) (all []label, err error) {
			list, err := v.site.Ledger.Labels.ListTags(v.Context(), v.who())
			for _, t := range list {
				all = append(all, label{ID: uuid.UUID(t.PublicID).String(), Name: t.Name, Color: t.Color})
			}
			return all, err
		},
		save: func(v *visit, f *form, id uuid.UUID) (uuid.UUID, error) {
			in := catalog.TagInput{Name: ledger.Some(f.text("name")), Color: f.color(), Problems: f.problems}
			if id != uuid.Nil {
				_, err := v.site.Ledger.Labels.UpdateTag(v.Context(), v.who(), id, in)
				return id, err
			}
			t, err := v.site.Ledger.Labels.CreateTag(v.Context(), v.who(), in)
			return uuid.UUID(t.PublicID), err
		},
		merge: func(v *visit, id, target uuid.UUID) error {
			_, err := v.site.Ledger.Labels.MergeTag(v.Context(), v.who(), id, target)
			return err
		},
		remove: func(v *visit, id uuid.UUID) error {
			return v.site.Ledger.Labels.DeleteTag(v.Context(), v.who(), id)
		}}
}

func merchantKind() labelKind {
	return labelKind{Kind: names.Merchant, Title: "Merchants", Path: "/merchants", mark: "by:",
		list: func(v *visit) (all []label, err error) {
			list, err := v.site.Ledger.Labels.ListMerchants(v.Context(), v.who())
			for _, m := range list {
				all = append(all, label{ID: uuid.UUID(m.PublicID).String(), Name: m.Name, Color: m.Color, Website: m.WebsiteUrl})
			}
			return all, err
		},
		save: func(v *visit, f *form, id uuid.UUID) (uuid.UUID, error) {
			in := catalog.MerchantInput{Name: ledger.Some(f.text("name")), Color: f.color(), Problems: f.problems}
			if f.given("website_url") {
				in.WebsiteURL = ledger.Some(f.text("website_url"))
			}
			if id != uuid.Nil {
				_, err := v.site.Ledger.Labels.UpdateMerchant(v.Context(), v.who(), id, in)
				return id, err
			}
			m, err := v.site.Ledger.Labels.CreateMerchant(v.Context(), v.who(), in)
			return uuid.UUID(m.PublicID), err
		},
		merge: func(v *visit, id, target uuid.UUID) error {
			_, err := v.site.Ledger.Labels.MergeMerchant(v.Context(), v.who(), id, target)
			return err
		},
		remove: func(v *visit, id uuid.UUID) error {
			return v.site.Ledger.Labels.DeleteMerchant(v.Context(), v.who(), id)
		}}
}

// color is a colour that was chosen or typed; absent where there is no such field.
func (f *form) color() (color ledger.Opt[string]) {
	if !f.given("color") {
		return color
	}
	text := f.text("color")
	return ledger.Opt[string]{Set: true, Value: text, Null: text == ""}
}

// Of is one of a kind in words: the category.
func (k labelKind) Of() string { return "the " + string(k.Kind) }

// read gives all labels of a kind by name, with how many transactions have each.
func (k labelKind) read(v *visit) ([]label, error) {
	all, err := k.list(v)
	if err != nil {
		return nil, err
	}
	uses, err := v.site.Ledger.Entries.CountUses(v.Context(), v.who(), ledger.Entity(k.Kind))
	if err != nil {
		return nil, err
	}
	for i := range all {
		l := &all[i]
		l.Uses = uses[uuid.MustParse(l.ID)]
		l.All, l.Search = l.Uses, named(k.mark, l.Name)
		if l.parent != "" {
			l.Search = named(k.mark, l.parent+":"+l.Name)
		}
	}
	for i := range all {
		for _, c := range all {
			if c.ParentID == all[i].ID {
				all[i].Below = append(all[i].Below, c)
				all[i].All += c.Uses
			}
		}
	}
	return all, nil
}

// parents are what a category can be put below: those that are below none.
func (k labelKind) parents(all []label, but string) (list []option) {
	if k.Kind != names.Category {
		return nil
	}
	for _, l := range all {
		if l.ParentID == "" && l.ID != but {
			list = append(list, option{ID: l.ID, Name: l.Name})
		}
	}
	return list
}

func (k labelKind) allView(v *visit) (view labelsView, err error) {
	all, err := k.read(v)
	view = labelsView{labelKind: k, Count: len(all), Parents: k.parents(all, ""), New: label{Classification: catalog.Expense}}
	for _, l := range all {
		if l.ParentID == "" {
			view.Labels = append(view.Labels, l)
		}
	}
	if k.Kind == names.Category { // what is earned comes last
		slices.SortStableFunc(view.Labels, func(a, b label) int { return cmp.Compare(a.Classification, b.Classification) })
	}
	return view, err
}

// showAll answers GET /categories, /tags and /merchants.
func (k labelKind) showAll(v *visit) error {
	view, err := k.allView(v)
	if err != nil {
		return err
	}
	return v.render("labels", k.Title, view)
}

// typed is what a form says of a label.
func (f *form) typed() label {
	return label{Name: f.text("name"), Color: f.text("color"), Website: f.text("website_url"), ParentID: f.text("parent_id"),
		Classification: f.text("classification")}
}

// create answers POST to the list of a kind.
func (k labelKind) create(v *visit) error {
	f := &form{visit: v}
	if _, failed := k.save(v, f, uuid.Nil); failed != nil {
		view, err := k.allView(v)
		if err != nil {
			return err
		}
		return v.again(failed, "labels", k.Title, func(p formProblems) any {
			view.New, view.Problems = f.typed(), p
			return view
		})
	}
	return v.goOn(k.Path)
}

// view reads one label; the pages of a kind tell of their own labels only.
func (k labelKind) view(v *visit) (view labelView, id uuid.UUID, err error) {
	what := strings.ToUpper(string(k.Kind[:1])) + string(k.Kind[1:])
	id, err = v.id(what)
	if err != nil {
		return view, id, err
	}
	all, err := k.read(v)
	if err != nil {
		return view, id, err
	}
	at := slices.IndexFunc(all, func(l label) bool { return l.ID == id.String() })
	if at < 0 {
		return view, id, ledger.NewNotFound(what)
	}
	view = labelView{labelKind: k, label: all[at], Parents: k.parents(all, id.String())}
	for _, l := range all {
		if l.ID != view.ID && l.Classification == view.Classification {
			view.Others = append(view.Others, option{ID: l.ID, Name: l.Name, Below: l.parent})
		}
	}
	return view, id, nil
}

// show answers GET of one.
func (k labelKind) show(v *visit) error {
	view, _, err := k.view(v)
	if err != nil {
		return err
	}
	return v.render("label", view.Name, view)
}

// change does something to a label, and shows its page again where that could not be done.
func (k labelKind) change(v *visit, do func(f *form, id uuid.UUID) error) error {
	view, id, err := k.view(v)
	if err != nil {
		return err
	}
	f := &form{visit: v}
	if failed := do(f, id); failed != nil {
		return v.again(failed, "label", view.Name, func(p formProblems) any {
			if f.given("name") {
				typed := f.typed()
				view.Name, view.Website, view.ParentID = typed.Name, typed.Website, typed.ParentID
				view.Color = cmp.Or(typed.Color, view.Color)
			}
			view.Problems = p
			return view
		})
	}
	return v.goOn(k.Path)
}

// update answers POST to one.
func (k labelKind) update(v *visit) error {
	return k.change(v, func(f *form, id uuid.UUID) error {
		_, err := k.save(v, f, id)
		return err
	})
}

// mergeInto answers POST to the merge of one into another.
func (k labelKind) mergeInto(v *visit) error {
	return k.change(v, func(f *form, id uuid.UUID) error {
		target := f.chosen("target_id")
		f.problems.Require(target.Has(), "target_id", "must be chosen")
		if err := f.problems.Err(); err != nil {
			return err
		}
		return k.merge(v, id, target.Value)
	})
}

// delete answers POST to the deletion of one.
func (k labelKind) delete(v *visit) error {
	return k.change(v, func(_ *form, id uuid.UUID) error { return k.remove(v, id) })
}
