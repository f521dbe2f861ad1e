package server

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"finsvc/cmd/listen"
	"finsvc/ledger/audit"
)

func tcp(address string) net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address)) }

func ips(texts ...string) (list []netip.Addr) {
	for _, text := range texts {
		list = append(list, netip.MustParseAddr(text))
	}
	return list
}

func facts() Banner {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	return Banner{Version: "1.0.0", Database: "/data/finance.db", Schema: 15, Addr: tcp("[::]:7117"), Site: listen.Site{Scheme: "http"},
		Machine: listen.Machine{Name: "nas.local", Addresses: ips("192.168.1.20")}, Now: now, BackupFolder: "/data/backups", Assistant: "built in"}
}

func TestFirstBanner(t *testing.T) {
	t.Parallel()
	f := facts()
	f.Created = true
	want := `
  finsvc 1.0.0

  Created /data/finance.db (schema 15).
  Listening on port 7117, all interfaces.

    On this machine   http://localhost:7117
    On your network   http://nas.local:7117
                      http://192.168.1.20:7117

  It is empty. In another terminal, make a household, its owner and a key:

    finsvc apikey create --data '/data/finance.db'

  Then ask with the key it prints, or read how in a browser:

    curl -H 'X-Api-Key: KEY' http://localhost:7117/api/v1/usage
    http://localhost:7117/api/docs

  Stop with Ctrl-C. Your data is that one file; copies of it go to /data/backups.

`
	if got := f.Text(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestFirstBannerElsewhere: what differs where the server is reached in another way.
func TestFirstBannerElsewhere(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Banner)
		want   []string
		never  string
	}{
		"loopback": {func(f *Banner) { f.Addr = tcp("127.0.0.1:7117") }, []string{"Opened /data/finance.db", "Listening on port 7117, for this machine only.",
			"On this machine   http://127.0.0.1:7117\n    On your network   not reachable; to be: finsvc serve --listen :7117\n"}, "192.168"},
		"container": {func(f *Banner) { f.Machine.Container = true }, []string{"In here           http://localhost:7117\n" +
			"    From outside      http://<this machine>:<published port>  (the port that is published for 7117 of this container)\n"}, "192.168"},
		"loopback in a container": {func(f *Banner) { f.Machine.Container, f.Addr = true, tcp("127.0.0.1:7117") }, []string{
			"From outside      not reachable; to be: finsvc serve --listen :7117\n"}, "published"},
		"socket": {func(f *Banner) { f.Addr = &net.UnixAddr{Name: "/run/finsvc.sock", Net: "unix"} }, []string{"Listening on /run/finsvc.sock.",
			"curl --unix-socket '/run/finsvc.sock' -H 'X-Api-Key: KEY' http://localhost/api/v1/usage\n"}, "7117"},
		"one address":  {func(f *Banner) { f.Addr = tcp("192.168.1.20:80") }, []string{"Listening on port 80 of 192.168.1.20.", "On your network   http://192.168.1.20:80\n"}, "localhost"},
		"awkward name": {func(f *Banner) { f.Database = "/data/ana's.db" }, []string{`finsvc apikey create --data '/data/ana'\''s.db'`}, "'ana's"},
	} {
		f := facts()
		c.change(&f)
		got := f.Text()
		for _, want := range c.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: got %s, want %q in it", name, got, want)
			}
		}
		if strings.Contains(got, c.never) {
			t.Errorf("%s: got %s, never %q", name, got, c.never)
		}
	}
}

func TestLaterBanner(t *testing.T) {
	t.Parallel()
	f := facts()
	f.Households, f.Size = 1, audit.Size{People: 2, Accounts: 9, Transactions: 14212}
	f.Backup, f.Assistant = f.Now.Add(-6*time.Hour), "qwen3:8b at 192.168.1.20:11434"
	want := `
  finsvc 1.0.0   /data/finance.db   1 household, 2 people, 9 accounts, 14,212 transactions
  http://localhost:7117   http://nas.local:7117   http://192.168.1.20:7117
  Last backup 6 hours ago. Assistant: qwen3:8b at 192.168.1.20:11434.

`
	if got := f.Text(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	f.Machine.Container, f.Backup, f.Size.People, f.Households = true, time.Time{}, 1, 3
	want = `
  finsvc 1.0.0   /data/finance.db   3 households, 1 person, 9 accounts, 14,212 transactions
  http://<this machine>:<published port>  (the port that is published for 7117 of this container)
  No backup yet. Assistant: qwen3:8b at 192.168.1.20:11434.

`
	if got := f.Text(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestGreetingInTheLog: the same facts for machines.
func TestGreetingInTheLog(t *testing.T) {
	t.Parallel()
	f := facts()
	f.Created, f.Backup = true, f.Now.Add(-time.Hour)
	var out bytes.Buffer
	f.Log(slog.New(slog.NewJSONHandler(&out, nil)))
	var lines []map[string]any
	for line := range strings.Lines(out.String()) {
		var entry map[string]any
		if err := json.Unmarshal([]byte(line), &entry); err != nil {
			t.Fatal(err)
		}
		lines = append(lines, entry)
	}
	if len(lines) != 3 || lines[0]["msg"] != "database created" || lines[1]["msg"] != "listening" || lines[2]["msg"] != "no household yet" {
		t.Fatalf("logged %v", lines)
	}
	for name, want := range map[string]any{"addr": "[::]:7117", "urls": "http://localhost:7117,http://nas.local:7117,http://192.168.1.20:7117",
		"database": "/data/finance.db", "transactions": 0.0, "last_backup": "2026-11-22T11:00:00Z", "assistant": "built in", "backups": "/data/backups"} {
		if lines[1][name] != want {
			t.Errorf("%s is %v, want %v", name, lines[1][name], want)
		}
	}
	if lines[2]["next"] != "finsvc apikey create --data '/data/finance.db'" {
		t.Errorf("next is %v", lines[2]["next"])
	}
}

// TestBannerWithSetUpCode: the code is said to people with where to enter it, and in the log.
func TestBannerWithSetUpCode(t *testing.T) {
	t.Parallel()
	f := facts()
	f.Created, f.SetUpCode, f.SetUpUntil = true, "K7QF-2M9D", f.Now.Add(30*time.Minute)
	want := `
  finsvc 1.0.0

  Created /data/finance.db (schema 15).
  Listening on port 7117, all interfaces.

    On this machine   http://localhost:7117
    On your network   http://nas.local:7117
                      http://192.168.1.20:7117

  Set-up code  K7QF-2M9D   (30 minutes, one use)
  Open an address above and enter the code, or go straight to
  http://nas.local:7117/setup?code=K7QF-2M9D

  No browser?  finsvc apikey create --data '/data/finance.db'
  Stop with Ctrl-C. Your data is that one file; copies of it go to /data/backups.

`
	if got := f.Text(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	var logged bytes.Buffer
	f.Log(slog.New(slog.NewJSONHandler(&logged, nil)))
	if !strings.Contains(logged.String(), `"msg":"set-up needed","code":"K7QF-2M9D","expires":"2026-11-22T12:30:00Z"`) {
		t.Errorf("the log says %s", logged.String())
	}
}
