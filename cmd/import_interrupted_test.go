package cmd_test

import (
	"bufio"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

// TestImportInterruptedInTheQueue: Ctrl-C says what becomes of the import, and the command that gives it up, which works. Another
// process is made to hold the household's imports, so that this one waits.
func TestImportInterruptedInTheQueue(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no process is interrupted there")
	}
	s := cmdtest.NewBooks(t)
	other := strings.TrimSpace(s.OK("import", s.Write("other.csv", good), "--account", "Giro", "--yes"))
	cmdtest.Spoil(t, s.File, "UPDATE imports SET status = 'importing', first_sequence = 1000; UPDATE import_work SET lease_until = unixepoch() * 1000 + 55000")
	file := s.Write("mine.csv", "date,amount,name\n2026-02-05,-12.50,Tea\n")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), program, "import", file, "more.csv", "--account", "Giro", "--yes", "--data", s.File, "--household", "Home")
	c.Env = []string{cmdtest.AsProgram + "=1", "GOMEMLIMIT=off"}
	said, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	all, lines := "", bufio.NewScanner(said)
	for lines.Scan() {
		all += lines.Text() + "\n"
		if strings.Contains(lines.Text(), "must be finished first") {
			if err := c.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := c.Wait(); err == nil || c.ProcessState.ExitCode() != 1 {
		t.Errorf("status %d: %s", c.ProcessState.ExitCode(), all)
	}
	mine := ""
	for _, imp := range s.List("import", "list") {
		if imp["id"] != other {
			mine = imp["id"].(string)
		}
	}
	cancel := "import cancel " + mine + " --household Home --data " + s.File
	for _, want := range []string{"Import " + mine + " is not finished, and nothing of it is booked yet", "To give it up: finsvc " + cancel, "Not imported either: more.csv", "interrupted"} {
		if mine == "" || !strings.Contains(all, want) {
			t.Errorf("said %q, want %q in it", all, want)
		}
	}
	s.OK(strings.Fields(cancel)...)
	for _, imp := range s.List("import", "list") {
		if imp["id"] == mine && imp["status"] != "pending" {
			t.Errorf("the import is %v", imp["status"])
		}
	}
}
