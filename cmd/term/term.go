// Package term is where a command meets a person: what it prints, what it says, what it asks, and how far long work is.
//
// Data goes to standard output, everything said to people to standard error, see [Terminal.Say]. What is printed
// elsewhere than on a terminal does not change with who might look at it: tables are cut, lines are written over and
// questions are asked on a terminal only. There are no colours, so NO_COLOR changes nothing. Of the ledger
// the package knows how amounts are written, and nothing of settings or commands.
package term

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"

	"github.com/mattn/go-isatty"
	"golang.org/x/term"
)

// Terminal is the input and the outputs of a command.
type Terminal struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Plain          bool // it shows plain characters only
	Dumb           bool // it cannot write over what it has shown

	clear func() // takes away what is shown and changes; nil: nothing is
}

// New returns the terminal of a process with these files and this environment.
func New(stdin io.Reader, stdout, stderr io.Writer, env map[string]string) Terminal {
	return Terminal{Stdin: stdin, Stdout: stdout, Stderr: stderr, Plain: !utf8Shown(env), Dumb: env["TERM"] == "dumb"}
}

// utf8Shown reports whether terminals show more than plain characters: what LC_ALL, LC_CTYPE or LANG, the first that
// is set, says. Where there are no such variables by nature they do.
func utf8Shown(env map[string]string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if value := strings.ToLower(env[name]); value != "" {
			return strings.Contains(value, "utf-8") || strings.Contains(value, "utf8")
		}
	}
	return runtime.GOOS == "windows" || runtime.GOOS == "darwin"
}

// IsTerminal reports whether a person sees what is written there.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd())
}

// Width is how many columns a terminal has; 0 where it is none, or does not say.
func Width(w io.Writer) int {
	f, ok := w.(*os.File)
	if !ok || !IsTerminal(w) {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// Say tells a person something; it goes to standard error, as standard output is for data.
func (t *Terminal) Say(format string, args ...any) {
	if t.clear != nil {
		t.clear() // the line comes in the place of what changes
	}
	text := fmt.Sprintf(format, args...)
	if t.Plain && IsTerminal(t.Stderr) {
		text = strings.NewReplacer("…", "...", "→", "->", "−", "-").Replace(text)
	}
	fmt.Fprintln(t.Stderr, text)
}

// Print prints a line of data.
func (t *Terminal) Print(line string) error {
	_, err := fmt.Fprintln(t.Stdout, line)
	return err
}

// PrintJSON prints a value in lines that people can read.
func (t *Terminal) PrintJSON(v any) error {
	enc := json.NewEncoder(t.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// PrintJSONLine prints a value in one line.
func (t *Terminal) PrintJSONLine(v any) error {
	enc := json.NewEncoder(t.Stdout)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// CanAsk reports whether a person sits at a terminal and standard input is not one of the files.
func (t *Terminal) CanAsk(files ...string) bool {
	in, isFile := t.Stdin.(*os.File)
	return isFile && IsTerminal(in) && IsTerminal(t.Stderr) && !slices.Contains(files, "-")
}

// Confirm asks a question and reads the answer; only yes is yes. When ctx ends the wait ends at once, though the
// reading itself then ends with the process.
func (t *Terminal) Confirm(ctx context.Context, question string) (bool, error) {
	fmt.Fprint(t.Stderr, question+" [y/N] ")
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(t.Stdin).ReadString('\n') // an end without an answer is a no
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case text := <-answer:
		return text == "y" || text == "yes", nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

// AskSecret asks for what must not be seen, which is not shown while it is typed. When ctx ends the wait ends at once.
func (t *Terminal) AskSecret(ctx context.Context, question string) (string, error) {
	in, isFile := t.Stdin.(*os.File)
	if !isFile {
		return "", errors.New("standard input is no terminal")
	}
	shown, err := term.GetState(int(in.Fd()))
	if err != nil {
		return "", err
	}
	fmt.Fprint(t.Stderr, question+" ")
	defer fmt.Fprintln(t.Stderr) // the end of the line was not shown either
	type answer struct {
		secret []byte
		err    error
	}
	typed := make(chan answer, 1)
	go func() {
		secret, err := term.ReadPassword(int(in.Fd()))
		typed <- answer{secret, err}
	}()
	select {
	case a := <-typed:
		return string(a.secret), a.err
	case <-ctx.Done():
		return "", errors.Join(ctx.Err(), term.Restore(int(in.Fd()), shown))
	}
}
