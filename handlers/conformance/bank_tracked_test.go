package conformance

import (
	"fmt"
	"strconv"
	"time"

	"finsvc/ledger/tenant"
)

// bankTracked brings one bank's transactions in, each with the bank's own id: 201 is new and 200 is known. It sends hundreds in a row, waits as long as Retry-After
// says when it is told to, and reckons that balances follow only after a transaction was deleted.
// It relies on the behaviours 6, 14 and 15.
func bankTracked(c *client) {
	c = c.with("X-Api-Key", c.key).with("Content-Type", "application/json")
	spending := c.account("Spending", "depository", "10.00")
	c.get("/api/v1/accounts").status(200).want("accounts.0.name", "Spending")
	c.get("/api/v1/categories", "per_page", "100", "page", "1").status(200).is("categories", listOf(category())).want("pagination.total_pages", 1)
	c = c.with("X-Api-Key", c.newKey(tenant.KeyInput{Name: "bank", Scope: tenant.ScopeReadWrite})) // with the rate that keys have
	for i := range 130 {
		c.post("/api/v1/transactions", object{"transaction": tracked(spending, i)}).status(201).is("", transaction())
	}
	c.post("/api/v1/transactions", object{"transaction": tracked(spending, 7)}).status(200).want("signed_amount_cents", -700).want("notes", "Thanks | lunch, 7")
	c.get("/api/v1/accounts").want("accounts.0.balance_cents", 1000-100*129*130/2)

	flush := object{"account_id": spending, "date": "2000-01-01", "amount": number("0.01"), "name": "__flush__", "nature": "income", "external_id": "flush", "source": "bank"}
	gone := c.post("/api/v1/transactions", object{"transaction": flush}).status(201)
	c.delete("/api/v1/transactions/" + gone.id()).status(200)
	c.get("/api/v1/accounts").want("accounts.0.balance_cents", 1000-100*129*130/2)
	alone := object{"account_id": spending, "date": "2026-08-20", "amount": 1, "name": "No id", "source": "bank"}
	c.post("/api/v1/transactions", object{"transaction": alone}).fails(422, "validation_failed")
	waitsAsTold(c, spending)
}

func tracked(account string, i int) object {
	return object{"account_id": account, "date": "2026-08-20", "amount": i, "name": "Café", "nature": "expense", "external_id": fmt.Sprintf("0f0e-%d", i), "source": "bank",
		"notes": fmt.Sprintf("Thanks | lunch, %d", i)}
}

// waitsAsTold: a key of 360 requests an hour has used them up; ten seconds later there is one again. The clock is that of all scenarios: a longer wait would end the
// leases of imports and answers that others are waiting for.
func waitsAsTold(c *client, account string) {
	c.Helper()
	c = c.with("X-Api-Key", c.newKey(tenant.KeyInput{Name: "slow", Scope: tenant.ScopeRead, RateLimit: 360}))
	for left := 359; left >= 0; left-- {
		a := c.get("/api/v1/accounts/" + account).status(200)
		if got := a.header.Get("X-RateLimit-Remaining"); got != strconv.Itoa(left) || a.header.Get("X-RateLimit-Limit") != "360" {
			c.Fatalf("%s are left, want %d", got, left)
		}
	}
	refused := c.get("/api/v1/accounts/"+account).fails(429, "rate_limit_exceeded").is("message", text).
		want("details.limit", 360).want("details.current", 360).is("details.reset_in_seconds", count)
	seconds, err := strconv.Atoi(refused.header.Get("Retry-After"))
	if err != nil || seconds != 10 {
		c.Fatalf("Retry-After is %q", refused.header.Get("Retry-After"))
	}
	c.server.clock.wait(time.Duration(seconds) * time.Second)
	c.get("/api/v1/accounts/" + account).status(200)
	c.shows(14)
}
