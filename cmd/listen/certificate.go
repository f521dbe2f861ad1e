package listen

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"finsvc/cmd/config"
	"finsvc/cmd/exit"
)

const (
	// expiryNotice is how long before the end of a certificate the log begins to say so.
	expiryNotice = 14 * 24 * time.Hour
	// lookAtFiles is how often the files of a certificate are looked at, at most.
	lookAtFiles = time.Second
)

// certificate is the server's, from files that somebody else renews. They are looked at when a client comes: a server
// that nobody asks does nothing.
type certificate struct {
	certFile, keyFile string
	log               *slog.Logger
	now               func() time.Time

	mu     sync.Mutex
	pair   *tls.Certificate // in force
	files  [2]os.FileInfo   // as they were when they were last read
	looked time.Time
}

// newCertificate reads the certificate of the settings for the first time.
func newCertificate(network *config.Network, now func() time.Time, log *slog.Logger) (*certificate, error) {
	c := &certificate{certFile: network.TLSCert, keyFile: network.TLSKey, log: log, now: now}
	switch {
	case c.keyFile == "":
		return nil, exit.Usagef("a certificate needs its key: give --tls-key or $FINSVC_TLS_KEY, too")
	case c.certFile == "":
		return nil, exit.Usagef("a key needs its certificate: give --tls-cert or $FINSVC_TLS_CERT, too")
	}
	c.looked, c.files = c.now(), c.stat()
	var err error
	c.pair, err = c.read()
	if err != nil {
		return nil, err
	}
	c.warnOfMode()
	c.warnOfEnd()
	return c, nil
}

// config is that of a listener with the certificate.
func (c *certificate) config() *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"}, GetCertificate: c.get}
}

// get gives a client the certificate that is in force.
func (c *certificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); now.Sub(c.looked).Abs() >= lookAtFiles {
		c.looked = now
		if files := c.stat(); !sameFiles(files, c.files) {
			c.renew(files)
		}
	}
	return c.pair, nil
}

// reload reads the files, whether they have changed or not.
func (c *certificate) reload() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.renew(c.stat())
}

// renew takes what the files have, or if that is no good, nothing. The caller holds the lock.
func (c *certificate) renew(files [2]os.FileInfo) {
	c.files = files
	pair, err := c.read()
	if err != nil {
		c.log.Error("the new certificate cannot be used; the one in force stays", "error", err.Error(), "expires",
			c.pair.Leaf.NotAfter)
		return
	}
	c.pair = pair
	c.log.Info("certificate read anew", "expires", pair.Leaf.NotAfter)
	c.warnOfMode()
	c.warnOfEnd()
}

func (c *certificate) read() (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("the certificate or its key cannot be read; name files that this user can read with --tls-cert and --tls-key: %w", err)
	case err != nil:
		return nil, exit.Usagef("the certificate %s and the key %s do not do: %s. Both must be PEM, the certificate first in its file, and the key must be its own and without a password", c.certFile, c.keyFile, err)
	}
	return &pair, nil
}

// stat looks at the files; one that cannot be looked at is nil.
func (c *certificate) stat() (files [2]os.FileInfo) {
	for i, name := range []string{c.certFile, c.keyFile} {
		if info, err := os.Stat(name); err == nil {
			files[i] = info
		}
	}
	return files
}

func sameFiles(a, b [2]os.FileInfo) bool {
	for i := range a {
		if a[i] == nil || b[i] == nil {
			if a[i] != b[i] {
				return false
			}
			continue
		}
		if !os.SameFile(a[i], b[i]) || a[i].Size() != b[i].Size() || !a[i].ModTime().Equal(b[i].ModTime()) {
			return false
		}
	}
	return true
}

// warnOfMode says when anybody on the machine can read the key.
func (c *certificate) warnOfMode() {
	if info := c.files[1]; info != nil && config.OpenTo(info, 0o007) {
		c.log.Warn("anybody on this machine can read the key of the certificate", "file", c.keyFile, "mode",
			info.Mode().String(), "next", "chmod o= '"+c.keyFile+"'")
	}
}

// warnOfEnd says when the certificate has ended or will soon.
func (c *certificate) warnOfEnd() {
	end := c.pair.Leaf.NotAfter
	switch left := end.Sub(c.now()); {
	case left <= 0:
		c.log.Warn("the certificate has expired; clients will refuse it", "file", c.certFile, "expires", end)
	case left < expiryNotice:
		c.log.Warn("the certificate expires soon", "file", c.certFile, "expires", end)
	}
}

// keep is what must run beside the server: it reads the files at SIGHUP, and warns daily, until ctx ends. Signals that
// come before it runs are kept.
func (c *certificate) keep() func(ctx context.Context) error {
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	return func(ctx context.Context) error {
		defer signal.Stop(hangups)
		daily := time.NewTicker(24 * time.Hour)
		defer daily.Stop()
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-hangups:
				c.reload()
			case <-daily.C:
				c.mu.Lock()
				c.warnOfEnd()
				c.mu.Unlock()
			}
		}
	}
}
