package cmd_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"finsvc/db/dbtest"
)

// ofSchemaFive is a file of a program that knew no trades yet, see db/testdata/schemas.
func ofSchemaFive(t *testing.T) *shell {
	t.Helper()
	s := newShell(t)
	s.file = dbtest.Unpacked(t, "../db/testdata/schemas/0005.db.gz")
	return s
}

// TestUpgrade: every command brings an old file up to date.
func TestUpgrade(t *testing.T) {
	t.Parallel()
	s := ofSchemaFive(t)
	if list := s.list("account", "list", "--household", "Home"); len(list) != 4 { // and a disabled one
		t.Errorf("there are %d accounts, want 4", len(list))
	}
}

// TestUpgradeThatWouldChangeFigures: by hand someone has put a trade into a table that an upgrade makes anew. Its cash would
// be gone; so nothing is done, by commands as by servers, and what would be lost is said.
func TestUpgradeThatWouldChangeFigures(t *testing.T) {
	t.Parallel()
	s := ofSchemaFive(t)
	spoil(t, s.file, `INSERT INTO trades (id, public_id, household_id, account_id, date, kind, quantity, price, amount, currency, name, created_at, updated_at)
		VALUES ((1 << 43) | ((20556 + 25567) << 26) | 12, zeroblob(16), 1, 4, 20556, 'interest', '0', '0', 1234, 'EUR', 'Interest', 0, 0)`)
	was, err := os.ReadFile(s.file)
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{"account", "list", "--household", "Home"}, {"serve", "--listen", "127.0.0.1:0"}} {
		got := s.run(command...)
		for _, part := range []string{"was not upgraded from schema 5 to ", "Home, Broker, 2026-04-30: 1012.34 EUR before, 1000.00 EUR after",
			"Nothing is lost. Go on with the finsvc that you had"} {
			if !strings.Contains(got.stderr, part) {
				t.Errorf("%s does not say %q but %s", command, part, got.stderr)
			}
		}
		if got.status != 1 || got.stdout != "" {
			t.Errorf("%s: status %d, printed %q", command, got.status, got.stdout)
		}
	}
	if now, err := os.ReadFile(s.file); err != nil || string(now) != string(was) {
		t.Errorf("the file is not what it was (%v)", err)
	}
	if copies, err := filepath.Glob(s.file + ".*"); err != nil || len(copies) > 0 {
		t.Errorf("beside it lie %v, though nothing was done (%v)", copies, err)
	}
}
