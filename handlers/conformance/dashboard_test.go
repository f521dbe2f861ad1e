package conformance

// dashboard is a small page for the household at home: accounts and what moves them, a synchronisation by hand, and resources that it shows only where they are.
// It relies on the behaviours 8 and 13.
func dashboard(c *client) {
	c = c.with("X-Api-Key", c.key).with("Accept", "application/json")
	wallet := c.account("Wallet", "depository", "12.00")
	c.get("/api/v1/accounts/"+wallet).status(200).is("", account()).want("institution_name", nil).want("subtype", "checking")
	id := c.book(wallet, "2026-08-20", "2", "Ice")
	c.get("/api/v1/transactions", "account_id", wallet, "per_page", "5").status(200).size("transactions", 1)
	c.delete("/api/v1/transactions/" + id).status(200)
	c.get("/api/v1/accounts/"+wallet).want("balance_cents", 1200) // in the next request, without waiting for anything
	c.with("Content-Type", "application/json").send("POST", "/api/v1/sync", "", "").status(202).is("", holding(shape{"id": uuid, "status": text, "syncable_type": text,
		"syncable_id": uuid, "syncing_at": nullable(instant), "completed_at": nullable(instant), "window_start_date": nullable(date), "window_end_date": nullable(date), "message": text}))
	for _, absent := range []string{"budgets", "recurring_transactions"} {
		c.get("/api/v1/"+absent).fails(404, "not_found")
	}
}
