package importer_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
)

// A category that was there before goes back to where it was, with its looks.
func TestRevertMovesCategoriesBack(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	k.published(recordpkg.CategoryImport, "name,color,icon\nBread,#112233,wheat\n", false)
	before := k.categories()
	imp := k.send("name,parent\nBread,Food\n", importer.Request{Type: recordpkg.CategoryImport, Publish: true})
	k.work()
	if after := k.categories(); !strings.Contains(after, "Food:Bread") {
		t.Fatal(after)
	}
	if now := k.mustRevert(imp, false); now.Error != nil {
		t.Error(*now.Error)
	}
	if diff := cmp.Diff(before, k.categories()); diff != "" {
		t.Error(diff)
	}
}

// TestRevertOfWhatIsMade: imports whose rows become categories or accounts, opening balances included, are taken
// back as a whole and can be published again.
func TestRevertOfWhatIsMade(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		recordpkg.CategoryImport: "name,parent\nBread,Food\nFood,\nPay,\n",
		recordpkg.AccountImport:  "name,type,balance,date\nMain,depository,1200.50,2026-01-31\nVisa,card,300,\nEmpty,savings,0,\n",
		recordpkg.QifImport:      twoAccounts,
		recordpkg.MintImport:     "Date,Description,Amount,Transaction Type,Account Name\n1/31/2026,Bread,12.50,debit,Wallet\n",
	}
	for kind, file := range files {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			k := newFixture(t)
			before := k.figures()
			imp := k.send(file, importer.Request{Type: kind, Publish: true})
			k.work()
			after := k.figures()
			if k.get(imp).Status != importer.StatusComplete ||
				after["accounts"]+after["categories"] == before["accounts"]+before["categories"] {
				t.Fatalf("published: %s, %v", k.get(imp).Status, after)
			}
			if now := k.mustRevert(imp, false); now.Status != importer.StatusPending || now.Error != nil {
				t.Errorf("reverted: %s, %v", now.Status, now.Error)
			}
			k.same("reverted", before)
			if _, err := k.Publish(t.Context(), k.who, uuid.UUID(imp.PublicID), importer.Publication{}); err != nil {
				t.Fatal(err)
			}
			k.work()
			again := k.figures()
			for _, what := range []string{"accounts", "categories", "transactions", "valuations"} {
				if again[what] != after[what] {
					t.Errorf("published again: %d %s, want %d", again[what], what, after[what])
				}
			}
		})
	}
}

// TestRevertNamesTheCategoriesThatItLeaves: a category that a person has changed after the import, one whose old
// parent is gone and one whose old place is taken stay as they are, the answer to the revert and the import say so,
// and the rest is put back.
func TestRevertNamesTheCategoriesThatItLeaves(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	k.published(recordpkg.CategoryImport, "name,parent,color,icon\nFood,,#111111,apple\nBread,Food,,wheat\nRye,Food,,grain\nDrinks,,#222222,cup\nTea,Drinks,,leaf\nGone,,#333333,coins\nLost,Gone,,coins\nPay,,#444444,coins\n", false)
	imp := k.send("name,parent,color,icon\nFood,,#aaaaaa,\nBread,,,pear\nTea,Food,,\nLost,Food,,\nPay,,,leaf\n",
		importer.Request{Type: recordpkg.CategoryImport, Publish: true})
	k.work()
	byName := map[string]catalog.Category{}
	list, _, err := k.ledger.Labels.ListCategories(t.Context(), k.who, catalog.CategoryFilter{},
		ledger.Page{Number: 1, Size: 100})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		byName[c.Name] = c
	}
	change := func(name string, in catalog.CategoryInput) {
		t.Helper()
		if _, err := k.ledger.Labels.UpdateCategory(t.Context(), k.who, uuid.UUID(byName[name].PublicID),
			in); err != nil {
			t.Fatal(name, err)
		}
	}
	change("Pay", catalog.CategoryInput{Icon: ledger.Some("cup")})
	// of which the import has changed the colour alone
	change("Rye", catalog.CategoryInput{Name: ledger.Some("Rye bread")})
	if err := k.ledger.Labels.DeleteCategory(t.Context(), k.who, uuid.UUID(byName["Gone"].PublicID)); err != nil {
		t.Fatal(err)
	}
	drinks := uuid.UUID(byName["Drinks"].PublicID)
	if _, err := k.ledger.Labels.CreateCategory(t.Context(), k.who,
		catalog.CategoryInput{Name: ledger.Some("Tea"), ParentID: ledger.Some(drinks)}); err != nil {
		t.Fatal(err)
	}
	first, err := k.Revert(t.Context(), k.who, uuid.UUID(imp.PublicID), false)
	const left = `was reverted; what it had changed and was changed again since, or cannot be put back, is left as it is: category "Lost", category "Pay", category "Tea"`
	if err != nil || first.Status != importer.StatusReverting || text(first.Error) != left {
		t.Errorf("%v, %s, said at once: %s", err, first.Status, text(first.Error))
	}
	k.work()
	now := k.get(imp)
	if now.Status != importer.StatusPending || text(now.Error) != left {
		t.Errorf("%s, said in the end: %s", now.Status, text(now.Error))
	}
	want := "Drinks expense #222222 cup\nDrinks:Tea expense #222222 shapes\nFood expense #111111 apple\nFood:Bread expense #111111 wheat\n" +
		"Food:Lost expense #111111 coins\nFood:Rye bread expense #111111 grain\nFood:Tea expense #111111 leaf\nPay expense #444444 cup"
	if diff := cmp.Diff(want, k.categories()); diff != "" {
		t.Errorf("(-want +got) %s", diff)
	}
}
