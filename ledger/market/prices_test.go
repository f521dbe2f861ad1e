package market_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"

	"finsvc/ledger"
	"finsvc/ledger/fx"
	"finsvc/ledger/ledgertest"
	"finsvc/ledger/market"
)

func TestPutPrices(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	b.Security("ACME|XNAS")
	bond := b.Security("BOND")
	b.SecurityOf(b.Household("Neighbour"), "ELSE")
	for _, c := range []struct {
		lines []string
		want  string
	}{
		{[]string{"ACME 2026-01-01 10 USD", "BOND 2026-01-01 99.50 EUR", "ACME|XNAS 2026-01-02 11 USD"}, "3 0 0"},
		{[]string{"ACME 2026-01-01 10.00 usd", "BOND 2026-01-01 99.5 EUR"}, "0 0 2"},
		{[]string{"ACME 2026-01-01 10 EUR", "BOND 2026-01-01 99.51 EUR", "BOND 2026-01-03 1e-12 EUR", "BOND 2026-01-03 0.000000000001 EUR"}, "1 2 0"},
		{[]string{"BOND 2026-01-04 5 EUR", "ELSE 2026-01-01 1 EUR"}, "security_prices[1].ticker is not that of one of the household's own securities: ELSE"},
		{[]string{"ACME 2026-01-04 5 EUR", "BOND 2026-01-04 5 EUR", "ACME|XNAS 2026-01-04 6 EUR"},
			"security_prices[2].price must not differ from security_prices[0]: ACME|XNAS on 2026-01-04 is 5 EUR there, here 6 EUR"},
		{[]string{"ACME 2026-01-04 0 EUR", "ACME 2026-01-05 -1 EUR", "ACME 2026-01-06 0.0000000000001 EUR", "ACME 2026-01-07 1 EURO"},
			"security_prices[0].price must be greater than 0, got 0; security_prices[1].price must be greater than 0, got -1; " +
				"security_prices[2].price must have at most 12 decimals, got 0.0000000000001; " + `security_prices[3].currency must be the code of a currency such as EUR, got "EURO"`},
		{[]string{"- - - -"}, "security_prices[0].security_id is required, or in its place a ticker such as AAPL or AAPL|XNAS; " +
			"security_prices[0].date is required, such as 2026-01-31; security_prices[0].price is required, such as 12.50; security_prices[0].currency is required, such as EUR"},
	} {
		if got := b.Prices(c.lines...); got != c.want {
			t.Errorf("%v: got %s\nwant %s", c.lines, got, c.want)
		}
	}
	if _, err := b.Market.PutPrices(b.Ctx(), b.Who, make([]market.PriceInput, 10_001)); ledgertest.Wrong(err) != "security_prices must have at most 10000 members, has 10001" {
		t.Errorf("got %v", err)
	}
	if _, err := b.Market.PutPrice(b.Ctx(), b.Who, ledgertest.PriceInput("BOND 2026-01-04 0 EUR")); ledgertest.Wrong(err) != "price must be greater than 0, got 0" {
		t.Errorf("got %v", err)
	}
	for _, c := range []struct {
		filter market.PriceFilter
		want   string
	}{
		{market.PriceFilter{}, "2026-01-03 BOND 0.000000000001 EUR, 2026-01-02 ACME 11 USD, 2026-01-01 ACME 10 EUR, 2026-01-01 BOND 99.51 EUR"},
		{market.PriceFilter{SecurityID: ledger.Some(bond)}, "2026-01-03 BOND 0.000000000001 EUR, 2026-01-01 BOND 99.51 EUR"},
		{market.PriceFilter{SecurityID: ledger.Some(uuid.Nil)}, ""},
		{market.PriceFilter{Currency: "USD"}, "2026-01-02 ACME 11 USD"},
		{market.PriceFilter{StartDate: ledger.Some(day(t, "2026-01-02")), EndDate: ledger.Some(day(t, "2026-01-02"))}, "2026-01-02 ACME 11 USD"},
	} {
		if got := b.PriceText(c.filter); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.filter, got, c.want)
		}
	}
}

func day(t *testing.T, text string) ledger.Date {
	t.Helper()
	d, err := ledger.ParseDate(text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestOnePrice(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	id := b.Security("BOND")
	b.Prices("BOND 2026-01-01 99 EUR", "BOND 2026-01-02 100 EUR")
	list, _, err := b.Market.ListPrices(b.Ctx(), b.Who, market.PriceFilter{}, ledger.Page{Number: 1, Size: 1})
	if err != nil || len(list) != 1 || list[0].Source != "api" || list[0].CreatedAt == 0 || list[0].Security.ID != id {
		t.Fatal(list, err)
	}
	again, err := b.Market.GetPrice(b.Ctx(), b.Who, list[0].ID)
	if err != nil || fmt.Sprint(again.Date, again.Price) != "2026-01-02 100" || again.ID != list[0].ID {
		t.Errorf("got %+v, %v", again, err)
	}
	neighbour := b.Household("Neighbour")
	b.SecurityOf(neighbour, "BOND")
	for _, c := range []struct {
		who ledger.Actor
		id  uuid.UUID
	}{{neighbour, again.ID}, {b.Who, id}, {b.Who, uuid.Nil}} {
		if _, err := b.Market.GetPrice(b.Ctx(), c.who, c.id); ledgertest.Wrong(err) != "Security price not found" {
			t.Errorf("got %v", err)
		}
		if err := b.Market.DeletePrice(b.Ctx(), c.who, c.id); ledgertest.Wrong(err) != "Security price not found" {
			t.Errorf("got %v", err)
		}
	}
	if err := b.Market.DeletePrice(b.Ctx(), b.Who, again.ID); err != nil {
		t.Error(err)
	}
	if _, err := b.Market.GetPrice(b.Ctx(), b.Who, again.ID); ledgertest.Wrong(err) != "Security price not found" {
		t.Errorf("got %v", err)
	}
	if got := b.PriceText(market.PriceFilter{}); got != "2026-01-01 BOND 99 EUR" {
		t.Errorf("got %s", got)
	}
}

func TestImportPrices(t *testing.T) {
	t.Parallel()
	b := ledgertest.New(t)
	b.Security("ACME|XNAS")
	b.Security("BOND")
	b.Security("TWO|XNAS")
	b.Security("TWO|XETR")
	const plain = "date,ticker,price,currency\n"
	for _, c := range []struct{ file, want string }{
		{plain + "2026-01-01,acme,10.50,USD\n2026-01-01,BOND,99,eur\n\n", "2 0 0 []"},
		{"\ufeffPrice;Note;Currency;MIC;Ticker;Date\r\n11;x;USD;XNAS;acme;2026-01-02\r\n99;;EUR;;BOND;2026-01-01\r\n7;;EUR;xetr;TWO;2026-01-01\r\n", "2 0 1 []"},
		{"mic\tdate\tticker\tprice\tcurrency\n\t2026-01-03\tACME|XNAS\t12\tUSD\n", "1 0 0 []"},
		{ledgertest.Zipped(t, "prices.csv", plain+"2026-01-03,ACME,13,USD\n"), "0 1 0 []"},
		{plain + "2026-01-04,ACME,14,USD\n2026-01-04,NONE,1,USD\n2026-01-05,NONE,1,USD\n2026-01-04,TWO,1,EUR\n2026-01-04,BOND|XNAS,1,EUR\n",
			"1 0 0 [{BOND|XNAS 1 is not that of one of the household's own securities: BOND|XNAS} " +
				"{NONE 2 is not that of one of the household's own securities: NONE} {TWO 1 must name the market as well, one of TWO|XETR, TWO|XNAS}]"},
		{plain + "2026-01-06,NONE,1,USD\n", "0 0 0 [{NONE 1 is not that of one of the household's own securities: NONE}]"},
		{plain + "2026-01-06,ACME,1,USD\n2026-01-06,BOND,1,EUR\n2026-01-06,ACME|XNAS,1,EUR\n",
			"line 4, column price must not differ from line 2: ACME|XNAS on 2026-01-06 is 1 USD there, here 1 EUR"},
	} {
		if got := b.ImportPrices(c.file); got != c.want {
			t.Errorf("%q: got %s\nwant %s", c.file, got, c.want)
		}
	}
	if got, want := b.PriceText(market.PriceFilter{}), "2026-01-04 ACME 14 USD, 2026-01-03 ACME 13 USD, 2026-01-02 ACME 11 USD, 2026-01-01 ACME 10.5 USD, "+
		"2026-01-01 BOND 99 EUR, 2026-01-01 TWO 7 EUR"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	spans, err := b.Market.ListPriceSpans(b.Ctx(), b.Who)
	var out []string
	for _, s := range spans {
		out = append(out, fmt.Sprint(market.TickerOf(&s.Security.Security), s.Count, s.First, s.Last, s.Newest.Price))
	}
	if got := strings.Join(out, ", "); err != nil || got != "ACME|XNAS4 2026-01-01 2026-01-04 14, BOND1 2026-01-01 2026-01-01 99, TWO|XETR1 2026-01-01 2026-01-01 7" {
		t.Errorf("got %s, %v", got, err)
	}
	if spans, err := b.Market.ListPriceSpans(b.Ctx(), b.Household("Neighbour")); err != nil || len(spans) != 0 {
		t.Errorf("got %v, %v", spans, err)
	}
}

func TestParsePricesSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	const plain = "date,ticker,price,currency,mic\n2026-01-01,ACME,1,EUR,\n"
	for _, c := range []struct{ file, want string }{
		{"", "file must not be empty"},
		{"date,ticker,price,currency\n\n", "file must hold at least one price, has none"},
		{"date,ticker,price\n", `line 1 must be a header with the columns date, ticker, price and currency, lacks currency: "date,ticker,price"`},
		{"date,ticker,date,price,currency\n", "line 1 must be a header that names each column once, has date twice"},
		{plain + "2026-02-30,ACME,1,EUR\n", `line 3, column date must be a calendar date such as 2026-01-31, got "2026-02-30"`},
		{plain + "01.02.2026,ACME,1,EUR\n", `line 3, column date must be a calendar date such as 2026-01-31, got "01.02.2026"`},
		{plain + "2026-01-02,ACME,\"1,234.50\",EUR\n", `line 3, column price must be a number such as 12.50, got "1,234.50"`},
		{plain + "2026-01-02,ACME,0,EUR\n", "line 3, column price must be greater than 0, got 0"},
		{plain + "2026-01-02,ACME,,EUR\n", `line 3, column price must be a number such as 12.50, got ""`},
		{plain + "2026-01-02,ACME,0.0000000000001,EUR\n", "line 3, column price must have at most 12 decimals, got 0.0000000000001"},
		{plain + "2026-01-02,ACME,1\n", `line 3, column currency must be the code of a currency such as EUR, got ""`},
		{plain + "2026-01-02,,1,EUR\n", "line 3, column ticker is required and must not be blank, write AAPL or AAPL|XNAS"},
		{plain + "2026-01-02,ACME,1,EUR,NASDAQ\n", `line 3, column mic must name a market by its four letters or digits such as XNAS, got "NASDAQ"`},
		{plain + "2026-01-02,ACME|XETR,1,EUR,XNAS\n", `line 3, column mic must be XETR as in the ticker, or empty, got "XNAS"`},
		{plain + "2026-01-02,ACME,1,EUR,,x\n", "line 3 must have at most 5 cells, as the header has, has 6"},
		{plain + "2026-01-02,\"ACME,1\n", `line 3 cannot be read at byte 20: extraneous or missing " in quoted-field`},
		{ledgertest.Zipped(t, "a.csv", plain, "b.csv", plain), "file must hold one .csv file, this zip file holds 2"},
		{ledgertest.Zipped(t, "a.xml", plain), "file must hold one .csv file, this zip file holds 0"},
		{"PK\x03\x04rest", "file must be a whole zip file: zip: not a valid zip file"},
		{strings.Repeat(" ", fx.MaxTableFile+1), "file must have at most 64 MiB, packed or not"},
	} {
		if _, err := market.ParsePrices([]byte(c.file)); !ledger.IsKind(err, ledger.Invalid) || ledgertest.Wrong(err) != c.want {
			t.Errorf("%.100q:\n got %v\nwant %s", c.file, err, c.want)
		}
	}
	_, err := market.ParsePrices([]byte("date,ticker,price,currency\n" + strings.Repeat("x\n", 1000)))
	if e := ledger.AsError(err); e == nil || len(e.Fields) > 23 || len(e.Fields) < 20 {
		t.Errorf("got %v, want the first 20 problems", err)
	}
}
