package conformance

import (
	"strings"

	"finsvc/ledger/tenant"
)

// commandLineFiles is the same command line with files: a file is sent as a part of a form, with fields that mean nothing here beside it.
// It relies on the behaviours 7 and 13.
func commandLineFiles(c *client) {
	c = c.with("X-Api-Key", c.key).with("Accept", "application/json")
	checking := c.account("Checking", "depository", "500.00")
	const file = "date,amount,name\n2026-08-03,-12.50,Hardware\n2026-08-04,-7.25,Bakery\n2026-08-05,not a number,Broken\n"

	c.upload("/api/v1/imports/preflight", "august.csv", file, "type", "TransactionImport", "account_id", checking, "date_format", "%Y-%m-%d", "rows_to_skip", "0").
		status(200).want("data.type", "TransactionImport").want("data.valid", false).want("data.stats.rows_count", 3).want("data.stats.valid_rows_count", 2).
		want("data.content.filename", "august.csv").is("data.content.byte_size", count).want("data.headers.0", "date").
		is("data.errors", listOf(holding(shape{"code": text, "message": text}))).is("data.warnings", listOf(text))
	reader := c.with("X-Api-Key", c.newKey(tenant.KeyInput{Name: "reader", Scope: tenant.ScopeRead})) // nothing is stored, so such a key will do
	reader.post("/api/v1/imports/preflight", object{"type": "TransactionImport", "account_id": checking, "raw_file_content": file}).status(200).want("data.stats.rows_count", 3)
	c.post("/api/v1/imports/preflight", object{"type": "Nonsense", "raw_file_content": file}).fails(422, "validation_failed")
	c.get("/api/v1/imports").status(200).size("data", 0).is("meta", meta())

	made := c.upload("/api/v1/imports", "august.csv", file, "format", "csv", "source", "bank", "account_id", checking).status(201).is("data", importDetail()).
		want("data.status", "pending").want("data.stats.rows_count", 3).want("data.account_id", checking)
	one := "/api/v1/imports/" + made.text("data.id")
	c.get(one).status(200).is("data", importDetail())
	c.get(one+"/rows", "page", "1", "per_page", "25").status(200).is("meta", meta()).size("data", 3).want("data.2.valid", false).want("data.0.row_number", 1).
		want("data.0.fields.name", "Hardware").want("data.0.fields.date", "2026-08-03").is("data.2.errors", listOf(text))
	c.get("/api/v1/imports", "status", "pending", "page", "1", "per_page", "25", "limit", "50").status(200).is("data", listOf(importItem())).size("data", 1)
	c.get("/api/v1/imports", "status", "complete").status(200).size("data", 0)
	c.delete(one).status(200)
	c.get(one).fails(404, "not_found")

	large := c.upload("/api/v1/imports", "large.csv", "date,amount\n"+strings.Repeat("2026-08-03,1\n", importMax/13))
	large.status(422).is("error", oneOf("file_too_large", "content_too_large")).is("message", text)
}
