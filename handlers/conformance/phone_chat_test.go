package conformance

import "strings"

// phoneChat is the assistant in the app: it makes a chat with the beginning of the question as its title, looks until the answer is there, tries again,
// renames and deletes. It takes the arguments and results of tools as objects only.
// It relies on the behaviours 8, 13 and 15.
func phoneChat(c *client) {
	c = c.with("X-Api-Key", c.key).with("Accept", "application/json")
	everyday := c.account("Everyday", "depository", "1000.00")
	c.book(everyday, "2026-08-03", "12.40", "Corner Bakery")
	c.book(everyday, "2026-08-09", "7.60", "Corner Bakery")
	c.get("/api/v1/chats?page=1&per_page=25").status(200).size("chats", 0).want("pagination.total_pages", 1)

	made := c.post("/api/v1/chats", object{"title": "How much did I spend in August 2026?", "message": "How much did I spend in August 2026?"}).
		status(201).is("", chat()).want("title", "How much did I spend in August 2026?").want("error", nil)
	one := "/api/v1/chats/" + made.id()
	answered := c.awaits(one)
	if said := answered.text("messages.1.content"); !strings.Contains(said, "20.00") && !strings.Contains(said, "20,00") {
		c.Fatalf("the answer is %q, without the 12.40 and 7.60 that were spent", said)
	}
	answered.want("messages.0.role", "user").want("messages.1.type", "assistant_message").want("messages.1.model", "builtin")
	phoneGoesOn(c, one)
	phoneTriesAgain(c, one)
	c.patch(one, object{"title": "Spending"}).status(200).is("", chat()).want("title", "Spending")
	c.get("/api/v1/chats?page=1&per_page=25").status(200).is("chats", listOf(chatItem())).want("chats.0.message_count", 4).want("chats.0.title", "Spending")
	c.delete(one).status(204)
	c.get(one+"?page=1&per_page=50").fails(404, "not_found")
	c.patch("/api/v1/auth/enable_ai", nil).status(200).want("user.ai_enabled", true)
}

func phoneGoesOn(c *client, one string) {
	c.Helper()
	c.post(one+"/messages", object{"content": "And at Corner Bakery?"}).status(201).is("", message()).
		want("ai_response_status", "pending").is("ai_response_message", text).want("role", "user").want("content", "And at Corner Bakery?")
	c.awaits(one).size("messages", 4).is("messages.3.tool_calls", listOf(toolCall()))
	c.post(one+"/messages", object{"content": " "}).fails(422, "validation_failed")
}

// phoneTriesAgain: the request has no body. The answer that was not wanted is replaced.
func phoneTriesAgain(c *client, one string) {
	c.Helper()
	old := c.get(one).text("messages.3.id")
	retried := c.send("POST", one+"/messages/retry", "", "").status(202).is("message", text).is("message_id", uuid)
	again := c.awaits(one).size("messages", 4).want("messages.3.id", retried.text("message_id"))
	if again.text("messages.3.id") == old || again.text("messages.3.content") == "" {
		c.Fatalf("the new answer is %s", again.body)
	}
	c.shows(8)
}
