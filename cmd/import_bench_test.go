//go:build linux

package cmd_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"
)

// BenchmarkImport imports a file of a million rows from the command line, imports it once more, which finds all of it
// booked, and takes the first import back. It tells how many times as long each takes as sqlite3's .import of the same
// file, see references, and how much memory at the most. It needs the program sqlite3; say -benchtime 1x.
func BenchmarkImport(b *testing.B) {
	sqlite, err := exec.LookPath("sqlite3")
	if err != nil {
		b.Skip("there is no sqlite3 to compare with")
	}
	for b.Loop() {
		dir := b.TempDir()
		rows := filepath.Join(dir, "rows.csv")
		writeMillion(b, rows)
		compared := map[string]time.Duration{}
		for name, tables := range references {
			compared[name] = importBySQLite(b, sqlite, filepath.Join(dir, name+".db"), rows, tables)
		}
		for step, used := range importAndRevert(b, dir, rows) {
			b.ReportMetric(used.time.Seconds(), step+"-s")
			b.ReportMetric(float64(used.memory)/1e6, step+"-MB")
			for name, reference := range compared {
				b.ReportMetric(used.time.Seconds()/reference.Seconds(), step+"/"+name)
			}
		}
	}
}

// references are tables that the same file is imported into, and what is done then: one without indexes, one with an
// index like each that a row of transactions is in, and one with those and the index for search.
var references = map[string][2]string{
	"flat":       {"CREATE TABLE rows (date TEXT, name TEXT, amount REAL, reference TEXT)", "SELECT 1"},
	"indexed":    {indexed, "SELECT 1"},
	"searchable": {indexed, "CREATE VIRTUAL TABLE texts USING fts5 (name, content = '', tokenize = 'trigram'); INSERT INTO texts (rowid, name) SELECT rowid, name FROM rows"},
}

const indexed = `CREATE TABLE rows (date TEXT, name TEXT, amount REAL, reference TEXT);
	CREATE UNIQUE INDEX by_public_id ON rows (reference);
	CREATE INDEX by_account ON rows (substr(reference, 1, 1));
	CREATE INDEX by_amount ON rows (unixepoch(date) / 86400 >> 8, amount, substr(reference, 1, 1));
	CREATE INDEX of_income ON rows (substr(reference, 1, 1)) WHERE amount > 0;
	CREATE INDEX by_import ON rows (substr(reference, 1, 1), CAST(substr(reference, 2) AS INTEGER))`

// writeMillion writes ten years of rows, oldest first, no two alike, three of ten of them money in.
func writeMillion(b *testing.B, path string) {
	b.Helper()
	file, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	w := bufio.NewWriter(file)
	fmt.Fprintln(w, "Date,Description,Amount,Reference")
	for i := range 1_000_000 {
		day := time.Date(2016, 1, 1+i/274, 0, 0, 0, 0, time.UTC).Format(time.DateOnly)
		sign := "-"
		if i*7%10 < 3 {
			sign = ""
		}
		fmt.Fprintf(w, "%s,Shop %d card %d,%s%d.%02d,R%07d\n", day, i*7919%2000, i*104729%10000, sign, 1+i*31%250, i*17%100, i)
	}
	if err := w.Flush(); err != nil {
		b.Fatal(err)
	}
	if err := file.Close(); err != nil {
		b.Fatal(err)
	}
}

// importBySQLite says how long sqlite3 takes to import a file into tables that are there, and for what comes then.
func importBySQLite(b *testing.B, sqlite, path, rows string, tables [2]string) time.Duration {
	b.Helper()
	timed(b, exec.CommandContext(b.Context(), sqlite, path, tables[0]))
	_, used := timed(b, exec.CommandContext(b.Context(), sqlite, path, ".mode csv", ".import --skip 1 "+rows+" rows", tables[1]))
	return used.time
}

// use is what a program has used, its memory in bytes.
type use struct {
	time   time.Duration
	memory int64
}

func importAndRevert(b *testing.B, dir, rows string) map[string]use {
	b.Helper()
	finsvc := func(args ...string) (printed string, used use) {
		c := exec.CommandContext(b.Context(), os.Args[0], args...)
		c.Env = []string{cmdtest.AsProgram + "=1", "FINSVC_DATA=" + filepath.Join(dir, "finance.db")}
		return timed(b, c)
	}
	finsvc("apikey", "create")
	finsvc("account", "create", "Giro", "--type", "depository")
	first, published := finsvc("import", rows, "--account", "Giro", "--yes")
	second, again := finsvc("import", rows, "--account", "Giro", "--yes")
	finsvc("import", "revert", second, "--yes")
	_, reverted := finsvc("import", "revert", first, "--yes")
	return map[string]use{"publish": published, "again": again, "revert": reverted}
}

// timed runs a program that must succeed, and gives the line that it prints.
func timed(b *testing.B, c *exec.Cmd) (printed string, used use) {
	b.Helper()
	var said strings.Builder
	c.Stderr = &said
	started := time.Now()
	out, err := c.Output()
	if err != nil {
		b.Fatalf("%v: %v: %s", c.Args, err, said.String())
	}
	took := time.Since(started)
	usage, _ := c.ProcessState.SysUsage().(*syscall.Rusage)
	return strings.TrimSpace(string(out)), use{took, usage.Maxrss * 1024}
}

// BenchmarkMillionLines has the command line import a file of a million lines of each kind, into an empty household, and tells
// how long it takes and how much memory the program has at the most, be the file taken or refused. Say -benchtime 1x.
func BenchmarkMillionLines(b *testing.B) {
	const lines = 1_000_000
	record := func(kind, members string) func(int) string {
		return func(i int) string {
			return fmt.Sprintf(`{"type":%q,"data":{"id":"%d",`+members+`}}`, kind, i, i)
		}
	}
	for _, c := range []struct {
		name, kind, header string
		line               func(i int) string
	}{
		{"transactions", "TransactionImport", "date,amount,name", func(i int) string { return fmt.Sprintf("2026-01-%02d,-%d.%02d,Row %d", 1+i%28, i%900, i%100, i) }},
		{"named_categories", "TransactionImport", "date,amount,name,category", func(i int) string { return fmt.Sprintf("2026-01-31,-1.00,Row %d,Label %d", i, i) }},
		{"named_tags", "TransactionImport", "date,amount,name,tags", func(i int) string { return fmt.Sprintf("2026-01-31,-1.00,Row %d,tag %d", i, i) }},
		{"mint", "MintImport", "Date,Amount,Account Name,Description,Category,Labels,Currency,Notes,Transaction Type", func(i int) string {
			return fmt.Sprintf("01/31/2026,1.00,Giro,Row %d,Label %d,tag %d,EUR,,debit", i, i, i)
		}},
		{"trades", "TradeImport", "date,ticker,qty,price,currency,account", func(i int) string { return fmt.Sprintf("2026-01-31,T%d,1,%d,EUR,Depot", i%50, 1+i%90) }},
		{"accounts", "AccountImport", "name,type,balance,currency", func(i int) string { return fmt.Sprintf("Bank %d,checking,1.00,EUR", i) }},
		{"categories", "CategoryImport", "name,color", func(i int) string { return fmt.Sprintf("Label %d,#123456", i) }},
		{"rules", "RuleImport", "name,resource_type,active,effective_date,conditions,actions", func(i int) string {
			return fmt.Sprintf(`Rule %d,transaction,true,,"[{""condition_type"":""transaction_name"",""operator"":""like"",""value"":""a%d""}]","[{""action_type"":""exclude_transaction""}]"`, i, i)
		}},
		{"qif", "QifImport", "!Type:Bank", func(i int) string { return fmt.Sprintf("D01/%02d/2026\nT-1.00\nPRow %d\nLLabel %d\n^", 1+i%28, i, i) }},
		{"backup_categories", "ServiceImport", "", record("Category", `"name":"Label %d","classification":"expense"`)},
		{"backup_tags", "ServiceImport", "", record("Tag", `"name":"Label %d","color":"#123456"`)},
		{"backup_merchants", "ServiceImport", "", record("Merchant", `"name":"Shop %d"`)},
		{"backup_valuations", "ServiceImport", "", record("Valuation", `"account_id":"%d","date":"2026-01-31","amount":"1"`)},
		{"backup_transfers", "ServiceImport", "", record("Transfer", `"inflow_transaction_id":"%d"`)},
		{"backup_prices", "ServiceImport", "", record("SecurityPrice", `"security_id":"%d","date":"2026-01-31","price":"1","currency":"EUR"`)},
		{"backup_unknown", "ServiceImport", "", record("Whatever", `"name":"%d"`)},
	} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				dir := b.TempDir()
				path := filepath.Join(dir, "file")
				file, err := os.Create(path)
				if err != nil {
					b.Fatal(err)
				}
				w := bufio.NewWriter(file)
				if c.header != "" {
					fmt.Fprintln(w, c.header)
				}
				for i := range lines {
					fmt.Fprintln(w, c.line(i))
				}
				if err := w.Flush(); err != nil {
					b.Fatal(err)
				}
				if err := file.Close(); err != nil {
					b.Fatal(err)
				}
				run := func(args ...string) (said string, used use) {
					cmd := exec.CommandContext(b.Context(), os.Args[0], args...)
					cmd.Env = []string{cmdtest.AsProgram + "=1", "FINSVC_IMPORT_MAX=512MiB", "FINSVC_DATA=" + filepath.Join(dir, "finance.db")}
					started := time.Now()
					out, _ := cmd.CombinedOutput() // a file that is refused is a failure, too
					usage, _ := cmd.ProcessState.SysUsage().(*syscall.Rusage)
					return string(out), use{time.Since(started), usage.Maxrss * 1024}
				}
				run("apikey", "create")
				run("account", "create", "Giro", "--type", "depository")
				args := []string{"import", path, "--type", c.kind, "--yes"}
				if c.kind == "TransactionImport" || c.kind == "QifImport" {
					args = append(args, "--account", "Giro")
				}
				said, used := run(args...)
				b.ReportMetric(used.time.Seconds(), "s")
				b.ReportMetric(float64(used.memory)/1e6, "MB")
				b.Logf("%.400s", said)
			}
		})
	}
}
