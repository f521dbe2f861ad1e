package conformance

// commandLine is a command line over the whole API: every answer is printed as it is, together with its status, so what is missing must be clean JSON too.
// Amounts and quantities are texts, notes are sent even when blank, changes go by PUT.
// It relies on the behaviours 2, 6, 7, 8, 13 and 15.
func commandLine(c *client) {
	c = c.with("X-Api-Key", c.key).with("Accept", "application/json")
	checking := c.account("Checking", "depository", "500.00")
	cliAccounts(c, checking)
	cliTransactions(c, checking)
	cliLabels(c)
	cliValuations(c, checking)
	cliTransfers(c, checking)
	cliChats(c)
	cliAbsent(c)
}

func cliAccounts(c *client, checking string) {
	c.Helper()
	c.get("/api/v1/usage").status(200).want("api_key.name", "key").want("api_key.scopes.0", "read_write").is("api_key.created_at", instant).
		is("api_key.last_used_at", nullable(instant)).is("rate_limit", holding(shape{"tier": text, "limit": integer, "current_count": integer, "remaining": integer,
		"reset_in_seconds": integer, "reset_at": instant}))
	c.get("/api/v1/accounts", "page", "1", "per_page", "25", "include_disabled", "true").status(200).is("accounts", listOf(account())).size("accounts", 1)
	c.get("/api/v1/accounts/"+checking).status(200).is("", account())
	c.get("/api/v1/balance_sheet").status(200).is("net_worth", sum())
	c.get("/api/v1/balances", "page", "1", "per_page", "25", "account_id", checking, "currency", "USD", "start_date", "2026-08-01", "end_date", "2026-08-31").
		status(200).is("balances", listOf(balance())).size("balances", 22)
	first := c.get("/api/v1/balances", "per_page", "1").text("balances.0.id")
	c.get("/api/v1/balances/"+first).status(200).is("", balance())
	c.get("/api/v1/balances", "account_id", "nonsense").fails(422, "validation_failed")
}

func cliTransactions(c *client, checking string) {
	c.Helper()
	body := object{"account_id": checking, "date": "2026-08-20", "amount": "12.50", "nature": "expense", "name": "Hardware", "notes": ""}
	id := c.post("/api/v1/transactions", object{"transaction": body}).status(201).is("", transaction()).want("notes", "").want("amount", "$12.50").id()
	one := "/api/v1/transactions/" + id
	c.put(one, object{"transaction": object{"amount": "20.00", "nature": "income", "notes": "sold"}}).status(200).is("", transaction()).
		want("signed_amount_cents", 2000).want("name", "Hardware").want("notes", "sold").want("amount", "-$20.00")
	c.put(one, object{"transaction": object{"name": "Tools", "counterparty": "Shop", "source": "cli", "user_modified": true, "kind": "standard", "account_id": "elsewhere"}}).status(200).
		want("name", "Tools").want("account.id", checking).want("signed_amount_cents", 2000)
	c.shows(7)
	c.get(one).status(200).is("", transaction())
	c.get("/api/v1/transactions", "page", "1", "per_page", "100", "start_date", "2026-08-01", "end_date", "2026-08-31").status(200).
		is("transactions", listOf(transaction())).want("pagination.total_pages", 1)
	c.get("/api/v1/transactions", "type", "expense", "min_amount", "5", "max_amount", "50").status(200).size("transactions", 0)
	c.delete(one).status(200).is("message", text)
	c.delete(one).fails(404, "not_found")
	c.shows(15)
}

func cliLabels(c *client) {
	c.Helper()
	c.get("/api/v1/categories", "page", "1", "per_page", "25", "roots_only", "true").status(200).is("categories", listOf(category()))
	made := c.post("/api/v1/categories", object{"category": object{"name": "Boat"}}).status(201).is("", category()).want("parent", nil).id()
	c.post("/api/v1/categories", object{"category": object{"name": "Sails", "parent_id": made, "color": "#112233", "icon": "anchor"}}).status(201).
		want("parent.id", made).want("parent.name", "Boat")
	c.get("/api/v1/categories", "parent_id", made).status(200).size("categories", 1)
	c.get("/api/v1/categories/"+made).status(200).is("", category()).want("subcategories_count", 1)
	c.get("/api/v1/merchants", "page", "1", "per_page", "25").status(200).size("", 0)
	label := c.post("/api/v1/tags", object{"tag": object{"name": "deck"}}).status(201).is("", tag()).id()
	c.get("/api/v1/tags", "page", "2", "per_page", "1").status(200).is("", listOf(tag())).size("", 1) // paging is for others
	c.shows(2)
	c.patch("/api/v1/tags/"+label, object{"tag": object{"color": "#0000ff"}}).status(200).want("name", "deck").want("color", "#0000ff")
	c.get("/api/v1/tags/"+label).status(200).is("", tag())
	c.delete("/api/v1/tags/" + label).status(204)
	c.get("/api/v1/tags/"+label).fails(404, "not_found")
	c.get("/api/v1/rules", "page", "1", "per_page", "25", "resource_type", "transaction", "active", "true").status(200).size("data", 0).is("meta", meta())
	c.get("/api/v1/rule_runs", "page", "1", "status", "success", "execution_type", "manual", "start_executed_at", "2026-01-01T00:00:00Z").status(200).
		size("data", 0).is("meta", meta())
}

// cliValuations: upsert stands beside the object.
func cliValuations(c *client, checking string) {
	c.Helper()
	body := object{"account_id": checking, "amount": "750.25", "date": "2026-08-21"}
	made := c.post("/api/v1/valuations", object{"valuation": body}).status(201).is("", valuation()).want("kind", "reconciliation").want("amount", "$750.25")
	body["amount"], body["notes"] = "750.75", "counted again"
	c.post("/api/v1/valuations", object{"valuation": body, "upsert": true}).status(200).want("id", made.id()).want("amount", "$750.75")
	one := "/api/v1/valuations/" + made.id()
	c.patch(one, object{"valuation": object{"amount": "751", "date": "2026-08-20"}}).status(200).want("amount", "$751.00").want("date", "2026-08-20").want("notes", "counted again")
	c.get(one).status(200).is("", valuation())
	c.get("/api/v1/valuations", "account_id", checking, "start_date", "2026-08-01", "end_date", "2026-08-31", "page", "1", "per_page", "25").status(200).
		is("valuations", listOf(valuation())).size("valuations", 1).want("pagination.total_count", 1)
	c.get("/api/v1/accounts/"+checking).want("balance_cents", 75100)
}

func cliTransfers(c *client, checking string) {
	c.Helper()
	savings := c.account("Savings", "depository", "0")
	c.book(checking, "2026-08-21", "100.00", "To savings")
	c.book(savings, "2026-08-22", "-100.00", "From checking")
	found := c.get("/api/v1/transfers", "page", "1", "per_page", "25", "account_id", savings, "start_date", "2026-08-21", "end_date", "2026-08-22").status(200).
		is("transfers", listOf(transfer())).size("transfers", 1).want("transfers.0.amount_cents", 10000)
	c.get("/api/v1/transfers/"+found.text("transfers.0.id")).status(200).is("", transfer()).want("outflow_transaction.account.id", checking)
	c.get("/api/v1/transactions", "account_id", savings).want("transactions.0.transfer.other_account.id", checking).want("transactions.0.transfer.amount", "$100.00")
	c.user().post("/transfers/"+found.text("transfers.0.id")+"/reject", nil).status(200)
	rejected := c.get("/api/v1/rejected_transfers", "page", "1", "per_page", "25").status(200).size("rejected_transfers", 1).
		is("rejected_transfers.0.inflow_transaction", transferSide()).is("rejected_transfers.0.outflow_transaction", transferSide())
	c.get("/api/v1/rejected_transfers/"+rejected.text("rejected_transfers.0.id")).status(200).is("created_at", instant)
}

// cliChats: a retry comes with an empty object.
func cliChats(c *client) {
	c.Helper()
	made := c.post("/api/v1/chats", object{"title": "Books", "message": "What is my net worth?", "model": "builtin"}).status(201).is("", chat())
	one := "/api/v1/chats/" + made.id()
	c.awaits(one)
	c.post(one+"/messages/retry", object{}).status(202).is("message_id", uuid)
	c.awaits(one)
	c.get("/api/v1/chats").status(200).is("chats", listOf(chatItem()))
	c.get(one, "page", "1").status(200).is("", chat())
	c.patch(one, object{"title": "Worth"}).status(200).want("title", "Worth")
	c.delete(one).status(204)
}

// cliAbsent: what this service does not have is said cleanly, and the command line prints it.
func cliAbsent(c *client) {
	c.Helper()
	for _, path := range []string{"budgets", "budget_categories", "recurring_transactions", "family_exports", "provider_connections", "import_sessions/1"} {
		c.get("/api/v1/"+path).fails(404, "not_found").is("message", text)
	}
	c.post("/api/v1/recurring_transactions", object{"recurring_transaction": object{"name": "Rent"}}).fails(404, "not_found")
	c.post("/api/v1/auth/refresh", object{"refresh_token": "x"}).fails(404, "not_found")
	c.post("/api/v1/usage", object{}).fails(405, "method_not_allowed")
}
