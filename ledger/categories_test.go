package ledger_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

func (b *books) newCategory(in ledger.CategoryInput) ledger.Category {
	b.tb.Helper()
	c, err := b.CreateCategory(b.ctx(), b.who, in)
	if err != nil {
		b.tb.Fatal(err)
	}
	return c
}

func categoryNamed(name string) ledger.CategoryInput {
	return ledger.CategoryInput{Name: ledger.Some(name)}
}

func below(parent ledger.Category, name string) ledger.CategoryInput {
	return ledger.CategoryInput{Name: ledger.Some(name), ParentID: ledger.Some(uuid.UUID(parent.PublicID))}
}

func idOf(c ledger.Category) uuid.UUID { return uuid.UUID(c.PublicID) }

func TestCategoryDefaults(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	for name, icon := range map[string]string{
		"Weekly groceries": "shopping-bag", "CAFÉ": "coffee", "Paycheck": "circle-dollar-sign", "Gas station": "fuel", "Hairdresser": "scissors",
		"Credit card": "car", "Vet": "paw-print", "Tax": "landmark", "Odds and ends": "shapes", "Rent": "home", "School": "graduation-cap",
	} {
		c := b.newCategory(categoryNamed(name))
		if c.Icon != icon || c.Classification != "expense" || c.Parent != nil || c.Subcategories != 0 || len(c.Color) != 7 || c.Color[0] != '#' {
			t.Errorf("%s: got %+v", name, c)
		}
	}
	in := ledger.CategoryInput{Name: ledger.Some(" Wages "), Classification: ledger.Some("income"), Color: ledger.Some("#ABCDEF"), Icon: ledger.Some("gem")}
	wages := b.newCategory(in)
	if wages.Name != "Wages" || wages.Classification != "income" || wages.Color != "#abcdef" || wages.Icon != "gem" {
		t.Errorf("got %+v", wages)
	}
	child := below(wages, "Bonus")
	child.Color = ledger.Some("#000000")
	bonus := b.newCategory(child)
	if bonus.Classification != "income" || bonus.Color != "#abcdef" || bonus.Parent == nil || *bonus.Parent != (ledger.CategoryParent{ID: idOf(wages), Name: "Wages", Classification: "income", Color: "#abcdef", Icon: "gem"}) {
		t.Errorf("got %+v", bonus)
	}
	if got, err := b.GetCategory(b.ctx(), b.who, idOf(wages)); err != nil || got.Subcategories != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestCategoryNamesEveryProblem(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	root := b.newCategory(categoryNamed("Food"))
	child := b.newCategory(below(root, "Snacks"))
	b.newCategory(categoryNamed("Snacks")) // the same name on the other level
	foreign, err := b.CreateCategory(b.ctx(), b.household("Other"), categoryNamed("Theirs"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		in   ledger.CategoryInput
		want []string
	}{
		"all at once": {ledger.CategoryInput{Classification: ledger.Some("both"), Color: ledger.Some("red"), Icon: ledger.Some("Shopping Bag"), ParentID: ledger.Some(uuid.Nil)},
			[]string{"name is required", `classification must be income or expense, got "both"`, `color must be a colour such as #4da568, got "red"`,
				"icon must be the name of an icon", "parent_id is not the id of one of the household's own categories: 00000000-"}},
		"taken":                  {categoryNamed(" fOOd "), []string{`name is taken: another category without a parent is named "fOOd"`}},
		"taken below":            {below(root, "SNACKS"), []string{"name is taken: another sub-category of the same parent"}},
		"third level":            {below(child, "Crisps"), []string{"parent_id must be a category without a parent", `"Snacks" is below "Food"`}},
		"another household's":    {below(foreign, "Mine"), []string{"parent_id is not the id"}},
		"unlike its parent":      {ledger.CategoryInput{Name: ledger.Some("X"), Classification: ledger.Some("income"), ParentID: ledger.Some(idOf(root))}, []string{"classification must be that of the parent, expense, got income"}},
		"colour of five digits":  {ledger.CategoryInput{Name: ledger.Some("X"), Color: ledger.Some("#12345")}, []string{"color must be"}},
		"colour with a letter g": {ledger.CategoryInput{Name: ledger.Some("X"), Color: ledger.Some("#12345g")}, []string{"color must be"}},
		"blank colour":           {ledger.CategoryInput{Name: ledger.Some("X"), Color: ledger.Some("")}, []string{"color must be"}},
		"long name":              {categoryNamed(strings.Repeat("x", 256)), []string{"name must have at most 255 characters, has 256"}},
		"control character":      {categoryNamed("a\x7fb"), []string{"name must not contain control characters, has U+007F"}},
	} {
		_, err := b.CreateCategory(b.ctx(), b.who, c.in)
		if !ledger.IsKind(err, ledger.Invalid) {
			t.Errorf("%s: got %v", name, err)
			continue
		}
		refused(t, err, ledger.Invalid, c.want...)
	}
}

func TestCategoryUpdate(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	food, home := b.newCategory(categoryNamed("Food")), b.newCategory(categoryNamed("Home"))
	snacks := b.newCategory(below(food, "Snacks"))
	update := func(c ledger.Category, in ledger.CategoryInput) ledger.Category {
		t.Helper()
		got, err := b.UpdateCategory(b.ctx(), b.who, idOf(c), in)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := update(food, ledger.CategoryInput{Name: ledger.Some("Food")}); got.UpdatedAt != food.UpdatedAt {
		t.Error("a change of nothing moved updated_at")
	}
	got := update(food, ledger.CategoryInput{Name: ledger.Some("Eating"), Classification: ledger.Some("income"), Color: ledger.Some("#010203"), Icon: ledger.Some("apple")})
	if got.Name != "Eating" || got.Icon != "apple" || got.Subcategories != 1 || got.UpdatedAt <= food.UpdatedAt {
		t.Errorf("got %+v", got)
	}
	child, err := b.GetCategory(b.ctx(), b.who, idOf(snacks))
	if err != nil || child.Classification != "income" || child.Color != "#010203" || child.Name != "Snacks" || child.UpdatedAt <= snacks.UpdatedAt {
		t.Errorf("the sub-category has %+v, %v", child, err)
	}
	if got := update(snacks, ledger.CategoryInput{ParentID: ledger.Some(idOf(home))}); got.Parent.Name != "Home" || got.Classification != "expense" || got.Color != home.Color {
		t.Errorf("moved: %+v", got)
	}
	if got := update(snacks, ledger.CategoryInput{ParentID: null[uuid.UUID]()}); got.Parent != nil || got.Classification != "expense" || got.Color != home.Color {
		t.Errorf("made a root: %+v", got)
	}
	update(snacks, ledger.CategoryInput{ParentID: ledger.Some(idOf(food))})
	for want, in := range map[string]ledger.CategoryInput{
		"parent_id must be null, since the category has sub-categories": {ParentID: ledger.Some(idOf(home))},
		"parent_id must be another category":                            {ParentID: ledger.Some(idOf(food))},
		"name is taken":                                                 {Name: ledger.Some("HOME")},
		"name is required":                                              {Name: null[string]()},
	} {
		_, err := b.UpdateCategory(b.ctx(), b.who, idOf(food), in)
		refused(t, err, ledger.Invalid, want)
	}
	if n := b.changes(idOf(snacks)); n != 5 {
		t.Errorf("%d entries in the history, want 5", n)
	}
}

func TestCategoryList(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	food, pay := b.newCategory(categoryNamed("food")), ledger.CategoryInput{Name: ledger.Some("Pay"), Classification: ledger.Some("income")}
	b.newCategory(below(food, "Snacks"))
	b.newCategory(below(food, "bread"))
	b.newCategory(pay)
	for _, c := range []struct {
		filter ledger.CategoryFilter
		page   ledger.Page
		want   string
		total  int64
	}{
		{ledger.CategoryFilter{}, ledger.Page{Number: 1, Size: 10}, "bread food Pay Snacks", 4},
		{ledger.CategoryFilter{}, ledger.Page{Number: 2, Size: 3}, "Snacks", 4},
		{ledger.CategoryFilter{}, ledger.Page{Number: 3, Size: 3}, "", 4},
		{ledger.CategoryFilter{Classification: "income"}, ledger.Page{Number: 1, Size: 10}, "Pay", 1},
		{ledger.CategoryFilter{RootsOnly: true}, ledger.Page{Number: 1, Size: 10}, "food Pay", 2},
		{ledger.CategoryFilter{ParentID: ledger.Some(idOf(food))}, ledger.Page{Number: 1, Size: 10}, "bread Snacks", 2},
		{ledger.CategoryFilter{ParentID: ledger.Some(idOf(food)), RootsOnly: true}, ledger.Page{Number: 1, Size: 10}, "", 0},
		{ledger.CategoryFilter{ParentID: ledger.Some(uuid.Max)}, ledger.Page{Number: 1, Size: 10}, "", 0},
	} {
		list, total, err := b.ListCategories(b.ctx(), b.who, c.filter, c.page)
		var names []string
		for _, x := range list {
			names = append(names, x.Name)
		}
		if got := strings.Join(names, " "); err != nil || got != c.want || total != c.total {
			t.Errorf("%+v: got %q, %d, %v", c, got, total, err)
		}
	}
}

func TestCategoryDelete(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	stranger := b.household("Other")
	food := b.newCategory(categoryNamed("Food"))
	snacks := b.newCategory(below(food, "Snacks"))
	in := entry(b.account(b.who, "Checking", "EUR"), "2026-01-31", "1", "x")
	in.CategoryID = ledger.Some(idOf(snacks))
	fresh := b.create(in)
	refused(t, b.DeleteCategory(b.ctx(), b.who, idOf(food)), ledger.Invalid, "category must have no sub-categories to be deleted, has 1")
	refused(t, b.DeleteCategory(b.ctx(), stranger, idOf(snacks)), ledger.NotFound, "Category not found")
	_, err := b.UpdateCategory(b.ctx(), stranger, idOf(snacks), categoryNamed("Mine"))
	refused(t, err, ledger.NotFound)
	if err := b.DeleteCategory(b.ctx(), b.who, idOf(snacks)); err != nil {
		t.Fatal(err)
	}
	if got, err := b.GetTransaction(b.ctx(), b.who, uuid.UUID(fresh.PublicID)); err != nil || got.Category != nil {
		t.Errorf("got %+v, %v", got.Category, err)
	}
	if err := b.DeleteCategory(b.ctx(), b.who, idOf(food)); err != nil {
		t.Error(err)
	}
	_, err = b.GetCategory(b.ctx(), b.who, idOf(food))
	refused(t, err, ledger.NotFound)
}

func TestFindOrCreateCategory(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	home := b.newCategory(ledger.CategoryInput{Name: ledger.Some("Home"), Classification: ledger.Some("income")})
	repairs := b.newCategory(below(home, "Repairs"))
	food := b.newCategory(categoryNamed("Food"))
	twice := b.newCategory(categoryNamed("Twice"))
	b.newCategory(below(food, "Other"))
	b.newCategory(below(twice, "Other"))
	colon := b.newCategory(categoryNamed("A:B"))
	for _, c := range []struct {
		path    string
		key     int64  // 0: a new one
		created string // names, as they are found afterwards
	}{
		{"home", home.ID, ""}, {"Repairs", repairs.ID, ""}, {"HOME: repairs", repairs.ID, ""}, {"a:b", colon.ID, ""}, {" Food :", food.ID, ""},
		{"Home:Garden", 0, "Home/Garden income"}, {"Car:Fuel", 0, "Car expense, Car/Fuel expense"}, {"Car:Wash:Hot", 0, "Car/Wash:Hot expense"},
		{"Other", 0, "Other expense"}, {"Single", 0, "Single expense"},
	} {
		var key int64
		var created []ledger.Created
		err := b.db.Write(b.ctx(), func(ctx context.Context, q *queries.Queries) (err error) {
			key, created, err = b.FindOrCreateCategory(ctx, q, b.who, c.path, "expense")
			return err
		})
		if err != nil || c.key != 0 && key != c.key || key == 0 {
			t.Errorf("%s: got %d, %v, want %d", c.path, key, err, c.key)
		}
		var names []string
		for _, x := range created {
			got, err := b.GetCategory(b.ctx(), b.who, uuid.UUID(x.ID))
			if err != nil || x.Entity != "category" {
				t.Fatalf("%+v: %v", x, err)
			}
			if got.Parent != nil {
				got.Name = got.Parent.Name + "/" + got.Name
			}
			names = append(names, got.Name+" "+got.Classification)
		}
		if got := strings.Join(names, ", "); got != c.created {
			t.Errorf("%s: created %q, want %q", c.path, got, c.created)
		}
	}
	for _, bad := range []string{"", " : ", strings.Repeat("x", 300)} {
		err := b.db.Write(b.ctx(), func(ctx context.Context, q *queries.Queries) error {
			_, _, err := b.FindOrCreateCategory(ctx, q, b.who, bad, "expense")
			return err
		})
		refused(t, err, ledger.Invalid, "name")
	}
}

func TestDefaultCategories(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	home, _, err := b.CreateHousehold(b.ctx(), ledger.Actor{Origin: ledger.OriginCLI}, ledger.HouseholdInput{
		Name: "Full", Currency: "EUR", Locale: "en", Timezone: "UTC", OwnerEmail: "full@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	list, total, err := b.ListCategories(b.ctx(), ledger.Actor{HouseholdID: home.ID}, ledger.CategoryFilter{}, ledger.Page{Number: 1, Size: 100})
	if err != nil || total != 22 {
		t.Fatalf("got %d, %v", total, err)
	}
	var got []string
	for _, c := range list {
		if c.Name == "Income" || c.Name == "Mortgage / Rent" {
			got = append(got, fmt.Sprint(c.Name, c.Color, c.Icon, c.Classification))
		}
	}
	if want := "Income#22c55ecircle-dollar-signincome Mortgage / Rent#b45309homeexpense"; strings.Join(got, " ") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
