package scenario_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// crashFile names accounts, categories and tags that are not there yet, and its days are out of order.
func crashFile() string {
	var file strings.Builder
	file.WriteString("date,amount,name,category,tags,account\n")
	for i := range crashRows {
		fmt.Fprintf(&file, "2026-%02d-%02d,%d.25,Row %d,Kind %d,crash,Bank %d\n", i%12+1, i%28+1, i%100-50, i, i%5, i%3)
	}
	return file.String()
}

func importJSON(file string) string {
	content, err := json.Marshal(map[string]any{"raw_file_content": file, "publish": true})
	if err != nil {
		panic(err)
	}
	return string(content)
}

// number asks the file for one.
func (r *crashRig) number(query string) (n int64) {
	r.Helper()
	if err := r.reader.QueryRowContext(r.Context(), query).Scan(&n); err != nil {
		r.Fatal(query, err)
	}
	return n
}

// rows is how many rows of imports are stored, be they visible or not.
func (r *crashRig) rows() int64 {
	r.Helper()
	return r.number("SELECT count(*) FROM transactions WHERE import_id IS NOT NULL")
}

// check holds a settled file against what was promised before the kill.
func (r *crashRig) check(last promise) {
	r.Helper()
	status := r.status()
	if !slices.Contains(last.statuses, status) {
		r.Errorf("after %s the import is %q, want one of %q", last.what, status, last.statuses)
	}
	want := map[string]int64{"rows": 0, "accounts": 1, "tags": 0, "kinds": 0, "hidden": 0, "half": 0}
	if status == "complete" {
		want["rows"], want["accounts"], want["tags"], want["kinds"] = crashRows, 4, 1, 5
	}
	for what, query := range map[string]string{
		"rows":     "SELECT count(DISTINCT import_row) FROM transactions WHERE import_id IS NOT NULL",
		"accounts": "SELECT count(*) FROM accounts",
		"tags":     "SELECT count(*) FROM tags",
		"kinds":    "SELECT count(*) FROM categories WHERE name LIKE 'Kind %'",
		"hidden":   "SELECT count(*) FROM households WHERE hidden_to >= hidden_from",
		"half":     "SELECT (SELECT count(*) FROM import_work) + (SELECT count(*) FROM imports WHERE first_sequence IS NOT NULL OR started_at IS NOT NULL OR cancelled <> 0)",
	} {
		if got := r.number(query); got != want[what] {
			r.Errorf("after %s, now %s: %s %d, want %d", last.what, status, what, got, want[what])
		}
	}
	r.checkBooks()
}

// checkBooks holds at any moment: the file is sound, every sum is that of the rows that count, and every transaction
// that was acknowledged is there.
func (r *crashRig) checkBooks() {
	r.Helper()
	r.CheckSound()
	lost := fmt.Sprintf("SELECT %d - count(*) FROM transactions WHERE external_id IS NOT NULL AND CAST(substr(external_id, 5) AS INTEGER) < %d",
		len(r.acknowledged), len(r.acknowledged))
	if n := r.number(lost); n != 0 {
		r.Errorf("%d lost transactions", n)
	}
}
