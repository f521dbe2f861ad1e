package cmd_test

import (
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

func TestAPIKeyRotate(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org")
	s.OK("apikey", "create", "phone", "--scope", "read", "--rate-limit", "60")
	got := s.Do("apikey", "rotate", "phone")
	if got.Status != 0 || !strings.HasPrefix(got.Stdout, "fsk_") || len(got.Stdout) != 48 || strings.Contains(got.Stderr, got.Stdout[:13]) ||
		!strings.Contains(got.Stderr, "Revoked key fsk_") || !strings.Contains(got.Stderr, `Created key "phone" (read) for ana@example.org`) {
		t.Fatalf("got %+v", got)
	}
	fresh := s.Object(0, "apikey", "rotate", got.Stdout[:12], "--grace", "24h", "--expires", "90d")
	if key, _ := fresh["key"].(string); fresh["name"] != "phone" || fresh["rate_limit"] != 60.0 || fresh["expires_at"] == nil || len(key) != 47 || key[:12] != fresh["prefix"] {
		t.Errorf("got %v", fresh)
	}
	keys := s.List("apikey", "list")
	if len(keys) != 2 || keys[0]["name"] != "phone-old" || keys[0]["expires_at"] == nil || keys[0]["state"] != "valid" || keys[1]["name"] != "phone" {
		t.Errorf("keys %v", keys)
	}
	if all := s.List("apikey", "list", "--all"); len(all) != 3 || all[0]["state"] != "revoked" {
		t.Errorf("keys %v", all)
	}
	s.Fails(2, []string{"apikey", "rotate"}, "accepts 1 arg")
	s.Fails(2, []string{"apikey", "rotate", "phone", "--grace", "soon"}, "must be a time such as 90d")
	s.Fails(2, []string{"apikey", "rotate", "phone", "--expires", "0d"}, "must be a time such as 90d")
	s.Fails(5, []string{"apikey", "rotate", "tablet"}, "tablet")
	s.Fails(5, []string{"apikey", "rotate", "phone", "--household", "Cave"}, "Cave")
}

// A running server takes the old key until its grace is over, and the new one at once.
func TestAPIKeyRotateOnAServer(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	old := s.OK("apikey", "create", "phone")
	r := s.Serve()
	fresh := s.OK("apikey", "rotate", "phone", "--grace", "1h")
	for name, key := range map[string]string{"old": old, "new": fresh} {
		if status, body := r.Get("/api/v1/usage", key); status != 200 {
			t.Errorf("the %s key: %d %s", name, status, body)
		}
	}
	last := s.OK("apikey", "rotate", "phone")
	for key, want := range map[string]int{fresh: 401, last: 200} {
		if status, body := r.Get("/api/v1/usage", key); status != want {
			t.Errorf("after the second rotation: %d, want %d: %s", status, want, body)
		}
	}
	r.End()
}

func TestNewThingsAsJSON(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	key := s.Object(0, "apikey", "create", "phone")
	if plain, _ := key["key"].(string); key["name"] != "phone" || !strings.HasPrefix(plain, "fsk_") || key["state"] != "valid" {
		t.Errorf("key %v", key)
	}
	account := s.Object(0, "account", "create", "Jar", "--type", "depository", "--balance", "12.30", "--date", "2026-01-31")
	if id, _ := account["id"].(string); len(id) != 36 || account["opening_balance_cents"] != 1230.0 || account["name"] != "Jar" {
		t.Errorf("account %v", account)
	}
	id := strings.TrimSpace(s.OK("import", s.Write("bank.csv", "Date,Payee,Amount\n2026-01-31,Bakery,-4.80\n2026-01-31,Salary,1000.00\n"), "--account", "Jar", "--later"))
	lines := strings.Split(strings.TrimSpace(s.OK("import", "publish", id, "--yes", "--json")), "\n")
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, `{"type":"summary","import_id":"`+id+`","status":"complete","imported":2,`) {
		t.Errorf("got %s", last)
	}
	if v := s.Object(0, "version"); v["version"] == "" || !strings.HasPrefix(v["go"].(string), "go1.") {
		t.Errorf("version %v", v)
	}
}
