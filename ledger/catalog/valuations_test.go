package catalog_test

import (
	"fmt"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/ledgertest"
)

// TestOpeningThatFloats: an opening balance without a date lies on the day on which the account was made
// (2026-03-01, by the clock of the books) until there is an entry, then on the day before the first one.
func TestOpeningThatFloats(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	in := ledgertest.AccountNamed("Card", "credit_card")
	in.Balance = ledgertest.AmountOf("20")
	card := b.Open(in)
	check := func(want string) {
		t.Helper()
		if got, _ := b.Stated(catalog.ValuationFilter{}, ledgertest.WholePage); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	check("2026-03-01 2000 o")
	spent := b.Create(ledgertest.Entry(uuid.UUID(card.PublicID), "2026-02-10", "5", "x"))
	check("2026-02-09 2000 o")
	b.State(ledgertest.ValuationOf(card, "2026-02-09", "7"))
	check("2026-02-09 700 r, 2026-02-08 2000 o")
	if err := b.Entries.DeleteTransaction(b.Ctx(), b.Who, uuid.UUID(spent.PublicID)); err != nil {
		t.Fatal(err)
	}
	check("2026-02-09 700 r, 2026-02-08 2000 o")
	list, _, err := b.Accounts.ListValuations(b.Ctx(), b.Who, catalog.ValuationFilter{EndDate: ledgertest.DayOf("2026-02-08")}, ledgertest.WholePage)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	opening := uuid.UUID(list[0].PublicID)
	change := func(in catalog.ValuationInput) {
		t.Helper()
		if _, err := b.Accounts.UpdateValuation(b.Ctx(), b.Who, opening, in); err != nil {
			t.Fatal(err)
		}
	}
	change(catalog.ValuationInput{Date: ledgertest.DayOf("2026-02-08"), Amount: ledgertest.AmountOf("30")}) // the day that was shown: it goes on floating
	b.Create(ledgertest.Entry(uuid.UUID(card.PublicID), "2026-02-01", "5", "x"))
	check("2026-02-09 700 r, 2026-01-31 3000 o")
	change(catalog.ValuationInput{Date: ledgertest.DayOf("2026-02-03")})
	check("2026-02-09 700 r, 2026-02-03 3000 o")
	if err := b.Accounts.DeleteValuation(b.Ctx(), b.Who, opening); err != nil {
		t.Fatal(err)
	}
	check("2026-02-09 700 r")
	if a, err := b.Accounts.GetAccount(b.Ctx(), b.Who, uuid.UUID(card.PublicID)); err != nil || a.OpeningMinor != 0 || a.BalanceMinor != 700 {
		t.Errorf("got %+v, %v", a, err)
	}
}

func TestOpeningBeforeTheFirstDayOfAll(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	a := b.Open(ledgertest.AccountNamed("A", "depository"))
	b.Create(ledgertest.Entry(uuid.UUID(a.PublicID), "1900-01-01", "5", "x"))
	if got, _ := b.Stated(catalog.ValuationFilter{}, ledgertest.WholePage); got != "1900-01-01 0 o" {
		t.Errorf("got %s", got)
	}
}

// TestValuationOfTheSameDay: the second one of a day overwrites the first, whatever its kind, and keeps
// its id.
func TestValuationOfTheSameDay(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	in := ledgertest.AccountNamed("A", "depository")
	in.Balance, in.Date = ledgertest.AmountOf("10"), ledgertest.DayOf("2026-01-01")
	a := b.Open(in)
	opening, created := b.State(ledgertest.ValuationOf(a, "2026-01-01", "11"))
	if created || opening.Kind != "opening_anchor" || opening.Minor != 1100 {
		t.Errorf("got %+v, created %t", opening, created)
	}
	first := ledgertest.ValuationOf(a, "2026-01-05", "-12.50")
	first.Notes = ledger.Some("as the bank says")
	one, created := b.State(first)
	if !created || one.Kind != "reconciliation" || one.Minor != -1250 || one.Amount != -1250 || *one.Notes != "as the bank says" {
		t.Errorf("got %+v, created %t", one, created)
	}
	two, created := b.State(ledgertest.ValuationOf(a, "2026-01-05", "13"))
	if created || two.PublicID != one.PublicID || two.Minor != 1300 || *two.Notes != "as the bank says" || two.UpdatedAt <= one.UpdatedAt {
		t.Errorf("got %+v, created %t", two, created)
	}
	again := ledgertest.ValuationOf(a, "2026-01-05", "13.0")
	if same, created := b.State(again); created || same.UpdatedAt != two.UpdatedAt {
		t.Errorf("got %+v, created %t", same, created)
	}
	again.Notes = null[string]()
	if cleared, _ := b.State(again); cleared.Notes != nil {
		t.Errorf("got %+v", cleared)
	}
	// Written were: new, 13, no notes; the same again was not.
	if n := b.Changes(uuid.UUID(one.PublicID)); n != 3 {
		t.Errorf("history has %d changes", n)
	}
	if err := b.Accounts.DeleteValuation(b.Ctx(), b.Who, uuid.UUID(one.PublicID)); err != nil {
		t.Fatal(err)
	}
	if n := b.Changes(uuid.UUID(one.PublicID)); n != 4 {
		t.Errorf("history has %d changes", n)
	}
	if _, err := b.Accounts.GetValuation(b.Ctx(), b.Who, uuid.UUID(one.PublicID)); !ledger.IsKind(err, ledger.NotFound) {
		t.Error(err)
	}
}

func TestListValuations(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	dated := ledgertest.AccountNamed("Card", "credit_card")
	dated.Balance, dated.Date = ledgertest.AmountOf("5"), ledgertest.DayOf("2026-01-02")
	card, cash := b.Open(dated), b.Open(ledgertest.AccountNamed("Cash", "depository"))
	for _, v := range []struct {
		account     catalog.Account
		day, amount string
	}{{card, "2026-01-04", "1"}, {cash, "2026-01-04", "2"}, {cash, "2026-01-03", "3"}, {card, "2027-01-01", "4"}, {card, "2026-01-03", "-6"}} {
		b.State(ledgertest.ValuationOf(v.account, v.day, v.amount))
	}
	for name, c := range map[string]struct {
		filter catalog.ValuationFilter
		page   ledger.Page
		want   string
		total  int64
	}{
		"all":            {catalog.ValuationFilter{}, ledgertest.WholePage, "2027-01-01 400 r, 2026-01-04 200 r, 2026-01-04 100 r, 2026-01-03 -600 r, 2026-01-03 300 r, 2026-01-02 0 o, 2026-01-02 500 o", 7},
		"second page":    {catalog.ValuationFilter{}, ledger.Page{Number: 2, Size: 3}, "2026-01-03 -600 r, 2026-01-03 300 r, 2026-01-02 0 o", 7},
		"last page":      {catalog.ValuationFilter{}, ledger.Page{Number: 3, Size: 3}, "2026-01-02 500 o", 7},
		"beyond":         {catalog.ValuationFilter{}, ledger.Page{Number: 4, Size: 3}, "", 7},
		"one account":    {catalog.ValuationFilter{AccountID: ledger.Some(uuid.UUID(cash.PublicID))}, ledgertest.WholePage, "2026-01-04 200 r, 2026-01-03 300 r, 2026-01-02 0 o", 3},
		"days":           {catalog.ValuationFilter{StartDate: ledgertest.DayOf("2026-01-03"), EndDate: ledgertest.DayOf("2026-01-04")}, ledgertest.WholePage, "2026-01-04 200 r, 2026-01-04 100 r, 2026-01-03 -600 r, 2026-01-03 300 r", 4},
		"a floating day": {catalog.ValuationFilter{AccountID: ledger.Some(uuid.UUID(cash.PublicID)), EndDate: ledgertest.DayOf("2026-01-02")}, ledgertest.WholePage, "2026-01-02 0 o", 1},
		"no days":        {catalog.ValuationFilter{StartDate: ledgertest.DayOf("2026-01-04"), EndDate: ledgertest.DayOf("2026-01-03")}, ledgertest.WholePage, "", 0},
		"no account":     {catalog.ValuationFilter{AccountID: ledger.Some(uuid.New())}, ledgertest.WholePage, "", 0},
	} {
		if got, total := b.Stated(c.filter, c.page); got != c.want || total != c.total {
			t.Errorf("%s:\n got %s, %d\nwant %s, %d", name, got, total, c.want, c.total)
		}
	}
}

func TestChangeValuation(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	a := b.Open(ledgertest.AccountNamed("Loan", "loan"))
	first, _ := b.State(ledgertest.ValuationOf(a, "2026-01-05", "100"))
	b.State(ledgertest.ValuationOf(a, "2026-01-07", "90"))
	id := uuid.UUID(first.PublicID)
	_, err := b.Accounts.UpdateValuation(b.Ctx(), b.Who, id, catalog.ValuationInput{Date: ledgertest.DayOf("2026-01-07"), Amount: ledgertest.AmountOf("1")})
	ledgertest.Refused(t, err, ledger.Invalid, "date must be a day without another valuation of the account, 2026-01-07 has one")
	_, err = b.Accounts.UpdateValuation(b.Ctx(), b.Who, id, catalog.ValuationInput{Amount: ledgertest.AmountOf("1.005"), Notes: ledger.Some("a\x00")})
	ledgertest.Refused(t, err, ledger.Invalid, "amount has more decimals", "notes must not contain control characters")
	for _, c := range []struct {
		in   catalog.ValuationInput
		want string
	}{
		{catalog.ValuationInput{}, "2026-01-05 100.00 -"},
		{catalog.ValuationInput{Notes: ledger.Some(" n\n")}, "2026-01-05 100.00  n\n"},
		{catalog.ValuationInput{Amount: ledgertest.AmountOf("99.5")}, "2026-01-05 99.50  n\n"},
		{catalog.ValuationInput{Date: ledgertest.DayOf("2026-01-06"), Notes: null[string]()}, "2026-01-06 99.50 -"},
		{catalog.ValuationInput{Date: null[ledger.Date]()}, "2026-01-06 99.50 -"},
	} {
		v, err := b.Accounts.UpdateValuation(b.Ctx(), b.Who, id, c.in)
		if err != nil {
			t.Fatal(err)
		}
		notes := "-"
		if v.Notes != nil {
			notes = *v.Notes
		}
		if got := fmt.Sprintf("%s %d.%02d %s", v.Day, v.Minor/100, v.Minor%100, notes); got != c.want || v.Amount != -v.Minor {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	// Written were: new, notes, amount, date; the two that changed nothing were not.
	if n := b.Changes(id); n != 4 {
		t.Errorf("history has %d changes", n)
	}
	b.Who = b.Household("Neighbour")
	_, err = b.Accounts.UpdateValuation(b.Ctx(), b.Who, id, catalog.ValuationInput{Amount: ledgertest.AmountOf("1")})
	ledgertest.Refused(t, err, ledger.NotFound)
	ledgertest.Refused(t, b.Accounts.DeleteValuation(b.Ctx(), b.Who, id), ledger.NotFound)
	_, _, err = b.Accounts.CreateValuation(b.Ctx(), b.Who, ledgertest.ValuationOf(a, "2026-01-05", "1"))
	ledgertest.Refused(t, err, ledger.NotFound)
}
