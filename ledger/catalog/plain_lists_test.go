package catalog_test

import (
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/market"
)

// TestPlainLists: accounts in use and securities of the own household, by name.
func TestPlainLists(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	b.OpenWith("Giro", "depository", "EUR", "10")
	old := b.OpenWith("Attic", "depository", "EUR", "0")
	b.OpenWith("Depot", "investment", "EUR", "0")
	if _, err := b.Accounts.UpdateAccount(b.Ctx(), b.Who, uuid.UUID(old.PublicID), catalog.AccountInput{Status: ledger.Some("disabled")}); err != nil {
		t.Fatal(err)
	}
	for _, ticker := range []string{"VWCE", "AAPL"} {
		if _, err := b.Market.CreateSecurity(b.Ctx(), b.Who, market.SecurityInput{Ticker: ledger.Some(ticker)}); err != nil {
			t.Fatal(err)
		}
	}
	accounts, err := b.Accounts.ListPlainAccounts(b.Ctx(), b.Who)
	if err != nil || len(accounts) != 2 || accounts[0].Name != "Depot" || accounts[1].Name != "Giro" {
		t.Errorf("got %v, %v, want Depot and Giro", accounts, err)
	}
	securities, err := b.Accounts.ListPlainSecurities(b.Ctx(), b.Who)
	if err != nil || len(securities) != 2 || securities[0].Ticker != "AAPL" || securities[1].Ticker != "VWCE" {
		t.Errorf("got %v, %v, want AAPL and VWCE", securities, err)
	}
	stranger := b.Household("Nextdoor")
	if accounts, err = b.Accounts.ListPlainAccounts(b.Ctx(), stranger); err != nil || len(accounts) != 0 {
		t.Errorf("got %v, %v of a stranger, want nothing", accounts, err)
	}
	if securities, err = b.Accounts.ListPlainSecurities(b.Ctx(), stranger); err != nil || len(securities) != 0 {
		t.Errorf("got %v, %v of a stranger, want nothing", securities, err)
	}
}
