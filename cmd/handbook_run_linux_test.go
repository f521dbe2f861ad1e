package cmd_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

// TestHandbookRuns runs every command and request of the README and of the handbook, in the order in which they are shown and in a
// folder of their own for each page, against the real program and a server, and compares what is printed with what is shown: `...`
// stands for anything, and lines that begin with an arrow are of standard error. A page that shows how a server is started begins
// with nothing; all others go on where the first of these has ended, with its $KEY, $ACCOUNT and $IMPORT.
func TestHandbookRuns(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it starts the program some hundred times")
	}
	for _, need := range []string{"bash", "curl"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skip(err)
		}
	}
	pages := handbookPages(t)
	begun := runPage(t, pages[slices.IndexFunc(pages, page.starts)], walk{})
	for _, p := range pages {
		if len(p.commands()) > 0 {
			t.Run(p.name, func(t *testing.T) {
				t.Parallel()
				if p.starts() {
					runPage(t, p, walk{})
				} else {
					runPage(t, p, begun)
				}
			})
		}
	}
}

// walk is where the examples of a page end: the folder with the file, and the variables of the shell.
type walk struct {
	folder    string
	variables []string
}

// starts reports whether a page shows how a server is started, which is its first command then.
func (p page) starts() bool {
	all := p.commands()
	return len(all) > 0 && all[0].text == serveExample
}

const serveExample = "finsvc serve"

// runPage runs the commands of a page and compares what they print.
func runPage(t *testing.T, p page, from walk) walk {
	t.Helper()
	s := &cmdtest.CommandLine{T: t, File: filepath.Join(t.TempDir(), "finance.db"), Env: []string{"LANG=en_US.UTF-8", "TZ=UTC"}}
	folder, commands := filepath.Dir(s.File), p.commands()
	if from.folder != "" {
		if err := os.CopyFS(folder, os.DirFS(from.folder)); err != nil {
			t.Fatal(err)
		}
	}
	var address string
	var stop func()
	if p.starts() {
		var seen string
		seen, address, stop = s.Greeted()
		matchShown(t, p.name, commands[0], shownOn(commands[0].shown, false), seen)
		commands = commands[1:]
	} else {
		r := s.Serve()
		address, stop = strings.TrimPrefix(r.URL, "http://"), r.End
	}
	out := t.TempDir()
	variables := runScript(t, s, folder, out, address, from.variables, commands)
	stop()
	for i, c := range commands {
		compareCommand(t, p.name, c, filepath.Join(out, fmt.Sprint(i)))
	}
	return walk{folder, variables}
}

// runScript has one shell run all commands, each with its output and its status in files of its own, and gives the variables that
// pages go on with.
func runScript(t *testing.T, s *cmdtest.CommandLine, folder, out, address string, variables []string, commands []example) []string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var script strings.Builder
	fmt.Fprintf(&script, "finsvc() { %s=1 '%s' \"$@\"; }\ncurl() { command curl -sS \"$@\"; }\n", cmdtest.AsProgram, program)
	for i, c := range commands {
		text := strings.NewReplacer("localhost:7117", address, "127.0.0.1:7117", address).Replace(c.text)
		fmt.Fprintf(&script, "{\n%s\n} >'%s/%d.out' 2>'%[2]s/%[3]d.err'; echo $? >'%[2]s/%[3]d.status'\n", text, out, i)
	}
	script.WriteString(`for name in KEY ACCOUNT IMPORT; do echo "$name=${!name:-}"; done` + "\n")
	c := exec.CommandContext(t.Context(), "bash", "-c", script.String())
	c.Dir = folder
	c.Env = slices.Concat([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + folder, "FINSVC_DATA=" + s.File}, s.Env, variables)
	c.Stderr = os.Stderr
	printed, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(printed))
}

// compareCommand holds what a command has printed against what the page shows of it. One that says why it failed must fail, any
// other not.
func compareCommand(t *testing.T, name string, c example, at string) {
	t.Helper()
	got := map[string]string{}
	for _, kind := range []string{"out", "err", "status"} {
		text, err := os.ReadFile(at + "." + kind)
		if err != nil {
			t.Fatalf("%s: %s was not run: %v", name, c.text, err)
		}
		got[kind] = string(text)
	}
	failed := strings.TrimSpace(got["status"]) != "0"
	if told := slices.ContainsFunc(c.shown, func(line string) bool { return strings.HasPrefix(line, "→ finsvc: ") }); failed != told {
		t.Errorf("%s: $ %s\nended with status %sprinted %ssaid %s", name, c.text, got["status"], got["out"], got["err"])
		return
	}
	matchShown(t, name, c, shownOn(c.shown, false), got["out"])
	matchShown(t, name, c, shownOn(c.shown, true), got["err"])
}

// shownOn are the lines that a page shows of standard error, or of standard output. A line of three points stands for any of both.
func shownOn(shown []string, stderr bool) (lines []string) {
	for _, line := range shown {
		rest, arrow := strings.CutPrefix(line, "→ ")
		if line == "..." || arrow == stderr {
			lines = append(lines, rest)
		}
	}
	return lines
}

// matchShown holds what was printed against lines in which three points stand for anything. A machine that is slow prints
// how far an import is as well, which says nothing here.
func matchShown(t *testing.T, name string, c example, want []string, got string) {
	t.Helper()
	var pattern strings.Builder
	pattern.WriteString(`\A`)
	for _, line := range want {
		if line == "..." {
			pattern.WriteString(`(?:.*\n)*?`)
			continue
		}
		pattern.WriteString(strings.ReplaceAll(regexp.QuoteMeta(strings.TrimRight(line, " ")), `\.\.\.`, `.*?`) + ` *\n`)
	}
	if got != "" && !strings.HasSuffix(got, "\n") {
		got += "\n"
	}
	got = regexp.MustCompile(`(?m)^\d+ of \d+ rows \(\d+ %\)\n`).ReplaceAllString(got, "")
	if !regexp.MustCompile(pattern.String() + `\z`).MatchString(got) {
		t.Errorf("%s: $ %s\nshows\n%s\nand there is\n%s", name, c.text, strings.Join(want, "\n"), got)
	}
}
