package conformance

import "strconv"

// mcpRemote presents the key as a bearer token, and asks for pages in every way that a language model thinks of: no paging is an error.
// It relies on the behaviours 2 and 3.
func mcpRemote(c *client) {
	c = c.with("Authorization", "Bearer "+c.key).with("Accept", "application/json, text/event-stream")
	wallet := c.account("Wallet", "depository", "50.00")
	c.bookMany(wallet, 130)
	for _, asked := range []struct {
		perPage, page  string
		size, rows, at int
	}{
		{"0", "1", 25, 25, 1}, {"abc", "", 25, 25, 1}, {"", "0", 25, 25, 1}, {"-5", "-1", 25, 25, 1}, {"1", "130", 1, 1, 130}, {"100", "2", 100, 30, 2},
		{"1000", "1", 100, 100, 1}, {"99999999999999999999", "1", 100, 100, 1}, {"1.5", "x", 25, 25, 1}, {"100", "3", 100, 0, 3}, {"50", "999", 50, 0, 999},
	} {
		c.get("/api/v1/transactions", "per_page", asked.perPage, "page", asked.page).status(200).size("transactions", asked.rows).
			want("pagination.per_page", asked.size).want("pagination.page", asked.at).want("pagination.total_count", 130).
			want("pagination.total_pages", (130+asked.size-1)/asked.size)
		for _, path := range []string{"accounts", "categories", "holdings", "trades", "valuations", "balances", "transfers", "securities", "chats"} {
			c.get("/api/v1/"+path, "per_page", asked.perPage, "page", asked.page).status(200).is("pagination", anything)
		}
	}
	c.get("/api/v1/imports", "per_page", "abc", "page", strconv.Itoa(1<<40)).status(200).is("meta", meta()).size("data", 0)
	c.shows(2)
	c.with("Authorization", "Bearer ").get("/api/v1/accounts").fails(401, "unauthorized")
}
