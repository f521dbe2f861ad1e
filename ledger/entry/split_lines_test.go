package entry_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
)

// part is a line in the shortest form: amount as written, and a category unless it is the zero id.
func part(amount string, category uuid.UUID) entry.SplitLineInput {
	line := entry.SplitLineInput{Amount: ledgertest.AmountOf(amount)}
	if category != uuid.Nil {
		line.CategoryID = ledger.Some(category)
	}
	return line
}

func parts(lines ...entry.SplitLineInput) ledger.Opt[[]entry.SplitLineInput] {
	return ledger.Some(lines)
}

// minors are the amounts of the lines of a transaction.
func minors(t entry.Transaction) string {
	var amounts []int64
	for _, s := range t.Split {
		amounts = append(amounts, s.Minor)
	}
	return fmt.Sprint(amounts)
}

// TestSplitCountsByItsLines: a bill of 100.00 is 60.00 of groceries and 50.00 for the household, less a refund of
// 10.00; the rest of the day is 7.00 without a category.
func TestSplitCountsByItsLines(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account := b.OpenWith("Giro", "depository", "EUR", "0")
	food, home, back := b.Category(b.Who, "Food"), b.Category(b.Who, "Home"), b.Category(b.Who, "Refunds")
	in := ledgertest.Entry(uuid.UUID(account.PublicID), "2026-03-02", "100", "Bill")
	in.SplitLines = parts(part("60", food), part("50", home), part("-10", back))
	bill := b.Create(in)
	b.Book(account, "2026-03-02", "7", "EUR", "Tram")
	if got := minors(bill); got != "[-6000 -5000 1000]" || bill.Amount != -10000 || bill.Category != nil {
		t.Errorf("got %d in %s, category %v", bill.Amount, got, bill.Category)
	}
	day := func(want string) {
		t.Helper()
		if got := ledgertest.Sums(b.Earned("2026-03-02", "2026-03-02")); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	day("1000-11700=-10700, 0 left out; Food 0-6000 of 1; Home 0-5000 of 1; Refunds 1000-0 of 1; none 0-700 of 1")
	if got := b.Balance(account, "2026-03-02").Minor; got != -10700 {
		t.Errorf("the balance is %d", got)
	}
	id := uuid.UUID(bill.PublicID)
	b.Update(id, entry.TransactionInput{SplitLines: parts(part("70", food), part("30", uuid.Nil))})
	day("0-10700=-10700, 0 left out; Food 0-7000 of 1; none 0-3700 of 2")
	b.Update(id, entry.TransactionInput{Amount: ledgertest.AmountOf("90"), Nature: ledger.Some("income"), SplitLines: parts(part("45", food), part("45", home))})
	day("9000-700=8300, 0 left out; Food 4500-0 of 1; Home 4500-0 of 1; none 0-700 of 1")
	b.Update(id, entry.TransactionInput{SplitLines: ledger.Opt[[]entry.SplitLineInput]{Set: true, Null: true}, CategoryID: ledger.Some(home)})
	day("9000-700=8300, 0 left out; Home 9000-0 of 1; none 0-700 of 1")
	if got := b.Update(id, entry.TransactionInput{SplitLines: parts(part("45", food), part("45", food))}); got.Category != nil {
		t.Errorf("a split transaction has the category %v", got.Category)
	}
	day("9000-700=8300, 0 left out; Food 9000-0 of 2; none 0-700 of 1")
	b.Remove(bill)
	day("0-700=-700, 0 left out; none 0-700 of 1")
}

// TestSplitInOtherCurrencies converts each line at the rate of the day: 0.8 euros for a dollar.
func TestSplitInOtherCurrencies(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account := b.OpenWith("Giro", "depository", "EUR", "0")
	b.Rate("USD", "EUR", "2026-03-02", "0.8")
	food := b.Category(b.Who, "Food")
	for currency, lines := range map[string][]entry.SplitLineInput{
		"USD": {part("60", food), part("40", uuid.Nil)}, "JPY": {part("98", food), part("2", uuid.Nil)}, "KWD": {part("99.999", food), part("0.001", uuid.Nil)}} {
		in := ledgertest.Entry(uuid.UUID(account.PublicID), "2026-03-02", "100", currency)
		in.Currency, in.SplitLines = ledger.Some(currency), ledger.Some(lines)
		b.Create(in)
	}
	want := "0-8000=-8000, 0 left out; Food 0-4800 of 3; none 0-3200 of 3; no rate for JPY 0-100; no rate for KWD 0-100000"
	if got := ledgertest.Sums(b.Earned("2026-03-02", "2026-03-02")); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestSignsOfSplitLines(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account := b.Account(b.Who, "Checking", "EUR")
	for _, c := range []struct{ amount, nature, currency, lines, want string }{
		{"100", "", "EUR", "60 40", "[-6000 -4000]"},
		{"100", "", "EUR", "-60 -40", "[-6000 -4000]"},
		{"-100", "", "EUR", "-60 -40", "[6000 4000]"},
		{"-100", "", "EUR", "60 40", "[6000 4000]"},
		{"100", "income", "EUR", "110 -10", "[11000 -1000]"},
		{"100", "outflow", "EUR", "110 -10", "[-11000 1000]"},
		{"-100", "expense", "EUR", "-110 10", "[-11000 1000]"},
		{"0", "", "EUR", "5 -5", "[-500 500]"},
		{"0", "income", "EUR", "5 -5", "[500 -500]"},
		{"100", "", "EUR", "100 0", "[-10000 0]"},
		{"1000", "", "JPY", "999 1", "[-999 -1]"},
		{"1.234", "", "KWD", "1.001 0.233", "[-1001 -233]"},
		{"0.30", "", "EUR", "0.1 0.1 0.1", "[-10 -10 -10]"},
	} {
		in := ledgertest.Entry(account, "2026-01-31", c.amount, "x")
		in.Currency = ledger.Some(c.currency)
		if c.nature != "" {
			in.Nature = ledger.Some(c.nature)
		}
		var lines []entry.SplitLineInput
		for _, amount := range strings.Fields(c.lines) {
			lines = append(lines, part(amount, uuid.Nil))
		}
		in.SplitLines = ledger.Some(lines)
		if got := minors(b.Create(in)); got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}

func TestSplitChanges(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account, food, fun := b.Account(b.Who, "Checking", "EUR"), b.Category(b.Who, "Food"), b.Tag(b.Who, "fun")
	in := ledgertest.Entry(account, "2026-03-02", "100", "Bill")
	first := part("60", food)
	first.Name, first.Notes, first.MerchantID, first.TagIDs = ledger.Some(" Bread "), ledger.Some("dark\nrye"), ledger.Some(b.NewMerchant("Baker")), ledger.Some([]uuid.UUID{fun, fun})
	in.SplitLines = parts(first, part("40", uuid.Nil))
	id := uuid.UUID(b.Create(in).PublicID)
	whole := func(when string) {
		t.Helper()
		got, err := b.Entries.GetTransaction(b.Ctx(), b.Who, id)
		if err != nil || len(got.Split) != 2 {
			t.Fatalf("%s: %+v, %v", when, got.Split, err)
		}
		line := got.Split[0]
		if minors(got) != "[-6000 -4000]" || *line.Name != "Bread" || *line.Notes != "dark\nrye" || line.Category.ID != food || line.Merchant.Name != "Baker" ||
			len(line.Tags) != 1 || line.Tags[0].ID != fun {
			t.Errorf("%s: %+v", when, line)
		}
		if rest := got.Split[1]; rest.Name != nil || rest.Notes != nil || rest.Category != nil || rest.Merchant != nil || rest.Tags != nil {
			t.Errorf("%s: %+v", when, rest)
		}
	}
	whole("at first")
	b.Update(id, entry.TransactionInput{Date: ledgertest.DayOf("2025-12-31")})
	whole("on another day")
	b.Update(id, entry.TransactionInput{Amount: ledgertest.AmountOf("100"), Name: ledger.Some("Paid"), CategoryID: ledger.Opt[uuid.UUID]{Set: true, Null: true}})
	whole("with the same amount")
	for want, change := range map[string]entry.TransactionInput{
		"amount cannot change while the transaction is split":   {Amount: ledgertest.AmountOf("90")},
		"nature cannot change while the transaction is split":   {Nature: ledger.Some("income")},
		"currency cannot change while the transaction is split": {Currency: ledger.Some("USD")},
		"category_id cannot be given to a split transaction":    {CategoryID: ledger.Some(food)},
		"split_lines must add up":                               {Amount: ledgertest.AmountOf("90"), SplitLines: parts(part("60", food), part("40", food))},
	} {
		_, err := b.Entries.UpdateTransaction(b.Ctx(), b.Who, id, change)
		ledgertest.Refused(t, err, ledger.Invalid, want)
	}
	whole("after refusals")
	changes := b.Changes(id)
	again := part("60", food)
	again.Name, again.Notes, again.MerchantID, again.TagIDs = ledger.Some("Bread"), first.Notes, first.MerchantID, ledger.Some([]uuid.UUID{fun})
	b.Update(id, entry.TransactionInput{SplitLines: parts(again, part("40", uuid.Nil))})
	if n := b.Changes(id); n != changes {
		t.Errorf("the same lines again are %d changes", n-changes)
	}
	b.Update(id, entry.TransactionInput{SplitLines: parts(part("50", food), part("50", food))})
	b.HistoryIs(id, "[-6000 -4000] [-5000 -5000]")
	if got := b.Update(id, entry.TransactionInput{SplitLines: parts()}); len(got.Split) != 0 {
		t.Errorf("not split any more, but %s", minors(got))
	}
	b.HistoryIs(id, "[-5000 -5000] []")
	b.CheckRollups(t.Fatal)
}

// TestSplitLabelsGo: what a line is labelled with may be deleted, and merchants be merged, and it is found by name.
func TestSplitLabelsGo(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account, food, fun := b.Account(b.Who, "Checking", "EUR"), b.NewCategory(ledgertest.CategoryNamed("Food")), b.Tag(b.Who, "fun")
	baker, miller, own := b.NewMerchant("Baker"), b.NewMerchant("Miller"), b.NewMerchant("Market")
	in := ledgertest.Entry(account, "2026-03-02", "100", "Bill")
	in.MerchantID, in.Notes = ledger.Some(own), ledger.Some("Tuesday")
	first, second := part("60", ledgertest.IDOf(food)), part("40", ledgertest.IDOf(food))
	first.Name, first.MerchantID, first.TagIDs = ledger.Some("Croissants"), ledger.Some(baker), ledger.Some([]uuid.UUID{fun})
	second.Notes, second.MerchantID = ledger.Some("spelt"), ledger.Some(miller)
	in.SplitLines = parts(first, second)
	bill := b.Create(in)
	check := func(want string, texts ...string) {
		t.Helper()
		for _, text := range texts {
			if got := b.Found(text); got != want {
				t.Errorf("%q finds %q, want %q", text, got, want)
			}
		}
	}
	check("Croissants", "croissant", "cr", "baker", "ke")
	check("Bill", "SPELT", "miller", "mi")
	check("Croissants Bill", "tuesday", "bill", "tu")
	check("", "market") // both have merchants of their own
	if _, err := b.Labels.UpdateMerchant(b.Ctx(), b.Who, baker, ledgertest.MerchantNamed("Pâtisserie")); err != nil {
		t.Fatal(err)
	}
	check("", "baker")
	check("Croissants", "PÂTISS", "croissant")
	check("Bill", "miller", "spelt")
	if _, err := b.Labels.MergeMerchant(b.Ctx(), b.Who, baker, miller); err != nil {
		t.Fatal(err)
	}
	check("", "pâtiss")
	check("Croissants Bill", "miller")
	if got := b.Get(bill).Split[0].Merchant; got == nil || got.ID != miller {
		t.Errorf("after the merge the merchant is %+v", got)
	}
	b.Update(uuid.UUID(bill.PublicID), entry.TransactionInput{Name: ledger.Some("Receipt")})
	check("Croissants Receipt", "miller", "receipt")
	check("Croissants", "croissant")
	if err := b.Labels.DeleteMerchant(b.Ctx(), b.Who, miller); err != nil {
		t.Fatal(err)
	}
	check("", "miller")
	check("Croissants Receipt", "market") // the whole's, as they have none any more
	if err := b.Labels.DeleteCategory(b.Ctx(), b.Who, ledgertest.IDOf(food)); err != nil {
		t.Fatal(err)
	}
	if err := b.Labels.DeleteTag(b.Ctx(), b.Who, fun); err != nil {
		t.Fatal(err)
	}
	line := b.Get(bill).Split[0]
	if line.Merchant != nil || line.Category != nil || line.Tags != nil || *line.Name != "Croissants" {
		t.Errorf("left is %+v", line)
	}
	b.Update(uuid.UUID(bill.PublicID), entry.TransactionInput{SplitLines: parts()})
	check("", "croissant", "spelt")
	b.CheckRollups(t.Fatal)
}

// TestSplitsOfOthers: neither a line's labels nor what is found may be another household's.
func TestSplitsOfOthers(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	stranger := b.Household("Stranger")
	in := ledgertest.Entry(b.Account(b.Who, "Checking", "EUR"), "2026-03-02", "100", "Bill")
	line := part("60", b.Category(stranger, "Theirs"))
	line.MerchantID, line.TagIDs = ledger.Some(b.Merchant(stranger, "Theirs")), ledger.Some([]uuid.UUID{b.Tag(stranger, "theirs")})
	in.SplitLines = parts(part("40", uuid.Nil), line)
	_, _, err := b.Entries.CreateTransaction(b.Ctx(), b.Who, in)
	ledgertest.Refused(t, err, ledger.Invalid, "split_lines[1].category_id is not the id", "split_lines[1].merchant_id is not the id", "split_lines[1].tag_ids has an id")
	_, err = b.Entries.CreateTransactions(b.Ctx(), b.Who, []entry.TransactionInput{in})
	ledgertest.Refused(t, err, ledger.Invalid, "transactions[0].split_lines[1].category_id is not the id")
	mine := ledgertest.Entry(b.Account(b.Who, "Other", "EUR"), "2026-03-02", "100", "Mine")
	secret := part("60", uuid.Nil)
	secret.Name = ledger.Some("secret")
	mine.SplitLines = parts(secret, part("40", uuid.Nil))
	b.Create(mine)
	for _, text := range []string{"secret", "se"} {
		if list, total, err := b.Entries.ListTransactions(b.Ctx(), stranger, entry.TransactionFilter{Search: text}, ledger.Page{Number: 1, Size: 10}); err != nil || total != 0 || len(list) != 0 {
			t.Errorf("%s: %d, %v", text, total, err)
		}
	}
}
