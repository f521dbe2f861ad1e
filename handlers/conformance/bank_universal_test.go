package conformance

// bankUniversal brings transactions and trades of several banks in by a generated client: it waits for /up, finds its account by the institution's name, also
// among disabled ones, repeats a name in the query for a list, and sends everything again on every run.
// It relies on the behaviours 2, 5, 7 and 15.
func bankUniversal(c *client) {
	c.get("/up").status(200)
	c = c.with("X-Api-Key", c.key)
	bank := c.account("Main", "depository", "0", "institution_name", "test-bank", "institution_domain", "test-bank.example")
	off := c.account("Closed", "depository", "0", "institution_name", "old-bank")
	c.user().patch("/accounts/"+off, object{"account": object{"status": "disabled"}}).status(200)
	c.get("/api/v1/accounts", "page", "1", "per_page", "100").status(200).size("accounts", 1)
	all := c.get("/api/v1/accounts", "include_disabled", "true", "page", "1", "per_page", "100").status(200).is("accounts", listOf(account())).size("accounts", 2)
	all.want(all.find("accounts", "institution_name", "test-bank")+".id", bank).want(all.find("accounts", "institution_name", "old-bank")+".status", "disabled")
	universalReplays(c, bank)
	universalTrades(c)
}

// universalReplays: three transactions, sent in two runs, are three.
func universalReplays(c *client, bank string) {
	c.Helper()
	before := c.get("/api/v1/transactions", "per_page", "1").status(200).whole("pagination.total_count")
	for run, status := range []int{201, 200} {
		for _, id := range []string{"a-1", "b-1", "c-1"} {
			body := object{"account_id": bank, "date": "2026-01-15", "amount": 100, "name": "Integration " + id, "currency": "USD", "nature": "expense",
				"external_id": id, "source": "integration-test"}
			c.post("/api/v1/transactions", object{"transaction": body}).status(status).want("external_id", id).want("source", "integration-test")
		}
		if now := c.get("/api/v1/transactions", "per_page", "1").whole("pagination.total_count"); now != before+3 {
			c.Fatalf("after run %d there are %d transactions", run+1, now)
		}
	}
	// The same id from elsewhere, or in another account, is another transaction.
	other := object{"account_id": bank, "date": "2026-01-15", "amount": 100, "name": "Other", "nature": "expense", "external_id": "a-1", "source": "another"}
	c.post("/api/v1/transactions", object{"transaction": other}).status(201)
	listed := c.get("/api/v1/transactions", "per_page", "100").status(200)
	listed.want(listed.find("transactions", "external_id", "b-1")+".name", "Integration b-1")
	c.get("/api/v1/transactions?account_ids="+bank+"&account_ids="+bank+"&page=1&per_page=100&start_date=2026-01-15&end_date=2026-01-15").status(200).size("transactions", 4)
}

// universalTrades: trades have no id of the client's. It looks for what it is about to send among those of the day, by account, currency, quantity, price and
// amount, and by the type in the name.
func universalTrades(c *client) {
	c.Helper()
	broker := c.account("Broker", "investment", "100.00", "institution_name", "broker-test")
	for range 2 {
		universalTrade(c, broker, object{"date": "2026-02-02", "type": "buy", "qty": 10, "price": 5}, "10", "$50.00")
		universalTrade(c, broker, object{"date": "2026-02-03", "type": "sell", "qty": 4, "price": 6}, "-4", "-$24.00")
		universalTrade(c, broker, object{"date": "2026-02-04", "type": "dividend", "amount": 12}, "0", "-$12.00")
		universalCash(c, broker)
	}
	c.get("/api/v1/trades", "per_page", "100").status(200).is("trades", listOf(trade())).size("trades", 3)
	held := c.get("/api/v1/holdings", "per_page", "100", "page", "2").status(200).is("holdings", listOf(heldSecurity()))
	c.get("/api/v1/holdings", "per_page", "100", "date", today).size("holdings", 1).want("holdings.0.qty", number("6")).want("holdings.0.security.ticker", "BOLT")
	held.want("pagination.total_count", 202)                                                                                // from 2 February to 22 August
	c.get("/api/v1/accounts/"+broker).want("cash_balance_cents", 10000-5000+2400+1200+700).want("balance_cents", 9300+3600) // the last price is 6
}

func universalTrade(c *client, broker string, body object, qty, amount string) {
	c.Helper()
	day, kind := body["date"].(string), body["type"].(string)
	there := c.get("/api/v1/trades", "account_id", broker, "page", "1", "per_page", "100", "start_date", day, "end_date", day).status(200).is("trades", listOf(trade()))
	c.get("/api/v1/transactions", "account_ids", broker, "page", "1", "per_page", "100", "start_date", day, "end_date", day).status(200).size("transactions", 0)
	if len(there.items("trades")) > 0 {
		there.size("trades", 1).want("trades.0.qty", number(qty)).want("trades.0.amount", amount).want("trades.0.currency", "USD").want("trades.0.account.id", broker).
			is("trades.0.name", matching("(?i).*"+kind+".*"))
		return
	}
	security := "manual_ticker"
	value := any("BOLT")
	if known := c.get("/api/v1/securities", "page", "1", "per_page", "1", "ticker", "BOLT").status(200).is("securities", listOf(holding(shape{"id": uuid}))); len(known.items("securities")) > 0 {
		security, value = "security_id", known.value("securities.0.id")
	}
	body["account_id"], body["currency"], body[security] = broker, "USD", value
	c.post("/api/v1/trades", object{"trade": body}).status(201).is("", trade())
}

// universalCash: what is paid in becomes a transaction, and is found among them by the word in its name.
func universalCash(c *client, broker string) {
	c.Helper()
	there := c.get("/api/v1/transactions", "account_ids", broker, "page", "1", "per_page", "100", "start_date", "2026-02-05", "end_date", "2026-02-05").status(200)
	if len(there.items("transactions")) > 0 {
		there.size("transactions", 1).is("transactions.0.name", matching("(?i).*deposit.*")).want("transactions.0.amount_cents", 700)
		return
	}
	body := object{"account_id": broker, "date": "2026-02-05", "type": "deposit", "currency": "USD", "amount": 7}
	c.post("/api/v1/trades", object{"trade": body}).status(201)
}
