package catalog_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/tenant"
	"finsvc/queries"
)

func below(parent catalog.Category, name string) catalog.CategoryInput {
	return catalog.CategoryInput{Name: ledger.Some(name), ParentID: ledger.Some(uuid.UUID(parent.PublicID))}
}

func TestCategoryDefaults(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	for name, icon := range map[string]string{
		"Weekly groceries": "shopping-bag", "CAFÉ": "coffee", "Paycheck": "circle-dollar-sign", "Gas station": "fuel", "Hairdresser": "scissors",
		"Credit card": "car", "Vet": "paw-print", "Tax": "landmark", "Odds and ends": "shapes", "Rent": "home", "School": "graduation-cap",
	} {
		c := b.NewCategory(ledgertest.CategoryNamed(name))
		if c.Icon != icon || c.Classification != "expense" || c.Parent != nil || c.Subcategories != 0 || len(c.Color) != 7 || c.Color[0] != '#' {
			t.Errorf("%s: got %+v", name, c)
		}
	}
	in := catalog.CategoryInput{Name: ledger.Some(" Wages "), Classification: ledger.Some("income"), Color: ledger.Some("#ABCDEF"), Icon: ledger.Some("gem")}
	wages := b.NewCategory(in)
	if wages.Name != "Wages" || wages.Classification != "income" || wages.Color != "#abcdef" || wages.Icon != "gem" {
		t.Errorf("got %+v", wages)
	}
	child := below(wages, "Bonus")
	child.Color = ledger.Some("#000000")
	bonus := b.NewCategory(child)
	if bonus.Classification != "income" || bonus.Color != "#abcdef" || bonus.Parent == nil || *bonus.Parent != (catalog.CategoryParent{ID: ledgertest.IDOf(wages), Name: "Wages", Classification: "income", Color: "#abcdef", Icon: "gem"}) {
		t.Errorf("got %+v", bonus)
	}
	if got, err := b.Labels.GetCategory(b.Ctx(), b.Who, ledgertest.IDOf(wages)); err != nil || got.Subcategories != 1 {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestCategoryNamesEveryProblem holds what was decided.
//
// Decision, Accounts, categories, tags, merchants: categories have two levels; a sub-category has its parent's
// classification; category names are unique in household and parent.
func TestCategoryNamesEveryProblem(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	root := b.NewCategory(ledgertest.CategoryNamed("Food"))
	child := b.NewCategory(below(root, "Snacks"))
	b.NewCategory(ledgertest.CategoryNamed("Snacks")) // the same name on the other level
	foreign, err := b.Labels.CreateCategory(b.Ctx(), b.Household("Other"), ledgertest.CategoryNamed("Theirs"))
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		in   catalog.CategoryInput
		want []string
	}{
		"all at once": {catalog.CategoryInput{Classification: ledger.Some("both"), Color: ledger.Some("red"), Icon: ledger.Some("Shopping Bag"), ParentID: ledger.Some(uuid.Nil)},
			[]string{"name is required", `classification must be income or expense, got "both"`, `color must be a colour such as #4da568, got "red"`,
				"icon must be the name of an icon", "parent_id is not the id of one of the household's own categories: 00000000-"}},
		"taken":                  {ledgertest.CategoryNamed(" fOOd "), []string{`name is taken: another category without a parent is named "fOOd"`}},
		"taken below":            {below(root, "SNACKS"), []string{"name is taken: another sub-category of the same parent"}},
		"third level":            {below(child, "Crisps"), []string{"parent_id must be a category without a parent", `"Snacks" is below "Food"`}},
		"another household's":    {below(foreign, "Mine"), []string{"parent_id is not the id"}},
		"unlike its parent":      {catalog.CategoryInput{Name: ledger.Some("X"), Classification: ledger.Some("income"), ParentID: ledger.Some(ledgertest.IDOf(root))}, []string{"classification must be that of the parent, expense, got income"}},
		"colour of five digits":  {catalog.CategoryInput{Name: ledger.Some("X"), Color: ledger.Some("#12345")}, []string{"color must be"}},
		"colour with a letter g": {catalog.CategoryInput{Name: ledger.Some("X"), Color: ledger.Some("#12345g")}, []string{"color must be"}},
		"blank colour":           {catalog.CategoryInput{Name: ledger.Some("X"), Color: ledger.Some("")}, []string{"color must be"}},
		"long name":              {ledgertest.CategoryNamed(strings.Repeat("x", 256)), []string{"name must have at most 255 characters, has 256"}},
		"control character":      {ledgertest.CategoryNamed("a\x7fb"), []string{"name must not contain control characters, has U+007F"}},
	} {
		_, err := b.Labels.CreateCategory(b.Ctx(), b.Who, c.in)
		if !ledger.IsKind(err, ledger.Invalid) {
			t.Errorf("%s: got %v", name, err)
			continue
		}
		ledgertest.Refused(t, err, ledger.Invalid, c.want...)
	}
}

func TestCategoryUpdate(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	food, home := b.NewCategory(ledgertest.CategoryNamed("Food")), b.NewCategory(ledgertest.CategoryNamed("Home"))
	snacks := b.NewCategory(below(food, "Snacks"))
	update := func(c catalog.Category, in catalog.CategoryInput) catalog.Category {
		t.Helper()
		got, err := b.Labels.UpdateCategory(b.Ctx(), b.Who, ledgertest.IDOf(c), in)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := update(food, catalog.CategoryInput{Name: ledger.Some("Food")}); got.UpdatedAt != food.UpdatedAt {
		t.Error("a change of nothing moved updated_at")
	}
	got := update(food, catalog.CategoryInput{Name: ledger.Some("Eating"), Classification: ledger.Some("income"), Color: ledger.Some("#010203"), Icon: ledger.Some("apple")})
	if got.Name != "Eating" || got.Icon != "apple" || got.Subcategories != 1 || got.UpdatedAt <= food.UpdatedAt {
		t.Errorf("got %+v", got)
	}
	child, err := b.Labels.GetCategory(b.Ctx(), b.Who, ledgertest.IDOf(snacks))
	if err != nil || child.Classification != "income" || child.Color != "#010203" || child.Name != "Snacks" || child.UpdatedAt <= snacks.UpdatedAt {
		t.Errorf("the sub-category has %+v, %v", child, err)
	}
	if got := update(snacks, catalog.CategoryInput{ParentID: ledger.Some(ledgertest.IDOf(home))}); got.Parent.Name != "Home" || got.Classification != "expense" || got.Color != home.Color {
		t.Errorf("moved: %+v", got)
	}
	if got := update(snacks, catalog.CategoryInput{ParentID: null[uuid.UUID]()}); got.Parent != nil || got.Classification != "expense" || got.Color != home.Color {
		t.Errorf("made a root: %+v", got)
	}
	update(snacks, catalog.CategoryInput{ParentID: ledger.Some(ledgertest.IDOf(food))})
	for want, in := range map[string]catalog.CategoryInput{
		"parent_id must be null, since the category has sub-categories": {ParentID: ledger.Some(ledgertest.IDOf(home))},
		"parent_id must be another category":                            {ParentID: ledger.Some(ledgertest.IDOf(food))},
		"name is taken":                                                 {Name: ledger.Some("HOME")},
		"name is required":                                              {Name: null[string]()},
	} {
		_, err := b.Labels.UpdateCategory(b.Ctx(), b.Who, ledgertest.IDOf(food), in)
		ledgertest.Refused(t, err, ledger.Invalid, want)
	}
	if n := b.Changes(ledgertest.IDOf(snacks)); n != 5 {
		t.Errorf("%d entries in the history, want 5", n)
	}
}

func TestCategoryList(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	food, pay := b.NewCategory(ledgertest.CategoryNamed("food")), catalog.CategoryInput{Name: ledger.Some("Pay"), Classification: ledger.Some("income")}
	b.NewCategory(below(food, "Snacks"))
	b.NewCategory(below(food, "bread"))
	b.NewCategory(pay)
	for _, c := range []struct {
		filter catalog.CategoryFilter
		page   ledger.Page
		want   string
		total  int64
	}{
		{catalog.CategoryFilter{}, ledger.Page{Number: 1, Size: 10}, "bread food Pay Snacks", 4},
		{catalog.CategoryFilter{}, ledger.Page{Number: 2, Size: 3}, "Snacks", 4},
		{catalog.CategoryFilter{}, ledger.Page{Number: 3, Size: 3}, "", 4},
		{catalog.CategoryFilter{Classification: "income"}, ledger.Page{Number: 1, Size: 10}, "Pay", 1},
		{catalog.CategoryFilter{RootsOnly: true}, ledger.Page{Number: 1, Size: 10}, "food Pay", 2},
		{catalog.CategoryFilter{ParentID: ledger.Some(ledgertest.IDOf(food))}, ledger.Page{Number: 1, Size: 10}, "bread Snacks", 2},
		{catalog.CategoryFilter{ParentID: ledger.Some(ledgertest.IDOf(food)), RootsOnly: true}, ledger.Page{Number: 1, Size: 10}, "", 0},
		{catalog.CategoryFilter{ParentID: ledger.Some(uuid.Max)}, ledger.Page{Number: 1, Size: 10}, "", 0},
	} {
		list, total, err := b.Labels.ListCategories(b.Ctx(), b.Who, c.filter, c.page)
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
	b := ledgertest.New(t)
	stranger := b.Household("Other")
	food := b.NewCategory(ledgertest.CategoryNamed("Food"))
	snacks := b.NewCategory(below(food, "Snacks"))
	in := ledgertest.Entry(b.Account(b.Who, "Checking", "EUR"), "2026-01-31", "1", "x")
	in.CategoryID = ledger.Some(ledgertest.IDOf(snacks))
	fresh := b.Create(in)
	ledgertest.Refused(t, b.Labels.DeleteCategory(b.Ctx(), b.Who, ledgertest.IDOf(food)), ledger.Invalid, "category must have no sub-categories to be deleted, has 1")
	ledgertest.Refused(t, b.Labels.DeleteCategory(b.Ctx(), stranger, ledgertest.IDOf(snacks)), ledger.NotFound, "Category not found")
	_, err := b.Labels.UpdateCategory(b.Ctx(), stranger, ledgertest.IDOf(snacks), ledgertest.CategoryNamed("Mine"))
	ledgertest.Refused(t, err, ledger.NotFound)
	if err := b.Labels.DeleteCategory(b.Ctx(), b.Who, ledgertest.IDOf(snacks)); err != nil {
		t.Fatal(err)
	}
	if got, err := b.Entries.GetTransaction(b.Ctx(), b.Who, uuid.UUID(fresh.PublicID)); err != nil || got.Category != nil {
		t.Errorf("got %+v, %v", got.Category, err)
	}
	if err := b.Labels.DeleteCategory(b.Ctx(), b.Who, ledgertest.IDOf(food)); err != nil {
		t.Error(err)
	}
	_, err = b.Labels.GetCategory(b.Ctx(), b.Who, ledgertest.IDOf(food))
	ledgertest.Refused(t, err, ledger.NotFound)
}

func TestFindOrCreateCategory(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	home := b.NewCategory(catalog.CategoryInput{Name: ledger.Some("Home"), Classification: ledger.Some("income")})
	repairs := b.NewCategory(below(home, "Repairs"))
	food := b.NewCategory(ledgertest.CategoryNamed("Food"))
	twice := b.NewCategory(ledgertest.CategoryNamed("Twice"))
	b.NewCategory(below(food, "Other"))
	b.NewCategory(below(twice, "Other"))
	colon := b.NewCategory(ledgertest.CategoryNamed("A:B"))
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
		err := b.DB.Write(b.Ctx(), func(ctx context.Context, q *queries.Queries) (err error) {
			key, created, err = catalog.FindOrCreateCategory(ctx, b.Tx(q, b.Who), c.path, "expense")
			return err
		})
		if err != nil || c.key != 0 && key != c.key || key == 0 {
			t.Errorf("%s: got %d, %v, want %d", c.path, key, err, c.key)
		}
		var names []string
		for _, x := range created {
			got, err := b.Labels.GetCategory(b.Ctx(), b.Who, uuid.UUID(x.ID))
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
		err := b.DB.Write(b.Ctx(), func(ctx context.Context, q *queries.Queries) error {
			_, _, err := catalog.FindOrCreateCategory(ctx, b.Tx(q, b.Who), bad, "expense")
			return err
		})
		ledgertest.Refused(t, err, ledger.Invalid, "name")
	}
}

// TestDefaultCategories holds what was decided.
//
// Decision, Accounts, categories, tags, merchants: a new household has the default categories unless it is asked not
// to.
func TestDefaultCategories(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	home, _, err := b.Tenants.CreateHousehold(b.Ctx(), ledger.Actor{Origin: ledger.OriginCLI}, tenant.HouseholdInput{
		Name: "Full", Currency: "EUR", Locale: "en", Timezone: "UTC", OwnerEmail: "full@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	list, total, err := b.Labels.ListCategories(b.Ctx(), ledger.Actor{HouseholdID: home.ID}, catalog.CategoryFilter{}, ledger.Page{Number: 1, Size: 100})
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
