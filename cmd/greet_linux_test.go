package cmd_test

import (
	"bufio"
	"context"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"finsvc/cmd/cmdtest"

	"finsvc/cmd"
)

// TestHandbookOnATerminal: a page is wrapped to the width of the terminal, but to none wider than is read with ease.
func TestHandbookOnATerminal(t *testing.T) {
	t.Parallel()
	for columns, most := range map[uint16]int{50: 50, 250: 100} {
		terminal, screen := cmdtest.PseudoTerminal(t)
		size := [4]uint16{24, columns}
		if _, _, failure := syscall.Syscall(syscall.SYS_IOCTL, terminal.Fd(), syscall.TIOCSWINSZ, uintptr(unsafe.Pointer(&size))); failure != 0 {
			t.Skip(failure)
		}
		ended := make(chan int, 1)
		go func() {
			ended <- cmd.Main(t.Context(), []string{"help", "duplicates"}, nil, strings.NewReader(""), terminal, terminal)
			fmt.Fprintln(terminal, "the end")
		}()
		widest := 0
		for lines := bufio.NewScanner(screen); lines.Scan() && lines.Text() != "the end"; {
			if line := lines.Text(); !strings.HasPrefix(line, "    ") {
				widest = max(widest, len([]rune(line)))
			}
		}
		if status := <-ended; status != 0 || widest > most || widest < most-12 {
			t.Errorf("%d columns: status %d, and the widest line has %d", columns, status, widest)
		}
	}
}

// TestGreetingOnATerminal: a person sees the banner instead of lines of the log, unless JSON is asked for.
func TestGreetingOnATerminal(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewCommandLine(t)
	for _, c := range []struct{ format, last, want string }{
		{"auto", "Stop with Ctrl-C.", "finsvc apikey create --data '" + s.File + "'"},
		{"text", "Stop with Ctrl-C.", "Opened " + s.File},
		{"json", "no household yet", `"msg":"listening"`},
	} {
		terminal, screen := cmdtest.PseudoTerminal(t)
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan int, 1)
		go func() {
			args := []string{"serve", "--listen", "127.0.0.1:0", "--data", s.File, "--log", c.format}
			ended <- cmd.Main(ctx, args, []string{"GOMEMLIMIT=off", "GOGC=400"}, strings.NewReader(""), terminal, terminal)
		}()
		var seen strings.Builder
		for lines := bufio.NewScanner(screen); !strings.Contains(seen.String(), c.last) && lines.Scan(); {
			seen.WriteString(lines.Text() + "\n")
		}
		if !strings.Contains(seen.String(), c.want) || (c.format != "json") == strings.Contains(seen.String(), "listening") {
			t.Errorf("%s: saw %s, want %q in it", c.format, seen.String(), c.want)
		}
		stop()
		if status := <-ended; status != 0 {
			t.Errorf("%s: status %d", c.format, status)
		}
	}
}
