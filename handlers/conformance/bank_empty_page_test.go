package conformance

// bankEmptyPage brings the accounts of another country's banks in. It reads on until a page is empty, whatever total_pages says; for tags it looks for a member
// that is not there, makes what it believes to be missing, and goes on when that is refused. Its values are without a nature.
// It relies on the behaviours 2, 3, 6 and 14.
func bankEmptyPage(c *client) {
	c = c.with("X-Api-Key", c.key).with("Accept", "application/json, text/plain, */*")
	checking := c.account("Checking", "depository", "100.00")
	empty := func(_ *answer, _, rows int) bool { return rows > 0 }
	if n := c.pages("/api/v1/accounts", "accounts", empty); n != 1 {
		c.Fatalf("read %d accounts", n)
	}
	c.bookMany(checking, 100)
	if n := c.pages("/api/v1/transactions", "transactions", empty, "account_id", checking, "search", "Row"); n != 100 {
		c.Fatalf("read %d transactions", n)
	}
	c.shows(3)
	c.pages("/api/v1/categories", "categories", empty)
	c.get("/api/v1/tags", "page", "1", "per_page", "100").status(200).size("", 0)
	c.post("/api/v1/tags", object{"tag": object{"name": "imported"}}).status(201).is("", tag())
	c.post("/api/v1/tags", object{"tag": object{"name": "Imported"}}).fails(422, "validation_failed").is("message", text)

	body := object{"account_id": checking, "name": "Market", "notes": "Source ID: 7", "date": "2026-08-21", "amount": number("25.9"), "currency": "USD"}
	c.post("/api/v1/transactions", object{"transaction": body}).status(201).want("classification", "expense").want("signed_amount_cents", -2590)
	body["amount"] = number("-25.9")
	c.post("/api/v1/transactions", object{"transaction": body}).status(201).want("classification", "income").want("signed_amount_cents", 2590)
	c.post("/api/v1/valuations", object{"valuation": object{"account_id": checking, "date": today, "amount": number("77.1")}}).status(201).is("", valuation())
	c.get("/api/v1/accounts/"+checking).want("balance_cents", 7710)
}
