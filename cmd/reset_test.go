package cmd_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"
)

// TestServeEmptiesHousehold: what a phone app sends empties the household under the same key, and the operator brings it back
// while the server runs.
func TestServeEmptiesHousehold(t *testing.T) {
	t.Parallel()
	r := cmdtest.NewCommandLine(t).Serve()
	key := strings.TrimSpace(r.OK("apikey", "create", "phone"))
	r.OK("account", "create", "Everyday", "--type", "depository")
	accounts := func(want string) {
		t.Helper()
		deadline := time.Now().Add(30 * time.Second)
		for {
			status, body := r.Get("/api/v1/accounts", key)
			if status == 200 && strings.Contains(body, want) {
				return
			}
			if time.Now().After(deadline) {
				t.Fatalf("accounts: %d %s, want %s", status, body, want)
			}
		}
	}
	r.Fails(6, []string{"household", "unreset"}, `nothing of "Home" can be brought back`)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, r.URL+"/api/v1/users/reset", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", key)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("reset: %d", resp.StatusCode)
	}
	accounts(`"total_count":0`)
	if list := r.OK("household", "list"); strings.Count(list, "\n") != 2 || !strings.Contains(list, "Home") {
		t.Errorf("the households are %s", list)
	}
	r.OK("household", "unreset")
	accounts(`"name":"Everyday"`)
	r.End()
}
