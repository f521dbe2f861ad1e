package cmdtest

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"finsvc/cmd"
	"finsvc/handlers/apitest"
)

// Child is finsvc serve as a process of its own.
type Child struct {
	*exec.Cmd
	URL     string // blank when it ended before it listened
	Metrics string // where they are, if they are on
}

// Child starts a server on the file as another process and waits until it listens, or ends. Attributes of the
// process are set by how.
func (s *CommandLine) Child(how ...func(*exec.Cmd)) Child {
	s.Helper()
	program, err := os.Executable()
	if err != nil {
		s.Fatal(err)
	}
	c := Child{Cmd: exec.CommandContext(s.Context(), program, "serve", "--listen", "127.0.0.1:0", "--log", "json")}
	c.Env = append([]string{AsProgram + "=1", "FINSVC_DATA=" + s.File}, s.Env...)
	for _, set := range how {
		set(c.Cmd)
	}
	said, err := c.StderrPipe()
	if err != nil {
		s.Fatal(err)
	}
	if err := c.Start(); err != nil {
		s.Fatal(err)
	}
	lines, all := bufio.NewScanner(said), ""
	metered := slices.ContainsFunc(c.Env, func(setting string) bool {
		return strings.HasPrefix(setting,
			"FINSVC_METRICS=")
	})
	for (c.URL == "" || metered && c.Metrics == "") && lines.Scan() {
		var entry struct{ Msg, Addr string }
		_ = json.Unmarshal(lines.Bytes(), &entry) // what is no entry is shown below
		switch entry.Msg {
		case "listening":
			c.URL = "http://" + entry.Addr + "/api/v1"
		case "metrics":
			c.Metrics = "http://" + entry.Addr + "/metrics"
		}
		all += lines.Text() + "\n"
	}
	if c.URL == "" {
		s.Logf("the server said %s", all)
		return c
	}
	go io.Copy(io.Discard, said)
	return c
}

// LoadClient asks a server, and says with a status of 0 when no answer came.
type LoadClient struct {
	URL, Key  string
	Transport http.RoundTripper
}

// LoadTransport keeps connections for many clients, and checks every answer.
func (s *CommandLine) LoadTransport() http.RoundTripper {
	base := &http.Transport{MaxIdleConnsPerHost: 100}
	s.Cleanup(base.CloseIdleConnections)
	return apitest.Transport(s, base)
}

// Ask sends a request, with an Idempotency-Key unless that is blank.
func (c LoadClient) Ask(method, path, body, once string) (status int, answer string) {
	req, err := http.NewRequest(method, c.URL+path, strings.NewReader(body))
	if err != nil {
		return 0, err.Error()
	}
	req.Header.Set("X-Api-Key", c.Key)
	req.Header.Set("Content-Type", "application/json")
	if once != "" {
		req.Header.Set("Idempotency-Key", once)
	}
	resp, err := c.Transport.RoundTrip(req)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err.Error()
	}
	return resp.StatusCode, string(text)
}

// Main is what TestMain of a package runs whose tests start servers, and gives the exit status: such a server is the
// test binary as the program.
func Main(ctx context.Context, m *testing.M) int {
	if os.Getenv(AsProgram) != "" {
		return cmd.Main(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr)
	}
	// as the process that a program under test starts
	if len(os.Args) > 1 && (os.Args[1] == "pdf-text" || os.Args[1] == "backup" || os.Args[1] == "doctor") {
		return cmd.Main(ctx, os.Args[1:], nil, os.Stdin, os.Stdout, os.Stderr)
	}
	return m.Run()
}
