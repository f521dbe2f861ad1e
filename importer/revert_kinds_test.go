package importer_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"finsvc/importer"
)

// A category that was there before goes back to where it was, with its looks.
func TestRevertMovesCategoriesBack(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.published(importer.CategoryImport, "name,color,icon\nBread,#112233,wheat\n", false)
	before := k.categories()
	imp := k.send("name,parent\nBread,Food\n", importer.Request{Type: importer.CategoryImport, Publish: true})
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
		importer.CategoryImport: "name,parent\nBread,Food\nFood,\nPay,\n",
		importer.AccountImport:  "name,type,balance,date\nMain,depository,1200.50,2026-01-31\nVisa,card,300,\nEmpty,savings,0,\n",
		importer.QifImport:      twoAccounts,
		importer.MintImport:     "Date,Description,Amount,Transaction Type,Account Name\n1/31/2026,Bread,12.50,debit,Wallet\n",
	}
	for kind, file := range files {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			before := k.figures()
			imp := k.send(file, importer.Request{Type: kind, Publish: true})
			k.work()
			after := k.figures()
			if k.get(imp).Status != importer.StatusComplete || after["accounts"]+after["categories"] == before["accounts"]+before["categories"] {
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
