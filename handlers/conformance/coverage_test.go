package conformance

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// need is something that clients need of the API, as the study of them lists it. Each scenario made at least one of the requests, and each request was made by
// at least one of the scenarios.
type need struct {
	what     string
	requests string   // method, path and status, in lines; without a status where any will do
	by       []string // scenarios
}

// needs is the table of that study, line by line. What this service does not have, such as logging in with a password, stands as the 404 that clients report.
func needs() []need {
	return []need{
		{"list accounts, with pages and disabled ones", "GET /accounts 200", []string{"phone_app", "command_line", "terminal_ui", "home_assistant", "mcp_official", "mcp_typed",
			"mcp_older", "behind_proxy", "web_view", "browser_extension", "bank_universal", "bank_tracked", "bank_cards", "bank_first_page", "bank_duplicates",
			"bank_short_page", "bank_empty_page", "bank_markers", "rules_importer", "apple_client"}},
		{"one account", "GET /accounts/{id} 200", []string{"phone_investments", "command_line", "mcp_typed", "bank_cards", "dashboard"}},
		{"nature decides the direction of a new or changed transaction", "POST /transactions 201\nPATCH /transactions/{id} 200", []string{"phone_app", "terminal_ui",
			"mcp_official", "mcp_typed", "web_view", "bank_universal", "bank_tracked", "bank_cards", "bank_first_page", "bank_duplicates", "bank_short_page", "bank_markers", "agent_skill"}},
		{"one transaction", "GET /transactions/{id} 200", []string{"phone_app", "command_line", "mcp_official", "agent_skill", "web_view"}},
		{"delete a transaction", "DELETE /transactions/{id} 200", []string{"phone_app", "command_line", "terminal_ui", "mcp_official", "bank_first_page", "browser_extension",
			"bank_tracked", "web_view", "dashboard"}},
		{"PUT as PATCH", "PUT /transactions/{id} 200", []string{"command_line", "private_script", "mcp_older"}},
		{"external_id and source, 200 on repeat", "POST /transactions 200", []string{"phone_app", "bank_universal", "bank_tracked", "bank_cards"}},
		{"merchants, as a bare list", "GET /merchants 200\nGET /merchants/{id} 200", []string{"phone_app", "mcp_typed", "bank_markers", "command_line"}},
		{"valuations", "POST /valuations 201\nPOST /valuations 200\nPATCH /valuations/{id} 200\nGET /valuations 200\nGET /valuations/{id} 200", []string{"bank_markers", "bank_empty_page",
			"command_line", "agent_skill"}},
		{"synchronise, without a body", "POST /sync 202", []string{"bank_markers", "mcp_official", "dashboard"}},
		{"one import, and state and type of all", "GET /imports/{id} 200\nGET /imports 200", []string{"rules_importer", "browser_extension", "command_line_files"}},
		{"a file as part of a form", "POST /imports 201", []string{"command_line_files"}},
		{"preflight, and rows of an import", "POST /imports/preflight 200\nGET /imports/{id}/rows 200", []string{"command_line_files"}},
		{"one category, and a new one", "GET /categories/{id} 200\nPOST /categories 201", []string{"mcp_official", "bank_cards", "command_line"}},
		{"delete a tag", "DELETE /tags/{id} 204", []string{"mcp_official", "mcp_typed", "command_line"}},
		{"a tag without a colour", "POST /tags 201", []string{"bank_markers", "bank_empty_page", "mcp_official"}},
		{"rename and delete a chat", "PATCH /chats/{id} 200\nDELETE /chats/{id} 204", []string{"phone_chat", "mcp_official", "command_line"}},
		{"trades, with their type", "GET /trades 200\nGET /trades/{id} 200\nPATCH /trades/{id} 200\nDELETE /trades/{id} 200\nPOST /trades 201", []string{"mcp_official", "bank_universal", "agent_skill"}},
		{"one holding, and balances", "GET /holdings/{id} 200\nGET /balances 200", []string{"mcp_official", "phone_investments", "command_line"}},
		{"no login with a password: keys, also as bearer tokens", "POST /auth/login 404\nPOST /auth/refresh 404\nGET /transactions 200", []string{"phone_app", "command_line", "mcp_remote"}},
		{"reset without a body", "DELETE /users/reset 200", []string{"phone_app"}},
		{"health without a key", "GET /up 200", []string{"desktop_shell", "bank_universal"}},
		{"requests from pages of other origins", "OPTIONS /transactions 204", []string{"web_view"}},
		{"rules, transfers, securities", "GET /rules 200\nGET /rule_runs 200\nGET /securities 200\nGET /security_prices 200\nGET /transfers 200\nGET /rejected_transfers 200",
			[]string{"command_line", "apple_client", "bank_universal"}},
		{"what is not there is a clean 404", "GET /budgets 404\nGET /budget_categories 404\nGET /recurring_transactions 404\nGET /family_exports 404\nGET /provider_connections 404",
			[]string{"command_line", "dashboard"}},
		{"settings, records of synchronisations, merchants from a file, reset", "GET /family_settings 200\nGET /syncs 200\nGET /syncs/latest 200\n" +
			"GET /syncs/{id} 200\nPOST /merchants 201\nDELETE /users/reset 200\nGET /users/reset/status 200", []string{"command_line_household"}},
	}
}

// behaviours are what clients rely on, by the numbers of the study, and the scenarios that prove each.
func behaviours() map[int][]string {
	return map[int][]string{
		1:  {"home_assistant"},                                        // Content-Length on every JSON answer
		2:  {"mcp_remote", "command_line"},                            // per_page and page are never refused
		3:  {"bank_duplicates", "bank_short_page", "bank_empty_page"}, // a page beyond the last is empty
		4:  {"bank_first_page", "phone_investments"},                  // order
		5:  {"mcp_official"},                                          // lists in queries, in three spellings
		6:  {"phone_app", "agent_skill"},                              // numbers as numbers or texts
		7:  {"command_line"},                                          // unknown members are ignored
		8:  {"phone_chat", "bank_markers"},                            // no body, whatever the content type
		9:  {"phone_app"},                                             // what is omitted stays, an empty list clears
		10: {"bank_duplicates"},                                       // min_amount and max_amount compare the written sign
		11: {"home_assistant"},                                        // members that are never omitted
		12: {"home_assistant"},                                        // formatted money can be read
		13: {"mcp_typed", "private_script", "bank_short_page"},        // errors
		14: {"bank_tracked"},                                          // 429, and many calls
		15: {"command_line", "bank_first_page"},                       // statuses
		16: {"mcp_older", "behind_proxy"},                             // addresses, proxies, no redirects
		17: {"bank_markers"},                                          // notes come back unchanged, and are searched
	}
}

// checkNeeds holds the table of needs against what was asked.
func (r *record) checkNeeds(t *testing.T) {
	t.Helper()
	for _, n := range needs() {
		lines, made := strings.Split(n.requests, "\n"), map[string]bool{}
		for _, name := range n.by {
			mine := r.asked(name, lines)
			if len(mine) == 0 {
				t.Errorf("%s: %s made none of the requests", n.what, name)
			}
			for _, line := range mine {
				made[line] = true
			}
		}
		for _, line := range lines {
			if !made[line] {
				t.Errorf("%s: nobody made the request %s", n.what, line)
			}
		}
	}
}

// asked is which of some requests a scenario made. One that ends in a blank was made whatever its status.
func (r *record) asked(scenario string, lines []string) (made []string) {
	for _, line := range lines {
		for request := range r.requests[scenario] {
			if request == line || strings.HasSuffix(line, " ") && strings.HasPrefix(request, line) {
				made = append(made, line)
			}
		}
	}
	return made
}

// checkBehaviours: each behaviour was shown by exactly those that say so.
func (r *record) checkBehaviours(t *testing.T) {
	t.Helper()
	if got := len(behaviours()); got != 17 {
		t.Errorf("%d behaviours are listed, want 17", got)
	}
	for _, one := range scenarios() {
		var listed []int
		for number, by := range behaviours() {
			if slices.Contains(by, one.name) {
				listed = append(listed, number)
			}
		}
		slices.Sort(listed)
		if shown := slices.Sorted(maps.Keys(r.shown[one.name])); !slices.Equal(shown, listed) {
			t.Errorf("%s shows the behaviours %v, and is listed for %v", one.name, shown, listed)
		}
	}
}

// checkNames: the tables name no scenario that is not there, and leave none out. Each has a file of its own.
func checkNames(t *testing.T) {
	t.Helper()
	unnamed := map[string]bool{}
	for _, one := range scenarios() {
		unnamed[one.name] = true
		if _, err := os.Stat(one.name + "_test.go"); err != nil {
			t.Error(err)
		}
	}
	named := slices.Concat(slices.Collect(maps.Values(behaviours()))...)
	for _, n := range needs() {
		named = append(named, n.by...)
	}
	known := maps.Clone(unnamed)
	for _, name := range named {
		if delete(unnamed, name); !known[name] {
			t.Errorf("there is no scenario %s", name)
		}
	}
	for name := range unnamed {
		t.Errorf("the scenario %s proves nothing that is listed", name)
	}
}
