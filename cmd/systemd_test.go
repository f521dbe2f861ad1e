//go:build unix

package cmd_test

import (
	"bufio"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"finsvc/cmd/cmdtest"
)

// supervisor is a service manager that is told how the service is.
type supervisor struct {
	*net.UnixConn
	path string
}

func newSupervisor(t *testing.T) supervisor {
	t.Helper()
	path := filepath.Join(socketDir(t), "notify")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Net: "unixgram", Name: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return supervisor{conn, path}
}

// hear waits for the next message and gives its lines.
func (b supervisor) hear(t *testing.T) []string {
	t.Helper()
	buffer := make([]byte, 4096)
	n, err := b.Read(buffer)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(buffer[:n]), "\n")
}

func TestServiceManagerIsTold(t *testing.T) {
	t.Parallel()
	b, s := newSupervisor(t), cmdtest.NewCommandLine(t)
	s.Env = append(s.Env, "NOTIFY_SOCKET="+b.path, "WATCHDOG_USEC=20000", "WATCHDOG_PID="+strconv.Itoa(os.Getpid()))
	r := s.Serve()
	if got := b.hear(t); !slices.Contains(got, "STATUS=Opening the database") || !slices.Contains(got, "EXTEND_TIMEOUT_USEC=3600000000") {
		t.Errorf("at first %q", got)
	}
	if got := b.hear(t); !slices.Contains(got, "READY=1") {
		t.Errorf("then %q", got)
	}
	for range 3 {
		if got := b.hear(t); !slices.Equal(got, []string{"WATCHDOG=1"}) {
			t.Errorf("while it is well %q", got)
		}
	}
	r.Stop()
	got := b.hear(t)
	for slices.Contains(got, "WATCHDOG=1") {
		got = b.hear(t)
	}
	if !slices.Contains(got, "STOPPING=1") {
		t.Errorf("at the end %q", got)
	}
	r.End()
}

// TestServiceManagerOfAnother: signs of life are those of one process alone.
func TestServiceManagerOfAnother(t *testing.T) {
	t.Parallel()
	b, s := newSupervisor(t), cmdtest.NewCommandLine(t)
	s.Env = append(s.Env, "NOTIFY_SOCKET="+b.path, "WATCHDOG_USEC=1000", "WATCHDOG_PID=1", "LISTEN_PID=1", "LISTEN_FDS=1")
	r := s.Serve()
	b.hear(t)
	b.hear(t)
	if status, _ := r.Get("/up", ""); status != 200 {
		t.Errorf("sockets of another process: %d", status)
	}
	r.Stop()
	if got := b.hear(t); !slices.Contains(got, "STOPPING=1") {
		t.Errorf("got %q", got)
	}
	r.End()
}

// passed starts a server as another process to which files are passed as its service manager would.
func passed(t *testing.T, count int, files ...*os.File) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := cmdtest.NewCommandLine(t)
	c := exec.CommandContext(t.Context(), "sh", "-c", `LISTEN_PID=$$ exec "$0" serve --log json`, program)
	c.Env = append([]string{cmdtest.AsProgram + "=1", "FINSVC_DATA=" + s.File, "LISTEN_FDS=" + strconv.Itoa(count)}, s.Env...)
	c.ExtraFiles = files
	said, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c, bufio.NewScanner(said)
}

func TestSocketOfTheServiceManager(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	file, err := listener.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	c, lines := passed(t, 1, file)
	_ = file.Close()
	resp, err := http.Get("http://" + listener.Addr().String() + "/up") // waits in the socket until the server is there
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != 200 {
		t.Errorf("got %d", resp.StatusCode)
	}
	if err := c.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	said := ""
	for lines.Scan() {
		said += lines.Text() + "\n"
	}
	if err := c.Wait(); err != nil || !strings.Contains(said, listener.Addr().String()) {
		t.Errorf("%v: %s", err, said)
	}
	if _, err := net.Dial("tcp", listener.Addr().String()); err != nil {
		t.Errorf("the socket, which is the service manager's, was closed for good: %v", err)
	}
}

func TestFilesThatAreNoSocket(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer write.Close()
	for count, want := range map[int]string{1: "is no socket to listen at", 2: "passes 2 sockets; one is possible"} {
		c, lines := passed(t, count, read, write)
		said := ""
		for lines.Scan() {
			said += lines.Text() + "\n"
		}
		if err := c.Wait(); c.ProcessState.ExitCode() != 2 || !strings.Contains(said, want) {
			t.Errorf("%d: %v: %s", count, err, said)
		}
	}
}
