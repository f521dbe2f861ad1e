package importer_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/entry"
	"finsvc/ledger/fx"
	"finsvc/ledger/transfer"
)

// moved shows the transfers by the names of their sides.
func (k *fixture) moved() string {
	k.tb.Helper()
	var names []string
	for page := 1; ; page++ {
		list, total, err := k.ledger.Transfers.ListTransfers(k.tb.Context(), k.who, transfer.Filter{},
			ledger.Page{Number: page, Size: 100})
		if err != nil {
			k.tb.Fatal(err)
		}
		for _, t := range list {
			names = append(names, t.Outflow.Name+">"+t.Inflow.Name)
		}
		if int64(page*100) >= total {
			slices.Sort(names)
			return strings.Join(names, " ")
		}
	}
}

func (k *fixture) open(name, currency string) uuid.UUID {
	k.tb.Helper()
	a, err := k.ledger.Accounts.CreateAccount(k.tb.Context(), k.who,
		catalog.AccountInput{Name: ledger.Some(name), AccountType: ledger.Some("depository"),
			Currency: ledger.Some(currency)})
	if err != nil {
		k.tb.Fatal(err)
	}
	return uuid.UUID(a.PublicID)
}

// book creates a transaction; cents are positive for what comes in.
func (k *fixture) book(account uuid.UUID, day ledger.Date, cents int64, name string) {
	k.tb.Helper()
	if _, _, err := k.ledger.Entries.CreateTransaction(k.tb.Context(), k.who,
		entry.TransactionInput{AccountID: ledger.Some(account), Date: ledger.Some(day),
			Amount: ledger.Some(decimal.New(-cents, -2)), Name: ledger.Some(name)}); err != nil {
		k.tb.Fatal(err)
	}
}

// TestImportMatchesTransfers: rows that are imported are matched as if they had been written one by one, in a
// short file, which is looked at row by row, as in a long one, which is not. Some of what is there is matched
// already and gives way.
func TestImportMatchesTransfers(t *testing.T) {
	t.Parallel()
	first := ledger.NewDate(2026, 1, 1)
	for _, rows := range []int{60, 1300} {
		imported, written := newFixture(t), newFixture(t)
		var file strings.Builder
		file.WriteString("date,amount,name\n")
		for _, k := range []*fixture{imported, written} {
			savings, card := k.open("Savings", "EUR"), k.open("Card", "EUR")
			for i := range rows / 10 {
				k.book(savings, first.AddDays(i*7%(rows/4)), int64(i%5-2)*100, fmt.Sprint("s", i))
				k.book(card, first.AddDays(i*5%(rows/4)), int64(i%3-1)*100, fmt.Sprint("c", i))
			}
		}
		before := imported.moved()
		for i := range rows {
			day, cents, name := first.AddDays(i*13%(rows/4)), int64(i*i%7-3)*100, fmt.Sprint("r", i)
			fmt.Fprintf(&file, "%s,%d.00,%s\n", day, cents/100, name)
			written.book(written.account, day, cents, name)
		}
		imp := imported.upload(file.String(), importer.Request{Publish: true})
		imported.work()
		if now := imported.get(imp); now.Status != "complete" || now.DoneRowsCount != int64(rows) {
			t.Fatalf("imported %+v", now)
		}
		got, want := imported.moved(), written.moved()
		if got != want || before == "" || strings.Count(got, ">") <= strings.Count(before, ">") {
			t.Errorf("%d rows, before %q:\ngot  %s\nwant %s", rows, before, got, want)
		}
	}
}

// TestImportMatchesForeignTransfers: on January 2nd a euro is 1.25 USD; 125.00 USD are 100.00 EUR.
func TestImportMatchesForeignTransfers(t *testing.T) {
	t.Parallel()
	k := newFixture(t)
	dollars := k.open("Dollars", "USD")
	rate := fx.ExchangeRate{From: "EUR", To: "USD", Date: ledger.NewDate(2026, 1, 2), Rate: decimal.New(125, -2)}
	if _, err := k.ledger.Rates.ImportRates(t.Context(), fx.RateFile{Rates: []fx.ExchangeRate{rate},
		Source: "test"}); err != nil {
		t.Fatal(err)
	}
	k.book(dollars, ledger.NewDate(2026, 1, 4), 125_00, "in")
	k.upload("date,amount,name\n2026-01-03,-100.00,out\n2026-01-03,-7.00,other\n", importer.Request{Publish: true})
	k.work()
	if got := k.moved(); got != "out>in" {
		t.Errorf("got %q", got)
	}
}
