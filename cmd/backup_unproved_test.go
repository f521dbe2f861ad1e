package cmd_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// newNeighbours is a shell on a file with two households, Club and Home, each with an account and something in it, in dollars
// and in euros.
func newNeighbours(t *testing.T) *commandLine {
	t.Helper()
	s := newCommandLine(t)
	for name, currency := range map[string]string{"Club": "USD", "Home": "EUR"} {
		s.ok("household", "create", name, "--owner", strings.ToLower(name)+"@example.org", "--currency", currency)
		s.ok("account", "create", "Giro", "--type", "depository", "--household", name, "--balance", "1000.00", "--date", "2026-01-01")
		s.ok("import", s.write(name+".csv", good), "--account", "Giro", "--household", name, "--yes")
	}
	return s
}

// spoilings make the books of Club wrong: a sum that is kept is not that of its rows, or a row cannot be read.
var spoilings = map[string]struct{ statement, says string }{
	"a wrong sum": {"UPDATE account_days SET amount = amount + 1 WHERE household_id = (SELECT id FROM households WHERE name = 'Club')", "Club, Giro"},
	"a row that cannot be read": {`INSERT INTO securities (public_id, household_id, ticker, name, created_at, updated_at)
		SELECT randomblob(16), id, 'ACME', 'Acme', 0, 0 FROM households WHERE name = 'Club';
		INSERT INTO trades (id, public_id, household_id, account_id, security_id, date, kind, quantity, price, amount, currency, name, created_at, updated_at)
		SELECT (h.id << 43) | ((20470 + 25567) << 26) | 900, randomblob(16), h.id, a.id, s.id, 20470, 'buy', 'many', '1', -100, 'USD', 'Acme', 0, 0
		FROM households h JOIN accounts a ON a.household_id = h.id JOIN securities s ON s.household_id = h.id WHERE h.name = 'Club'`, "Club"},
}

// TestBackupOfAnUnprovedHousehold: what does not add up in one household does not cost the others their copies. The copy is
// made, kept and called not proved; it names the household, and no proved one goes for it. Restoring it is asked for.
func TestBackupOfAnUnprovedHousehold(t *testing.T) {
	t.Parallel()
	for name, spoiling := range spoilings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newNeighbours(t)
			made := strings.TrimSpace(s.ok("backup"))
			proved := filepath.Join(filepath.Dir(made), "finance-20260301T020000Z.db") // another one may be made in this second
			if err := errors.Join(os.Rename(made, proved), os.Rename(made+".sha256", proved+".sha256")); err != nil {
				t.Fatal(err)
			}
			spoil(t, s.file, spoiling.statement)
			folder := filepath.Dir(proved)
			got := s.run("backup", "-o", folder+"/", "--keep", "1")
			copied := strings.TrimSpace(got.stdout)
			if got.status != 1 || !strings.HasSuffix(copied, ".db.unproved") || !strings.Contains(got.stderr, "  "+spoiling.says) || strings.Contains(got.stderr, "  Home") {
				t.Fatalf("status %d, printed %q, said %s", got.status, got.stdout, got.stderr)
			}
			kinds := map[any]int{}
			for _, c := range s.list("backup", "list") {
				kinds[c["kind"]]++
			}
			if kinds["checked"] != 1 || kinds["not proved"] != 1 || len(kinds) != 2 {
				t.Errorf("there are %v", kinds)
			}
			got = s.run("backup", "verify", copied, "--json")
			var report struct{ Defects, Unproved []string }
			if err := json.Unmarshal([]byte(got.stdout), &report); err != nil || got.status != 1 || len(report.Defects) > 0 || len(report.Unproved) == 0 {
				t.Errorf("verify: status %d, %+v, %v", got.status, report, err)
			}
			got = s.run("doctor")
			for _, words := range []string{"fail  books", spoiling.says, "fail  backups", "is not proved, the newest that is proved was made"} {
				if !strings.Contains(got.stdout, words) || got.status != 1 {
					t.Errorf("the doctor ends with %d and does not say %q: %s", got.status, words, got.stdout)
				}
			}
			// The stream is made as well, and its receiver told by the status.
			if got := s.run("backup", "-o", "-"); got.status != 1 || !strings.HasPrefix(got.stdout, "SQLite format 3") {
				t.Errorf("the stream: status %d, %d bytes", got.status, len(got.stdout))
			}
			s.fails(6, []string{"restore", copied, "--force"}, "not proved", spoiling.says, "--unproved")
			s.ok("restore", copied, "--force", "--unproved")
			if rows := s.list("account", "list", "--household", "Home"); rows[0]["balance_cents"] != 98425.0 {
				t.Errorf("Home has %v", rows)
			}
			s.ok("restore", proved, "--force") // needs no such word
		})
	}
}

// TestServerKeepsUnprovedCopies: the copies of a server are kept, too, said in its log, and told by its metrics.
func TestServerKeepsUnprovedCopies(t *testing.T) {
	t.Parallel()
	s := newNeighbours(t)
	spoil(t, s.file, spoilings["a wrong sum"].statement)
	got := s.run("backup")
	if got.status != 1 {
		t.Fatal(got.stderr)
	}
	r := s.serve("--metrics", "127.0.0.1:0")
	r.logged(`"msg":"metrics"`)
	_, rest, _ := strings.Cut(r.stderr.String(), `"msg":"metrics","addr":"`)
	addr, _, _ := strings.Cut(rest, `"`)
	resp, err := http.Get("http://" + addr + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if page := string(text); err != nil || !strings.Contains(page, "finsvc_backup_unproved 1\n") || strings.Contains(page, "finsvc_backup_age_seconds ") {
		t.Errorf("the metrics do not say that the newest copy is not proved: %s", page)
	}
	r.end()
}
