package ledger_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
)

// createAll books a batch.
func (b *books) createAll(inputs ...ledger.TransactionInput) []ledger.Transaction {
	b.tb.Helper()
	list, err := b.CreateTransactions(b.ctx(), b.who, inputs)
	if err != nil || len(list) != len(inputs) {
		b.tb.Fatalf("%d of %d, %v", len(list), len(inputs), err)
	}
	return list
}

// TestBatchHasWhatOneCanHave: thirty transactions with all that a transaction can have, and what it does to others.
func TestBatchHasWhatOneCanHave(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	giro, savings := b.openWith("Giro", "depository", "EUR", "0"), b.openWith("Savings", "depository", "EUR", "0")
	food, fun, dull, baker := b.category(b.who, "Food"), b.tag(b.who, "fun"), b.tag(b.who, "dull"), b.newMerchant("Baker")
	b.rule("Bread", []string{"transaction_name like bread"}, []string{"set_transaction_category " + food.String(), "set_transaction_merchant " + baker.String()})
	var inputs []ledger.TransactionInput
	for n := range 25 {
		inputs = append(inputs, entry(uuid.UUID(giro.PublicID), "2026-03-01", "3", fmt.Sprintf("Bread %d", n)))
	}
	tagged := entry(uuid.UUID(giro.PublicID), "2026-03-02", "7", "Tram")
	tagged.TagIDs, tagged.Notes = ledger.Some([]uuid.UUID{fun, dull, fun}), ledger.Some("to the zoo")
	split := entry(uuid.UUID(giro.PublicID), "2026-03-03", "100", "Bill")
	first := part("60", food)
	first.Name, first.TagIDs = ledger.Some("Lemons"), ledger.Some([]uuid.UUID{dull})
	split.SplitLines = parts(first, part("40", uuid.Nil))
	inputs = append(inputs, tagged, split,
		entry(uuid.UUID(giro.PublicID), "2026-03-04", "500", "Out"), entry(uuid.UUID(savings.PublicID), "2026-03-05", "-500", "In"), entry(uuid.UUID(giro.PublicID), "2026-03-04", "1", "Last"))
	list := b.createAll(inputs...)
	for n := range 25 {
		if got, want := tell(list[n]), fmt.Sprintf("Bread %d Food Baker [category by Bread] [merchant by Bread]", n); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := tell(list[25]); got != "Tram #dull #fun" || *list[25].Notes != "to the zoo" {
		t.Error(got)
	}
	if bill := list[26]; minors(bill) != "[-6000 -4000]" || *bill.Split[0].Name != "Lemons" || bill.Split[0].Tags[0].Name != "dull" || bill.Split[0].Category.Name != "Food" {
		t.Errorf("the bill is %+v", bill.Split)
	}
	if out, in := list[27], list[28]; out.Transfer == nil || in.Transfer == nil || out.Transfer.ID != in.Transfer.ID || in.Transfer.Other.Name != "Giro" || in.Transfer.Minor != 500_00 {
		t.Errorf("the transfer is %+v, %+v", out.Transfer, in.Transfer)
	}
	if moved := b.only(); moved.Status != ledger.TransferPending || moved.Reason != "500.00 EUR left one account and arrived in another, one day apart" || b.changes(uuid.UUID(moved.PublicID)) != 1 {
		t.Errorf("the transfer is %+v", moved)
	}
	// 25 loaves for 3.00, the tram, the bill, what moved and the last.
	if got := b.balance(giro, "2026-03-05").Minor; got != -75_00-7_00-100_00-500_00-1_00 {
		t.Errorf("the balance is %d", got)
	}
	for text, want := range map[string]string{"zoo": "Tram", "lemon": "Lemons", "last": "Last", "in": "In"} {
		if got := b.found(text); got != want {
			t.Errorf("%s finds %q", text, got)
		}
	}
	if all, total, err := b.ListTransactions(b.ctx(), b.who, ledger.TransactionFilter{Search: "baker"}, ledger.Page{Number: 1, Size: 1}); err != nil || total != 25 || all[0].Name != "Bread 24" {
		t.Errorf("the merchant of a rule finds %d, %v", total, err)
	}
	for _, made := range list {
		if n := b.changes(uuid.UUID(made.PublicID)); n != 1 {
			t.Errorf("%s is %d times in the history", made.Name, n)
		}
	}
	b.checkRollups(t.Fatal)
}

// TestRepeatsInBatch: who has an external id takes the place of another that is sent with it, known before or not.
func TestRepeatsInBatch(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	giro, other := b.account(b.who, "Giro", "EUR"), b.account(b.who, "Other", "EUR")
	b.rule("Nice", []string{"transaction_name like nice"}, []string{"set_transaction_tags " + b.tag(b.who, "nice").String()})
	sent := func(account uuid.UUID, id, source, name string) ledger.TransactionInput {
		in := entry(account, "2026-03-01", "3", name)
		if id != "" {
			in.ExternalID = ledger.Some(id)
		}
		if source != "" {
			in.Source = ledger.Some(source)
		}
		return in
	}
	b.create(sent(giro, "1", "", "known"))
	list := b.createAll(sent(giro, "2", "", "nice"), sent(giro, "1", "api", "again"), sent(giro, "2", "", "twice"), sent(giro, "2", "bank", "of the bank"),
		sent(other, "2", "", "elsewhere"), sent(giro, "", "", "free"), sent(giro, "", "", "free"), sent(giro, "2", "", "thrice"), sent(giro, `<"'é`, "", "odd"), sent(giro, `<"'é`, "", "odder"))
	var got string
	for _, made := range list {
		got += tell(made) + ","
	}
	const nice = "nice #nice [tags by Nice],"
	if want := nice + "known," + nice + "of the bank,elsewhere,free,free," + nice + "odd,odd,"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	before := b.number("SELECT count(*) FROM changes")
	if all := b.createAll(sent(giro, "2", "", "nice"), sent(giro, "1", "", "again")); all[0].ID != list[0].ID || all[1].Name != "known" {
		t.Errorf("got %s and %s", tell(all[0]), tell(all[1]))
	}
	if _, total, err := b.ListTransactions(b.ctx(), b.who, ledger.TransactionFilter{}, wholePage); err != nil || total != 7 || b.number("SELECT count(*) FROM changes") != before {
		t.Errorf("there are %d, %v", total, err)
	}
	b.checkRollups(t.Fatal)
}

// TestOneBadAmongMany: the only wrong one of ten thousand is named, and nothing is written.
func TestOneBadAmongMany(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	account := b.account(b.who, "Giro", "EUR")
	inputs := slices.Repeat([]ledger.TransactionInput{entry(account, "2026-03-01", "3", "good")}, ledger.MaxBulk)
	inputs[7_777].Amount, inputs[7_777].CategoryID = amountOf("1.234"), ledger.Some(account)
	before := b.number("SELECT entry_sequence FROM households") + b.number("SELECT count(*) FROM changes")
	_, err := b.CreateTransactions(b.ctx(), b.who, inputs)
	refused(t, err, ledger.Invalid, "transactions[7777].amount", "transactions[7777].category_id is not the id")
	if e := ledger.AsError(err); len(e.Fields) != 2 {
		t.Error(e.Fields)
	}
	inputs[9_999].AccountID = ledger.Some(uuid.New())
	_, err = b.CreateTransactions(b.ctx(), b.who, inputs)
	refused(t, err, ledger.Invalid, "transactions[7777].amount", "transactions[9999].account_id is not the id of one of the household's own accounts")
	_, err = b.CreateTransactions(b.ctx(), b.who, append(inputs, inputs[0]))
	refused(t, err, ledger.Invalid, "transactions must have at most 10000 members, has 10001")
	if _, total, err := b.ListTransactions(b.ctx(), b.who, ledger.TransactionFilter{}, wholePage); err != nil || total != 0 ||
		b.number("SELECT entry_sequence FROM households")+b.number("SELECT count(*) FROM changes") != before {
		t.Errorf("%d are there, %v", total, err)
	}
}

// TestTransfersByRulesInBatch: both sides come in one batch, in whatever order, and the rule sees them all.
func TestTransfersByRulesInBatch(t *testing.T) {
	t.Parallel()
	for _, swapped := range []bool{false, true} {
		b := newBooks(t)
		checking, card := b.account(b.who, "Checking", "EUR"), b.account(b.who, "Card", "EUR")
		b.rule("Card", []string{"transaction_name like bill"}, []string{"set_as_transfer_or_payment " + card.String()})
		inputs := []ledger.TransactionInput{entry(checking, "2026-03-02", "50", "Bill"), entry(card, "2026-03-03", "-50", "Payment"),
			entry(checking, "2026-03-12", "60", "Second bill"), entry(card, "2026-03-12", "-60", "One of two"), entry(card, "2026-03-13", "-60", "Two of two")}
		if swapped {
			slices.Reverse(inputs)
		}
		b.createAll(inputs...)
		b.movedIs("Bill>Payment! Second bill>One of two", "in one batch")
		b.tells("in one batch", map[bool]string{
			false: "Bill [transfer by Card]\nPayment\nSecond bill\nOne of two\nTwo of two",
			true:  "Bill [transfer by Card]\nPayment\nOne of two\nSecond bill\nTwo of two",
		}[swapped])
	}
}

// TestManyEqualPairs: 225 payments leave an account and 225 arrive in another on the same day, which can be joined in
// 50,625 ways. All are joined, each with the one of its name.
func TestManyEqualPairs(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	from, to := b.account(b.who, "From", "EUR"), b.account(b.who, "To", "EUR")
	var inputs []ledger.TransactionInput
	for n := range 225 {
		inputs = append(inputs, entry(from, "2026-03-01", "1", fmt.Sprint(n)), entry(to, "2026-03-01", "-1", fmt.Sprint(n)))
	}
	for _, made := range b.createAll(inputs...) {
		if made.Transfer == nil {
			t.Errorf("%s is not joined", made.Name)
		}
	}
	for _, made := range b.transfers() {
		if made.Inflow.Name != made.Outflow.Name {
			t.Errorf("%s is joined with %s", made.Outflow.Name, made.Inflow.Name)
		}
	}
}
