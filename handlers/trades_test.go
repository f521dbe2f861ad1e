package handlers

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"finsvc/handlers/apitest"
)

// tradedRow is what tests look at of a trade.
type tradedRow struct {
	ID, Date, Type, Amount, Currency, Name string
	Notes                                  *string
	Qty                                    json.Number
	Price, Fee                             string
	Signed                                 int64   `json:"signed_amount_cents"`
	FeeCents                               int64   `json:"fee_cents"`
	Label                                  *string `json:"investment_activity_label"`
	Security                               *struct{ ID, Ticker string }
	Category                               *struct{ ID, Name string }
	UpdatedAt                              string `json:"updated_at"`
}

// String leaves out the currency of formatted amounts, and what has no value.
func (r tradedRow) String() string {
	label := "no label"
	if r.Label != nil {
		label = *r.Label
	}
	text := fmt.Sprintf("%s %s x %s, fee %s: %s = %d %s, %q, %s", r.Type, r.Qty, r.Price, r.Fee, r.Amount, r.Signed, r.Currency, r.Name, label)
	for _, sign := range []string{"\u00a0€", "\u00a0¥", "\u00a0KWD"} {
		text = strings.ReplaceAll(text, sign, "")
	}
	return text
}

// traded reads a trade out of an answer with this status.
func traded(t *testing.T, p apitest.Reply, status int) (row tradedRow) {
	t.Helper()
	if err := json.Unmarshal([]byte(p.Text), &row); err != nil || p.StatusCode != status {
		t.Fatalf("got %d %s, want %d", p.StatusCode, p.Text, status)
	}
	return row
}

// newTradingHouse has accounts that take trades.
func newTradingHouse(t *testing.T) *fixture {
	t.Helper()
	h := newFixture(t)
	h.open(t, "Broker", "investment", "EUR", "0")
	h.open(t, "Wallet", "crypto", "EUR", "0")
	h.open(t, "Tokyo", "investment", "JPY", "0")
	return h
}

// cash is what trades and transactions moved in an account, by currency.
func (h *fixture) cash(t *testing.T, account string) string {
	t.Helper()
	return strings.Join(column(t, h.file, `SELECT d.currency || ' ' || sum(d.amount) FROM account_days d JOIN accounts a ON a.id = d.account_id
		WHERE a.public_id = x'`+strings.ReplaceAll(h.ids[account], "-", "")+`' GROUP BY d.currency ORDER BY d.currency`), ", ")
}

// TestTradeTypes books one trade after the other; what each moves and what is there in cash afterwards are
// worked out by hand.
//
// Decision, Trades, holdings, valuations, balance sheet: type buy or sell, else the sign of qty; dividend, interest,
// deposit, withdrawal with an amount, and fee; qty in answers is a number, exact, never with an exponent.
// Contract, Trade: amount and price are formatted; qty is a number, negative for sales, written exactly;
// investment_activity_label: Buy, Sell, Dividend and others.
// Contract, POST /api/v1/trades: account_id, date, qty, price, currency, category_id, investment_activity_label.
func TestTradeTypes(t *testing.T) {
	t.Parallel()
	h := newTradingHouse(t)
	for _, c := range []struct{ account, members, want, cash string }{
		// 10 x 100.00 + 1.50
		{"Broker", `"qty":10,"price":100,"fee":1.5`, `buy 10 x 100,00, fee 1,50: 1.001,50 = -100150 EUR, "Buy 10 shares of ACME", Buy`, "EUR -100150"},
		// 4 x 110.25
		{"Broker", `"qty":"-4","price":"110.25"`, `sell -4 x 110,25, fee 0,00: -441,00 = 44100 EUR, "Sell 4 shares of ACME", Sell`, "EUR -56050"},
		// 1.5 x 0.333 = 0.4995, half up 0.50, less 0.01
		{"Broker", `"type":"SELL","qty":1.50,"price":0.333,"fee":"0.01"`, `sell -1.5 x 0,333, fee 0,01: -0,49 = 49 EUR, "Sell 1.5 shares of ACME", Sell`, "EUR -56001"},
		// 1 x 0.005, half up 0.01
		{"Broker", `"type":"sell","qty":-1,"price":0.005`, `sell -1 x 0,005, fee 0,00: -0,01 = 1 EUR, "Sell 1 shares of ACME", Sell`, "EUR -56000"},
		{"Broker", `"type":"Buy","qty":1,"price":0.005`, `buy 1 x 0,005, fee 0,00: 0,01 = -1 EUR, "Buy 1 shares of ACME", Buy`, "EUR -56001"},
		// 100 x 1.005
		{"Broker", `"type":" buy ","qty":1e2,"price":"1.0050","fee":0`, `buy 100 x 1,005, fee 0,00: 100,50 = -10050 EUR, "Buy 100 shares of ACME", Buy`, "EUR -66051"},
		// 1 x 1.00 - 2.00
		{"Broker", `"type":"sell","qty":1,"price":1,"fee":2`, `sell -1 x 1,00, fee 2,00: 1,00 = -100 EUR, "Sell 1 shares of ACME", Sell`, "EUR -66151"},
		{"Broker", `"type":"dividend","amount":9.99`, `dividend 0 x 0,00, fee 0,00: -9,99 = 999 EUR, "Dividend: ACME", Dividend`, "EUR -65152"},
		{"Broker", `"type":"Interest","amount":"2"`, `interest 0 x 0,00, fee 0,00: -2,00 = 200 EUR, "Interest: ACME", Interest`, "EUR -64952"},
		{"Broker", `"type":"interest","amount":"2","ticker":null`, `interest 0 x 0,00, fee 0,00: -2,00 = 200 EUR, "Interest", Interest`, "EUR -64752"},
		{"Broker", `"type":"fee","amount":3.2`, `fee 0 x 0,00, fee 0,00: 3,20 = -320 EUR, "Fee: ACME", Fee`, "EUR -65072"},
		{"Broker", `"type":"fee","amount":3.2,"ticker":"","qty":7,"price":1`, `fee 0 x 0,00, fee 0,00: 3,20 = -320 EUR, "Fee", Fee`, "EUR -65392"},
		// 2 x 1.2345 = 2.469
		{"Broker", `"qty":2,"price":1.2345,"currency":"kwd","amount":7`, `buy 2 x 1,2345, fee 0,000: 2,469 = -2469 KWD, "Buy 2 shares of ACME", Buy`, "EUR -65392, KWD -2469"},
		// 0.12345678 x 61,000.50 = 7,530.92530839
		{"Wallet", `"qty":0.12345678,"price":61000.5`, `buy 0.12345678 x 61.000,50, fee 0,00: 7.530,93 = -753093 EUR, "Buy 0.12345678 shares of ACME", Buy`, "EUR -753093"},
		{"Wallet", `"qty":"0.000000000000000001","price":"0.000000000001"`, `buy 0.000000000000000001 x 0,00, fee 0,00: 0,00 = 0 EUR, "Buy 0.000000000000000001 shares of ACME", Buy`, "EUR -753093"},
		// 3 x 333.5 = 1000.5, half up 1001, and 10
		{"Tokyo", `"qty":3,"price":333.5,"fee":10`, `buy 3 x 333,5, fee 10: 1.011 = -1011 JPY, "Buy 3 shares of ACME", Buy`, "JPY -1011"},
		{"Tokyo", `"qty":-3,"price":333.5,"fee":10,"investment_activity_label":"sweep  OUT","name":" Sold "`, `sell -3 x 333,5, fee 10: -991 = 991 JPY, "Sold", Sweep Out`, "JPY -20"},
	} {
		if !strings.Contains(c.members, `"ticker"`) {
			c.members += `,"ticker":"ACME"`
		}
		made := h.call(t, "POST", "/trades", `{"trade":{"account_id":"{`+c.account+`}","date":"2026-08-03",`+c.members+`}}`)
		row := traded(t, made, 201)
		if row.String() != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.members, row, c.want)
		}
		if got := h.cash(t, c.account); got != c.cash {
			t.Errorf("%s: cash is %s, want %s", c.members, got, c.cash)
		}
		if again := h.as(t, h.readKey, "GET", "/trades/"+row.ID, ""); again.Text != made.Text {
			t.Errorf("got %s, made %s", again.Text, made.Text)
		}
	}
}

// TestTradeBodies holds whole bodies against files worked out by hand.
//
// Contract, POST /api/v1/trades: answers the trade: 201.
func TestTradeBodies(t *testing.T) {
	t.Parallel()
	h := newTradingHouse(t)
	made := h.call(t, "POST", "/trades", `{"trade":{"account_id":"{Broker}","date":"2026-08-03","type":"buy","qty":12.5,"price":"100.125","fee":1.5,"ticker":"acme|xnas",`+
		`"investment_activity_label":"reinvestment","category_id":"{Food}","notes":"a\nb","surplus":1}}`)
	h.golden(t, "trade_create", made)
	h.ids["First"] = idOf(t, made)
	h.trade(t, "Interest", "Wallet", `"date":"2026-08-04","type":"interest","amount":5`)
	h.trade(t, "Sale", "Broker", `"date":"2026-08-03","qty":-2.5,"price":200,"ticker":"ACME"`)
	h.golden(t, "trade_list", h.as(t, h.readKey, "GET", "/trades", ""))
	h.golden(t, "trade_list", h.call(t, "GET", "/trades?account_id=&start_date=&type=&other=1", "", "Content-Type: application/json"))
	h.clock.move(time.Hour)
	h.golden(t, "trade_update", h.call(t, "PUT", "/trades/{First}", `{"trade":{"price":50,"date":"2026-08-02","notes":null,"category_id":null,"investment_activity_label":null,"account_id":"x","ticker":7}}`))
	h.golden(t, "trade_update", h.call(t, "GET", "/trades/"+strings.ToUpper(h.ids["First"]), ""))
	h.golden(t, "trade_deposit", h.call(t, "POST", "/trades", `{"trade":{"account_id":"{Broker}","date":"2026-08-03","type":"Deposit","amount":250,"category_id":"{Salary}","notes":"c","qty":1,"price":1}}`))
	h.golden(t, "trade_withdrawal", h.call(t, "POST", "/trades", `{"trade":{"account_id":"{Tokyo}","date":"2026-08-03","type":"withdrawal","amount":"7.5","currency":"eur","name":"Rent"}}`))
	h.call(t, "DELETE", "/trades/{First}", "").Is(t, 409, `{"error":"conflict","message":"without this trade 2.5 of ACME are missing for the sale on 2026-08-03: change or delete that first","details":null}`)
	h.call(t, "DELETE", "/trades/{Sale}", "", "Content-Type: application/json").Is(t, 200, `{"message":"Trade deleted successfully"}`)
	h.call(t, "DELETE", "/trades/{First}", "").Is(t, 200, `{"message":"Trade deleted successfully"}`)
	h.call(t, "GET", "/trades/{First}", "").Is(t, 404, `{"error":"not_found","message":"Trade not found","details":null}`)
	if got := h.cash(t, "Broker") + "; " + h.cash(t, "Tokyo") + "; " + h.cash(t, "Wallet"); got != "EUR 25000; EUR -750; EUR 500" {
		t.Errorf("cash is %s", got)
	}
}

// TestTradeSecurities: which security a trade names, and when it is made.
//
// Decision, Trades, holdings, valuations, balance sheet: security_id before ticker (SYMBOL or SYMBOL|MIC) before
// manual_ticker.
// Contract, POST /api/v1/trades: security_id, ticker, manual_ticker.
func TestTradeSecurities(t *testing.T) {
	t.Parallel()
	h := newTradingHouse(t)
	buy := func(members string) string {
		t.Helper()
		p := h.call(t, "POST", "/trades", `{"trade":{"account_id":"{Broker}","date":"2026-08-03","qty":1,"price":1,`+members+`}}`)
		return traded(t, p, 201).Security.ID
	}
	known := func(want string) {
		t.Helper()
		if got := strings.Join(column(t, h.file, `SELECT ticker || ' ' || mic || ' ' || manual FROM securities ORDER BY id`), ", "); got != want {
			t.Errorf("securities are %s, want %s", got, want)
		}
	}
	nasdaq := buy(`"ticker":" acme |xnas| POLYGON"`)
	h.ids["ACME"] = nasdaq
	for _, same := range []string{`"ticker":"Acme"`, `"ticker":"ACME|XNAS"`, `"manual_ticker":"acme"`, `"security_id":"{ACME}"`, `"security_id":"{ACME}","ticker":"OTHER","manual_ticker":"THIRD"`,
		`"ticker":"ACME","manual_ticker":"THIRD"`, `"security_id":null,"ticker":" ","manual_ticker":"ACME"`} {
		if got := buy(same); got != nasdaq {
			t.Errorf("%s is another security", same)
		}
	}
	known("ACME XNAS 0")
	xetra := buy(`"ticker":"ACME|XETR"`)
	if xetra == nasdaq {
		t.Error("another market is another security")
	}
	h.refuses(t, unprocessable("ticker"), "POST", "/trades", `{"trade":{"account_id":"{Broker}","date":"2026-08-03","qty":1,"price":1,"ticker":"acme"}}`)
	h.refuses(t, unprocessable("manual_ticker"), "POST", "/trades", `{"trade":{"account_id":"{Broker}","date":"2026-08-03","qty":1,"price":1,"manual_ticker":"acme"}}`)
	p := h.call(t, "POST", "/trades", `{"trade":{"account_id":"{Broker}","date":"2026-08-03","qty":1,"price":1,"ticker":"acme"}}`)
	if !strings.Contains(p.Text, `"ticker must name the market as well, one of ACME|XETR, ACME|XNAS"`) {
		t.Errorf("got %s", p.Text)
	}
	bare := h.make(t, h.key, "securities", `{"security":{"ticker":"ACME"}}`)
	if got := buy(`"ticker":"acme"`); got != bare {
		t.Error("the security without a market comes first")
	}
	buy(`"manual_ticker":" my  fund "`)
	buy(`"ticker":7203`)
	known("ACME XNAS 0, ACME XETR 0, ACME  0, MY FUND  1, 7203  0")
	h.as(t, h.neighbour, "POST", "/trades", `{"trade":{"account_id":"`+h.make(t, h.neighbour, "accounts", `{"account":{"name":"Broker","account_type":"investment"}}`)+`","date":"2026-08-03","qty":1,"price":1,"ticker":"ACME"}}`).Is(t, 201, "")
	known("ACME XNAS 0, ACME XETR 0, ACME  0, MY FUND  1, 7203  0, ACME  0")
}

// TestShortSales: what is sold must be held, on its day and ever after, unless it may be short.
//
// Decision, Trades, holdings, valuations, balance sheet: more than is held is sold only with allow_short.
func TestShortSales(t *testing.T) {
	t.Parallel()
	h := newTradingHouse(t)
	h.trade(t, "Bought", "Broker", `"date":"2026-08-03","qty":10,"price":1,"ticker":"ACME"`)
	h.trade(t, "Elsewhere", "Wallet", `"date":"2026-08-03","qty":100,"price":1,"ticker":"ACME"`)
	const sale = `{"trade":{"account_id":"{Broker}","price":1,"ticker":"ACME",`
	short := func(missing, day string) string {
		text := fmt.Sprintf("qty must leave no sale without cover: %s of ACME are missing on %s; allow_short lets a sale take more than is held", missing, day)
		return fmt.Sprintf(`{"error":"validation_failed","message":%q,"details":[%[1]q],"errors":[%[1]q]}`, text)
	}
	before := h.print(t)
	h.call(t, "POST", "/trades", sale+`"date":"2026-08-04","qty":-10.5}}`).Is(t, 422, short("0.5", "2026-08-04"))
	h.call(t, "POST", "/trades", sale+`"date":"2026-08-02","qty":-1}}`).Is(t, 422, short("1", "2026-08-02"))
	h.call(t, "POST", "/trades", `{"trade":{"account_id":"{Broker}","price":1,"ticker":"NEW","date":"2026-08-02","qty":-1}}`).Is(t, 422, strings.Replace(short("1", "2026-08-02"), "ACME", "NEW", 3))
	if h.print(t) != before {
		t.Error("a refused sale left something behind")
	}
	h.trade(t, "Sold", "Broker", `"date":"2026-08-05","qty":-10,"price":1,"ticker":"ACME"`)
	before = h.print(t)
	h.call(t, "POST", "/trades", sale+`"date":"2026-08-04","qty":-3}}`).Is(t, 422, short("3", "2026-08-05"))
	h.call(t, "PATCH", "/trades/{Bought}", `{"trade":{"qty":9}}`).Is(t, 422, short("1", "2026-08-05"))
	h.call(t, "PATCH", "/trades/{Bought}", `{"trade":{"date":"2026-08-06"}}`).Is(t, 422, short("10", "2026-08-05"))
	h.call(t, "PATCH", "/trades/{Bought}", `{"trade":{"type":"sell"}}`).Is(t, 422, short("10", "2026-08-03"))
	h.call(t, "PATCH", "/trades/{Sold}", `{"trade":{"date":"2026-08-02"}}`).Is(t, 422, short("10", "2026-08-02"))
	h.call(t, "DELETE", "/trades/{Bought}", "").Is(t, 409, "")
	if h.print(t) != before {
		t.Error("a refused change left something behind")
	}
	h.call(t, "PATCH", "/trades/{Sold}", `{"trade":{"qty":11,"allow_short":true}}`).Is(t, 200, "")
	h.call(t, "PATCH", "/trades/{Sold}", `{"trade":{"allow_short":false}}`).Is(t, 422, short("1", "2026-08-05"))
	h.call(t, "POST", "/trades", sale+`"date":"2026-08-02","qty":-1,"allow_short":"true"}}`).Is(t, 201, "")
	h.call(t, "DELETE", "/trades/{Bought}", "").Is(t, 200, "")
	h.trade(t, "Same day", "Tokyo", `"date":"2026-08-03","qty":-5,"price":1,"ticker":"OTHER","allow_short":true`)
	h.trade(t, "Later noted", "Tokyo", `"date":"2026-08-03","qty":5,"price":1,"ticker":"OTHER"`)
	h.call(t, "PATCH", "/trades/{Same day}", `{"trade":{"allow_short":0}}`).Is(t, 200, "")
}

// TestTradeUpdates: what each change makes of a purchase of 10 at 20.00 with a fee of 1.00, or of a dividend
// of 5.00.
func TestTradeUpdates(t *testing.T) {
	t.Parallel()
	h := newTradingHouse(t)
	h.trade(t, "stock", "Broker", `"date":"2026-01-02","qty":1000,"price":1,"ticker":"ACME"`)
	const buy, dividend = `"qty":10,"price":20,"fee":1`, `"type":"dividend","amount":5`
	const sell = `"qty":-10,"price":20,"fee":1`
	for _, c := range []struct{ made, change, want string }{
		{buy, ``, `buy 10 x 20,00, fee 1,00: 201,00 = -20100 EUR, "Buy 10 shares of ACME", Buy`},
		{buy, `"price":25`, `buy 10 x 25,00, fee 1,00: 251,00 = -25100 EUR, "Buy 10 shares of ACME", Buy`},
		{buy, `"qty":"12.5"`, `buy 12.5 x 20,00, fee 1,00: 251,00 = -25100 EUR, "Buy 12.5 shares of ACME", Buy`},
		{buy, `"fee":0`, `buy 10 x 20,00, fee 0,00: 200,00 = -20000 EUR, "Buy 10 shares of ACME", Buy`},
		{buy, `"qty":-3`, `sell -3 x 20,00, fee 1,00: -59,00 = 5900 EUR, "Sell 3 shares of ACME", Sell`},
		{buy, `"type":"Sell"`, `sell -10 x 20,00, fee 1,00: -199,00 = 19900 EUR, "Sell 10 shares of ACME", Sell`},
		{buy, `"nature":"inflow"`, `sell -10 x 20,00, fee 1,00: -199,00 = 19900 EUR, "Sell 10 shares of ACME", Sell`},
		{buy, `"type":"buy","nature":"inflow"`, `buy 10 x 20,00, fee 1,00: 201,00 = -20100 EUR, "Buy 10 shares of ACME", Buy`},
		{buy, `"type":"sell","qty":-2`, `sell -2 x 20,00, fee 1,00: -39,00 = 3900 EUR, "Sell 2 shares of ACME", Sell`},
		{sell, `"qty":3`, `sell -3 x 20,00, fee 1,00: -59,00 = 5900 EUR, "Sell 3 shares of ACME", Sell`},
		{sell, `"qty":-3`, `sell -3 x 20,00, fee 1,00: -59,00 = 5900 EUR, "Sell 3 shares of ACME", Sell`},
		{sell, `"price":1,"fee":50`, `sell -10 x 1,00, fee 50,00: 40,00 = -4000 EUR, "Sell 10 shares of ACME", Sell`},
		{sell, `"type":"buy"`, `buy 10 x 20,00, fee 1,00: 201,00 = -20100 EUR, "Buy 10 shares of ACME", Buy`},
		{sell, `"nature":"EXPENSE","qty":4`, `buy 4 x 20,00, fee 1,00: 81,00 = -8100 EUR, "Buy 4 shares of ACME", Buy`},
		{buy, `"currency":"kwd"`, `buy 10 x 20,000, fee 1,000: 201,000 = -201000 KWD, "Buy 10 shares of ACME", Buy`},
		{buy, `"currency":"JPY"`, `buy 10 x 20, fee 1: 201 = -201 JPY, "Buy 10 shares of ACME", Buy`},
		{buy, `"name":"Mine","type":"sell"`, `sell -10 x 20,00, fee 1,00: -199,00 = 19900 EUR, "Mine", Sell`},
		{buy + `,"name":"Mine"`, `"qty":11`, `buy 11 x 20,00, fee 1,00: 221,00 = -22100 EUR, "Mine", Buy`},
		{buy + `,"name":"Mine"`, `"name":" "`, `buy 10 x 20,00, fee 1,00: 201,00 = -20100 EUR, "Buy 10 shares of ACME", Buy`},
		{buy + `,"name":"Mine"`, `"name":null`, `buy 10 x 20,00, fee 1,00: 201,00 = -20100 EUR, "Buy 10 shares of ACME", Buy`},
		{buy, `"investment_activity_label":"exchange"`, `buy 10 x 20,00, fee 1,00: 201,00 = -20100 EUR, "Buy 10 shares of ACME", Exchange`},
		{buy + `,"investment_activity_label":"Exchange"`, `"type":"sell"`, `sell -10 x 20,00, fee 1,00: -199,00 = 19900 EUR, "Sell 10 shares of ACME", Exchange`},
		{buy + `,"investment_activity_label":"Exchange"`, `"investment_activity_label":""`, `buy 10 x 20,00, fee 1,00: 201,00 = -20100 EUR, "Buy 10 shares of ACME", Buy`},
		{buy, `"qty":null,"price":"","fee":null,"amount":null,"date":null,"currency":null,"type":"","nature":null,"allow_short":null`, `buy 10 x 20,00, fee 1,00: 201,00 = -20100 EUR, "Buy 10 shares of ACME", Buy`},
		{dividend, `"amount":7.25`, `dividend 0 x 0,00, fee 0,00: -7,25 = 725 EUR, "Dividend: ACME", Dividend`},
		{dividend, `"type":"DIVIDEND","nature":"income","qty":0,"price":"0.00","fee":0`, `dividend 0 x 0,00, fee 0,00: -5,00 = 500 EUR, "Dividend: ACME", Dividend`},
		{dividend, `"currency":"KWD","amount":1.234`, `dividend 0 x 0,000, fee 0,000: -1,234 = 1234 KWD, "Dividend: ACME", Dividend`},
		{`"type":"fee","amount":5`, `"amount":6,"nature":"outflow"`, `fee 0 x 0,00, fee 0,00: 6,00 = -600 EUR, "Fee: ACME", Fee`},
	} {
		before := h.cash(t, "Broker")
		h.trade(t, "it", "Broker", `"date":"2026-01-31","ticker":"ACME",`+c.made)
		row := traded(t, h.call(t, "PATCH", "/trades/{it}", `{"trade":{`+c.change+`}}`), 200)
		if row.String() != c.want {
			t.Errorf("%s after %s\ngot  %s\nwant %s", c.change, c.made, row, c.want)
		}
		if sum := column(t, h.file, `SELECT coalesce(sum(amount), 0) - (SELECT sum(amount) FROM account_days) FROM trades`); sum[0] != "0" {
			t.Errorf("%s: trades and the days of accounts differ by %s", c.change, sum[0])
		}
		h.call(t, "DELETE", "/trades/{it}", "").Is(t, 200, "")
		if after := h.cash(t, "Broker"); after != before {
			t.Errorf("%s: cash was %s and is %s", c.change, before, after)
		}
	}
}

// TestTradeChangesOfNothing write nothing, and others move updated_at and are noted.
func TestTradeChangesOfNothing(t *testing.T) {
	t.Parallel()
	h := newTradingHouse(t)
	h.trade(t, "it", "Broker", `"date":"2026-01-31","ticker":"ACME","qty":1,"price":1,"notes":"n","category_id":"{Food}"`)
	before := h.print(t)
	for _, nothing := range []string{``, `"qty":"1.0","price":1.00,"fee":0,"date":"2026-01-31","notes":"n","category_id":"{Food}","type":"buy","investment_activity_label":"buy","name":"Buy 1 shares of ACME"`} {
		h.call(t, "PATCH", "/trades/{it}", `{"trade":{`+nothing+`}}`).Is(t, 200, "")
		if h.print(t) != before {
			t.Errorf("a change by %s changed something", nothing)
		}
	}
	row := traded(t, h.call(t, "PATCH", "/trades/{it}", `{"trade":{"notes":"m"}}`), 200)
	if row.UpdatedAt != "2026-08-22T12:00:00.001Z" || *row.Notes != "m" || row.Category.Name != "Food" {
		t.Errorf("got %+v", row)
	}
	h.call(t, "DELETE", "/categories/{Food}", "").Is(t, 200, "")
	if row := traded(t, h.call(t, "GET", "/trades/{it}", ""), 200); row.Category != nil {
		t.Errorf("its category is deleted, got %+v", row.Category)
	}
	// What was written, the notes that were changed, the category that went, and the end.
	h.call(t, "DELETE", "/trades/{it}", "").Is(t, 200, "")
	if got := column(t, h.file, `SELECT action FROM changes WHERE entity = 'trade' ORDER BY id`); fmt.Sprint(got) != "[create update update delete]" {
		t.Errorf("the history of trades is %s", got)
	}
}

// TestTradesFixAccounts: neither the currency of an account nor its being one that takes trades can change
// while it has some.
func TestTradesFixAccounts(t *testing.T) {
	t.Parallel()
	h := newTradingHouse(t)
	h.trade(t, "it", "Broker", `"date":"2026-01-31","ticker":"ACME","qty":1,"price":1`)
	for _, other := range []string{"depository", "property", "vehicle", "other_asset"} {
		h.refuses(t, unprocessable("account_type"), "PATCH", "/accounts/{Broker}", `{"account":{"account_type":"`+other+`"}}`)
	}
	h.refuses(t, unprocessable("currency"), "PATCH", "/accounts/{Broker}", `{"account":{"currency":"USD"}}`)
	h.call(t, "PATCH", "/accounts/{Broker}", `{"account":{"account_type":"crypto"}}`).Is(t, 200, "")
	h.call(t, "DELETE", "/trades/{it}", "").Is(t, 200, "")
	h.call(t, "PATCH", "/accounts/{Broker}", `{"account":{"account_type":"depository","currency":"USD"}}`).Is(t, 200, "")
}
