package entry_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
)

// TestSignOfAmounts holds what was decided.
//
// Decision, Money: inside, money into the account is positive.
// Decision, Transactions: nature income, inflow, expense or outflow, in any case, sets the direction of the absolute
// amount; without a nature a positive amount is an expense.
func TestSignOfAmounts(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account := b.Account(b.Who, "Checking", "EUR")
	for _, c := range []struct {
		amount, nature string
		want           int64
	}{
		{"12.50", "", -1250}, {"-12.50", "", 1250}, {"0", "", 0},
		{"12.50", "income", 1250}, {"-12.50", "inflow", 1250}, {"12.5", "INCOME", 1250},
		{"12.50", "expense", -1250}, {"-12.50", "Outflow", -1250},
	} {
		in := ledgertest.Entry(account, "2026-01-31", c.amount, "x")
		if c.nature != "" {
			in.Nature = ledger.Some(c.nature)
		}
		if got := b.Create(in); got.Amount != c.want {
			t.Errorf("%s %q: got %d, want %d", c.amount, c.nature, got.Amount, c.want)
		}
	}
}

// TestChangeOfAmounts holds what was decided.
//
// Decision, Transactions: a changed amount keeps the direction when positive and is an income when negative; nature
// alone turns it; the currency can change; account_id moves nothing.
func TestChangeOfAmounts(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account := b.Account(b.Who, "Checking", "EUR")
	amount := func(text string) ledger.Opt[decimal.Decimal] { return ledger.Some(decimal.RequireFromString(text)) }
	for name, c := range map[string]struct {
		before string
		change entry.TransactionInput
		want   int64
		code   string
	}{
		"positive keeps an expense":   {"10", entry.TransactionInput{Amount: amount("30")}, -3000, "EUR"},
		"positive keeps an income":    {"-10", entry.TransactionInput{Amount: amount("30")}, 3000, "EUR"},
		"negative makes an income":    {"10", entry.TransactionInput{Amount: amount("-30")}, 3000, "EUR"},
		"nature alone turns it":       {"10", entry.TransactionInput{Nature: ledger.Some("income")}, 1000, "EUR"},
		"nature alone turns it back":  {"-10", entry.TransactionInput{Nature: ledger.Some("expense")}, -1000, "EUR"},
		"nature and amount":           {"10", entry.TransactionInput{Nature: ledger.Some("income"), Amount: amount("-7.25")}, 725, "EUR"},
		"currency keeps the figure":   {"-10", entry.TransactionInput{Currency: ledger.Some("KWD")}, 10000, "KWD"},
		"nothing changes nothing":     {"10", entry.TransactionInput{}, -1000, "EUR"},
		"null amount changes nothing": {"10", entry.TransactionInput{Amount: ledger.Opt[decimal.Decimal]{Set: true, Null: true}}, -1000, "EUR"},
	} {
		fresh := b.Create(ledgertest.Entry(account, "2026-01-31", c.before, name))
		got := b.Update(uuid.UUID(fresh.PublicID), c.change)
		if got.Amount != c.want || got.Currency != c.code {
			t.Errorf("%s: got %d %s, want %d %s", name, got.Amount, got.Currency, c.want, c.code)
		}
	}
}

// TestUpdateLeavesAndClears holds what was decided.
//
// Decision, Transactions: what a change omits stays; null clears notes, category, merchant.
func TestUpdateLeavesAndClears(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account := b.Account(b.Who, "Checking", "EUR")
	category, merchant, tag := b.Category(b.Who, "Food"), b.Merchant(b.Who, "Baker"), b.Tag(b.Who, "fun")
	in := ledgertest.Entry(account, "2026-01-31", "10", "Bread")
	in.Notes, in.CategoryID, in.MerchantID = ledger.Some("two\nlines"), ledger.Some(category), ledger.Some(merchant)
	in.TagIDs = ledger.Some([]uuid.UUID{tag, tag})
	fresh := b.Create(in)
	if fresh.Category.Name != "Food" || fresh.Merchant.Name != "Baker" || len(fresh.Tags) != 1 || *fresh.Notes != "two\nlines" {
		t.Fatalf("created %+v", fresh)
	}
	same := b.Update(uuid.UUID(fresh.PublicID), entry.TransactionInput{Name: ledger.Some("Bread")})
	if same.UpdatedAt != fresh.UpdatedAt {
		t.Errorf("a change of nothing moved updated_at")
	}
	renamed := b.Update(uuid.UUID(fresh.PublicID), entry.TransactionInput{Name: ledger.Some("Rolls")})
	if renamed.Name != "Rolls" || renamed.Category == nil || renamed.Merchant == nil || len(renamed.Tags) != 1 || renamed.UpdatedAt <= fresh.UpdatedAt {
		t.Errorf("renamed %+v", renamed)
	}
	null := ledger.Opt[uuid.UUID]{Set: true, Null: true}
	bare := b.Update(uuid.UUID(fresh.PublicID), entry.TransactionInput{CategoryID: null, MerchantID: null,
		Notes: ledger.Opt[string]{Set: true, Null: true}, TagIDs: ledger.Some([]uuid.UUID{})})
	if bare.Category != nil || bare.Merchant != nil || bare.Notes != nil || len(bare.Tags) != 0 {
		t.Errorf("cleared %+v", bare)
	}
}

// TestListOrderFollowsDayThenCreation holds what was decided.
//
// Decision, Transport: transactions and trades: by date, the newest first, then by creation.
func TestListOrderFollowsDayThenCreation(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account := b.Account(b.Who, "Checking", "EUR")
	first := b.Create(ledgertest.Entry(account, "2026-01-02", "1", "first"))
	b.Create(ledgertest.Entry(account, "2026-01-03", "1", "second"))
	b.Create(ledgertest.Entry(account, "2026-01-03", "1", "third"))
	b.Create(ledgertest.Entry(account, "2026-01-01", "1", "fourth"))
	b.Update(uuid.UUID(first.PublicID), entry.TransactionInput{Date: ledger.Some(ledger.NewDate(2026, 1, 3)), TagIDs: ledger.Some([]uuid.UUID{b.Tag(b.Who, "t")})})
	list, total, err := b.Entries.ListTransactions(b.Ctx(), b.Who, entry.TransactionFilter{}, ledger.Page{Number: 1, Size: 10})
	if err != nil || total != 4 {
		t.Fatal(total, err)
	}
	for i, want := range []string{"third", "second", "first", "fourth"} {
		if list[i].Name != want {
			t.Errorf("place %d: got %s, want %s", i, list[i].Name, want)
		}
	}
	if len(list[2].Tags) != 1 {
		t.Errorf("the tag did not move with its transaction: %+v", list[2].Tags)
	}
}

func TestClientsOwnIDIsUsedOnce(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account, other := b.Account(b.Who, "Checking", "EUR"), b.Account(b.Who, "Savings", "EUR")
	in := ledgertest.Entry(account, "2026-01-31", "10", "first")
	in.ExternalID = ledger.Some("bank-1")
	first := b.Create(in)
	again := ledgertest.Entry(account, "2026-02-28", "99", "second")
	again.ExternalID, again.Source = ledger.Some("bank-1"), ledger.Some("api")
	got, created, err := b.Entries.CreateTransaction(b.Ctx(), b.Who, again)
	if err != nil || created || got.PublicID != first.PublicID || got.Name != "first" || *got.Source != "api" {
		t.Errorf("created %v, error %v, got %+v", created, err, got)
	}
	for _, free := range []entry.TransactionInput{ledgertest.Entry(other, "2026-01-31", "10", "x"), ledgertest.Entry(account, "2026-01-31", "10", "y")} {
		free.ExternalID = ledger.Some("bank-1")
		if free.Name.Value == "y" {
			free.Source = ledger.Some("other")
		}
		b.Create(free)
	}
	alone := ledgertest.Entry(account, "2026-01-31", "10", "z")
	alone.Source = ledger.Some("api")
	if _, _, err := b.Entries.CreateTransaction(b.Ctx(), b.Who, alone); !ledger.AsError(err).Fields.Has("source") {
		t.Errorf("source without external_id: %v", err)
	}
}

// TestCreateNamesEveryProblem holds what was decided.
//
// Decision, Transactions: account_id, date, amount and name or description are required.
func TestCreateNamesEveryProblem(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	stranger := b.Household("Stranger")
	account := b.Account(b.Who, "Checking", "EUR")
	in := entry.TransactionInput{AccountID: ledger.Some(account), Amount: ledger.Some(decimal.RequireFromString("1.005")),
		Nature: ledger.Some("sideways"), Name: ledger.Some("  "), CategoryID: ledger.Some(b.Category(stranger, "Theirs")),
		MerchantID: ledger.Some(b.Merchant(stranger, "Theirs")), TagIDs: ledger.Some([]uuid.UUID{b.Tag(stranger, "theirs")})}
	_, _, err := b.Entries.CreateTransaction(b.Ctx(), b.Who, in)
	e := ledger.AsError(err)
	if e == nil || e.Kind != ledger.Invalid {
		t.Fatal(err)
	}
	for _, field := range []string{"amount", "nature", "name", "date", "category_id", "merchant_id", "tag_ids"} {
		if !e.Fields.Has(field) {
			t.Errorf("%s is not named in %v", field, e.Fields)
		}
	}
	in = ledgertest.Entry(b.Account(stranger, "Theirs", "EUR"), "2026-01-01", "1", "x")
	if _, _, err := b.Entries.CreateTransaction(b.Ctx(), b.Who, in); !ledger.IsKind(err, ledger.NotFound) {
		t.Errorf("another household's account: %v", err)
	}
	_, total, err := b.Entries.ListTransactions(b.Ctx(), b.Who, entry.TransactionFilter{}, ledger.Page{Number: 1, Size: 1})
	if err != nil || total != 0 {
		t.Errorf("something was stored: %d, %v", total, err)
	}
}

func TestBatchIsAllOrNothing(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	account := b.Account(b.Who, "Checking", "EUR")
	good, bad := ledgertest.Entry(account, "2026-01-01", "1", "good"), ledgertest.Entry(account, "2026-01-01", "1", "")
	_, err := b.Entries.CreateTransactions(b.Ctx(), b.Who, []entry.TransactionInput{good, bad})
	if e := ledger.AsError(err); e == nil || !e.Fields.Has("transactions[1].name") {
		t.Fatal(err)
	}
	_, total, _ := b.Entries.ListTransactions(b.Ctx(), b.Who, entry.TransactionFilter{}, ledger.Page{Number: 1, Size: 1})
	if total != 0 {
		t.Errorf("%d of a failed batch remain", total)
	}
	list, err := b.Entries.CreateTransactions(b.Ctx(), b.Who, []entry.TransactionInput{good, good})
	if err != nil || len(list) != 2 {
		t.Error(len(list), err)
	}
}

func TestStrangersSeeNothing(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	stranger := b.Household("Stranger")
	fresh := b.Create(ledgertest.Entry(b.Account(b.Who, "Checking", "EUR"), "2026-01-01", "1", "mine alone"))
	id := uuid.UUID(fresh.PublicID)
	_, get := b.Entries.GetTransaction(b.Ctx(), stranger, id)
	_, update := b.Entries.UpdateTransaction(b.Ctx(), stranger, id, entry.TransactionInput{Name: ledger.Some("stolen")})
	for name, err := range map[string]error{"get": get, "update": update, "delete": b.Entries.DeleteTransaction(b.Ctx(), stranger, id)} {
		if !ledger.IsKind(err, ledger.NotFound) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, f := range map[string]entry.TransactionFilter{"all": {}, "search": {Search: "mine"}, "short search": {Search: "mi"}} {
		if list, total, err := b.Entries.ListTransactions(b.Ctx(), stranger, f, ledger.Page{Number: 1, Size: 10}); err != nil || total != 0 || len(list) != 0 {
			t.Errorf("%s: %d, %v", name, total, err)
		}
	}
}
