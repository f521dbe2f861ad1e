package cmd_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"
)

// shellProgram is a shell that the tests drive; without it they are skipped, unless it is required.
func shellProgram(t *testing.T, name string) string {
	cmdtest.SkipShort(t)
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv("FINSVC_SHELLS") == "required" {
			t.Fatal(err)
		}
		t.Skip("there is no " + name)
	}
	return path
}

// completing gives the script of a shell for a household with two accounts, a folder with two files, and the environment in
// which finsvc is this program.
func completing(t *testing.T, shell string) (script, folder string, env []string) {
	s := cmdtest.NewCommandLine(t)
	s.OK("household", "create", "Home", "--owner", "ana@example.org")
	s.OK("account", "create", "Giro", "--type", "depository")
	s.OK("account", "create", "Jar of coins", "--type", "other_asset")
	script = s.Write("finsvc."+shell, s.OK("completion", shell))
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "finsvc"), []byte(fmt.Sprintf("#!/bin/sh\n%s=1 FINSVC_DATA=%s GOMEMLIMIT=off exec %s \"$@\"\n", cmdtest.AsProgram, s.File, program)), 0o755); err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	for _, name := range []string{"october.csv", "november.csv"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return script, folder, []string{"PATH=" + bin + ":/usr/bin:/bin", "HOME=" + folder}
}

// TestCompletionInOtherShells: what is offered after what was typed, by what zsh and fish show themselves or hand to what
// shows it.
func TestCompletionInOtherShells(t *testing.T) {
	t.Parallel()
	for shell, lex := range map[string]string{
		"fish": `source $argv[1]; cd $argv[2]; complete -C "$argv[3]"`,
		// What zsh would show on the screen is printed; the words are those of a line that ends where the cursor is.
		"zsh": `compdef() { }; _describe() { print -rl -- "${completions[@]}" }; _arguments() { print -rl -- *.csv }
			source "$1"; cd "$2"; words=("${(@s: :)3}"); CURRENT=${#words}; _finsvc`,
	} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			program := shellProgram(t, shell)
			script, folder, env := completing(t, shell)
			for typed, want := range map[string]string{
				"finsvc impo":                    "import",
				"finsvc import rev":              "revert",
				"finsvc explain balance ":        "Giro Jar of coins",
				"finsvc serve --log-level ":      "debug error info warn",
				"finsvc import x.csv --account ": "Giro Jar of coins",
			} {
				args := []string{"-f", "-c", lex, "zsh", script, folder, typed}
				if shell == "fish" {
					args = []string{"--no-config", "-c", lex, script, folder, typed}
				}
				c := exec.CommandContext(t.Context(), program, args...)
				c.Env = env
				out, err := c.CombinedOutput()
				if err != nil {
					t.Errorf("%s: %v: %s", typed, err, out)
				}
				var got []string
				for l := range strings.SplitSeq(strings.TrimSpace(string(out)), "\n") {
					got = append(got, strings.TrimSpace(l[:max(0, strings.IndexAny(l+"\t", "\t:"))]))
				}
				slices.Sort(got) // as fish does
				if text := strings.Join(got, " "); text != want {
					t.Errorf("%s: offered %q, want %q", typed, text, want)
				}
			}
		})
	}
}

// TestCompletionInBash: the script works in a bash that has nothing but itself. What is typed stands before |, which is the
// cursor.
func TestCompletionInBash(t *testing.T) {
	t.Parallel()
	cmdtest.SkipShort(t)
	bash := shellProgram(t, "bash")
	script, folder, env := completing(t, "bash")
	for typed, want := range map[string]string{
		"finsvc impo|":                             "import",
		"finsvc import rev|":                       "revert",
		"finsvc explain balance |":                 "Giro Jar of coins",
		"finsvc serve --log-level |":               "debug info warn error",
		"finsvc serve --log-level=|":               "debug info warn error",
		"finsvc serve --log-level=de|":             "debug",
		"finsvc serve --log-level=de| --log text":  "debug",
		"finsvc import oct|ober.csv":               "october.csv",
		"finsvc import x.csv --account  Gi|":       "Giro",
		"finsvc import --account=Gi| --type=a:b=c": "Giro",
	} {
		line, _, _ := strings.Cut(typed, "|")
		// As bash parts the line: at blanks, and at = and :, which are words themselves.
		lex := `source "$1"; cd "$2"; COMP_LINE=$3; COMP_POINT=$4; COMP_CWORD=$5; shift 5; COMP_WORDS=("$@"); complete -p finsvc; __start_finsvc finsvc
			typed=${COMP_LINE:0:COMP_POINT}
			(( ${#COMPREPLY[@]} == 0 )) && COMPREPLY=($(compgen -f -- "${typed##* }")); printf '%s\n' "${COMPREPLY[@]}"`
		words := bashWords(strings.Replace(typed, "|", "", 1))
		at := len(bashWords(line)) - 1
		if strings.HasSuffix(line, " ") || strings.HasSuffix(line, "=") {
			at = len(bashWords(line))
			words = append(words[:at:at], append([]string{""}, words[at:]...)...)
		}
		args := append([]string{"--norc", "--noprofile", "-c", lex, "bash", script, folder, strings.Replace(typed, "|", "", 1), fmt.Sprint(len(line)), fmt.Sprint(at)}, words...)
		c := exec.CommandContext(t.Context(), bash, args...)
		c.Env = env
		out, err := c.CombinedOutput()
		if err != nil {
			t.Errorf("%s: %v: %s", typed, err, out)
		}
		got := []string{}
		for _, l := range strings.Split(strings.TrimSpace(string(out)), "\n")[1:] {
			if !strings.Contains(l, "compopt: ") { // which only works while somebody types
				got = append(got, strings.TrimSpace(strings.SplitN(l, "  ", 2)[0]))
			}
		}
		if text := strings.Join(got, " "); text != want {
			t.Errorf("%s: offered %q, want %q", typed, text, want)
		}
	}
}

// bashWords parts a line as bash does.
func bashWords(line string) []string {
	return strings.Fields(strings.NewReplacer("=", " = ", ":", " : ").Replace(line))
}
