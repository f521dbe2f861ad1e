package entry_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/transfer"
)

// TestBatchHasWhatOneCanHave: thirty transactions with all that a transaction can have, and what it does to others.
func TestBatchHasWhatOneCanHave(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro, savings := b.OpenWith("Giro", "depository", "EUR", "0"), b.OpenWith("Savings", "depository", "EUR", "0")
	food, fun, dull, baker := b.Category(b.Who, "Food"), b.Tag(b.Who, "fun"), b.Tag(b.Who, "dull"), b.NewMerchant("Baker")
	b.Rule("Bread", []string{"transaction_name like bread"}, []string{"set_transaction_category " + food.String(), "set_transaction_merchant " + baker.String()})
	var inputs []entry.TransactionInput
	for n := range 25 {
		inputs = append(inputs, ledgertest.Entry(uuid.UUID(giro.PublicID), "2026-03-01", "3", fmt.Sprintf("Bread %d", n)))
	}
	tagged := ledgertest.Entry(uuid.UUID(giro.PublicID), "2026-03-02", "7", "Tram")
	tagged.TagIDs, tagged.Notes = ledger.Some([]uuid.UUID{fun, dull, fun}), ledger.Some("to the zoo")
	split := ledgertest.Entry(uuid.UUID(giro.PublicID), "2026-03-03", "100", "Bill")
	first := part("60", food)
	first.Name, first.TagIDs = ledger.Some("Lemons"), ledger.Some([]uuid.UUID{dull})
	split.SplitLines = parts(first, part("40", uuid.Nil))
	inputs = append(inputs, tagged, split,
		ledgertest.Entry(uuid.UUID(giro.PublicID), "2026-03-04", "500", "Out"), ledgertest.Entry(uuid.UUID(savings.PublicID), "2026-03-05", "-500", "In"), ledgertest.Entry(uuid.UUID(giro.PublicID), "2026-03-04", "1", "Last"))
	list := b.CreateAll(inputs...)
	for n := range 25 {
		if got, want := ledgertest.Tell(list[n]), fmt.Sprintf("Bread %d Food Baker [category by Bread] [merchant by Bread]", n); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := ledgertest.Tell(list[25]); got != "Tram #dull #fun" || *list[25].Notes != "to the zoo" {
		t.Error(got)
	}
	if bill := list[26]; minors(bill) != "[-6000 -4000]" || *bill.Split[0].Name != "Lemons" || bill.Split[0].Tags[0].Name != "dull" || bill.Split[0].Category.Name != "Food" {
		t.Errorf("the bill is %+v", bill.Split)
	}
	if out, in := list[27], list[28]; out.Transfer == nil || in.Transfer == nil || out.Transfer.ID != in.Transfer.ID || in.Transfer.Other.Name != "Giro" || in.Transfer.Minor != 500_00 {
		t.Errorf("the transfer is %+v, %+v", out.Transfer, in.Transfer)
	}
	if moved := b.Only(); moved.Status != transfer.TransferPending || moved.Reason != "500.00 EUR left one account and arrived in another, one day apart" || b.Changes(uuid.UUID(moved.PublicID)) != 1 {
		t.Errorf("the transfer is %+v", moved)
	}
	// 25 loaves for 3.00, the tram, the bill, what moved and the last.
	if got := b.Balance(giro, "2026-03-05").Minor; got != -75_00-7_00-100_00-500_00-1_00 {
		t.Errorf("the balance is %d", got)
	}
	for text, want := range map[string]string{"zoo": "Tram", "lemon": "Lemons", "last": "Last", "in": "In"} {
		if got := b.Found(text); got != want {
			t.Errorf("%s finds %q", text, got)
		}
	}
	if all, total, err := b.Entries.ListTransactions(b.Ctx(), b.Who, entry.TransactionFilter{Search: "baker"}, ledger.Page{Number: 1, Size: 1}); err != nil || total != 25 || all[0].Name != "Bread 24" {
		t.Errorf("the merchant of a rule finds %d, %v", total, err)
	}
	for _, made := range list {
		if n := b.Changes(uuid.UUID(made.PublicID)); n != 1 {
			t.Errorf("%s is %d times in the history", made.Name, n)
		}
	}
	b.CheckRollups(t.Fatal)
}

// TestRepeatsInBatch: who has an external id takes the place of another that is sent with it, known before or not.
func TestRepeatsInBatch(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro, other := b.Account(b.Who, "Giro", "EUR"), b.Account(b.Who, "Other", "EUR")
	b.Rule("Nice", []string{"transaction_name like nice"}, []string{"set_transaction_tags " + b.Tag(b.Who, "nice").String()})
	sent := func(account uuid.UUID, id, source, name string) entry.TransactionInput {
		in := ledgertest.Entry(account, "2026-03-01", "3", name)
		if id != "" {
			in.ExternalID = ledger.Some(id)
		}
		if source != "" {
			in.Source = ledger.Some(source)
		}
		return in
	}
	b.Create(sent(giro, "1", "", "known"))
	list := b.CreateAll(sent(giro, "2", "", "nice"), sent(giro, "1", "api", "again"), sent(giro, "2", "", "twice"), sent(giro, "2", "bank", "of the bank"),
		sent(other, "2", "", "elsewhere"), sent(giro, "", "", "free"), sent(giro, "", "", "free"), sent(giro, "2", "", "thrice"), sent(giro, `<"'é`, "", "odd"), sent(giro, `<"'é`, "", "odder"))
	var got string
	for _, made := range list {
		got += ledgertest.Tell(made) + ","
	}
	const nice = "nice #nice [tags by Nice],"
	if want := nice + "known," + nice + "of the bank,elsewhere,free,free," + nice + "odd,odd,"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	before := b.Number("SELECT count(*) FROM changes")
	if all := b.CreateAll(sent(giro, "2", "", "nice"), sent(giro, "1", "", "again")); all[0].ID != list[0].ID || all[1].Name != "known" {
		t.Errorf("got %s and %s", ledgertest.Tell(all[0]), ledgertest.Tell(all[1]))
	}
	if _, total, err := b.Entries.ListTransactions(b.Ctx(), b.Who, entry.TransactionFilter{}, ledgertest.WholePage); err != nil || total != 7 || b.Number("SELECT count(*) FROM changes") != before {
		t.Errorf("there are %d, %v", total, err)
	}
	b.CheckRollups(t.Fatal)
}

// TestOneBadAmongMany: the only wrong one of ten thousand is named, and nothing is written.
func TestOneBadAmongMany(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account := b.Account(b.Who, "Giro", "EUR")
	inputs := slices.Repeat([]entry.TransactionInput{ledgertest.Entry(account, "2026-03-01", "3", "good")}, entry.MaxBulk)
	inputs[7_777].Amount, inputs[7_777].CategoryID = ledgertest.AmountOf("1.234"), ledger.Some(account)
	before := b.Number("SELECT entry_sequence FROM households") + b.Number("SELECT count(*) FROM changes")
	_, err := b.Entries.CreateTransactions(b.Ctx(), b.Who, inputs)
	ledgertest.Refused(t, err, ledger.Invalid, "transactions[7777].amount", "transactions[7777].category_id is not the id")
	if e := ledger.AsError(err); len(e.Fields) != 2 {
		t.Error(e.Fields)
	}
	inputs[9_999].AccountID = ledger.Some(uuid.New())
	_, err = b.Entries.CreateTransactions(b.Ctx(), b.Who, inputs)
	ledgertest.Refused(t, err, ledger.Invalid, "transactions[7777].amount", "transactions[9999].account_id is not the id of one of the household's own accounts")
	_, err = b.Entries.CreateTransactions(b.Ctx(), b.Who, append(inputs, inputs[0]))
	ledgertest.Refused(t, err, ledger.Invalid, "transactions must have at most 10000 members, has 10001")
	if _, total, err := b.Entries.ListTransactions(b.Ctx(), b.Who, entry.TransactionFilter{}, ledgertest.WholePage); err != nil || total != 0 ||
		b.Number("SELECT entry_sequence FROM households")+b.Number("SELECT count(*) FROM changes") != before {
		t.Errorf("%d are there, %v", total, err)
	}
}

// TestTransfersByRulesInBatch: both sides come in one batch, in whatever order, and the rule sees them all.
func TestTransfersByRulesInBatch(t *testing.T) {
	t.Parallel()
	for _, swapped := range []bool{false, true} {
		b := ledgertest.New(t)
		checking, card := b.Account(b.Who, "Checking", "EUR"), b.Account(b.Who, "Card", "EUR")
		b.Rule("Card", []string{"transaction_name like bill"}, []string{"set_as_transfer_or_payment " + card.String()})
		inputs := []entry.TransactionInput{ledgertest.Entry(checking, "2026-03-02", "50", "Bill"), ledgertest.Entry(card, "2026-03-03", "-50", "Payment"),
			ledgertest.Entry(checking, "2026-03-12", "60", "Second bill"), ledgertest.Entry(card, "2026-03-12", "-60", "One of two"), ledgertest.Entry(card, "2026-03-13", "-60", "Two of two")}
		if swapped {
			slices.Reverse(inputs)
		}
		b.CreateAll(inputs...)
		b.MovedIs("Bill>Payment! Second bill>One of two", "in one batch")
		b.Tells("in one batch", map[bool]string{
			false: "Bill [transfer by Card]\nPayment\nSecond bill\nOne of two\nTwo of two",
			true:  "Bill [transfer by Card]\nPayment\nOne of two\nSecond bill\nTwo of two",
		}[swapped])
	}
}

// TestManyEqualPairs: 225 payments leave an account and 225 arrive in another on the same day, which can be joined in
// 50,625 ways. All are joined, each with the one of its name.
func TestManyEqualPairs(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	from, to := b.Account(b.Who, "From", "EUR"), b.Account(b.Who, "To", "EUR")
	var inputs []entry.TransactionInput
	for n := range 225 {
		inputs = append(inputs, ledgertest.Entry(from, "2026-03-01", "1", fmt.Sprint(n)), ledgertest.Entry(to, "2026-03-01", "-1", fmt.Sprint(n)))
	}
	for _, made := range b.CreateAll(inputs...) {
		if made.Transfer == nil {
			t.Errorf("%s is not joined", made.Name)
		}
	}
	for _, made := range b.ListedTransfers() {
		if made.Inflow.Name != made.Outflow.Name {
			t.Errorf("%s is joined with %s", made.Outflow.Name, made.Inflow.Name)
		}
	}
}
