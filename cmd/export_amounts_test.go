package cmd_test

import (
	"testing"
	"time"

	"finsvc/cmd/cmdtest"

	"github.com/google/uuid"

	"finsvc/db/dbtest"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/money"
	"finsvc/ledger/tenant"
)

// TestExportsAtTheEndsOfAmounts: a balance may be stated to be the largest or smallest amount that there is, and be stated anew.
func TestExportsAtTheEndsOfAmounts(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.File = dbtest.Path(t)
	d := dbtest.Open(t, s.File)
	books := books.New(d, time.Now)
	home, _, err := books.Tenants.CreateHousehold(t.Context(), ledger.Actor{Origin: ledger.OriginCLI}, tenant.HouseholdInput{
		Name: "Ends", Currency: "EUR", Locale: "en", Timezone: "UTC", OwnerEmail: "ends@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	who := ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginCLI}
	kinds := []string{"depository", "loan", "investment"}
	for _, kind := range kinds {
		a, err := books.Accounts.CreateAccount(t.Context(), who, catalog.AccountInput{Name: ledger.Some(kind), AccountType: ledger.Some(kind)})
		if err != nil {
			t.Fatal(err)
		}
		euro, _ := money.LookupCurrency("EUR")
		for i, minor := range []int64{money.MaxMinor, -money.MaxMinor, 0, money.MaxMinor, -1} {
			_, _, err := books.Accounts.CreateValuation(t.Context(), who, catalog.ValuationInput{AccountID: ledger.Some(uuid.UUID(a.PublicID)),
				Amount: ledger.Some(euro.Decimal(minor)), Date: ledger.Some([]ledger.Date{ledger.MinDate, 0, 1, ledger.MaxDate - 1, ledger.MaxDate}[i])})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	s.Verifies("Ends", len(kinds))
}
