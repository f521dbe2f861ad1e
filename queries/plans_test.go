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
	return map[string]string{}
}

// slowSteps are steps that read a whole table or index, or sort everything before the first row is
// given. A SCAN of a virtual table is json_each reading its argument, or a full-text match; without a
// constraint (an empty one after 0:) it would read all texts.
var slowSteps = regexp.MustCompile(`^SCAN |^USE TEMP B-TREE FOR ORDER BY$`)
var quickScans = regexp.MustCompile(`VIRTUAL TABLE INDEX ([1-9]\d*:|0:.+)$|^SCAN CONSTANT ROW$`)

// slow gives the steps of a plan that have to be explained.
func slow(plan []string) []string {
	var steps []string
	for _, line := range plan {
		if step := strings.TrimSpace(line); slowSteps.MatchString(step) && !quickScans.MatchString(step) {
			steps = append(steps, step)
		}
	}
	return steps
}

// plans gives the plan of every query.
func plans(t *testing.T, pool *sql.DB) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, name := range methods(t) {
		inRolledBack(t, pool, func(r *recorder) {
			_ = call(t.Context(), r, name) // its error is another test's matter
			all[name] = r.plan(t)
		})
	}
	return all
}

// TestPlansAreQuick looks at the plans twice: without statistics, as in a new file, and with those of a
// household with many rows, by which the planner changes its mind.
func TestPlansAreQuick(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, path := range []string{dbtest.Path(t), filledPath(t)} {
		for name, plan := range plans(t, openRaw(t, path)) {
			for _, step := range slow(plan) {
				key := name + ": " + step
				used[key] = true
				if _, explained := explainedPlans()[key]; !explained {
					t.Errorf("%q is slow on a large table and not explained:\n%s", key, strings.Join(plan, "\n"))
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
	all := plans(t, openRaw(t, dbtest.Path(t)))
	for _, name := range sortedKeys(all) {
		text.WriteString(name + "\n")
		for _, line := range all[name] {
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
