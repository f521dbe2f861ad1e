package listen

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

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
	m := Manager{socket: path, every: time.Minute}
	m.beat(t.Context(), slog.New(slog.NewTextHandler(&said, nil)), func(context.Context) error { return errors.New("the disk\nis gone") })
	buffer := make([]byte, 100)
	n, err := conn.Read(buffer)
	if err != nil || string(buffer[:n]) != "STATUS=Not well: the disk is gone" || !strings.Contains(said.String(), "is gone") {
		t.Errorf("told %q, %v, and said %s", buffer[:n], err, &said)
	}
}
