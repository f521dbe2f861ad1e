package queries_test

import (
	"database/sql"
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"finsvc/db/dbtest"
)

var update = flag.Bool("update", false, "write testdata/plans.golden anew")

const goldenPlans = "testdata/plans.golden"

// explainedPlans are the steps that would be too slow on a large table and are not, by query and step.
func explainedPlans() map[string]string {
	return map[string]string{
		"ListHouseholds: USE TEMP B-TREE FOR ORDER BY":              "a file has few households",
		"GetResetHousehold: USE TEMP B-TREE FOR ORDER BY":           "a file has few households",
		"ListUsers: USE TEMP B-TREE FOR ORDER BY":                   "a household has few people",
		"ListUsersByEmail: USE TEMP B-TREE FOR ORDER BY":            "an address has few owners in its life",
		"ListBrowserSessions: USE TEMP B-TREE FOR ORDER BY":         "a person has few browsers",
		"DeleteOldestBrowserSessions: USE TEMP B-TREE FOR ORDER BY": "a person has few browsers",
		"ListCategoriesNamed: USE TEMP B-TREE FOR ORDER BY":         "few categories share a name",
		"ListSubcategories: USE TEMP B-TREE FOR ORDER BY":           "a category has few children",
		"ListRejectedTransfers: USE TEMP B-TREE FOR ORDER BY":       "people reject few pairs",
		"DeleteUnusedImportSecurities: SCAN positions":              "an import creates few securities, and positions are few rows each",
		"ClaimAnswers: SCAN messages":                               "the index of work alone: few answers wait at a time",
		"FreeAnswers: SCAN messages":                                "the index of work alone: few answers wait at a time",
		"CopyHistory: USE TEMP B-TREE FOR ORDER BY":                 "a household, its people and its keys change rarely",
		"StopAnswersOfHousehold: SCAN messages":                     "the index of work alone: few answers wait at a time",
		"DeleteSomeSecurities: SCAN positions":                      "those of other households: this one's have gone with its accounts",
		"DeleteHousehold: SCAN trades":                              "once in a household's life; an index would cost every trade",
		"DeleteHousehold: SCAN messages":                            "once in a household's life; an index would cost every message",
		"DeleteHousehold: SCAN security_prices":                     "once in a household's life; an index would cost every price",
		"DeleteHousehold: SCAN positions":                           "once in a household's life; an index would cost every trade",
		"DeleteHousehold: SCAN trade_prices":                        "once in a household's life; an index would cost every trade",
		"DeleteHousehold: SCAN holding_values":                      "once in a household's life; an index would cost every price",
		"CountWaitingAnswers: SCAN messages":                        "the index of work alone: few answers wait at a time",
		"CountPendingAnswers: SCAN messages":                        "the index of work alone: few answers wait at a time",
		"ListPrices: USE TEMP B-TREE FOR ORDER BY":                  "a page of one security, or the rare one of all: an index by day would cost every price",
		"ListSplits: USE TEMP B-TREE FOR ORDER BY":                  "securities have few splits",
		"DeleteSecurity: SCAN positions":                            "once in a security's life; an index would cost every trade",
		"ListIDsEndingIn: SCAN transactions":                        "the index of ids alone, when a person at a terminal gives the end of one",
		"ListIDsEndingIn: SCAN transaction_lines":                   "the same of parts",
		"GetImportBasis: SCAN changes":                              "backwards, and the first row of the household ends it",
		"GetLastChange: SCAN changes":                               "backwards, and the first row of the household ends it",
		"GetNewestStamp: SCAN changes":                              "backwards, and ends after a thousand rows of the household; for the doctor alone",
		"ListLargest: USE TEMP B-TREE FOR ORDER BY":                 "few matches are sorted; of many the index of amounts is walked, unless that of a label or a text finds them",
		"AuditAccounts: USE TEMP B-TREE FOR ORDER BY":               "a household has few accounts",
		"AuditMonths: SCAN account_days":                            "the audit reads everything",
		"AuditValueKeys: SCAN holding_values":                       "the audit reads everything",
		"AuditCurrencies: SCAN security_prices":                     "the audit reads everything",
		"AuditCurrencies: USE TEMP B-TREE FOR ORDER BY":             "the audit reads everything; of the sorted, currencies alone are kept",
		"AuditStrangeTexts: USE TEMP B-TREE FOR ORDER BY":           "a month of them at a time",
		"ListRatePairs: SCAN exchange_rates":                        "with statistics it leaps over the days: 0.1 ms instead of 7 for a hundred thousand rates",
	}
}

// large are the tables that grow with use; any other fits into a few pages.
func large() []string {
	return []string{"transactions", "transaction_tags", "transaction_lines", "transaction_line_tags", "transaction_rules", "account_days", "amount_bands", "trades", "security_prices", "trade_prices", "positions", "holding_values", "exchange_rates",
		"import_chunks", "messages", "changes", "transactions_fts"}
}

var (
	source = regexp.MustCompile(`(?i)\b(?:FROM|JOIN|UPDATE|INTO)\s+(\w+)(?:\s+AS)?\s+(\w+)`)
	scan   = regexp.MustCompile(`^SCAN (\w+)(.*)$`)
	// A full-text table is always "scanned"; without a constraint after the number it is read as a whole.
	allTexts = regexp.MustCompile(`VIRTUAL TABLE INDEX \d+:$`)
)

// slow gives the steps that read a whole large table or index, or sort everything before the first row
// is given; tables by their names instead of what the query calls them.
func slow(text string, plan []string) []string {
	named := map[string]string{}
	for _, m := range source.FindAllStringSubmatch(withoutComments(text), -1) {
		named[m[2]] = m[1]
	}
	// A new row scans what could refer to it only when the transaction has broken a reference so far,
	// which a reference that is not deferred cannot be.
	inserts := strings.HasPrefix(withoutComments(text), "INSERT")
	var steps []string
	for _, line := range plan {
		step := strings.TrimSpace(line)
		m := scan.FindStringSubmatch(step)
		switch {
		case step == "USE TEMP B-TREE FOR ORDER BY":
			steps = append(steps, step)
		case m == nil || inserts || slices.ContainsFunc(plan, func(line string) bool { return strings.TrimSpace(line) == "CO-ROUTINE "+m[1] }):
		case slices.Contains(large(), tableOf(named, m[1])) && (!strings.Contains(m[2], "VIRTUAL TABLE") || allTexts.MatchString(m[2])):
			steps = append(steps, "SCAN "+tableOf(named, m[1]))
		}
	}
	return steps
}

func tableOf(named map[string]string, name string) string {
	if table, ok := named[name]; ok {
		return table
	}
	return name
}

// planned is a statement and what SQLite would do.
type planned struct {
	text string
	plan []string
}

// plans gives the plan of every query.
func plans(t *testing.T, pool *sql.DB, number int64) map[string]planned {
	t.Helper()
	all := map[string]planned{}
	for _, name := range methods(t) {
		inRolledBack(t, pool, func(r *recorder) {
			_ = call(t.Context(), r, name, number) // its error is another test's matter
			all[name] = planned{r.text, r.plan(t)}
		})
	}
	return all
}

// TestPlansAreQuick looks at the plans twice: without statistics, as in a new file, and with those of a
// household with many rows, by which the planner changes its mind.
func TestPlansAreQuick(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for number, path := range []string{dbtest.Path(t), filledPath(t)} {
		for name, p := range plans(t, openRaw(t, path), int64(number)) {
			for _, step := range slow(p.text, p.plan) {
				key := name + ": " + step
				used[key] = true
				if _, explained := explainedPlans()[key]; !explained {
					t.Errorf("%q is slow on a large table and not explained:\n%s", key, strings.Join(p.plan, "\n"))
				}
			}
		}
	}
	for key := range explainedPlans() {
		if !used[key] {
			t.Errorf("%q needs no explanation any more", key)
		}
	}
}

// filledPath is a file with rows and statistics.
func filledPath(t *testing.T) string {
	t.Helper()
	path := dbtest.Path(t)
	d := dbtest.Open(t, path)
	dbtest.Fill(t, d, dbtest.Shape{Transactions: 5000, Accounts: 8, Categories: 60, Merchants: 200, Tags: 30, Days: 3652})
	pool := openRaw(t, path)
	if _, err := pool.ExecContext(t.Context(), "ANALYZE"); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPlansAreKnown compares every plan with the one that was looked at last. After a change that is
// meant: go test ./queries -run Plans -update, and read the difference.
func TestPlansAreKnown(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	all := plans(t, openRaw(t, dbtest.Path(t)), 0)
	for _, name := range sortedKeys(all) {
		text.WriteString(name + "\n")
		for _, line := range all[name].plan {
			text.WriteString("  " + line + "\n")
		}
	}
	if *update {
		if err := os.WriteFile(goldenPlans, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	golden, err := os.ReadFile(goldenPlans)
	if err != nil {
		t.Fatal(err)
	}
	if diff := firstDifference(string(golden), text.String()); diff != "" {
		t.Errorf("%s is not what SQLite plans:\n%s", goldenPlans, diff)
	}
}

// idle are the indexes that no query uses, and why they are there. One that is unique holds a rule.
func idle() map[string]string {
	return map[string]string{}
}

// TestEveryIndexIsUsed: an index that no query uses costs every write for nothing. A partial one is used
// only where its condition stands in the query, word for word.
func TestEveryIndexIsUsed(t *testing.T) {
	t.Parallel()
	pool := openRaw(t, dbtest.Path(t))
	used := pagesText(t, pool)
	for _, p := range plans(t, pool, 0) {
		used += strings.Join(p.plan, "\n") + "\n"
	}
	exceptions := idle()
	for _, name := range indexes(t, pool) {
		isUsed := regexp.MustCompile(`\b` + name + `\b`).MatchString(used)
		_, excepted := exceptions[name]
		if isUsed == excepted {
			t.Errorf("index %s: used is %t, listed as idle is %t", name, isUsed, excepted)
		}
	}
}

// indexes are those that only serve queries.
func indexes(t *testing.T, pool *sql.DB) []string {
	t.Helper()
	rows, err := pool.QueryContext(t.Context(), "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE 'CREATE INDEX %'")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			t.Fatal(err)
		}
		names = append(names, name)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return names
}

// firstDifference gives the line in which two texts begin to differ, under the query it belongs to.
func firstDifference(want, got string) string {
	wants, gots := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(wants), len(gots)) {
		w, g := lineAt(wants, i), lineAt(gots, i)
		if w != g {
			return "query " + heading(gots, i) + "\n- " + w + "\n+ " + g
		}
	}
	return ""
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}

func heading(lines []string, i int) string {
	for _, line := range slices.Backward(lines[:min(i+1, len(lines))]) {
		if line != "" && !strings.HasPrefix(line, " ") {
			return line
		}
	}
	return ""
}
