package conformance

import "strings"

// mcpTyped is another server of tools: it checks every answer against types and gives up on anything that differs. Lists have brackets.
// It relies on the behaviours 5, 11, 13 and 16.
func mcpTyped(c *client) {
	c = c.with("X-Api-Key", c.key).with("Accept", "application/json").at("/api/v1") // its address ends there
	wallet := c.account("Wallet", "depository", "50.00")
	label := c.user().post("/tags", object{"tag": object{"name": "trip"}}).id()
	shop := c.merchant("Kiosk")
	c.get("/accounts", "page", "1", "per_page", "100").status(200).is("accounts", listOf(account())).is("pagination", anything)
	c.get("/accounts/"+wallet).status(200).is("", account())
	c.get("/merchants").status(200).is("", listOf(merchant()))
	c.get("/merchants/"+shop).status(200).is("", merchant())
	c.get("/tags").status(200).is("", listOf(tag()))
	c.get("/tags/"+label).status(200).is("", tag())
	c.patch("/tags/"+label, object{"tag": object{"name": "journey"}}).status(200).is("", tag()).want("name", "journey")

	body := object{"account_id": wallet, "date": "2026-08-20", "amount": number("10.5"), "name": "Map", "nature": "outflow", "merchant_id": shop, "tag_ids": list{label}}
	id := c.post("/transactions", object{"transaction": body}).status(201).is("", transaction()).want("classification", "expense").id()
	c.get("/transactions", "page", "1", "per_page", "20", "tag_ids[]", label, "merchant_ids[]", shop, "account_ids[]", wallet, "min_amount", "10", "max_amount", "11",
		"type", "expense", "search", "map").status(200).is("transactions", listOf(transaction())).size("transactions", 1)
	refused := c.post("/transactions", object{"transaction": object{"account_id": wallet, "date": "2026-02-30", "amount": "ten", "name": ""}}).fails(422, "validation_failed")
	if all := strings.Join(strings.Fields(refused.body), " "); !strings.Contains(all, "date") || !strings.Contains(all, "amount") || len(refused.items("errors")) < 3 {
		c.Fatalf("the refusal names not every field: %s", refused.body)
	}
	c.patch("/transactions/"+id, object{"transaction": object{"name": "Maps"}}).status(200).is("", transaction())
	c.delete("/transactions/" + id).status(200)
	c.delete("/tags/" + label).status(204)
	c.with("X-Api-Key", "nonsense").get("/accounts").fails(401, "unauthorized").is("message", text)
	c.shows(13)
}
