package conformance

import "strconv"

// bankFirstPage brings the account of a meal card in. Its address ends in /api/v1/ and it finds its account by a part of the name; of the transactions it reads
// the first page only, takes the newest day on it, and sends what came later. Its types are strict: dates without a time, instants with a zone, ids. Its library
// offers HTTP/2 with every request and sends bodies without a length.
// It relies on the behaviours 4, 11, 15 and 16.
func bankFirstPage(c *client) {
	c = c.with("X-Api-Key", c.key).with("Accept", "application/json, application/*+json").at("/api/v1/")
	c = c.with("Connection", "Upgrade, HTTP2-Settings").with("Upgrade", "h2c").with("Http2-Settings", "AAEAAEAAAAIAAAABAAMAAABkAAQBAAAAAAUAAEAA")
	c.pieces = true
	c.account("Bank", "depository", "1.00")
	meals := c.account("My meal card", "depository", "0")
	c.get("accounts").status(200).want("accounts.1.name", "My meal card").is("accounts.1.id", uuid)
	c.get("transactions", "account_id", meals).status(200).size("transactions", 0)
	c.bookMany(meals, 60)
	newest := c.get("transactions", "account_id", meals).status(200).is("transactions", listOf(transaction())).size("transactions", 25)
	for i := range 24 {
		if newest.text("transactions."+strconv.Itoa(i)+".date") < newest.text("transactions."+strconv.Itoa(i+1)+".date") {
			c.Fatalf("the days are %s", newest.pluck("transactions", "date"))
		}
	}
	// Of the sixty, 28 are of January, 28 of February and four of March.
	newest.want("transactions.0.date", "2026-03-04").want("transactions.3.date", "2026-03-01").want("transactions.4.date", "2026-02-28").want("transactions.0.name", "Row 60")
	c.shows(4)
	body := object{"account_id": meals, "date": "2026-08-20", "amount": number("9.35"), "name": "Canteen", "currency": "EUR", "nature": "EXPENSE", "notes": nil,
		"category_id": nil, "merchant_id": nil, "tag_ids": nil, "description": nil}
	made := c.post("transactions", object{"transaction": body}).status(201).is("", transaction()).want("classification", "expense").want("notes", nil)
	body["name"] = "Canteen again"
	second := c.post("transactions", object{"transaction": body}).status(201)
	c.get("transactions", "account_id", meals).want("transactions.0.id", second.id()).want("transactions.1.id", made.id()) // of one day the newest first
	c.delete("transactions/"+made.id()).status(200).is("message", text)
	c.post("transactions", object{"transaction": object{"account_id": meals, "date": "soon", "amount": 1, "name": "x"}}).fails(422, "validation_failed")
	c.post("transactions", object{"transaction": object{"account_id": made.id(), "date": today, "amount": 1, "name": "x"}}).fails(404, "not_found")
	c.shows(15)
}
