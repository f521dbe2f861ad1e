package cmd_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

// TestRotatedKeyRepeats: a client that gets a new key between a request and its repeat books nothing twice, however often the
// key was rotated, and as long as the old one works in both directions. Keys of others do not share its answers.
func TestRotatedKeyRepeats(t *testing.T) {
	t.Parallel()
	s := newNeighbours(t)
	accounts := map[string]string{}
	for _, home := range []string{"Club", "Home"} {
		accounts[home] = s.List("account", "list", "--household", home)[0]["id"].(string)
	}
	s.OK("user", "create", "bo@example.org", "--household", "Home")
	key := func(args ...string) string { return strings.TrimSpace(s.OK(append([]string{"apikey"}, args...)...)) }
	first := key("create", "phone", "--user", "home@example.org", "--household", "Home")
	r := s.Serve()
	transport := s.LoadTransport()
	ask := func(key, home, amount string) (int, string) {
		body := fmt.Sprintf(`{"transaction":{"account_id":%q,"date":"2026-02-01","amount":%q,"name":"Bread"}}`, accounts[home], amount)
		return cmdtest.LoadClient{URL: r.URL + "/api/v1", Key: key, Transport: transport}.Ask(http.MethodPost, "/transactions", body, "again")
	}
	status, answer := ask(first, "Home", "1.00")
	if status != 201 {
		t.Fatal(status, answer)
	}
	second := key("rotate", "phone", "--household", "Home")
	third := key("rotate", "phone", "--grace", "1h", "--household", "Home")
	for name, key := range map[string]string{"the old one, which still works": second, "the newest": third} {
		if status, got := ask(key, "Home", "1.00"); status != 201 || got != answer {
			t.Errorf("%s: %d %s, want %s", name, status, got, answer)
		}
		if status, got := ask(key, "Home", "2.00"); status != 409 {
			t.Errorf("%s, another body: %d %s", name, status, got)
		}
	}
	if status, _ := ask(first, "Home", "1.00"); status != 401 {
		t.Errorf("the first one: %d", status)
	}
	for name, other := range map[string]struct{ key, home string }{
		"another key of the same person": {key("create", "laptop", "--user", "home@example.org", "--household", "Home"), "Home"},
		"another person":                 {key("create", "phone", "--user", "bo@example.org", "--household", "Home"), "Home"},
		"another household":              {key("create", "phone", "--user", "club@example.org", "--household", "Club"), "Club"},
	} {
		if status, got := ask(other.key, other.home, "3.00"); status != 201 || got == answer {
			t.Errorf("%s: %d %s", name, status, got)
		}
	}
	// In the other direction: what the newest has booked, the one before it, which still works, does not book again.
	body := fmt.Sprintf(`{"transaction":{"account_id":%q,"date":"2026-02-02","amount":"5.00","name":"Milk"}}`, accounts["Home"])
	newest, before := cmdtest.LoadClient{URL: r.URL + "/api/v1", Key: third, Transport: transport}, cmdtest.LoadClient{URL: r.URL + "/api/v1", Key: second, Transport: transport}
	_, booked := newest.Ask(http.MethodPost, "/transactions", body, "milk")
	if status, got := before.Ask(http.MethodPost, "/transactions", body, "milk"); status != 201 || got != booked {
		t.Errorf("the old one repeats the newest: %d %s, want %s", status, got, booked)
	}
	if _, list := newest.Ask(http.MethodGet, "/transactions", "", ""); !strings.Contains(list, `"total_count":6`) { // two of the file, and four
		t.Errorf("booked are %s", list)
	}
	r.End()
}
