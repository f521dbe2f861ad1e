package reconcile

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/shopspring/decimal"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/money"
)

func knownCurrency(t *testing.T, code string) money.Currency {
	t.Helper()
	c, known := money.LookupCurrency(code)
	if !known {
		t.Fatal(code)
	}
	return c
}

// The same books in every form, written by hand: 100.00 in the account on 1 February. On 2 February 3 shares are
// bought for 30.00 and a fee of 1.00; on 3 February there are two for one, and 20 dollars come in at 0.5; on 4
// February 700 yen go out, which have no rate. Shares are worth 10.00, after the split 5.00 each.
// So on 28 February there are 100 - 31 + 10 = 79.00 in cash and 6 shares worth 30.00; 700 yen are left out.
func TestRecountOfEveryForm(t *testing.T) {
	t.Parallel()
	const id = "01a1fd73-afa1-7a48-be80-26987302d630"
	currencies := map[string]money.Currency{id: knownCurrency(t, "EUR")}
	forms := map[string]func() (*Books, error){
		"hledger":   func() (*Books, error) { return ReadHledger(strings.NewReader(hledgerText), currencies) },
		"beancount": func() (*Books, error) { return ReadBeancount(strings.NewReader(beancountBooks), currencies) },
		"csv":       func() (*Books, error) { return ReadTables(csvTables()) },
		"ndjson": func() (*Books, error) {
			return ReadRecords(strings.NewReader(ndjsonText), []fx.ExchangeRate{{From: "USD", To: "EUR", Date: 20_487, Rate: decimal.New(5, -1)}})
		},
	}
	for name, read := range forms {
		r, err := read()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		r.finish()
		got := r.until(r.accounts[id], ledger.NewDate(2026, 2, 28))
		if got.told(knownCurrency(t, "EUR")) != "79.00 EUR and 30.00 EUR in securities without -700 JPY" {
			t.Errorf("%s: got %s", name, got.told(knownCurrency(t, "EUR")))
		}
	}
}

const hledgerText = `; Home
commodity 1.00 EUR
account assets:Broker  ; id:01a1fd73-afa1-7a48-be80-26987302d630
account assets:Broker:AB C
P 2026-02-02 "AB C" 10 EUR
P 2026-02-03 "AB C" 5 EUR
P 2026-02-03 USD 0.5 EUR

2026-02-01 * Opening balance
    assets:Broker  100.00 EUR = 100.00 EUR
    equity:valuations  -100.00 EUR

2026-02-02 * buy
    ; a note
    assets:Broker  -31.00 EUR
    assets:Broker:AB C  3 "AB C" @@ 30.00 EUR
    expenses:fees  1.00 EUR

2026-02-03 * Split
    assets:Broker:AB C  3 "AB C"
    equity:splits  -3 "AB C"

2026-02-03 * Dollars
    assets:Broker  10.00 EUR
    income:uncategorised  -20.00 USD @@ 10.00 EUR  ; half

2026-02-04 * Yen
    assets:Broker:unconverted  -700 JPY
    expenses:uncategorised  700 JPY
`

const beancountBooks = `option "title" "Home"
1900-01-01 commodity EUR
2026-02-01 open Assets:Broker EUR
  id: "01a1fd73-afa1-7a48-be80-26987302d630"
2026-02-01 open Assets:Broker:AB-C AB-C
2026-02-02 price AB-C  10 EUR
2026-02-03 price AB-C  5 EUR

2026-02-01 * "Opening balance"
  Assets:Broker  100.00 EUR
  Equity:Valuations  -100.00 EUR
2026-02-02 balance Assets:Broker  100.00 ~ 0 EUR

2026-02-02 * "Merchant" "buy"
  notes: "Assets:Broker  5 EUR"
  Assets:Broker  -31.00 EUR
  Assets:Broker:AB-C  3 AB-C @@ 30.00 EUR
  Expenses:Fees  1.00 EUR
    name: "x"

2026-02-03 * "Split"
  Assets:Broker:AB-C  3 AB-C
  Equity:Splits  -3 AB-C

2026-02-03 * "Dollars"
  Assets:Broker  10.00 EUR
  Income:Uncategorised  -20.00 USD @@ 10.00 EUR

2026-02-04 * "Yen"
  Assets:Broker:Unconverted  -700 JPY
  Expenses:Uncategorised  700 JPY
`

func csvTables() fstest.MapFS {
	const id = "01a1fd73-afa1-7a48-be80-26987302d630"
	tables := fstest.MapFS{}
	for name, text := range map[string]string{
		"accounts":     "id,currency\r\n" + id + ",EUR\r\n",
		"transactions": "date,amount,currency,account_id\r\n2026-02-03,20.00,USD," + id + "\r\n2026-02-04,-700,JPY," + id + "\r\n",
		"trades":       "date,ticker,exchange_operating_mic,qty,price,amount,currency,account_id\r\n2026-02-02,AB C,,3,10,-31.00,EUR," + id + "\r\n",
		"valuations":   "date,amount,currency,account_id\r\n2026-02-01,100.00,EUR," + id + "\r\n",
		"splits":       "date,ticker,exchange_operating_mic,numerator,denominator\r\n2026-02-03,AB C,,2,1\r\n",
		"prices":       "date,ticker,price,currency,mic\r\n",
		"rates":        "date,from,to,rate\r\n2026-02-03,USD,EUR,0.5\r\n",
	} {
		tables[name+".csv"] = &fstest.MapFile{Data: []byte(text)}
	}
	return tables
}

const ndjsonText = `{"type":"Account","data":{"id":"01a1fd73-afa1-7a48-be80-26987302d630","currency":"EUR","classification":"asset"}}
{"type":"SecuritySplit","data":{"security_id":"s","date":"2026-02-03","numerator":2,"denominator":1}}
{"type":"Transaction","data":{"account_id":"01a1fd73-afa1-7a48-be80-26987302d630","date":"2026-02-03","amount":"-20.00","currency":"USD"}}
{"type":"Transaction","data":{"account_id":"01a1fd73-afa1-7a48-be80-26987302d630","date":"2026-02-04","amount":"700","currency":"JPY"}}
{"type":"Trade","data":{"account_id":"01a1fd73-afa1-7a48-be80-26987302d630","security_id":"s","date":"2026-02-02","qty":"3","price":"10","amount":"31.00","currency":"EUR"}}
{"type":"Valuation","data":{"account_id":"01a1fd73-afa1-7a48-be80-26987302d630","date":"2026-02-01","amount":"100.00","currency":"EUR","kind":"opening_anchor"}}
`

func TestRecountBadInput(t *testing.T) {
	t.Parallel()
	const id = "01a1fd73-afa1-7a48-be80-26987302d630"
	currencies := map[string]money.Currency{id: knownCurrency(t, "EUR")}
	hledger := func(from, to string) error {
		_, err := ReadHledger(strings.NewReader(strings.ReplaceAll(hledgerText, from, to)), currencies)
		return err
	}
	ndjson := func(from, to string) error {
		_, err := ReadRecords(strings.NewReader(strings.ReplaceAll(ndjsonText, from, to)), nil)
		return err
	}
	csv := func(file, from, to string) error {
		tables := csvTables()
		tables[file+".csv"].Data = bytes.ReplaceAll(tables[file+".csv"].Data, []byte(from), []byte(to))
		_, err := ReadTables(tables)
		return err
	}
	for _, c := range []struct {
		err  error
		want string
	}{
		{hledger("-31.00", "-31.001"), "line 15"},
		{hledger("-31.00", "many"), `the amount "many"`},
		{hledger("2026-02-02 *", "2026-02-32 *"), "must be a calendar date"},
		{hledger(id, "none"), "which the books have not"},
		{hledger("-31.00 EUR", "-31.00 USD"), "an account in EUR"},
		{hledger("10 EUR", "ten EUR"), `the price "ten"`},
		{ndjson(`"currency":"USD"`, `"currency":"XXX"`), `the amount "20" "XXX"`},
		{ndjson(`{"type":"Trade"`, `{"type":"Trade`), "line 5"},
		{ndjson(`"security_id":"s","date":"2026-02-03"`, `"date":"2026-02-03"`), "names no security"},
		{ndjson("2026-02-04", "tomorrow"), "must be a calendar date"},
		{csv("accounts", "EUR", "EURO"), "accounts.csv: currency must be a code"},
		{csv("transactions", id, "x"), "no such account"},
		{csv("trades", ",3,", ",three,"), "trades.csv"},
		{csv("rates", "0.5", "half"), "rates.csv"},
		{csv("splits", "2,1", "2"), "splits.csv"},
	} {
		if c.err == nil || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("got %v, want %q in it", c.err, c.want)
		}
	}
}

// FuzzRecount: no text makes a reader fail in another way than by an error.
func FuzzRecount(f *testing.F) {
	for _, text := range []string{hledgerText, beancountBooks, ndjsonText, "accounts,\r\n", "  Assets:X 1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		const id = "01a1fd73-afa1-7a48-be80-26987302d630"
		currencies := map[string]money.Currency{id: {Code: "EUR", Exponent: 2}}
		a, errA := ReadHledger(strings.NewReader(text), currencies)
		b, errB := ReadBeancount(strings.NewReader(text), currencies)
		c, errC := ReadRecords(strings.NewReader(text), nil)
		tables := csvTables()
		tables["transactions.csv"].Data = []byte(text)
		d, errD := ReadTables(tables)
		if errors.Join(errA, errB, errC, errD) != nil {
			return
		}
		for _, r := range []*Books{a, b, c, d} {
			r.finish()
			for _, account := range r.accounts {
				r.until(account, ledger.MaxDate)
			}
		}
	})
}
