package cmd

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"finsvc/cmd/exit"
)

// pairFiles is a certificate for localhost with its key, in files.
type pairFiles struct{ cert, key string }

func newPairFiles(t *testing.T) pairFiles {
	dir := t.TempDir()
	return pairFiles{filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")}
}

// write makes a new pair that ends then. Its serial number tells it apart.
func (p pairFiles) write(t *testing.T, serial int64, end time.Time) *x509.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	what := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "localhost"}, DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: end.AddDate(-1, 0, 0), NotAfter: end, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, what, what, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	p.put(t, p.cert, "CERTIFICATE", der)
	p.put(t, p.key, "PRIVATE KEY", secret)
	made, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// put replaces a file as whoever renews certificates does: the new one takes the place of the old one.
func (p pairFiles) put(t *testing.T, name, kind string, der []byte) {
	t.Helper()
	if err := os.WriteFile(name+".new", pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(name+".new", name); err != nil {
		t.Fatal(err)
	}
}

// clocked is a certificate with a clock that stands until it is moved.
type clocked struct {
	*certificate
	at   time.Time
	said bytes.Buffer
}

func newClocked(t *testing.T, p pairFiles, at time.Time) *clocked {
	t.Helper()
	c := &clocked{at: at}
	network, now := &networkConfig{TLSCert: p.cert, TLSKey: p.key}, func() time.Time { return c.at }
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
	p, start := newPairFiles(t), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p.write(t, 1, start.AddDate(1, 0, 0))
	c := newClocked(t, p, start)
	c.serves(t, 1)
	p.write(t, 2, start.AddDate(1, 0, 0))
	c.serves(t, 1) // a second has not passed
	c.at = start.Add(time.Second)
	c.serves(t, 2)

	// Half of a renewal: the one in force stays, until the other half is there.
	old, err := os.ReadFile(p.key)
	if err != nil {
		t.Fatal(err)
	}
	p.write(t, 3, start.AddDate(1, 0, 0))
	fresh, err := os.ReadFile(p.key)
	if err != nil {
		t.Fatal(err)
	}
	replace(t, p.key, old)
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
	replace(t, p.key, fresh)
	c.at = start.Add(4 * time.Second)
	c.serves(t, 3)

	if err := os.Remove(p.cert); err != nil {
		t.Fatal(err)
	}
	c.at = start.Add(-time.Hour) // the clock was set back
	c.serves(t, 3)
	if !strings.Contains(c.said.String(), "the one in force stays") {
		t.Errorf("said %s", &c.said)
	}
	p.write(t, 4, start.AddDate(1, 0, 0))
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
	p := newPairFiles(t)
	p.write(t, 1, end)
	for days, want := range map[int]string{-20: "", -14: "", -13: "expires soon", 0: "has expired", 1: "has expired"} {
		c := newClocked(t, p, end.AddDate(0, 0, days))
		if got := c.said.String(); want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%d days after the end: said %s", days, got)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(p.key, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := newClocked(t, p, end.AddDate(0, 0, -20)).said.String(); !strings.Contains(got, "anybody on this machine can read the key") || !strings.Contains(got, "chmod o=") {
		t.Errorf("said %s", got)
	}
}

func TestCertificatesThatDoNotDo(t *testing.T) {
	t.Parallel()
	one, other := newPairFiles(t), newPairFiles(t)
	one.write(t, 1, time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	other.write(t, 2, time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC))
	for _, c := range []struct {
		cert, key string
		status    int
		want      string
	}{
		{one.cert, "", exit.Usage, "give --tls-key or $FINSVC_TLS_KEY"},
		{"", one.key, exit.Usage, "give --tls-cert or $FINSVC_TLS_CERT"},
		{one.cert, other.key, exit.Usage, "private key does not match public key"},
		{one.key, one.cert, exit.Usage, "must be PEM"},
		{one.cert + ".no", one.key, exit.Missing, "cert.pem.no"},
		{one.cert, one.key + ".no", exit.Missing, "key.pem.no"},
	} {
		network, now := &networkConfig{TLSCert: c.cert, TLSKey: c.key}, time.Now
		_, err := newCertificate(network, now, slog.New(slog.DiscardHandler))
		if exit.Status(err) != c.status || !strings.Contains(exit.Message(err), c.want) {
			t.Errorf("%s, %s: status %d, %v", c.cert, c.key, exit.Status(err), err)
		}
	}
}

// TestOldTLS is refused.
func TestOldTLS(t *testing.T) {
	t.Parallel()
	p := newPairFiles(t)
	p.write(t, 1, time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC))
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
