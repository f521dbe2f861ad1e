package cmd_test

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestServeEmptiesHousehold: what is left of an emptied household is deleted by the running server, which goes on with
// the same key; nobody is shown it.
func TestServeEmptiesHousehold(t *testing.T) {
	t.Parallel()
	r := newShell(t).serve()
	key := strings.TrimSpace(r.ok("apikey", "create", "phone"))
	r.ok("account", "create", "Everyday", "--type", "depository")
	req, err := http.NewRequestWithContext(t.Context(), http.MethodDelete, r.url+"/api/v1/users/reset?household=Home", nil)
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
	if list := r.ok("household", "list"); strings.Count(list, "\n") != 2 || !strings.Contains(list, "Home") {
		t.Errorf("the households are %s", list)
	}
	deadline := time.Now().Add(30 * time.Second)
	for !strings.Contains(r.stderr.String(), "abandoned households deleted") && time.Now().Before(deadline) {
		if status, body := r.get("/api/v1/accounts", key); status != 200 || !strings.Contains(body, `"total_count":0`) {
			t.Fatalf("accounts: %d %s", status, body)
		}
	}
	if !strings.Contains(r.stderr.String(), "abandoned households deleted") {
		t.Errorf("nothing was deleted: %s", r.stderr)
	}
	r.end()
}
