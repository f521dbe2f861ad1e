package listen

import (
	"bytes"
	"crypto/tls"
	"log/slog"
	"net"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"finsvc/cmd/config"
	"finsvc/cmd/exit"
	"finsvc/cmd/listen/listentest"
)

// clocked is a certificate with a clock that stands until it is moved.
type clocked struct {
	*certificate
	at   time.Time
	said bytes.Buffer
}

func newClocked(t *testing.T, p listentest.PairFiles, at time.Time) *clocked {
	t.Helper()
	c := &clocked{at: at}
	network, now := &config.Network{TLSCert: p.Cert, TLSKey: p.Key}, func() time.Time { return c.at }
	var err error
	if c.certificate, err = newCertificate(network, now, slog.New(slog.NewTextHandler(&c.said, nil))); err != nil {
		t.Fatal(err)
	}
	return c
}

// serves checks which pair a client gets.
func (c *clocked) serves(t *testing.T, serial int64) {
	t.Helper()
	pair, err := c.get(nil)
	if err != nil || pair.Leaf.SerialNumber.Int64() != serial {
		t.Fatalf("a client gets %v, %v, want %d; said %s", pair.Leaf.SerialNumber, err, serial, &c.said)
	}
}

func TestCertificateIsReadAnew(t *testing.T) {
	t.Parallel()
	p, start := listentest.NewPairFiles(t), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p.Write(t, 1, start.AddDate(1, 0, 0))
	c := newClocked(t, p, start)
	c.serves(t, 1)
	p.Write(t, 2, start.AddDate(1, 0, 0))
	c.serves(t, 1) // a second has not passed
	c.at = start.Add(time.Second)
	c.serves(t, 2)

	// Half of a renewal: the one in force stays, until the other half is there.
	old, err := os.ReadFile(p.Key)
	if err != nil {
		t.Fatal(err)
	}
	p.Write(t, 3, start.AddDate(1, 0, 0))
	fresh, err := os.ReadFile(p.Key)
	if err != nil {
		t.Fatal(err)
	}
	replace(t, p.Key, old)
	c.at = start.Add(2 * time.Second)
	c.serves(t, 2)
	if !strings.Contains(c.said.String(), "the one in force stays") || !strings.Contains(c.said.String(), "private key does not match") {
		t.Errorf("said %s", &c.said)
	}
	c.said.Reset()
	c.at = start.Add(3 * time.Second)
	c.serves(t, 2)
	if c.said.Len() > 0 {
		t.Errorf("says it again: %s", &c.said)
	}
	replace(t, p.Key, fresh)
	c.at = start.Add(4 * time.Second)
	c.serves(t, 3)

	if err := os.Remove(p.Cert); err != nil {
		t.Fatal(err)
	}
	c.at = start.Add(-time.Hour) // the clock was set back
	c.serves(t, 3)
	if !strings.Contains(c.said.String(), "the one in force stays") {
		t.Errorf("said %s", &c.said)
	}
	p.Write(t, 4, start.AddDate(1, 0, 0))
	c.reload()
	c.serves(t, 4)
}

func replace(t *testing.T, name string, text []byte) {
	t.Helper()
	if err := os.WriteFile(name+".new", text, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(name+".new", name); err != nil {
		t.Fatal(err)
	}
}

func TestCertificateWarnings(t *testing.T) {
	t.Parallel()
	end := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	p := listentest.NewPairFiles(t)
	p.Write(t, 1, end)
	for days, want := range map[int]string{-20: "", -14: "", -13: "expires soon", 0: "has expired", 1: "has expired"} {
		c := newClocked(t, p, end.AddDate(0, 0, days))
		if got := c.said.String(); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%d days after the end: said %s", days, got)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(p.Key, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := newClocked(t, p, end.AddDate(0, 0, -20)).said.String(); !strings.Contains(got, "anybody on this machine can read the key") || !strings.Contains(got, "chmod o=") {
		t.Errorf("said %s", got)
	}
}

func TestCertificatesThatDoNotDo(t *testing.T) {
	t.Parallel()
	one, other := listentest.NewPairFiles(t), listentest.NewPairFiles(t)
	one.Write(t, 1, time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	other.Write(t, 2, time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	for _, c := range []struct {
		cert, key string
		status    int
		want      string
	}{
		{one.Cert, "", exit.Usage, "give --tls-key or $FINSVC_TLS_KEY"},
		{"", one.Key, exit.Usage, "give --tls-cert or $FINSVC_TLS_CERT"},
		{one.Cert, other.Key, exit.Usage, "private key does not match public key"},
		{one.Key, one.Cert, exit.Usage, "must be PEM"},
		{one.Cert + ".no", one.Key, exit.Missing, "cert.pem.no"},
		{one.Cert, one.Key + ".no", exit.Missing, "key.pem.no"},
	} {
		network, now := &config.Network{TLSCert: c.cert, TLSKey: c.key}, time.Now
		_, err := newCertificate(network, now, slog.New(slog.DiscardHandler))
		if exit.Status(err) != c.status || !strings.Contains(exit.Message(err), c.want) {
			t.Errorf("%s, %s: status %d, %v", c.cert, c.key, exit.Status(err), err)
		}
	}
}

// TestOldTLS is refused.
func TestOldTLS(t *testing.T) {
	t.Parallel()
	p := listentest.NewPairFiles(t)
	p.Write(t, 1, time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC))
	config := newClocked(t, p, time.Now()).config()
	for version, works := range map[uint16]bool{tls.VersionTLS11: false, tls.VersionTLS12: true, tls.VersionTLS13: true} {
		client, server := net.Pipe()
		go func() { _ = tls.Server(server, config).HandshakeContext(t.Context()) }()
		err := tls.Client(client, &tls.Config{InsecureSkipVerify: true, MinVersion: version, MaxVersion: version}).HandshakeContext(t.Context())
		if works != (err == nil) {
			t.Errorf("%s: %v", tls.VersionName(version), err)
		}
		_ = client.Close()
		_ = server.Close()
	}
}
