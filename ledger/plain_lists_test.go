package ledger_test

import (
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
)

// TestPlainLists: accounts in use and securities of the own household, by name.
func TestPlainLists(t *testing.T) {
	t.Parallel()
	b := newBooks(t)
	b.openWith("Giro", "depository", "EUR", "10")
	old := b.openWith("Attic", "depository", "EUR", "0")
	b.openWith("Depot", "investment", "EUR", "0")
	if _, err := b.UpdateAccount(b.ctx(), b.who, uuid.UUID(old.PublicID), ledger.AccountInput{Status: ledger.Some("disabled")}); err != nil {
		t.Fatal(err)
	}
	for _, ticker := range []string{"VWCE", "AAPL"} {
		if _, err := b.CreateSecurity(b.ctx(), b.who, ledger.SecurityInput{Ticker: ledger.Some(ticker)}); err != nil {
			t.Fatal(err)
		}
	}
	accounts, err := b.ListPlainAccounts(b.ctx(), b.who)
	if err != nil || len(accounts) != 2 || accounts[0].Name != "Depot" || accounts[1].Name != "Giro" {
		t.Errorf("got %v, %v, want Depot and Giro", accounts, err)
	}
	securities, err := b.ListPlainSecurities(b.ctx(), b.who)
	if err != nil || len(securities) != 2 || securities[0].Ticker != "AAPL" || securities[1].Ticker != "VWCE" {
		t.Errorf("got %v, %v, want AAPL and VWCE", securities, err)
	}
	stranger := b.household("Nextdoor")
	if accounts, err = b.ListPlainAccounts(b.ctx(), stranger); err != nil || len(accounts) != 0 {
		t.Errorf("got %v, %v of a stranger, want nothing", accounts, err)
	}
	if securities, err = b.ListPlainSecurities(b.ctx(), stranger); err != nil || len(securities) != 0 {
		t.Errorf("got %v, %v of a stranger, want nothing", securities, err)
	}
}
