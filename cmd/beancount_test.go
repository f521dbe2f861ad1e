package cmd_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"finsvc/db/dbtest"
)

// beanCheck has Beancount check the household's journal with all balance assertions in it. Where Beancount is not
// installed the test is skipped, unless the environment says that it must be.
func (s *commandLine) beanCheck(household string) {
	s.Helper()
	if _, err := exec.LookPath("bean-check"); err != nil {
		if os.Getenv("FINSVC_BEANCOUNT") == "required" {
			s.Fatal("Beancount is not installed, and FINSVC_BEANCOUNT=required says that it must be")
		}
		s.Skip("Beancount is not installed, so nobody checks the exported journal; on Debian: apt-get install beancount")
	}
	name := filepath.Join(s.TempDir(), "books.beancount")
	s.ok("export", "beancount", "--household", household, "--output", name)
	said, err := exec.CommandContext(s.Context(), "bean-check", "--no-cache", name).CombinedOutput()
	if err != nil || len(said) > 0 {
		text, _ := os.ReadFile(name)
		s.Errorf("%v: %.3000s\n%.20000s", err, said, text)
	}
}

func TestBeancountAgreesOnTheDemoHousehold(t *testing.T) {
	t.Parallel()
	d := newCommandLine(t).demo()
	s := newCommandLine(t)
	s.file = d.file
	s.beanCheck("Demo")
	d.end()
}

func TestBeancountAgreesOnGeneratedHouseholds(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			s := newCommandLine(t)
			s.file = dbtest.Path(t)
			newHousehold(t, s.file, seed)
			s.beanCheck("Generated")
		})
	}
}
