package cmdtest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"finsvc/cmd"
)

// HoldsTransactions must be true of a sound file.
func (s *CommandLine) HoldsTransactions(where string, want int64) {
	s.Helper()
	s.CheckSound()
	file := s.Look()
	defer file.Close()
	if n := s.Count(file, "SELECT count(*) FROM transactions"); n != want {
		s.Errorf("%s are %d transactions, want %d", where, n, want)
	}
}

// PseudoTerminal is a terminal, and what a person sees on it.
func PseudoTerminal(t *testing.T) (terminal, screen *os.File) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { screen.Close() })
	control := func(request uintptr, value *uint32) {
		if _, _, failure := syscall.Syscall(syscall.SYS_IOCTL, screen.Fd(), request,
			uintptr(unsafe.Pointer(value))); failure != 0 {
			t.Skip(failure)
		}
	}
	var unlocked, number uint32
	control(syscall.TIOCSPTLCK, &unlocked)
	control(syscall.TIOCGPTN, &number)
	terminal, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { terminal.Close() })
	return terminal, screen
}

// Greeted starts a server on a terminal, as a person does, and gives what that person sees, and where the server
// listens.
func (s *CommandLine) Greeted() (seen, address string, stop func()) {
	s.Helper()
	terminal, screen := PseudoTerminal(s.T)
	ctx, cancel := context.WithCancel(s.Context())
	ended := make(chan int, 1)
	go func() {
		environ := append(within(s.File), append(s.Env, "FINSVC_LISTEN=127.0.0.1:0")...)
		ended <- cmd.Main(ctx, []string{"serve"}, environ, strings.NewReader(""), terminal, terminal)
	}()
	var all strings.Builder
	for lines := bufio.NewScanner(screen); !strings.Contains(all.String(), "Stop with Ctrl-C.") && lines.Scan(); {
		all.WriteString(strings.TrimRight(lines.Text(), "\r") + "\n")
	}
	go io.Copy(io.Discard, screen)
	found := regexp.MustCompile(`http://(127\.0\.0\.1:(\d+))`).FindStringSubmatch(all.String())
	if found == nil {
		s.Fatalf("saw %s", all.String())
	}
	// In a container other words stand beside the addresses.
	plain := strings.NewReplacer(found[2], "7117", "In here        ", "On this machine", "From outside   ",
		"On your network")
	return plain.Replace(all.String()), found[1], func() {
		cancel()
		if status := <-ended; status != 0 {
			s.Errorf("the server ended with status %d", status)
		}
	}
}
