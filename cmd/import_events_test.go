package cmd_test

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"

	"finsvc/cmd/cmdtest"

	"finsvc/handlers/apitest"
)

// A server that is told to stop does not wait for those who listen to an import.
func TestServeStopsWhileClientsListen(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	key := strings.TrimSpace(s.OK("apikey", "create"))
	id := strings.TrimSpace(s.OK("import", s.Write("a.csv", good), "--account", "Giro", "--yes"))
	// Another process is working on it.
	cmdtest.Spoil(t, s.File, "UPDATE imports SET status = 'importing', first_sequence = 1000; UPDATE import_work SET lease_until = unixepoch() * 1000 + 50000")
	r := s.Serve()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, r.URL+"/api/v1/imports/"+id+"/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", key)
	resp, err := apitest.Transport(t, new(http.Transport)).RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	stream := bufio.NewReader(resp.Body)
	for line := ""; !strings.HasPrefix(line, "data: "); {
		if line, err = stream.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	r.End()
	if rest, err := io.ReadAll(stream); err != nil || strings.Contains(string(rest), "event: done") {
		t.Errorf("at the end %q, %v", rest, err)
	}
	if strings.Contains(r.Stderr.String(), "cut off") {
		t.Errorf("the server waited: %s", r.Stderr)
	}
}
