package conformance

import (
	"strings"

	"finsvc/ledger/tenant"
)

// bankShortPage brings transactions of a bank's own service in. It reads every list by pages of a hundred, on as long as total_pages is beyond or the page was full,
// also that of tags, which has none; it takes a bare list there. What it has sent before it knows by a mark in brackets in the notes.
// It relies on the behaviours 2, 3, 13, 14 and 17.
func bankShortPage(c *client) {
	c = c.with("X-Api-Key", c.key).with("Content-Type", "application/json").with("Accept", "application/json").with("User-Agent", "bank-sync/0.1.0").at("/api/v1")
	everyday := c.account("Everyday", "depository", "0")
	c.get("/accounts", "page", "1", "per_page", "100").status(200).is("accounts", listOf(account()))
	c.get("/tags", "page", "1", "per_page", "100").status(200).size("", 0)
	c.get("/categories", "page", "1", "per_page", "100").status(200).is("categories", listOf(category()))
	for _, id := range []string{"tx_1", "tx_2"} {
		body := object{"account_id": everyday, "date": "2026-08-20", "amount": number("4.5"), "name": "Kiosk", "nature": "expense", "notes": "[bank:" + id + "] | Category: food | MCC: 5812"}
		c.post("/transactions", object{"transaction": body}).status(201).want("notes", "[bank:"+id+"] | Category: food | MCC: 5812")
	}
	known := c.get("/transactions", "account_id", everyday, "start_date", "2026-08-01", "end_date", "2026-08-22", "page", "1", "per_page", "100").status(200)
	if notes := known.pluck("transactions", "notes"); !strings.Contains(notes, "[bank:tx_1]") || !strings.Contains(notes, "[bank:tx_2]") {
		c.Fatalf("the notes are %s", notes)
	}
	c.bookMany(everyday, 198)
	rows := c.pages("/transactions", "transactions", func(a *answer, page, rows int) bool {
		return a.whole("pagination.total_pages") > int64(page) || rows == 100
	})
	if rows != 200 {
		c.Fatalf("read %d transactions, want 200", rows)
	}
	c.shows(3)
	c.with("X-Api-Key", "none").get("/accounts").fails(401, "unauthorized")
	reader := c.with("X-Api-Key", c.newKey(tenant.KeyInput{Name: "reader", Scope: tenant.ScopeRead}))
	reader.get("/accounts").status(200)
	reader.post("/transactions", object{"transaction": object{}}).fails(403, "insufficient_scope").is("message", matching(".*read_write.*"))
	c.shows(13)
}
