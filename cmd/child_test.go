package cmd_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"

	"finsvc/handlers/apitest"
)

// child is finsvc serve as a process of its own.
type child struct {
	*exec.Cmd
	url     string // blank when it ended before it listened
	metrics string // where they are, if they are on
}

// child starts a server on the shell's file as another process and waits until it listens, or ends. Attributes of the
// process are set by how.
func (s *commandLine) child(how ...func(*exec.Cmd)) child {
	s.Helper()
	program, err := os.Executable()
	if err != nil {
		s.Fatal(err)
	}
	c := child{Cmd: exec.CommandContext(s.Context(), program, "serve", "--listen", "127.0.0.1:0", "--log", "json")}
	c.Env = append([]string{asProgram + "=1", "FINSVC_DATA=" + s.file}, s.env...)
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
	metered := slices.ContainsFunc(c.Env, func(setting string) bool { return strings.HasPrefix(setting, "FINSVC_METRICS=") })
	for (c.url == "" || metered && c.metrics == "") && lines.Scan() {
		var entry struct{ Msg, Addr string }
		_ = json.Unmarshal(lines.Bytes(), &entry) // what is no entry is shown below
		switch entry.Msg {
		case "listening":
			c.url = "http://" + entry.Addr + "/api/v1"
		case "metrics":
			c.metrics = "http://" + entry.Addr + "/metrics"
		}
		all += lines.Text() + "\n"
	}
	if c.url == "" {
		s.Logf("the server said %s", all)
		return c
	}
	go io.Copy(io.Discard, said)
	return c
}

// loadClient asks a server, and says with a status of 0 when no answer came.
type loadClient struct {
	url, key  string
	transport http.RoundTripper
}

// loadTransport keeps connections for many clients, and checks every answer.
func (s *commandLine) loadTransport() http.RoundTripper {
	base := &http.Transport{MaxIdleConnsPerHost: 100}
	s.Cleanup(base.CloseIdleConnections)
	return apitest.Transport(s, base)
}

// ask sends a request, with an Idempotency-Key unless that is blank.
func (c loadClient) ask(method, path, body, once string) (status int, answer string) {
	req, err := http.NewRequest(method, c.url+path, strings.NewReader(body))
	if err != nil {
		return 0, err.Error()
	}
	req.Header.Set("X-Api-Key", c.key)
	req.Header.Set("Content-Type", "application/json")
	if once != "" {
		req.Header.Set("Idempotency-Key", once)
	}
	resp, err := c.transport.RoundTrip(req)
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
