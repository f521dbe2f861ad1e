package handlers

import (
	"regexp"
	"testing"
)

// TestContractOperationsAreRoutes: each operation of the contract has its route. What it promises of them stands above the
// tests that hold the program to it.
func TestContractOperationsAreRoutes(t *testing.T) {
	t.Parallel()
	routes := map[string]bool{}
	for _, r := range newRig(t).routes() {
		routes[r.Method+" "+regexp.MustCompile(`:(\w+)`).ReplaceAllString(r.Path, "{$1}")] = true
	}
	for _, operation := range []string{
		"POST /api/v1/imports", "GET /api/v1/imports", "POST /api/v1/transactions", "PATCH /api/v1/transactions/{id}", "GET /api/v1/transactions",
		"POST /api/v1/trades", "GET /api/v1/holdings", "GET /api/v1/categories", "POST /api/v1/tags", "PATCH /api/v1/tags/{id}", "GET /api/v1/tags/{id}", "GET /api/v1/tags",
		"POST /api/v1/chats", "GET /api/v1/chats", "GET /api/v1/chats/{id}", "POST /api/v1/chats/{id}/messages", "POST /api/v1/chats/{id}/messages/retry",
		"GET /api/v1/valuations/{id}", "GET /api/v1/balance_sheet", "GET /api/v1/usage", "DELETE /api/v1/users/me",
	} {
		if !routes[operation] {
			t.Errorf("%s: there is no such route", operation)
		}
	}
}
