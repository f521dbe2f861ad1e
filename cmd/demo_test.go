package cmd_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

func TestDemo(t *testing.T) {
	t.Parallel()
	r := cmdtest.NewCommandLine(t).Demo()
	if !strings.Contains(r.Stderr.String(), "In a browser:\n\n  "+r.URL+"/link/") {
		t.Errorf("the banner has no link for a browser: %s", r.Stderr)
	}
	key := regexp.MustCompile(`X-Api-Key: (\S+)'`).FindStringSubmatch(r.Stderr.String())[1]
	status, body := r.Get("/api/v1/accounts?per_page=100", key)
	var list struct {
		Accounts []struct {
			Kind string `json:"account_type"`
		}
	}
	if err := json.Unmarshal([]byte(body), &list); err != nil || status != 200 || len(list.Accounts) < 9 {
		t.Fatalf("accounts: %d %v %s", status, err, body)
	}
	kinds := map[string]bool{}
	for _, a := range list.Accounts {
		kinds[a.Kind] = true
	}
	if len(kinds) != 9 {
		t.Errorf("the kinds of accounts are %v, want all nine", kinds)
	}
	for _, path := range []string{"/api/v1/balance_sheet", "/api/v1/transactions?search=coffee", "/api/v1/holdings", "/api/v1/net_worth"} {
		if status, body := r.Get(path, key); status != 200 || len(body) < 200 {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if accounts := r.List("account", "list", "--data", r.File); len(accounts) != len(list.Accounts) {
		t.Errorf("the commands see %d accounts, want %d", len(accounts), len(list.Accounts))
	}
	r.End()
	if strings.TrimSpace(r.Stdout.String()) != key {
		t.Errorf("printed %q, want the key %q", r.Stdout, key)
	}
	if _, err := os.Stat(filepath.Dir(r.File)); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestDemoBadInput(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.Fails(2, []string{"demo", "--data", s.File}, "--data")
	s.Fails(2, []string{"demo", "--listen", "nowhere"}, "nowhere")
	s.Fails(2, []string{"demo", "fast"})
}

func TestDemoKept(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	s.Env = append(s.Env, "FINSVC_AI_URL=http://127.0.0.1:1", "FINSVC_AI_MODEL=none") // nobody answers there
	got := s.Do("demo", "--keep", s.File)
	if got.Status != 0 || !strings.HasPrefix(got.Stdout, "fsk_") || !strings.Contains(got.Stderr, "finsvc serve --data '"+s.File+"'") {
		t.Fatalf("got %+v", got)
	}
	if accounts := s.List("account", "list"); len(accounts) != 14 {
		t.Errorf("%d accounts", len(accounts))
	}
	s.Fails(6, []string{"demo", "--keep", s.File}, "is there already; choose another name")
	s.Fails(6, []string{"demo", "--keep", filepath.Dir(s.File)}, "is there already; choose another name")
	s.Fails(5, []string{"demo", "--keep", filepath.Join(s.TempDir(), "none", "x.db")})
	if left, err := os.ReadDir(filepath.Dir(s.File)); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
