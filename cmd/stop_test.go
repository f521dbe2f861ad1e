package cmd_test

import (
	"fmt"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"
)

// TestStopInTheMiddleOfAnImport: a server that is told to stop does so in the middle of an import: it does not finish it, lets go
// of it without counting an attempt, and the next server finishes it.
func TestStopInTheMiddleOfAnImport(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no process is interrupted there")
	}
	s := cmdtest.NewBooks(t)
	key := strings.TrimSpace(s.OK("apikey", "create", "--rate-limit", "100000000"))
	account := s.List("account", "list")[0]["id"].(string)
	file := s.Look()
	server := s.Child()
	if server.URL == "" {
		t.Fatal("the server did not start")
	}
	var csv strings.Builder
	csv.WriteString(`date,amount,name\n`)
	const rows = 60_000
	for i := range rows {
		fmt.Fprintf(&csv, `%s,-%d.%02d,Row %d\n`, time.Date(2016, 1, 1+i%3000, 0, 0, 0, 0, time.UTC).Format(time.DateOnly), 1+i%300, i%100, i)
	}
	client := cmdtest.LoadClient{URL: server.URL, Key: key, Transport: s.LoadTransport()}
	if status, answer := client.Ask("POST", "/imports", fmt.Sprintf(`{"account_id":%q,"publish":"true","raw_file_content":"%s"}`, account, csv.String()), ""); status != 201 {
		t.Fatal(status, answer)
	}
	for s.Count(file, "SELECT count(*) FROM transactions") == 0 { // until some rows are written
		runtime.Gosched()
	}
	if err := server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
	if n := s.Count(file, "SELECT count(*) FROM imports i JOIN import_work w ON w.import_id = i.id WHERE i.status = 'importing' AND w.lease_until = 0 AND w.attempts = 0"); n != 1 {
		t.Error("the import was not let go of in the middle")
	}
	if server = s.Child(); server.URL == "" {
		t.Fatal("the server did not start again")
	}
	for s.Count(file, "SELECT count(*) FROM imports WHERE status = 'complete'") == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	if n := s.Count(file, "SELECT count(*) FROM transactions"); n < rows {
		t.Errorf("%d transactions of %d", n, rows)
	}
	if err := server.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = server.Wait() // it was killed
}
