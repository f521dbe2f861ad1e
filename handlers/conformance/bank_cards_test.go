package conformance

// bankCards brings the statements of cards in. Its address ends in /api/v1, it makes the categories that it needs from a name alone, has debts and foreign
// purchases, and knows a row again by an id that is a number.
// It relies on the behaviours 6, 15 and 16.
func bankCards(c *client) {
	c = c.with("X-Api-Key", c.key).with("Content-Type", "application/json").at("/api/v1")
	card := c.account("Card", "credit_card", "0", "currency", "CNY")
	c.get("/accounts", "per_page", "100").status(200).want("accounts.0.classification", "liability").want("accounts.0.currency", "CNY").want("accounts.0.account_type", "credit_card")
	made := c.post("/categories", object{"category": object{"name": "餐饮美食"}}).status(201).is("", category()).want("name", "餐饮美食")
	c.post("/categories", object{"category": object{"name": "餐饮美食"}}).fails(422, "validation_failed") // it takes the one that is there
	listed := c.get("/categories", "per_page", "100").status(200)
	listed.want(listed.find("categories", "name", "餐饮美食")+".id", made.id())

	row := object{"account_id": card, "date": "2026-08-02", "amount": "38.50", "name": "面馆", "nature": "expense", "currency": "CNY", "category_id": made.id(),
		"external_id": number("202608020001"), "source": "statement"}
	first := c.post("/transactions", object{"transaction": row}).status(201).is("", transaction()).want("external_id", "202608020001").want("category.name", "餐饮美食").
		want("amount_cents", 3850).want("currency", "CNY")
	c.post("/transactions", object{"transaction": row}).status(200).want("id", first.id())
	abroad := object{"account_id": card, "date": "2026-08-03", "amount": "12", "name": "Airport", "nature": "outflow", "currency": "jpy"}
	c.post("/transactions", object{"transaction": abroad}).status(201).want("currency", "JPY").want("amount_cents", 12)
	paid := object{"account_id": card, "date": "2026-08-05", "amount": "38.5", "name": "还款", "nature": "Inflow"}
	c.post("/transactions", object{"transaction": paid}).status(201).want("classification", "income").want("currency", "CNY").want("signed_amount_cents", 3850)
	c.get("/transactions", "search", "面馆").status(200).size("transactions", 1)
	c.get("/accounts/"+card).status(200).want("balance_cents", 0) // the yen have no rate, and are said to be left out
}
