package conformance

import "strings"

// rulesImporter moves rules from another program over: it writes them as a CSV whose cells are JSON, sends it to be published at once, and asks for the import
// until it is complete or failed.
// It relies on the behaviours 7, 11 and 13.
func rulesImporter(c *client) {
	c = c.with("X-Api-Key", c.key)
	giro := c.account("Giro", "depository", "10.00")
	c.get("/api/v1/accounts", "page", "1").status(200).want("accounts.0.name", "Giro")
	cell := func(text string) string { return `"` + strings.ReplaceAll(text, `"`, `""`) + `"` }
	file := "name,resource_type,active,effective_date,conditions,actions\n" +
		"Bakeries,transaction,true,," + cell(`[{"condition_type":"transaction_name","operator":"like","value":"bakery"},{"condition_type":"transaction_account","operator":"=","value":"`+giro+`"}]`) +
		"," + cell(`[{"action_type":"set_transaction_category","value":"Groceries"}]`) + "\n"

	checked := c.post("/api/v1/imports", object{"col_sep": ",", "publish": "false", "raw_file_content": file, "type": "RuleImport"}).status(201).is("data", importDetail()).
		want("data.status", "pending").want("data.type", "RuleImport").want("data.stats.rows_count", 1).want("data.stats.valid_rows_count", 1)
	c.get("/api/v1/imports/"+checked.text("data.id")).status(200).want("data.status", "pending")
	c.get("/api/v1/rules").status(200).size("data", 0)

	sent := c.post("/api/v1/imports", object{"col_sep": ",", "publish": "true", "raw_file_content": file, "type": "RuleImport"}).status(201).is("data.status", oneOf("importing", "complete", "pending"))
	c.settle("/imports/" + sent.text("data.id") + "/events")
	c.get("/api/v1/imports/"+sent.text("data.id")).status(200).is("data", importDetail()).want("data.status", "complete").want("data.error", nil)
	c.get("/api/v1/rules").status(200).is("meta", meta()).size("data", 1).want("data.0.name", "Bakeries").want("data.0.resource_type", "transaction").want("data.0.active", true)
	c.book(giro, "2026-08-20", "3.10", "Corner Bakery")
	c.get("/api/v1/transactions").want("transactions.0.category.name", "Groceries")

	broken := c.post("/api/v1/imports", object{"publish": "true", "raw_file_content": "name,conditions\n\"never closed", "type": "RuleImport"}).status(201)
	c.get("/api/v1/imports/"+broken.text("data.id")).status(200).want("data.status", "failed").is("data.error", text)
}
