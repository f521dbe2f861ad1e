package cmd

import (
	"context"
	"errors"
	"math/rand/v2"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
)

// demoYears is how long the books of the demonstration go back.
const demoYears = 2

// demoBooks fills the household of the demonstration, with the calls that everybody else uses. The same day
// gives the same household.
type demoBooks struct {
	demoMarket
	accounts   map[string]uuid.UUID
	categories map[string]uuid.UUID
	merchants  map[string]uuid.UUID
	tags       map[string]uuid.UUID
	entries    []ledger.TransactionInput
	owed       int64 // by the credit card since its last payment, in cents
}

// demoMarket has the rates and prices of the demonstration.
type demoMarket struct {
	ledger *ledger.Ledger
	who    ledger.Actor
	random *rand.Rand
	first  ledger.Date // of the entries
	today  ledger.Date
	rates  []ledger.ExchangeRate // of one euro
	prices []ledger.PriceInput
}

// makeDemoBooks makes the household.
func makeDemoBooks(ctx context.Context, books *ledger.Ledger) (*demoBooks, ledger.Household, error) {
	home, _, err := books.CreateHousehold(ctx, actor(0), ledger.HouseholdInput{
		Name: "Demo", Currency: "EUR", Locale: "en-IE", Timezone: "Europe/Dublin", OwnerEmail: "demo@example.org"})
	if err != nil {
		return nil, home, err
	}
	today := books.Today(home)
	market := demoMarket{ledger: books, who: actor(home.ID), random: rand.New(rand.NewPCG(1, 2)), today: today, first: ledger.DateOf(today.Time().AddDate(-demoYears, 0, 0))}
	d := &demoBooks{demoMarket: market, accounts: map[string]uuid.UUID{},
		categories: map[string]uuid.UUID{}, merchants: map[string]uuid.UUID{}, tags: map[string]uuid.UUID{}}
	for _, step := range []func(context.Context) error{d.makeRates, d.openAccounts, d.makeLabels, d.makeRules, d.live, d.value, d.makeSecurities, d.invest, d.putPrices} {
		if err := step(ctx); err != nil {
			return nil, home, err
		}
	}
	return d, home, nil
}

// demoAccount is an account of the household with its opening balance.
type demoAccount struct{ name, kind, subtype, currency, balance string }

func demoAccounts() []demoAccount {
	return []demoAccount{
		{demoGiro, "depository", "checking", "EUR", "2480.55"},
		{demoSavings, "depository", "savings", "EUR", "12000"},
		{demoCard, "credit_card", "", "EUR", "0"},
		{demoDollars, "depository", "checking", "USD", "850"},
		{demoYen, "depository", "savings", "JPY", "240000"},
		{demoFrancs, "depository", "savings", "CHF", "3100"},
		{demoLondon, "depository", "checking", "GBP", "1850"},
		{demoHouse, "property", "single_family_home", "EUR", "385000"},
		{demoMortgage, "loan", "mortgage", "EUR", "241300"},
		{demoCar, "vehicle", "", "EUR", "18500"},
		{demoCoins, "other_asset", "", "EUR", "1200"},
		{demoTaxes, "other_liability", "", "EUR", "640"},
		{demoBroker, "investment", "brokerage", "EUR", "6000"},
		{demoWallet, "crypto", "wallet", "EUR", "1500"},
	}
}

// The names of the accounts.
const (
	demoGiro     = "Everyday account"
	demoSavings  = "Savings"
	demoCard     = "Credit card"
	demoDollars  = "Dollar account"
	demoYen      = "Tokyo account"
	demoFrancs   = "Swiss account"
	demoLondon   = "London account"
	demoHouse    = "House"
	demoMortgage = "Mortgage"
	demoCar      = "Car"
	demoCoins    = "Coin collection"
	demoTaxes    = "Income tax owed"
	demoBroker   = "Broker"
	demoWallet   = "Bitcoin wallet"
)

func (d *demoBooks) openAccounts(ctx context.Context) error {
	for _, a := range demoAccounts() {
		in := ledger.AccountInput{Name: ledger.Some(a.name), AccountType: ledger.Some(a.kind), Currency: ledger.Some(a.currency),
			Balance: ledger.Some(decimal.RequireFromString(a.balance)), Date: ledger.Some(d.first - 1)}
		if a.subtype != "" {
			in.Subtype = ledger.Some(a.subtype)
		}
		account, err := d.ledger.CreateAccount(ctx, d.who, in)
		if err != nil {
			return err
		}
		d.accounts[a.name] = uuid.UUID(account.PublicID)
	}
	return nil
}

// makeLabels finds the default categories and makes some below them, and merchants and tags.
func (d *demoBooks) makeLabels(ctx context.Context) error {
	list, _, err := d.ledger.ListCategories(ctx, d.who, ledger.CategoryFilter{}, ledger.Page{Number: 1, Size: 100})
	if err != nil {
		return err
	}
	for _, c := range list {
		d.categories[c.Name] = uuid.UUID(c.PublicID)
	}
	for _, c := range [][2]string{{"Restaurants", "Food & Drink"}, {"Coffee", "Food & Drink"}, {"Train", "Transportation"}, {"Salary", "Income"}} {
		child, err := d.ledger.CreateCategory(ctx, d.who, ledger.CategoryInput{Name: ledger.Some(c[0]), ParentID: ledger.Some(d.categories[c[1]])})
		if err != nil {
			return err
		}
		d.categories[c[0]] = uuid.UUID(child.PublicID)
	}
	return errors.Join(d.makeMerchants(ctx), d.makeTags(ctx))
}

func (d *demoBooks) makeMerchants(ctx context.Context) error {
	for _, name := range []string{"Cornerstone Foods", "Harbour Coffee", "Green Grocer", "City Transit", "Lumen Energy", "Parkside Cinema"} {
		m, err := d.ledger.CreateMerchant(ctx, d.who, ledger.MerchantInput{Name: ledger.Some(name)})
		if err != nil {
			return err
		}
		d.merchants[name] = uuid.UUID(m.PublicID)
	}
	return nil
}

func (d *demoBooks) makeTags(ctx context.Context) error {
	for _, name := range []string{"holiday", "work"} {
		t, err := d.ledger.CreateTag(ctx, d.who, ledger.TagInput{Name: ledger.Some(name)})
		if err != nil {
			return err
		}
		d.tags[name] = uuid.UUID(t.PublicID)
	}
	return nil
}

// between is a number from a range, both ends included.
func (d *demoMarket) between(least, most int64) int64 { return least + d.random.Int64N(most-least+1) }

// value says from time to time what things are worth that nothing is booked on.
func (d *demoBooks) value(ctx context.Context) error {
	values := []struct {
		account string
		days    int
		amount  int64 // whole units
	}{
		{demoHouse, 365, 392_000}, {demoHouse, 700, 401_500},
		{demoCar, 180, 17_100}, {demoCar, 365, 15_900}, {demoCar, 545, 14_700},
		{demoCoins, 400, 1_450},
		{demoTaxes, 365, 410},
		{demoFrancs, 300, 3_118},
	}
	for _, v := range values {
		_, _, err := d.ledger.CreateValuation(ctx, d.who, ledger.ValuationInput{AccountID: ledger.Some(d.accounts[v.account]),
			Date: ledger.Some(d.first.AddDays(v.days)), Amount: ledger.Some(decimal.New(v.amount, 0))})
		if err != nil {
			return err
		}
	}
	return nil
}
