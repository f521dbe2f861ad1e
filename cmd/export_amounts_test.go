package cmd_test

import (
	"testing"
	"time"

	"github.com/google/uuid"

	"finsvc/db/dbtest"
	"finsvc/ledger"
)

// TestExportsAtTheEndsOfAmounts: a balance may be stated to be the largest or smallest amount that there is, and be stated anew.
func TestExportsAtTheEndsOfAmounts(t *testing.T) {
	t.Parallel()
	s := newShell(t)
	s.file = dbtest.Path(t)
	d := dbtest.Open(t, s.file)
	books := ledger.New(d, time.Now)
	home, _, err := books.CreateHousehold(t.Context(), ledger.Actor{Origin: ledger.OriginCLI}, ledger.HouseholdInput{
		Name: "Ends", Currency: "EUR", Locale: "en", Timezone: "UTC", OwnerEmail: "ends@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	who := ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginCLI}
	kinds := []string{"depository", "loan", "investment"}
	for _, kind := range kinds {
		a, err := books.CreateAccount(t.Context(), who, ledger.AccountInput{Name: ledger.Some(kind), AccountType: ledger.Some(kind)})
		if err != nil {
			t.Fatal(err)
		}
		euro, _ := ledger.LookupCurrency("EUR")
		for i, minor := range []int64{ledger.MaxMinor, -ledger.MaxMinor, 0, ledger.MaxMinor, -1} {
			_, _, err := books.CreateValuation(t.Context(), who, ledger.ValuationInput{AccountID: ledger.Some(uuid.UUID(a.PublicID)),
				Amount: ledger.Some(euro.Decimal(minor)), Date: ledger.Some([]ledger.Date{ledger.MinDate, 0, 1, ledger.MaxDate - 1, ledger.MaxDate}[i])})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	s.verifies("Ends", len(kinds))
}
