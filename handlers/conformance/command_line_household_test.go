package conformance

import "finsvc/ledger/tenant"

// commandLineHousehold is the command line on the household as a whole: its settings, merchants from a file, the synchronisations that were asked for, and the
// removal of everything, which it asks for without a body at first.
// It relies on the behaviours 8, 13 and 15.
func commandLineHousehold(c *client) {
	c = c.with("X-Api-Key", c.key).with("Accept", "application/json")
	c.book(c.account("Checking", "depository", "5.00"), "2026-08-20", "1", "Gum")
	c.get("/api/v1/family_settings").status(200).want("currency", "USD").want("locale", "en-US").want("timezone", "America/New_York").want("name", c.name).
		is("", holding(shape{"id": uuid, "date_format": text, "country": nullable(text), "month_start_day": positive, "moniker": text, "default_account_sharing": text,
			"custom_enabled_currencies": boolean, "enabled_currencies": listOf(matching("[A-Z0-9]{3,4}")), "created_at": instant, "updated_at": instant}))
	householdMerchants(c)
	householdSyncs(c)
	householdReset(c)
}

// householdMerchants: names that are there already are skipped.
func householdMerchants(c *client) {
	c.Helper()
	c.merchant("Bakery")
	c.upload("/api/v1/merchants", "merchants.csv", "name,color,website_url\nBakery,,\nGrocer,#112233,https://grocer.example\nChemist,,\n").status(201).
		want("imported", 2).want("skipped", 1).is("merchants", listOf(merchant())).size("merchants", 2)
	c.get("/api/v1/merchants").status(200).is("", listOf(merchant())).size("", 3)
	c.upload("/api/v1/merchants", "merchants.csv", "title\nGrocer\n").fails(422, "missing_column").is("message", text)
	c.get("/api/v1/merchants").size("", 3)
}

func householdSyncs(c *client) {
	c.Helper()
	c.get("/api/v1/syncs/latest").status(200).want("data", nil)
	made := c.send("POST", "/api/v1/sync", "", "").status(202).id()
	state := holding(shape{"id": uuid, "status": oneOf("pending", "syncing", "completed", "failed", "stale"), "created_at": instant, "updated_at": instant})
	c.get("/api/v1/syncs", "page", "1", "per_page", "25").status(200).is("data", listOf(state)).size("data", 1).is("meta", meta()).want("data.0.id", made)
	c.get("/api/v1/syncs/latest").status(200).is("data", state).want("data.id", made).want("data.status", "completed")
	c.get("/api/v1/syncs/"+made).status(200).is("data", state)
}

// householdReset: nothing goes for a member or by another household's name; then all goes at once, and the key still works.
func householdReset(c *client) {
	c.Helper()
	const reset = "/api/v1/users/reset"
	c.get(reset+"/status").status(200).want("status", "data_remaining").want("reset_complete", false).is("family_id", uuid).is("counts", holding(shape{}))
	c.write("DELETE", reset, object{"household": "another"}).fails(422, "validation_failed")
	if _, err := c.server.books.Tenants.CreateUser(c.Context(), c.who, tenant.UserInput{Email: "member@example.org", Role: tenant.RoleMember}); err != nil {
		c.Fatal(err)
	}
	member := c.with("X-Api-Key", c.newKey(tenant.KeyInput{Name: "member", UserEmail: "member@example.org"}))
	member.write("DELETE", reset, object{"household": c.name}).fails(403, "forbidden")
	member.get(reset+"/status").fails(403, "forbidden")
	c.get("/api/v1/transactions").status(200).size("transactions", 1)

	c.delete(reset).status(200).is("", holding(shape{"message": text, "status": text, "job_id": nullable(text), "family_id": uuid, "status_url": text}))
	c.get(reset+"/status").status(200).want("status", "complete").want("reset_complete", true)
	for _, path := range []string{"accounts", "transactions"} {
		c.get("/api/v1/"+path).status(200).size(path, 0)
	}
	c.get("/api/v1/merchants").status(200).size("", 0)
	categories := c.get("/api/v1/categories", "per_page", "100").status(200)
	categories.find("categories", "name", "Groceries")
}
