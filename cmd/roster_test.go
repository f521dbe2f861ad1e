package cmd

import (
	"bytes"
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"context"

	"finsvc/db/dbtest"
)

func TestWell(t *testing.T) {
	t.Parallel()
	s := &service{database: dbtest.New(t)}
	end := s.roster.begin("imports")
	s.roster.begin("assistant")
	if err := s.well(t.Context()); err != nil {
		t.Errorf("while all is well: %v", err)
	}
	end()
	if err := s.well(t.Context()); err == nil || !strings.Contains(err.Error(), "imports") || strings.Contains(err.Error(), "assistant") {
		t.Errorf("got %v", err)
	}
	s = &service{database: s.database}
	if err := s.database.Close(); err != nil {
		t.Fatal(err)
	}
	if err := s.well(t.Context()); err == nil {
		t.Error("a closed database is well")
	}
}

// TestNoSignOfLife: a service that is not well does not say that it is.
func TestNoSignOfLife(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "n")
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Net: "unixgram", Name: path})
	if err != nil {
		t.Skip("no such sockets here: ", err)
	}
	defer conn.Close()
	var said bytes.Buffer
	m := manager{socket: path, every: time.Minute}
	m.beat(t.Context(), slog.New(slog.NewTextHandler(&said, nil)), func(context.Context) error { return errors.New("the disk\nis gone") })
	buffer := make([]byte, 100)
	n, err := conn.Read(buffer)
	if err != nil || string(buffer[:n]) != "STATUS=Not well: the disk is gone" || !strings.Contains(said.String(), "is gone") {
		t.Errorf("told %q, %v, and said %s", buffer[:n], err, &said)
	}
}
