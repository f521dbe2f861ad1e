package cmd_test

import (
	"slices"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"

	"github.com/google/go-cmp/cmp"

	"finsvc/cmd"
)

// call is a command with what it is called with and the exit status that it must have.
type call struct {
	path, args string // args are parted by blanks
	status     int
}

// on are calls of every command on the file of a demonstration that is being served, in this order. What stands in
// braces is replaced: {import} by the id of the pending import, and so on.
func onRunningServer() []call {
	return []call{
		{"version", "", 0}, {"config", "", 0}, {"openapi", "", 0}, {"completion", "bash", 0},
		{"household list", "", 0}, {"household create", "Club --owner club@example.org", 0}, {"household update", "--household Demo --name Hearth", 0},
		{"household unreset", "--household Hearth", 6},
		{"user create", "bo@example.org --household Hearth", 0}, {"user list", "--household Hearth", 0},
		{"user deactivate", "bo@example.org", 0}, {"user restore", "bo@example.org", 0}, {"user deactivate", "bo@example.org", 0},
		{"user link", "{owner}", 0}, {"user password", "{owner} --password-file {folder}/rates.csv", 0}, {"setup-code", "", 6},
		{"apikey create", "phone --household Hearth", 0}, {"apikey list", "--household Hearth", 0},
		{"apikey rotate", "phone --grace 1h --household Hearth", 0}, {"apikey revoke", "phone-old --household Hearth", 0},
		{"account create", "Jar --type other_asset --household Hearth", 0}, {"account list", "--household Hearth", 0}, {"account update", "Jar --name Glass --household Hearth", 0},
		{"account create", "Tin --type other_asset --household Hearth", 0}, {"account create", "Lid --type other_asset --household Hearth", 0},
		{"account merge", "Lid Tin --yes --household Hearth", 0}, {"account delete", "Tin --yes --household Hearth", 0},
		{"rates import", "{folder}/rates.csv", 0}, {"rates list", "", 0}, {"rates fetch", "--rates-url {url}/rates", 0},
		{"prices import", "{folder}/prices.csv --household Hearth", 0}, {"prices list", "--household Hearth", 0},
		{"prices fetch", "--prices-url {url}/{ticker} --household Hearth", 0},
		{"security list", "--household Hearth", 0}, {"security split add", "NWIX 2:1 --date 2020-01-02 --household Hearth", 0},
		{"security split list", "--household Hearth", 0}, {"security split delete", "NWIX --date 2020-01-02 --household Hearth", 0},
		{"import list", "--household Hearth", 0}, {"import show", "{import} --rows --household Hearth", 0}, {"import rule", "{import} 1 new --household Hearth", 0},
		{"import publish", "{import} --yes --household Hearth", 0}, {"import cancel", "{import} --household Hearth", 6},
		{"import revert", "{import} --yes --household Hearth", 0}, {"import delete", "{import} --yes --household Hearth", 0},
		{"import", "{folder}/bank.csv --account Glass --yes --household Hearth", 0},
		{"rule list", "--household Hearth", 0}, {"rule run", "--dry-run --household Hearth", 0},
		{"history list", "--household Hearth", 0}, {"history undo", "00000000-0000-7000-8000-000000000000 --household Hearth", 5},
		{"category create", "One --household Hearth", 0}, {"category create", "Two --household Hearth", 0}, {"category list", "--household Hearth", 0},
		{"category update", "One --name Uno --household Hearth", 0}, {"category merge", "Uno Two --yes --household Hearth", 0}, {"category delete", "Two --yes --household Hearth", 0},
		{"tag create", "One --household Hearth", 0}, {"tag create", "Two --household Hearth", 0}, {"tag list", "--household Hearth", 0},
		{"tag update", "One --name Uno --household Hearth", 0}, {"tag merge", "Uno Two --yes --household Hearth", 0}, {"tag delete", "Two --yes --household Hearth", 0},
		{"merchant create", "One --household Hearth", 0}, {"merchant create", "Two --household Hearth", 0}, {"merchant list", "--household Hearth", 0},
		{"merchant update", "One --name Uno --household Hearth", 0}, {"merchant merge", "Uno Two --yes --household Hearth", 0}, {"merchant delete", "Two --yes --household Hearth", 0},
		{"mcp", "--household Hearth", 0}, {"categorize", "--household Hearth", 0}, {"balance", "--household Hearth", 0}, {"income", "last month --household Hearth", 0},
		{"balance list", "yesterday --household Hearth", 0}, {"income list", "--household Hearth", 0},
		{"holding list", "--household Hearth", 0}, {"transfer list", "--household Hearth", 0}, {"trade list", "--household Hearth", 0}, {"valuation list", "--household Hearth", 0},
		{"transfer confirm", "{nothing} --household Hearth", 5}, {"transfer reject", "{nothing} --household Hearth", 5}, {"transfer delete", "{nothing} --household Hearth", 5},
		{"transfer link", "{nothing} {nothing} --household Hearth", 2}, {"trade add", "deposit --amount 1 --account Broker --household Hearth", 0},
		{"trade delete", "{nothing} --household Hearth", 5}, {"trade update", "{nothing} --price 1 --household Hearth", 5}, {"valuation add", "Glass 5 --household Hearth", 0}, {"valuation delete", "{nothing} --household Hearth", 5}, {"valuation update", "{nothing} --amount 1 --household Hearth", 5},
		{"rule add", "everything->x --household Hearth", 2}, {"rule delete", "00000000-0000-7000-8000-000000000000 --household Hearth", 5},
		{"rule update", "00000000-0000-7000-8000-000000000000 --inactive --household Hearth", 5},
		{"transaction list", "last month --household Hearth", 0}, {"transaction add", "Tea --account Glass --expense 2 --household Hearth", 0},
		{"transaction show", "{transaction} --household Hearth", 0}, {"transaction edit", "{transaction} --name Coffee --household Hearth", 0},
		{"transaction split", "{transaction} 1 rest --household Hearth", 0}, {"transaction unsplit", "{transaction} --household Hearth", 0},
		{"transaction delete", "{transaction} --yes --household Hearth", 0},
		{"explain balance", "Glass --household Hearth", 0}, {"explain net-worth", "--household Hearth", 0}, {"explain holding", "Broker NWIX --household Hearth", 0},
		{"chat", "What is my net worth? --household Hearth", 0}, {"chat list", "--household Hearth", 0},
		{"chat show", "{chat} --household Hearth", 0}, {"chat delete", "{chat} --household Hearth", 0}, {"chat test", "", 0},
		{"export ndjson", "--household Hearth", 0}, {"export hledger", "--household Hearth", 0}, {"export beancount", "--household Hearth", 0},
		{"export csv", "--table accounts --household Hearth", 0},
		{"backup", "-o {folder}/copy.db", 0}, {"backup list", "", 0}, {"backup verify", "{folder}/copy.db", 0}, {"restore", "{folder}/copy.db --force", 6},
		{"doctor", "", 0}, {"health", "--listen {address}", 0},
		{"serve", "--listen 127.0.0.1:0", 6}, {"demo", "--keep {folder}/demo.db", 0},
	}
}

// TestEveryCommandOnARunningServersFile: the table names every command that there is.
func TestEveryCommandOnARunningServersFile(t *testing.T) {
	t.Parallel()
	cmdtest.SkipShort(t)
	var called []string
	for _, c := range onRunningServer() {
		called = append(called, c.path)
	}
	slices.Sort(called)
	if diff := cmp.Diff(cmd.Leaves(), slices.Compact(called)); diff != "" {
		t.Errorf("commands that are not called (-), or not there (+):\n%s", diff)
	}
	r := cmdtest.NewCommandLine(t).Demo()
	places := r.Places()
	for _, c := range onRunningServer() {
		args := append(strings.Fields(c.path), strings.Fields(places.Replace(c.args))...)
		if got := r.Do(args...); got.Status != c.status {
			t.Errorf("finsvc %s: status %d, want %d: %s", strings.Join(args, " "), got.Status, c.status, got.Stderr)
		}
	}
	r.End()
}
