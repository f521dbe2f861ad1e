package cmd_test

import (
	"maps"
	"os"
	"testing"
	"time"

	"finsvc/cmd/cmdtest"
)

// TestIdle leaves a server alone that has worked: it writes nothing. With FINSVC_IDLE=2m it is left alone for so long
// before that as well, so that it has noted the use of keys and given memory back; then what it uses is logged.
func TestIdle(t *testing.T) {
	t.Parallel()
	settle := cmdtest.SetTime(t, "FINSVC_IDLE", 0)
	s := cmdtest.NewCommandLine(t)
	s.OK("apikey", "create")
	server := s.Child()
	for _, h := range s.Hands(2, server.URL) {
		for range 50 {
			if d := h.Next(); d != nil && d.Kind.Resource != "imports" && d.Kind.Resource != "chats" { // these go on for a while
				h.Do(d)
			}
			h.Read()
		}
	}
	time.Sleep(settle)
	before, files := s.Usage(server.Process.Pid), s.Changed()
	left := max(2*time.Second, settle)
	time.Sleep(left)
	after := s.Usage(server.Process.Pid)
	if after.Written != before.Written {
		t.Errorf("%d bytes were written", after.Written-before.Written)
	}
	if now := s.Changed(); !maps.Equal(now, files) {
		t.Errorf("files were changed: %v, before %v", now, files)
	}
	t.Logf("left alone for %v: %d KiB of memory, %d of them private, %d ms of processor, %d bytes written", left, after.Memory, after.Private,
		10*(after.Ticks-before.Ticks), after.Written-before.Written)
	if err := server.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("the server ended badly: %v", err)
	}
}
