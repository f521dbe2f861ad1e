package conformance

// appleClient decodes into types in which a member that is missing is an error, also for what it shows in passing: rules, transfers, securities and their prices.
// It relies on the behaviours 11 and 12.
func appleClient(c *client) {
	c = c.with("X-Api-Key", c.key).with("Accept", "application/json").with("Accept-Language", "de-DE;q=1.0, en;q=0.5")
	giro, visa := c.account("Giro", "depository", "500.00"), c.account("Visa", "credit_card", "200.00")
	c.get("/api/v1/accounts").status(200).is("accounts", listOf(account())).want("accounts.1.classification", "liability").want("accounts.1.balance_cents", 20000)
	c.book(giro, "2026-08-20", "150.00", "Kartenabrechnung")
	c.book(visa, "2026-08-21", "-150.00", "Zahlung erhalten")
	c.get("/api/v1/transfers").status(200).is("transfers", listOf(transfer())).want("transfers.0.transfer_type", "liability_payment")
	c.get("/api/v1/transactions").status(200).is("transactions", listOf(transaction())).want("transactions.0.transfer.other_account.id", giro)
	c.get("/api/v1/accounts").want("accounts.0.balance_cents", 35000).want("accounts.1.balance_cents", 5000)
	appleRules(c, giro)
	appleSecurities(c)
	c.get("/api/v1/usage").status(200)
}

func appleRules(c *client, giro string) {
	c.Helper()
	food := c.get("/api/v1/categories", "per_page", "100")
	rule := object{"name": "Bäcker", "resource_type": "transaction", "active": true, "conditions": list{object{"condition_type": "transaction_name", "operator": "like", "value": "bäcker"}},
		"actions": list{object{"action_type": "set_transaction_category", "value": food.text(food.find("categories", "name", "Groceries") + ".id")}}}
	made := c.user().post("/rules", object{"rule": rule}).status(201).text("data.id")
	rules := holding(shape{"id": uuid, "name": nullable(text), "resource_type": text, "active": boolean, "effective_date": nullable(date),
		"conditions": listOf(holding(shape{"condition_type": text, "operator": text})), "actions": listOf(holding(shape{"action_type": text})), "created_at": instant, "updated_at": instant})
	c.get("/api/v1/rules").status(200).is("data", listOf(rules)).is("meta", meta()).size("data", 1)
	c.get("/api/v1/rules/"+made).status(200).is("data", rules)
	c.book(giro, "2026-08-20", "3.00", "BÄCKER 12")
	c.user().post("/rules/"+made+"/run", nil)
	c.get("/api/v1/rule_runs").status(200).is("meta", meta()).is("data", listOf(holding(shape{"id": uuid, "rule_id": uuid, "status": oneOf("pending", "success", "failed"),
		"execution_type": oneOf("manual", "scheduled"), "executed_at": instant}))).size("data", 1)
}

func appleSecurities(c *client) {
	c.Helper()
	broker := c.account("Depot", "investment", "1000.00")
	id := c.trade(broker, "2026-08-10", "buy", "ACME", "2", "100")
	acme := c.get("/api/v1/trades/"+id).status(200).is("", trade()).text("security.id")
	c.user().post("/security_prices", object{"security_price": object{"security_id": acme, "date": "2026-08-20", "price": "110.5", "currency": "EUR"}}).status(201)
	listed := holding(shape{"id": uuid, "ticker": text, "name": nullable(text), "exchange_operating_mic": nullable(text), "created_at": instant, "updated_at": instant})
	c.get("/api/v1/securities", "ticker", "acme").status(200).is("securities", listOf(listed)).size("securities", 1)
	c.get("/api/v1/securities/"+acme).status(200).is("", listed)
	price := holding(shape{"id": uuid, "date": date, "price": text, "price_amount": text, "currency": text, "provisional": boolean, "security": security()})
	prices := c.get("/api/v1/security_prices", "security_id", acme, "currency", "EUR", "start_date", "2026-08-01", "end_date", today).status(200).is("security_prices", listOf(price))
	c.get("/api/v1/security_prices/"+prices.size("security_prices", 1).text("security_prices.0.id")).status(200).is("", price).is("price_amount", matching(`110\.50*`))
}
