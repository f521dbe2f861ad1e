// Package listentest makes certificates for tests of servers.
package listentest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// PairFiles is a certificate for localhost with its key, in files.
type PairFiles struct{ Cert, Key string }

func NewPairFiles(t *testing.T) PairFiles {
	dir := t.TempDir()
	return PairFiles{filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")}
}

// Write makes a new pair that ends then. Its serial number tells it apart.
func (p PairFiles) Write(t *testing.T, serial int64, end time.Time) *x509.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	what := &x509.Certificate{SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: "localhost"},
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: end.AddDate(-1, 0, 0), NotAfter: end, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, what, what, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	p.put(t, p.Cert, "CERTIFICATE", der)
	p.put(t, p.Key, "PRIVATE KEY", secret)
	made, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// put replaces a file as whoever renews certificates does: the new one takes the place of the old one.
func (p PairFiles) put(t *testing.T, name, kind string, der []byte) {
	t.Helper()
	if err := os.WriteFile(name+".new", pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(name+".new", name); err != nil {
		t.Fatal(err)
	}
}
