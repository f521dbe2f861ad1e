package conformance

import (
	"strconv"
	"strings"
	"sync"
)

// phoneApp is the app that people carry around. Logging in with a key is asking for the accounts. It keeps a copy of everything, page by page,
// uploads what was entered without a network later and perhaps twice, writes amounts as texts with a nature, and deletes several at once.
// It relies on the behaviours 4, 6, 9, 11, 12 and 15.
func phoneApp(c *client) {
	c = c.with("X-Api-Key", c.key).with("Accept", "application/json")
	everyday := c.account("Everyday", "depository", "1000.00")
	phoneLogin(c)
	phoneUpload(c, everyday)
	phoneDownload(c, everyday)
	phoneEdits(c, everyday)
	phoneWorth(c)
}

func phoneLogin(c *client) {
	c.Helper()
	c.get("/api/v1/accounts").status(200).is("accounts", listOf(account())).want("accounts.0.name", "Everyday").want("accounts.0.balance_cents", 100000)
	c.with("X-Api-Key", "wrong").get("/api/v1/accounts").fails(401, "unauthorized")
	// The other way to log in, with a password, is not there; the app shows the text of error.
	login := object{"email": "ana@example.org", "password": "secret", "device": object{"device_id": "1", "device_type": "android"}}
	c.with("X-Api-Key", "").post("/api/v1/auth/login", login).fails(404, "not_found")
}

// phoneUpload: what was entered offline is sent with an id of the app's own, and sent again when the answer did not arrive.
func phoneUpload(c *client, everyday string) {
	c.Helper()
	written := object{"account_id": everyday, "name": "Coffee", "date": "2026-08-20", "amount": "3.40", "currency": "EUR", "nature": "expense",
		"notes": "to go", "external_id": "local-1", "source": "mobile"}
	first := c.post("/api/v1/transactions", object{"transaction": written}).status(201).is("", transaction()).
		want("account.id", everyday).want("classification", "expense").want("signed_amount_cents", -340).want("external_id", "local-1").want("source", "mobile")
	written["name"] = "Renamed meanwhile"
	again := c.post("/api/v1/transactions", object{"transaction": written}).status(200).want("id", first.id()).want("name", "Coffee")
	if again.body != first.body {
		c.Fatalf("the repeat answered %s, not %s", again.body, first.body)
	}
	written = object{"account_id": everyday, "name": "Wages", "date": "2026-08-21", "amount": "1200", "currency": "EUR", "nature": "income"}
	c.post("/api/v1/transactions", object{"transaction": written}).status(201).want("classification", "income").want("signed_amount_cents", 120000)
	c.get("/api/v1/accounts").want("accounts.0.balance_cents", 219660)
	c.shows(6)
}

// phoneDownload goes through pages of a hundred up to total_pages, and compares page with the page that it asked for.
func phoneDownload(c *client, everyday string) {
	c.Helper()
	c.bookMany(everyday, 148)
	known := map[string]bool{}
	for page, pages := 1, 1; page <= pages; page++ {
		a := c.with("Content-Type", "application/json").get("/api/v1/transactions", "account_id", everyday, "page", strconv.Itoa(page), "per_page", "100").status(200).
			is("transactions", listOf(transaction())).want("pagination.page", page).want("pagination.per_page", 100).want("pagination.total_count", 150)
		pages = int(a.whole("pagination.total_pages"))
		for id := range strings.FieldsSeq(a.pluck("transactions", "id")) {
			known[id] = true
		}
	}
	if len(known) != 150 {
		c.Fatalf("the pages have %d transactions, want 150", len(known))
	}
	c.get("/api/v1/categories", "per_page", "100").status(200).is("categories", listOf(category()))
	c.get("/api/v1/merchants").status(200).size("", 0)
	c.get("/api/v1/tags").status(200).size("", 0)
}

func phoneEdits(c *client, everyday string) {
	c.Helper()
	made := c.user().post("/tags", object{"tag": object{"name": "lunch"}}).status(201).id()
	shop := c.merchant("Canteen")
	body := object{"account_id": everyday, "name": "Soup", "date": "2026-08-22", "amount": "7.5", "currency": "EUR", "nature": "expense", "tag_ids": list{made}, "merchant_id": shop}
	id := c.post("/api/v1/transactions", object{"transaction": body}).status(201).want("tags.0.name", "lunch").want("merchant.name", "Canteen").id()
	c.get("/api/v1/merchants").status(200).is("", listOf(merchant())).want("0.id", shop).want("0.type", "FamilyMerchant")
	c.get("/api/v1/merchants/"+shop).status(200).is("", merchant())
	one := "/api/v1/transactions/" + id
	c.patch(one, object{"transaction": object{"name": "Soup and bread"}}).status(200).is("", transaction()).want("tags.0.id", made).
		want("merchant.id", shop).want("signed_amount_cents", -750).want("date", "2026-08-22")
	c.patch(one, object{"transaction": object{"tag_ids": list{}}}).status(200).size("tags", 0).want("merchant.id", shop).want("name", "Soup and bread")
	c.get(one).status(200).is("", transaction()).size("tags", 0)
	c.shows(9)
	phoneDeletes(c, id, c.book(everyday, "2026-08-22", "1", "A"), c.book(everyday, "2026-08-22", "2", "B"))
	c.delete(one).fails(404, "not_found")
}

// phoneDeletes deletes several transactions at once, each with the content type that the app always sends and no body.
func phoneDeletes(c *client, ids ...string) {
	c.Helper()
	var all sync.WaitGroup
	answers := make([]*answer, len(ids))
	for i, id := range ids {
		all.Go(func() { answers[i] = c.with("Content-Type", "application/json").delete("/api/v1/transactions/" + id) })
	}
	all.Wait()
	for _, a := range answers {
		a.status(200).is("message", text)
	}
}

// phoneWorth is the first page of the app.
func phoneWorth(c *client) {
	c.Helper()
	c.get("/api/v1/balance_sheet").status(200).is("net_worth", sum()).is("assets", sum()).is("liabilities", sum()).want("currency", "EUR").
		want("net_worth.amount", "2048.60").want("net_worth.formatted", "2.048,60\u00a0€").want("liabilities.amount", "0.00")
	c.get("/api/v1/summary").fails(404, "not_found") // what the balance sheet was called once
	c.get("/api/v1/transactions").want("pagination.total_count", 150)
	c.delete("/api/v1/users/reset").status(200).is("message", text).want("status", "queued") // the app sends no body
	c.get("/api/v1/transactions").want("pagination.total_count", 0)
	c.get("/sessions/new").status(200) // its test of the connection
}
