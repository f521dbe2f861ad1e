package conformance

import "strings"

// terminalUI is a program in a terminal. It decodes into fixed types, sends only fields that it has, filters by lists in brackets, and says Content-Type
// with every request, bodies or not.
// It relies on the behaviours 5, 6, 8 and 11.
func terminalUI(c *client) {
	c = c.with("X-Api-Key", c.key).with("Content-Type", "application/json")
	wallet, card := c.account("Wallet", "depository", "100.00"), c.account("Card", "credit_card", "0")
	c.get("/api/v1/accounts", "per_page", "100").status(200).want("accounts.0.name", "Card").want("accounts.1.name", "Wallet").want("accounts.1.balance_cents", 10000)
	groceries := c.get("/api/v1/categories", "per_page", "100").status(200).find("categories", "name", "Groceries")
	food := c.get("/api/v1/categories", "per_page", "100").text(groceries + ".id")
	c.get("/api/v1/tags").status(200).size("", 0)

	body := object{"account_id": wallet, "date": "2026-08-20", "amount": "42", "name": "Market", "nature": "expense", "category_id": food}
	made := c.post("/api/v1/transactions", object{"transaction": body}).status(201).want("amount_cents", 4200).want("category.id", food).want("transfer", nil).size("tags", 0)
	c.patch("/api/v1/transactions/"+made.id(), object{"transaction": object{"amount": "45.10", "nature": "expense"}}).status(200).want("amount_cents", 4510).
		want("category.id", food).want("date", "2026-08-20")
	c.book(card, "2026-08-19", "9.99", "Cinema")
	c.book(card, "2026-08-18", "-5.00", "Refund")
	terminalFilters(c, wallet, card, food)
	c.delete("/api/v1/transactions/" + made.id()).status(200)
	c.get("/api/v1/transactions", "per_page", "100", "page", "1").status(200).want("pagination.total_pages", 1).size("transactions", 2)
}

func terminalFilters(c *client, wallet, card, food string) {
	c.Helper()
	for pairs, want := range map[string]string{
		"account_ids[]=" + wallet + "&account_ids[]=" + card: "Market Cinema Refund",
		"account_ids[]=" + card:                              "Cinema Refund",
		"category_ids[]=" + food + "&type=expense":           "Market",
		"type=income": "Refund",
		"search=CINE": "Cinema",
		"start_date=2026-08-19&end_date=2026-08-19": "Cinema",
	} {
		a := c.get("/api/v1/transactions?per_page=100&page=1&"+strings.ReplaceAll(pairs, "[]", "%5B%5D")).status(200).is("transactions", listOf(transaction()))
		if got := a.pluck("transactions", "name"); got != want {
			c.Fatalf("%s: got %q, want %q", pairs, got, want)
		}
	}
	c.get("/api/v1/transactions?type=transfer").fails(422, "validation_failed").is("errors.0", text)
}
