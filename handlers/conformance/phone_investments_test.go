package conformance

import (
	"slices"
	"strconv"
	"strings"
)

// phoneInvestments is the page of an account in the app. Of the holdings it wants those of the newest day: it begins at the last page and reads
// backwards until the day changes, so they must be in the order of their days.
// It relies on the behaviours 2, 4 and 12.
func phoneInvestments(c *client) {
	c = c.with("X-Api-Key", c.key).with("Accept", "application/json")
	broker := c.account("Broker", "investment", "5000.00")
	c.trade(broker, "2026-07-10", "buy", "ACME", "10", "50.00")
	c.trade(broker, "2026-07-20", "buy", "BOLT", "2.5", "100.00")
	c.trade(broker, "2026-08-01", "buy", "CORK", "3", "20.00")
	c.trade(broker, "2026-08-10", "sell", "CORK", "3", "25.00")

	// 5000 - 500 - 250 - 60 + 75 in cash; ten at 50 and two and a half at 100 beside it.
	c.get("/api/v1/accounts/"+broker).status(200).is("", account()).want("cash_balance_cents", 426500).want("balance_cents", 501500).
		want("account_type", "investment").want("classification", "asset")
	c.get("/api/v1/balances", "account_id", broker, "per_page", "30").status(200).is("balances", listOf(balance())).size("balances", 30).
		want("balances.0.date", today).want("balances.0.balance_cents", 501500).want("balances.0.cash_balance_cents", 426500)
	phoneNewest(c, broker)
	c.get("/api/v1/accounts/"+broker+"x").fails(404, "not_found")
}

func phoneNewest(c *client, broker string) {
	c.Helper()
	first := phoneHoldings(c, broker, 1)
	var days, tickers []string
	for page := int(first.whole("pagination.total_pages")); page >= 1; page-- {
		a := phoneHoldings(c, broker, page)
		days = append(strings.Fields(a.pluck("holdings", "date")), days...)
		tickers = append(strings.Fields(tickersOf(a)), tickers...)
	}
	// From 10 July 44 days of ACME, from 20 July 34 of BOLT, nine of CORK, which was sold on the tenth.
	if len(days) != 44+34+9 || !slices.IsSorted(days) {
		c.Fatalf("%d holdings, on the days %v", len(days), days)
	}
	if got := tickers[len(tickers)-3:]; days[len(days)-1] != today || days[len(days)-3] == today || !slices.Equal(got[1:], []string{"ACME", "BOLT"}) {
		c.Fatalf("the end is %v of %v", got, days[len(days)-3:])
	}
	c.shows(4)
}

func phoneHoldings(c *client, broker string, page int) *answer {
	c.Helper()
	return c.get("/api/v1/holdings", "account_id", broker, "page", strconv.Itoa(page), "per_page", "100").status(200).is("holdings", listOf(heldSecurity()))
}

// tickersOf is the tickers of a page of holdings.
func tickersOf(a *answer) string {
	var all []string
	for _, item := range a.items("holdings") {
		security, _ := enter(item, "security")
		ticker, _ := enter(security, "ticker")
		all = append(all, ticker.(string))
	}
	return strings.Join(all, " ")
}
