package conformance

import (
	"strconv"
	"strings"
)

// browserExtension copies what banks show in the browser: it writes a CSV of its own, sends it as text to be imported at once, and looks at the list of imports
// until that one is complete. Balances are compared in cents, those of debts turned round.
// It relies on the behaviours 2, 11, 12 and 17.
func browserExtension(c *client) {
	c = c.with("Origin", "chrome-extension://abcdef").with("X-Api-Key", c.key).with("Content-Type", "application/json")
	checking, card := c.account("Checking", "depository", "100.00"), c.account("Card", "credit_card", "0")
	c.get("/api/v1/accounts?page=1&per_page=1").status(200).want("pagination.total_pages", 2)
	const file = "date,amount,name,notes\n2026-08-03,-20.00,\"Smith, Jones \"\"& Co\"\"\",\"two\nlines\"\n2026-08-04,55.10,Unknown,\n2026-08-05,-0.10,Bank,fee"
	sent := object{"raw_file_content": file, "type": "TransactionImport", "account_id": checking, "publish": "true", "date_col_label": "date", "amount_col_label": "amount",
		"name_col_label": "name", "notes_col_label": "notes", "signage_convention": "inflows_positive", "date_format": "%Y-%m-%d"}
	extensionImports(c, sent)
	c.get("/api/v1/transactions?account_id="+checking+"&page=1&per_page=1").status(200).want("pagination.total_count", 3)
	// Running over the same days again brings nothing new.
	sent["raw_file_content"] = file + "\n2026-08-06,-1.00,New,"
	extensionImports(c, sent)

	all := extensionReads(c, checking)
	if got := all.pluck("transactions", "date"); got != "2026-08-06 2026-08-05 2026-08-04 2026-08-03" {
		c.Fatalf("the days are %s", got)
	}
	all.want("transactions.3.name", `Smith, Jones "& Co"`).want("transactions.3.notes", "two\nlines").want("transactions.3.signed_amount_cents", -2000)
	extensionBalances(c, card)
	for id := range strings.FieldsSeq(all.pluck("transactions", "id")) {
		c.with("Content-Type", "").delete("/api/v1/transactions/" + id).status(200)
	}
	extensionReads(c, checking).size("transactions", 0)
}

// extensionImports sends a file and waits for its import in the list.
func extensionImports(c *client, sent object) {
	c.Helper()
	made := c.post("/api/v1/imports", sent).status(201).is("data", importDetail())
	c.settle("/imports/" + made.text("data.id") + "/events")
	listed := c.get("/api/v1/imports?per_page=100").status(200).is("data", listOf(importItem())).is("meta", meta())
	listed.want(listed.find("data", "id", made.text("data.id"))+".status", "complete").want("data.0.type", "TransactionImport").want("data.0.error", nil)
}

func extensionReads(c *client, account string) *answer {
	c.Helper()
	return c.get("/api/v1/transactions?account_id="+account+"&page=1&per_page=100&start_date=2026-08-01&end_date=2026-08-31").status(200).
		is("transactions", listOf(transaction())).want("pagination.total_pages", 1)
}

func extensionBalances(c *client, card string) {
	c.Helper()
	c.book(card, "2026-08-20", "30.00", "Fuel")
	owned := int64(0)
	a := c.get("/api/v1/accounts?page=1&per_page=100").status(200)
	for i := range a.items("accounts") {
		at := "accounts." + strconv.Itoa(i)
		owned += a.whole(at+".balance_cents") * map[string]int64{"asset": 1, "liability": -1}[a.text(at+".classification")]
	}
	if owned != 13400-3000 { // 100.00 - 20.00 + 55.10 - 0.10 - 1.00, and 30.00 owed
		c.Fatalf("the balances add up to %d", owned)
	}
}
