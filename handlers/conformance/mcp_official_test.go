package conformance

import "strings"

// mcpOfficial gives the books as tools to a language model, over a library that sends JSON bodies and nothing else. Lists in queries are written with
// commas, numbers are numbers, a synchronisation and deletions have no body, and of an answer without JSON it takes the text.
// It relies on the behaviours 5, 8, 9 and 15.
func mcpOfficial(c *client) {
	c = c.with("X-Api-Key", c.key)
	one, two := c.account("First", "depository", "10.00"), c.account("Second", "depository", "20.00")
	c.get("/api/v1/usage").status(200)
	c.get("/api/v1/accounts").status(200).is("accounts", listOf(account())).want("accounts.0.id", one)
	mcpTransactions(c, one, two)
	mcpLabels(c, one)
	mcpMerges(c, one)
	mcpInvests(c)
	c.send("POST", "/api/v1/sync", "", "").status(202).is("id", uuid).is("status", text).is("message", text)
	mcpChats(c)
}

func mcpTransactions(c *client, one, two string) {
	c.Helper()
	body := object{"account_id": one, "amount": number("12.0"), "name": "Book", "date": "2026-08-20", "nature": "expense", "notes": "a | b\n[c]"}
	id := c.post("/api/v1/transactions", object{"transaction": body}).status(201).is("", transaction()).want("signed_amount_cents", -1200).id()
	c.book(two, "2026-08-21", "5", "Pen")
	for query, want := range map[string]string{
		"per_page=25&account_ids=" + one + "," + two:             "Pen Book",
		"per_page=25&account_ids=" + one + "," + one:             "Book",
		"per_page=25&account_ids=" + two:                         "Pen",
		"per_page=25&account_id=" + two:                          "Pen",
		"per_page=25&account_ids=" + one + "%2C" + two:           "Pen Book",
		"per_page=25&account_ids%5B%5D=" + one:                   "Book",
		"per_page=25&account_ids=" + one + "&account_ids=" + two: "Pen Book",
	} {
		if got := c.get("/api/v1/transactions?"+query).status(200).pluck("transactions", "name"); got != want {
			c.Fatalf("%s: got %q, want %q", query, got, want)
		}
	}
	c.shows(5)
	c.get("/api/v1/transactions/"+id).status(200).want("notes", "a | b\n[c]")
	c.patch("/api/v1/transactions/"+id, object{"transaction": object{"amount": number("13.25")}}).status(200).want("signed_amount_cents", -1325)
	c.delete("/api/v1/transactions/"+id).status(200).is("message", text)
	c.get("/api/v1/transactions/nonsense").fails(404, "not_found")
}

func mcpLabels(c *client, one string) {
	c.Helper()
	label := c.post("/api/v1/tags", object{"tag": object{"name": "tax 2026"}}).status(201).is("", tag()).id()
	id := c.book(one, "2026-08-20", "1", "Stamp", "tag_ids", list{label})
	c.patch("/api/v1/transactions/"+id, object{"transaction": object{"notes": "kept"}}).status(200).want("tags.0.id", label)
	c.patch("/api/v1/transactions/"+id, object{"transaction": object{"tag_ids": list{}}}).status(200).size("tags", 0).want("notes", "kept")
	if a := c.delete("/api/v1/tags/" + label).status(204); a.body != "" {
		c.Fatalf("the body is %q", a.body)
	}
	made := c.post("/api/v1/categories", object{"category": object{"name": "Stationery", "color": "#6172f3"}}).status(201).want("color", "#6172f3").id()
	c.get("/api/v1/categories/"+made).status(200).is("", category())
	c.get("/api/v1/categories").status(200).is("categories", listOf(category())).want("pagination.per_page", 25)
}

// mcpMerges moves all transactions of a category to another, a part of a split one among them: it asks for the first page again and again, and stops when it is short.
func mcpMerges(c *client, one string) {
	c.Helper()
	from := c.post("/api/v1/categories", object{"category": object{"name": "Old"}}).id()
	into := c.post("/api/v1/categories", object{"category": object{"name": "New"}}).id()
	for range 2 {
		c.book(one, "2026-08-20", "1", "Moved", "category_id", from)
	}
	c.book(one, "2026-08-20", "3", "Split", "split_lines", list{object{"amount": "1", "category_id": from}, object{"amount": "2"}})
	for moved := range strings.FieldsSeq(c.get("/api/v1/transactions", "category_ids", from, "per_page", "100", "page", "1").status(200).size("transactions", 3).pluck("transactions", "id")) {
		c.patch("/api/v1/transactions/"+moved, object{"transaction": object{"category_id": into}}).status(200).want("category.id", into)
	}
	c.get("/api/v1/transactions", "category_ids", from, "per_page", "100", "page", "1").status(200).size("transactions", 0)
	c.get("/api/v1/transactions", "category_ids", into, "per_page", "100", "page", "1").status(200).is("transactions", listOf(transaction())).size("transactions", 3)
}

func mcpInvests(c *client) {
	c.Helper()
	broker := c.account("Broker", "investment", "1000.00")
	body := object{"account_id": broker, "type": "buy", "date": "2026-08-03", "ticker": "ACME", "qty": number("4.0"), "price": number("25.5"), "fee": number("1.0"), "currency": "USD"}
	made := c.post("/api/v1/trades", object{"trade": body}).status(201).is("", trade()).want("qty", number("4")).want("security.ticker", "ACME")
	paid := object{"account_id": broker, "type": "dividend", "date": "2026-08-10", "security_id": made.text("security.id"), "amount": number("3.2")}
	c.post("/api/v1/trades", object{"trade": paid}).status(201).is("", trade()).want("investment_activity_label", "Dividend")
	c.post("/api/v1/trades", object{"trade": object{"account_id": broker, "type": "deposit", "date": "2026-08-02", "amount": number("50")}}).status(201).
		is("", transaction()).want("signed_amount_cents", 5000)
	c.get("/api/v1/trades", "per_page", "25", "account_ids", broker, "start_date", "2026-08-01", "end_date", "2026-08-31").status(200).
		is("trades", listOf(trade())).size("trades", 2).want("trades.0.date", "2026-08-10")
	one := "/api/v1/trades/" + made.id()
	c.get(one).status(200).is("", trade())
	c.patch(one, object{"trade": object{"type": "buy", "qty": number("5.0"), "price": number("25.5"), "notes": "five, not four"}}).status(200).is("", trade()).
		want("qty", number("5")).want("notes", "five, not four")
	held := c.get("/api/v1/holdings", "per_page", "25", "account_ids", broker, "date", today, "security_id", made.text("security.id")).status(200).
		is("holdings", listOf(heldSecurity())).size("holdings", 1).want("holdings.0.qty", number("5"))
	c.get("/api/v1/holdings/"+held.text("holdings.0.id")).status(200).is("", heldSecurity())
	c.delete(one).status(200).is("message", text)
	c.get(one).fails(404, "not_found")
}

func mcpChats(c *client) {
	c.Helper()
	made := c.post("/api/v1/chats", object{"title": "Questions"}).status(201).is("", chat()).size("messages", 0)
	one := "/api/v1/chats/" + made.id()
	c.get("/api/v1/chats").status(200).is("chats", listOf(chatItem())).want("chats.0.last_message_at", nil)
	c.post(one+"/messages", object{"content": "What are my accounts?"}).status(201).want("chat_id", made.id())
	c.awaits(one).is("messages.1.tool_calls", listOf(toolCall()))
	c.delete(one).status(204)
}
