package handlers_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"finsvc/db/dbtest"
	"finsvc/handlers"
	"finsvc/handlers/apitest"
	"finsvc/importer"
	"finsvc/ledger"
	"finsvc/ledger/books"
	"finsvc/ledger/tenant"
)

// TestRealKeys goes from the key that the ledger makes to the answer, and back out when it is revoked.
func TestRealKeys(t *testing.T) {
	t.Parallel()
	books := books.New(dbtest.New(t), time.Now)
	home, _, err := books.Tenants.CreateHousehold(t.Context(), ledger.Actor{Origin: ledger.OriginCLI},
		tenant.HouseholdInput{Name: "Home", Currency: "EUR", Locale: "de-DE", Timezone: "Europe/Berlin", OwnerEmail: "a@example.org", NoCategories: true})
	if err != nil {
		t.Fatal(err)
	}
	who := ledger.Actor{HouseholdID: home.ID, Origin: ledger.OriginCLI}
	key, _, err := books.Keys.CreateAPIKey(t.Context(), who, tenant.KeyInput{Name: "phone", Scope: "read", RateLimit: 50})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(apitest.Handler(t, handlers.New(handlers.Options{
		Ledger: books, Imports: importer.New(importer.Options{Ledger: books}), Logger: slog.New(slog.DiscardHandler),
	})))
	t.Cleanup(server.Close)

	status, usage := getUsage(t, server.URL, key)
	if status != http.StatusOK || usage.Key.Name != "phone" || usage.Key.LastUsed == nil || usage.Rate.Limit != 50 || usage.Rate.Current != 1 || usage.Rate.Remaining != 49 {
		t.Errorf("got %d %+v", status, usage)
	}
	other := strings.Map(func(c rune) rune {
		if c == '0' {
			return '1'
		}
		return '0'
	}, key[len(key)-1:])
	if status, _ := getUsage(t, server.URL, key[:len(key)-1]+other); status != http.StatusUnauthorized {
		t.Errorf("another key: got %d", status)
	}
	if _, err := books.Keys.RevokeAPIKey(t.Context(), who, "phone"); err != nil {
		t.Fatal(err)
	}
	if status, _ := getUsage(t, server.URL, key); status != http.StatusUnauthorized {
		t.Errorf("revoked: got %d", status)
	}
}

type usage struct {
	Key struct {
		Name     string  `json:"name"`
		LastUsed *string `json:"last_used_at"`
	} `json:"api_key"`
	Rate struct {
		Limit     int `json:"limit"`
		Current   int `json:"current_count"`
		Remaining int `json:"remaining"`
	} `json:"rate_limit"`
}

func getUsage(t *testing.T, url, key string) (int, usage) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/api/v1/usage", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var u usage
	if err := json.NewDecoder(resp.Body).Decode(&u); err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, u
}
