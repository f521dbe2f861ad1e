package conformance

import (
	"strconv"
	"strings"
)

// bankDuplicates brings files of a bank in. Before it creates a transaction it looks whether there is one: of the same account and day, between min_amount and
// max_amount, both the amount as it would be written, an expense positive and an income negative, of its type, and with its name; it reads pages of a hundred
// until one is not full. Its address is that of the API.
// It relies on the behaviours 2, 3, 10, 12 and 16.
func bankDuplicates(c *client) {
	c = c.with("X-Api-Key", c.key).with("Accept", "application/json").at("/api/v1")
	giro := c.account("Giro", "depository", "1000.00")
	c.get("/accounts").status(200).want("accounts.0.id", giro)
	for range 2 {
		duplicatesSync(c, giro, "2026-08-03", "1950.00", "income", "Lohn August")
		duplicatesSync(c, giro, "2026-08-03", "640.00", "expense", "Miete")
		duplicatesSync(c, giro, "2026-08-03", "12.50", "income", "Erstattung")
		duplicatesSync(c, giro, "2026-08-03", "12.50", "expense", "Apotheke")
	}
	c.get("/transactions").status(200).want("pagination.total_count", 4)
	c.get("/accounts").want("accounts.0.balance_cents", 100000+195000-64000+1250-1250)
	// Without a type the written sign alone decides.
	for bounds, want := range map[string]string{"-12.5 -12.5": "Erstattung", "12.50 12.50": "Apotheke", "-2000 -13": "Lohn August", "0 1000": "Apotheke Miete"} {
		low, high, _ := strings.Cut(bounds, " ")
		if got := c.get("/transactions", "min_amount", low, "max_amount", high, "per_page", "100").status(200).pluck("transactions", "name"); got != want {
			c.Fatalf("from %s: got %q, want %q", bounds, got, want)
		}
	}
	c.shows(10)
	duplicatesFullPage(c, giro)
}

// duplicatesSync creates a transaction unless it is there.
func duplicatesSync(c *client, account, day, amount, nature, name string) {
	c.Helper()
	written := map[string]string{"income": "-", "expense": ""}[nature] + strings.TrimSuffix(amount, "0") // a float of the client's
	found := c.get("/transactions", "account_id", account, "start_date", day, "end_date", day, "min_amount", written, "max_amount", written, "type", nature,
		"per_page", "100", "search", name, "page", "1").status(200)
	if len(found.items("transactions")) > 0 {
		found.size("transactions", 1).want("transactions.0.name", name).want("transactions.0.currency", "EUR").is("transactions.0.amount", money)
		return
	}
	body := object{"account_id": account, "date": day, "amount": number(amount), "name": name, "nature": nature, "currency": "EUR", "notes": "", "description": name}
	c.post("/transactions", object{"transaction": body}).status(201).want("classification", nature)
}

// duplicatesFullPage: exactly a hundred rows are a full page; the next one is empty and ends it.
func duplicatesFullPage(c *client, giro string) {
	c.Helper()
	c.bookMany(giro, 100)
	read := 0
	for page := 1; ; page++ {
		rows := len(c.get("/transactions", "search", "Row ", "per_page", "100", "page", strconv.Itoa(page)).status(200).want("pagination.page", page).items("transactions"))
		if read += rows; rows < 100 {
			break
		}
	}
	if read != 100 {
		c.Fatalf("read %d rows, want 100", read)
	}
	c.shows(3)
}
