package conformance

import "testing"

// scenario is a program of others, replayed.
type scenario struct {
	name   string
	home   home
	replay func(*client)
}

// Households as people have them.
func berlin() home { return home{"EUR", "de-DE", "Europe/Berlin"} }
func boston() home { return home{"USD", "en-US", "America/New_York"} }
func sydney() home { return home{"AUD", "en-AU", "Australia/Sydney"} }

// scenarios are all of them. To add a program that must go on working, write a file here that makes its requests and looks at what it
// reads, and add a row here and its name to the tables of coverage_test.go. All of them run against one server at once; every answer
// is held to what all programs rely on, such as a known length and members that keep their form.
func scenarios() []scenario {
	return []scenario{
		{"phone_app", berlin(), phoneApp},
		{"phone_investments", boston(), phoneInvestments},
		{"phone_chat", boston(), phoneChat},
		{"command_line", boston(), commandLine},
		{"command_line_files", boston(), commandLineFiles},
		{"command_line_household", boston(), commandLineHousehold},
		{"terminal_ui", sydney(), terminalUI},
		{"home_assistant", berlin(), homeAssistant},
		{"mcp_official", boston(), mcpOfficial},
		{"mcp_typed", sydney(), mcpTyped},
		{"mcp_older", boston(), mcpOlder},
		{"mcp_remote", boston(), mcpRemote},
		{"desktop_shell", berlin(), desktopShell},
		{"behind_proxy", berlin(), behindProxy},
		{"web_view", sydney(), webView},
		{"browser_extension", boston(), browserExtension},
		{"bank_universal", boston(), bankUniversal},
		{"bank_tracked", sydney(), bankTracked},
		{"bank_cards", home{"CNY", "zh-CN", "Asia/Shanghai"}, bankCards},
		{"bank_first_page", berlin(), bankFirstPage},
		{"bank_duplicates", berlin(), bankDuplicates},
		{"bank_short_page", sydney(), bankShortPage},
		{"bank_empty_page", boston(), bankEmptyPage},
		{"bank_markers", boston(), bankMarkers},
		{"rules_importer", berlin(), rulesImporter},
		{"private_script", berlin(), privateScript},
		{"agent_skill", boston(), agentSkill},
		{"dashboard", berlin(), dashboard},
		{"apple_client", berlin(), appleClient},
	}
}

// TestClients runs all scenarios at the same time, and compares what they asked and showed with what they must.
func TestClients(t *testing.T) {
	t.Parallel()
	s, all := start(t), true
	t.Run("replay", func(t *testing.T) {
		for _, one := range scenarios() {
			t.Run(one.name, func(t *testing.T) {
				t.Parallel()
				one.replay(s.open(t, one.name, one.home))
			})
		}
	})
	for _, one := range scenarios() {
		all = all && s.seen.requests[one.name] != nil
	}
	if t.Failed() || !all {
		return // some scenarios were left out by -run, or ended early
	}
	checkNames(t)
	s.seen.checkNeeds(t)
	s.seen.checkBehaviours(t)
}
