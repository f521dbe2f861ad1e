package conformance

import (
	"strings"
	"sync"
)

// webView is a page in a web view without an origin of its own: the browser asks before each kind of request whether it may, and the page reads what the
// server exposes. It looks for accounts and categories at once, records, lists, and deletes what it finds by a word.
// It relies on the behaviours 8, 13, 15 and 17.
func webView(c *client) {
	c = c.with("Origin", "null")
	webViewAsks(c)
	c = c.with("X-Api-Key", c.key).with("Content-Type", "application/json")
	wallet := c.account("Wallet", "depository", "80.00")
	webViewContext(c)
	food := c.get("/api/v1/categories", "classification", "expense", "page", "1", "per_page", "100")
	body := object{"account_id": wallet, "date": "2026-08-21", "amount": number("52.8"), "name": "Weekly shopping", "nature": "expense", "notes": "milk, bread",
		"category_id": food.text(food.find("categories", "name", "Groceries") + ".id")}
	if exposed := food.header.Get("Access-Control-Expose-Headers"); !strings.Contains(exposed, "Retry-After") || !strings.Contains(exposed, "X-RateLimit-Remaining") {
		c.Fatalf("scripts may read %q", exposed)
	}
	made := c.post("/api/v1/transactions", object{"transaction": body}).status(201).is("", transaction()).want("category.name", "Groceries").want("account.name", "Wallet")
	c.get("/api/v1/transactions", "per_page", "10").status(200).is("transactions", listOf(transaction())).size("transactions", 1)

	found := c.get("/api/v1/transactions", "search", "MILK", "start_date", "2026-08-21", "end_date", "2026-08-21", "per_page", "10").status(200).size("transactions", 1)
	one := "/api/v1/transactions/" + found.text("transactions.0.id")
	c.get(one).status(200).want("id", made.id())
	c.delete(one).status(200)
	c.get(one).fails(404, "not_found").is("message", text)
}

func webViewAsks(c *client) {
	c.Helper()
	for path, method := range map[string]string{
		"/api/v1/accounts": "GET", "/api/v1/transactions": "POST", "/api/v1/transactions/0198f2a0-1234-7abc-8def-0123456789ab": "DELETE", "/api/v1/nowhere": "PATCH",
	} {
		a := c.with("Access-Control-Request-Method", method).with("Access-Control-Request-Headers", "content-type,x-api-key").send("OPTIONS", path, "", "").status(204)
		for header, want := range map[string]string{
			"Access-Control-Allow-Origin": "*", "Access-Control-Allow-Headers": "content-type,x-api-key", "Access-Control-Max-Age": "86400",
			"Access-Control-Allow-Methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
		} {
			if got := a.header.Get(header); got != want {
				c.Fatalf("%s %s: %s is %q, want %q", method, path, header, got, want)
			}
		}
	}
}

// webViewContext asks for everything at once, as a page does.
func webViewContext(c *client) {
	c.Helper()
	var all sync.WaitGroup
	paths := []string{"accounts?", "categories?classification=expense&", "categories?classification=income&"}
	answers := make([]*answer, len(paths))
	for i, path := range paths {
		all.Go(func() { answers[i] = c.get("/api/v1/" + path + "page=1&per_page=100") })
	}
	all.Wait()
	answers[0].status(200).is("accounts", listOf(account())).size("accounts", 1)
	answers[1].status(200).is("categories", listOf(category())).find("categories", "name", "Groceries")
	income := answers[2].status(200).is("categories", listOf(category()))
	if len(income.items("categories")) == 0 || len(income.items("categories")) >= len(answers[1].items("categories")) {
		c.Fatalf("categories of income are %s", income.body)
	}
}
