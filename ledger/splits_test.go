package ledger_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
)

// trade inserts a purchase or sale; the change of a split or price from its day on brings what follows up to date.
func (b *books) trade(account, security uuid.UUID, number int64, when ledger.Date, quantity, price string) {
	kind := "buy"
	if strings.HasPrefix(quantity, "-") {
		kind = "sell"
	}
	b.insert(`INSERT INTO trades (public_id, id, household_id, account_id, security_id, date, kind, quantity, price, amount, currency, name, created_at, updated_at)
		SELECT ?, ?, ?, a.id, s.id, ?, ?, ?, ?, 0, 'EUR', 'x', 0, 0 FROM accounts a, securities s WHERE a.public_id = ? AND s.public_id = ?`,
		int64(ledger.NewKey(b.who.HouseholdID, when, number)), b.who.HouseholdID, int64(when), kind, quantity, price, account[:], security[:])
}

// held is how many units are held, and what they are worth, at the end of days.
func (b *books) held(days ...string) string {
	b.tb.Helper()
	var out []string
	for _, text := range days {
		when, err := ledger.ParseDate(text)
		if err != nil {
			b.tb.Fatal(err)
		}
		list, _, err := b.ListHoldings(b.ctx(), b.who, ledger.HoldingFilter{Date: ledger.Some(when)}, ledger.Page{Number: 1, Size: 10})
		if err != nil {
			b.tb.Fatal(err)
		}
		for _, h := range list {
			out = append(out, fmt.Sprint(h.Quantity, " ", h.Minor))
		}
	}
	return strings.Join(out, ", ")
}

func splitInput(t *testing.T, ticker, when, ratio string) ledger.SplitInput {
	return ledger.SplitInput{Security: tickerRef(ticker), Date: ledger.Some(day(t, when)), Ratio: ledger.Some(ratio)}
}

// TestSplitsAndPricesOfWhatIsHeld: 10 are bought at 100.00 on January 10; 2:1 on February 1 makes 20 of them, worth
// 50.00 each; a price of 60.00 on February 15; 15 are sold on March 1 at 70.00, which the price of February hides.
func TestSplitsAndPricesOfWhatIsHeld(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	b.tick = b.tick.AddDate(0, 3, 0)
	account, acme := b.account(b.who, "Depot", "EUR"), b.security("ACME")
	b.trade(account, acme, 1, day(t, "2026-01-10"), "10", "100")
	b.trade(account, acme, 2, day(t, "2026-03-01"), "-15", "70")
	// Without the split the sale takes more than there is, whatever came before.
	if _, err := b.CreateSplit(b.ctx(), b.who, splitInput(t, "ACME", "2026-01-01", "3:2")); !ledger.IsKind(err, ledger.Conflict) ||
		wrong(err) != "the sale on 2026-03-01 would take more than is held then, 5 too much: change or delete it first" {
		t.Errorf("got %v", err)
	}
	b.exec("UPDATE trades SET allow_short = 1 WHERE quantity = '-15'")
	early, err := b.CreateSplit(b.ctx(), b.who, splitInput(t, "ACME", "2026-01-01", "3:2")) // before anything was held
	if err != nil || early.Numerator != 3 || early.Denominator != 2 || early.Security.Ticker != "ACME" {
		t.Fatal(early, err)
	}
	b.exec("UPDATE trades SET allow_short = 0")
	split, err := b.CreateSplit(b.ctx(), b.who, splitInput(t, "ACME", "2026-02-01", "2:1"))
	if err != nil {
		t.Fatal(err)
	}
	days := []string{"2026-01-10", "2026-01-31", "2026-02-01", "2026-02-14", "2026-02-15", "2026-02-28", "2026-03-01", "2026-05-01"}
	if got, want := b.held(days...), "10 100000, 10 100000, 20 100000, 20 100000, 20 100000, 20 100000, 5 35000, 5 35000"; got != want {
		t.Errorf("without a market price: got %s, want %s", got, want)
	}
	if got := b.prices("ACME 2026-02-15 60 EUR"); got != "1 0 0" {
		t.Fatal(got)
	}
	if got, want := b.held(days...), "10 100000, 10 100000, 20 100000, 20 100000, 20 120000, 20 120000, 5 30000, 5 30000"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := b.importPrices("date,ticker,price,currency\n2026-02-15,ACME,61,EUR\n2026-01-31,ACME,90,EUR\n"); got != "1 1 0 []" {
		t.Fatal(got)
	}
	if got, want := b.held(days...), "10 100000, 10 90000, 20 90000, 20 90000, 20 122000, 20 122000, 5 30500, 5 30500"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	list, _, err := b.ListPrices(b.ctx(), b.who, ledger.PriceFilter{}, ledger.Page{Number: 1, Size: 1})
	if err != nil || b.DeletePrice(b.ctx(), b.who, list[0].ID) != nil {
		t.Fatal(list, err)
	}
	if got, want := b.held(days...), "10 100000, 10 90000, 20 90000, 20 90000, 20 90000, 20 90000, 5 22500, 5 22500"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := b.DeleteSplit(b.ctx(), b.who, uuid.UUID(split.PublicID)); !ledger.IsKind(err, ledger.Conflict) {
		t.Errorf("got %v", err)
	}
	if err := b.DeleteSplit(b.ctx(), b.who, uuid.UUID(early.PublicID)); err != nil {
		t.Errorf("got %v", err)
	}
	if err := b.DeleteSecurity(b.ctx(), b.who, acme); !ledger.IsKind(err, ledger.Conflict) || wrong(err) != "ACME has trades, the first on 2026-01-10: delete those first" {
		t.Errorf("got %v", err)
	}
	if got, want := b.held(days...), "10 100000, 10 90000, 20 90000, 20 90000, 20 90000, 20 90000, 5 22500, 5 22500"; got != want {
		t.Errorf("after what was refused: got %s, want %s", got, want)
	}
}

func TestListSplits(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	acme := b.security("ACME")
	b.security("BOND")
	neighbour := b.household("Neighbour")
	b.securityOf(neighbour, "ACME")
	for _, s := range []string{"ACME 2026-01-01 2:1", "BOND 2026-01-01 1:10", "ACME 2025-01-01 3:2", "BOND 2027-01-01 1000000:999999"} {
		word := strings.Fields(s)
		if _, err := b.CreateSplit(b.ctx(), b.who, splitInput(t, word[0], word[1], word[2])); err != nil {
			t.Fatal(err)
		}
	}
	list := func(who ledger.Actor, f ledger.SplitFilter, page ledger.Page) string {
		t.Helper()
		list, total, err := b.ListSplits(b.ctx(), who, f, page)
		if err != nil {
			t.Fatal(err)
		}
		out := fmt.Sprint(total)
		for _, s := range list {
			out += fmt.Sprintf(" %s %s %d:%d", s.Security.Ticker, ledger.Date(s.Date), s.Numerator, s.Denominator)
		}
		return out
	}
	all := ledger.Page{Number: 1, Size: 25}
	for _, c := range []struct {
		who    ledger.Actor
		filter ledger.SplitFilter
		page   ledger.Page
		want   string
	}{
		{b.who, ledger.SplitFilter{}, all, "4 BOND 2027-01-01 1000000:999999 BOND 2026-01-01 1:10 ACME 2026-01-01 2:1 ACME 2025-01-01 3:2"},
		{b.who, ledger.SplitFilter{}, ledger.Page{Number: 2, Size: 3}, "4 ACME 2025-01-01 3:2"},
		{b.who, ledger.SplitFilter{}, ledger.Page{Number: 9, Size: 3}, "4"},
		{b.who, ledger.SplitFilter{SecurityID: ledger.Some(acme)}, all, "2 ACME 2026-01-01 2:1 ACME 2025-01-01 3:2"},
		{b.who, ledger.SplitFilter{SecurityID: ledger.Some(uuid.Nil)}, all, "0"},
		{b.who, ledger.SplitFilter{StartDate: ledger.Some(day(t, "2025-01-02")), EndDate: ledger.Some(day(t, "2026-01-01"))}, all, "2 BOND 2026-01-01 1:10 ACME 2026-01-01 2:1"},
		{neighbour, ledger.SplitFilter{}, all, "0"},
		{neighbour, ledger.SplitFilter{SecurityID: ledger.Some(acme)}, all, "0"},
	} {
		if got := list(c.who, c.filter, c.page); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.filter, got, c.want)
		}
	}
	rows, _, err := b.ListSplits(b.ctx(), b.who, ledger.SplitFilter{}, all)
	if err != nil {
		t.Fatal(err)
	}
	id := uuid.UUID(rows[0].PublicID)
	if err := b.DeleteSplit(b.ctx(), neighbour, id); wrong(err) != "Security split not found" {
		t.Errorf("got %v", err)
	}
	if err := b.DeleteSplit(b.ctx(), b.who, id); err != nil || b.changes(id) != 2 {
		t.Errorf("got %v, %d changes", err, b.changes(id))
	}
	if err := b.DeleteSplit(b.ctx(), b.who, id); wrong(err) != "Security split not found" {
		t.Errorf("got %v", err)
	}
}

func TestBadSplits(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	b.security("ACME")
	good := splitInput(t, "ACME", "2026-01-01", "2:1")
	if _, err := b.CreateSplit(b.ctx(), b.who, good); err != nil {
		t.Fatal(err)
	}
	numbers := func(numerator, denominator int64) ledger.SplitInput {
		return ledger.SplitInput{Security: good.Security, Date: ledger.Some(day(t, "2026-02-01")), Numerator: ledger.Some(numerator), Denominator: ledger.Some(denominator)}
	}
	both := numbers(2, 1)
	both.Ratio = good.Ratio
	for _, c := range []struct {
		in   ledger.SplitInput
		want string
	}{
		{good, "date must be a day without another split of the security, 2026-01-01 has one"},
		{numbers(2, 2), "numerator must differ from denominator: a split of 2:2 changes nothing"},
		{numbers(0, -1), "numerator must be a whole number from 1 to 1000000, got 0; denominator must be a whole number from 1 to 1000000, got -1"},
		{numbers(1_000_001, 1), "numerator must be a whole number from 1 to 1000000, got 1000001"},
		{both, "ratio must not be given beside numerator and denominator"},
		{ledger.SplitInput{}, "numerator is required, such as 2 where 1 unit became 2; or give a ratio such as 2:1; denominator is required, such as 1 where 1 unit became 2; or give a ratio such as 2:1; " +
			"date is required, such as 2026-01-31; security_id is required, or in its place a ticker such as AAPL or AAPL|XNAS"},
		{splitInput(t, "NONE", "2026-02-01", "2:1"), "ticker is not that of one of the household's own securities: NONE"},
	} {
		if _, err := b.CreateSplit(b.ctx(), b.who, c.in); wrong(err) != c.want {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
	for _, ratio := range []string{"", "2", "2:", ":1", "2:1:1", "1:1", "0:1", "-2:1", "1.5:1", "2/1", "two:one", "1000001:1", "99999999999999999999:1"} {
		want := fmt.Sprintf("ratio must be two different whole numbers from 1 to 1000000 such as 2:1, where 1 unit became 2, got %q", ratio)
		if _, err := b.CreateSplit(b.ctx(), b.who, splitInput(t, "ACME", "2026-02-01", ratio)); wrong(err) != want {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
	if _, err := b.CreateSplit(b.ctx(), b.who, splitInput(t, "ACME", "2026-02-01", " 3 : 2 ")); err != nil {
		t.Error(err)
	}
}
