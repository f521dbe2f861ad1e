package conformance

import (
	"fmt"
	"net/http"
)

// user is who sits before the client: what a household has before the program comes is made with the same key, and is no request of the program.
func (c *client) user() *client {
	other := *c
	other.name, other.base = "", c.server.url+"/api/v1"
	other.header = http.Header{"X-Api-Key": {c.key}}
	return &other
}

// account opens an account with a balance on the last day of 2025.
func (c *client) account(name, kind, opening string, more ...string) (id string) {
	c.Helper()
	fields := object{"name": name, "account_type": kind, "balance": opening, "date": "2025-12-31"}
	for i := 0; i < len(more); i += 2 {
		fields[more[i]] = more[i+1]
	}
	return c.user().post("/accounts", object{"account": fields}).status(201).id()
}

// book books a transaction; an amount above zero is an expense.
func (c *client) book(account, day, amount, name string, more ...any) (id string) {
	c.Helper()
	fields := object{"account_id": account, "date": day, "amount": number(amount), "name": name}
	for i := 0; i < len(more); i += 2 {
		fields[fmt.Sprint(more[i])] = more[i+1]
	}
	return c.user().post("/transactions", object{"transaction": fields}).status(201).id()
}

// bookMany books n expenses of 1.00, named "Row 1" and so on: 28 in January 2026, each a day after the one before, 28 in February, and on to the fourth of August,
// then from January again.
func (c *client) bookMany(account string, n int) {
	c.Helper()
	rows := make(list, n)
	for i := range rows {
		day := fmt.Sprintf("2026-%02d-%02d", 1+i%200/28, 1+i%28)
		rows[i] = object{"account_id": account, "date": day, "amount": number("1.00"), "nature": "expense", "name": fmt.Sprintf("Row %d", i+1)}
	}
	c.user().post("/transactions/bulk", object{"transactions": rows}).status(201)
}

// trade books a purchase or a sale.
func (c *client) trade(account, day, kind, ticker, qty, price string) (id string) {
	c.Helper()
	fields := object{"account_id": account, "date": day, "type": kind, "manual_ticker": ticker, "qty": number(qty), "price": number(price)}
	return c.user().post("/trades", object{"trade": fields}).status(201).id()
}

// merchant makes a merchant.
func (c *client) merchant(name string) (id string) {
	c.Helper()
	return c.user().post("/merchants", object{"merchant": object{"name": name}}).status(201).id()
}
