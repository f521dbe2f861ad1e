package market_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/market"
)

func splitInput(t *testing.T, ticker, when, ratio string) market.SplitInput {
	return market.SplitInput{Security: ledgertest.TickerRef(ticker), Date: ledger.Some(day(t, when)), Ratio: ledger.Some(ratio)}
}

// TestSplitsAndPricesOfWhatIsHeld: 10 are bought at 100.00 on January 10; 2:1 on February 1 makes 20 of them, worth
// 50.00 each; a price of 60.00 on February 15; 15 are sold on March 1 at 70.00, which the price of February hides.
func TestSplitsAndPricesOfWhatIsHeld(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	b.Tick = b.Tick.AddDate(0, 3, 0)
	account, acme := b.Account(b.Who, "Depot", "EUR"), b.Security("ACME")
	b.Trade(account, acme, 1, day(t, "2026-01-10"), "10", "100")
	b.Trade(account, acme, 2, day(t, "2026-03-01"), "-15", "70")
	// Without the split the sale takes more than there is, whatever came before.
	if _, err := b.Market.CreateSplit(b.Ctx(), b.Who, splitInput(t, "ACME", "2026-01-01", "3:2")); !ledger.IsKind(err, ledger.Conflict) ||
		ledgertest.Wrong(err) != "the sale on 2026-03-01 would take more than is held then, 5 too much: change or delete it first" {
		t.Errorf("got %v", err)
	}
	b.Exec("UPDATE trades SET allow_short = 1 WHERE quantity = '-15'")
	early, err := b.Market.CreateSplit(b.Ctx(), b.Who, splitInput(t, "ACME", "2026-01-01", "3:2")) // before anything was held
	if err != nil || early.Numerator != 3 || early.Denominator != 2 || early.Security.Ticker != "ACME" {
		t.Fatal(early, err)
	}
	b.Exec("UPDATE trades SET allow_short = 0")
	split, err := b.Market.CreateSplit(b.Ctx(), b.Who, splitInput(t, "ACME", "2026-02-01", "2:1"))
	if err != nil {
		t.Fatal(err)
	}
	days := []string{"2026-01-10", "2026-01-31", "2026-02-01", "2026-02-14", "2026-02-15", "2026-02-28", "2026-03-01", "2026-05-01"}
	if got, want := b.Held(days...), "10 100000, 10 100000, 20 100000, 20 100000, 20 100000, 20 100000, 5 35000, 5 35000"; got != want {
		t.Errorf("without a market price: got %s, want %s", got, want)
	}
	if got := b.Prices("ACME 2026-02-15 60 EUR"); got != "1 0 0" {
		t.Fatal(got)
	}
	if got, want := b.Held(days...), "10 100000, 10 100000, 20 100000, 20 100000, 20 120000, 20 120000, 5 30000, 5 30000"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got := b.ImportPrices("date,ticker,price,currency\n2026-02-15,ACME,61,EUR\n2026-01-31,ACME,90,EUR\n"); got != "1 1 0 []" {
		t.Fatal(got)
	}
	if got, want := b.Held(days...), "10 100000, 10 90000, 20 90000, 20 90000, 20 122000, 20 122000, 5 30500, 5 30500"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	list, _, err := b.Market.ListPrices(b.Ctx(), b.Who, market.PriceFilter{}, ledger.Page{Number: 1, Size: 1})
	if err != nil || b.Market.DeletePrice(b.Ctx(), b.Who, list[0].ID) != nil {
		t.Fatal(list, err)
	}
	if got, want := b.Held(days...), "10 100000, 10 90000, 20 90000, 20 90000, 20 90000, 20 90000, 5 22500, 5 22500"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if err := b.Market.DeleteSplit(b.Ctx(), b.Who, uuid.UUID(split.PublicID)); !ledger.IsKind(err, ledger.Conflict) {
		t.Errorf("got %v", err)
	}
	if err := b.Market.DeleteSplit(b.Ctx(), b.Who, uuid.UUID(early.PublicID)); err != nil {
		t.Errorf("got %v", err)
	}
	if err := b.Market.DeleteSecurity(b.Ctx(), b.Who, acme); !ledger.IsKind(err, ledger.Conflict) || ledgertest.Wrong(err) != "ACME has trades, the first on 2026-01-10: delete those first" {
		t.Errorf("got %v", err)
	}
	if got, want := b.Held(days...), "10 100000, 10 90000, 20 90000, 20 90000, 20 90000, 20 90000, 5 22500, 5 22500"; got != want {
		t.Errorf("after what was refused: got %s, want %s", got, want)
	}
}

func TestListSplits(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	acme := b.Security("ACME")
	b.Security("BOND")
	neighbour := b.Household("Neighbour")
	b.SecurityOf(neighbour, "ACME")
	for _, s := range []string{"ACME 2026-01-01 2:1", "BOND 2026-01-01 1:10", "ACME 2025-01-01 3:2", "BOND 2027-01-01 1000000:999999"} {
		word := strings.Fields(s)
		if _, err := b.Market.CreateSplit(b.Ctx(), b.Who, splitInput(t, word[0], word[1], word[2])); err != nil {
			t.Fatal(err)
		}
	}
	list := func(who ledger.Actor, f market.SplitFilter, page ledger.Page) string {
		t.Helper()
		list, total, err := b.Market.ListSplits(b.Ctx(), who, f, page)
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
		filter market.SplitFilter
		page   ledger.Page
		want   string
	}{
		{b.Who, market.SplitFilter{}, all, "4 BOND 2027-01-01 1000000:999999 BOND 2026-01-01 1:10 ACME 2026-01-01 2:1 ACME 2025-01-01 3:2"},
		{b.Who, market.SplitFilter{}, ledger.Page{Number: 2, Size: 3}, "4 ACME 2025-01-01 3:2"},
		{b.Who, market.SplitFilter{}, ledger.Page{Number: 9, Size: 3}, "4"},
		{b.Who, market.SplitFilter{SecurityID: ledger.Some(acme)}, all, "2 ACME 2026-01-01 2:1 ACME 2025-01-01 3:2"},
		{b.Who, market.SplitFilter{SecurityID: ledger.Some(uuid.Nil)}, all, "0"},
		{b.Who, market.SplitFilter{StartDate: ledger.Some(day(t, "2025-01-02")), EndDate: ledger.Some(day(t, "2026-01-01"))}, all, "2 BOND 2026-01-01 1:10 ACME 2026-01-01 2:1"},
		{neighbour, market.SplitFilter{}, all, "0"},
		{neighbour, market.SplitFilter{SecurityID: ledger.Some(acme)}, all, "0"},
	} {
		if got := list(c.who, c.filter, c.page); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.filter, got, c.want)
		}
	}
	rows, _, err := b.Market.ListSplits(b.Ctx(), b.Who, market.SplitFilter{}, all)
	if err != nil {
		t.Fatal(err)
	}
	id := uuid.UUID(rows[0].PublicID)
	if err := b.Market.DeleteSplit(b.Ctx(), neighbour, id); ledgertest.Wrong(err) != "Security split not found" {
		t.Errorf("got %v", err)
	}
	if err := b.Market.DeleteSplit(b.Ctx(), b.Who, id); err != nil || b.Changes(id) != 2 {
		t.Errorf("got %v, %d changes", err, b.Changes(id))
	}
	if err := b.Market.DeleteSplit(b.Ctx(), b.Who, id); ledgertest.Wrong(err) != "Security split not found" {
		t.Errorf("got %v", err)
	}
}

func TestBadSplits(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	b.Security("ACME")
	good := splitInput(t, "ACME", "2026-01-01", "2:1")
	if _, err := b.Market.CreateSplit(b.Ctx(), b.Who, good); err != nil {
		t.Fatal(err)
	}
	numbers := func(numerator, denominator int64) market.SplitInput {
		return market.SplitInput{Security: good.Security, Date: ledger.Some(day(t, "2026-02-01")), Numerator: ledger.Some(numerator), Denominator: ledger.Some(denominator)}
	}
	both := numbers(2, 1)
	both.Ratio = good.Ratio
	for _, c := range []struct {
		in   market.SplitInput
		want string
	}{
		{good, "date must be a day without another split of the security, 2026-01-01 has one"},
		{numbers(2, 2), "numerator must differ from denominator: a split of 2:2 changes nothing"},
		{numbers(0, -1), "numerator must be a whole number from 1 to 1000000, got 0; denominator must be a whole number from 1 to 1000000, got -1"},
		{numbers(1_000_001, 1), "numerator must be a whole number from 1 to 1000000, got 1000001"},
		{both, "ratio must not be given beside numerator and denominator"},
		{market.SplitInput{}, "numerator is required, such as 2 where 1 unit became 2; or give a ratio such as 2:1; denominator is required, such as 1 where 1 unit became 2; or give a ratio such as 2:1; " +
			"date is required, such as 2026-01-31; security_id is required, or in its place a ticker such as AAPL or AAPL|XNAS"},
		{splitInput(t, "NONE", "2026-02-01", "2:1"), "ticker is not that of one of the household's own securities: NONE"},
	} {
		if _, err := b.Market.CreateSplit(b.Ctx(), b.Who, c.in); ledgertest.Wrong(err) != c.want {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
	for _, ratio := range []string{"", "2", "2:", ":1", "2:1:1", "1:1", "0:1", "-2:1", "1.5:1", "2/1", "two:one", "1000001:1", "99999999999999999999:1"} {
		want := fmt.Sprintf("ratio must be two different whole numbers from 1 to 1000000 such as 2:1, where 1 unit became 2, got %q", ratio)
		if _, err := b.Market.CreateSplit(b.Ctx(), b.Who, splitInput(t, "ACME", "2026-02-01", ratio)); ledgertest.Wrong(err) != want {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
	if _, err := b.Market.CreateSplit(b.Ctx(), b.Who, splitInput(t, "ACME", "2026-02-01", " 3 : 2 ")); err != nil {
		t.Error(err)
	}
}
