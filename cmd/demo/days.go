package demo

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/entry"
	"finsvc/ledger/money"
)

// live books what happens from the first day to today.
func (d *household) live(ctx context.Context) error {
	for day := d.first; day <= d.today; day++ {
		d.month(day)
		d.week(day)
		d.holidays(day)
	}
	for len(d.entries) > 0 {
		n := min(len(d.entries), entry.MaxBulk)
		if _, err := d.ledger.Entries.CreateTransactions(ctx, d.who, d.entries[:n]); err != nil {
			return err
		}
		d.entries = d.entries[n:]
	}
	return nil
}

// entry is a transaction: cents or other minor units, into the account positive. What is given after the name
// are the names of its category, its merchant and its tag, each of which may be empty.
func (d *household) entry(day ledger.Date, account string, minor int64, currency, name, category, merchant,
	tag string) {
	money, _ := money.LookupCurrency(currency)
	in := entry.TransactionInput{AccountID: ledger.Some(d.accounts[account]), Date: ledger.Some(day),
		Name:   ledger.Some(name),
		Amount: ledger.Some(money.Decimal(-minor)), Currency: ledger.Some(currency)}
	if category != "" {
		in.CategoryID = ledger.Some(d.categories[category])
	}
	if merchant != "" {
		in.MerchantID = ledger.Some(d.merchants[merchant])
	}
	if tag != "" {
		in.TagIDs = ledger.Some([]uuid.UUID{d.tags[tag]})
	}
	d.entries = append(d.entries, in)
}

// pay books an expense in euros, on the card or the everyday account.
func (d *household) pay(day ledger.Date, account string, cents int64, name, category, merchant string) {
	d.entry(day, account, -cents, "EUR", name, category, merchant, "")
	if account == card {
		d.owed += cents
	}
}

// abroad books what is paid by card in the money of the place; the card counts euros.
func (d *household) abroad(day ledger.Date, minor int64, currency, name string) {
	d.entry(day, card, -minor, currency, name, "Travel", "", "holiday")
	d.owed += d.cents(minor, currency, day)
}

// shopping is the large purchase of a week. Every fourth is for the house as well, so it has lines.
func (d *household) shopping(day ledger.Date) {
	const name, shop = "Groceries of the week", "Cornerstone Foods"
	food := d.between(5_500, 13_800)
	if int(day-d.first)%28 >= 7 {
		d.pay(day, card, food, name, "Groceries", shop)
		return
	}
	house := d.between(900, 4_500)
	d.pay(day, card, food+house, name, "", shop)
	d.entries[len(d.entries)-1].SplitLines = ledger.Some([]entry.SplitLineInput{
		d.line(food, "Food", "Groceries"), d.line(house, "Things for the house", "Home Improvement")})
}

func (d *household) line(cents int64, name, category string) entry.SplitLineInput {
	return entry.SplitLineInput{Amount: ledger.Some(decimal.New(cents, -2)), Name: ledger.Some(name),
		CategoryID: ledger.Some(d.categories[category])}
}

// transfer moves euros; they arrive some days later.
func (d *household) transfer(day ledger.Date, from, to string, cents int64, later int, name string) {
	d.entry(day, from, -cents, "EUR", name, "", "", "")
	if arrival := day.AddDays(later); arrival <= d.today {
		d.entry(arrival, to, cents, "EUR", name, "", "", "")
	}
}

// month books what comes once a month.
func (d *household) month(day ledger.Date) {
	switch day.Time().Day() {
	case 1:
		d.pay(day, giro, 42_000, "Rent, studio", "Mortgage / Rent", "")
		d.pay(day, card, 1_299, "Film streaming", "Subscriptions", "")
	case 3:
		d.transfer(day, giro, mortgage, 124_000, 0, "Mortgage payment")
		d.pay(day, mortgage, d.between(60_000, 61_500), "Interest", "Loan Payments", "")
	case 5:
		if d.owed > 0 {
			d.transfer(day, giro, card, d.owed, 1, "Card payment")
			d.owed = 0
		}
	case 8:
		d.pay(day, giro, d.between(6_800, 14_900), "Electricity and gas", "Utilities", "Lumen Energy")
		d.pay(day, giro, 3_495, "Telephone and internet", "Utilities", "")
	case 10:
		if d.fundsLondon(day) {
			d.entry(day, giro, -londonEuros, "EUR", "Transfer to London account", "", "", "")
		}
	case 12:
		d.pay(day, card, 3_900, "Gym", "Sports & Fitness", "")
	case 20:
		d.pay(day, giro, 8_740, "Household insurance", "Insurance", "")
	case 27:
		d.entry(day, giro, 431_218, "EUR", "Salary", "Salary", "", "work")
	case 28:
		d.transfer(day, giro, savings, 40_000, 1, "Monthly saving")
		d.transfer(day, giro, broker, 30_000, 0, "Savings plan")
	}
}

// week books what comes every few days.
func (d *household) week(day ledger.Date) {
	switch day.Time().Weekday() {
	case time.Monday:
		d.pay(day, card, 2_450, "Weekly ticket", "Train", "City Transit")
	case time.Wednesday:
		d.pay(day, card, d.between(1_800, 6_200), "Vegetables and fruit", "Groceries", "Green Grocer")
	case time.Friday:
		d.pay(day, card, d.between(2_200, 7_400), "Dinner", "Restaurants", "")
	case time.Saturday:
		d.shopping(day)
		if d.between(1, 3) == 1 {
			d.pay(day, card, d.between(1_200, 3_600), "Cinema", "Entertainment", "Parkside Cinema")
		}
	case time.Sunday:
		d.pay(day, giro, d.between(320, 980), "Coffee", "Coffee", "Harbour Coffee")
	}
	if d.between(1, 40) == 1 {
		d.pay(day, giro, d.between(1_500, 9_000), "Pharmacy", "Healthcare", "")
	}
}

// holidays are a week in New York each spring and ten days in Japan each autumn, paid in the money of the place.
func (d *household) holidays(day ledger.Date) {
	_, month, date := day.Time().Date()
	switch {
	case month == time.April && date >= 10 && date <= 16:
		d.abroad(day, d.between(2_000, 18_000), "USD", "Museum and meals, New York")
		d.entry(day, dollars, -d.between(500, 4_000), "USD", "Taxi, New York", "Travel", "", "holiday")
	case month == time.October && date >= 4 && date <= 13:
		d.entry(day, yen, -d.between(800, 9_000), "JPY", "Lunch, Kyoto", "Travel", "", "holiday")
		d.abroad(day, d.between(3_000, 21_000), "JPY", "Hotel, Kyoto")
	case date == 15 && month%3 == 0:
		d.entry(day, dollars, d.between(9_000, 21_000), "USD", "Royalties", "Income", "", "work")
		d.entry(day, francs, d.between(100, 400), "CHF", "Interest", "Income", "", "")
	}
}
