package conformance

// bankMarkers brings scraped accounts in and reconciles them. It keeps its own id in the notes, several lines below what the bank wrote, and finds what it has
// sent by searching for the words above it; it makes tags from a name, takes merchants that it knows by name, and states a balance where the books differ.
// It relies on the behaviours 8, 13 and 17.
func bankMarkers(c *client) {
	c = c.with("X-Api-Key", c.key)
	checking := c.account("Checking", "depository", "100.00")
	shop := c.merchant("Supermarket")
	c.get("/api/v1/accounts", "page", "1").status(200).is("accounts", listOf(account())).want("pagination.total_pages", 1)
	c.get("/api/v1/merchants").status(200).is("", listOf(merchant())).want("0.name", "Supermarket")
	c.get("/api/v1/tags").status(200).size("", 0)
	label := c.post("/api/v1/tags", object{"tag": object{"name": "imported"}}).status(201).is("", tag())
	c.get("/api/v1/tags").status(200).want("0.id", label.id()).want("0.color", label.text("color"))

	notes := "Paid at till 3 | \"cash\" [back]\t\n\nImported By The Sync\nSource ID: bank:12-34:2026-08-20:-55.9:Shop:\nSource bank: bank\nInstallment: 1/3\n"
	body := object{"account_id": checking, "amount": number("55.9"), "currency": "USD", "date": "2026-08-20", "merchant_id": shop, "name": "Shop", "nature": "expense",
		"notes": notes, "tag_ids": list{label.id()}}
	made := c.post("/api/v1/transactions", object{"transaction": body}).status(201).is("", transaction()).want("notes", notes).want("merchant.name", "Supermarket").want("tags.0.id", label.id())
	c.get("/api/v1/transactions/"+made.id()).status(200).want("notes", notes)
	for _, words := range []string{"Imported by the sync", "IMPORTED BY THE SYNC", "source id: bank:12-34", "[BACK]", "| \"cash\"", "till 3"} {
		c.get("/api/v1/transactions", "account_id", checking, "per_page", "100", "search", words, "page", "1").status(200).
			size("transactions", 1).want("transactions.0.notes", notes)
	}
	c.get("/api/v1/transactions", "search", "Imported_by%").status(200).size("transactions", 0)
	c.shows(17)

	c.post("/api/v1/valuations", object{"valuation": object{"account_id": checking, "amount": number("40.25"), "date": today, "notes": "Imported By The Sync\nBalance"}}).
		status(201).is("", valuation()).want("kind", "reconciliation").want("notes", "Imported By The Sync\nBalance")
	c.with("Content-Type", "application/json").send("POST", "/api/v1/sync", "", "").status(202).is("id", uuid).is("status", text)
	c.shows(8)
	c.get("/api/v1/accounts").status(200).want("accounts.0.balance", "$40.25").want("accounts.0.balance_cents", 4025)
}
