package ledger_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/queries"
)

func merchantNamed(name string) ledger.MerchantInput {
	return ledger.MerchantInput{Name: ledger.Some(name)}
}

func (b *books) newMerchant(name string) uuid.UUID {
	b.tb.Helper()
	m, err := b.CreateMerchant(b.ctx(), b.who, merchantNamed(name))
	if err != nil {
		b.tb.Fatal(err)
	}
	return uuid.UUID(m.PublicID)
}

// found lists the names of the transactions that a search finds.
func (b *books) found(text string) string {
	b.tb.Helper()
	list, _, err := b.ListTransactions(b.ctx(), b.who, ledger.TransactionFilter{Search: text}, ledger.Page{Number: 1, Size: 100})
	if err != nil {
		b.tb.Fatal(err)
	}
	var names []string
	for _, t := range list {
		names = append(names, t.Name)
	}
	return strings.Join(names, " ")
}

func TestMerchants(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	stranger := b.household("Other")
	id := b.newMerchant(" Baker ")
	b.newMerchant("apple shop")
	for want, in := range map[string]ledger.MerchantInput{
		`name is taken: another merchant is named "BAKER"`: merchantNamed("BAKER"),
		"name is required":                      {},
		"name must have at most 255 characters": merchantNamed(strings.Repeat("x", 256)),
		"name must be valid UTF-8":              merchantNamed("\xff"),
	} {
		_, err := b.CreateMerchant(b.ctx(), b.who, in)
		refused(t, err, ledger.Invalid, want)
	}
	if list, err := b.ListMerchants(b.ctx(), b.who); err != nil || len(list) != 2 || list[0].Name != "apple shop" || list[1].Name != "Baker" {
		t.Errorf("got %+v, %v", list, err)
	}
	if list, err := b.ListMerchants(b.ctx(), stranger); err != nil || len(list) != 0 {
		t.Errorf("got %+v, %v", list, err)
	}
	_, err := b.GetMerchant(b.ctx(), stranger, id)
	refused(t, err, ledger.NotFound, "Merchant not found")
	_, err = b.UpdateMerchant(b.ctx(), stranger, id, merchantNamed("mine"))
	refused(t, err, ledger.NotFound)
	refused(t, b.DeleteMerchant(b.ctx(), stranger, id), ledger.NotFound)
	_, err = b.UpdateMerchant(b.ctx(), b.who, id, merchantNamed("APPLE SHOP"))
	refused(t, err, ledger.Invalid, "name is taken")
}

func TestMerchantChangesAreFound(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	stranger := b.household("Other")
	account := b.account(b.who, "Checking", "EUR")
	baker, miller := b.newMerchant("Baker"), b.newMerchant("Miller")
	with := func(name string, merchant uuid.UUID) uuid.UUID {
		in := entry(account, "2026-01-31", "1", name)
		in.MerchantID, in.Notes = ledger.Some(merchant), ledger.Some("noted "+name)
		return uuid.UUID(b.create(in).PublicID)
	}
	bread := with("bread", baker)
	with("flour", miller)
	check := func(pairs ...string) {
		t.Helper()
		for i := 0; i < len(pairs); i += 2 {
			if got := b.found(pairs[i]); got != pairs[i+1] {
				t.Errorf("%q finds %q, want %q", pairs[i], got, pairs[i+1])
			}
		}
	}
	check("baker", "bread", "miller", "flour", "noted", "flour bread")
	if _, err := b.UpdateMerchant(b.ctx(), b.who, baker, merchantNamed("Pâtisserie")); err != nil {
		t.Fatal(err)
	}
	check("baker", "", "PÂTISS", "bread", "noted", "flour bread", "bread", "bread")
	for want, target := range map[string]uuid.UUID{"target_id must be another merchant": baker, "target_id is not the id": uuid.Max} {
		_, err := b.MergeMerchant(b.ctx(), b.who, baker, target)
		refused(t, err, ledger.Invalid, want)
	}
	_, err := b.MergeMerchant(b.ctx(), stranger, baker, miller)
	refused(t, err, ledger.NotFound)
	target, err := b.MergeMerchant(b.ctx(), b.who, baker, miller)
	if err != nil || target.Name != "Miller" {
		t.Fatalf("got %+v, %v", target, err)
	}
	check("pâtiss", "", "miller", "flour bread", "noted bread", "bread")
	if got, err := b.GetTransaction(b.ctx(), b.who, bread); err != nil || got.Merchant == nil || got.Merchant.ID != miller {
		t.Errorf("got %+v, %v", got.Merchant, err)
	}
	_, err = b.GetMerchant(b.ctx(), b.who, baker)
	refused(t, err, ledger.NotFound)
	if err := b.DeleteMerchant(b.ctx(), b.who, miller); err != nil {
		t.Fatal(err)
	}
	check("miller", "", "noted", "flour bread", "flour", "flour")
	if got, err := b.GetTransaction(b.ctx(), b.who, bread); err != nil || got.Merchant != nil {
		t.Errorf("got %+v, %v", got.Merchant, err)
	}
}

// TestMerchantOfManyTransactions has more than are read at once.
func TestMerchantOfManyTransactions(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	account, baker := b.account(b.who, "Checking", "EUR"), b.newMerchant("Baker")
	var inputs []ledger.TransactionInput
	for range 1000 {
		in := entry(account, "2026-01-31", "1", "x")
		in.MerchantID = ledger.Some(baker)
		inputs = append(inputs, in)
	}
	if _, err := b.CreateTransactions(b.ctx(), b.who, inputs); err != nil {
		t.Fatal(err)
	}
	if _, err := b.UpdateMerchant(b.ctx(), b.who, baker, merchantNamed("Miller")); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int64{"baker": 0, "miller": 1000} {
		_, total, err := b.ListTransactions(b.ctx(), b.who, ledger.TransactionFilter{Search: text}, ledger.Page{Number: 1, Size: 1})
		if err != nil || total != want {
			t.Errorf("%s: found %d, %v, want %d", text, total, err, want)
		}
	}
}

func TestFindOrCreateMerchant(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	b.newMerchant("Baker")
	for name, want := range map[string]int{"BAKER ": 0, "Miller": 1} {
		err := b.db.Write(b.ctx(), func(ctx context.Context, q *queries.Queries) error {
			key, created, err := b.FindOrCreateMerchant(ctx, q, b.who, name)
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
