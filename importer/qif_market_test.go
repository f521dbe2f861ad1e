package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/market"
)

// marketDays is what is known of securities: prices and splits.
func (k *fixture) marketDays() string {
	k.tb.Helper()
	page := ledger.Page{Number: 1, Size: 100}
	prices, _, err := k.ledger.Market.ListPrices(k.tb.Context(), k.who, market.PriceFilter{}, page)
	if err != nil {
		k.tb.Fatal(err)
	}
	var lines []string
	for _, p := range prices {
		lines = append(lines, fmt.Sprintf("%s %s %s %s %s", p.Date, p.Security.Ticker, p.Price, p.Currency, p.Source))
	}
	splits, _, err := k.ledger.Market.ListSplits(k.tb.Context(), k.who, market.SplitFilter{}, page)
	if err != nil {
		k.tb.Fatal(err)
	}
	for _, s := range splits {
		lines = append(lines, fmt.Sprintf("%s %s %d:%d", ledger.Date(s.Date), s.Security.Ticker, s.Numerator,
			s.Denominator))
	}
	return strings.Join(lines, "; ")
}

const qifMarket = `!Type:Security
NAcme Inc
SACME
TStock
^
!Type:Prices
"ACME",60 1/2,"2/1'26"
^
"ACME",55.25,"2/15'26"
"GLF", 7 ,"2/15'26"
^
!Type:Invst
D1/5'26
NBuy
YAcme Inc
I100
Q10
T1,000.00
^
D2/1'26
NStkSplit
YAcme Inc
Q20
^
`

// TestQIFMarket: ten units are bought for all of the 1000.00 and become twenty, worth 55.25 each: 1105.00. The price of
// February 1st was 60 before. A revert takes splits and prices back, and publishing again brings them again.
func TestQIFMarket(t *testing.T) {
	t.Parallel()
	k := newBroker(t)
	security := market.SecurityName{Ticker: ledger.Some("ACME")}
	if _, err := k.ledger.Market.CreateSecurity(t.Context(), k.who,
		market.SecurityInput{Ticker: ledger.Some("ACME")}); err != nil {
		t.Fatal(err)
	}
	if _, err := k.ledger.Market.PutPrice(t.Context(), k.who,
		market.PriceInput{Security: security, Date: ledger.Some(ledger.NewDate(2026, 2, 1)),
			Price: ledger.Some(decimal.New(60, 0)), Currency: ledger.Some("EUR")}); err != nil {
		t.Fatal(err)
	}
	const before, after = "2026-02-01 ACME 60 EUR api", "2026-02-15 ACME 55.25 EUR qif; 2026-02-15 GLF 7 EUR qif; 2026-02-01 ACME 60.5 EUR qif; 2026-02-01 ACME 2:1"
	figures := k.figures()
	imp := k.upload(qifMarket, importer.Request{Type: recordpkg.QifImport, Publish: true})
	k.work()
	if now := k.get(imp); now.Status != importer.StatusComplete || now.DoneRowsCount != 5 {
		t.Fatalf("published: %+v", now)
	}
	const held = "Broker has 110500\n20 of ACME at 55.25 worth 110500\n2026-01-05 Buy: Acme Inc: 10 at 100, fee 0, cash -100000, Buy, short 0"
	for range 2 {
		if got := k.marketDays(); got != after {
			t.Errorf("got %s", got)
		}
		if got := k.portfolio(); got != held {
			t.Errorf("got %s", got)
		}
		if now := k.mustRevert(imp, false); now.Status != importer.StatusPending {
			t.Fatalf("reverted: %+v", now)
		}
		if got := k.marketDays(); got != before {
			t.Errorf("reverted: %s", got)
		}
		k.same("reverted", figures)
		if _, err := k.Publish(t.Context(), k.who, uuid.UUID(imp.PublicID), importer.Publication{}); err != nil {
			t.Fatal(err)
		}
		k.work()
	}
}

// TestRevertLeavesMarketThatWasChanged: prices that a person has written since stay.
func TestRevertLeavesMarketThatWasChanged(t *testing.T) {
	t.Parallel()
	k := newBroker(t)
	imp := k.upload(qifMarket, importer.Request{Type: recordpkg.QifImport, Publish: true})
	k.work()
	if _, err := k.ledger.Market.PutPrice(t.Context(), k.who,
		market.PriceInput{Security: market.SecurityName{Ticker: ledger.Some("ACME")},
			Date: ledger.Some(ledger.NewDate(2026, 2, 15)), Price: ledger.Some(decimal.New(56, 0)),
			Currency: ledger.Some("EUR")}); err != nil {
		t.Fatal(err)
	}
	k.mustRevert(imp, false)
	if got := k.marketDays(); got != "2026-02-15 ACME 56 EUR api" {
		t.Errorf("got %s", got)
	}
}

func TestQIFPrices(t *testing.T) {
	t.Parallel()
	k := newBroker(t)
	for line, want := range map[string]string{
		`"A",1/8,"1/31/26"`:     "",
		`A,12,1/31/26`:          "",
		`"A",1 2 3/8,"1/31/26"`: `row 1 (line 2): price must be a number such as 15.75 or 15 3/4, got "1 2 3/8"`,
		`"A",1/0,"1/31/26"`:     `row 1 (line 2): price must be a number such as 15.75 or 15 3/4, got "1/0"`,
		`"A",0,"1/31/26"`:       "row 1 (line 2): price must be greater than 0, got 0",
		`"A",,"1/31/26"`:        `row 1 (line 2): price must be a symbol, a price and a day such as "IBM",15.75,"12/31/25"`,
		`"A"`:                   `row 1 (line 2): price must be a symbol, a price and a day such as "IBM",15.75,"12/31/25"`,
		`"A",5,"31/31/26"`:      `row 1 (line 2): date must be a date written as %m/%d/%Y, got "31/31/26"`,
	} {
		out := k.preflight("!Type:Prices\n"+line+"\n^\n", importer.Request{Type: recordpkg.QifImport,
			Settings: recordpkg.Settings{DateFormat: new("%m/%d/%Y")}})
		var got []string
		for _, issue := range out.Issues {
			got = append(got, issue.String())
		}
		if text := strings.Join(got, "; "); text != want {
			t.Errorf("%s: %s", line, text)
		}
	}
}
