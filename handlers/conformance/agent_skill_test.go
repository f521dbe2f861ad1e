package conformance

// agentSkill is a description with which a language model calls the API by itself: one transaction, a trade, the worth of a house, and what is left over. Numbers
// come as numbers or texts, and GETs with a content type and a body of nothing.
// It relies on the behaviours 6, 8 and 11.
func agentSkill(c *client) {
	c = c.with("X-Api-Key", c.key).with("Content-Type", "application/json").with("Accept", "application/json")
	wallet, broker, house := c.account("Wallet", "depository", "100.00"), c.account("Broker", "investment", "1000.00"), c.account("House", "property", "300000")
	made := c.post("/api/v1/transactions", object{"transaction": object{"account_id": wallet, "date": "2026-08-20", "amount": 7, "description": "Parking", "nature": "expense"}}).
		status(201).is("", transaction()).want("name", "Parking")
	c.get("/api/v1/transactions/"+made.id()).status(200).is("", transaction()).want("amount", "$7.00")

	worth := c.post("/api/v1/valuations", object{"valuation": object{"account_id": house, "amount": "312500", "date": "2026-08-01", "notes": "appraisal"}}).status(201).is("", valuation())
	c.get("/api/v1/valuations/"+worth.id()).status(200).is("", valuation()).want("amount", "$312,500.00")
	c.patch("/api/v1/valuations/"+worth.id(), object{"valuation": object{"notes": nil}}).status(200).want("notes", nil).want("date", "2026-08-01")
	c.get("/api/v1/valuations", "account_id", house).status(200).is("valuations", listOf(valuation()))

	bought := c.post("/api/v1/trades", object{"trade": object{"account_id": broker, "date": "2026-08-03", "qty": "0.12345678", "price": "100", "ticker": "ACME|XNAS", "type": "buy"}}).
		status(201).is("", trade()).want("qty", number("0.12345678")).want("investment_activity_label", "Buy").want("security.ticker", "ACME")
	sold := c.post("/api/v1/trades", object{"trade": object{"account_id": broker, "date": "2026-08-04", "qty": number("-0.1"), "price": number("110"), "security_id": bought.text("security.id")}}).
		status(201).want("qty", number("-0.1")).want("investment_activity_label", "Sell")
	c.get("/api/v1/trades").status(200).is("trades", listOf(trade())).want("trades.0.id", sold.id()).want("trades.1.id", bought.id())
	c.delete("/api/v1/trades/"+sold.id()).status(200).is("message", text)
	c.post("/api/v1/trades", object{"trade": object{"account_id": wallet, "date": "2026-08-04", "qty": 1, "price": 1, "ticker": "ACME", "type": "buy"}}).fails(422, "validation_failed")
	c.post("/api/v1/trades", object{"trade": object{"account_id": bought.id(), "date": "2026-08-04", "qty": 1, "price": 1, "ticker": "ACME", "type": "buy"}}).fails(404, "not_found")
	c.get("/api/v1/balance_sheet").status(200).want("net_worth.amount", "313593.00").is("net_worth", sum()) // 93.00, 1,000.00 with what was bought at its price, and 312,500.00
	c.shows(6)
}
