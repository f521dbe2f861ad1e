package conformance

// mcpOlder was written for what came before: its address ends in /api/v1/, its parameters are in camel case and mean nothing here, it changes by PUT, and
// members that it makes up are no error.
// It relies on the behaviours 7, 9 and 16.
func mcpOlder(c *client) {
	c = c.with("X-Api-Key", c.key).with("Accept", "application/json").with("Content-Type", "application/json").at("/api/v1/")
	wallet := c.account("Wallet", "depository", "50.00")
	c.get("/accounts").status(200).is("accounts", listOf(holding(shape{"id": uuid, "name": text, "balance": money, "currency": text, "classification": text, "account_type": text})))
	c.get("/transactions", "accountId", wallet, "startDate", "2026-01-01", "limit", "50", "offset", "0").status(200).is("transactions", listOf(transaction()))
	body := object{"account_id": wallet, "date": "2026-08-20", "amount": "-8.00", "name": "Found", "category": "Misc", "tags": list{"a"}, "merchant": "Street"}
	made := c.post("/transactions", object{"transaction": body}).status(201).want("classification", "income").want("signed_amount_cents", 800)
	c.put("/transactions/"+made.id(), object{"transaction": object{"name": "Found money", "excluded": false, "category": nil}}).status(200).want("name", "Found money").want("amount", "-$8.00")
	c.get("/categories").status(200).is("categories", listOf(category()))
	c.get("/chats", "page", "1").status(200).size("chats", 0)
	c.get("/usage").status(200)
	c.delete("/transactions/" + made.id()).status(200)
	c.shows(16)
}
