package cmd_test

import (
	"strings"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"
)

// TestServerTakesUpWork: what a server was doing when it was killed, the next one does at its start. The leases are as the
// killed server leaves them, but last as long as a lease can, so that they do not run out meanwhile.
func TestServerTakesUpWork(t *testing.T) {
	t.Parallel()
	s := cmdtest.NewBooks(t)
	key := strings.TrimSpace(s.OK("apikey", "create"))
	s.OK("import", s.Write("a.csv", good), "--account", "Giro", "--later")
	s.OK("chat", "What", "is", "my", "net", "worth?")
	const lease = "held_by_server = 1, lease_until = unixepoch() * 1000 + 55000"
	cmdtest.Spoil(t, s.File, "UPDATE imports SET status = 'importing'; UPDATE import_work SET "+lease)
	cmdtest.Spoil(t, s.File, "UPDATE messages SET status = 'pending', content = 'You', attempts = 1, "+lease+" WHERE role = 'assistant'")
	file := s.Look()
	until := s.Count(file, "SELECT min(until) FROM (SELECT lease_until AS until FROM import_work UNION ALL SELECT lease_until FROM messages WHERE role = 'assistant')")

	server := s.Child()
	if server.URL == "" {
		t.Fatal("the server did not start")
	}
	client := cmdtest.LoadClient{URL: server.URL, Key: key, Transport: s.LoadTransport()}
	for deadline := time.Now().Add(time.Minute); s.Count(file, "SELECT count(*) FROM imports WHERE status = 'complete'")+
		s.Count(file, "SELECT count(*) FROM messages WHERE role = 'assistant' AND status = 'complete'") < 2; {
		if time.Now().After(deadline) {
			t.Fatal("the work was not done")
		}
		if status, answer := client.Ask("GET", "/imports", "", ""); status != 200 {
			t.Fatal(status, answer)
		}
	}
	if done := s.Count(file, "SELECT max(done) FROM (SELECT published_at AS done FROM imports UNION ALL SELECT updated_at FROM messages WHERE role = 'assistant')"); done >= until {
		t.Errorf("done at %d, when the leases had run out at %d", done, until)
	}
	if n := s.Count(file, "SELECT count(*) FROM messages WHERE role = 'assistant' AND attempts = 2 AND content LIKE '%net worth%'"); n != 1 {
		t.Error("the answer was not written anew")
	}
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = server.Wait() // it was killed
}
