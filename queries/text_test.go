package queries_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"finsvc/db/dbtest"
	"finsvc/embed"
)

// query is a query as it is written in a .sql file.
type query struct {
	name, file string
	comment    bool   // says what it is for, on the line after the name
	text       string // without comments, and blanks made one
}

var (
	nameLine = regexp.MustCompile(`^-- name: (\w+) :\w+$`)
	comments = regexp.MustCompile(`--[^\n]*`)
	blanks   = regexp.MustCompile(`\s+`)
)

func withoutComments(text string) string {
	return strings.TrimSpace(blanks.ReplaceAllString(comments.ReplaceAllString(text, ""), " "))
}

// written reads all queries of the .sql files.
func written(t *testing.T) []query {
	t.Helper()
	files, err := filepath.Glob("*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no .sql files (%v)", err)
	}
	var all []query
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, split(file, strings.Split(string(content), "\n"))...)
	}
	return all
}

func split(file string, lines []string) []query {
	var all []query
	for i, line := range lines {
		if m := nameLine.FindStringSubmatch(line); m != nil {
			all = append(all, query{name: m[1], file: file, comment: i+1 < len(lines) && strings.HasPrefix(lines[i+1], "-- ")})
		} else if len(all) > 0 {
			all[len(all)-1].text += line + "\n"
		}
	}
	for i := range all {
		all[i].text = withoutComments(all[i].text)
	}
	return all
}

// TestBannedShapes refuses what sqlc v1.31.1 turns into wrong SQL for SQLite without an error.
func TestBannedShapes(t *testing.T) {
	t.Parallel()
	banned := map[string]*regexp.Regexp{
		"sqlc.slice: the members take the numbers of other parameters; bind one JSON array": regexp.MustCompile(`sqlc\.slice`),
		"BETWEEN with a parameter: it gets lost; write >= and <=":                           regexp.MustCompile(`(?i)\bBETWEEN\b[^;]*?(@|sqlc\.n?arg)`),
		"a parameter in DO UPDATE SET: it stays as it is; use excluded":                     regexp.MustCompile(`(?i)\bDO UPDATE SET\b[^;]*(@|sqlc\.n?arg)`),
		"a parameter in ORDER BY: it stays as it is; write a query per order":               regexp.MustCompile(`(?i)\bORDER BY\b[^;]*?\bCASE\b[^;]*?(@|sqlc\.n?arg)`),
		"a bare ? among named parameters: it takes their numbers":                           regexp.MustCompile(`\?`),
	}
	for _, q := range written(t) {
		for why, shape := range banned {
			if shape.MatchString(q.text) {
				t.Errorf("%s: %s: %s", q.file, q.name, why)
			}
		}
	}
}

func TestEveryQuerySaysWhatItIsFor(t *testing.T) {
	t.Parallel()
	known := methodSet(t)
	for _, q := range written(t) {
		if !q.comment {
			t.Errorf("%s: %s has no comment after its name", q.file, q.name)
		}
		if !known[q.name] {
			t.Errorf("%s: %s was not generated", q.file, q.name)
		}
	}
}

func TestEveryIndexSaysWhatItIsFor(t *testing.T) {
	t.Parallel()
	files, err := fs.Glob(embed.Schema, "schema/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("no schema (%v)", err)
	}
	index := regexp.MustCompile(`^CREATE (UNIQUE )?INDEX `)
	for _, file := range files {
		content, err := fs.ReadFile(embed.Schema, file)
		if err != nil {
			t.Fatal(err)
		}
		before := ""
		for line := range strings.Lines(string(content)) {
			if index.MatchString(line) && !strings.HasPrefix(before, "-- ") {
				t.Errorf("%s: no comment says which query needs this: %s", file, line)
			}
			before = line
		}
	}
}

// ofNobody are the tables without the household's key, and why.
func ofNobody() map[string]string {
	return map[string]string{
		"households":            "is the household",
		"idempotent_answers":    "belongs to an API key, which belongs to a household",
		"transaction_tags":      "belongs to a transaction; the widest join of the service, kept narrow",
		"transaction_rules":     "belongs to a transaction, and so does its rule",
		"transaction_line_tags": "belongs to a line of a transaction",
		"exchange_rates":        "published facts",
		"import_chunks":         "belongs to an import",
		"import_matches":        "belongs to an import",
		"import_trade_matches":  "belongs to an import",
		"import_held_rows":      "belongs to an import",
		"import_changes":        "belongs to an import",
		"instance":              "what there is once in the file",
		"goose_db_version":      "the migrations",
	}
}

// tables gives the tables that have a household_id column, and those that have not.
func tables(t *testing.T) (owned, other []string) {
	t.Helper()
	rows, err := openRaw(t, dbtest.Path(t)).QueryContext(t.Context(), `
		SELECT s.name, EXISTS (SELECT 1 FROM pragma_table_info(s.name) c WHERE c.name = 'household_id')
		FROM sqlite_schema s WHERE s.type = 'table' AND s.name NOT LIKE 'sqlite_%' AND s.name NOT LIKE 'transactions_fts%' ORDER BY s.name`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		var has bool
		if err := rows.Scan(&name, &has); err != nil {
			t.Fatal(err)
		}
		if has {
			owned = append(owned, name)
		} else {
			other = append(other, name)
		}
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return owned, other
}

func TestEveryTableNamesItsHousehold(t *testing.T) {
	t.Parallel()
	_, other := tables(t)
	if want := sortedKeys(ofNobody()); !slices.Equal(other, want) {
		t.Errorf("tables without household_id are %v, explained are %v", other, want)
	}
}

// acrossHouseholds are the queries on rows of households that do not take one, and why.
func acrossHouseholds() map[string]string {
	return map[string]string{
		"FindAPIKey":               "finds out which household the caller may see",
		"FindBrowserSession":       "finds out which household the caller may see",
		"TakeSignInLink":           "finds out which household the caller may see",
		"ListUsersNamed":           "finds out which household the caller may see",
		"DeleteOldBrowserSessions": "cleans up when somebody signs in; says nothing of a household",
		"DeleteOldSignInLinks":     "cleans up when somebody makes a link; says nothing of a household",
		"ListUsersByEmail":         "an address is taken once in the whole file",
		"IsImportAllThereIs":       "the index for text search is one for all households",
		"CountImportsByStatus":     "a number for who looks after the server; says nothing of a household",
		"CountPendingAnswers":      "a number for who looks after the server; says nothing of a household",
		"ClaimImport":              "the worker serves all households; one is named by the import it gets",
		"ClaimAnswers":             "the worker serves all households; one is named by each answer it gets",
		"NoteDueHouseholds":        "holds each household against its own history, before anybody asks",
		"FreeImports":              "cleans up after a crash, before anybody asks",
		"FreeAnswers":              "cleans up after a crash, before anybody asks",
		"DeleteStaleUploads":       "cleans up after a crash, before anybody asks",
		"ListAbandonedOperations":  "cleans up after a crash; each names its household",
	}
}

// TestEveryQueryNamesTheHousehold keeps households apart: a query on rows that belong to one takes its
// key as a parameter.
func TestEveryQueryNamesTheHousehold(t *testing.T) {
	t.Parallel()
	owned, _ := tables(t)
	touches := regexp.MustCompile(`(?i)\b(FROM|JOIN|INTO|UPDATE)\s+(` + strings.Join(owned, "|") + `)\b`)
	exceptions := acrossHouseholds()
	for _, q := range written(t) {
		_, excepted := exceptions[q.name]
		needed := touches.MatchString(q.text) && !strings.Contains(q.text, "@household_id")
		if needed && !excepted {
			t.Errorf("%s: %s touches a household's rows and has no @household_id", q.file, q.name)
		}
		if needed {
			delete(exceptions, q.name)
		}
	}
	for name := range exceptions {
		t.Errorf("%s needs no exception any more", name)
	}
}

// withHiddenRows are the queries that read transactions, their lines or tags, and not by a list of keys or of one import,
// and yet do not leave out those that an import is writing, and why.
func withHiddenRows() map[string]string {
	const ofTransfers = "a hidden row is in no transfer: they are made and parted by the write that shows or hides rows"
	const ofAudits = "proves what is stored, shown or not"
	const whileIdle = "an account goes only while no import of the household is at work, so there are none"
	const ofLabels = "what goes is taken off the rows that an import is writing, too, which would keep it otherwise"
	const bound = "only says how far to read, or how; hidden rows in it make it a little more"
	return map[string]string{
		"AuditTransfers": ofTransfers, "AuditRejections": ofTransfers, "CountTransfersLeftOut": ofTransfers,
		"ListTransferFees": ofTransfers, "ListBackupTransfers": ofTransfers, "ListBackupRejections": ofTransfers,
		"ListForeignPaired": ofTransfers, "GetTransfer": ofTransfers, "GetTransferByKey": ofTransfers,
		"ListTransferSides": ofTransfers, "ListTransfers": ofTransfers, "CountTransfers": ofTransfers,
		"GetRejectedTransfer": ofTransfers, "ListRejectedTransfers": ofTransfers, "CountRejectedTransfers": ofTransfers,
		"ListRuleTransfers": ofTransfers, "CountTransfersBetween": ofTransfers,
		"ListAccountTransactionIDs": whileIdle, "ListExternalTwins": whileIdle, "CountTwins": whileIdle,
		"ListCategoryHolders": ofLabels, "ListMerchantHolders": ofLabels, "ListTagHolders": ofLabels, "ListRuleHolders": ofLabels,
		"AuditLines": ofAudits, "AuditStrangeTexts": ofAudits, "AuditKeys": ofAudits, "AuditNextKey": ofAudits,
		"GetFirstBooked": bound, "GetLastBooked": bound, "CountTagged": bound, "HasBankKeys": bound, "HasSplitsBetween": bound,
		"ListOppositeDays":         bound + "; the pairs are looked for by queries that leave them out",
		"HasAccountEntries":        "the currency of an account is fixed as soon as an import has begun to write to it",
		"ListReferredTransactions": "of creation numbers in a range, which is that of the rows to be removed",
		"ListFirstTransactions":    "of a deleted household, all of whose rows are removed",
		"PackTags":                 "tags by transaction, looked up for transactions that were read without hidden ones",
		"ListJournalLines":         "lines by transaction, looked up for transactions that were read without hidden ones",
		"ListMerchantTexts":        "what is searchable of a row is of its new merchant, too, when the row is shown",
		"ListMovedTransactions":    "a person has put them on another day, who can see no hidden ones",
		"ListExternalIDs":          "an id that an import brings is taken as soon as its row is written",
		"ListTransactionTagIDs":    "of one transaction, which the caller has read",
	}
}

// TestEveryQueryLeavesHiddenRowsOut: what an import is still writing, or a revert still removing, counts nowhere. What
// else an import makes, such as trades, it makes in the write that shows its rows.
func TestEveryQueryLeavesHiddenRowsOut(t *testing.T) {
	t.Parallel()
	reads := regexp.MustCompile(`(?i)^(SELECT|WITH)\b.*\b(FROM|JOIN) (transactions|transaction_lines|transaction_tags)\b`)
	chosen := regexp.MustCompile(`(?i)hidden_|import_id|json_each\(CAST\(@(ids|keys)\b`)
	exceptions := withHiddenRows()
	checked := 0
	for _, q := range written(t) {
		if !reads.MatchString(q.text) {
			continue
		}
		checked++
		_, excepted := exceptions[q.name]
		if !chosen.MatchString(q.text) && !excepted {
			t.Errorf("%s: %s reads transactions and does not leave hidden ones out", q.file, q.name)
		}
		if !chosen.MatchString(q.text) {
			delete(exceptions, q.name)
		}
	}
	for name := range exceptions {
		t.Errorf("%s needs no exception any more", name)
	}
	if checked < 50 {
		t.Errorf("only %d queries were looked at", checked)
	}
}

// TestListAndCountMatch compares the conditions of a list with those of the query that counts it.
func TestListAndCountMatch(t *testing.T) {
	t.Parallel()
	conditions := map[string]string{}
	for _, q := range written(t) {
		conditions[q.name] = condition(q.text)
	}
	pairs := 0
	for name, list := range conditions {
		count, ok := conditions["Count"+strings.TrimPrefix(name, "List")]
		if !ok || !strings.HasPrefix(name, "List") {
			continue
		}
		pairs++
		if list != count {
			t.Errorf("%s selects\n\t%s\nand its count\n\t%s", name, list, count)
		}
	}
	if pairs == 0 {
		t.Error("no pair of a list and its count was found")
	}
}

// condition is what follows the query's own WHERE, up to the order.
func condition(text string) string {
	depth := 0
	for i, r := range text {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case depth == 0 && strings.HasPrefix(text[i:], " WHERE "):
			before, _, _ := strings.Cut(text[i:], " ORDER BY ")
			return strings.TrimSuffix(before, ";")
		}
	}
	return ""
}
