package catalog_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
	"finsvc/queries"
)

func TestMerchants(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	stranger := b.Household("Other")
	id := b.NewMerchant(" Baker ")
	b.NewMerchant("apple shop")
	for want, in := range map[string]catalog.MerchantInput{
		`name is taken: another merchant is named "BAKER"`: ledgertest.MerchantNamed("BAKER"),
		"name is required":                      {},
		"name must have at most 255 characters": ledgertest.MerchantNamed(strings.Repeat("x", 256)),
		"name must be valid UTF-8":              ledgertest.MerchantNamed("\xff"),
	} {
		_, err := b.Labels.CreateMerchant(b.Ctx(), b.Who, in)
		ledgertest.Refused(t, err, ledger.Invalid, want)
	}
	if list, err := b.Labels.ListMerchants(b.Ctx(), b.Who); err != nil || len(list) != 2 || list[0].Name != "apple shop" || list[1].Name != "Baker" {
		t.Errorf("got %+v, %v", list, err)
	}
	if list, err := b.Labels.ListMerchants(b.Ctx(), stranger); err != nil || len(list) != 0 {
		t.Errorf("got %+v, %v", list, err)
	}
	_, err := b.Labels.GetMerchant(b.Ctx(), stranger, id)
	ledgertest.Refused(t, err, ledger.NotFound, "Merchant not found")
	_, err = b.Labels.UpdateMerchant(b.Ctx(), stranger, id, ledgertest.MerchantNamed("mine"))
	ledgertest.Refused(t, err, ledger.NotFound)
	ledgertest.Refused(t, b.Labels.DeleteMerchant(b.Ctx(), stranger, id), ledger.NotFound)
	_, err = b.Labels.UpdateMerchant(b.Ctx(), b.Who, id, ledgertest.MerchantNamed("APPLE SHOP"))
	ledgertest.Refused(t, err, ledger.Invalid, "name is taken")
}

func TestMerchantChangesAreFound(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	stranger := b.Household("Other")
	account := b.Account(b.Who, "Checking", "EUR")
	baker, miller := b.NewMerchant("Baker"), b.NewMerchant("Miller")
	with := func(name string, merchant uuid.UUID) uuid.UUID {
		in := ledgertest.Entry(account, "2026-01-31", "1", name)
		in.MerchantID, in.Notes = ledger.Some(merchant), ledger.Some("noted "+name)
		return uuid.UUID(b.Create(in).PublicID)
	}
	bread := with("bread", baker)
	with("flour", miller)
	check := func(pairs ...string) {
		t.Helper()
		for i := 0; i < len(pairs); i += 2 {
			if got := b.Found(pairs[i]); got != pairs[i+1] {
				t.Errorf("%q finds %q, want %q", pairs[i], got, pairs[i+1])
			}
		}
	}
	check("baker", "bread", "miller", "flour", "noted", "flour bread")
	if _, err := b.Labels.UpdateMerchant(b.Ctx(), b.Who, baker, ledgertest.MerchantNamed("Pâtisserie")); err != nil {
		t.Fatal(err)
	}
	check("baker", "", "PÂTISS", "bread", "noted", "flour bread", "bread", "bread")
	for want, target := range map[string]uuid.UUID{"target_id must be another merchant": baker, "target_id is not the id": uuid.Max} {
		_, err := b.Labels.MergeMerchant(b.Ctx(), b.Who, baker, target)
		ledgertest.Refused(t, err, ledger.Invalid, want)
	}
	_, err := b.Labels.MergeMerchant(b.Ctx(), stranger, baker, miller)
	ledgertest.Refused(t, err, ledger.NotFound)
	target, err := b.Labels.MergeMerchant(b.Ctx(), b.Who, baker, miller)
	if err != nil || target.Name != "Miller" {
		t.Fatalf("got %+v, %v", target, err)
	}
	check("pâtiss", "", "miller", "flour bread", "noted bread", "bread")
	if got, err := b.Entries.GetTransaction(b.Ctx(), b.Who, bread); err != nil || got.Merchant == nil || got.Merchant.ID != miller {
		t.Errorf("got %+v, %v", got.Merchant, err)
	}
	_, err = b.Labels.GetMerchant(b.Ctx(), b.Who, baker)
	ledgertest.Refused(t, err, ledger.NotFound)
	if err := b.Labels.DeleteMerchant(b.Ctx(), b.Who, miller); err != nil {
		t.Fatal(err)
	}
	check("miller", "", "noted", "flour bread", "flour", "flour")
	if got, err := b.Entries.GetTransaction(b.Ctx(), b.Who, bread); err != nil || got.Merchant != nil {
		t.Errorf("got %+v, %v", got.Merchant, err)
	}
}

// TestMerchantOfManyTransactions has more than are read at once.
func TestMerchantOfManyTransactions(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account, baker := b.Account(b.Who, "Checking", "EUR"), b.NewMerchant("Baker")
	var inputs []entry.TransactionInput
	for range 1000 {
		in := ledgertest.Entry(account, "2026-01-31", "1", "x")
		in.MerchantID = ledger.Some(baker)
		inputs = append(inputs, in)
	}
	if _, err := b.Entries.CreateTransactions(b.Ctx(), b.Who, inputs); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Labels.UpdateMerchant(b.Ctx(), b.Who, baker, ledgertest.MerchantNamed("Miller")); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int64{"baker": 0, "miller": 1000} {
		_, total, err := b.Entries.ListTransactions(b.Ctx(), b.Who, entry.TransactionFilter{Search: text}, ledger.Page{Number: 1, Size: 1})
		if err != nil || total != want {
			t.Errorf("%s: found %d, %v, want %d", text, total, err, want)
		}
	}
}

func TestFindOrCreateMerchant(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	b.NewMerchant("Baker")
	for name, want := range map[string]int{"BAKER ": 0, "Miller": 1} {
		err := b.DB.Write(b.Ctx(), func(ctx context.Context, q *queries.Queries) error {
			key, created, err := catalog.FindOrCreateMerchant(ctx, b.Tx(q, b.Who), name)
			if key == 0 || len(created) != want {
				t.Errorf("%s: key %d, created %v", name, key, created)
			}
			return err
		})
		if err != nil {
			t.Error(err)
		}
	}
}
