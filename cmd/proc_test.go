package cmd_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// usage is what a process has and has used up, as Linux tells.
type usage struct {
	memory, private int64 // KiB: resident, and of that what is not of files
	threads, files  int64
	goroutines      int64 // where metrics are served
	wal             int64 // bytes of the log beside the database
	written         int64 // bytes to the disk so far
	ticks           int64 // of the processor so far, hundredths of a second
}

// usage asks Linux about a process that serves the shell's file; the test is skipped elsewhere.
func (s *commandLine) usage(pid int) (u usage) {
	s.Helper()
	if runtime.GOOS != "linux" {
		s.Skip("only Linux tells what a process uses")
	}
	proc := fmt.Sprintf("/proc/%d/", pid)
	status, io := s.proc(proc+"status"), s.proc(proc+"io")
	u.memory, u.private, u.threads, u.written = status["VmRSS"], status["RssAnon"], status["Threads"], io["write_bytes"]
	files, err := os.ReadDir(proc + "fd")
	if err != nil {
		s.Fatal(err)
	}
	u.files = int64(len(files))
	stat, err := os.ReadFile(filepath.Join(proc, "stat"))
	if err != nil {
		s.Fatal(err)
	}
	_, after, _ := strings.Cut(string(stat), ") ") // the name may have blanks
	fields := strings.Fields(after)
	for _, n := range fields[11:13] {
		ticks, _ := strconv.ParseInt(n, 10, 64) // a number always
		u.ticks += ticks
	}
	if wal, err := os.Stat(s.file + "-wal"); err == nil {
		u.wal = wal.Size()
	}
	return u
}

// proc reads a file of names and numbers.
func (s *commandLine) proc(path string) map[string]int64 {
	s.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		s.Fatal(err)
	}
	out := map[string]int64{}
	for line := range strings.Lines(string(text)) {
		name, rest, _ := strings.Cut(line, ":")
		if fields := strings.Fields(rest); len(fields) > 0 {
			out[name], _ = strconv.ParseInt(fields[0], 10, 64) // others are texts
		}
	}
	return out
}
