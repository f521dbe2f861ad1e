package transfer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/transfer"
)

// TestTransferIsMatched: 100.00 EUR leave Giro on March 2nd and arrive in Tagesgeld on the 4th.
//
// Decision, Transactions: transfers: opposite amounts of different accounts within four days, one to one.
func TestTransferIsMatched(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro, savings := b.OpenWith("Giro", "depository", "EUR", "0"), b.OpenWith("Tagesgeld", "depository", "EUR", "0")
	out := b.Book(giro, "2026-03-02", "100", "EUR", "Out")
	in := b.Book(savings, "2026-03-04", "-100", "EUR", "In")
	got := b.Only()
	if in.Transfer == nil || in.Transfer.ID != uuid.UUID(got.PublicID) || in.Transfer.Minor != 100_00 || in.Transfer.Other.Name != "Giro" {
		t.Errorf("the new side says %+v", in.Transfer)
	}
	after := b.Get(out)
	if after.Transfer == nil || after.Transfer.Other.Name != "Tagesgeld" || after.UpdatedAt <= out.UpdatedAt {
		t.Errorf("the old side says %+v, updated at %d, before %d", after.Transfer, after.UpdatedAt, out.UpdatedAt)
	}
	const reason = "100.00 EUR left one account and arrived in another, 2 days apart"
	if got.Status != "pending" || got.Reason != reason || got.Type() != "transfer" || got.Outflow.Kind != "funds_movement" || got.Inflow.Kind != "funds_movement" {
		t.Errorf("got %s %q %s %s %s", got.Status, got.Reason, got.Type(), got.Outflow.Kind, got.Inflow.Kind)
	}
	if fee, known := got.Fee(); known {
		t.Errorf("got a fee of %d", fee)
	}
	if n := b.Changes(uuid.UUID(got.PublicID)); n != 1 {
		t.Errorf("the history has %d changes of the transfer", n)
	}
}

// TestWhatIsNoTransfer: each of these differs in one respect from 100.00 EUR that leave Giro on March 10th.
func TestWhatIsNoTransfer(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro, savings := b.OpenWith("Giro", "depository", "EUR", "0"), b.OpenWith("Savings", "depository", "EUR", "0")
	closed, dollars := b.OpenWith("Closed", "depository", "EUR", "0"), b.OpenWith("Dollars", "depository", "USD", "0")
	if _, err := b.Accounts.UpdateAccount(b.Ctx(), b.Who, uuid.UUID(closed.PublicID), catalog.AccountInput{Status: ledger.Some("disabled")}); err != nil {
		t.Fatal(err)
	}
	b.Rate("EUR", "USD", "2026-01-05", "1")
	b.Book(giro, "2026-03-10", "100", "EUR", "Out")
	b.Book(giro, "2026-03-10", "0", "EUR", "Nothing")
	b.Book(savings, "2026-03-10", "0", "EUR", "Nothing either")
	for _, c := range []struct {
		account                     catalog.Account
		day, amount, name, currency string
	}{
		{giro, "2026-03-10", "-100", "same account", "EUR"},
		{savings, "2026-03-15", "-100", "five days later", "EUR"},
		{savings, "2026-03-05", "-100", "five days before", "EUR"},
		{savings, "2026-03-10", "100", "same direction", "EUR"},
		{savings, "2026-03-10", "-100.01", "a cent more", "EUR"},
		{closed, "2026-03-10", "-100", "disabled account", "EUR"},
		{dollars, "2026-03-10", "-100", "a rate that is too old", "USD"},
	} {
		made := b.Book(c.account, c.day, c.amount, c.currency, c.name)
		b.MovedIs("", c.name)
		b.Remove(made)
	}
	b.Book(savings, "2026-03-14", "-100", "EUR", "four days later")
	b.MovedIs("Out>four days later", "at last")
}

// TestNearestDayIsMatched: which of several is taken does not depend on what was written first.
func TestNearestDayIsMatched(t *testing.T) {
	t.Parallel()
	type written struct{ account, day, amount, name string }
	for name, c := range map[string]struct {
		rows []written
		want string
	}{
		"two on one day, and the account that was opened first": {[]written{{"A", "02", "5", "out"}, {"C", "02", "-5", "late"}, {"B", "02", "-5", "early"}}, "out>early"},
		"two alike in one account, by the closest name":         {[]written{{"A", "02", "5", "out"}, {"B", "02", "-5", "y"}, {"B", "02", "-5", "x"}}, "out>y"},
		"the same name":           {[]written{{"A", "02", "5", "z"}, {"B", "02", "-5", "a"}, {"B", "02", "-5", "z"}}, "z>z"},
		"the nearer":              {[]written{{"A", "02", "5", "out"}, {"B", "05", "-5", "far"}, {"C", "03", "-5", "near"}}, "out>near"},
		"arrived after it left":   {[]written{{"A", "03", "5", "out"}, {"B", "02", "-5", "before"}, {"C", "04", "-5", "after"}}, "out>after"},
		"a chain that is shifted": {[]written{{"A", "05", "5", "a"}, {"B", "08", "-5", "b"}, {"A", "07", "5", "c"}, {"B", "04", "-5", "d"}}, "a>d c>b"},
		"pairs of two":            {[]written{{"A", "02", "5", "a1"}, {"B", "02", "-5", "b1"}, {"A", "03", "5", "a2"}, {"B", "03", "-5", "b2"}}, "a1>b1 a2>b2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, order := range permutations(len(c.rows)) {
				b := ledgertest.New(t)
				accounts := map[string]catalog.Account{}
				for _, name := range []string{"A", "B", "C"} {
					accounts[name] = b.OpenWith(name, "depository", "EUR", "0")
				}
				for _, at := range order {
					r := c.rows[at]
					b.Book(accounts[r.account], "2026-03-"+r.day, r.amount, "EUR", r.name)
				}
				b.MovedIs(c.want, fmt.Sprint(order))
			}
		})
	}
}

func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for _, shorter := range permutations(n - 1) {
		for at := range n {
			all = append(all, slices.Insert(slices.Clone(shorter), at, n-1))
		}
	}
	return all
}

// TestCardPayment: what the money does is said by the account that receives it.
func TestCardPayment(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro := b.OpenWith("Giro", "depository", "EUR", "0")
	for kind, want := range map[string]string{
		"credit_card": "liability_payment cc_payment", "other_liability": "liability_payment cc_payment", "loan": "loan_payment loan_payment",
		"investment": "transfer investment_contribution", "crypto": "transfer investment_contribution", "property": "transfer funds_movement",
	} {
		other := b.OpenWith(kind, kind, "EUR", "0")
		out := b.Book(giro, "2026-03-02", "250.00", "EUR", "Payment")
		in := b.Book(other, "2026-03-02", "-250.00", "EUR", "Thank you")
		got := b.Only()
		if is := got.Type() + " " + got.Outflow.Kind; is != want || got.Inflow.Kind != "funds_movement" {
			t.Errorf("%s: got %s %s, want %s", kind, is, got.Inflow.Kind, want)
		}
		b.Remove(in)
		b.Remove(out)
	}
}

// TestBackdatedTransactionMatchesAnew: out on the 5th was matched with in on the 8th; then another leaves on
// the 7th, which is nearer. When that goes the first has its partner back.
func TestBackdatedTransactionMatchesAnew(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro, savings := b.OpenWith("Giro", "depository", "EUR", "0"), b.OpenWith("Savings", "depository", "EUR", "0")
	b.Book(savings, "2026-03-08", "-5", "EUR", "in")
	first := b.Book(giro, "2026-03-05", "5", "EUR", "first")
	b.MovedIs("first>in", "at first")
	nearer := b.Book(giro, "2026-03-07", "5", "EUR", "nearer")
	b.MovedIs("nearer>in", "with the nearer one")
	if got := b.Get(first); got.Transfer != nil || got.UpdatedAt <= first.UpdatedAt {
		t.Errorf("the first says %+v", got.Transfer)
	}
	b.Update(uuid.UUID(nearer.PublicID), entry.TransactionInput{Date: ledgertest.DayOf("2026-03-03")})
	b.MovedIs("first>in", "after the nearer one has moved away")
	b.Update(uuid.UUID(nearer.PublicID), entry.TransactionInput{Date: ledgertest.DayOf("2026-03-09")})
	b.MovedIs("nearer>in", "after it came back")
	b.Update(uuid.UUID(nearer.PublicID), entry.TransactionInput{Amount: ledgertest.AmountOf("6")})
	b.MovedIs("first>in", "with another amount")
	b.Update(uuid.UUID(nearer.PublicID), entry.TransactionInput{Amount: ledgertest.AmountOf("5")})
	b.MovedIs("nearer>in", "with the old amount")
	b.Update(uuid.UUID(nearer.PublicID), entry.TransactionInput{Currency: ledger.Some("USD")})
	b.MovedIs("first>in", "in another currency")
	b.Update(uuid.UUID(nearer.PublicID), entry.TransactionInput{Currency: ledger.Some("EUR")})
	b.Remove(nearer)
	b.MovedIs("first>in", "without the nearer one")
	b.Remove(first)
	b.MovedIs("", "without both")
}

// TestRenamingKeepsTheTransfer: a name only decides between candidates that are otherwise alike.
func TestRenamingKeepsTheTransfer(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro, savings := b.OpenWith("Giro", "depository", "EUR", "0"), b.OpenWith("Savings", "depository", "EUR", "0")
	b.Book(giro, "2026-03-05", "5", "EUR", "out")
	in := b.Book(savings, "2026-03-05", "-5", "EUR", "in")
	before := b.Only()
	b.Update(uuid.UUID(in.PublicID), entry.TransactionInput{Name: ledger.Some("other"), Notes: ledger.Some("x")})
	if after := b.Only(); after.PublicID != before.PublicID || after.Inflow.Name != "other" {
		t.Errorf("got %v %s", after.PublicID, after.Inflow.Name)
	}
	more := b.Book(savings, "2026-03-05", "-5", "EUR", "more")
	b.Update(uuid.UUID(more.PublicID), entry.TransactionInput{Name: ledger.Some("out")})
	b.MovedIs("out>out", "beside one of the same name")
	b.Update(uuid.UUID(more.PublicID), entry.TransactionInput{Name: ledger.Some("more")})
	b.Update(uuid.UUID(in.PublicID), entry.TransactionInput{Name: ledger.Some("out")})
	b.MovedIs("out>out", "with the same name")
	if after := b.Only(); after.Inflow.PublicID != in.PublicID {
		t.Error("it is not the one that has the name now")
	}
}

// TestRejectionIsForGood: the two never come again, whatever is changed; others may come in their place. What is
// created anew is another transaction.
func TestRejectionIsForGood(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro, savings := b.OpenWith("Giro", "depository", "EUR", "0"), b.OpenWith("Savings", "depository", "EUR", "0")
	out := b.Book(giro, "2026-03-05", "5", "EUR", "out")
	in := b.Book(savings, "2026-03-05", "-5", "EUR", "in")
	b.Book(savings, "2026-03-06", "-5", "EUR", "next")
	rejected := b.Reject(b.Only())
	b.MovedIs("out>next", "after the rejection")
	if rejected.Inflow.Kind != "standard" || rejected.Outflow.Name != "out" || rejected.Inflow.Name != "in" {
		t.Errorf("got %+v", rejected)
	}
	b.Reject(b.Only())
	for _, day := range []string{"2026-03-06", "2026-03-05"} {
		b.Update(uuid.UUID(in.PublicID), entry.TransactionInput{Date: ledgertest.DayOf(day)})
		b.Update(uuid.UUID(out.PublicID), entry.TransactionInput{Date: ledgertest.DayOf(day), Amount: ledgertest.AmountOf("6")})
		b.Update(uuid.UUID(out.PublicID), entry.TransactionInput{Amount: ledgertest.AmountOf("5")})
		b.MovedIs("", "after a change to "+day)
	}
	if list, total, err := b.Transfers.ListRejectedTransfers(b.Ctx(), b.Who, transfer.Filter{}, ledgertest.WholePage); err != nil || total != 2 || list[0].Inflow.Name != "next" || list[1].PublicID != rejected.PublicID {
		t.Errorf("got %v, %d, %v", list, total, err)
	}
	if err := b.Transfers.DeleteRejectedTransfer(b.Ctx(), b.Who, uuid.UUID(rejected.PublicID)); err != nil {
		t.Fatal(err)
	}
	b.MovedIs("out>in", "after it was taken back")
	b.Reject(b.Only())
	b.Remove(in)
	b.Book(savings, "2026-03-05", "-5", "EUR", "in again")
	b.MovedIs("out>in again", "with a new transaction")
	if _, total, err := b.Transfers.ListRejectedTransfers(b.Ctx(), b.Who, transfer.Filter{}, ledgertest.WholePage); err != nil || total != 1 {
		t.Errorf("%d are rejected, %v", total, err)
	}
}

// TestLinkByHand: 1,000.00 EUR leave and 1,079.00 USD arrive; then 100.00 EUR leave and 98.50 arrive.
func TestLinkByHand(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro, savings, dollars := b.OpenWith("Giro", "depository", "EUR", "0"), b.OpenWith("Savings", "depository", "EUR", "0"), b.OpenWith("Dollars", "depository", "USD", "0")
	euros := b.Book(giro, "2026-03-05", "1000", "EUR", "euros")
	bucks := b.Book(dollars, "2026-03-07", "-1079", "USD", "bucks")
	b.MovedIs("", "without a rate")
	linked, err := b.Link(bucks, euros)
	if err != nil {
		t.Fatal(err)
	}
	if fee, known := linked.Fee(); known || linked.Status != "confirmed" || linked.Reason != "linked by hand" {
		t.Errorf("got %d %s %q", fee, linked.Status, linked.Reason)
	}
	whole, part := b.Book(giro, "2026-03-10", "100", "EUR", "whole"), b.Book(savings, "2026-03-20", "-98.50", "EUR", "part")
	b.Book(savings, "2026-03-11", "-100", "EUR", "other")
	b.MovedIs("euros>bucks! whole>other", "before")
	if linked, err = b.Link(part, whole); err != nil {
		t.Fatal(err)
	}
	if fee, known := linked.Fee(); !known || fee != 150 {
		t.Errorf("got a fee of %d", fee)
	}
	b.MovedIs("euros>bucks! whole>part!", "after")
	b.Book(giro, "2026-03-12", "100", "EUR", "instead")
	b.MovedIs("euros>bucks! instead>other whole>part!", "the one that was left is matched")
	b.Update(uuid.UUID(part.PublicID), entry.TransactionInput{Amount: ledgertest.AmountOf("90"), Date: ledgertest.DayOf("2026-04-30")})
	b.MovedIs("euros>bucks! instead>other whole>part!", "a confirmed transfer stays")
	b.Update(uuid.UUID(part.PublicID), entry.TransactionInput{Nature: ledger.Some("expense")})
	b.MovedIs("euros>bucks! whole>other", "money that does not arrive is no transfer")
	if err := b.Transfers.UnlinkTransfer(b.Ctx(), b.Who, uuid.UUID(b.Get(euros).Transfer.ID)); err != nil {
		t.Fatal(err)
	}
	b.MovedIs("whole>other", "unlinked")
}

func TestRefusedLinks(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro, savings := b.OpenWith("Giro", "depository", "EUR", "0"), b.OpenWith("Savings", "depository", "EUR", "0")
	out, in := b.Book(giro, "2026-03-05", "100", "EUR", "out"), b.Book(savings, "2026-04-04", "-90", "EUR", "in")
	late, more := b.Book(savings, "2026-04-05", "-90", "EUR", "late"), b.Book(savings, "2026-03-05", "-100.01", "EUR", "more")
	same, nothing := b.Book(giro, "2026-03-05", "-50", "EUR", "same"), b.Book(savings, "2026-03-05", "0", "EUR", "nothing")
	for name, c := range map[string]struct {
		in, out entry.Transaction
		want    string
	}{
		"31 days":      {late, out, "outflow_transaction_id must be at most 30 days apart from the inflow, is 31: 2026-03-05 and 2026-04-05"},
		"more":         {more, out, "inflow_transaction_id must bring in at most what left, which is 100.00 EUR, has 100.01 EUR"},
		"same account": {same, out, "outflow_transaction_id must be a transaction of another account than the inflow's"},
		"no outflow":   {in, late, "outflow_transaction_id must be a transaction that takes money out of its account, has 90.00 EUR"},
		"no inflow":    {nothing, out, "inflow_transaction_id must be a transaction that brings money into its account, has 0.00 EUR"},
		"unknown":      {entry.Transaction{}, out, "inflow_transaction_id is not the id of one of the household's own transactions: 00000000-0000-0000-0000-000000000000"},
	} {
		if _, err := b.Link(c.in, c.out); ledger.AsError(err) == nil || ledger.AsError(err).Message != c.want {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
	if _, err := b.Link(in, out); err != nil {
		t.Fatal("30 days, and less arrives:", err)
	}
	if _, err := b.Link(late, out); !ledger.IsKind(err, ledger.Invalid) || !strings.Contains(err.Error(), "outflow_transaction_id must be a transaction that is in no other transfer") {
		t.Errorf("a second link: got %v", err)
	}
	b.MovedIs("out>in!", "at the end")
}

// TestConfirming: what is confirmed does not give way to a nearer day.
func TestConfirming(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro, savings := b.OpenWith("Giro", "depository", "EUR", "0"), b.OpenWith("Savings", "depository", "EUR", "0")
	b.Book(giro, "2026-03-05", "5", "EUR", "out")
	in := b.Book(savings, "2026-03-08", "-5", "EUR", "in")
	id := uuid.UUID(b.Only().PublicID)
	if _, err := b.Transfers.UpdateTransfer(b.Ctx(), b.Who, id, transfer.Input{Status: ledger.Some("confirmed"), Notes: ledger.Some("rent")}); err != nil {
		t.Fatal(err)
	}
	nearer := b.Book(savings, "2026-03-05", "-5", "EUR", "nearer")
	b.MovedIs("out>in!", "beside a nearer one")
	if _, err := b.Transfers.UpdateTransfer(b.Ctx(), b.Who, id, transfer.Input{Status: ledger.Some("pending")}); !ledger.IsKind(err, ledger.Invalid) {
		t.Errorf("back to pending: got %v", err)
	}
	if got := b.Only(); *got.Notes != "rent" || uuid.UUID(got.PublicID) != id {
		t.Errorf("got %+v", got)
	}
	b.Remove(nearer)
	b.Remove(in)
	b.MovedIs("", "a side is gone")
	b.Book(savings, "2026-03-09", "-5", "EUR", "again")
	b.MovedIs("out>again", "the other is free")
}
