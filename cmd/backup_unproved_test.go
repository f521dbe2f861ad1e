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

	"finsvc/cmd/cmdtest"
)

// newNeighbours is a shell on a file with two households, Club and Home, each with an account and something in it, in dollars
// and in euros.
func newNeighbours(t *testing.T) *cmdtest.CommandLine {
	t.Helper()
	s := cmdtest.NewCommandLine(t)
	for name, currency := range map[string]string{"Club": "USD", "Home": "EUR"} {
		s.OK("household", "create", name, "--owner", strings.ToLower(name)+"@example.org", "--currency", currency)
		s.OK("account", "create", "Giro", "--type", "depository", "--household", name, "--balance", "1000.00", "--date", "2026-01-01")
		s.OK("import", s.Write(name+".csv", good), "--account", "Giro", "--household", name, "--yes")
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
			made := strings.TrimSpace(s.OK("backup"))
			proved := filepath.Join(filepath.Dir(made), "finance-20260301T020000Z.db") // another one may be made in this second
			if err := errors.Join(os.Rename(made, proved), os.Rename(made+".sha256", proved+".sha256")); err != nil {
				t.Fatal(err)
			}
			cmdtest.Spoil(t, s.File, spoiling.statement)
			folder := filepath.Dir(proved)
			got := s.Do("backup", "-o", folder+"/", "--keep", "1")
			copied := strings.TrimSpace(got.Stdout)
			if got.Status != 1 || !strings.HasSuffix(copied, ".db.unproved") || !strings.Contains(got.Stderr, "  "+spoiling.says) || strings.Contains(got.Stderr, "  Home") {
				t.Fatalf("status %d, printed %q, said %s", got.Status, got.Stdout, got.Stderr)
			}
			kinds := map[any]int{}
			for _, c := range s.List("backup", "list") {
				kinds[c["kind"]]++
			}
			if kinds["checked"] != 1 || kinds["not proved"] != 1 || len(kinds) != 2 {
				t.Errorf("there are %v", kinds)
			}
			got = s.Do("backup", "verify", copied, "--json")
			var report struct{ Defects, Unproved []string }
			if err := json.Unmarshal([]byte(got.Stdout), &report); err != nil || got.Status != 1 || len(report.Defects) > 0 || len(report.Unproved) == 0 {
				t.Errorf("verify: status %d, %+v, %v", got.Status, report, err)
			}
			got = s.Do("doctor")
			for _, words := range []string{"fail  books", spoiling.says, "fail  backups", "is not proved, the newest that is proved was made"} {
				if !strings.Contains(got.Stdout, words) || got.Status != 1 {
					t.Errorf("the doctor ends with %d and does not say %q: %s", got.Status, words, got.Stdout)
				}
			}
			// The stream is made as well, and its receiver told by the status.
			if got := s.Do("backup", "-o", "-"); got.Status != 1 || !strings.HasPrefix(got.Stdout, "SQLite format 3") {
				t.Errorf("the stream: status %d, %d bytes", got.Status, len(got.Stdout))
			}
			s.Fails(6, []string{"restore", copied, "--force"}, "not proved", spoiling.says, "--unproved")
			s.OK("restore", copied, "--force", "--unproved")
			if rows := s.List("account", "list", "--household", "Home"); rows[0]["balance_cents"] != 98425.0 {
				t.Errorf("Home has %v", rows)
			}
			s.OK("restore", proved, "--force") // needs no such word
		})
	}
}

// TestServerKeepsUnprovedCopies: the copies of a server are kept, too, said in its log, and told by its metrics.
func TestServerKeepsUnprovedCopies(t *testing.T) {
	t.Parallel()
	s := newNeighbours(t)
	cmdtest.Spoil(t, s.File, spoilings["a wrong sum"].statement)
	got := s.Do("backup")
	if got.Status != 1 {
		t.Fatal(got.Stderr)
	}
	r := s.Serve("--metrics", "127.0.0.1:0")
	r.Logged(`"msg":"metrics"`)
	_, rest, _ := strings.Cut(r.Stderr.String(), `"msg":"metrics","addr":"`)
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
	r.End()
}
