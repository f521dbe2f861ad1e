package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
)

func valuationOf(account ledger.Account, day, amount string) ledger.ValuationInput {
	return ledger.ValuationInput{AccountID: ledger.Some(uuid.UUID(account.PublicID)), Date: dayOf(day), Amount: amountOf(amount)}
}

// state makes a valuation and says whether it is new.
func (b *books) state(in ledger.ValuationInput) (ledger.Valuation, bool) {
	b.tb.Helper()
	v, created, err := b.CreateValuation(b.ctx(), b.who, in)
	if err != nil {
		b.tb.Fatal(err)
	}
	return v, created
}

// stated lists valuations as day, written amount and the first letter of the kind.
func (b *books) stated(f ledger.ValuationFilter, page ledger.Page) (string, int64) {
	b.tb.Helper()
	list, total, err := b.ListValuations(b.ctx(), b.who, f, page)
	if err != nil {
		b.tb.Fatal(err)
	}
	var out []string
	for _, v := range list {
		out = append(out, fmt.Sprintf("%s %d %c", v.Day, v.Minor, v.Kind[0]))
	}
	return strings.Join(out, ", "), total
}

var wholePage = ledger.Page{Number: 1, Size: 100}

// TestOpeningThatFloats: an opening balance without a date lies on the day on which the account was made
// (2026-03-01, by the clock of the books) until there is an entry, then on the day before the first one.
func TestOpeningThatFloats(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	in := accountNamed("Card", "credit_card")
	in.Balance = amountOf("20")
	card := b.open(in)
	check := func(want string) {
		t.Helper()
		if got, _ := b.stated(ledger.ValuationFilter{}, wholePage); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	check("2026-03-01 2000 o")
	spent := b.create(entry(uuid.UUID(card.PublicID), "2026-02-10", "5", "x"))
	check("2026-02-09 2000 o")
	b.state(valuationOf(card, "2026-02-09", "7"))
	check("2026-02-09 700 r, 2026-02-08 2000 o")
	if err := b.DeleteTransaction(b.ctx(), b.who, uuid.UUID(spent.PublicID)); err != nil {
		t.Fatal(err)
	}
	check("2026-02-09 700 r, 2026-02-08 2000 o")
	list, _, err := b.ListValuations(b.ctx(), b.who, ledger.ValuationFilter{EndDate: dayOf("2026-02-08")}, wholePage)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	opening := uuid.UUID(list[0].PublicID)
	change := func(in ledger.ValuationInput) {
		t.Helper()
		if _, err := b.UpdateValuation(b.ctx(), b.who, opening, in); err != nil {
			t.Fatal(err)
		}
	}
	change(ledger.ValuationInput{Date: dayOf("2026-02-08"), Amount: amountOf("30")}) // the day that was shown: it goes on floating
	b.create(entry(uuid.UUID(card.PublicID), "2026-02-01", "5", "x"))
	check("2026-02-09 700 r, 2026-01-31 3000 o")
	change(ledger.ValuationInput{Date: dayOf("2026-02-03")})
	check("2026-02-09 700 r, 2026-02-03 3000 o")
	if err := b.DeleteValuation(b.ctx(), b.who, opening); err != nil {
		t.Fatal(err)
	}
	check("2026-02-09 700 r")
	if a, err := b.GetAccount(b.ctx(), b.who, uuid.UUID(card.PublicID)); err != nil || a.OpeningMinor != 0 || a.BalanceMinor != 700 {
		t.Errorf("got %+v, %v", a, err)
	}
}

func TestOpeningBeforeTheFirstDayOfAll(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	a := b.open(accountNamed("A", "depository"))
	b.create(entry(uuid.UUID(a.PublicID), "1900-01-01", "5", "x"))
	if got, _ := b.stated(ledger.ValuationFilter{}, wholePage); got != "1900-01-01 0 o" {
		t.Errorf("got %s", got)
	}
}

// TestValuationOfTheSameDay: the second one of a day overwrites the first, whatever its kind, and keeps
// its id.
func TestValuationOfTheSameDay(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	in := accountNamed("A", "depository")
	in.Balance, in.Date = amountOf("10"), dayOf("2026-01-01")
	a := b.open(in)
	opening, created := b.state(valuationOf(a, "2026-01-01", "11"))
	if created || opening.Kind != "opening_anchor" || opening.Minor != 1100 {
		t.Errorf("got %+v, created %t", opening, created)
	}
	first := valuationOf(a, "2026-01-05", "-12.50")
	first.Notes = ledger.Some("as the bank says")
	one, created := b.state(first)
	if !created || one.Kind != "reconciliation" || one.Minor != -1250 || one.Amount != -1250 || *one.Notes != "as the bank says" {
		t.Errorf("got %+v, created %t", one, created)
	}
	two, created := b.state(valuationOf(a, "2026-01-05", "13"))
	if created || two.PublicID != one.PublicID || two.Minor != 1300 || *two.Notes != "as the bank says" || two.UpdatedAt <= one.UpdatedAt {
		t.Errorf("got %+v, created %t", two, created)
	}
	again := valuationOf(a, "2026-01-05", "13.0")
	if same, created := b.state(again); created || same.UpdatedAt != two.UpdatedAt {
		t.Errorf("got %+v, created %t", same, created)
	}
	again.Notes = null[string]()
	if cleared, _ := b.state(again); cleared.Notes != nil {
		t.Errorf("got %+v", cleared)
	}
	// Written were: new, 13, no notes; the same again was not.
	if n := b.changes(uuid.UUID(one.PublicID)); n != 3 {
		t.Errorf("history has %d changes", n)
	}
	if err := b.DeleteValuation(b.ctx(), b.who, uuid.UUID(one.PublicID)); err != nil {
		t.Fatal(err)
	}
	if n := b.changes(uuid.UUID(one.PublicID)); n != 4 {
		t.Errorf("history has %d changes", n)
	}
	if _, err := b.GetValuation(b.ctx(), b.who, uuid.UUID(one.PublicID)); !ledger.IsKind(err, ledger.NotFound) {
		t.Error(err)
	}
}

func TestListValuations(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	dated := accountNamed("Card", "credit_card")
	dated.Balance, dated.Date = amountOf("5"), dayOf("2026-01-02")
	card, cash := b.open(dated), b.open(accountNamed("Cash", "depository"))
	for _, v := range []struct {
		account     ledger.Account
		day, amount string
	}{{card, "2026-01-04", "1"}, {cash, "2026-01-04", "2"}, {cash, "2026-01-03", "3"}, {card, "2027-01-01", "4"}, {card, "2026-01-03", "-6"}} {
		b.state(valuationOf(v.account, v.day, v.amount))
	}
	for name, c := range map[string]struct {
		filter ledger.ValuationFilter
		page   ledger.Page
		want   string
		total  int64
	}{
		"all":            {ledger.ValuationFilter{}, wholePage, "2027-01-01 400 r, 2026-01-04 200 r, 2026-01-04 100 r, 2026-01-03 -600 r, 2026-01-03 300 r, 2026-01-02 0 o, 2026-01-02 500 o", 7},
		"second page":    {ledger.ValuationFilter{}, ledger.Page{Number: 2, Size: 3}, "2026-01-03 -600 r, 2026-01-03 300 r, 2026-01-02 0 o", 7},
		"last page":      {ledger.ValuationFilter{}, ledger.Page{Number: 3, Size: 3}, "2026-01-02 500 o", 7},
		"beyond":         {ledger.ValuationFilter{}, ledger.Page{Number: 4, Size: 3}, "", 7},
		"one account":    {ledger.ValuationFilter{AccountID: ledger.Some(uuid.UUID(cash.PublicID))}, wholePage, "2026-01-04 200 r, 2026-01-03 300 r, 2026-01-02 0 o", 3},
		"days":           {ledger.ValuationFilter{StartDate: dayOf("2026-01-03"), EndDate: dayOf("2026-01-04")}, wholePage, "2026-01-04 200 r, 2026-01-04 100 r, 2026-01-03 -600 r, 2026-01-03 300 r", 4},
		"a floating day": {ledger.ValuationFilter{AccountID: ledger.Some(uuid.UUID(cash.PublicID)), EndDate: dayOf("2026-01-02")}, wholePage, "2026-01-02 0 o", 1},
		"no days":        {ledger.ValuationFilter{StartDate: dayOf("2026-01-04"), EndDate: dayOf("2026-01-03")}, wholePage, "", 0},
		"no account":     {ledger.ValuationFilter{AccountID: ledger.Some(uuid.New())}, wholePage, "", 0},
	} {
		if got, total := b.stated(c.filter, c.page); got != c.want || total != c.total {
			t.Errorf("%s:\n got %s, %d\nwant %s, %d", name, got, total, c.want, c.total)
		}
	}
}

func TestChangeValuation(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	a := b.open(accountNamed("Loan", "loan"))
	first, _ := b.state(valuationOf(a, "2026-01-05", "100"))
	b.state(valuationOf(a, "2026-01-07", "90"))
	id := uuid.UUID(first.PublicID)
	_, err := b.UpdateValuation(b.ctx(), b.who, id, ledger.ValuationInput{Date: dayOf("2026-01-07"), Amount: amountOf("1")})
	refused(t, err, ledger.Invalid, "date must be a day without another valuation of the account, 2026-01-07 has one")
	_, err = b.UpdateValuation(b.ctx(), b.who, id, ledger.ValuationInput{Amount: amountOf("1.005"), Notes: ledger.Some("a\x00")})
	refused(t, err, ledger.Invalid, "amount has more decimals", "notes must not contain control characters")
	for _, c := range []struct {
		in   ledger.ValuationInput
		want string
	}{
		{ledger.ValuationInput{}, "2026-01-05 100.00 -"},
		{ledger.ValuationInput{Notes: ledger.Some(" n\n")}, "2026-01-05 100.00  n\n"},
		{ledger.ValuationInput{Amount: amountOf("99.5")}, "2026-01-05 99.50  n\n"},
		{ledger.ValuationInput{Date: dayOf("2026-01-06"), Notes: null[string]()}, "2026-01-06 99.50 -"},
		{ledger.ValuationInput{Date: null[ledger.Date]()}, "2026-01-06 99.50 -"},
	} {
		v, err := b.UpdateValuation(b.ctx(), b.who, id, c.in)
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
	if n := b.changes(id); n != 4 {
		t.Errorf("history has %d changes", n)
	}
	b.who = b.household("Neighbour")
	_, err = b.UpdateValuation(b.ctx(), b.who, id, ledger.ValuationInput{Amount: amountOf("1")})
	refused(t, err, ledger.NotFound)
	refused(t, b.DeleteValuation(b.ctx(), b.who, id), ledger.NotFound)
	_, _, err = b.CreateValuation(b.ctx(), b.who, valuationOf(a, "2026-01-05", "1"))
	refused(t, err, ledger.NotFound)
}
