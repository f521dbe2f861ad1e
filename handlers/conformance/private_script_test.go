package conformance

import "net/url"

// privateScript is what people write with a command that sends forms: fields with brackets, suffixes, PUT for every change, no content type for JSON.
// It relies on the behaviours 6, 8, 9 and 13.
func privateScript(c *client) {
	c = c.with("X-Api-Key", c.key).with("Accept", "*/*").with("User-Agent", "curl/8.5.0")
	wallet := c.account("Wallet", "depository", "20.00")
	label := c.user().post("/tags", object{"tag": object{"name": "cash"}}).id()
	form := func(pairs ...string) string { return query(pairs...)[1:] }
	send := func(method, path, body string) *answer {
		return c.send(method, "/api/v1"+path, "application/x-www-form-urlencoded", body)
	}
	made := send("POST", "/transactions.json", form("transaction[account_id]", wallet, "transaction[date]", "2026-08-20", "transaction[amount]", "4.20", "transaction[name]", "Tram & bus",
		"transaction[nature]", "expense", "transaction[tag_ids][]", label)).status(201).is("", transaction()).want("name", "Tram & bus").want("tags.0.id", label)
	one := "/transactions/" + made.id()
	send("PUT", one, form("transaction[name]", "Tram")).status(200).want("name", "Tram").want("tags.0.id", label).want("signed_amount_cents", -420)
	send("PUT", one, form("transaction[tag_ids][]", "", "transaction[notes]", "")).status(200).size("tags", 0).want("name", "Tram")
	// JSON under the name that the command gives to every body.
	send("PUT", one, `{"transaction": {"amount": "5", "nature": "expense"}}`).status(200).want("signed_amount_cents", -500)
	c.send("PATCH", "/api/v1"+one, "", `{"transaction": {"amount": 5.5}}`).status(200).want("signed_amount_cents", -550)
	send("PUT", "/tags/"+label, form("tag[name]", url.QueryEscape("ready money"))).status(200).want("name", "ready+money")
	c.get("/api/v1/transactions.json", "search", "tram").status(200).size("transactions", 1)
	send("DELETE", one, "").status(200)
	send("POST", "/transactions", "").fails(400, "bad_request").is("message", text)
	c.send("POST", "/api/v1/transactions", "application/json", `{"transaction": {`).fails(400, "bad_request").is("message", text)
	c.send("POST", "/api/v1/transactions", "application/json", `{"account_id": "`+wallet+`"}`).fails(400, "bad_request")
	c.send("POST", "/api/v1/transactions", "text/csv", "date,amount").fails(415, "unsupported_media_type")
	c.shows(13)
}
