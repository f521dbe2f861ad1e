package cmd_test

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestIdle leaves a server alone that has worked: it writes nothing. With FINSVC_IDLE=2m it is left alone for so long
// before that as well, so that it has noted the use of keys and given memory back; then what it uses is logged.
func TestIdle(t *testing.T) {
	t.Parallel()
	settle := setTime(t, "FINSVC_IDLE", 0)
	s := newCommandLine(t)
	s.ok("apikey", "create")
	server := s.child()
	for _, h := range s.hands(2, server.url) {
		for range 50 {
			if d := h.next(); d != nil && d.kind.resource != "imports" && d.kind.resource != "chats" { // these go on for a while
				h.do(d)
			}
			h.read()
		}
	}
	time.Sleep(settle)
	before, files := s.usage(server.Process.Pid), s.changed()
	left := max(2*time.Second, settle)
	time.Sleep(left)
	after := s.usage(server.Process.Pid)
	if after.written != before.written {
		t.Errorf("%d bytes were written", after.written-before.written)
	}
	if now := s.changed(); !maps.Equal(now, files) {
		t.Errorf("files were changed: %v, before %v", now, files)
	}
	t.Logf("left alone for %v: %d KiB of memory, %d of them private, %d ms of processor, %d bytes written", left, after.memory, after.private,
		10*(after.ticks-before.ticks), after.written-before.written)
	if err := server.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("the server ended badly: %v", err)
	}
}

// changed is when each of the database's files was changed last.
func (s *commandLine) changed() map[string]time.Time {
	s.Helper()
	all, err := filepath.Glob(s.file + "*")
	if err != nil {
		s.Fatal(err)
	}
	out := map[string]time.Time{}
	for _, path := range all {
		info, err := os.Stat(path)
		if err != nil {
			s.Fatal(err)
		}
		out[path] = info.ModTime()
	}
	return out
}
