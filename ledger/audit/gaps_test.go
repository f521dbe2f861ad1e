package audit_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/audit"
	"finsvc/ledger/catalog"
	"finsvc/ledger/fx"
	"finsvc/ledger/ledgertest"
)

// TestRateGaps: a rate counts however old it is, and is told after seven days. Of the pounds 5.00 are booked in an account
// in euros before their first rate, and the krone has rates that lead nowhere.
func TestRateGaps(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro := b.OpenWith("Giro", "depository", "EUR", "10")
	b.OpenWith("Dollars", "depository", "USD", "25")
	b.OpenWith("Yen", "depository", "JPY", "1000")
	b.OpenWith("Owed", "loan", "USD", "5")
	b.OpenWith("None", "depository", "SEK", "0")
	b.Book(giro, "2026-02-10", "-5", "GBP", "Refund")
	b.OpenWith("Krone", "depository", "NOK", "7")
	b.OpenWith("Francs", "depository", "CHF", "9")
	b.Rate("EUR", "USD", "2026-02-21", "1.1")
	b.Rate("EUR", "JPY", "2026-02-22", "160")
	b.Rate("GBP", "EUR", "2026-02-11", "1.2")
	b.Rate("NOK", "DKK", "2020-01-02", "0.6")
	pounds, krone, dollars := ledgertest.DayOf("2026-02-11").Value, ledgertest.DayOf("2020-01-02").Value, ledgertest.DayOf("2026-02-21").Value
	gaps := b.Gaps()
	b.GapsAre(gaps.Rates, []audit.RateGap{
		{From: "CHF", To: "EUR", Minor: 900, Accounts: []string{"Francs"}},
		{From: "GBP", To: "EUR", Minor: 500, Accounts: []string{"Giro"}, Since: &pounds},
		{From: "NOK", To: "EUR", Minor: 700, Accounts: []string{"Krone"}, Since: &krone},
	})
	b.GapsAre(gaps.Stale, []fx.StaleRate{{From: "USD", To: "EUR", Date: ledgertest.DayOf("2026-03-01").Value, RateDate: dollars}})
}

// TestRateGapOfTheHouseholdsCurrency: euros that were booked in an account in dollars are left out of that.
func TestRateGapOfTheHouseholdsCurrency(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	b.Book(b.OpenWith("Dollars", "depository", "USD", "0"), "2026-02-10", "-5", "EUR", "Refund")
	b.GapsAre(b.Gaps().Rates, []audit.RateGap{{From: "EUR", To: "USD", Minor: 500, Accounts: []string{"Dollars"}}})
}

// TestPriceGaps: a price is old after thirty days; what is not held any more needs none.
func TestPriceGaps(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	depot := b.OpenWith("Depot", "investment", "EUR", "1000")
	for _, deal := range [][2]string{{"OLD", "2025-01-07"}, {"NEW", "2025-01-07"}, {"PAID", "2026-01-29"}, {"LATELY", "2026-01-30"}, {"SOLD", "2025-01-07"}} {
		if err := b.DealIn(depot, deal[1], deal[0], "1", "10", "EUR"); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.DealIn(depot, "2025-01-08", "SOLD", "-1", "10", "EUR"); err != nil {
		t.Fatal(err)
	}
	b.ImportPrices("date,ticker,price,currency\n2026-01-29,OLD,11,EUR\n2026-01-30,NEW,11,EUR\n")
	old := ledgertest.DayOf("2026-01-29").Value
	b.GapsAre(b.Gaps().Prices, []audit.PriceGap{{Ticker: "OLD", Day: old, Traded: false}, {Ticker: "PAID", Day: old, Traded: true}})
}

// TestQuietGaps: an account with entries on six days of its last year, and then none for more than ninety days.
func TestQuietGaps(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	for name, days := range map[string][]string{
		"Quiet":     {"2024-12-01", "2025-05-01", "2025-06-01", "2025-07-01", "2025-08-01", "2025-11-30"},
		"Long":      {"2024-11-30", "2025-05-01", "2025-06-01", "2025-07-01", "2025-08-01", "2025-11-30"}, // the first is more than a year before
		"Rare":      {"2025-05-01", "2025-06-01", "2025-07-01", "2025-08-01", "2025-11-30"},
		"Lately":    {"2025-05-01", "2025-06-01", "2025-07-01", "2025-08-01", "2025-10-01", "2025-12-01"},
		"Scheduled": {"2025-05-01", "2025-06-01", "2025-07-01", "2025-08-01", "2025-10-01", "2027-01-01"},
		"Disabled":  {"2025-05-01", "2025-06-01", "2025-07-01", "2025-08-01", "2025-10-01", "2025-11-30"},
	} {
		account := b.OpenWith(name, "depository", "EUR", "0")
		for _, day := range days {
			b.Book(account, day, "-1", "EUR", "x")
		}
		if name == "Disabled" {
			if _, err := b.Accounts.UpdateAccount(b.Ctx(), b.Who, uuid.UUID(account.PublicID), catalog.AccountInput{Status: ledger.Some("disabled")}); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.GapsAre(b.Gaps().Quiet, []audit.InactiveAccount{{Account: "Quiet", Last: ledgertest.DayOf("2025-11-30").Value}})
}

// TestOverdrawn: a liability is below zero when more was paid than is owed, which is nothing to look at.
func TestOverdrawn(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	for _, a := range [][2]string{{"depository", "-0.01"}, {"depository", "0"}, {"property", "5"}, {"credit_card", "5"}, {"credit_card", "-5"}} {
		b.OpenWith(fmt.Sprint(a), a[0], "EUR", a[1])
	}
	other := b.Household("Other")
	b.Account(other, "Foreign", "EUR")
	b.GapsAre(b.Gaps().Overdrawn, []audit.Overdrawn{{Account: "[depository -0.01]", Currency: "EUR", Minor: -1}})
}

// TestNewestInstant is that of the newest entries of the history, of this household alone.
func TestNewestInstant(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	b.OpenWith("Giro", "depository", "EUR", "0")
	late := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	b.Exec("INSERT INTO changes (household_id, at, origin, entity, entity_id, action, operation_id) VALUES (?, ?, 'cli', 'tag', zeroblob(16), 'delete', zeroblob(16))", b.Household("Other").HouseholdID, late.UnixMilli())
	if got := b.Gaps().Newest; !got.Before(b.Tick) || got.IsZero() {
		t.Errorf("got %v", got)
	}
	b.Exec("INSERT INTO changes (household_id, at, origin, entity, entity_id, action, operation_id) VALUES (?, ?, 'cli', 'tag', zeroblob(16), 'delete', zeroblob(16))", b.Who.HouseholdID, late.UnixMilli())
	b.OpenWith("Card", "credit_card", "EUR", "0")
	if got := b.Gaps().Newest; !got.Equal(late) {
		t.Errorf("got %v, want %v", got, late)
	}
}

// TestCountBooks: of all households, without disabled accounts and people who left.
func TestCountBooks(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	giro := b.OpenWith("Giro", "depository", "EUR", "0")
	b.Book(giro, "2026-02-10", "-5", "EUR", "x")
	b.Book(giro, "2026-02-11", "-5", "EUR", "y")
	closed := b.OpenWith("Closed", "depository", "EUR", "0")
	if _, err := b.Accounts.UpdateAccount(b.Ctx(), b.Who, uuid.UUID(closed.PublicID), catalog.AccountInput{Status: ledger.Some("disabled")}); err != nil {
		t.Fatal(err)
	}
	b.Account(b.Household("Other"), "Theirs", "EUR")
	households, all, err := b.Audits.CountBooks(b.Ctx())
	if want := (audit.Size{People: 2, Accounts: 2, Transactions: 2}); households != 2 || all != want || err != nil {
		t.Errorf("got %d, %+v, %v, want 2, %+v", households, all, err, want)
	}
}
