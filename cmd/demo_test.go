package cmd_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// demo starts the demonstration; its file is that of the household it has made.
func (s *commandLine) demo() *server {
	s.Helper()
	r := &server{commandLine: s}
	address, folder := regexp.MustCompile(`served at (http://\S+)\. `), regexp.MustCompile(`--data '(.*)'`)
	r.start([]string{"demo", "--listen", "127.0.0.1:0"}, func(line []byte) bool {
		if m := address.FindSubmatch(line); m != nil {
			r.url = string(m[1])
		}
		if m := folder.FindSubmatch(line); m != nil {
			r.file = string(m[1])
		}
		return strings.HasSuffix(string(line), "Its key:")
	})
	return r
}

func TestDemo(t *testing.T) {
	t.Parallel()
	r := newCommandLine(t).demo()
	if !strings.Contains(r.stderr.String(), "In a browser, what there is and how to ask for it:\n\n  "+r.url+"/\n") {
		t.Errorf("the banner names no page to read: %s", r.stderr)
	}
	key := regexp.MustCompile(`X-Api-Key: (\S+)'`).FindStringSubmatch(r.stderr.String())[1]
	status, body := r.get("/api/v1/accounts?per_page=100", key)
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
		if status, body := r.get(path, key); status != 200 || len(body) < 200 {
			t.Errorf("%s: %d %s", path, status, body)
		}
	}
	if accounts := r.list("account", "list", "--data", r.file); len(accounts) != len(list.Accounts) {
		t.Errorf("the commands see %d accounts, want %d", len(accounts), len(list.Accounts))
	}
	r.end()
	if strings.TrimSpace(r.stdout.String()) != key {
		t.Errorf("printed %q, want the key %q", r.stdout, key)
	}
	if _, err := os.Stat(filepath.Dir(r.file)); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestDemoBadInput(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	s.fails(2, []string{"demo", "--data", s.file}, "--data")
	s.fails(2, []string{"demo", "--listen", "nowhere"}, "nowhere")
	s.fails(2, []string{"demo", "fast"})
}

func TestDemoKept(t *testing.T) {
	t.Parallel()
	s := newCommandLine(t)
	s.env = append(s.env, "FINSVC_AI_URL=http://127.0.0.1:1", "FINSVC_AI_MODEL=none") // nobody answers there
	got := s.run("demo", "--keep", s.file)
	if got.status != 0 || !strings.HasPrefix(got.stdout, "fsk_") || !strings.Contains(got.stderr, "finsvc serve --data '"+s.file+"'") {
		t.Fatalf("got %+v", got)
	}
	if accounts := s.list("account", "list"); len(accounts) != 14 {
		t.Errorf("%d accounts", len(accounts))
	}
	s.fails(6, []string{"demo", "--keep", s.file}, "is there already; choose another name")
	s.fails(6, []string{"demo", "--keep", filepath.Dir(s.file)}, "is there already; choose another name")
	s.fails(5, []string{"demo", "--keep", filepath.Join(s.TempDir(), "none", "x.db")})
	if left, err := os.ReadDir(filepath.Dir(s.file)); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
