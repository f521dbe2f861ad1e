package cmd

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"finsvc/ledger"
)

func tcp(address string) net.Addr { return net.TCPAddrFromAddrPort(netip.MustParseAddrPort(address)) }

func ips(texts ...string) (list []netip.Addr) {
	for _, text := range texts {
		list = append(list, netip.MustParseAddr(text))
	}
	return list
}

// TestReach: only addresses at which the server really listens, and of those the ones that lead somewhere.
func TestReach(t *testing.T) {
	t.Parallel()
	nas := machine{name: "nas.local", addresses: ips("203.0.113.7", "fe80::1", "192.168.1.20", "fd00::20", "169.254.3.3")}
	modern := machine{addresses: ips("fe80::1", "2001:db8::5", "fd00::20")}
	plain := site{scheme: "http"}
	for name, c := range map[string]struct {
		site          site
		addr          net.Addr
		machine       machine
		here, network []string
	}{
		"loopback":              {plain, tcp("127.0.0.1:7117"), nas, []string{"http://127.0.0.1:7117"}, nil},
		"loopback of IPv6":      {plain, tcp("[::1]:7117"), nas, []string{"http://[::1]:7117"}, nil},
		"everywhere":            {plain, tcp("[::]:7117"), nas, []string{"http://localhost:7117"}, []string{"http://nas.local:7117", "http://192.168.1.20:7117", "http://203.0.113.7:7117"}},
		"everywhere, IPv6":      {plain, tcp("[::]:80"), modern, []string{"http://localhost:80"}, []string{"http://[fd00::20]:80", "http://[2001:db8::5]:80"}},
		"one address":           {plain, tcp("192.168.1.20:7117"), nas, nil, []string{"http://192.168.1.20:7117"}},
		"in a container":        {plain, tcp("[::]:7117"), machine{name: "x.local", addresses: ips("172.17.0.2"), container: true}, []string{"http://localhost:7117"}, nil},
		"one in a container":    {plain, tcp("172.17.0.2:7117"), machine{container: true}, []string{"http://172.17.0.2:7117"}, nil},
		"TLS below a path":      {site{"https", "/finance"}, tcp("0.0.0.0:443"), machine{addresses: ips("10.0.0.4")}, []string{"https://localhost:443/finance"}, []string{"https://10.0.0.4:443/finance"}},
		"socket":                {plain, &net.UnixAddr{Name: "/run/finsvc.sock", Net: "unix"}, nas, []string{"unix:/run/finsvc.sock"}, nil},
		"more than are shown":   {plain, tcp("[::]:1"), machine{addresses: ips("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4", "10.0.0.5")}, []string{"http://localhost:1"}, []string{"http://10.0.0.1:1", "http://10.0.0.2:1", "http://10.0.0.3:1", "http://10.0.0.4:1"}},
		"no way to the network": {plain, tcp("[::]:1"), machine{}, []string{"http://localhost:1"}, nil},
	} {
		got := c.site.reachOf(c.addr, c.machine)
		if !slices.Equal(got.here, c.here) || !slices.Equal(got.network, c.network) {
			t.Errorf("%s: got %v and %v, want %v and %v", name, got.here, got.network, c.here, c.network)
		}
	}
}

func TestLocalName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		mdns bool
		want string
	}{
		{"nas", true, "nas.local"}, {"NAS", true, "nas.local"}, {"nas", false, ""}, {"Anas-Mac.local", false, "anas-mac.local"},
		{"nas.example.org", true, ""}, {"localhost", true, ""}, {"localhost.localdomain", true, ""}, {"", true, ""},
	} {
		if got := localName(c.name, c.mdns); got != c.want {
			t.Errorf("%q, %v: got %q, want %q", c.name, c.mdns, got, c.want)
		}
	}
}

func facts() greetingFacts {
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	return greetingFacts{version: "1.0.0", database: "/data/finance.db", schema: 15, addr: tcp("[::]:7117"), site: site{scheme: "http"},
		machine: machine{name: "nas.local", addresses: ips("192.168.1.20")}, now: now, backupFolder: "/data/backups", assistant: "built in"}
}

func TestFirstBanner(t *testing.T) {
	t.Parallel()
	f := facts()
	f.created = true
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
	if got := f.banner(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestFirstBannerElsewhere: what differs where the server is reached in another way.
func TestFirstBannerElsewhere(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*greetingFacts)
		want   []string
		never  string
	}{
		"loopback": {func(f *greetingFacts) { f.addr = tcp("127.0.0.1:7117") }, []string{"Opened /data/finance.db", "Listening on port 7117, for this machine only.",
			"On this machine   http://127.0.0.1:7117\n    On your network   not reachable; to be: finsvc serve --listen :7117\n"}, "192.168"},
		"container": {func(f *greetingFacts) { f.machine.container = true }, []string{"In here           http://localhost:7117\n" +
			"    From outside      http://<this machine>:<published port>  (the port that is published for 7117 of this container)\n"}, "192.168"},
		"loopback in a container": {func(f *greetingFacts) { f.machine.container, f.addr = true, tcp("127.0.0.1:7117") }, []string{
			"From outside      not reachable; to be: finsvc serve --listen :7117\n"}, "published"},
		"socket": {func(f *greetingFacts) { f.addr = &net.UnixAddr{Name: "/run/finsvc.sock", Net: "unix"} }, []string{"Listening on /run/finsvc.sock.",
			"curl --unix-socket '/run/finsvc.sock' -H 'X-Api-Key: KEY' http://localhost/api/v1/usage\n"}, "7117"},
		"one address":  {func(f *greetingFacts) { f.addr = tcp("192.168.1.20:80") }, []string{"Listening on port 80 of 192.168.1.20.", "On your network   http://192.168.1.20:80\n"}, "localhost"},
		"awkward name": {func(f *greetingFacts) { f.database = "/data/ana's.db" }, []string{`finsvc apikey create --data '/data/ana'\''s.db'`}, "'ana's"},
	} {
		f := facts()
		c.change(&f)
		got := f.banner()
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
	f.households, f.size = 1, ledger.Size{People: 2, Accounts: 9, Transactions: 14212}
	f.backup, f.assistant = f.now.Add(-6*time.Hour), "qwen3:8b at 192.168.1.20:11434"
	want := `
  finsvc 1.0.0   /data/finance.db   1 household, 2 people, 9 accounts, 14,212 transactions
  http://localhost:7117   http://nas.local:7117   http://192.168.1.20:7117
  Last backup 6 hours ago. Assistant: qwen3:8b at 192.168.1.20:11434.

`
	if got := f.banner(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	f.machine.container, f.backup, f.size.People, f.households = true, time.Time{}, 1, 3
	want = `
  finsvc 1.0.0   /data/finance.db   3 households, 1 person, 9 accounts, 14,212 transactions
  http://<this machine>:<published port>  (the port that is published for 7117 of this container)
  No backup yet. Assistant: qwen3:8b at 192.168.1.20:11434.

`
	if got := f.banner(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestGreetingInTheLog: the same facts for machines.
func TestGreetingInTheLog(t *testing.T) {
	t.Parallel()
	f := facts()
	f.created, f.backup = true, f.now.Add(-time.Hour)
	var out bytes.Buffer
	f.log(slog.New(slog.NewJSONHandler(&out, nil)))
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

func TestWhoAnswers(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]aiConfig{
		"off":                   {URL: "http://localhost:11434/v1", Model: "m"},
		"built in":              {Assistant: true},
		"m at 10.0.0.2:11434":   {Assistant: true, URL: "http://10.0.0.2:11434/v1", Model: "m"},
		"m at provider.example": {Assistant: true, URL: "https://user:secret@provider.example/v1?key=secret", Model: "m"},
	} {
		if got := c.words(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := hostOf("https://u:p@{mic}.prices.example/{ticker}.csv"); got != "{mic}.prices.example" {
		t.Errorf("got %q", got)
	}
}
