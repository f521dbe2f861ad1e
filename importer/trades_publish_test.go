package importer_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
	"github.com/shopspring/decimal"

	"finsvc/importer"
	recordpkg "finsvc/importer/record"
	"finsvc/ledger"
	"finsvc/ledger/catalog"
	"finsvc/ledger/market"
	"finsvc/ledger/position"
	"finsvc/ledger/trade"
	"finsvc/queries"
)

// broker is a desk with an investment account in euros that has 1,000.00 in cash.
func newBroker(tb testing.TB) *fixture {
	tb.Helper()
	k := newFixture(tb)
	account, err := k.ledger.Accounts.CreateAccount(tb.Context(), k.who,
		catalog.AccountInput{Name: ledger.Some("Broker"), AccountType: ledger.Some("investment"),
			Balance: ledger.Some(decimal.New(1000, 0)), Date: ledger.Some(ledger.NewDate(2025, 12, 31))})
	if err != nil {
		tb.Fatal(err)
	}
	k.account = uuid.UUID(account.PublicID)
	return k
}

// portfolio is what the account has, what is held today, and the trades.
func (k *fixture) portfolio() string {
	k.tb.Helper()
	account, err := k.ledger.Accounts.GetAccount(k.tb.Context(), k.who, k.account)
	if err != nil {
		k.tb.Fatal(err)
	}
	page := ledger.Page{Number: 1, Size: 100}
	lines := []string{fmt.Sprintf("%s has %d", account.Name, account.BalanceMinor)}
	holdings, _, err := k.ledger.Positions.ListHoldings(k.tb.Context(), k.who,
		position.HoldingFilter{Date: ledger.Some(ledger.NewDate(2026, 3, 1))}, page)
	for _, h := range holdings {
		lines = append(lines, fmt.Sprintf("%s of %s at %s worth %d", h.Quantity, h.Security.Ticker, h.Price, h.Minor))
	}
	if err != nil {
		k.tb.Fatal(err)
	}
	for _, t := range k.trades() {
		lines = append(lines, fmt.Sprintf("%s %s: %s at %s, fee %d, cash %d, %s, short %d", ledger.Date(t.Date), t.Name,
			t.Quantity, t.Price, t.Fee, t.Amount, *t.ActivityLabel, t.AllowShort))
	}
	return strings.Join(lines, "\n")
}

func (k *fixture) trades() []trade.Trade {
	k.tb.Helper()
	list, _, err := k.ledger.Trades.ListTrades(k.tb.Context(), k.who, trade.Filter{}, ledger.Page{Number: 1, Size: 100})
	if err != nil {
		k.tb.Fatal(err)
	}
	return list
}

func (k *fixture) tradeFile(file, json string) queries.Import {
	k.tb.Helper()
	imp := k.upload(file, importer.Request{Type: recordpkg.TradeImport, Settings: settings(k.tb, json), Publish: true})
	k.work()
	return k.get(imp)
}

const tradeFile = `date,ticker,qty,price,fee,name,side
2026-01-02,ACME,10,12.345,1.50,,Buy
2026-01-05,ACME,4,13,0.50,Cashing in,Sell
2026-01-05,ACME,400,0.10,,,Dividend
2026-01-06,BTC,0.12345678,1000,,,Buy
`

// Cash: 1,000.00 less 123.45 and 1.50, plus 52.00 less 0.50, less 123.45678: 803.09. Held: 6 at 13.00, and 123.46.
const tradesDone = `Broker has 100455
6 of ACME at 13 worth 7800
0.12345678 of BTC at 1000 worth 12346
2026-01-06 Buy 0.12345678 shares of BTC: 0.12345678 at 1000, fee 0, cash -12346, Buy, short 0
2026-01-05 Cashing in: -4 at 13, fee 50, cash 5150, Sell, short 0
2026-01-02 Buy 10 shares of ACME: 10 at 12.345, fee 150, cash -12495, Buy, short 0`

func TestTradeImport(t *testing.T) {
	t.Parallel()
	k := newBroker(t)
	before, figures := k.portfolio(), k.figures()
	out := k.preflight(tradeFile, importer.Request{Type: recordpkg.TradeImport, AccountID: ledger.Some(k.account)})
	if got, want := creates(out.Creates), "security ACME; security BTC"; got != want || out.Obstacle != "" ||
		out.Valid != 3 || out.Skipped != 1 {
		t.Errorf("creates %s, want %s: %+v", got, want, out)
	}
	if b := out.Balances; len(b) != 1 || b[0].Before.BalanceMinor != 100000 || b[0].After.BalanceMinor != 100455 {
		t.Errorf("balances %+v", b)
	}
	if s := out.Sums; len(s) != 1 || s[0].In != 5150 || s[0].Out != -24841 || out.First.String() != "2026-01-02" ||
		out.Last.String() != "2026-01-06" || out.Short != nil {
		t.Errorf("sums %+v, %s to %s, short %v", s, out.First, out.Last, out.Short)
	}
	k.same("preflight", figures)
	imp := k.tradeFile(tradeFile, `{}`)
	if diff := cmp.Diff(tradesDone, k.portfolio()); diff != "" || imp.Status != "complete" {
		t.Errorf("%s %s", imp.Status, diff)
	}
	k.checkTradeIDs(imp)
	if now := k.mustRevert(imp, false); now.Status != "pending" || now.Error != nil {
		t.Errorf("reverted: %+v", now)
	}
	k.same("reverted", figures)
	if diff := cmp.Diff(before, k.portfolio()); diff != "" {
		t.Error(diff)
	}
	if _, err := k.Publish(t.Context(), k.who, uuid.UUID(imp.PublicID), importer.Publication{}); err != nil {
		t.Fatal(err)
	}
	k.work()
	if diff := cmp.Diff(tradesDone, k.portfolio()); diff != "" {
		t.Errorf("published again: %s", diff)
	}
}

// checkTradeIDs compares what the rows became with the trades.
func (k *fixture) checkTradeIDs(imp queries.Import) {
	k.tb.Helper()
	_, rows, err := k.Results(k.tb.Context(), k.who, uuid.UUID(imp.PublicID), ledger.Page{Number: 1, Size: 100})
	if err != nil || len(rows) != 4 {
		k.tb.Fatal(len(rows), err)
	}
	trades := k.trades()
	for i, want := range []uuid.UUID{uuid.UUID(trades[2].PublicID), uuid.UUID(trades[1].PublicID), {},
		uuid.UUID(trades[0].PublicID)} {
		fate := "imported"
		if want == uuid.Nil {
			fate = "skipped"
		}
		if rows[i].EntryID != want || rows[i].Fate(imp.Status) != fate {
			k.tb.Errorf("row %d: %s %s, want %s %s", i+1, rows[i].Fate(imp.Status), rows[i].EntryID, fate, want)
		}
	}
}

func TestRevertOfTradesThatWereChanged(t *testing.T) {
	t.Parallel()
	k := newBroker(t)
	before := k.portfolio()
	imp := k.tradeFile(tradeFile, `{}`)
	id := uuid.UUID(k.trades()[0].PublicID)
	if _, err := k.ledger.Trades.UpdateTrade(t.Context(), k.who, id,
		trade.Input{Name: ledger.Some("Mine")}); err != nil {
		t.Fatal(err)
	}
	_, err := k.revert(imp, false)
	if !ledger.IsKind(err, ledger.Conflict) || !strings.Contains(fmt.Sprint(ledger.AsError(err).Details),
		id.String()) || !strings.Contains(err.Error(), "1 transaction or trade of") {
		t.Errorf("got %v", err)
	}
	sale := trade.Input{AccountID: ledger.Some(k.account), Date: ledger.Some(ledger.NewDate(2026, 2, 1)),
		Ticker:   ledger.Some("ACME"),
		Quantity: ledger.Some(decimal.New(-5, 0)), Price: ledger.Some(decimal.New(10, 0))}
	made, err := k.ledger.Trades.CreateTrade(t.Context(), k.who, sale)
	if err != nil {
		t.Fatal(err)
	}
	kept := k.portfolio()
	if _, err := k.revert(imp, true); !ledger.IsKind(err, ledger.Conflict) ||
		!strings.Contains(err.Error(), "5 of ACME are missing for the sale on 2026-02-01") {
		t.Errorf("got %v", err)
	}
	if diff := cmp.Diff(kept, k.portfolio()); diff != "" || k.get(imp).Status != "complete" {
		t.Errorf("a refused revert changed something: %s", diff)
	}
	if err := k.ledger.Trades.DeleteTrade(t.Context(), k.who, uuid.UUID(made.Trade.PublicID)); err != nil {
		t.Fatal(err)
	}
	k.mustRevert(imp, true)
	if diff := cmp.Diff(before, k.portfolio()); diff != "" {
		t.Error(diff)
	}
}

func TestTradeImportShort(t *testing.T) {
	t.Parallel()
	k := newBroker(t)
	const file = "date,ticker,qty,price\n2026-01-02,A,5,1\n2026-01-03,A,-3,1\n2026-01-04,A,-4,1\n2026-01-05,A,10,1\n2026-01-06,A,-1,1\n"
	in := importer.Request{Type: recordpkg.TradeImport, AccountID: ledger.Some(k.account)}
	if out := k.preflight(file, in); fmt.Sprint(out.Short, out.Obstacle) != "[3]" || len(out.Warnings()) != 1 {
		t.Errorf("short %v, %q", out.Short, out.Obstacle)
	}
	const refusal = "qty of row 3 must not take more than is held: it sells 4 A on 2026-01-04, and 2 are missing on that day; allow_short=true lets it"
	in.Settings = settings(t, `{"allow_short":"false"}`)
	if out := k.preflight(file, in); out.Obstacle != refusal || out.Short != nil || out.Creates != nil {
		t.Errorf("%+v", out)
	}
	before := k.portfolio()
	if imp := k.tradeFile(file, `{"allow_short":"false"}`); imp.Status != "failed" || *imp.Error != refusal ||
		k.portfolio() != before {
		t.Errorf("%s %v %s", imp.Status, imp.Error, k.portfolio())
	}
	if imp := k.tradeFile(file, `{}`); imp.Status != "complete" ||
		!strings.HasPrefix(k.portfolio(), "Broker has 100000\n7 of A at 1 worth 700\n") {
		t.Errorf("%s %v %s", imp.Status, imp.Error, k.portfolio())
	}
	for _, trade := range k.trades() {
		if got, want := trade.AllowShort == 1, ledger.Date(trade.Date).String() == "2026-01-04"; got != want {
			t.Errorf("%s may be short: %t", trade.Name, got)
		}
	}
	// What is missing of the short position from before the day is nobody's fault: -2, then 10 bought, then sold.
	for quantity, want := range map[string]string{
		"11": "qty of row 1 must not take more than is held: it sells 11 A on 2026-01-05, and 1 are missing on that day; allow_short=true lets it",
		"8":  "qty of row 1 must leave no sale without cover: after the sale of 8 A on 2026-01-05, 1 are missing for the sale on 2026-01-06; allow_short=true lets it",
	} {
		imp := k.tradeFile("date,ticker,qty,price\n2026-01-05,A,-"+quantity+",1\n", `{"allow_short":"false"}`)
		if imp.Status != "failed" || *imp.Error != want {
			t.Errorf("%s: %s %v", quantity, imp.Status, *imp.Error)
		}
	}
}

func TestTradeImportNamesAccounts(t *testing.T) {
	t.Parallel()
	k := newBroker(t)
	const file = "date,account,ticker,qty,price,currency\n2026-01-02,Fresh,ACME,10,5,USD\n2026-01-02,broker,ACME,1,5,\n"
	out := k.preflight(file, importer.Request{Type: recordpkg.TradeImport})
	if got, want := creates(out.Creates), "account Fresh USD; security ACME"; got != want || len(out.Balances) != 1 {
		t.Errorf("creates %s, want %s: %+v", got, want, out)
	}
	if got, want := k.published(recordpkg.TradeImport, file, false), "complete 2 2 0 imported imported"; got != want {
		t.Errorf("got %s", got)
	}
	if got := k.accounts(); !strings.Contains(got, "Fresh investment") {
		t.Errorf("accounts %s", got)
	}
	const wrong = "date,account,ticker,qty,price\n2026-01-02,Checking,ACME,10,5\n"
	const want = `account must be one of type investment or crypto, "Checking" is of type depository`
	if out := k.preflight(wrong, importer.Request{Type: recordpkg.TradeImport}); out.Obstacle != want {
		t.Errorf("got %q", out.Obstacle)
	}
	if got := k.published(recordpkg.TradeImport, wrong, false); got != "failed 1 1 0 pending "+want {
		t.Errorf("got %s", got)
	}
}

func TestTradeImportFindsSecurities(t *testing.T) {
	t.Parallel()
	k := newBroker(t)
	for _, mic := range []string{"XNAS", "XFRA"} {
		if _, err := k.ledger.Market.CreateSecurity(t.Context(), k.who,
			market.SecurityInput{Ticker: ledger.Some("TWO"), MIC: ledger.Some(mic)}); err != nil {
			t.Fatal(err)
		}
	}
	if imp := k.tradeFile("date,ticker,qty,price\n2026-01-02,TWO,1,1\n", `{}`); imp.Status != "failed" ||
		!strings.Contains(*imp.Error, "ticker TWO must name the market as well") {
		t.Errorf("%s %v", imp.Status, imp.Error)
	}
	file := "date,ticker,qty,price,exchange_operating_mic,Asset name\n2026-01-02,two,1,1,xnas,No matter\n2026-01-02,NEW,1,1,,New one\n2026-01-03,new,1,1,,Another\n"
	if imp := k.tradeFile(file, `{"name_col_label":"Asset name"}`); imp.Status != "complete" {
		t.Fatalf("%s %v", imp.Status, *imp.Error)
	}
	list, total, err := k.ledger.Market.ListSecurities(t.Context(), k.who, market.SecurityFilter{},
		ledger.Page{Number: 1, Size: 10})
	if err != nil || total != 3 {
		t.Fatal(total, err)
	}
	for _, s := range list {
		if s.Ticker == "NEW" && (s.Name == nil || *s.Name != "New one") {
			t.Errorf("the new one is called %v", s.Name)
		}
	}
}

// Dividends, interest and fees move cash and hold nothing.
func TestTradeImportWithIncome(t *testing.T) {
	t.Parallel()
	k := newBroker(t)
	const file = "date,ticker,qty,price,side,amount\n2026-01-02,ACME,10,5,Buy,-51.00\n2026-01-03,ACME,10,0.2,Dividend,2.00\n2026-01-04,,,,Interest,0.05\n2026-01-05,,,,Custody fee,-1.05\n"
	if imp := k.tradeFile(file, `{"amount_col_label":"amount"}`); imp.Status != "complete" {
		t.Fatalf("%s %v", imp.Status, *imp.Error)
	}
	const want = `Broker has 100000
10 of ACME at 5 worth 5000
2026-01-05 Fee: 0 at 0, fee 0, cash -105, Fee, short 0
2026-01-04 Interest: 0 at 0, fee 0, cash 5, Interest, short 0
2026-01-03 Dividend: ACME: 0 at 0, fee 0, cash 200, Dividend, short 0
2026-01-02 Buy 10 shares of ACME: 10 at 5, fee 100, cash -5100, Buy, short 0`
	if diff := cmp.Diff(want, k.portfolio()); diff != "" {
		t.Error(diff)
	}
}

// TestTradeWarnings: what a preflight says of rows that are booked otherwise than they stand, or left out although
// units move.
func TestTradeWarnings(t *testing.T) {
	t.Parallel()
	k := newBroker(t)
	const file = "date,side,ticker,qty,price,total\n2026-01-02,Buy,A,10,1.2345678901234,\n2026-01-02,Buy,B,1000,98.5,985\n2026-01-03,Merger,A,10,,\n" +
		"2026-01-04,Dividend,A,,,7\n2026-01-04,Reinvest Shares,A,7,1,-7\n2026-01-05,Reverse split,A,-9,,\n"
	out := k.preflight(file, importer.Request{Type: recordpkg.TradeImport, AccountID: ledger.Some(k.account)})
	want := "row 1 has a price with more decimals than can be stored, which is rounded (rows that do: 1)\n" +
		"row 2 has a price in hundredths, per cent or pence, as its amount proves, which is divided by 100 (rows that do: 1)\n" +
		"row 3 moves units without a purchase or sale and is left out: what is held will differ until that is entered (rows that do: 2)\n" +
		"row 5 buys with income that is left out, so it is left out, too: give amount_col_label to have both booked (rows that do: 1)"
	if diff := cmp.Diff(want, strings.Join(out.Warnings(), "\n")); diff != "" || out.Obstacle != "" {
		t.Error(out.Obstacle, diff)
	}
}

// TestSecurityByName: a row that has only the name of a security is of the one that the household has under that name.
func TestSecurityByName(t *testing.T) {
	t.Parallel()
	k := newBroker(t)
	k.tradeFile("date,isin,security name,qty,price\n2026-01-02,US0378331005,Acme Corp,2,5\n", `{}`)
	k.tradeFile("date,isin,security name,qty,price\n2026-02-02,,ACME CORP,3,5\n2026-02-03,,Other,1,5\n", `{}`)
	if got := k.portfolio(); !strings.Contains(got, "5 of US0378331005 at 5 worth 2500\n") ||
		!strings.Contains(got, "1 of OTHER at 5 worth 500\n") {
		t.Error(got)
	}
}

// TestTradeQuestions: what is asked names the row and the word, and offers no total as a price.
func TestTradeQuestions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, want string }{
		"an unknown kind": {"Datum;Vorgang;ISIN;Anzahl;Kurs\n14.01.2026;Kauf;US0378331005;10;81,25\n15.01.2026;Bezug;US0378331005;5;82,50\n",
			`trade_side_col_label must be given: "Vorgang" says what each row is, but not what "Bezug" means, which has a quantity and a price (line 3); give buy_value and sell_value, too`},
		"a total whose sign goes with the side": {"date,type,isin,shares,rate,value\n2026-01-14,Buy,US0378331005,10,1.1,-812.50\n2026-01-15,Sell,US0378331005,4,1.2,330.00\n",
			`price_col_label must be given: no column is known to hold it; it may be one of "rate"`},
		"a total that grows with the quantity": {"date,type,isin,shares,rate,paid\n2026-01-14,Buy,US0378331005,10,1.1,812.50\n2026-01-15,Sell,US0378331005,4,1.2,330.00\n",
			`price_col_label must be given: no column is known to hold it; it may be one of "rate"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newBroker(t)
			out := k.preflight(c.file, importer.Request{Type: recordpkg.TradeImport, AccountID: ledger.Some(k.account)})
			if diff := cmp.Diff(c.want, out.Obstacle); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestPenceDetected: a column of currencies that holds the code of pence, with nothing told.
func TestPenceDetected(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"beside the price": "Date,Product,ISIN,Quantity,Price,,Value,\n14-01-2026,ACME PLC,GB0002634946,10,1234.50,GBX,-123.45,GBP\n15-01-2026,ACME PLC,GB0002634946,-4,1250.00,GBX,50.00,GBP\n",
		"by its header": "Action,Time,ISIN,No. of shares,Price / share,Currency (Price / share),Total,Currency (Total)\n" +
			"Market buy,2026-01-14 10:11:12,GB0002634946,10,1234.50,GBX,123.45,GBP\nLimit sell,2026-01-15 10:11:12,GB0002634946,4,1250.00,GBX,50.00,GBP\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := newBroker(t)
			if imp := k.tradeFile(file, `{}`); imp.Status != "complete" {
				t.Fatalf("%s %v", imp.Status, imp.Error)
			}
			var got []string
			for _, trade := range k.trades() {
				got = append(got, fmt.Sprintf("%s at %s %s: %d", trade.Quantity, trade.Price, trade.Currency,
					trade.Amount))
			}
			if diff := cmp.Diff("-4 at 12.5 GBP: 5000;10 at 12.345 GBP: -12345", strings.Join(got, ";")); diff != "" {
				t.Error(diff)
			}
		})
	}
}
