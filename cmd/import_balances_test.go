package cmd_test

import (
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

// TestImportShowsBalances: what the file proves of balances is shown beside what the account shows, and so is what a revert undoes of it.
func TestImportShowsBalances(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	s.OK("account", "create", "Savings", "--type", "depository", "--currency", "EUR")
	first := s.Write("first.csv", "Date,Amount,Payee,Balance\n2026-01-02,-5.00,Shop,95.00\n2026-01-03,-5.00,Book,90.00\n")
	got := s.Do("import", first, "--account", "Savings", "--yes")
	for _, part := range []string{"Savings: 100,00\u00a0€ before 2026-01-02 and 90,00\u00a0€ after 2026-01-03 by the file; 90,00\u00a0€ then by the account", "The opening balance of 100,00\u00a0€ is taken from the file."} {
		if !strings.Contains(got.Stderr, part) {
			t.Errorf("said %q, want %q in it", got.Stderr, part)
		}
	}
	gap := s.Do("import", s.Write("second.csv", "Date,Amount,Payee,Balance\n2026-01-12,-5.00,Shop,75.00\n2026-01-13,-5.00,Book,70.00\n"), "--account", "Savings", "--yes")
	if !strings.Contains(gap.Stderr, "Careful: file and account differ by -10,00\u00a0€, from 2026-01-12 on.") {
		t.Errorf("said %q", gap.Stderr)
	}
	// What is kept of it is shown as well.
	for id, parts := range map[string][]string{
		got.Stdout: {"Savings: 100,00\u00a0€ before 2026-01-02 and 90,00\u00a0€ after 2026-01-03 by the file; 90,00\u00a0€ then by the account", "The opening balance of 100,00\u00a0€ is taken from the file."},
		gap.Stdout: {"Savings: 80,00\u00a0€ before 2026-01-12 and 70,00\u00a0€ after 2026-01-13 by the file; 80,00\u00a0€ then by the account", "Careful: file and account differ by -10,00\u00a0€, from 2026-01-12 on."},
	} {
		shown := s.OK("import", "show", strings.TrimSpace(id))
		for _, part := range parts {
			if !strings.Contains(shown, part) {
				t.Errorf("shown is %q, want %q in it", shown, part)
			}
		}
	}
	if shown := s.OK("import", "show", strings.TrimSpace(gap.Stdout), "--json"); !strings.Contains(shown, `"difference_cents": -1000`) {
		t.Errorf("shown is %s", shown)
	}
	s.OK("import", "revert", strings.TrimSpace(gap.Stdout), "--yes")
	if shown := s.OK("import", "show", strings.TrimSpace(gap.Stdout)); strings.Contains(shown, "balances") {
		t.Errorf("a pending import shows %q", shown)
	}
	if done := s.Do("import", "revert", strings.TrimSpace(got.Stdout), "--yes"); !strings.Contains(done.Stderr, "Taken back: 2 transactions, 1 opening balance.") {
		t.Errorf("said %q", done.Stderr)
	}
}

// TestImportInBothFormsOfUnicode: a file whose letters and accents are two signs each books nothing anew when the bank writes them
// as one.
func TestImportInBothFormsOfUnicode(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	const apart, one = "Cafe\u0301 Zu\u0308rich", "Café Zürich"
	file := func(name string) string {
		return "Date,Amount,Payee\n2026-01-02,-5.00," + name + "\n2026-01-03,-6.00," + name + "\n"
	}
	s.OK("import", s.Write("apart.csv", file(apart)), "--account", "Giro", "--yes")
	again := s.Do("import", s.Write("one.csv", file(one)), "--account", "Giro", "--yes")
	if again.Status != 0 || !strings.Contains(again.Stderr, "Imported 0 rows; 2 rows were there already") {
		t.Errorf("status %d, said %q", again.Status, again.Stderr)
	}
}
