package demo

import (
	"context"
	"math/rand/v2"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/fx"
	"finsvc/ledger/market"
)

// years is how long the books of the demonstration go back.
const years = 2

// household fills the household of the demonstration, with the calls that everybody else uses. The same day
// gives the same household.
type household struct {
	quotes
	accounts   map[string]uuid.UUID
	categories map[string]uuid.UUID
	merchants  map[string]uuid.UUID
	tags       map[string]uuid.UUID
	entries    []entry.TransactionInput
	owed       int64 // by the credit card since its last payment, in cents
}

// quotes has the rates and prices of the demonstration.
type quotes struct {
	ledger *books.Books
	who    ledger.Actor
	random *rand.Rand
	first  ledger.Date // of the entries
	today  ledger.Date
	rates  []fx.ExchangeRate // of one euro
	prices []market.PriceInput
}

// account is an account of the household with its opening balance.
type account struct{ name, kind, subtype, currency, balance string }

func accounts() []account {
	return []account{
		{giro, "depository", "checking", "EUR", "2480.55"},
		{savings, "depository", "savings", "EUR", "12000"},
		{card, "credit_card", "", "EUR", "0"},
		{dollars, "depository", "checking", "USD", "850"},
		{yen, "depository", "savings", "JPY", "240000"},
		{francs, "depository", "savings", "CHF", "3100"},
		{london, "depository", "checking", "GBP", "1850"},
		{house, "property", "single_family_home", "EUR", "385000"},
		{mortgage, "loan", "mortgage", "EUR", "241300"},
		{car, "vehicle", "", "EUR", "18500"},
		{coins, "other_asset", "", "EUR", "1200"},
		{taxes, "other_liability", "", "EUR", "640"},
		{broker, "investment", "brokerage", "EUR", "6000"},
		{wallet, "crypto", "wallet", "EUR", "1500"},
	}
}

// The names of the accounts.
const (
	giro     = "Everyday account"
	savings  = "Savings"
	card     = "Credit card"
	dollars  = "Dollar account"
	yen      = "Tokyo account"
	francs   = "Swiss account"
	london   = "London account"
	house    = "House"
	mortgage = "Mortgage"
	car      = "Car"
	coins    = "Coin collection"
	taxes    = "Income tax owed"
	broker   = "Broker"
	wallet   = "Bitcoin wallet"
)

func (d *household) openAccounts(ctx context.Context) error {
	for _, a := range accounts() {
		in := catalog.AccountInput{Name: ledger.Some(a.name), AccountType: ledger.Some(a.kind),
			Currency: ledger.Some(a.currency),
			Balance:  ledger.Some(decimal.RequireFromString(a.balance)), Date: ledger.Some(d.first - 1)}
		if a.subtype != "" {
			in.Subtype = ledger.Some(a.subtype)
		}
		account, err := d.ledger.Accounts.CreateAccount(ctx, d.who, in)
		if err != nil {
			return err
		}
		d.accounts[a.name] = uuid.UUID(account.PublicID)
	}
	return nil
}

// makeLabels finds the default categories and makes some below them, and merchants and tags.
func (d *household) makeLabels(ctx context.Context) error {
	list, _, err := d.ledger.Labels.ListCategories(ctx, d.who, catalog.CategoryFilter{},
		ledger.Page{Number: 1, Size: 100})
	if err != nil {
		return err
	}
	for _, c := range list {
		d.categories[c.Name] = uuid.UUID(c.PublicID)
	}
	for _, c := range [][2]string{{"Restaurants", "Food & Drink"}, {"Coffee", "Food & Drink"},
		{"Train", "Transportation"}, {"Salary", "Income"}} {
		child, err := d.ledger.Labels.CreateCategory(ctx, d.who,
			catalog.CategoryInput{Name: ledger.Some(c[0]), ParentID: ledger.Some(d.categories[c[1]])})
		if err != nil {
			return err
		}
		d.categories[c[0]] = uuid.UUID(child.PublicID)
	}
	for _, name := range []string{"Cornerstone Foods", "Harbour Coffee", "Green Grocer", "City Transit", "Lumen Energy",
		"Parkside Cinema"} {
		m, err := d.ledger.Labels.CreateMerchant(ctx, d.who, catalog.MerchantInput{Name: ledger.Some(name)})
		if err != nil {
			return err
		}
		d.merchants[name] = uuid.UUID(m.PublicID)
	}
	for _, name := range []string{"holiday", "work"} {
		t, err := d.ledger.Labels.CreateTag(ctx, d.who, catalog.TagInput{Name: ledger.Some(name)})
		if err != nil {
			return err
		}
		d.tags[name] = uuid.UUID(t.PublicID)
	}
	return nil
}

// between is a number from a range, both ends included.
func (d *quotes) between(least, most int64) int64 { return least + d.random.Int64N(most-least+1) }

// value says from time to time what things are worth that nothing is booked on.
func (d *household) value(ctx context.Context) error {
	values := []struct {
		account string
		days    int
		amount  int64 // whole units
	}{
		{house, 365, 392_000}, {house, 700, 401_500},
		{car, 180, 17_100}, {car, 365, 15_900}, {car, 545, 14_700},
		{coins, 400, 1_450},
		{taxes, 365, 410},
		{francs, 300, 3_118},
	}
	for _, v := range values {
		_, _, err := d.ledger.Accounts.CreateValuation(ctx, d.who,
			catalog.ValuationInput{AccountID: ledger.Some(d.accounts[v.account]),
				Date: ledger.Some(d.first.AddDays(v.days)), Amount: ledger.Some(decimal.New(v.amount, 0))})
		if err != nil {
			return err
		}
	}
	return nil
}
